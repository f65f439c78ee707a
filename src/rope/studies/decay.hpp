#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/attention/decay.hpp"
#include "rope/rotary/cpu_level.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

struct DecayRequest {
  std::vector<RotaryEmbedding> embeddings;
  std::vector<std::int64_t> distances;  ///< at least one
  /// Number of random pairs q, k whose scores are measured: 0, or at least 2.
  std::size_t random_pairs = 0;
  std::uint64_t seed = 42;
  CpuLevel level = best_cpu_level();
  std::int64_t parts = 1;  ///< distances are counted in 1/parts of a token
};

/// The curves of one embedding.
struct DecayResult {
  DecayCurve curve;
  NegativeDistance negative;  ///< searched at least up to the largest of the distances
  std::vector<double> law;    ///< the logarithmic law; empty where there is none
  RandomScores random;        ///< empty without random pairs
};

/// The same frequencies per part of a token: θ_i/1000 with 1000 parts. Distances that are not whole
/// numbers of tokens can then be whole numbers of parts.
///
/// Accuracy  turns within 2^-127.
/// Throws    DomainError unless every θ_i is below 2π, as in all geometric families with a base of
///           at least 1, because this function does not know how many whole turns θ_i makes per
///           token.
Frequencies of_parts(const Frequencies& frequencies, std::int64_t parts);

/// The curves of each embedding. `progress` receives the number of distances computed since the
/// last call.
///
/// Throws    whatever of_parts throws, if there is more than one part.
std::vector<DecayResult> decay_study(const DecayRequest& request,
                                     const std::function<void(std::size_t)>& progress = {});

/// The largest absolute value in a list of distances; 2^63 − 1 for −2^63.
std::int64_t largest_distance(const std::vector<std::int64_t>& distances);

}  // namespace rope
