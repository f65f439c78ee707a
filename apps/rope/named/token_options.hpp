#pragma once

#include <optional>
#include <string>

#include "rope/apply/token_positions.hpp"
#include "rope/io/tensor.hpp"
#include "rope/rotary/embedding.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// Vectors in a file, and the positions of their tokens.
struct TokenInput {
  io::Tensor tensor;
  std::int64_t token_axis = 0;  ///< as the user counts it, from 0
  TokenAxes axes;
  TokenPositions positions;
};

/// How help texts describe a tensor to read.
inline constexpr std::string_view kTensorHelp =
    "a tensor of shape [tokens, ..., head_dim]: .npy, .safetensors (FILE.safetensors:NAME where it "
    "holds several), or .csv with one vector a row; - is standard input (.npy)";

/// --token-axis, --start, --lengths and --bfloat16, and --positions too if `with_positions`.
void declare_token_options(OptionSet& options, bool with_positions);

/// `--output Y.npy` beside `--input X.npy` names what an implementation made, in commands that
/// write no tensors: those files become values of --result.
Arguments with_output_tensors_as_results(Arguments arguments);

/// Opens a tensor of floating numbers that the user named.
///
/// Throws    rope::Error (invalid input), also for integers; rope::SystemError.
io::Tensor open_floats(const Arguments& arguments, const std::string& path);

/// Reads how the vectors of a tensor belong to tokens, and where the tokens stand.
///
/// Throws    rope::Error (invalid input), also for more than three axes without --token-axis.
TokenInput token_input(const Arguments& arguments, io::Tensor tensor);

/// The positions that --positions, --start and --lengths give to the rows of a table.
///
/// Throws    rope::Error (invalid input).
TokenPositions row_positions(const Arguments& arguments, std::uint64_t rows);

/// The embedding that the rotary options name for these vectors: the head size is that of the
/// vectors unless it is given, and rules that depend on the length of the sequence take the largest
/// position + 1, as transformers does, unless --seq-len is given; the console says so.
///
/// Throws    rope::Error (invalid input), also where the head sizes differ.
RotaryEmbedding embedding_for(Arguments arguments, const TokenInput& input, const Console& console);

/// "x.npy: float32 (12, 8, 128), tokens along axis 0"
std::string describe(const TokenInput& input);

/// "0 ... 11"
std::string describe(const TokenPositions& positions);

}  // namespace rope::app
