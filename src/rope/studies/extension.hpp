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
  RotaryEmbedding trained;  ///< with a base; its own rule, if it has one, is dropped for training,
                            ///< and the study shows what that rule does with the longer context
  std::int64_t trained_length = 0;  ///< T, tokens
  std::int64_t length = 0;          ///< T*, tokens
  /// A missing factor or original length follows from the two lengths. Empty: the rules that need
  /// nothing else, and a larger base.
  std::vector<ScalingSpec> rules;
  std::optional<std::int64_t> window;  ///< of ReRoPE and Leaky ReRoPE, tokens; T/2 if none is given
  bool search_base = false;            ///< takes a long time
};

/// How one rule handles a context that is longer than training.
struct ExtensionResult {
  std::string label;        ///< "yarn:factor=4,original=2048"
  std::string short_label;  ///< "yarn"
  bool own = false;         ///< whether it is the rule that the model came with
  RotaryEmbedding embedding;
  AngleCoverage coverage;
  double adjacent_gap = 0;  ///< 1 − mean cosine at distance 1: how well neighbours are told apart
  FirstNegative negative;   ///< of the mean cosine, up to the length
  DecayCurve decay;         ///< at the study's distances

  /// How many pairs meet angles that training did not show.
  std::size_t pairs_at_new_angles() const;
};

struct ExtensionStudy {
  RotaryEmbedding trained;
  std::int64_t trained_length = 0;       ///< T
  std::int64_t length = 0;               ///< T*
  DistanceMap rerope;                    ///< of Leaky ReRoPE; ReRoPE has the same window
  std::vector<std::int64_t> distances;   ///< 1 … T*, evenly on a logarithmic axis
  std::vector<ExtensionResult> results;  ///< the first without any rule, then the model's own rule
  double ntk_factor = 1;                 ///< (T*/T)^(r/(r−2))
  double covering_factor = 1;            ///< the factor that covers every pair without a turn
  std::optional<double> critical_base;   ///< none where T is at most 2π
  std::optional<SmallestBase> smallest_base;  ///< only if it was requested
  std::optional<RoundBase> round_base;        ///< a round base found along with it
  std::vector<std::string> notes;             ///< what was omitted; sentences without a full stop

  /// How many pairs completed no turn in training.
  std::size_t never_turned() const;

  /// How many of those meet no new angle even without a rule, because they missed a full turn by
  /// too little to count.
  std::size_t almost_turned() const;

  /// The largest reach of the pairs that completed no turn; 0 if there is none.
  double slow_reach(const ExtensionResult& result) const;

  /// The rule with the smallest gap between neighbours, among those that bring no pair to new
  /// angles; none if there is no such rule.
  const ExtensionResult* most_pressed() const;
};

/// The rules side by side. `progress` is called once per rule, and about 150 000 times in a search
/// for the base.
///
/// Throws    DomainError if the trained embedding has no base, or unless 1 <= T <= T* and 0 <=
///           window < T, and as smallest_base; rope::Error if a requested rule rejects its
///           parameters.
ExtensionStudy extension_study(const ExtensionRequest& request,
                               const std::function<void()>& progress = {});

}  // namespace rope
