#include "rope/studies/score.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "rope/encodings/rope.hpp"
#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/precision/length.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

Policy exact_policy() { return *find_policy("exact"); }

void check_case(const ScoreVectors& vectors, const VerifyCase& given) {
  VerifyOptions options;
  options.embedding = vectors.embedding;
  options.layouts = {vectors.embedding.layout};
  options.policy = exact_policy();
  options.given = given;
  check_options(options);
  check_given(given, options);
  const double q = vector_length(given.q), k = vector_length(given.k);
  const FormatLimits& f64 = limits(Format::float64);
  if (q > 0 && k > 0 && q * k < f64.smallest_normal)
    throw DomainError("query and key: their score is at most " + number_text(q) + " times " +
                          number_text(k) + ", but below " + number_text(f64.smallest_normal) +
                          ", f64 loses digits (underflow)",
                      "Scale the vectors up: the identity does not depend on their length.");
}

/// Bounds of scores leave out what underflows: above that length nothing that counts does.
void refuse_tiny(const std::vector<double>& q, const std::vector<double>& k) {
  constexpr double kLeastLength = 0x1p-900;
  const double q_length = vector_length(q), k_length = vector_length(k);
  for (const auto& [length, name] : {std::pair(q_length, "query"), std::pair(k_length, "key"),
                                     std::pair(q_length * k_length, "query and key")})
    if (!(length >= kLeastLength))
      throw DomainError(Subject{name},
                        "expected a length of at least 2^-900, got " + number_text(length),
                        length == 0 ? "The score of a zero vector is 0 at every distance."
                                    : "Scale the vectors up: the distance of the largest score "
                                      "does not depend on their length.");
}

/// q, scaled by the attention factor, beside R_Δ k: their products add up to the score.
class Products {
 public:
  explicit Products(const ScoreVectors& vectors)
      : vectors_(vectors), q_(vectors.q), k_(vectors.k.size()) {
    scale_rotated(vectors.embedding, q_);
  }

  void turn(std::int64_t distance) {
    const RotationRow row = rotation_row(vectors_.embedding, distance, vectors_.level);
    rotate_elementwise(vectors_.embedding, row, vectors_.k, k_);
  }
  double product(std::size_t dimension) const { return q_[dimension] * k_[dimension]; }
  double score() const { return dot(q_, k_); }

 private:
  const ScoreVectors& vectors_;
  std::vector<double> q_, k_;
};

PairHalf half(const std::vector<PairTerm>& terms, std::span<const std::size_t> pairs) {
  PairHalf result{{pairs.begin(), pairs.end()}, 0};
  std::ranges::sort(result.pairs);
  for (const std::size_t pair : result.pairs) result.sum += terms[pair].term;
  return result;
}

/// By frequency, which need not fall with the number of the pair.
void split(ScoreTerms& terms) {
  std::vector<std::size_t> order(terms.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t pair) { return terms.pairs[pair].theta; });
  const std::size_t middle = (order.size() + 1) / 2;
  terms.faster = half(terms.pairs, std::span(order).first(middle));
  terms.slower = half(terms.pairs, std::span(order).subspan(middle));
}

/// The places of the values that `chosen` accepts, by how near to 0 their distances are.
template <class Chosen>
std::vector<std::size_t> nearest_first(const std::vector<double>& values,
                                       const std::vector<std::int64_t>& distances, Chosen chosen) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (chosen(values[i])) places.push_back(i);
  const auto far = [&](std::size_t i) {  // −2^63 has no opposite among the integers
    return std::pair(std::abs(static_cast<double>(distances[i])), distances[i]);
  };
  std::ranges::stable_sort(places, {}, far);
  return places;
}

GridEncoding grid_encoding(const ScoreGridRequest& request, const EncodingSpec& spec) {
  EncodingContext context = request.context;
  context.map_tokens = static_cast<std::int64_t>(request.positions.size());
  const std::unique_ptr<PositionEncoding> encoding = make_encoding(spec, context);
  const Tokens queries = copies_at(request.q, request.positions);
  const Tokens keys = copies_at(request.k, request.positions);
  const auto map = [&](std::string name, RowMatrix scores) {
    const Difference spread = spread_along_diagonals(
        *encoding, vector_length(request.q), vector_length(request.k), request.positions, scores);
    return ScoreMap{std::move(name), std::move(scores), spread};
  };
  GridEncoding result;
  result.spec = spec;
  result.named = label_among(request.encodings, spec);
  result.values = encoding_values(spec, context);
  result.idle = idle_parameters(spec, context, request.positions, request.positions);
  result.whole = map(result.named.title, encoding->scores(queries, keys));
  if (const std::optional<FourTerms> four = encoding->four_terms(queries, keys)) {
    const auto& name = four->names;
    result.terms = {map(std::string(name[0]), four->content_content),
                    map(std::string(name[1]), four->content_position),
                    map(std::string(name[2]), four->position_content),
                    map(std::string(name[3]), four->position_position)};
  }
  return result;
}

}  // namespace

