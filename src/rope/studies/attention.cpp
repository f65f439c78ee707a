#include "rope/studies/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "rope/attention/layers.hpp"
#include "rope/attention/rounding.hpp"
#include "rope/encodings/additive.hpp"
#include "rope/encodings/none.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

/// The layers draw from a seed of their own, so that no matrix of theirs is one that an encoding
/// would have learned.
constexpr std::uint64_t kLayerSeed = 0x9E3779B97F4A7C15U;

/// FNV-1a: the words' streams of random numbers.
std::uint64_t stream_of(const std::string& word) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

/// What an encoding does in a whole layer: what it adds to the tokens, and its scores.
struct PlacedEncoding {
  std::shared_ptr<const PositionTable> added;  ///< none of those that act on the scores
  std::shared_ptr<const PositionEncoding> scores;
};

PlacedEncoding placed(const EncodingSpec& spec, const AttentionExample& example) {
  std::shared_ptr<const PositionEncoding> encoding = make_encoding(spec, example.context);
  const auto* const additive = dynamic_cast<const AdditiveEncoding*>(encoding.get());
  if (additive == nullptr) return {nullptr, std::move(encoding)};
  // The layers have projections of their own, and values carry what is added as well.
  return {additive->table(), std::make_shared<NoEncoding>(example.context.rotary.head_dim)};
}

EncodingSpec no_encoding() { return {find_encoding("none"), {}}; }

std::vector<std::int64_t> counted_positions(std::size_t count, std::int64_t from) {
  std::vector<std::int64_t> positions(count);
  std::iota(positions.begin(), positions.end(), from);
  return positions;
}

/// The words' vectors at positions from `from` on, with what the encoding adds.
Tokens hidden_states(const RowMatrix& words, const PlacedEncoding& encoding, std::int64_t from) {
  Tokens hidden{words, counted_positions(static_cast<std::size_t>(words.rows()), from)};
  if (!encoding.added) return hidden;
  for (Eigen::Index t = 0; t < words.rows(); ++t) {
    const std::vector<double> row =
        encoding.added->row(hidden.positions[static_cast<std::size_t>(t)]);
    for (std::size_t c = 0; c < row.size(); ++c)
      hidden.vectors(t, static_cast<Eigen::Index>(c)) += row[c];
  }
  return hidden;
}

void check_example(const AttentionExample& example) {
  const std::size_t words = example.words.size();
  if (words < 1 || words > kMostAttentionWords)
    throw ShapeError(Subject{"text"}, "expected from 1 to " + std::to_string(kMostAttentionWords) +
                                          " words, got " + std::to_string(words));
  const std::size_t d = example.context.rotary.head_dim;
  if (d < 1 || d > kMostAttentionDims)
    throw ShapeError(Subject{"dim"},
                     "expected a head size of at most " + std::to_string(kMostAttentionDims) +
                         " here, got " + std::to_string(d),
                     "Each layer has four d × d matrices.");
  if (example.layers < 1) throw DomainError(Subject{"layers"}, "expected at least 1, got 0");
}

std::vector<AttentionLayer> layers_of(const AttentionExample& example,
                                      const PlacedEncoding& encoding, std::size_t layers) {
  return random_layers(layers, example.context.rotary.head_dim, encoding.scores,
                       example.context.seed ^ kLayerSeed);
}

RowMatrix vectors_of(const AttentionExample& example) {
  return word_vectors(example.words, example.context.rotary.head_dim, example.context.seed);
}

double longest_row(const RowMatrix& rows) {
  Largest longest;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) longest.take(norm(row_of(rows, i)));
  return longest.value();
}

double largest_entry(const RowMatrix& matrix) {
  Largest largest;
  for (const double entry : matrix.reshaped()) largest.take(std::abs(entry));
  return largest.value();
}

/// Rows of `x` in another order: row t of the result is row order[t].
RowMatrix reordered(const RowMatrix& x, std::span<const std::size_t> order) {
  RowMatrix result(x.rows(), x.cols());
  for (std::size_t t = 0; t < order.size(); ++t)
    result.row(static_cast<Eigen::Index>(t)) = x.row(static_cast<Eigen::Index>(order[t]));
  return result;
}

