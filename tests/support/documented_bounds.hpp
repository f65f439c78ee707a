#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/emulation.hpp"
#include "support/interval.hpp"

// The a-priori bounds of docs/accuracy.md, "The identity in rounded arithmetic", read off the page
// once more and computed in intervals of 200 bits. Letters and formulas are those of the page; of
// src/rope/precision there are the names of formats and policies alone. For one axis, λ = 1, and
// frequencies of a base or given ones.
namespace rope::test {

using Interval = IntervalOf<200>;

inline const Interval kInfinite(std::numeric_limits<double>::infinity());

class DocumentedBounds {
 public:
  /// λ, the error of libm in units in the last place, is 1. `in_doubles`: with what is added for
  /// frequencies and bounds that are held in doubles.
  explicit DocumentedBounds(const Emulation& emulation, bool in_doubles = false)
      : in_doubles_(in_doubles),
        emulation_(emulation),
        policy_(emulation.policy()),
        embedding_(emulation.embedding()),
        factor_(embedding_.attention_factor) {
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      own_.push_back(own_frequency(k));
      const double theta = embedding_.frequencies.theta[k];
      exact_.push_back(embedding_.base ? power_of_base(-of_pair(k)) : Interval(theta));
      granted_.push_back(granted(k, theta));
    }
    table_error_ = table_error();
  }

  const Interval& theta(std::size_t k) const { return exact_[k]; }
  const Interval& factor() const { return factor_; }
  const Interval& granted_frequency_error(std::size_t k) const { return granted_[k]; }
  Interval frequency_error(std::size_t k) const { return abs(own_[k] - exact_[k]); }

  /// T of (1), with the distance n − m; and of (1').
  Interval identity(std::int64_t m, std::int64_t n, std::size_t k) const {
    const std::int64_t r = n - m;
    return chord(angle(m, k) + angle(n, k) + angle(r, k)) + of_two(m, n) + entry(r);
  }
  Interval shift(std::int64_t m, std::int64_t n, std::int64_t by, std::size_t k) const {
    return chord(angle(m, k) + angle(n, k) + angle(m + by, k) + angle(n + by, k)) + of_two(m, n) +
           of_two(m + by, n + by);
  }
  /// C of (2), and (2') for the θ̂ that is there and for any that is granted.
  Interval exact(std::int64_t m, std::int64_t n, std::size_t k) const {
    return chord(angle(m, k) + angle(n, k) + abs(Interval(n - m)) * known_error(k)) + of_two(m, n);
  }
  Interval exact(std::int64_t p, std::size_t k) const {
    return chord(angle(p, k) + abs(Interval(p)) * known_error(k)) + entry(p);
  }
  Interval faithful(std::int64_t p, std::size_t k) const {
    return chord(any_angle(p, k) + abs(Interval(p)) * granted_[k]) + entry(p);
  }

  /// A_L and A_R of vectors of these lengths.
  Interval left(const Interval& q, const Interval& k) const {
    const Interval yq = longest() * q, yk = longest() * k;
    return score(yq, rotated(yq), yk, rotated(yk));
  }
  Interval right(const Interval& q, const Interval& k) const {
    const Interval yq = stretch() * q, yk = longest() * k;
    // Aq is rounded once in double.
    const Interval once = embedding_.attention_factor == 1
                              ? Interval()
                              : Interval(0x1p-53) * yq +
                                    root(static_cast<double>(embedding_.head_dim)) * inside() +
                                    last();
    return score(yq, once, yk, rotated(yk));
  }

  /// What a pair of length w, of a vector whose longest pair or number is `longest`, may be off
  /// after the rotation by position p; and how long it may have become.
  struct Turned {
    Interval error, length;
  };
  Turned turned(std::int64_t p, std::size_t k, const Interval& w) const {
    const Interval f = faithful(p, k);
    const auto [rho, kappa] = rotation(2);
    const Interval evaluation = rho * factor_ * (one() + f) * w + kappa;
    return {factor_ * f * w + evaluation, (one() + f) * factor_ * w + evaluation};
  }
  Interval stored(const Turned& pair, const Interval& longest) const {
    const Cast cast = store_cast();
    return pair.error + cast.relative * pair.length +
           root(2) * (cast.absolute + cast.of_largest * longest);
  }

