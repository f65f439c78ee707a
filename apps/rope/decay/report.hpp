#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "named/rotary_options.hpp"
#include "rope/plot/figure.hpp"
#include "rope/studies/decay.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Random pairs are measured up to so many distances, unless more are asked for.
inline constexpr std::size_t kMostDistancesForRandomPairs = 4096;

/// The curves of one of the embeddings that the options name.
struct VariantDecay : DecayResult {
  RotaryVariant variant;
};

/// What `rope decay` computes.
struct DecayStudy {
  std::vector<std::int64_t> distances;
  std::string family;
  std::size_t random_pairs = 0;
  bool too_many_for_random =
      false;  ///< so many distances that there are no random pairs by default
  std::uint64_t seed = 42;
  bool log_axis = false;
  std::vector<VariantDecay> curves;
};

std::string decay_report(const DecayStudy& study, const Console& console);
std::string decay_csv(const DecayStudy& study);
std::string decay_json(const DecayStudy& study);
plot::Figure decay_figure(const DecayStudy& study);

}  // namespace rope::app