/// P A Pᵀ.
RowMatrix reordered_both(const RowMatrix& a, std::span<const std::size_t> order) {
  const RowMatrix rows = reordered(a, order).transpose();
  return reordered(rows, order).transpose();
}

std::vector<std::size_t> inverse(std::span<const std::size_t> order) {
  std::vector<std::size_t> result(order.size());
  for (std::size_t t = 0; t < order.size(); ++t) result[order[t]] = t;
  return result;
}

/// The largest |a − b|; 0 between scores that the mask hides in both.
double scores_apart(const RowMatrix& a, const RowMatrix& b) {
  Largest largest;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j)
      if (a(i, j) != b(i, j)) largest.take(std::abs(a(i, j) - b(i, j)));
  return largest.value();
}

/// How far rounding alone may move scores that two runs compute for the same queries and keys, of
/// distances within those of `run`.
double score_allowance(const PositionEncoding& encoding, const LayerAttention& run) {
  const double q = longest_row(run.queries.vectors), k = longest_row(run.keys.vectors);
  const auto [first, last] = std::ranges::minmax(run.keys.positions);
  const auto [first_query, last_query] = std::ranges::minmax(run.queries.positions);
  Largest largest;
  for (std::int64_t distance = first - last_query; distance <= last - first_query; ++distance)
    largest.take(encoding.score_error(q, k, distance));
  return 2 * largest.value();
}

/// What rounding explains of two runs whose scores would be equal.
struct Allowed {
  double weights;  ///< Σ_j |a_j − b_j| of a row
  double outputs;  ///< the length of the difference of two outputs
};

/// `apart` is how far the scores were found to be: where they are the same bits, only the sums
/// differ.
Allowed allowed_between(const PositionEncoding& encoding, const LayerAttention& run, double apart) {
  const std::size_t keys = run.keys.positions.size();
  const double weights = weights_difference(smaller(apart, score_allowance(encoding, run)), keys);
  return {weights, output_difference(weights, keys, longest_row(run.values))};
}

RowMatrix mean_row(const RowMatrix& rows) {
  RowMatrix mean = RowMatrix::Zero(1, rows.cols());
  for (Eigen::Index t = 0; t < rows.rows(); ++t) mean.row(0) += rows.row(t);
  return mean / static_cast<double>(rows.rows());
}

ShuffledCase shuffled_case(const AttentionExample& example, const EncodingSpec& spec, Mask mask,
                           std::span<const std::size_t> order) {
  const PlacedEncoding encoding = placed(spec, example);
  const AttentionLayer layer = layers_of(example, encoding, 1).front();
  const RowMatrix words = vectors_of(example);
  const Tokens x = hidden_states(words, encoding, 0);
  const Tokens px = hidden_states(reordered(words, order), encoding, 0);
  const LayerAttention first = attend(layer, mask, x, x);
  const LayerAttention second = attend(layer, mask, px, px);
  const auto n = static_cast<double>(order.size());

  ShuffledCase result{
      spec, encoding_title(spec), mask, first.weights, second.weights, {}, {}, {}, {}, {}, {}, {}};
  const std::vector<std::size_t> back = inverse(order);
  result.restored = reordered_both(second.weights, back);
  const Allowed allowed = allowed_between(
      *encoding.scores, first, scores_apart(second.scores, reordered_both(first.scores, order)));
  const double rows = std::sqrt(n) * allowed.weights;
  result.moved = {frobenius_norm(second.weights - reordered_both(first.weights, order)), rows};
  result.in_place = {frobenius_norm(second.weights - first.weights), rows};
  const RowMatrix outputs = reordered(second.outputs, back) - first.outputs;
  result.outputs = {largest_entry(outputs), allowed.outputs};
  for (Eigen::Index t = 0; t < outputs.rows(); ++t)
    result.of_word.push_back(largest_entry(outputs.row(t)));
  // A sum of n in two orders, and the division.
  const double mean_rounding = 2 * dot_error(order.size()) * longest_row(first.values);
  result.pooled = {largest_entry(mean_row(second.outputs) - mean_row(first.outputs)),
                   allowed.outputs + mean_rounding * (1 + dot_error(order.size()))};

  const RowMatrix asked = words.topRows(1);
  const Tokens asking = hidden_states(asked, encoding, static_cast<std::int64_t>(order.size()));
  const LayerAttention from_x = attend(layer, mask, asking, x);
  const LayerAttention from_px = attend(layer, mask, asking, px);
  const RowMatrix seen = reordered(from_x.scores.transpose(), order).transpose();
  result.one_query = {
      largest_entry(from_px.outputs - from_x.outputs),
      allowed_between(*encoding.scores, from_x, scores_apart(from_px.scores, seen)).outputs};
  return result;
}

