// The family `encoding`: positions without and with RoPE: scores along a diagonal, tables of
// positions and their products, the constants of T5 and ALiBi.
#include "rope/encodings/encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "rope/attention/exponential.hpp"
#include "rope/attention/layers.hpp"
#include "rope/attention/projections.hpp"
#include "rope/attention/relative.hpp"
#include "rope/attention/softmax.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/additive.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/encodings/learned.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/sinusoidal_formula.hpp"
#include "rope/encodings/t5.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation_matrix.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope::claims {
namespace encoding_family {
namespace {

EncodingContext context_of(Parameters& given) {
  EncodingContext context;
  context.rotary = given.embedding();
  context.base = given.number("base", context.base);
  context.trained = given.integer("trained", context.trained);
  context.length = std::max(given.integer("length", context.length), context.trained);
  context.heads = given.integer("heads", context.heads);
  context.seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  return context;
}

std::vector<double> vector_of(Parameters& given, std::string_view name, std::size_t size,
                              std::uint64_t stream) {
  if (given.has(name)) return given.vector(name, size);
  std::vector<double> x(size);
  RandomStream(static_cast<std::uint64_t>(given.integer("seed", 42)), stream).fill_normal(x);
  return x;
}

double root_of(std::size_t size) { return std::sqrt(static_cast<double>(size)); }

/// At least the length of a vector.
double length_of(std::span<const double> x) { return norm(x) * (1 + dot_error(x.size())); }

/// One of a list that a parameter counts from 0.
template <typename Value>
Value one_of(const std::vector<Value>& all, std::int64_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= all.size())
    throw DomainError("there is no " + std::to_string(index) + " among " +
                      std::to_string(all.size()));
  return all[static_cast<std::size_t>(index)];
}

// ── Scores ──────────────────────────────────────────────────────────────────────────────────────

/// An encoding, one query and one key.
struct Scored {
  std::unique_ptr<PositionEncoding> encoding;
  std::vector<double> q, k;

