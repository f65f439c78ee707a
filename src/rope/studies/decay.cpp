#include "rope/studies/decay.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "rope/error.hpp"

namespace rope {
namespace {

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

/// Distances between two steps of progress: parts whose work is alike. Random pairs cost as much as
/// they are many. Without them parts are large, as each starts threads of its own.
std::size_t part_size(std::size_t pairs, std::size_t random_pairs) {
  constexpr std::size_t kTerms = std::size_t{1} << 26;
  if (random_pairs > 0) return 1024;
  return std::clamp<std::size_t>(kTerms / std::max<std::size_t>(pairs, 1), 1U << 14, 1U << 20);
}

/// f/parts, rounded down.
TurnFraction divided(TurnFraction fraction, std::uint64_t parts) {
  __extension__ using Uint128 = unsigned __int128;
  const Uint128 low = Uint128{fraction.high % parts} << 64U | fraction.low;
  return {fraction.high / parts, static_cast<std::uint64_t>(low / parts)};
}

}  // namespace

Frequencies of_parts(const Frequencies& frequencies, std::int64_t parts) {
  Frequencies result = frequencies;
  if (parts == 1) return result;
  const auto count = static_cast<double>(parts);
  for (std::size_t k = 0; k < result.pairs(); ++k) {
    if (!(result.theta[k] < 2 * std::numbers::pi))
      throw DomainError(Subject{"distances"},
                        "expected frequencies below 2π for distances between whole tokens, got " +
                            number_text(result.theta[k]),
                        "Use whole distances, for example 0:256.");
    result.theta[k] /= count;
    result.wavelength[k] *= count;
    result.turns[k] = divided(result.turns[k], static_cast<std::uint64_t>(parts));
  }
  return result;
}

std::int64_t largest_distance(const std::vector<std::int64_t>& distances) {
  const auto [low, high] = std::ranges::minmax(distances);
  // A mean of cosines is the same on both sides; −2^63 has no positive counterpart.
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  return std::max(high, low < -kLargest ? kLargest : -low);
}

std::vector<DecayResult> decay_study(const DecayRequest& request,
                                     const std::function<void(std::size_t)>& progress) {
  const std::span<const std::int64_t> all = request.distances;
  if (all.empty()) throw DomainError("distances: expected at least one, got none");
  std::vector<DecayResult> results;
  for (const RotaryEmbedding& embedding : request.embeddings) {
    const std::size_t part = part_size(embedding.pairs(), request.random_pairs);
    const Frequencies frequencies = of_parts(embedding.frequencies, request.parts);
    DecayResult result;
    result.curve.bound.resize(all.size());
    result.curve.mean_cosine.resize(all.size());
    for (std::size_t begin = 0; begin < all.size(); begin += part) {
      const auto distances = all.subspan(begin, std::min(part, all.size() - begin));
      decay_curve(
          frequencies, distances, std::span(result.curve.bound).subspan(begin, distances.size()),
          std::span(result.curve.mean_cosine).subspan(begin, distances.size()), request.level);
      if (request.random_pairs > 0) {
        const RandomScores scores =
            random_scores(frequencies, distances, request.random_pairs, request.seed);
        append(result.random.mean, scores.mean);
        append(result.random.deviation, scores.deviation);
      }
      if (progress) progress(distances.size());
    }
    constexpr std::int64_t kFurther = std::int64_t{1} << 20;
    result.negative =
        negative_distance(embedding.frequencies,
                          std::max(largest_distance(request.distances) / request.parts, kFurther));
    const std::optional<double> base = embedding.geometric_base();
    if (base && *base > 1) result.law = logarithmic_law(*base, all, request.parts);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace rope
