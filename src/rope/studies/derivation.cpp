#include "rope/studies/derivation.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "rope/encodings/rope.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMostPosition = std::int64_t{1} << 61;
constexpr std::int64_t kMostSteps = 65536;

constexpr std::array<std::pair<std::string_view, ScoreFormula>, 7> kFormulas = {
    {{"turned", ScoreFormula::turned},
     {"products", ScoreFormula::products},
     {"expanded", ScoreFormula::expanded},
     {"key-conjugate", ScoreFormula::key_conjugate},
     {"query-conjugate", ScoreFormula::query_conjugate},
     {"matrix", ScoreFormula::matrix},
     {"opposite-matrix", ScoreFormula::opposite_matrix}}};

/// Cosines and sines of one pair at m, n and m − n.
struct Angles {
  double cos_m, sin_m, cos_n, sin_n, cos_difference, sin_difference;
};

struct PairNumbers {
  double q1, q2, k1, k2;
};

/// The rows at m, n and m − n, without an attention factor.
class Rows {
 public:
  Rows(const ScoreVectors& vectors, std::int64_t m, std::int64_t n) : vectors_(vectors) {
    check_vectors(vectors);
    for (const std::int64_t position : {m, n})
      if (position < -kMostPosition || position > kMostPosition)
        throw DomainError(Subject{"position"}, "expected an integer from -2^61 to 2^61");
    RotaryEmbedding plain = vectors.embedding;
    plain.attention_factor = 1;
    at_m_ = rotation_row(plain, m, vectors.level);
    at_n_ = rotation_row(plain, n, vectors.level);
    between_ = rotation_row(plain, m - n, vectors.level);
  }

  Angles angles(std::size_t pair) const {
    return {at_m_.cos[pair], at_m_.sin[pair],    at_n_.cos[pair],
            at_n_.sin[pair], between_.cos[pair], between_.sin[pair]};
  }
  PairNumbers numbers(std::size_t pair) const {
    const auto [i, j] = vectors_.embedding.dimensions(pair);
    return {vectors_.q[i], vectors_.q[j], vectors_.k[i], vectors_.k[j]};
  }

 private:
  const ScoreVectors& vectors_;
  RotationRow at_m_, at_n_, between_;
};

/// q₁k₁, q₁k₂, q₂k₁ and q₂k₂, without signs.
double products_size(const PairNumbers& of) {
  return (std::abs(of.q1) + std::abs(of.q2)) * (std::abs(of.k1) + std::abs(of.k2));
}

PairDerivation derived(const PairNumbers& of, const Angles& at) {
  const auto [q1, q2, k1, k2] = of;
  PairDerivation result;
  result.products = {q1 * k1 * at.cos_m * at.cos_n,  -q1 * k2 * at.cos_m * at.sin_n,
                     -q2 * k1 * at.sin_m * at.cos_n, q2 * k2 * at.sin_m * at.sin_n,
                     q2 * k2 * at.cos_m * at.cos_n,  q2 * k1 * at.cos_m * at.sin_n,
                     q1 * k2 * at.sin_m * at.cos_n,  q1 * k1 * at.sin_m * at.sin_n};
  result.merged = {q1 * k1 * at.cos_difference, q1 * k2 * at.sin_difference,
                   -q2 * k1 * at.sin_difference, q2 * k2 * at.cos_difference};
  // Of a number |q_i k_j|: two products of two entries within kCosSinError, rounded three times
  // each, and their sum; beside one entry and two roundings.
  const double largest =
      std::max(std::abs(q1), std::abs(q2)) * std::max(std::abs(k1), std::abs(k2));
  result.allowed = largest * (5.1 * kCosSinError + 12 * kRoundoff);
  return result;
}

