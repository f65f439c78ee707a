// The family `layout`: which dimensions form a pair, in two ways to write the same rotation.
#include "rope/rotary/layout.hpp"

#include <array>
#include <cmath>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/given.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/layout_permutation.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/rotation_columns.hpp"

namespace rope::claims {
namespace {
namespace layout_family {

using Vector = std::vector<double>;

/// (−y, x) for (x, y) in every pair, exactly: `rotate_half` in the layout half.
Outcome quarter(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  return {quarter_turned(embedding, given.vector("vector", embedding.head_dim)), 0};
}

/// The same embedding in both layouts, and how a vector of one becomes one of the other.
struct Layouts {
  RotaryEmbedding interleaved, half;
  bool permuted;  ///< whether vectors are moved on the way from one to the other

  explicit Layouts(Parameters& given)
      : interleaved(given.embedding()), half(interleaved), permuted(given.flag("permuted")) {
    interleaved.layout = PairLayout::interleaved;
    half.layout = PairLayout::half;
  }
  Vector to_half(const Vector& x) const {
    return permuted ? moved(x, PairLayout::interleaved, PairLayout::half) : x;
  }
  Vector to_interleaved(const Vector& x) const {
    return permuted ? moved(x, PairLayout::half, PairLayout::interleaved) : x;
  }

 private:
  Vector moved(const Vector& x, PairLayout from, PairLayout to) const {
    const auto source = layout_permutation(from, to, half.head_dim, half.rotary_dim());
    Vector result;
    result.reserve(x.size());
    for (const std::size_t i : source) result.push_back(x[i]);
    return result;
  }
};

Vector by_columns(const RotaryEmbedding& embedding, const Vector& x, std::int64_t position) {
  return rotate_by_columns(embedding,
                           rotation_columns(embedding, rotation_row(embedding, position)), x);
}

Vector random_vector(std::size_t size, RandomStream& random) {
  Vector x(size);
  random.fill_normal(x);
  return x;
}

/// The largest difference of a number of R_m x in one layout and in the other, of the same x, or of
/// one whose dimensions were `permuted` before and are moved back: then it is the same arithmetic.
Outcome vectors(Parameters& given) {
  const Layouts layouts(given);
  const std::int64_t reach = given.integer("max_position", 4095);
  return worst_of(given, [&](RandomStream& random) {
    const Vector x = random_vector(layouts.half.head_dim, random);
    const std::int64_t m = random.integer(1, reach);
    const Vector one = by_columns(layouts.interleaved, x, m);
    const Vector other = layouts.to_interleaved(by_columns(layouts.half, layouts.to_half(x), m));
    Largest largest;
    for (std::size_t i = 0; i < x.size(); ++i) largest.take(std::abs(one[i] - other[i]));
    return Measured{largest.value(), 0};
  });
}

/// The largest difference of ⟨R_m q, R_n k⟩ in both layouts. After a permutation it is the sum of
/// the same products in another order: each is off by dot_error of Σ|a_i b_i| ≤ ‖a‖‖b‖.
Outcome scores(Parameters& given) {
  const Layouts layouts(given);
  const std::int64_t reach = given.integer("max_position", 4095);
  return worst_of(given, [&](RandomStream& random) {
    const std::size_t d = layouts.half.head_dim;
    const Vector q = random_vector(d, random), k = random_vector(d, random);
    const std::int64_t m = random.integer(1, reach), n = random.integer(1, reach);
    const Vector a = by_columns(layouts.interleaved, q, m);
    const Vector b = by_columns(layouts.interleaved, k, n);
    const double other = dot(by_columns(layouts.half, layouts.to_half(q), m),
                             by_columns(layouts.half, layouts.to_half(k), n));
    return Measured{std::abs(dot(a, b) - other), 2.01 * dot_error(d) * norm(a) * norm(b)};
  });
}

/// ⟨R_m q, R_n k⟩ of a q that is rotated in the interleaved layout and a k in the layout half.
Outcome mixed(Parameters& given) {
  const Layouts layouts(given);
  const std::size_t d = layouts.half.head_dim;
  const std::vector<std::int64_t> positions = given.integers("positions");
  if (positions.size() != 2) throw DomainError("expected the two positions m and n");
  const Vector a = by_columns(layouts.interleaved, given.vector("query", d), positions[0]);
  const Vector b = by_columns(layouts.half, given.vector("key", d), positions[1]);
  return {{dot(a, b)}, 2.01 * dot_error(d) * norm(a) * norm(b)};
}

constexpr std::array kQuantities = {
    Quantity{"layout.mixed", "score of an interleaved q and a half k", mixed},
    Quantity{"layout.quarter_turned", "(−y, x) in every pair", quarter},
    Quantity{"layout.vectors", "largest difference in R_m x between layouts", vectors},
    Quantity{"layout.scores", "largest difference in scores between layouts", scores},
};

}  // namespace layout_family
}  // namespace

std::span<const Quantity> layout_quantities() { return layout_family::kQuantities; }

}  // namespace rope::claims