/// The largest difference of a number between two rows.
double rows_apart(const RowMatrix& rows) {
  Largest largest;
  for (Eigen::Index c = 0; c < rows.cols(); ++c) {
    double low = rows(0, c), high = rows(0, c);
    for (Eigen::Index t = 1; t < rows.rows(); ++t) {
      low = smaller(low, rows(t, c));
      high = larger(high, rows(t, c));
    }
    largest.take(high - low);
  }
  return largest.value();
}

ShiftedCurve shifted_curve(const AttentionExample& example, const EncodingSpec& spec,
                           std::span<const std::int64_t> shifts, ValueRotation values) {
  const PlacedEncoding encoding = placed(spec, example);
  AttentionLayer layer = layers_of(example, encoding, 1).front();
  const RotaryEmbedding& rotary = example.context.rotary;
  const bool turned_back = values == ValueRotation::turned_back;
  if (values != ValueRotation::none) layer.rotated_values = {rotary, turned_back};
  const RowMatrix words = vectors_of(example);
  const auto at = [&](std::int64_t shift) {
    const Tokens hidden = hidden_states(words, encoding, shift);
    return attend(layer, example.mask, hidden, hidden);
  };
  const LayerAttention first = at(0);
  ShiftedCurve curve{spec, encoding_title(spec), values, {}};
  for (const std::int64_t shift : shifts) {
    const LayerAttention shifted = at(shift);
    const double apart = scores_apart(shifted.scores, first.scores);
    double allowed = allowed_between(*encoding.scores, first, apart).outputs;
    if (turned_back)
      allowed = turned_back_difference(allowed, longest_row(first.values), rotary.attention_factor);
    curve.change.push_back({largest_entry(shifted.outputs - first.outputs), allowed});
  }
  return curve;
}

}  // namespace

RowMatrix word_vectors(std::span<const std::string> words, std::size_t head_dim,
                       std::uint64_t seed) {
  RowMatrix rows(static_cast<Eigen::Index>(words.size()), static_cast<Eigen::Index>(head_dim));
  for (std::size_t t = 0; t < words.size(); ++t)
    rows.row(static_cast<Eigen::Index>(t)) =
        random_matrix(1, head_dim, 1, seed, stream_of(words[t])).row(0);
  return rows;
}

std::string encoding_title(const EncodingSpec& spec) {
  const std::string text = encoding_text(spec);
  const std::size_t given = text.find(':');
  const std::string title(spec.entry->title);
  return given == std::string::npos ? title : title + " " + text.substr(given + 1);
}

FirstLayer first_layer(const AttentionExample& example, const EncodingSpec& encoding) {
  check_example(example);
  const PlacedEncoding put = placed(encoding, example);
  FirstLayer first{
      layers_of(example, put, 1).front(), hidden_states(vectors_of(example), put, 0), {}};
  first.attention = attend(first.layer, example.mask, first.hidden, first.hidden);
  return first;
}

