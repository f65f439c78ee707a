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

/// Reads one file, again and again, as different engines do.
using ModelReader = std::function<ModelRope(const ReadOptions&)>;

/// What an engine makes otherwise of the layers of one type.
struct EngineDifference {
  Engine engine = Engine::hf;
  std::string layer;                    ///< its name
  std::optional<std::int64_t> seq_len;  ///< the current length where it was found, tokens
  /// The largest relative difference of a frequency, |θ/θ_hf − 1|, and whose it is; 0: none.
  double frequency = 0;
  std::size_t pair = 0;
  std::optional<double> attention_factor;  ///< A of this engine, where it is another
  std::string refusal;               ///< why it reads nothing at all; then the rest says nothing
  std::vector<std::string> reasons;  ///< the warnings that transformers' reading has not
};

/// Where other engines compute other frequencies, or another attention factor, than transformers
/// does from the same file: more than 1e-12 relative. Engines that do not know the rule are left
/// out, and so is code of one family of models, unless the model is of it or of no type, and the
/// paper of YaRN, which nobody runs. A permuted layout is no difference.
///
/// Without a current length, where all agree on the frequencies of short inputs, twice the model's
/// context is looked at, too: dynamic rules differ there.
std::vector<EngineDifference> engine_differences(const ModelReader& read,
                                                 std::optional<std::int64_t> seq_len);

}  // namespace rope
