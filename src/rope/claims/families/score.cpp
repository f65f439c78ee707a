// The family `score`: both sides of the relative-position identity, ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k.
#include "rope/studies/score.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/studies/derivation.hpp"

namespace rope::claims {
namespace score_family {
namespace {

ScoreVectors vectors_of(Parameters& given) {
  ScoreVectors vectors{given.embedding(), {}, {}};
  vectors.q = given.vector("query", vectors.embedding.head_dim);
  vectors.k = given.vector("key", vectors.embedding.head_dim);
  return vectors;
}

struct Positions {
  std::int64_t m, n;
};

Positions positions_of(Parameters& given) {
  const std::vector<std::int64_t> positions = given.integers("positions");
  if (positions.size() != 2) throw DomainError("expected the two positions m and n");
  return {positions[0], positions[1]};
}

ScoreSides sides_of(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const auto [m, n] = positions_of(given);
  return score_sides(vectors, m, n);
}

Outcome measured(Parameters& given) {
  const ScoreSides sides = sides_of(given);
  return {{sides.left}, sides.difference.bound};
}

Outcome relative(Parameters& given) {
  const ScoreSides sides = sides_of(given);
  return {{sides.right}, sides.difference.bound};
}

Outcome opposite(Parameters& given) {
  const ScoreSides sides = sides_of(given);
  return {{sides.wrong_sign}, sides.difference.bound};
}

/// Random cases of the identity: `cases` of them, positions 0 … `max_position` (4095), `seed` (42).
/// The worst of what `measure` finds.
template <typename Measure>
Outcome worst_case(Parameters& given, Measure measure) {
  ScoreVectors vectors{given.embedding(), {}, {}};
  const std::size_t cases = given.count("cases");
  const std::int64_t reach = given.integer("max_position", 4095);
  const auto seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  vectors.q.resize(vectors.embedding.head_dim);
  vectors.k.resize(vectors.embedding.head_dim);
  Measured worst;
  for (std::size_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    random.fill_normal(vectors.q);
    random.fill_normal(vectors.k);
    const std::int64_t m = random.integer(0, reach);
    const std::int64_t n = random.integer(0, reach);
    const Measured one = measure(vectors, m, n);
    worst.keep_worse(one);
  }
  return {{worst.error}, worst.bound};
}

/// The largest |⟨R_m q, R_n k⟩ − g| beside what rounding explains, over random cases.
Outcome identity(Parameters& given) {
  const bool wrong_sign = given.word("order", "n-m") == "m-n";
  return worst_case(given, [&](const ScoreVectors& vectors, std::int64_t m, std::int64_t n) {
    const ScoreSides sides = score_sides(vectors, m, n);
    const double right = wrong_sign ? sides.wrong_sign : sides.right;
    return Measured{std::fabs(sides.left - right), sides.difference.bound};
  });
}

ScoreFormula formula_of(Parameters& given) {
  const std::string word = given.word("formula");
  const std::optional<ScoreFormula> formula = score_formula(word);
  if (!formula) throw DomainError("there is no formula '" + word + "'");
  return *formula;
}

/// The score by one of the formulas.
Outcome by_formula(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const auto [m, n] = positions_of(given);
  const FormulaScore score = score_by_formula(formula_of(given), vectors, m, n);
  return {{score.value}, score.error};
}

/// The largest difference between a formula and ⟨R_m q, R_n k⟩ itself, over random cases.
Outcome formula_error(Parameters& given) {
  const ScoreFormula formula = formula_of(given);
  return worst_case(given, [&](const ScoreVectors& vectors, std::int64_t m, std::int64_t n) {
    const ScoreSides sides = score_sides(vectors, m, n);
    const FormulaScore score = score_by_formula(formula, vectors, m, n);
    return Measured{std::fabs(sides.left - score.value), sides.difference.bound + score.error};
  });
}

/// The eight products of a pair.
Outcome products(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const auto [m, n] = positions_of(given);
  const PairDerivation derived = derive_pair(vectors, 0, m, n);
  return {{derived.products.begin(), derived.products.end()}, derived.allowed};
}

/// The largest difference between two products and what they become, over random cases; `partners`
/// of products 1, 2, 3 and 4.
Outcome partners(Parameters& given) {
  const std::vector<std::int64_t> numbers = given.integers("partners");
  for (const std::int64_t number : numbers)
    if (numbers.size() != kPartners.size() || number < 1 || number > 8)
      throw DomainError("expected the partners of products 1, 2, 3 and 4");
  return worst_case(given, [&](const ScoreVectors& vectors, std::int64_t m, std::int64_t n) {
    const PairDerivation derived = derive_pair(vectors, 0, m, n);
    Measured worst;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double sum =
          derived.products[i] + derived.products[static_cast<std::size_t>(numbers[i]) - 1];
      const Measured one{std::fabs(sum - derived.merged[i]), derived.allowed};
      worst.keep_worse(one);
    }
    return worst;
  });
}

/// qᵀR_Δk at each of `distances`; with `cosine` over |q||k|.
Outcome by_distance(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const ScoreCurve curve = score_curve(vectors, given.integers("distances"));
  const double unit = given.flag("cosine") ? curve.norms : 1;
  std::vector<double> scores = curve.scores;
  double largest = 0;
  for (double& score : scores) {
    score /= unit;
    largest = std::max(largest, std::fabs(score));
  }
  // |q||k| is rounded, and so is the division by it.
  return {scores, curve.allowed / unit + 4 * 0x1p-53 * largest};
}

/// How far cos∠(R_m q, R_{m+Δ} k) spreads over m = 0 … last; with `key_stands` the key stays at Δ.
Outcome cosine_spread(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const std::int64_t distance = given.integer("distance"), last = given.integer("last");
  const bool stands = given.flag("key_stands");
  const RopeEncoding encoding(vectors.embedding);
  const std::size_t size = vectors.q.size();
  std::vector<double> q(size), k(size);
  double low = 2, high = -2;
  for (std::int64_t m = 0; m <= last; ++m) {
    rotate_elementwise(vectors.embedding, rotation_row(vectors.embedding, m), vectors.q, q);
    rotate_elementwise(vectors.embedding,
                       rotation_row(vectors.embedding, stands ? distance : m + distance), vectors.k,
                       k);
    const double cosine = dot(q, k) / (norm(q) * norm(k));
    low = std::min(low, cosine);
    high = std::max(high, cosine);
  }
  // Each cosine: rotated vectors within kRotationError of their length in the product and in both
  // lengths, three sums, and four roundings.
  const double each = 4 * kRotationError + 2 * dot_error(size) + 4 * kRoundoff;
  return {{high - low}, 2 * each * (1 + each)};
}

/// |score(m + s, n + s) − score(m, n)| in the arithmetic of `policy`, beside what rounding explains
/// in double.
Outcome shift_error(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const Positions at = positions_of(given);
  const std::int64_t shift = given.integer("shift");
  const Pipeline pipeline(parse_policy(given.word("policy", "exact")), vectors.embedding);
  const auto score = [&](std::int64_t by) {
    RotationRow row;
    std::vector<double> q(vectors.q.size()), k(vectors.k.size());
    pipeline.table_row(at.m + by, row);
    pipeline.rotate(RotationForm::elementwise, row, vectors.q, q);
    pipeline.table_row(at.n + by, row);
    pipeline.rotate(RotationForm::elementwise, row, vectors.k, k);
    return pipeline.dot(q, k).value;
  };
  const double bound = score_sides(vectors, at.m, at.n).shift.bound;
  return {{std::fabs(score(shift) - score(0))}, bound};
}

/// |score(Δ₁) − score(Δ₂)| of two `distances`.
Outcome change(Parameters& given) {
  const ScoreVectors vectors = vectors_of(given);
  const std::vector<std::int64_t> distances = given.integers("distances");
  if (distances.size() != 2) throw DomainError("expected two distances");
  const ScoreCurve curve = score_curve(vectors, distances);
  return {{std::fabs(curve.scores[0] - curve.scores[1])}, curve.allowed};
}

/// |R_m q − q|/|q|.
Outcome moved(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const std::vector<double> q = given.vector("query", embedding.head_dim);
  std::vector<double> turned(q.size());
  rotate_elementwise(embedding, rotation_row(embedding, given.integer("position")), q, turned);
  for (std::size_t i = 0; i < q.size(); ++i) turned[i] -= q[i];
  const double far = norm(turned) / norm(q);
  return {{far}, kRotationError + (2 * dot_error(q.size()) + 4 * kRoundoff) * (1 + far)};
}

/// The largest difference between m steps by θ and one turn by mθ, m = 0 … last, if φ(0) = `start`.
Outcome recurrence(Parameters& given) {
  ScoreVectors vectors = vectors_of(given);
  const Measured worst =
      recurrence_beside_rotation(vectors, given.number("start"), given.integer("last"));
  return {{worst.error}, worst.bound};
}

constexpr std::array kQuantities = {
    Quantity{"score.measured", "⟨R_m q, R_n k⟩", measured},
    Quantity{"score.relative", "qᵀR_{n−m}k", relative},
    Quantity{"score.opposite", "qᵀR_{m−n}k", opposite},
    Quantity{"score.identity", "largest difference between the two sides", identity},
    Quantity{"score.formula", "score from the formula", by_formula},
    Quantity{"score.formula_error", "largest difference between formula and score", formula_error},
    Quantity{"score.products", "products 1 … 8", products},
    Quantity{"score.partners", "largest difference between a sum of two products and its formula",
             partners},
    Quantity{"score.by_distance", "qᵀR_Δk", by_distance},
    Quantity{"score.cosine_spread", "spread of cos∠(R_m q, R_{m+Δ} k)", cosine_spread},
    Quantity{"score.shift_error", "change of the score under a shift", shift_error},
    Quantity{"score.change", "difference between the scores at two distances", change},
    Quantity{"score.moved", "|R_m q − q|/|q|", moved},
    Quantity{"score.recurrence", "difference between m turns by θ and one by mθ", recurrence},
};

}  // namespace
}  // namespace score_family

std::span<const Quantity> score_quantities() { return score_family::kQuantities; }

}  // namespace rope::claims
