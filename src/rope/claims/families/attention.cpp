// The family `attention`: softmax attention of a small untrained example, and what positions do to
// it. The example is that of `rope attention`.
#include "rope/studies/attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "rope/attention/exponential.hpp"
#include "rope/attention/rounding.hpp"
#include "rope/attention/spread.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"

namespace rope::claims {
namespace attention_family {
namespace {

EncodingContext context_of(Parameters& given) {
  EncodingContext context;
  context.rotary = given.embedding();
  context.base = given.number("base", context.base);
  context.trained = given.integer("trained", 256);
  context.length = context.trained;
  context.heads = given.integer("heads", context.heads);
  context.seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  return context;
}

Mask mask_of(Parameters& given) {
  const std::string name = given.word("mask", "none");
  if (name == "none") return Mask::none;
  if (name != "causal") throw DomainError("there is no mask '" + name + "'");
  return Mask::causal;
}

/// The words of `text`, or `tokens` times the same one.
AttentionExample example_of(Parameters& given, const std::string& otherwise = "dog bites man") {
  AttentionExample example;
  example.context = context_of(given);
  if (given.has("tokens")) {
    example.words.assign(given.count("tokens"), "dog");
  } else {
    std::istringstream words(given.word("text", otherwise));
    for (std::string word; words >> word;) example.words.push_back(word);
  }
  example.mask = mask_of(given);
  example.layers = given.count("layers", 1);
  return example;
}

EncodingSpec encoding_of(Parameters& given, std::string_view otherwise = "rope") {
  return parse_encoding(given.word("encoding", otherwise));
}

Outcome outcome_of(const Measured& found) { return {{found.error}, found.bound}; }

// ── Order ───────────────────────────────────────────────────────────────────────────────────────

/// What becomes of attention when the words are read backwards: `of` is weights (‖A(PX) − PA(X)Pᵀ‖,
/// the default), matrix (‖A(PX) − A(X)‖), outputs, one-query or pooled.
Outcome shuffle(Parameters& given) {
  AttentionExample example = example_of(given);
  const EncodingSpec encoding = encoding_of(given, "none");
  std::vector<std::size_t> order(example.words.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  const Mask mask = example.mask;
  const ShuffledOrder result = shuffled_order(example, std::array{encoding}, order);
  const auto found = std::ranges::find_if(result.cases, [&](const ShuffledCase& one) {
    return one.encoding == encoding && one.mask == mask;
  });
  if (found == result.cases.end()) throw DomainError("there is no such case");
  const std::string of = given.word("of", "weights");
  if (of == "weights") return outcome_of(found->moved);
  if (of == "matrix") return outcome_of(found->in_place);
  if (of == "outputs") return outcome_of(found->outputs);
  if (of == "one-query") return outcome_of(found->one_query);
  if (of == "pooled") return outcome_of(found->pooled);
  throw DomainError("there is no '" + of + "' of a shuffle");
}

/// How far apart the hidden states of equal tokens are after the last layer.
Outcome repeat(Parameters& given) {
  const AttentionExample example = example_of(given);
  const RepeatedCurve curve = repeated_token(example, std::array{encoding_of(given)}).curves[0];
  return {{curve.apart.back()}, curve.allowed.back()};
}

/// By how much outputs change when all positions are shifted by `shift`: with `values_rotated` too,
/// and with `turned_back` outputs.
Outcome shift(Parameters& given) {
  const AttentionExample example = example_of(given);
  const std::array shifts = {given.integer("shift")};
  const bool rotated = given.flag("values_rotated"), turned_back = given.flag("turned_back");
  const std::size_t curve = turned_back ? 2 : rotated ? 1 : 0;
  return outcome_of(
      shifted_values(example, std::array{encoding_of(given)}, shifts).curves[curve].change[0]);
}

// ── One layer ───────────────────────────────────────────────────────────────────────────────────

double longest_row(const RowMatrix& rows) {
  double longest = 0;
  for (Eigen::Index t = 0; t < rows.rows(); ++t)
    longest = std::max(longest, norm(row_of(rows, t)) * (1 + dot_error(2)));
  return longest;
}

/// At least |score − exact| of the first layer: that of the encoding, and the rounding of W_Q x and
/// W_K x, which a rotation and the division by √d do not enlarge.
double score_error(const FirstLayer& first) {
  const LayerAttention& run = first.attention;
  const auto size = static_cast<std::size_t>(run.queries.vectors.cols());
  const double x = longest_row(first.hidden.vectors);
  const double q = longest_row(run.queries.vectors), k = longest_row(run.keys.vectors);
  const auto product = [&](const RowMatrix& w) {
    return dot_error(size) * frobenius_norm(w) * (1 + dot_error(size * size)) * x;
  };
  const double q_error = product(first.layer.w_q), k_error = product(first.layer.w_k);
  return first.layer.encoding->score_error(q, k, 0) + q_error * (k + k_error) + k_error * q;
}

struct Place {
  Eigen::Index query, key;
};

Place place_of(Parameters& given, const FirstLayer& first) {
  const std::int64_t query = given.integer("query"), key = given.integer("key");
  const Eigen::Index count = first.hidden.vectors.rows();
  if (query < 0 || query >= count || key < 0 || key >= count)
    throw DomainError("there is no such word");
  return {static_cast<Eigen::Index>(query), static_cast<Eigen::Index>(key)};
}

/// RoPE or none: encodings for which these bounds were derived.
EncodingSpec bounded_encoding(Parameters& given) {
  EncodingSpec encoding = encoding_of(given);
  if (encoding.entry->name != "rope" && encoding.entry->name != "none")
    throw DomainError("expected 'rope' or 'none'");
  return encoding;
}

FirstLayer first_of(Parameters& given) {
  const AttentionExample example = example_of(given);
  return first_layer(example, bounded_encoding(given));
}

/// The score of one query with one key, over √d.
Outcome score(Parameters& given) {
  const FirstLayer first = first_of(given);
  const Place at = place_of(given, first);
  return {{first.attention.scores(at.query, at.key)}, score_error(first)};
}

/// Its weight.
Outcome weight(Parameters& given) {
  const FirstLayer first = first_of(given);
  const Place at = place_of(given, first);
  const std::size_t keys = first.hidden.positions.size();
  return {{first.attention.weights(at.query, at.key)},
          weights_difference(score_error(first), keys)};
}

/// The largest |Σ_j a_ij − 1| over the queries: `of` weights (the default), scores, or the rows of
/// the projection W_Q.
Outcome row_sum(Parameters& given) {
  const FirstLayer first = first_of(given);
  const std::string of = given.word("of", "weights");
  const RowMatrix* rows = nullptr;
  if (of == "weights") rows = &first.attention.weights;
  if (of == "scores") rows = &first.attention.scores;
  if (of == "projection") rows = &first.layer.w_q;
  if (rows == nullptr) throw DomainError("there is no '" + of + "' to add up");
  double worst = 0;
  for (Eigen::Index i = 0; i < rows->rows(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < rows->cols(); ++j) sum += (*rows)(i, j);
    worst = std::max(worst, std::fabs(sum - 1));
  }
  // Each weight is within γ of itself, all of them add up to 1, and so does their sum.
  const double error = dot_error(static_cast<std::size_t>(rows->cols()));
  return {{worst}, error * (2 + error)};
}

/// The largest difference between the outputs and Σ_n a_mn v_n with
/// a_mn = exp(q_m·k_n·scale)/Σ_j exp(q_m·k_j·scale), written out; q_m and k_n as they are rotated,
/// `scale` 1/√d, or 1 with `unscaled`.
Outcome formula(Parameters& given) {
  const FirstLayer first = first_of(given);
  const LayerAttention& run = first.attention;
  const Eigen::Index count = run.scores.rows();
  const auto size = static_cast<double>(run.queries.vectors.cols());
  const double scale = given.flag("unscaled") ? std::sqrt(size) : 1;  // of scores over √d
  double worst = 0, largest_score = 0;
  for (Eigen::Index m = 0; m < count; ++m) {
    std::vector<double> powers;
    double sum = 0;
    for (Eigen::Index n = 0; n < count; ++n) {
      powers.push_back(exponential(run.scores(m, n) * scale));
      sum += powers.back();
      largest_score = std::max(largest_score, std::fabs(run.scores(m, n)));
    }
    for (Eigen::Index c = 0; c < run.values.cols(); ++c) {
      double output = 0;
      for (Eigen::Index n = 0; n < count; ++n)
        output += powers[static_cast<std::size_t>(n)] / sum * run.values(n, c);
      worst = std::max(worst, std::fabs(output - run.outputs(m, c)));
    }
  }
  // The same scores on both sides; softmax takes the largest away first, which rounds a score by u
  // of what is left. Exponentials, sums and quotients are off by γ on each side.
  const auto keys = static_cast<std::size_t>(count);
  const double weights =
      weights_difference(4 * kRoundoff * largest_score, keys) + 2 * dot_error(keys);
  return {{worst}, output_difference(weights, keys, longest_row(run.values))};
}

/// The largest difference between scores and weights.
Outcome scores_and_weights(Parameters& given) {
  const FirstLayer first = first_of(given);
  const double error = score_error(first);
  return {{(first.attention.scores - first.attention.weights).cwiseAbs().maxCoeff()},
          error + weights_difference(error, first.hidden.positions.size())};
}

/// The largest change of a weight by the encoding.
Outcome position_effect(Parameters& given) {
  const AttentionExample example = example_of(given);
  const FirstLayer with = first_layer(example, bounded_encoding(given));
  const FirstLayer without = first_layer(example, parse_encoding("none"));
  const std::size_t keys = example.words.size();
  return {
      {(with.attention.weights - without.attention.weights).cwiseAbs().maxCoeff()},
      weights_difference(score_error(with), keys) + weights_difference(score_error(without), keys)};
}

// ── Many keys ───────────────────────────────────────────────────────────────────────────────────

struct ManyKeys {
  EntropyCurve curve;
  double score_error = 0;
  std::vector<std::int64_t> lengths;
};

/// `queries` (20) random queries over the `lengths` of random keys; `unscaled` without 1/√d.
ManyKeys many_keys(Parameters& given) {
  EntropyRequest request;
  request.context = context_of(given);
  request.lengths = given.integers("lengths");
  request.queries = given.count("queries", 20);
  const bool unscaled = given.flag("unscaled");
  request.scale = unscaled ? ScoreScale::unscaled : ScoreScale::scaled;
  const EncodingSpec encoding = bounded_encoding(given);
  ManyKeys result;
  result.curve = attention_entropy(request, std::array{encoding}).curves[0];
  result.lengths = request.lengths;
  // Near-normal numbers lie within ±5.8.
  const auto d = static_cast<double>(request.context.rotary.head_dim);
  const double length = 5.8 * std::sqrt(d);
  result.score_error = make_encoding(encoding, request.context)
                           ->score_error(unscaled ? std::sqrt(d) * length : length, length, 0);
  return result;
}

/// The mean entropy of the weights, bits.
Outcome entropy(Parameters& given) {
  const ManyKeys found = many_keys(given);
  double bound = 0;
  for (const std::int64_t n : found.lengths) {
    // Scores within δ leave the sum of |Δa| within T = δ, and entropies of distributions that far
    // apart within T log₂ n + h(T/2), h(t) ≤ t log₂(e/t); here δ > 1e-16, so log₂(e/t) < 60.
    const double most = most_entropy(static_cast<std::size_t>(n));
    const double rounding = (2 * static_cast<double>(n) + 20) * kRoundoff * (1 + most);
    bound = std::max(bound, found.score_error * (most + 60) + rounding);
  }
  return {found.curve.entropy, bound};
}

/// The mean of the largest weight.
Outcome top(Parameters& given) {
  const ManyKeys found = many_keys(given);
  double bound = 0;
  for (const std::int64_t n : found.lengths)
    bound = std::max(bound, found.score_error + 2 * dot_error(static_cast<std::size_t>(n)));
  return {found.curve.top, bound};
}

constexpr std::array kQuantities = {
    Quantity{"attention.shuffle", "change when the order changes", shuffle},
    Quantity{"attention.repeat", "distance between equal tokens after the last layer", repeat},
    Quantity{"attention.shift", "change in outputs under a shift", shift},
    Quantity{"attention.score", "score", score},
    Quantity{"attention.weight", "weight", weight},
    Quantity{"attention.row_sum", "largest |row sum − 1|", row_sum},
    Quantity{"attention.formula", "outputs minus those from the formula", formula},
    Quantity{"attention.scores_and_weights", "largest difference between score and weight",
             scores_and_weights},
    Quantity{"attention.position_effect", "largest change of a weight", position_effect},
    Quantity{"attention.entropy", "entropy (bits)", entropy},
    Quantity{"attention.top", "largest weight", top},
};

}  // namespace
}  // namespace attention_family

std::span<const Quantity> attention_quantities() { return attention_family::kQuantities; }

}  // namespace rope::claims
