#include "rope/diagnose/positions/common_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/position_runs.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::int64_t kLargestPart = 64;
constexpr double kOfFactors = 1e-4;  // relative; far below 1/64²

/// By what the frequencies of a base are divided; nothing if that is not all that was done to them.
std::optional<double> linear_factor(const Spectrum& spectrum) {
  const RotaryEmbedding& embedding = spectrum.embedding;
  if (!spectrum.recognised || !embedding.base) return std::nullopt;
  if (embedding.scaling.rule == "default") return 1;
  if (embedding.scaling.rule == "linear") return embedding.scaling.numbers.at("factor");
  return std::nullopt;
}

/// But for the direction too: backwards at −m is forwards at m.
bool same_but_for_the_factor(const RotaryEmbedding& a, const RotaryEmbedding& b) {
  const auto near = [](double one, double other) {
    return std::abs(one - other) <= kOfFactors * one;
  };
  return a.pairs() == b.pairs() && near(*a.base, *b.base) &&
         near(a.attention_factor, b.attention_factor);
}

/// A ratio of small whole numbers.
struct Fraction {
  std::int64_t above, below;
};
std::optional<Fraction> as_fraction(double value) {
  for (std::int64_t below = 1; below <= kLargestPart; ++below) {
    const double above = std::round(value * static_cast<double>(below));
    if (above >= 1 && above <= static_cast<double>(kLargestPart) &&
        std::abs(above / static_cast<double>(below) - value) <= kOfFactors * value)
      return Fraction{static_cast<std::int64_t>(above), below};
  }
  return std::nullopt;
}

Regime sorted_by_token(Regime regime) {
  std::vector<std::size_t> order(regime.tokens.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return regime.tokens[a] < regime.tokens[b]; });
  Regime result = regime;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.tokens[i] = regime.tokens[order[i]];
    result.positions[i] = regime.positions[order[i]];
  }
  return result;
}

}  // namespace

std::optional<Regime> in_common_steps(std::span<const Regime> regimes) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 36;  // times 64 four times, in 64 bits
  const Spectrum& first = regimes.front().spectrum;
  const std::optional<double> of_first = linear_factor(first);
  if (!of_first || regimes.size() < 2) return std::nullopt;
  Regime all;
  std::int64_t parts = 1;  // of the step of the first regime
  for (const Regime& regime : regimes) {
    const std::optional<double> own = linear_factor(regime.spectrum);
    if (!own || first.reversed != regime.spectrum.reversed ||
        !same_but_for_the_factor(first.embedding, regime.spectrum.embedding))
      return std::nullopt;
    const std::int64_t way = first.clockwise == regime.spectrum.clockwise ? 1 : -1;
    const std::optional<Fraction> step = as_fraction(*of_first / *own);
    if (!step) return std::nullopt;
    // All positions so far in the finer parts that this regime needs.
    const std::int64_t finer = std::lcm(parts, step->below);
    for (std::int64_t& position : all.positions) position *= finer / parts;
    parts = finer;
    for (const std::int64_t position : regime.positions) {
      if (std::abs(position) > kFarthest) return std::nullopt;
      all.positions.push_back(way * position * step->above * (parts / step->below));
    }
    all.tokens.insert(all.tokens.end(), regime.tokens.begin(), regime.tokens.end());
  }
  std::int64_t common = 0;
  for (const std::int64_t position : all.positions) common = std::gcd(common, position);
  if (common == 0) return std::nullopt;
  for (std::int64_t& position : all.positions) position /= common;
  const double exact = *of_first * static_cast<double>(parts) / static_cast<double>(common);
  const double factor = simplest_number(exact * (1 - kOfFactors), exact * (1 + kOfFactors));
  const ScalingContext context{
      *first.embedding.base, first.embedding.rotary_dim(), first.embedding.rotary_dim(), {}, {}};
  all.spectrum = first;
  all.spectrum.embedding =
      factor == 1 ? default_embedding(first.embedding.rotary_dim(), *first.embedding.base)
                  : scaled_embedding({"linear", {{"factor", factor}}, {}}, context);
  all.spectrum.embedding.attention_factor = first.embedding.attention_factor;
  const double times = factor / *of_first;
  all.spectrum.divisor_low *= times;
  all.spectrum.divisor_high *= times;
  for (double& error : all.spectrum.theta_error) error /= times;
  all.spectrum.also.clear();
  all = sorted_by_token(std::move(all));
  for (const PositionRun& run : position_runs(std::span(&all, 1)))
    if (std::abs(run.step) > 1) return std::nullopt;
  return all;
}

}  // namespace rope
