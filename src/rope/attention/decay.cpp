#include "rope/attention/decay.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>

#include "rope/attention/exponential.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/turns.hpp"

namespace rope {
namespace {

/// conj(q_i)·k_i of every sample and pair: the score at distance Δ is Σ_i Re(product·e^{iΔθ_i}).
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

std::vector<double> logarithmic_law(double base, std::span<const std::int64_t> distances,
                                    std::int64_t parts) {
  if (!(base > 1) || !std::isfinite(base))
    throw DomainError("logarithmic law: expected a finite base above 1, got " + number_text(base));
  std::vector<double> law;
  law.reserve(distances.size());
  for (const std::int64_t distance : distances) {
    const double tokens = std::abs(static_cast<double>(distance)) / static_cast<double>(parts);
    law.push_back(tokens < 1 || tokens > base
                      ? std::numeric_limits<double>::quiet_NaN()
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
    for (std::size_t i = 0; i < pairs; ++i) {
      const CosSin rotation = cos_sin(distance * frequencies.turns[i]);
      for (std::size_t s = 0; s < samples; ++s)
        scores[s] += products.real[s * pairs + i] * rotation.cos -
                     products.imaginary[s * pairs + i] * rotation.sin;
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
