#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rope::app {

/// The tensors of one file that hold vectors before and after a rotation, by their names:
/// "FILE:q_pre" and "FILE:q_rot".
struct Capture {
  std::vector<std::string> inputs, results;  ///< the same number of each
  std::optional<std::string> positions;      ///< of the tokens, if the file has such a tensor
};

/// Pairs the tensors of a .safetensors or .npz file by their names. These are x and y, or differ
/// only in a word for before (pre, before, in, input, raw) or after (rot, post, after, out, output,
/// rotated, embed). A name without such a word counts as before.
///
/// Throws    rope::Error (invalid input) if no two names belong together; whatever io::tensor_names
///           throws.
Capture capture_in(const std::string& path);

}  // namespace rope::app
