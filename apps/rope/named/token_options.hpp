#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/apply/token_input.hpp"
#include "rope/rotary/embedding.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// How help texts describe a tensor to read.
inline constexpr std::string_view kTensorHelp =
    "a tensor of shape [tokens, ..., head_dim]: .npy, .npz or .safetensors (FILE:NAME if it "
    "contains several), .csv with one vector per row, or raw numbers with --raw; - is standard "
    "input (.npy)";

/// What the options say about tokens: the axis of a tensor along which they lie, and their
/// positions.
struct TokenOptions {
  std::optional<std::int64_t> axis;       ///< --token-axis; negative: counted from the end
  std::optional<PositionList> positions;  ///< of each token
  /// Position of the first token; the others follow in steps of 1.
  std::optional<std::int64_t> start;
  std::optional<PositionList> lengths;          ///< lengths of sequences packed one after the other
  std::optional<AxisPositions> axis_positions;  ///< of each token, if there are several axes
  std::optional<AxisOrder> axis_order;          ///< the order of these positions in their file
  bool bfloat16 = false;  ///< whether 16-bit integers are the bits of bfloat16 numbers
  /// Layout of files that contain only elements, without a header.
  std::optional<io::RawLayout> raw;

  /// `otherwise`: what applies, according to the help, if the axis or the positions are not given.
  struct Otherwise {
    std::string_view axis =
        "0; needed with four or more axes: 2 for [batch, heads, tokens, head_dim]";
    std::string_view positions = "0, 1, 2, ...";
    std::string_view start = "0";
  };
  void declare(OptionSet& options, const Otherwise& otherwise);
  void declare(OptionSet& options) { declare(options, {}); }

  /// Declares all options except --positions, which the command declares itself.
  void declare_without_positions(OptionSet& options);

  /// Declares --axis-positions and --axis-order, for commands that rotate or judge vectors.
  void declare_axis_positions(OptionSet& options,
                              std::string_view otherwise = "the same on every axis");

  /// The first of the options, except --positions, that was given: "--start"; empty if none was.
  std::string_view given_beside_positions() const;

  bool says_positions() const { return positions || start || lengths || axis_positions; }
};

/// Moves the tensor files from `outputs` to `results`. In commands that write no tensors, `--output
/// Y.npy` next to `--input X.npy` is taken to name the output of an implementation.
void take_results(std::vector<std::string>& outputs, std::vector<std::string>& results);

/// Used in place of a file name if the vectors are typed on the command line.
inline constexpr std::string_view kTypedVectors = "--vector";

/// Opens a tensor of floating-point numbers that the user named.
///
/// Throws    rope::Error (invalid input), also if its numbers are integers; rope::SystemError.
io::Tensor open_floats(const TokenOptions& options, const std::string& path);

/// Returns y with its axes rearranged to match those of x, where x and y hold the same vectors
/// before and after rotation. An engine may order the axes differently, or merge heads and
/// dimensions. Prints a warning if the order differs.
///
/// Throws    rope::ShapeError if the axes do not match, or match in several orders.
io::Tensor in_axes_of(const io::Tensor& x, const io::Tensor& y, const Console& console);

/// Finds the token to which each vector of a tensor belongs, and the positions of the tokens.
///
/// Throws    rope::Error (invalid input), also if the tensor has more than three axes and
///           --token-axis is not given.
TokenInput token_input(const TokenOptions& options, io::Tensor tensor);

/// The possible ways to assign the vectors of a tensor to tokens: along the axis of --token-axis,
/// or else along each axis that the positions fit, the likely ones first and axes of length 1 last.
/// Each row of a batch may have its own positions. If the rotary options state the head size, a
/// last axis of several heads is split.
///
/// Throws    rope::Error (invalid input) if the positions fit no axis.
std::vector<TokenInput> token_inputs(const TokenOptions& options, const RotaryOptions& rotary,
                                     const io::Tensor& tensor);

/// Whether an axis that was read as the token axis may just as well hold the heads of one token, as
/// in decoding. This is so if no option states the token axis, and another axis has length 1.
bool may_hold_heads(const TokenOptions& options, const io::Shape& shape, std::size_t axis,
                    std::size_t other);

/// The positions that the options assign to the rows of a table.
///
/// Throws    rope::Error (invalid input).
TokenPositions row_positions(const TokenOptions& options, std::uint64_t rows);

/// Sets --seq-len to the largest position + 1, with a message, if the rule depends on the length
/// and the user gave none.
void conclude_length(RotaryOptions& rotary, std::int64_t largest, const Console& console);

/// The embedding that the rotary options describe for these vectors; the head size is that of the
/// vectors unless an option gives it. Rules that depend on the length of the sequence use the
/// largest position + 1, as transformers does, unless --seq-len is given; a message states this.
///
/// Throws    rope::Error (invalid input), also if the head sizes differ.
RotaryEmbedding embedding_for(RotaryOptions rotary, const TokenInput& input,
                              const Console& console);

/// The error for a tensor whose last axis does not have the length `head_dim`.
ShapeError other_head_size(const io::Tensor& tensor, std::size_t head_dim);

/// "x.npy: float32 (12, 8, 128), tokens along axis 0"
std::string describe(const TokenInput& input, Language language = Language::en);

/// "0 … 11"
std::string describe(const TokenPositions& positions);

}  // namespace rope::app
