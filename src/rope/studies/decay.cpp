#include "rope/studies/decay.hpp"

#include <algorithm>
#include <limits>
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

}  // namespace

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
    DecayResult result;
    result.curve.bound.resize(all.size());
    result.curve.mean_cosine.resize(all.size());
    for (std::size_t begin = 0; begin < all.size(); begin += part) {
      const auto distances = all.subspan(begin, std::min(part, all.size() - begin));
      decay_curve(embedding.frequencies, distances,
                  std::span(result.curve.bound).subspan(begin, distances.size()),
                  std::span(result.curve.mean_cosine).subspan(begin, distances.size()),
                  request.level);
      if (request.random_pairs > 0) {
        const RandomScores scores =
            random_scores(embedding.frequencies, distances, request.random_pairs, request.seed);
        append(result.random.mean, scores.mean);
        append(result.random.deviation, scores.deviation);
      }
      if (progress) progress(distances.size());
    }
    constexpr std::int64_t kFurther = std::int64_t{1} << 20;
    result.negative = negative_distance(embedding.frequencies,
                                        std::max(largest_distance(request.distances), kFurther));
    const std::optional<double> base = embedding.geometric_base();
    if (base && *base > 1) result.law = logarithmic_law(*base, all);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace rope