  // ---- Letters of the page

  static Interval u(Format format) { return std::ldexp(1.0, -shape_of(format).bits); }
  static Interval eta(Format format) { return std::ldexp(1.0, shape_of(format).lowest); }
  /// c and a of the cast to the store format; `of_largest` counts with the largest number.
  struct Cast {
    Interval relative, of_largest, absolute;
  };
  Cast store_cast() const {
    if (policy_.store == policy_.apply) return {};
    if (policy_.store != Format::float8)
      return {bits(policy_.store) < bits(policy_.apply) ? u(policy_.store) : Interval(), Interval(),
              surely_above(eta(policy_.store), eta(policy_.apply))
                  ? eta(policy_.store) / Interval(2.0)
                  : Interval()};
    const Interval single = u(Format::float32), w = one() + Interval(4.0) * single;
    return {Interval(0x1p-4) * w + Interval(4.0) * single, Interval(0x1p-9) * w / Interval(896.0),
            Interval(0x1p-126) * Interval(0x1p-9) * w / Interval(2.0) + Interval(0x1p-150)};
  }
  /// What products inside a bound may lose by underflow, a dimension.
  Interval inside() const {
    return in_doubles_ ? 4 * std::numeric_limits<double>::denorm_min() : 0;
  }
  /// Of Aq no product is exact, and on the left side none is counted as if it were.
  bool exact_products() const {
    return policy_.store != Format::float8 && embedding_.attention_factor == 1 &&
           2 * bits(policy_.store) <= bits(policy_.accumulate);
  }

 private:
  static Interval one() { return 1.0; }
  static Interval root(double x) { return sqrt(Interval(x)); }
  static Interval chord(const Interval& x) {
    const Interval most = smaller_of(x, Interval::pi());
    return Interval(2.0) * sin(most / Interval(2.0));
  }

  static int bits(Format format) { return shape_of(format).bits; }

  /// Half a unit in the last place of the format at x, at least η/2.
  static Interval half_ulp(Format format, const Interval& x) {
    if (!x.finite()) return kInfinite;
    const Interval least = eta(format) / Interval(2.0);
    if (surely_at_most(x, Interval())) return least;
    const mpfr_exp_t exponent = mpfr_get_exp(x.high_end()) - 1;  // 2^exponent ≤ x
    return larger_of(Interval::power_of_two(exponent) * u(format), least);
  }

  // ---- Frequencies

  Interval of_pair(std::size_t k) const {
    return Interval(static_cast<double>(2 * k)) /
           Interval(static_cast<double>(embedding_.rotary_dim()));
  }
  Interval power_of_base(const Interval& exponent) const {
    return exp(exponent * log(Interval(*embedding_.base)));
  }

  /// |θ̂ − θ|; of a θ in a double, and of a power of s in one, it is known no better than this.
  Interval known_error(std::size_t k) const {
    if (!in_doubles_ || !embedding_.base) return frequency_error(k);
    const double u = policy_.angle_rule == AngleRule::recurrence ? 0x1p-52 + 0x1p-51 : 0x1p-52;
    return frequency_error(k) + Interval(u) * exact_[k];
  }

  Interval own_frequency(std::size_t k) const {
    if (policy_.angle_rule == AngleRule::recurrence && embedding_.base)
      return power(Interval(emulation_.scale()), k);
    return emulation_.theta(k);
  }

  /// pow(b, exponent) with its roundings, and those of the exponent and of the base.
  Interval power_error(Format format, const Interval& exponent) const {
    const bool exact_exponent = std::has_single_bit(embedding_.rotary_dim());
    const double base = *embedding_.base;
    const bool exact_base = rounded(format, base) == base;
    Interval slope;
    if (!exact_exponent) slope += abs(log(Interval(base)));
    if (!exact_base) slope += one();
    return exp(exponent * u(format) * slope) * (one() + Interval(2.0) * u(format)) - one();
  }

