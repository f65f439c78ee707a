#include "rope/attention/rounding.hpp"

#include <cmath>
#include <limits>

#include "rope/encodings/rope.hpp"

namespace rope {
namespace {

constexpr int kSquarings = 3;

/// AᵀB, summed from the first row to the last; Eigen's own product sums in an order that depends on
/// the caches of the machine.
RowMatrix transposed_product(const RowMatrix& a, const RowMatrix& b) {
  RowMatrix result = RowMatrix::Zero(a.cols(), b.cols());
  for (Eigen::Index k = 0; k < a.rows(); ++k)
    for (Eigen::Index i = 0; i < a.cols(); ++i) result.row(i) += a(k, i) * b.row(k);
  return result;
}

/// At least ‖A‖_F.
double frobenius_bound(const RowMatrix& a) {
  return frobenius_norm(a) * (1 + dot_error(static_cast<std::size_t>(a.size())));
}

}  // namespace

double operator_norm_bound(const RowMatrix& matrix) {
  double largest = 0;
  for (const double entry : matrix.reshaped<Eigen::RowMajor>()) {
    if (!(std::abs(entry) <= largest)) largest = std::abs(entry);
    if (std::isnan(largest)) return largest;
  }
  if (largest == 0) return 0;
  // Divided by its size, no power of it leaves the range of doubles. `error` is at least the
  // 2-norm of computed − exact, of B = WᵀW and of its squares: (B + E)² is off by 2BE + E².
  RowMatrix unit = matrix / largest;
  const double size = frobenius_bound(unit);
  unit /= size;
  const double product_error = dot_error(static_cast<std::size_t>(matrix.rows() + matrix.cols()));
  RowMatrix power = transposed_product(unit, unit);
  double error = 8 * kRoundoff + product_error;
  for (int i = 0; i < kSquarings; ++i) {
    const double norm = frobenius_bound(power);
    error = error * (2 * norm + error) + product_error * norm * norm;
    power = transposed_product(power, power);
  }
  double root = frobenius_bound(power) + error;
  for (int i = 0; i <= kSquarings; ++i) root = std::sqrt(root);
  return largest * size * root * (1 + 8 * kRoundoff);
}

double weights_difference(double scores, std::size_t keys) {
  const double exact = scores < 2 ? scores : 2;
  // A weight below the normal numbers is off by less than the smallest of them.
  const double tiny = static_cast<double>(keys) * std::numeric_limits<double>::min();
  return std::isnan(scores) ? scores : exact + 2 * dot_error(keys) + 2 * tiny;
}

double output_difference(double weights, std::size_t keys, double value_norm) {
  const double sums = 2 * dot_error(keys) * (1 + dot_error(keys));
  return (weights + sums) * value_norm;
}

double turned_back_difference(double averages, double value_norm, double factor) {
  const double longer = std::abs(factor) > 1 ? std::abs(factor) : 1;
  const double stretched = longer * (1 + 4 * kRotationError);
  return stretched * (averages + 4 * kRotationError * value_norm);
}

std::vector<double> equal_token_drift(std::span<const AttentionLayer> layers, std::size_t tokens,
                                      double length) {
  std::vector<double> drift;
  double apart = 0;
  for (const AttentionLayer& layer : layers) {
    const double product = dot_error(static_cast<std::size_t>(layer.w_v.cols()));
    const double v = operator_norm_bound(layer.w_v), o = operator_norm_bound(layer.w_o);
    const double v_rounding = product * frobenius_bound(layer.w_v) * length;
    const double value = v * length + v_rounding;
    // Of the weights, and of the sum over the keys.
    const double average_rounding = 2 * dot_error(tokens) * (1 + dot_error(tokens)) * value;
    const double average = value + average_rounding;
    const double averages_apart = v * apart + 2 * (v_rounding + average_rounding);
    const double o_rounding = product * frobenius_bound(layer.w_o) * average;
    length = (length + o * average + o_rounding) * (1 + kRoundoff);
    apart += o * averages_apart + 2 * o_rounding + 2 * kRoundoff * length;
    drift.push_back(apart);
  }
  return drift;
}

}  // namespace rope
