#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rope/attention/base_bounds.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/attention/decay.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/rotary/scaling_spec.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope {

/// A model trained on T tokens that is to read T* tokens.
struct ExtensionRequest {
  RotaryEmbedding trained;  ///< must have a base; its own rule, if any, is not applied in training:
                            ///< the study shows what that rule does with the longer context
  std::int64_t trained_length = 0;  ///< T, tokens
  std::int64_t length = 0;          ///< T*, tokens
  /// A missing factor or original length is derived from T and T*. If empty: all rules that need no
  /// other parameters, and a larger base.
  std::vector<ScalingSpec> rules;
  /// The window of ReRoPE and Leaky ReRoPE, tokens; T/2 if none is given.
  std::optional<std::int64_t> window;
  bool search_base = false;  ///< whether to search for the smallest base, which takes a long time
};

/// How one rule handles a context that is longer than training.
struct ExtensionResult {
  std::string label;        ///< "yarn:factor=4,original=2048"
  std::string short_label;  ///< "yarn"
  bool own = false;         ///< whether this is the model's own rule
  RotaryEmbedding embedding;
  AngleCoverage coverage;
  /// 1 − mean cosine at distance 1: how well neighbouring tokens are distinguished.
  double adjacent_gap = 0;
  FirstNegative negative;  ///< of the mean cosine, up to T*
  DecayCurve decay;        ///< at the study's distances

  /// How many pairs meet angles that did not occur in training.
  std::size_t pairs_at_new_angles() const;
};

struct ExtensionStudy {
  RotaryEmbedding trained;
  std::int64_t trained_length = 0;      ///< T
  std::int64_t length = 0;              ///< T*
  DistanceMap rerope;                   ///< the map of Leaky ReRoPE; ReRoPE has the same window
  std::vector<std::int64_t> distances;  ///< 1 … T*, evenly spaced on a logarithmic axis
  /// The first result is without any rule, the second with the model's own rule if it has one.
  std::vector<ExtensionResult> results;
  double ntk_factor = 1;       ///< (T*/T)^(r/(r−2))
  double covering_factor = 1;  ///< the factor that covers every pair that completed no turn
  std::optional<double> critical_base;        ///< nothing if T is at most 2π
  std::optional<SmallestBase> smallest_base;  ///< only if it was requested
  std::optional<RoundBase> round_base;        ///< a round base found in the same search
  std::vector<std::string> notes;             ///< what was omitted; sentences without a full stop

  /// How many pairs completed no turn in training.
  std::size_t never_turned() const;

  /// How many of those pairs meet no new angle even without a rule, because they almost completed a
  /// turn.
  std::size_t almost_turned() const;

  /// The largest reach among the pairs that completed no turn in training; 0 if there is no such
  /// pair.
  double slow_reach(const ExtensionResult& result) const;

  /// The rule with the smallest adjacent_gap, among those with which no pair meets new angles;
  /// nullptr if there is no such rule.
  const ExtensionResult* most_pressed() const;
};

/// Compares the rules. `progress` is called once per rule, and about 150 000 times during a search
/// for the base.
///
/// Throws    DomainError if the trained embedding has no base, or unless 1 <= T <= T* and 0 <=
///           window < T; whatever smallest_base throws; rope::Error if a requested rule rejects its
///           parameters.
ExtensionStudy extension_study(const ExtensionRequest& request,
                               const std::function<void()>& progress = {});

}  // namespace rope
