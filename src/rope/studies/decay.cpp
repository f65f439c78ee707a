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
  // Parts whose work is alike: random pairs cost `random_pairs` times as much.
  const std::size_t part = request.random_pairs > 0 ? 1024 : 65536;
  std::vector<DecayResult> results;
  for (const RotaryEmbedding& embedding : request.embeddings) {
    DecayResult result;
    for (std::size_t begin = 0; begin < all.size(); begin += part) {
      const auto distances = all.subspan(begin, std::min(part, all.size() - begin));
      const DecayCurve curve = decay_curve(embedding.frequencies, distances, request.level);
      append(result.curve.bound, curve.bound);
      append(result.curve.mean_cosine, curve.mean_cosine);
      if (request.random_pairs > 0) {
        const RandomScores scores =
            random_scores(embedding.frequencies, distances, request.random_pairs, request.seed);
        append(result.random.mean, scores.mean);
        append(result.random.deviation, scores.deviation);
      }
      if (progress) progress(distances.size());
    }
    result.negative = negative_distance(embedding.frequencies, largest_distance(request.distances));
    const std::optional<double> base = embedding.geometric_base();
    if (base && *base > 1) result.law = logarithmic_law(*base, all);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace rope
