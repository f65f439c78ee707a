#include "rope/attention/decay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>

#include "rope/attention/exponential.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/turns_kernel.hpp"

namespace rope {
namespace {

// Distances are worked through in blocks that stay in the first-level cache; within a block the
// vector lanes are distances, so each sum runs over the pairs in the same order at every CPU level.
constexpr std::size_t kBlock = 128;

/// The running sums of one block of distances.
struct Block {
  std::array<std::uint64_t, kBlock> turns;
  std::array<double, kBlock> cos, sin;
  std::array<double, kBlock> real, imaginary;  // Σ_{i<j} e^{iΔθ_i}
  std::array<double, kBlock> modulus;          // Σ_j |Σ_{i<j} e^{iΔθ_i}|
};

[[gnu::always_inline]] inline void add_pair(const std::int64_t* __restrict distances, std::size_t n,
                                            TurnFraction theta, Block& b) {
  for (std::size_t l = 0; l < n; ++l) b.turns[l] = (distances[l] * theta).high;
  kernel::cos_sin_loop(b.turns.data(), b.cos.data(), b.sin.data(), n);
  for (std::size_t l = 0; l < n; ++l) {
    b.real[l] += b.cos[l];
    b.imaginary[l] += b.sin[l];
    b.modulus[l] += std::sqrt(b.real[l] * b.real[l] + b.imaginary[l] * b.imaginary[l]);
  }
}

[[gnu::always_inline]] inline void curve_loop(const TurnFraction* theta, std::size_t pairs,
                                              const std::int64_t* distances, std::size_t n,
                                              double* bound, double* mean_cosine) {
  Block b;
  const auto count = static_cast<double>(pairs);
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t size = std::min(kBlock, n - begin);
    b.real.fill(0);
    b.imaginary.fill(0);
    b.modulus.fill(0);
    for (std::size_t k = 0; k < pairs; ++k) add_pair(distances + begin, size, theta[k], b);
    for (std::size_t l = 0; l < size; ++l) {
      bound[begin + l] = b.modulus[l] / count;
      mean_cosine[begin + l] = b.real[l] / count;
    }
  }
}

using Loop = void (*)(const TurnFraction*, std::size_t, const std::int64_t*, std::size_t, double*,
                      double*);

void loop_baseline(const TurnFraction* theta, std::size_t pairs, const std::int64_t* distances,
                   std::size_t n, double* bound, double* mean_cosine) {
  curve_loop(theta, pairs, distances, n, bound, mean_cosine);
}
ROPE_TARGET_V3 void loop_v3(const TurnFraction* theta, std::size_t pairs,
                            const std::int64_t* distances, std::size_t n, double* bound,
                            double* mean_cosine) {
  curve_loop(theta, pairs, distances, n, bound, mean_cosine);
}
ROPE_TARGET_V4 void loop_v4(const TurnFraction* theta, std::size_t pairs,
                            const std::int64_t* distances, std::size_t n, double* bound,
                            double* mean_cosine) {
  curve_loop(theta, pairs, distances, n, bound, mean_cosine);
}

Loop loop_for(CpuLevel level) {
  switch (level) {
    case CpuLevel::v3:
      return loop_v3;
    case CpuLevel::v4:
      return loop_v4;
    case CpuLevel::baseline:
      break;
  }
  return loop_baseline;
}

/// |Δ| of each, so that both signs give the same bits: cutting −f to 64 bits is not the mirror
/// image of cutting f. The smallest integer, which has no opposite, stays as it is.
std::vector<std::int64_t> magnitudes(std::span<const std::int64_t> distances) {
  std::vector<std::int64_t> result(distances.begin(), distances.end());
  for (std::int64_t& distance : result)
    if (distance < 0 && distance != std::numeric_limits<std::int64_t>::min()) distance = -distance;
  return result;
}

/// conj(q_k)·k_k of every sample and pair: the score at distance Δ is Σ_k Re(product·e^{iΔθ_k}).
struct PairProducts {
  std::vector<double> real, imaginary;
};

PairProducts random_products(std::size_t pairs, std::size_t samples, std::uint64_t seed) {
  PairProducts products;
  std::vector<double> q(2 * pairs), k(2 * pairs);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    RandomStream stream(seed, sample);
    stream.fill_normal(q);
    stream.fill_normal(k);
    for (std::size_t i = 0; i < 2 * pairs; i += 2) {
      products.real.push_back(q[i] * k[i] + q[i + 1] * k[i + 1]);
      products.imaginary.push_back(q[i] * k[i + 1] - q[i + 1] * k[i]);
    }
  }
  return products;
}

}  // namespace

DecayCurve decay_curve(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                       CpuLevel level) {
  DecayCurve curve{std::vector<double>(distances.size()), std::vector<double>(distances.size())};
  const std::vector<std::int64_t> magnitude = magnitudes(distances);
  loop_for(level)(frequencies.turns.data(), frequencies.pairs(), magnitude.data(), magnitude.size(),
                  curve.bound.data(), curve.mean_cosine.data());
  return curve;
}

std::vector<double> logarithmic_law(double base, std::span<const std::int64_t> distances) {
  if (!(base > 1) || !std::isfinite(base))
    throw DomainError("logarithmic law: expected a finite base above 1, got " + number_text(base));
  std::vector<double> law;
  law.reserve(distances.size());
  for (const std::int64_t distance : distances) {
    const double tokens = std::abs(static_cast<double>(distance));
    law.push_back(distance == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : 1 - (logarithm(tokens) + std::numbers::egamma) / logarithm(base));
  }
  return law;
}

std::vector<double> mean_chord(const Frequencies& frequencies,
                               std::span<const std::int64_t> distances) {
  std::vector<double> chords;
  chords.reserve(distances.size());
  for (const std::int64_t distance : distances) {
    double sum = 0;
    for (const TurnFraction turns : frequencies.turns) {
      const CosSin arrow = cos_sin(distance * turns);
      sum += std::sqrt((1 - arrow.cos) * (1 - arrow.cos) + arrow.sin * arrow.sin);
    }
    chords.push_back(sum / static_cast<double>(frequencies.pairs()));
  }
  return chords;
}

RandomScores random_scores(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                           std::size_t samples, std::uint64_t seed) {
  if (samples < 2)
    throw DomainError("random pairs: expected at least 2, got " + std::to_string(samples));
  const std::size_t pairs = frequencies.pairs();
  const PairProducts products = random_products(pairs, samples, seed);
  const double scale = 1 / std::sqrt(2.0 * static_cast<double>(pairs));
  const auto count = static_cast<double>(samples);
  RandomScores result;
  std::vector<double> scores(samples);
  for (const std::int64_t distance : distances) {
    std::ranges::fill(scores, 0.0);
    for (std::size_t k = 0; k < pairs; ++k) {
      const CosSin rotation = cos_sin(distance * frequencies.turns[k]);
      for (std::size_t s = 0; s < samples; ++s)
        scores[s] += products.real[s * pairs + k] * rotation.cos -
                     products.imaginary[s * pairs + k] * rotation.sin;
    }
    double sum = 0, squares = 0;
    for (const double score : scores) sum += score * scale;
    const double mean = sum / count;
    for (const double score : scores) squares += (score * scale - mean) * (score * scale - mean);
    result.mean.push_back(mean);
    result.deviation.push_back(std::sqrt(squares / (count - 1)));
  }
  return result;
}

}  // namespace rope