  explicit Scored(Parameters& given) {
    const EncodingContext context = context_of(given);
    encoding = make_encoding(given.word("encoding"), context);
    q = vector_of(given, "query", context.rotary.head_dim, 1);
    k = vector_of(given, "key", context.rotary.head_dim, 2);
  }
  double at(std::int64_t m, std::int64_t n) const {
    return encoding->scores(copies_at(q, {m}), copies_at(k, {n}))(0, 0);
  }
  double error(std::int64_t distance) const {
    return encoding->score_error(length_of(q), length_of(k), distance);
  }
};

/// Divided by √d where the encoding has that.
Outcome score(Parameters& given) {
  const Scored scored(given);
  const std::vector<std::int64_t> at = given.integers("positions");
  if (at.size() != 2) throw DomainError("expected the two positions m and n");
  return {{scored.at(at[0], at[1])}, scored.error(at[1] - at[0])};
}

/// The smallest and the largest score at i and i + distance, i = 0 … last.
outcomes::Range range_of(Parameters& given) {
  const Scored scored(given);
  const std::int64_t distance = given.integer("distance");
  const std::int64_t last = given.integer("last");
  outcomes::Range range;
  for (std::int64_t i = 0; i <= last; ++i)
    range.add(scored.at(i, i + distance), scored.error(distance));
  return range;
}

Outcome range(Parameters& given) { return range_of(given).ends(); }

Outcome spread(Parameters& given) { return range_of(given).spread(); }

/// 1 if there is a score at the position and before it, else 0.
Outcome defined(Parameters& given) {
  const Scored scored(given);
  const std::int64_t position = given.integer("position");
  try {
    return {{std::isfinite(scored.at(position, position - 1)) ? 1.0 : 0.0}, 0};
  } catch (const DomainError&) {
    return {{0}, 0};
  }
}

/// The share of what it meets from `trained` to `length` that training did not show; with `pairs`,
/// that of their angles alone.
Outcome unseen(Parameters& given) {
  const EncodingContext context = context_of(given);
  std::vector<double> shares;
  if (given.has("pairs")) {
    const Frequencies& frequencies = context.rotary.frequencies;
    const std::vector<double> all =
        angle_coverage(frequencies, frequencies, context.trained, context.length).unseen;
    for (const std::int64_t pair : given.integers("pairs")) shares.push_back(one_of(all, pair));
  } else {
    shares.push_back(make_encoding(given.word("encoding"), context)
                         ->unseen_share(context.trained, context.length));
  }
  // Counts over counts, and their mean.
  return {shares, dot_error(context.rotary.pairs())};
}

// ── Tables of positions ─────────────────────────────────────────────────────────────────────────

/// `table`: sinusoidal (the default), learned, or formula with `first`, `even` and `odd`.
std::shared_ptr<const PositionTable> table_of(Parameters& given) {
  const EncodingContext context = context_of(given);
  const std::size_t size = context.rotary.head_dim;
  const std::string name = given.word("table", "sinusoidal");
  if (name == "sinusoidal") return std::make_shared<SinusoidalTable>(size, context.base);
  if (name == "learned")
    return std::make_shared<LearnedTable>(
        untrained_rows(context, context.trained, std::sqrt(0.5), Untrained::rows));
  if (name != "formula") throw DomainError("there is no table '" + name + "'");
  const std::int64_t first = given.integer("first"), even = given.integer("even"),
                     odd = given.integer("odd");
  return std::make_shared<FormulaTable>(size, context.base, SinusoidalFormula{first, even, odd});
}

/// `projections` between p_i and p_j: none (the default), random, or turning, W_Q = R_3 and
/// W_K = R_8, which commute with the rotations of a sinusoidal table.
std::pair<RowMatrix, RowMatrix> projections_of(Parameters& given, std::size_t size) {
  const std::string name = given.word("projections", "none");
  const auto rows = static_cast<Eigen::Index>(size);
  if (name == "none") return {RowMatrix::Identity(rows, rows), RowMatrix::Identity(rows, rows)};
  if (name == "random") {
    const EncodingContext context = context_of(given);
    return {untrained_projection(context, Untrained::w_query),
            untrained_projection(context, Untrained::w_key)};
  }
  if (name != "turning") throw DomainError("there are no projections '" + name + "'");
  const RotaryEmbedding embedding = default_embedding(size, given.number("base", 10000));
  return {rotation_matrix(embedding, 3), rotation_matrix(embedding, 8)};
}

/// W_Q p_i·W_K p_j.
class Products {
 public:
  explicit Products(Parameters& given) : table_(table_of(given)) {
    auto [w_q, w_k] = projections_of(given, table_->dim());
    const Eigen::Index size = w_q.rows();
    nothing_.assign(static_cast<std::size_t>(size), 0.0);
    encoding_ = std::make_unique<AdditiveEncoding>(table_, std::move(w_q), std::move(w_k));
    root_ = root_of(nothing_.size());
  }
  double at(std::int64_t i, std::int64_t j) const {
    return root_ * encoding_->terms(copies_at(nothing_, {i}), copies_at(nothing_, {j}))
                       .position_position(0, 0);
  }
  /// That of the score; the division by √d and its opposite are among the roundings to spare.
  double error() const { return root_ * encoding_->score_error(0, 0, 0) * (1 + dot_error(1)); }
  std::size_t size() const { return nothing_.size(); }

