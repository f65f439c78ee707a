#include "rope/attention/projections.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {
namespace {

constexpr std::int64_t kMostPosition = std::int64_t{1} << 61;

constexpr std::array<std::pair<std::string_view, ProjectedForm>, 7> kForms = {
    {{"turned-after", ProjectedForm::turned_after},
     {"turned-before", ProjectedForm::turned_before},
     {"transposed", ProjectedForm::transposed},
     {"untransposed", ProjectedForm::untransposed},
     {"rows", ProjectedForm::rows},
     {"rows-relative", ProjectedForm::rows_relative},
     {"rows-other-order", ProjectedForm::rows_other_order}}};

/// A vector that was computed, and at least |computed − exact|.
struct Computed {
  std::vector<double> x;
  double error = 0;

  explicit Computed(std::span<const double> given) : x(given.begin(), given.end()) {}
  Computed(std::vector<double> values, double off) : x(std::move(values)), error(off) {}

  /// At least the length of the computed one.
  double length() const { return norm(x) * (1 + dot_error(x.size())); }
};

/// At least the 2-norm of a matrix.
double size_of(const RowMatrix& matrix) {
  return frobenius_norm(matrix) * (1 + dot_error(static_cast<std::size_t>(matrix.size())));
}

/// The error of W x: γ of the products, and that of x carried on.
double carried(const Computed& x, double size) {
  return size * (dot_error(x.x.size()) * x.length() + x.error) * (1 + dot_error(1));
}

Computed times(const RowMatrix& matrix, const Computed& x) {
  return {multiply(matrix, x.x), carried(x, size_of(matrix))};
}

Computed times(const Computed& x, const RowMatrix& matrix) {
  return {row_times(x.x, matrix), carried(x, size_of(matrix))};
}

Computed turned(const RotaryEmbedding& embedding, const Computed& x, std::int64_t position) {
  std::vector<double> result(x.x.size());
  rotate_elementwise(embedding, rotation_row(embedding, position), x.x, result);
  return {std::move(result), (kRotationError * x.length() + x.error) * (1 + kRotationError)};
}

/// x R_m of a row, by the dense matrix. Each of its blocks has four entries within kCosSinError, so
/// it is off by twice that; a component is a sum of two products that are not 0.
Computed row_turned(const RotaryEmbedding& embedding, const Computed& x, std::int64_t position) {
  const RowMatrix dense = rotation_matrix(embedding, position);
  const double rounding = 2 * kCosSinError + 2 * dot_error(x.x.size());
  return {row_times(x.x, dense), (rounding * x.length() + x.error) * (1 + rounding)};
}

ProjectedScore product(const Computed& a, const Computed& b) {
  const double a_length = a.length(), b_length = b.length();
  const double error = dot_error(a.x.size()) * a_length * b_length + a.error * b_length +
                       b.error * a_length + a.error * b.error;
  return {dot(a.x, b.x), error * (1 + dot_error(4))};
}

void check_sizes(const RotaryEmbedding& embedding, const HeadProjections& head,
                 std::span<const double> x, std::span<const double> y) {
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  bool fits = x.size() == embedding.head_dim && y.size() == embedding.head_dim;
  for (const RowMatrix* matrix : {&head.w_q, &head.w_k})
    fits = fits && matrix->rows() == d && matrix->cols() == d;
  if (!fits)
    throw ShapeError(Subject{"projections"}, "expected matrices of " + std::to_string(d) + "x" +
                                                 std::to_string(d) + " and tokens of " +
                                                 std::to_string(d) + " numbers");
}

}  // namespace

HeadProjections random_projections(std::size_t head_dim, std::uint64_t seed, std::uint64_t stream) {
  const double deviation = 1 / std::sqrt(static_cast<double>(head_dim));
  return {random_matrix(head_dim, head_dim, deviation, seed, 2 * stream),
          random_matrix(head_dim, head_dim, deviation, seed, 2 * stream + 1)};
}

std::optional<ProjectedForm> projected_form(std::string_view word) {
  for (const auto& [name, form] : kForms)
    if (name == word) return form;
  return std::nullopt;
}

std::vector<double> row_times(std::span<const double> x, const RowMatrix& matrix) {
  if (matrix.rows() != static_cast<Eigen::Index>(x.size()))
    throw ShapeError(Subject{"row vector"}, "expected as many numbers as the matrix has rows");
  std::vector<double> result(static_cast<std::size_t>(matrix.cols()), 0.0);
  for (std::size_t r = 0; r < x.size(); ++r) {
    const std::span<const double> row = row_of(matrix, static_cast<Eigen::Index>(r));
    for (std::size_t c = 0; c < row.size(); ++c) result[c] += x[r] * row[c];
  }
  return result;
}

ProjectedScore projected_score(ProjectedForm form, const RotaryEmbedding& embedding,
                               const HeadProjections& head, std::span<const double> x,
                               std::int64_t m, std::span<const double> y, std::int64_t n) {
  check_sizes(embedding, head, x, y);
  for (const std::int64_t position : {m, n})
    if (position < -kMostPosition || position > kMostPosition)
      throw DomainError(Subject{"position"}, "expected an integer from -2^61 to 2^61");
  RotaryEmbedding plain = embedding;
  plain.attention_factor = 1;
  const Computed a(x), b(y);
  switch (form) {
    case ProjectedForm::turned_after:
      return product(turned(plain, times(head.w_q, a), m), turned(plain, times(head.w_k, b), n));
    case ProjectedForm::turned_before:
      return product(times(head.w_q, turned(plain, a, m)), times(head.w_k, turned(plain, b, n)));
    case ProjectedForm::transposed:  // xᵀ W_Qᵀ is the row of W_Q x
      return product(times(head.w_q, a), turned(plain, times(head.w_k, b), n - m));
    case ProjectedForm::untransposed:
      return product(times(a, head.w_q), turned(plain, times(head.w_k, b), n - m));
    case ProjectedForm::rows:
    case ProjectedForm::rows_relative:
    case ProjectedForm::rows_other_order:
      break;
  }
  const RowMatrix w_q = head.w_q.transpose(), w_k = head.w_k.transpose();
  const Computed q = times(a, w_q), k = times(b, w_k);
  if (form == ProjectedForm::rows) return product(row_turned(plain, q, m), row_turned(plain, k, n));
  const std::int64_t position = form == ProjectedForm::rows_relative ? m - n : n - m;
  return product(row_turned(plain, q, position), k);
}

}  // namespace rope
