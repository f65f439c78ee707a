#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rope::app {

/// The tensors of one file that hold vectors before and after a rotation, by their names:
/// "FILE:q_pre" and "FILE:q_rot".
struct Capture {
  std::vector<std::string> inputs, results;  ///< as many of each
  std::optional<std::string> positions;      ///< of the tokens, if the file has such a tensor
};

/// Pairs the tensors of a .safetensors or .npz file: their names are alike except for a word that
/// says before (pre, before, in, input, raw) or after (rot, post, after, out, output, rotated,
/// embed), or are x and y; a name without such a word is the one before.
///
/// Throws    rope::Error (invalid input) if no two names belong together; as io::tensor_names.
Capture capture_in(const std::string& path);

}  // namespace rope::app
