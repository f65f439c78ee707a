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

/// Reads the same file again with other options, for example as another engine does.
using ModelReader = std::function<ModelRope(const ReadOptions&)>;

/// What an engine does differently from transformers with the layers of one type.
struct EngineDifference {
  Engine engine = Engine::hf;
  std::string layer;  ///< the name of the layer type
  /// The current length at which the difference was found, tokens.
  std::optional<std::int64_t> seq_len;
  /// The largest relative difference of a frequency, |θ/θ_hf − 1|, and its pair; 0: none.
  double frequency = 0;
  std::size_t pair = 0;
  std::optional<double> attention_factor;  ///< the attention factor A of this engine, if it differs
  /// Why the engine refuses the file; if set, the other numbers are meaningless.
  std::string refusal;
  std::vector<std::string> reasons;  ///< the engine's warnings that do not occur when the file is
                                     ///< read as transformers reads it
};

/// Lists the engines whose frequencies or attention factor for the same file differ from those of
/// transformers by more than 1e-12, relative. Engines that lack the rule are skipped, as is the
/// form of YaRN's paper, which nobody runs. Code for one family of models is skipped too, unless
/// the model belongs to that family or has no type. A permuted layout is not counted as a
/// difference.
///
/// If no current length is given and all engines agree on the frequencies of short inputs, a length
/// of twice the model's context is checked too, because dynamic rules differ there.
std::vector<EngineDifference> engine_differences(const ModelReader& read,
                                                 std::optional<std::int64_t> seq_len);

}  // namespace rope
