#include "rope/diagnose/frequencies/aliases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr double kMostMore = 0.25;  // radians: more is visible in any format
constexpr std::size_t kMostAliases = 64;
constexpr double kMostMultiplesFromZero = 8, kMostMultiples = 4096;

/// The frequency nearby that turns the positions least, apart from whole turns: a least-squares
/// line through their remainders.
double settled(double frequency, std::span<const std::int64_t> positions) {
  double product = 0, square = 0;
  for (const std::int64_t each : positions) {
    const auto position = static_cast<double>(each);
    product += position * std::remainder(frequency * position, kFullTurn);
    square += position * position;
  }
  return frequency - product / square;
}

bool hardly_turns(double frequency, std::span<const std::int64_t> positions) {
  return std::all_of(positions.begin(), positions.end(), [&](std::int64_t position) {
    return std::abs(std::remainder(frequency * static_cast<double>(position), kFullTurn)) <=
           kMostMore;
  });
}

}  // namespace

std::vector<double> frequency_aliases(std::span<const std::int64_t> positions) {
  std::vector<std::int64_t> sorted(positions.begin(), positions.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<double> aliases;
  // Whole turns between neighbours, or on the way from 0 to all of them.
  const auto add = [&](double tokens, std::int64_t multiples) {
    for (std::int64_t j = 1; j <= multiples && aliases.size() < kMostAliases; ++j) {
      const double more = settled(kFullTurn * static_cast<double>(j) / tokens, positions);
      if (more > 0 && hardly_turns(more, positions)) aliases.push_back(more);
    }
  };
  const auto whole = [](double number, double most) {
    return static_cast<std::int64_t>(smaller(number, most));
  };
  const double middle = std::abs(static_cast<double>(sorted[sorted.size() / 2]));
  if (middle >= 2) add(middle, whole(middle - 1, kMostMultiplesFromZero));
  double nearest = HUGE_VAL;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    nearest = smaller(nearest, static_cast<double>(sorted[i]) - static_cast<double>(sorted[i - 1]));
  if (nearest >= 2 && std::isfinite(nearest)) add(nearest, whole(nearest - 1, kMostMultiples));
  return aliases;
}

bool are_free(const Spectrum& spectrum) {
  if (!spectrum.recognised) return true;
  const RotaryEmbedding& embedding = spectrum.embedding;
  if (!embedding.base || !spectrum.also.empty()) return false;
  std::size_t fitted = 0;
  if (std::find(kUsualBases.begin(), kUsualBases.end(), *embedding.base) == kUsualBases.end())
    ++fitted;
  if (embedding.scaling.rule == "linear") ++fitted;
  return fitted > 0 && embedding.pairs() <= fitted + 1;
}

Regime regime_of_pair(const Regime& regime, std::size_t pair) {
  const Spectrum& spectrum = regime.spectrum;
  const std::size_t k = spectrum.frequency_of(pair);
  Regime alone = regime;
  alone.spectrum.embedding.head_dim = 2;
  alone.spectrum.embedding.base.reset();
  alone.spectrum.embedding.scaling = {};
  alone.spectrum.embedding.frequencies =
      given_frequencies(std::vector<double>{spectrum.embedding.frequencies.theta[k]});
  alone.spectrum.theta_error = {spectrum.error_of(k)};
  alone.spectrum.reversed = false;
  return alone;
}

}  // namespace rope
