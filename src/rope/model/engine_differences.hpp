#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rope/model/engine.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// Reads one file repeatedly, as different engines do.
using ModelReader = std::function<ModelRope(const ReadOptions&)>;

/// What an engine does differently with the layers of one type.
struct EngineDifference {
  Engine engine = Engine::hf;
  std::string layer;                    ///< its name
  std::optional<std::int64_t> seq_len;  ///< the current length at which it was found, tokens
  /// The largest relative difference of a frequency, |θ/θ_hf − 1|, and its pair; 0: none.
  double frequency = 0;
  std::size_t pair = 0;
  std::optional<double> attention_factor;  ///< A of this engine, if it differs
  std::string refusal;               ///< why it reads nothing at all; the rest is then meaningless
  std::vector<std::string> reasons;  ///< the warnings that transformers' reading does not have
};

/// Where other engines compute other frequencies, or another attention factor, than transformers
/// does from the same file, by more than 1e-12 relative. Engines that do not know the rule are
/// skipped, as is YaRN's paper, which nobody runs. So is code for one family of models, unless the
/// model belongs to it or has no type. A permuted layout is not a difference.
///
/// Without a current length, if all agree on the frequencies of short inputs, twice the model's
/// context is checked too: dynamic rules differ there.
std::vector<EngineDifference> engine_differences(const ModelReader& read,
                                                 std::optional<std::int64_t> seq_len);

}  // namespace rope