double pair_score(ScoreFormula formula, const PairNumbers& of, const Angles& at) {
  const auto [q1, q2, k1, k2] = of;
  const double c = at.cos_difference, s = at.sin_difference;
  switch (formula) {
    case ScoreFormula::turned:
      return (q1 * at.cos_m - q2 * at.sin_m) * (k1 * at.cos_n - k2 * at.sin_n) +
             (q1 * at.sin_m + q2 * at.cos_m) * (k1 * at.sin_n + k2 * at.cos_n);
    case ScoreFormula::products: {
      double sum = 0;
      for (const double product : derived(of, at).products) sum += product;
      return sum;
    }
    case ScoreFormula::expanded:
      return (q1 * k1 + q2 * k2) * c - (q2 * k1 - q1 * k2) * s;
    case ScoreFormula::key_conjugate:  // (q e^{iφ}) k*
      return (q1 * c - q2 * s) * k1 + (q1 * s + q2 * c) * k2;
    case ScoreFormula::query_conjugate:  // q* (k e^{iφ})
      return q1 * (k1 * c - k2 * s) + q2 * (k1 * s + k2 * c);
    case ScoreFormula::matrix:  // R(−φ) = [c s; −s c], φ = (m − n)θ
      return q1 * (c * k1 + s * k2) + q2 * (-s * k1 + c * k2);
    case ScoreFormula::opposite_matrix:
      return q1 * (c * k1 - s * k2) + q2 * (s * k1 + c * k2);
  }
  return 0;
}

}  // namespace

PairDerivation derive_pair(const ScoreVectors& vectors, std::size_t pair, std::int64_t m,
                           std::int64_t n) {
  const Rows rows(vectors, m, n);
  if (pair >= vectors.embedding.pairs())
    throw DomainError(Subject{"pair"}, "there is no pair " + std::to_string(pair));
  return derived(rows.numbers(pair), rows.angles(pair));
}

std::optional<ScoreFormula> score_formula(std::string_view word) {
  for (const auto& [name, formula] : kFormulas)
    if (name == word) return formula;
  return std::nullopt;
}

FormulaScore score_by_formula(ScoreFormula formula, const ScoreVectors& vectors, std::int64_t m,
                              std::int64_t n) {
  const Rows rows(vectors, m, n);
  const RotaryEmbedding& embedding = vectors.embedding;
  FormulaScore score;
  double size = 0;
  for (std::size_t pair = 0; pair < embedding.pairs(); ++pair) {
    const PairNumbers of = rows.numbers(pair);
    score.value += pair_score(formula, of, rows.angles(pair));
    size += products_size(of);
  }
  for (std::size_t i = embedding.rotary_dim(); i < embedding.head_dim; ++i) {
    const double product = vectors.q[i] * vectors.k[i];
    score.value += product;
    size += std::abs(product);
  }
  // In every formula each |q_i k_j| stands with at most two products of entries below 1, each off
  // by 2 kCosSinError at most; a pair makes no more than eight terms of a sum.
  score.error = size * (4.1 * kCosSinError + 2 * dot_error(8 * embedding.head_dim));
  return score;
}

Measured recurrence_beside_rotation(const ScoreVectors& vectors, double start, std::int64_t last) {
  check_vectors(vectors);
  if (last < 1 || last > kMostSteps)
    throw DomainError(Subject{"steps"}, "expected from 1 to " + std::to_string(kMostSteps));
  RotaryEmbedding embedding = vectors.embedding;
  embedding.attention_factor = 1;
  RotaryEmbedding first = embedding;
  first.frequencies = given_frequencies(std::vector<double>(embedding.pairs(), start));
  std::vector<double> stepped(vectors.q.size()), whole(vectors.q.size());
  rotate_elementwise(first, rotation_row(first, 1, vectors.level), vectors.q, stepped);
  const RotationRow step = rotation_row(embedding, 1, vectors.level);
  const double length = norm(vectors.q) * (1 + dot_error(vectors.q.size()));
  Measured worst;
  for (std::int64_t m = 0; m <= last; ++m) {
    if (m > 0) rotate_elementwise(embedding, step, stepped, stepped);
    rotate_elementwise(embedding, rotation_row(embedding, m, vectors.level), vectors.q, whole);
    double squares = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      squares += (whole[i] - stepped[i]) * (whole[i] - stepped[i]);
    // Each rotation is off by kRotationError of the length, which the next ones keep: m + 1 steps
    // on one side, one on the other; the growth of the length by their errors is below 1e-9.
    const Measured here{std::sqrt(squares),
                        static_cast<double>(m + 2) * kRotationError * length * (1 + 1e-9)};
    worst.keep_worse(here);
  }
  return worst;
}

}  // namespace rope
