#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/attention/context_bound.hpp"
#include "rope/attention/decay.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/plot/figure.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/unseen_angles.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The longest length for which --search-base is quick enough, tokens.
inline constexpr std::int64_t kLongestBaseSearch = 131072;

/// What one rule makes of a context that is longer than training.
struct ExtensionResult {
  std::string label;        ///< "yarn:factor=4,original=2048"
  std::string short_label;  ///< "yarn"
  RotaryEmbedding embedding;
  AngleCoverage coverage;
  double adjacent_gap = 0;  ///< 1 − mean cosine at distance 1: how well neighbours are told apart
  FirstNegative negative;   ///< of the mean cosine, up to the length
  DecayCurve decay;         ///< at the study's distances
};

struct ExtensionStudy {
  RotaryEmbedding trained;
  std::int64_t trained_length = 0;  ///< T
  std::int64_t length = 0;          ///< T*
  DistanceMap rerope;               ///< of Leaky ReRoPE; ReRoPE has the same window
  std::vector<std::int64_t> distances;
  std::vector<ExtensionResult> results;  ///< the first is no rule at all
  double ntk_factor = 1;                 ///< (T*/T)^(r/(r−2))
  double covering_factor = 1;            ///< what every pair without a turn would need
  std::optional<double> critical_base;   ///< none where T is at most 2π
  std::optional<double> smallest_base;   ///< only if it was asked for
  bool fans = false;                     ///< the picture shows angle fans
};

/// The rules side by side, for people.
std::string extend_report(const ExtensionStudy& study, const Console& console);

/// One row a pair: theta, reach and unseen share of every rule.
std::string extend_csv(const ExtensionStudy& study);

/// Schema rope.extend/1; docs/commands.md lists its fields.
std::string extend_json(const ExtensionStudy& study);

/// Reach, unseen share, decay and maps of distance; or the angles of every pair as fans.
plot::Figure extend_figure(const ExtensionStudy& study);

}  // namespace rope::app