 private:
  std::shared_ptr<const PositionTable> table_;
  std::unique_ptr<AdditiveEncoding> encoding_;
  std::vector<double> nothing_;
  double root_ = 0;
};

/// Of p_i and p_{i+Δ}, `positions` i and `distances` Δ; with `cosine` over D/2.
Outcome product(Parameters& given) {
  const Products products(given);
  const double unit = given.flag("cosine") ? static_cast<double>(products.size()) / 2 : 1;
  std::vector<double> found;
  double largest = 0;
  for (const std::int64_t i : given.integers("positions"))
    for (const std::int64_t distance : given.integers("distances")) {
      found.push_back(products.at(i, i + distance) / unit);
      largest = std::max(largest, std::fabs(found.back()));
    }
  return {found, products.error() / unit + kRoundoff * largest};
}

Outcome product_spread(Parameters& given) {
  const Products products(given);
  const std::int64_t distance = given.integer("distance");
  double low = products.at(0, distance), high = low;
  const std::int64_t last = given.integer("last");
  for (std::int64_t i = 1; i <= last; ++i) {
    const double here = products.at(i, i + distance);
    low = std::min(low, here);
    high = std::max(high, here);
  }
  return {{high - low}, 2 * products.error() + kRoundoff * (high - low)};
}

/// Numbers of p_t in `columns`, counted from 0.
Outcome row(Parameters& given) {
  const auto table = table_of(given);
  const std::vector<double> all = table->row(given.integer("position"));
  std::vector<double> chosen;
  for (const std::int64_t column : given.integers("columns")) chosen.push_back(one_of(all, column));
  return {chosen, table->entry_error()};
}

/// |p_t|.
Outcome row_length(Parameters& given) {
  const auto table = table_of(given);
  std::vector<double> lengths;
  double largest = 0;
  for (const std::int64_t position : given.integers("positions")) {
    lengths.push_back(norm(table->row(position)));
    largest = std::max(largest, lengths.back());
  }
  return {lengths,
          root_of(table->dim()) * table->entry_error() + 2 * dot_error(table->dim()) * largest};
}

/// ω_i of a sinusoidal table.
Outcome table_frequencies(Parameters& given) {
  const EncodingContext context = context_of(given);
  const SinusoidalTable table(context.rotary.head_dim, context.base);
  std::vector<double> chosen;
  double largest = 0;
  for (const std::int64_t pair : given.integers("pairs")) {
    chosen.push_back(one_of(table.frequencies().theta, pair));
    largest = std::max(largest, chosen.back());
  }
  return {chosen, kRoundoff * largest};
}

/// The largest |p_{t+Δ} − Rot(Δ)p_t|, t = 0 … last, where Rot(Δ) turns each sine and cosine by Δω:
/// as columns (sin, cos) that is R_{−Δ}.
Outcome shift_residual(Parameters& given) {
  const auto table = table_of(given);
  const std::size_t size = table->dim();
  const RotaryEmbedding embedding = default_embedding(size, given.number("base", 10000));
  const std::int64_t distance = given.integer("distance");
  const std::int64_t last = given.integer("last");
  double largest = 0;
  for (std::int64_t t = 0; t <= last; ++t) {
    const std::vector<double> before = table->row(t), after = table->row(t + distance);
    std::vector<double> turned(size);
    rotate_elementwise(embedding, rotation_row(embedding, -distance), before, turned);
    for (std::size_t c = 0; c < size; ++c) turned[c] -= after[c];
    largest = std::max(largest, norm(turned));
  }
  // Entries of both rows, and the rotation of the first.
  const double bound = 2.01 * root_of(size) * table->entry_error() +
                       kRotationError * table->largest_norm() + dot_error(size) * largest;
  return {{largest}, bound};
}

// ── Four terms ──────────────────────────────────────────────────────────────────────────────────

/// The largest |sum of the four terms − (x + p_m)·(y + p_n)/√d| over tokens at positions 0 … 31.
/// `terms` and `score` are each plain, or projected by W_Q and W_K.
Outcome four_terms(Parameters& given) {
  const EncodingContext context = context_of(given);
  const std::size_t size = context.rotary.head_dim;
  const auto table = table_of(given);
  const auto rows = static_cast<Eigen::Index>(size);
  const RowMatrix plain = RowMatrix::Identity(rows, rows);
  const RowMatrix w_q = untrained_projection(context, Untrained::w_query);
  const RowMatrix w_k = untrained_projection(context, Untrained::w_key);
  const auto projected = [&](std::string_view name) {
    const std::string word = given.word(name, "projected");
    if (word != "plain" && word != "projected") throw DomainError("expected plain or projected");
    return word == "projected";
  };
  const bool of_terms = projected("terms"), of_score = projected("score");

  constexpr std::size_t kCount = 32;
  Tokens x{random_matrix(kCount, size, 1, context.seed, 300), {}};
  for (std::size_t t = 0; t < kCount; ++t) x.positions.push_back(static_cast<std::int64_t>(t));
  Tokens sum = x;
  for (Eigen::Index t = 0; t < sum.vectors.rows(); ++t) {
    const std::vector<double> p = table->row(t);
    for (std::size_t c = 0; c < size; ++c) sum.vectors(t, static_cast<Eigen::Index>(c)) += p[c];
  }
  const RowMatrix scores =
      content_scores(project(of_score ? w_q : plain, sum), project(of_score ? w_k : plain, sum));
  const AdditiveEncoding encoding(table, of_terms ? w_q : plain, of_terms ? w_k : plain);
  const FourTerms terms =
      encoding.terms(project(of_terms ? w_q : plain, x), project(of_terms ? w_k : plain, x));
  const RowMatrix all = terms.content_content + terms.content_position + terms.position_content +
                        terms.position_position;
  double longest = 0;
  for (Eigen::Index t = 0; t < x.vectors.rows(); ++t)
    longest = std::max(longest, length_of(row_of(x.vectors, t)) + table->largest_norm());
  // Both sides are products of W(x + p), computed in another order: each vector is off by γ of
  // |W||x + p| and √D ε, and so are the four terms, each with a dot product of its own.
  const auto factor = [](const RowMatrix& w) {
    return frobenius_norm(w) * (1 + dot_error(static_cast<std::size_t>(w.size())));
  };
  const double w = std::max({factor(plain), factor(w_q), factor(w_k)});
  const double length = w * longest;
  const double off =
      (dot_error(size) + 2 * kRoundoff) * length + w * root_of(size) * table->entry_error();
  const double one_side =
      (2 * off * length + (dot_error(size) + 4 * kRoundoff) * length * length) / root_of(size);
  return {{(all - scores).cwiseAbs().maxCoeff()}, 2.01 * 2 * one_side};
}

/// The largest difference between Transformer-XL's score and the four products with one key matrix,
///     x W^Q W^Kᵀ yᵀ + x W^Q W^Kᵀ rᵀ + u W^Kᵀ yᵀ + v W^Kᵀ rᵀ
/// over √d, of rows x, y, r = p_{m−n}. With `own`, positions have a matrix W_R of their own.
Outcome one_key_matrix(Parameters& given) {
  const EncodingContext context = context_of(given);
  const std::size_t size = context.rotary.head_dim;
  const auto table = std::make_shared<SinusoidalTable>(size, context.base);
  const RowMatrix w_q = untrained_projection(context, Untrained::w_query);
  const RowMatrix w_k = untrained_projection(context, Untrained::w_key);
  const RowMatrix w_r =
      given.flag("own") ? untrained_projection(context, Untrained::w_relative) : w_k;
  const std::vector<double> u = untrained_vector(context, size, 0.25, Untrained::u_bias);
  const std::vector<double> v = untrained_vector(context, size, 0.25, Untrained::v_bias);
  const TransformerXlEncoding encoding(table, w_r, u, v);
  constexpr std::int64_t kCount = 8;
  const RowMatrix x = random_matrix(kCount, size, 1, context.seed, 301);
  const RowMatrix columns_q = w_q.transpose(), columns_k = w_k.transpose();  // W^Q, W^K of rows
  double largest = 0, bound = 0;
  for (std::int64_t m = 0; m < kCount; ++m)
    for (std::int64_t n = 0; n < kCount; ++n) {
      const std::span<const double> x_m = row_of(x, m), x_n = row_of(x, n);
      const std::vector<double> q = row_times(x_m, columns_q), k = row_times(x_n, columns_k);
      const std::vector<double> r = row_times(table->row(m - n), columns_k);
      const double four = (dot(q, k) + dot(q, r) + dot(u, k) + dot(v, r)) / root_of(size);
      const double whole = encoding.scores(copies_at(q, {m}), copies_at(k, {n}))(0, 0);
      largest = std::max(largest, std::fabs(whole - four));
      // The same q and k on both sides: that of the encoding's score, and as much for the four.
      bound = std::max(bound, encoding.score_error(length_of(q), length_of(k), n - m));
    }
  return {{largest}, 2.01 * bound};
}

// ── T5 and ALiBi ────────────────────────────────────────────────────────────────────────────────

T5Buckets buckets_of(Parameters& given) {
  return {given.integer("buckets", 32), given.integer("max_distance", 128),
          given.flag("bidirectional")};
}

/// The bucket of a key that stands so many tokens before the query.
Outcome buckets(Parameters& given) {
  const T5Buckets all = buckets_of(given);
  std::vector<double> found;
  for (const std::int64_t before : given.integers("before"))
    found.push_back(static_cast<double>(all.bucket(-before)));
  return {found, 0};
}

/// How many different ones the keys 0 … last tokens before the query have.
Outcome distinct_buckets(Parameters& given) {
  const T5Buckets all = buckets_of(given);
  std::set<std::int64_t> found;
  const std::int64_t last = given.integer("last");
  for (std::int64_t before = 0; before <= last; ++before) found.insert(all.bucket(-before));
  return {{static_cast<double>(found.size())}, 0};
}

std::vector<double> slopes_of(Parameters& given) {
  const std::vector<double> all = alibi_slopes(given.integer("heads"));
  std::vector<double> chosen;
  for (const std::int64_t head : given.integers("head")) chosen.push_back(one_of(all, head));
  return chosen;
}

/// ALiBi's slopes of `head`, counted from 0.
Outcome slopes(Parameters& given) { return {slopes_of(given), kRoundoff}; }

/// Tokens that hold the share of the weight where all contents are alike.
Outcome window(Parameters& given) {
  std::vector<double> tokens;
  const double share = given.number("share");
  for (const double slope : slopes_of(given))
    tokens.push_back(static_cast<double>(alibi_window(slope, share)));
  return {tokens, 0};
}

/// The weight of a key over that of the next one, where all contents are alike.
Outcome weight_step(Parameters& given) {
  const std::int64_t heads = given.integer("heads"), head = given.integer("head");
  const AlibiEncoding encoding(2, heads, head);
  constexpr std::int64_t kCount = 32;
  std::vector<std::int64_t> positions;
  for (std::int64_t t = 0; t < kCount; ++t) positions.push_back(t);
  const Tokens same = copies_at(std::array{1.0, 1.0}, positions);
  const RowMatrix weights = attention_weights(
      encoding, copies_at(std::array{1.0, 1.0}, {kCount - 1}), same, Mask::causal);
  double low = weights(0, 0) / weights(0, 1), high = low;
  for (Eigen::Index j = 1; j + 1 < kCount; ++j) {
    low = std::min(low, weights(0, j) / weights(0, j + 1));
    high = std::max(high, weights(0, j) / weights(0, j + 1));
  }
  // Scores are off by score_error, and each weight by γ of itself.
  const double length = length_of(std::array{1.0, 1.0});
  return {{low, high},
          2 * encoding.score_error(length, length, -kCount) +
              2.01 * dot_error(static_cast<std::size_t>(kCount))};
}

/// The weight beyond so many tokens where all contents are alike: e^(−slope·tokens).
Outcome weight_beyond(Parameters& given) {
  const auto tokens = static_cast<double>(given.integer("tokens"));
  std::vector<double> weights;
  double largest = 0;
  for (const double slope : slopes_of(given)) {
    weights.push_back(exponential(-slope * tokens));
    // The slope and its product are rounded once each, the exponential is within 2.5e-16.
    largest = std::max(largest, weights.back() * (2.5e-16 + 2.1 * kRoundoff * slope * tokens));
  }
  return {weights, largest};
}

constexpr std::array kQuantities = {
    Quantity{"encoding.score", "score", score},
    Quantity{"encoding.range", "smallest and largest score", range},
    Quantity{"encoding.spread", "largest less smallest score", spread},
    Quantity{"encoding.defined", "is there a score", defined},
    Quantity{"encoding.unseen", "share not seen in training", unseen},
    Quantity{"encoding.product", "p_i·p_{i+Δ}", product},
    Quantity{"encoding.product_spread", "largest less smallest p_i·p_{i+Δ}", product_spread},
    Quantity{"encoding.row", "p_t", row},
    Quantity{"encoding.row_length", "|p_t|", row_length},
    Quantity{"encoding.frequencies", "ω_i", table_frequencies},
    Quantity{"encoding.shift_residual", "largest |p_{t+Δ} − Rot(Δ)p_t|", shift_residual},
    Quantity{"encoding.four_terms", "four terms less the score", four_terms},
    Quantity{"encoding.one_key_matrix", "four terms with one key matrix less the score",
             one_key_matrix},
    Quantity{"encoding.buckets", "bucket", buckets},
    Quantity{"encoding.distinct_buckets", "different buckets", distinct_buckets},
    Quantity{"encoding.slopes", "slope", slopes},
    Quantity{"encoding.window", "tokens of the window", window},
    Quantity{"encoding.weight_step", "weight over that of the next token", weight_step},
    Quantity{"encoding.weight_beyond", "weight beyond", weight_beyond},
};

}  // namespace
}  // namespace encoding_family

std::span<const Quantity> encoding_quantities() { return encoding_family::kQuantities; }

}  // namespace rope::claims
