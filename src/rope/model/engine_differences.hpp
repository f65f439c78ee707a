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
  std::string layer;  ///< its name
  std::optional<std::int64_t>
      seq_len;  ///< the current length at which the difference was found, tokens
  /// The largest relative difference of a frequency, |θ/θ_hf − 1|, and its pair; 0: none.
  double frequency = 0;
  std::size_t pair = 0;
  std::optional<double> attention_factor;  ///< A of this engine, if it differs
  std::string refusal;  ///< why the engine refuses the file; the rest is then meaningless
  std::vector<std::string>
      reasons;  ///< the warnings that do not occur when reading as transformers
};

/// Where other engines compute frequencies or an attention factor that differ by more than 1e-12
/// relative from those of transformers for the same file. Engines that lack the rule are skipped,
/// as is YaRN's paper, which nobody runs. Code for one family of models is skipped too, unless the
/// model belongs to that family or has no type. A permuted layout is not counted as a difference.
///
/// If no current length is given and all engines agree on the frequencies of short inputs, twice
/// the model's context is checked too, because dynamic rules differ there.
std::vector<EngineDifference> engine_differences(const ModelReader& read,
                                                 std::optional<std::int64_t> seq_len);

}  // namespace rope
