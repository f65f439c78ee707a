#include "named/token_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/scaling/scaling.hpp"
#include "usage/numbers.hpp"

namespace rope::app {
namespace {

/// Up to three axes are read as [tokens, heads, head_dim]. PyTorch's attention has four, batch and
/// heads before the tokens, and other code has other orders: none of them may be guessed.
void require_token_axis(const io::Tensor& tensor) {
  constexpr std::size_t kMostAxes = 3;
  const std::size_t axes = tensor.shape().size();
  if (axes <= kMostAxes) return;
  throw ShapeError(
      fmt::format("{}: expected --token-axis beside a tensor of {} axes, found shape {}",
                  io::printable(tensor.name(), 200), axes, io::shape_text(tensor.shape())),
      axes == kMostAxes + 1
          ? "It looks like [batch, heads, tokens, head_dim]: --token-axis 2. "
            "[batch, tokens, heads, head_dim] has 1; tokens that come first, 0."
          : "Axes count from 0 or from the end: [..., tokens, head_dim] has --token-axis -2.");
}

void refuse_both(const Arguments& arguments, std::string_view one, std::string_view other) {
  if (arguments.given(one) && arguments.given(other))
    refuse(one, "no " + std::string(other) + " beside it", "both", "Leave one of them out.");
}

std::int64_t start_of(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.value("--start");
  return text ? integer_option("--start", *text, "an integer") : 0;
}

TokenPositions read_positions(const Arguments& arguments, const TokenAxes& axes) {
  refuse_both(arguments, "--positions", "--start");
  refuse_both(arguments, "--positions", "--lengths");
  if (const std::optional<std::string> text = arguments.value("--positions"))
    return as_option("positions", [&] {
      return TokenPositions::listed(positions_option("--positions", *text).values, axes);
    });
  if (const std::optional<std::string> text = arguments.value("--lengths"))
    return as_option("lengths", [&] {
      return TokenPositions::packed(positions_option("--lengths", *text).values,
                                    start_of(arguments), axes.tokens);
    });
  return as_option("start",
                   [&] { return TokenPositions::counted(start_of(arguments), axes.tokens); });
}

/// A length that the user gave cannot be concluded; nor is one needed by other rules.
bool depends_on_length(const RotaryEmbedding& embedding) {
  return embedding.scaling.rule == "dynamic" || embedding.scaling.rule == "longrope";
}

void conclude_length(Arguments& arguments, const TokenPositions& positions,
                     const Console& console) {
  if (arguments.given("--seq-len")) return;
  const Console silent("", ColourChoice::never, true);
  if (!depends_on_length(rotary_variants(arguments, silent).front().embedding)) return;
  const std::int64_t length =
      std::clamp<std::int64_t>(positions.largest(), 0, (std::int64_t{1} << 53) - 1) + 1;
  console.warn(
      fmt::format("--seq-len: taken as {}, the largest position + 1, as transformers does; θ_k "
                  "depends on it",
                  length));
  arguments.conclude("--seq-len", std::to_string(length));
}

}  // namespace

void declare_token_options(OptionSet& options, bool with_positions) {
  options.add("--token-axis", "N",
              "the axis of the tokens, from 0, or from the end: -2 (default: 0; needed beside four "
              "axes and more: 2 for [batch, heads, tokens, head_dim])");
  if (with_positions)
    options.add(
        "--positions", "LIST",
        "the position of each token: " + std::string(kPositionsHelp) + " (default: 0, 1, 2, ...)");
  options.add("--start", "N", "the position of the first token; the others follow (default: 0)");
  options.add("--lengths", "LIST",
              "lengths of sequences packed one behind the other: positions start again in each");
  options.add_flag("--bfloat16", "16-bit integers in a .npy file are the bits of bfloat16");
}

Arguments with_output_tensors_as_results(Arguments arguments) {
  if (!arguments.given("--input")) return arguments;
  arguments.move_values("--output", "--result", [](const std::string& file) {
    return file.ends_with(".npy") || io::names_safetensors(file);
  });
  return arguments;
}

io::Tensor open_floats(const Arguments& arguments, const std::string& path) {
  io::Tensor tensor = io::open_tensor(path, {arguments.given("--bfloat16")});
  if (!io::is_floating(tensor.type()))
    throw Error(ErrorKind::invalid_input,
                fmt::format("{}: expected floating numbers, found {}",
                            io::printable(tensor.name(), 200), io::name(tensor.type())),
                tensor.type() == io::ElementType::uint16
                    ? "If these are the bits of bfloat16, add --bfloat16."
                    : "In NumPy: numpy.save(FILE, x.astype('<f4')).");
  return tensor;
}

TokenInput token_input(const Arguments& arguments, io::Tensor tensor) {
  std::int64_t axis = 0;
  if (const std::optional<std::string> text = arguments.value("--token-axis"))
    axis = integer_option("--token-axis", *text, "an axis", -64, 64);
  else
    require_token_axis(tensor);
  const TokenAxes axes = token_axes(tensor.shape(), axis, io::printable(tensor.name(), 200));
  TokenPositions positions = read_positions(arguments, axes);
  if (axis < 0) axis += static_cast<std::int64_t>(tensor.shape().size());
  return {std::move(tensor), axis, axes, std::move(positions)};
}

TokenPositions row_positions(const Arguments& arguments, std::uint64_t rows) {
  TokenAxes axes;
  axes.tokens = rows;
  return read_positions(arguments, axes);
}

RotaryEmbedding embedding_for(Arguments arguments, const TokenInput& input,
                              const Console& console) {
  const std::size_t d = input.axes.head_dim;
  const std::string name = io::printable(input.tensor.name(), 200);
  const std::string shape = io::shape_text(input.tensor.shape());
  const bool model = arguments.given("--model") || arguments.given("--config");
  if (!model && !arguments.given("--dim")) {
    if (d % 2 != 0)
      throw ShapeError(fmt::format("{}: expected a last axis of even length, the head size, found "
                                   "shape {}",
                                   name, shape),
                       "Dimensions are rotated in pairs. Is the last axis the head?");
    arguments.conclude("--dim", std::to_string(d));
  }
  conclude_length(arguments, input.positions, console);
  RotaryEmbedding embedding = rotary_variants(arguments, console).front().embedding;
  if (embedding.head_dim != d)
    throw ShapeError(fmt::format("{}: expected a last axis of {}, the head size of the embedding, "
                                 "found shape {}",
                                 name, embedding.head_dim, shape),
                     "Name another embedding, or reshape the tensor to [tokens, heads, head_dim].");
  return embedding;
}

std::string describe(const TokenInput& input) {
  return fmt::format("{}: {} {}, tokens along axis {}", io::printable(input.tensor.name(), 200),
                     io::name(input.tensor.type()), io::shape_text(input.tensor.shape()),
                     input.token_axis);
}

std::string describe(const TokenPositions& positions) {
  if (positions.smallest() == positions.largest()) return std::to_string(positions.smallest());
  return fmt::format("{} ... {}", positions.smallest(), positions.largest());
}

}  // namespace rope::app
