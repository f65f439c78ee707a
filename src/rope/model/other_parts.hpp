#pragma once

#include <string>
#include <vector>

#include "rope/io/json.hpp"
#include "rope/model/model_rope.hpp"

namespace rope {

/// The parts of a file that rotate beside what `model` tells of: "talker_config",
/// "token2wav_config.dit_config". `main` is the part that was read, "" for the root.
std::vector<std::string> other_rotating_parts(const io::Json& root, const std::string& main,
                                              const ModelRope& model);

}  // namespace rope