  Interval granted(std::size_t k, double theta) const {
    const Format format = policy_.angle;
    if (!embedding_.base) {
      if (rounded(format, theta) == theta) return Interval();
      return u(format) * Interval(theta) + eta(format) / Interval(2.0);
    }
    if (k == 0) return Interval();
    return relative(k) * exact_[k] + eta(format);
  }
  Interval relative(std::size_t k) const {
    const Interval cast =
        bits(policy_.angle) < bits(Format::float32) ? u(policy_.angle) : Interval();
    const Format single = Format::float32;
    if (policy_.angle_rule == AngleRule::product) {
      if (policy_.angle == Format::float64) return power_error(Format::float64, of_pair(k));
      const Interval power = power_error(single, of_pair(k));
      return (one() + u(single)) / (one() - power) * (one() + cast) - one();
    }
    const Interval sigma = (one() + power_error(single, of_pair(1))) * (one() + cast) - one();
    const Interval powers = power(one() + sigma, k);
    if (policy_.angle_rule == AngleRule::recurrence) return powers - one();
    return powers * (one() + Interval(2.0) * u(single)) * (one() + cast) - one();
  }

  // ---- D and E

  static int significant(double x) {
    if (x == 0) return 0;
    int exponent = 0;
    const auto whole =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
    return 53 - std::countr_zero(whole);
  }
  static Interval last_place(double x) {
    if (x == 0) return Interval();
    int exponent = 0;
    const auto whole =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(x), &exponent), 53));
    return std::ldexp(1.0, exponent - 53 + std::countr_zero(whole));
  }

  /// A frequency: its size, how many bits it may have, and its last place.
  struct Frequency {
    Interval size;
    int bits;
    Interval last;
  };

  Interval angle(std::int64_t p, std::size_t k) const {
    const double theta = emulation_.theta(k);
    return angle(p, k, {own_[k], significant(theta), last_place(theta)});
  }
  Interval any_angle(std::int64_t p, std::size_t k) const {
    const double theta = embedding_.frequencies.theta[k];
    if (surely_at_most(granted_[k], Interval()))
      return angle(p, k, {exact_[k], significant(theta), last_place(theta)});
    const Interval least = larger_of(exact_[k] - granted_[k], Interval());
    return angle(
        p, k,
        {exact_[k] + granted_[k], bits(policy_.frequency),
         larger_of(Interval(2.0) * half_ulp(policy_.frequency, least), eta(policy_.frequency))});
  }

  /// D_p of the tables.
  Interval angle(std::int64_t p, std::size_t k, const Frequency& theta) const {
    if (p == 0) return Interval();
    const double held = emulation_.held(p);
    if (!std::isfinite(held)) return kInfinite;
    const Interval place = abs(Interval(held)), product = place * theta.size;
    Interval d = abs(Interval(held) - Interval(p)) * theta.size;
    d += policy_.angle_rule == AngleRule::recurrence && embedding_.base
             ? of_recurrence(product, k)
             : of_product(held, product, theta);
    if (policy_.reduced) {
      const Interval turns = product / (Interval(2.0) * Interval::pi()) + Interval(0.5);
      d += turns * Interval(2.4493e-16) + u(Format::float32) * Interval::pi();
    }
    return d;
  }
  Interval of_recurrence(const Interval& product, std::size_t k) const {
    const Interval rounding = product * (power(one() + u(policy_.angle), k) - one()) +
                              Interval(static_cast<double>(k)) * eta(policy_.angle) / Interval(2.0);
    return surely_above(product + rounding, largest()) ? kInfinite : rounding;
  }
  Interval of_product(double held, const Interval& product, const Frequency& theta) const {
    if (surely_at_most(product, Interval())) return Interval();
    if (surely_above(product, largest())) return kInfinite;
    const bool fits = significant(held) + theta.bits <= bits(policy_.angle) &&
                      surely_at_most(eta(policy_.angle), last_place(held) * theta.last);
    return fits ? Interval() : half_ulp(policy_.angle, product);
  }
  Interval largest() const { return shape_of(policy_.angle).largest; }

  Format trig() const {
    return policy_.angle == Format::float64 && !policy_.reduced ? Format::float64 : Format::float32;
  }
  /// What A and the product with it are rounded by, relative to A, and the cast of entries up to A.
  Interval of_factor() const {
    const Interval once = one() + u(trig());
    return once * once - one() + eta(trig()) / factor_;
  }
  Interval cast_of_factor() const {
    if (bits(policy_.table) >= bits(trig())) return Interval();
    const Interval largest = factor_ * (one() + Interval(4.0) * u(trig()));
    return root(2) * half_ulp(policy_.table, largest) / factor_;
  }
  Interval table_error() const {
    const Interval computed = root(2) * u(trig());
    if (embedding_.attention_factor != 1)
      return computed + of_factor() * (one() + computed) + cast_of_factor();
    return bits(policy_.table) < bits(trig()) ? computed + u(policy_.table) / root(2) : computed;
  }
  Interval entry(std::int64_t p) const {
    if (p != 0) return table_error_;
    return embedding_.attention_factor == 1 ? Interval() : of_factor() + cast_of_factor();
  }
  Interval of_two(std::int64_t m, std::int64_t n) const {
    return entry(m) + entry(n) + entry(m) * entry(n);
  }

  // ---- Rotating and summing

  struct Rotation {
    Interval relative, absolute;
  };
  Rotation rotation(std::size_t d) const {
    const Interval round = u(policy_.apply), root_d = root(static_cast<double>(d));
    const Interval absolute = root_d * (eta(policy_.apply) * (one() + round) + inside());
    return {root(2) * (Interval(2.0) * round + round * round), absolute + last()};
  }
  /// A product of few smallest doubles is a multiple of them again.
  Interval last() const { return in_doubles_ ? std::numeric_limits<double>::denorm_min() : 0; }
  /// δ of a vector of length y.
  Interval rotated(const Interval& y) const {
    const std::size_t d = embedding_.head_dim;
    const auto [rho, kappa] = rotation(d);
    const Cast cast = store_cast();
    const Interval root_d = root(static_cast<double>(d));
    const Interval c = cast.relative + root_d * cast.of_largest;
    return ((one() + rho) * (one() + c) - one()) * y + kappa * (one() + c) + root_d * cast.absolute;
  }
  Interval stretch() const {
    const bool passes = embedding_.rotary_dim() < embedding_.head_dim;
    return passes ? larger_of(one(), factor_) : factor_;
  }
  Interval longest() const { return (one() + table_error_) * stretch(); }

  /// ν, and what products lose by underflow.
  Interval score(const Interval& yq, const Interval& dq, const Interval& yk,
                 const Interval& dk) const {
    const std::size_t d = embedding_.head_dim;
    const Interval round = u(policy_.accumulate), many(static_cast<double>(d));
    Interval nu;
    if (policy_.sum == SumOrder::pairwise) {
      std::size_t height = exact_products() ? 0 : 1;
      for (std::size_t leaves = 1; leaves < d; leaves *= 2) ++height;
      nu = power(one() + round, height) - one();
    } else {
      nu = (many - Interval(exact_products() ? 1.0 : 0.0)) * round;
    }
    return nu * (yq + dq) * (yk + dk) + yq * dk + dq * yk + dq * dk +
           many * (eta(policy_.accumulate) / Interval(2.0) * (one() + nu) + inside());
  }

  bool in_doubles_;
  const Emulation& emulation_;
  Policy policy_;
  const RotaryEmbedding& embedding_;
  Interval factor_;
  std::vector<Interval> own_, exact_, granted_;
  Interval table_error_;
};

}  // namespace rope::test
