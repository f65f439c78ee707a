// The family `encoding`: tables of positions, their products, and the four terms of scores with
// them.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rope/attention/layers.hpp"
#include "rope/attention/projections.hpp"
#include "rope/attention/relative.hpp"
#include "rope/claims/families/encoding_given.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/additive.hpp"
#include "rope/encodings/learned.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/sinusoidal_formula.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "rope/encodings/untrained.hpp"
#include "rope/error.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope::claims {
namespace position_table_family {
namespace {

/// `table`: sinusoidal (the default), learned, or formula with `first`, `even` and `odd`.
std::shared_ptr<const PositionTable> table_of(Parameters& given) {
  const EncodingContext context = context_given(given);
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

/// `projections` between p_m and p_n: none (the default), random, or turning, W_Q = R_3 and
/// W_K = R_8, which commute with the rotations of a sinusoidal table.
std::pair<RowMatrix, RowMatrix> projections_of(Parameters& given, std::size_t size) {
  const std::string name = given.word("projections", "none");
  const auto rows = static_cast<Eigen::Index>(size);
  if (name == "none") return {RowMatrix::Identity(rows, rows), RowMatrix::Identity(rows, rows)};
  if (name == "random") {
    const EncodingContext context = context_given(given);
    return {untrained_projection(context, Untrained::w_query),
            untrained_projection(context, Untrained::w_key)};
  }
  if (name != "turning") throw DomainError("there are no projections '" + name + "'");
  const RotaryEmbedding embedding = default_embedding(size, given.number("base", 10000));
  return {rotation_matrix(embedding, 3), rotation_matrix(embedding, 8)};
}

/// W_Q p_m·W_K p_n.
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

/// Of p_m and p_{m+Δ}, `positions` m and `distances` Δ; with `cosine` over D/2.
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
  for (const std::int64_t column : given.integers("columns"))
    chosen.push_back(item_of(all, column));
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
  const EncodingContext context = context_given(given);
  const SinusoidalTable table(context.rotary.head_dim, context.base);
  std::vector<double> chosen;
  double largest = 0;
  for (const std::int64_t pair : given.integers("pairs")) {
    chosen.push_back(item_of(table.frequencies().theta, pair));
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

/// The largest |sum of the four terms − (x + p_m)·(y + p_n)/√d| over tokens at positions 0 … 31.
/// `terms` and `score` are each plain, or projected by W_Q and W_K.
Outcome four_terms(Parameters& given) {
  const EncodingContext context = context_given(given);
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
  const EncodingContext context = context_given(given);
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

constexpr std::array kQuantities = {
    Quantity{"encoding.product", "p_m·p_{m+Δ}", product},
    Quantity{"encoding.product_spread", "largest minus smallest p_m·p_{m+Δ}", product_spread},
    Quantity{"encoding.row", "p_t", row},
    Quantity{"encoding.row_length", "|p_t|", row_length},
    Quantity{"encoding.frequencies", "ω_i", table_frequencies},
    Quantity{"encoding.shift_residual", "largest |p_{t+Δ} − Rot(Δ)p_t|", shift_residual},
    Quantity{"encoding.four_terms", "four terms minus the score", four_terms},
    Quantity{"encoding.one_key_matrix", "four terms with one key matrix minus the score",
             one_key_matrix},
};

}  // namespace
}  // namespace position_table_family

std::span<const Quantity> position_table_quantities() { return position_table_family::kQuantities; }

}  // namespace rope::claims
