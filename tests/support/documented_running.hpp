#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/documented_bounds.hpp"

// The running bound of docs/accuracy.md, "The identity in rounded arithmetic", step 5, read off the
// page once more: of the numbers that arise in the emulation (emulation.hpp), in intervals of 200
// bits.
namespace rope::test {

class DocumentedRunning {
 public:
  DocumentedRunning(const Emulation& emulation, const DocumentedBounds& documented)
      : emulation_(emulation), policy_(emulation.policy()), documented_(documented) {}

  /// Computed numbers, and how far each may be from what it stands for.
  struct Tracked {
    std::vector<double> values;
    std::vector<Interval> errors;
  };

  /// R_p x, turned by the table as it is.
  Tracked turned(std::int64_t p, const std::vector<double>& x) const {
    Tracked result{emulation_.turned(p, x), {}};
    const std::vector<double>& y = result.values;
    const std::size_t pairs = emulation_.embedding().pairs();
    for (std::size_t i = 0; i < x.size(); ++i)  // what passes through
      result.errors.push_back(abs(Interval(x[i]) - Interval(y[i])));
    double largest = 0;
    for (const double value : y) largest = std::fmax(largest, std::abs(value));
    for (std::size_t k = 0; k < pairs; ++k) {
      const auto [i, j] = emulation_.dimensions(k);
      const auto [c, s] = emulation_.entry(p, k);
      result.errors[i] = entry({x[i], c}, {x[j], s}, y[i], largest);
      result.errors[j] = entry({x[i], s}, {x[j], c}, y[j], largest);
    }
    return result;
  }

  /// Aq of the right side, rounded once in double.
  Tracked scaled(const std::vector<double>& q) const {
    Tracked result{q, std::vector<Interval>(q.size())};
    const double a = emulation_.embedding().attention_factor;
    if (a == 1) return result;
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (i < emulation_.embedding().rotary_dim()) result.values[i] *= a;
      result.errors[i] = Interval(0x1p-53) * abs(Interval(result.values[i])) + documented_.inside();
    }
    return result;
  }

  /// What became of the score of two vectors: the errors they had, and those of the sum.
  Interval score(const Tracked& a, const Tracked& b) const {
    Interval propagated, arisen;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      propagated += abs(Interval(b.values[i])) * a.errors[i] +
                    abs(Interval(a.values[i])) * b.errors[i] + a.errors[i] * b.errors[i];
    const bool exact_products = documented_.exact_products();
    emulation_.score(a.values, b.values, [&](double number, bool is_product) {
      if (!is_product || !exact_products) arisen += abs(Interval(number));
    });
    const Interval underflow = DocumentedBounds::eta(policy_.accumulate) / Interval(2.0);
    return propagated + DocumentedBounds::u(policy_.accumulate) * arisen +
           Interval(static_cast<double>(a.values.size())) * (underflow + documented_.inside());
  }

 private:
  struct Product {
    double x, w;
  };

  Interval entry(const Product& one, const Product& other, double y, double largest) const {
    const DocumentedBounds::Cast cast = documented_.store_cast();
    const Interval size = abs(Interval(y)), u = DocumentedBounds::u(policy_.apply);
    const Interval stored =
        cast.relative * size + cast.absolute + cast.of_largest * Interval(largest);
    Interval sum;
    if (one.w != 0 && other.w != 0) sum = u * (size + stored) * (Interval(1.0) + Interval(2.0) * u);
    return product(one) + product(other) + sum + stored;
  }
  Interval product(const Product& of) const {
    if (of.w == 0) return {};
    if (std::abs(of.w) == 1) return abs(Interval(rounded(policy_.apply, of.x)) - Interval(of.x));
    const Interval u = DocumentedBounds::u(policy_.apply),
                   eta = DocumentedBounds::eta(policy_.apply);
    const Interval half = policy_.apply == Format::float64 ? eta : eta / Interval(2.0);
    return u * abs(Interval(of.x) * Interval(of.w)) * (Interval(1.0) + Interval(2.0) * u) + half;
  }

  const Emulation& emulation_;
  Policy policy_;
  const DocumentedBounds& documented_;
};

}  // namespace rope::test