AttentionWeights attention_weights_of(const AttentionExample& example,
                                      const EncodingSpec& encoding) {
  check_example(example);
  const auto last_layer = [&](const EncodingSpec& spec) {
    const PlacedEncoding put = placed(spec, example);
    const std::vector<AttentionLayer> layers = layers_of(example, put, example.layers);
    Tokens hidden = hidden_states(vectors_of(example), put, 0);
    hidden.vectors = run_layers(std::span(layers).first(layers.size() - 1), hidden, example.mask);
    return attend(layers.back(), example.mask, hidden, hidden);
  };
  const LayerAttention with = last_layer(encoding);
  AttentionWeights result{example,
                          encoding,
                          encoding_title(encoding),
                          with.scores,
                          with.weights,
                          last_layer(no_encoding()).weights,
                          {},
                          0,
                          0};
  const std::size_t n = example.words.size();
  // Each weight is within γ of its own, all of them add up to 1, and so does their sum.
  result.sum.bound = dot_error(n) * (2 + dot_error(n));
  Largest farthest, change;
  for (Eigen::Index i = 0; i < with.weights.rows(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < with.weights.cols(); ++j) {
      sum += with.weights(i, j);
      if (!change.take(std::abs(with.weights(i, j) - result.without(i, j)))) continue;
      result.query = static_cast<std::size_t>(i);
      result.key = static_cast<std::size_t>(j);
    }
    farthest.take(std::abs(sum - 1));
  }
  result.sum.error = farthest.value();
  return result;
}

std::vector<std::size_t> order_of(std::span<const std::string> words,
                                  std::span<const std::string> shuffled) {
  if (words.size() != shuffled.size()) return {};
  std::vector<bool> taken(words.size(), false);
  std::vector<std::size_t> order;
  for (const std::string& word : shuffled) {
    std::size_t from = 0;
    while (from < words.size() && (taken[from] || words[from] != word)) ++from;
    if (from == words.size()) return {};
    taken[from] = true;
    order.push_back(from);
  }
  return order;
}

ShuffledOrder shuffled_order(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::size_t> order) {
  check_example(example);
  std::vector<std::size_t> sorted(order.begin(), order.end());
  std::ranges::sort(sorted);
  bool whole = sorted.size() == example.words.size();
  for (std::size_t t = 0; whole && t < sorted.size(); ++t) whole = sorted[t] == t;
  if (!whole) throw ShapeError(Subject{"order"}, "expected every word exactly once");
  ShuffledOrder result{example, {order.begin(), order.end()}, {}};
  result.cases.push_back(shuffled_case(example, no_encoding(), Mask::none, order));
  result.cases.push_back(shuffled_case(example, no_encoding(), Mask::causal, order));
  for (const EncodingSpec& spec : encodings)
    if (!(spec == no_encoding()))
      result.cases.push_back(shuffled_case(example, spec, example.mask, order));
  return result;
}

bool RepeatedCurve::explained() const {
  for (std::size_t layer = 0; layer < apart.size(); ++layer)
    if (!(apart[layer] <= allowed[layer])) return false;
  return true;
}

RepeatedToken repeated_token(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings) {
  check_example(example);
  RepeatedToken result{example, {}};
  const RowMatrix words = vectors_of(example);
  // Random layers are the same for every encoding, and so is the bound of equal tokens.
  std::vector<double> allowed = equal_token_drift(
      layers_of(example, placed(no_encoding(), example), example.layers), example.words.size(),
      longest_row(words) * (1 + dot_error(example.context.rotary.head_dim)));
  allowed.insert(allowed.begin(), 0);
  for (const EncodingSpec& spec : encodings) {
    const PlacedEncoding encoding = placed(spec, example);
    Tokens hidden = hidden_states(words, encoding, 0);
    RepeatedCurve curve{spec, encoding_title(spec), encoding.added != nullptr, {}, allowed};
    curve.apart.push_back(rows_apart(hidden.vectors));
    for (const AttentionLayer& layer : layers_of(example, encoding, example.layers)) {
      hidden.vectors = run_layers({&layer, 1}, hidden, example.mask);
      curve.apart.push_back(rows_apart(hidden.vectors));
    }
    result.curves.push_back(std::move(curve));
  }
  return result;
}

ShiftedValues shifted_values(const AttentionExample& example,
                             std::span<const EncodingSpec> encodings,
                             std::span<const std::int64_t> shifts) {
  check_example(example);
  ShiftedValues result{example, {shifts.begin(), shifts.end()}, {}};
  for (const EncodingSpec& spec : encodings)
    for (const ValueRotation values : kValueRotations)
      result.curves.push_back(shifted_curve(example, spec, shifts, values));
  return result;
}

}  // namespace rope
