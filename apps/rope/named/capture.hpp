#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rope::app {

/// In one file, the names of the tensors that hold vectors before and after a rotation:
/// "FILE:q_pre" and "FILE:q_rot".
struct Capture {
  std::vector<std::string> inputs, results;  ///< inputs[i] and results[i] belong together
  /// The tensor of the tokens' positions, if the file has one.
  std::optional<std::string> positions;
};

/// Pairs the tensors of a .safetensors or .npz file by their names. The two names of a pair are x
/// and y, or differ only in a word for before (pre, before, in, input, raw) or after (rot, post,
/// after, out, output, rotated, embed). A name without such a word is taken to mean before.
///
/// Throws    rope::Error (invalid input) if no two names form a pair; whatever io::tensor_names
///           throws.
Capture capture_in(const std::string& path);

}  // namespace rope::app