void check_vectors(const ScoreVectors& vectors) {
  check_case(vectors, {.q = vectors.q, .k = vectors.k});
}

ScoreSides score_sides(const ScoreVectors& vectors, std::int64_t m, std::int64_t n) {
  VerifyCase given{.m = m, .n = n, .shift = 1, .q = vectors.q, .k = vectors.k};
  check_case(vectors, given);
  const Policy exact = exact_policy();
  const Scheme scheme(exact, right_scheme(vectors.embedding), vectors.level);
  const Pipeline pipeline(exact, vectors.embedding, vectors.level);
  CaseCheck check(scheme, pipeline, {});
  const auto result_at = [&](std::int64_t moved) {
    given.m = m + moved;
    given.n = n + moved;
    return check.check(given, RotationForm::elementwise, false);
  };
  ScoreSides sides;
  sides.m = m;
  sides.n = n;
  sides.shifted = result_at(given.shift).left;
  const CaseResult result = result_at(0);
  sides.left = result.left;
  sides.right = result.right;
  sides.difference = result.identity;
  sides.shift = result.shift;
  sides.wrong_sign = wrong_sign_score(pipeline, given);
  sides.tells_sign =
      Measured{std::abs(sides.wrong_sign - sides.left), result.identity.bound}.violated();
  return sides;
}

ScoreTerms score_terms(const ScoreVectors& vectors, std::int64_t distance) {
  check_vectors(vectors);
  const RotaryEmbedding& embedding = vectors.embedding;
  Products products(vectors);
  products.turn(distance);
  const double square = embedding.attention_factor * embedding.attention_factor;
  ScoreTerms terms;
  terms.distance = distance;
  double magnitudes = 0;
  for (std::size_t pair = 0; pair < embedding.pairs(); ++pair) {
    const auto [i, j] = embedding.dimensions(pair);
    const double first = products.product(i), second = products.product(j);
    const double weight = pair_weight(vectors.q[i], vectors.q[j], vectors.k[i], vectors.k[j]);
    terms.score += first + second;
    magnitudes += std::abs(first) + std::abs(second);
    terms.pairs.push_back(
        {pair, embedding.frequencies.theta[pair], square * weight, first + second, terms.score});
  }
  for (std::size_t i = embedding.rotary_dim(); i < embedding.head_dim; ++i) {
    terms.passing += products.product(i);
    magnitudes += std::abs(products.product(i));
  }
  terms.score += terms.passing;
  // Both sums of the same products are that near to the exact one.
  terms.allowed = 2 * dot_error(embedding.head_dim) * magnitudes;
  split(terms);
  return terms;
}

ScoreCurve score_curve(const ScoreVectors& vectors, const std::vector<std::int64_t>& distances,
                       const std::function<void(std::size_t)>& progress) {
  check_vectors(vectors);
  refuse_tiny(vectors.q, vectors.k);
  if (distances.empty()) throw DomainError(Subject{"distances"}, "expected at least one, got none");
  const double q = vector_length(vectors.q), k = vector_length(vectors.k);
  ScoreCurve curve;
  curve.norms = q * k;
  // Each is as far from exact as a score of the encoding, which is divided by √d.
  curve.allowed = 2 * RopeEncoding(vectors.embedding).score_error(q, k, 0) *
                  std::sqrt(static_cast<double>(vectors.embedding.head_dim));
  Products products(vectors);
  for (const std::int64_t distance : distances) {
    products.turn(distance);
    curve.scores.push_back(products.score());
    if (progress) progress(1);
  }
  const auto [low, high] = std::ranges::minmax(curve.scores);
  curve.largest = nearest_first(curve.scores, distances, [&, most = high](double score) {
    return score >= most - curve.allowed;
  });
  curve.smallest = nearest_first(curve.scores, distances, [&, least = low](double score) {
    return score <= least + curve.allowed;
  });
  return curve;
}

std::vector<GridEncoding> score_grid(const ScoreGridRequest& request,
                                     const std::function<void()>& measured) {
  refuse_tiny(request.q, request.k);
  std::vector<std::int64_t> sorted = request.positions;
  std::ranges::sort(sorted);
  if (sorted.size() < 2)
    throw DomainError(Subject{"positions"},
                      "expected at least two, got " + std::to_string(sorted.size()),
                      "A diagonal needs at least two positions, for example 0:31.");
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw DomainError(Subject{"positions"},
                      "expected different positions, got " + std::to_string(*twice) + " twice",
                      "Leave one of them out.");
  std::vector<GridEncoding> grid;
  for (const EncodingSpec& spec : request.encodings) {
    grid.push_back(grid_encoding(request, spec));
    if (measured) measured();
  }
  return grid;
}

}  // namespace rope
