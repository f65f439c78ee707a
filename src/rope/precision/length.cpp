#include "rope/precision/length.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "rope/precision/largest.hpp"
#include "rope/precision/twofold.hpp"

namespace rope {
namespace {

/// Σx²·2^(−2·exponent), where the largest |x|·2^−exponent lies from 1 to 2.
struct ScaledSquares {
  Twofold sum;
  int exponent = 0;
};

/// Of finite numbers that are not all 0.
ScaledSquares squares_of(std::span<const double> x, double largest) {
  ScaledSquares squares{{}, std::ilogb(largest)};
  for (const double value : x) {
    const double scaled = std::ldexp(value, -squares.exponent);
    squares.sum = squares.sum + exact_product(scaled, scaled);
  }
  return squares;
}

/// The largest |x|; no number where one of them is none, infinite where one is.
double largest_magnitude(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = larger(largest, std::fabs(value));
  return largest;
}

/// Whether squares of squares, and what twice the digits of them need, stay within the exponents.
bool needs_no_scale(std::span<const double> x) {
  double above = 0, below = 0;  // no branch, and as wide as a number: it becomes vector code
  for (const double value : x) {
    const double size = std::abs(value);
    above = size <= 0x1p200 ? above : 1;
    below = size >= 0x1p-200 ? below : size == 0 ? below : 1;
  }
  return above == 0 && below == 0;
}

void set_pairs(const RotaryEmbedding& embedding, std::span<const double> x,
               PairLengths::Pairs& pairs) {
  const std::size_t rotated = embedding.pairs(), size = x.size() - rotated;
  for (std::vector<double>* numbers : {&pairs.x, &pairs.y, &pairs.high, &pairs.low})
    numbers->resize(size);
  embedding.for_each_pair([&](std::size_t k, std::size_t first, std::size_t second) {
    pairs.x[k] = x[first];
    pairs.y[k] = x[second];
  });
  for (std::size_t i = rotated; i < size; ++i) {
    pairs.x[i] = x[rotated + i];
    pairs.y[i] = 0;
  }
}

[[gnu::always_inline]] inline void square(PairLengths::Pairs& pairs) {
  const double* const __restrict x = pairs.x.data();
  const double* const __restrict y = pairs.y.data();
  double* const __restrict high = pairs.high.data();
  double* const __restrict low = pairs.low.data();
  for (std::size_t i = 0, n = pairs.x.size(); i < n; ++i) {
    const Twofold sum = exact_product(x[i], x[i]) + exact_product(y[i], y[i]);
    high[i] = sum.high;
    low[i] = sum.low;
  }
}

/// Σx², of which the partial sums take the place of the squares: the upper half is added to the
/// lower one, again and again.
[[gnu::always_inline]] inline double root_of_sum(PairLengths::Pairs& pairs) {
  for (std::size_t n = pairs.x.size(); n > 1; n -= n / 2) {
    double* const __restrict high = pairs.high.data();
    double* const __restrict low = pairs.low.data();
    const double* const __restrict other_high = high + (n - n / 2);
    const double* const __restrict other_low = low + (n - n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
      const Twofold sum = Twofold{high[i], low[i]} + Twofold{other_high[i], other_low[i]};
      high[i] = sum.high;
      low[i] = sum.low;
    }
  }
  return square_root({pairs.high[0], pairs.low[0]});
}

/// What is measured of q and k.
struct Measure {
  PairLengths::Pairs &q, &k;
  std::span<double> weights;
  double &q_length, &k_length;
};

[[gnu::always_inline]] inline void measure_loop(const Measure& of) {
  square(of.q);
  square(of.k);
  for (std::size_t i = 0; i < of.weights.size(); ++i)
    of.weights[i] =
        square_root(Twofold{of.q.high[i], of.q.low[i]} * Twofold{of.k.high[i], of.k.low[i]});
  of.q_length = root_of_sum(of.q);
  of.k_length = root_of_sum(of.k);
}
void measure_baseline(const Measure& of) { measure_loop(of); }
ROPE_TARGET_V3 void measure_v3(const Measure& of) { measure_loop(of); }
ROPE_TARGET_V4 void measure_v4(const Measure& of) { measure_loop(of); }

}  // namespace

double vector_length(std::span<const double> x) {
  const double largest = largest_magnitude(x);
  if (!(largest > 0) || std::isinf(largest)) return largest;
  const ScaledSquares squares = squares_of(x, largest);
  // Nothing is added to a normal number here.
  return std::ldexp(square_root(squares.sum), squares.exponent) +
         std::numeric_limits<double>::denorm_min();
}

double pair_weight(double q1, double q2, double k1, double k2) {
  const std::array q = {q1, q2}, k = {k1, k2};
  const double q_largest = largest_magnitude(q), k_largest = largest_magnitude(k);
  if (!std::isfinite(q_largest) || !std::isfinite(k_largest) || q_largest == 0 || k_largest == 0)
    return q_largest * k_largest;
  const ScaledSquares of_q = squares_of(q, q_largest), of_k = squares_of(k, k_largest);
  return std::ldexp(square_root(of_q.sum * of_k.sum), of_q.exponent + of_k.exponent);
}

void PairLengths::take(const RotaryEmbedding& embedding, std::span<const double> q,
                       std::span<const double> k, CpuLevel level) {
  weights_.resize(embedding.pairs());
  if (!needs_no_scale(q) || !needs_no_scale(k)) {
    take_scaled(embedding, q, k);
    return;
  }
  set_pairs(embedding, q, q_);
  set_pairs(embedding, k, k_);
  for_level(level, measure_baseline, measure_v3,
            measure_v4)({q_, k_, weights_, q_length_, k_length_});
}

void PairLengths::take_scaled(const RotaryEmbedding& embedding, std::span<const double> q,
                              std::span<const double> k) {
  q_length_ = vector_length(q);
  k_length_ = vector_length(k);
  embedding.for_each_pair([&](std::size_t pair, std::size_t i, std::size_t j) {
    weights_[pair] = pair_weight(q[i], q[j], k[i], k[j]);
  });
}

}  // namespace rope
