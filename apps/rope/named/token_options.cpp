#include "named/token_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>
#include <iterator>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/arrange.hpp"
#include "rope/io/quote.hpp"
#include "rope/language/said.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope::app {
namespace {

/// Up to three axes are read as [tokens, heads, head_dim]. PyTorch's attention has four, batch and
/// heads before the tokens, and other code has other orders: none of them may be guessed.
void require_token_axis(const io::Tensor& tensor) {
  constexpr std::size_t kMostAxes = 3;
  const std::size_t axes = tensor.shape().size();
  if (axes <= kMostAxes) return;
  throw ShapeError(
      fmt::format("{}: expected --token-axis with a tensor of {} axes, found shape {}",
                  io::printable(tensor.name(), 200), axes, io::shape_text(tensor.shape())),
      axes == kMostAxes + 1
          ? "It looks like [batch, heads, tokens, head_dim]: use --token-axis 2. For [batch, "
            "tokens, heads, head_dim], use 1; if tokens come first, 0."
          : "Axes are counted from 0 or from the end: for [..., tokens, head_dim], use "
            "--token-axis -2.");
}

TokenPositions token_positions(const TokenOptions& options, const TokenAxes& axes) {
  if (options.axis_positions) {
    AxisPositions given = *options.axis_positions;
    given.order = options.axis_order;
    return TokenPositions::on_axes(given, axes);
  }
  if (options.positions) return TokenPositions::listed(options.positions->values, axes);
  const std::int64_t start = options.start.value_or(0);
  if (options.lengths) return TokenPositions::packed(options.lengths->values, start, axes.tokens);
  return TokenPositions::counted(start, axes.tokens);
}

/// The axes that may be that of the tokens. Of three the first is, as in [tokens, heads, head_dim];
/// of more the last one is, as in [batch, heads, tokens, head_dim]. An axis of length 1 is one
/// where no other will do; one of them stands for all.
std::vector<std::size_t> likely_token_axes(const io::Shape& shape) {
  std::vector<std::size_t> axes, single;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
    (shape[axis] == 1 ? single : axes).push_back(axis);
  if (shape.size() > 3) {
    std::ranges::reverse(axes);
    std::ranges::reverse(single);
  }
  if (!single.empty()) axes.push_back(single.front());
  return axes;
}

/// The positions of --positions as tokens along an axis take them: one per token of each row of the
/// batch, which other axes may stand between, is one per token of all that precedes.
std::optional<PositionList> positions_along(const TokenOptions& options, const io::Shape& shape,
                                            std::size_t axis) {
  if (!options.positions) return std::nullopt;
  const std::vector<std::int64_t>& given = options.positions->values;
  const std::uint64_t tokens = shape[axis];
  std::uint64_t between = 1;
  for (std::size_t i = 1; i < axis; ++i) between *= shape[i];
  if (axis < 2 || between == 1 || given.size() == tokens || given.size() != shape[0] * tokens)
    return options.positions;
  PositionList all = *options.positions;
  all.values.clear();
  for (std::uint64_t outer = 0; outer < shape[0] * between; ++outer) {
    const auto row = given.begin() + static_cast<std::ptrdiff_t>(outer / between * tokens);
    all.values.insert(all.values.end(), row, row + static_cast<std::ptrdiff_t>(tokens));
  }
  return all;
}

/// The head size that is stated, or is that of a stated model.
std::optional<std::size_t> stated_head_size(const RotaryOptions& rotary) {
  if (!rotary.names_model())
    return rotary.dims.empty() ? std::nullopt : std::optional(rotary.dims.front());
  const Console silent = Console::silent();
  return rotary_variant(rotary, silent).embedding.head_dim;
}

/// How many axes positions are stated to have.
std::optional<std::size_t> stated_axes(const RotaryOptions& rotary) {
  if (rotary.axes.sections) return rotary.axes.sections->pairs.size();
  if (rotary.axes.dims) return rotary.axes.dims->dims.size();
  if (!rotary.names_model()) return std::nullopt;
  const Console silent = Console::silent();
  return rotary_variant(rotary, silent).embedding.axes.count();
}

/// Takes a last axis of several heads for an axis of heads and one of their dimensions.
void split_heads(std::optional<std::size_t> head, TokenAxes& axes) {
  if (!head || *head == 0 || axes.head_dim % *head != 0) return;
  axes.inner *= axes.head_dim / *head;
  axes.head_dim = *head;
}

constexpr std::array<Choice<AxisOrder>, 2> kAxisOrders = {
    {{"tokens-first", AxisOrder::tokens_first}, {"axes-first", AxisOrder::axes_first}}};

AxisPositions read_axis_positions(std::string_view option, const std::string& path) {
  const io::Tensor tensor = io::open_tensor(path);
  if (io::is_floating(tensor.type()))
    refuse(option, "an array of integers in " + io::in_quotes(path),
           std::string(io::name(tensor.type())) + " of shape " + io::shape_text(tensor.shape()),
           "In NumPy: numpy.save(FILE, positions.astype('<i8')).");
  if (tensor.count() > kMaxPositions)
    refuse(option, fmt::format("at most {} numbers", kMaxPositions),
           std::to_string(tensor.count()));
  return {tensor.shape(), tensor.integers(), std::nullopt,
          std::string(option) + ": " + io::printable(tensor.name(), 200)};
}

/// Positions on several axes are those of an embedding that has as many.
void check_axes(const TokenPositions& positions, const RotaryEmbedding& embedding) {
  const std::size_t axes = embedding.axes.count();
  if (positions.axes() == 1 || positions.axes() == axes) return;
  refuse(
      "--axis-positions",
      axes == 1 ? std::string("an embedding with several axes")
                : fmt::format("positions on {} axes ({}), as the embedding has", axes,
                              fmt::join(embedding.axes.names, ", ")),
      axes == 1 ? "one with a single axis" : fmt::format("{} axes", positions.axes()),
      axes == 1
          ? "Assign the pairs to axes with --sections or --axes, or name a model with several axes."
          : "Write an axis that turns nothing as a section of 0: --sections 16,24,24,0.");
}

/// "bf16:48,8,80", or with ggml's order of the axes "bf16:ne=80,8,48".
io::RawLayout read_raw(std::string_view option, std::string_view text) {
  struct Type {
    std::string_view word;
    io::ElementType type;
  };
  constexpr std::array<Type, 4> kTypes = {{{"f64", io::ElementType::float64},
                                           {"f32", io::ElementType::float32},
                                           {"f16", io::ElementType::float16},
                                           {"bf16", io::ElementType::bfloat16}}};
  constexpr std::string_view kFastestFirst = "ne=";
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto* const type = std::ranges::find(kTypes, text.substr(0, colon), &Type::word);
  std::string_view sizes = text.substr(std::min(colon + 1, text.size()));
  const bool fastest_first = sizes.starts_with(kFastestFirst);
  if (fastest_first) sizes.remove_prefix(kFastestFirst.size());
  io::RawLayout raw;
  bool valid = type != kTypes.end() && !sizes.empty();
  for (const std::string_view item : list_items(sizes)) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), size);
    valid = valid && error == std::errc() && end == item.data() + item.size() && size > 0;
    raw.shape.push_back(size);
  }
  if (!valid || raw.shape.size() > io::kMaxAxes)
    refuse(option, "f64, f32, f16 or bf16, a colon and the sizes of the axes", io::in_quotes(text),
           "Write [48 tokens, 8 heads, 80 dimensions] of bfloat16 as bf16:48,8,80, or with ggml's "
           "ne as bf16:ne=80,8,48.");
  raw.type = type->type;
  if (fastest_first) std::ranges::reverse(raw.shape);
  return raw;
}

void declare_axis(OptionSet& options, TokenOptions& fields, std::string_view otherwise) {
  options.integer("--token-axis N",
                  "the axis of the tokens, counted from 0, or from the end if negative (-2)",
                  fields.axis, {-64, 64, "an axis"}, otherwise);
}

void declare_rest(OptionSet& options, TokenOptions& fields, std::string_view start) {
  options.integer("--start N", "the position of the first token; the others follow", fields.start,
                  {.tokens = true}, start);
  options.bound("--lengths LIST", "lengths of packed sequences: positions restart in each",
                fields.lengths, read_positions);
  options.flag("--bfloat16", "read 16-bit integers in a .npy file as the bits of bfloat16",
               fields.bfloat16);
  options.bound("--raw TYPE:SHAPE",
                "type and shape of a file of raw numbers: bf16:48,8,80, with the last index "
                "varying fastest, or bf16:ne=80,8,48 as ggml writes it; types f64, f32, f16, bf16",
                fields.raw, read_raw);
}

}  // namespace

void TokenOptions::declare(OptionSet& options, const Otherwise& otherwise) {
  declare_axis(options, *this, otherwise.axis);
  options.bound("--positions LIST", "the position of each token: " + std::string(kPositionsHelp),
                positions, read_positions, otherwise.positions);
  declare_rest(options, *this, otherwise.start);
  options.often_used({"--positions"});
  options.exclude("--positions", {"--start", "--lengths"}, "each sets the positions of the tokens");
}

void TokenOptions::declare_without_positions(OptionSet& options) {
  declare_axis(options, *this, "detected");
  declare_rest(options, *this, Otherwise().start);
  options.exclude("--positions", {"--start", "--lengths"}, "each sets the positions of the tokens");
}

void TokenOptions::declare_axis_positions(OptionSet& options, std::string_view otherwise) {
  options.bound("--axis-positions FILE",
                "positions on several axes, as integers in a .npy, .npz or .safetensors file: "
                "[tokens, axes], [axes, tokens], or per batch [axes, batch, tokens]",
                axis_positions, read_axis_positions, otherwise);
  options.choice("--axis-order ORDER",
                 "the order of tokens and axes in FILE, if its shape does not determine it",
                 axis_order, kAxisOrders);
  options.take_files({"--axis-positions"});
  options.exclude("--axis-positions", {"--positions", "--start", "--lengths"},
                  "each sets the positions of the tokens");
}

std::string_view TokenOptions::given_beside_positions() const {
  if (axis_positions) return "--axis-positions";
  if (axis_order) return "--axis-order";
  if (axis) return "--token-axis";
  if (start) return "--start";
  if (lengths) return "--lengths";
  if (raw) return "--raw";
  return bfloat16 ? "--bfloat16" : "";
}

void take_results(std::vector<std::string>& outputs, std::vector<std::string>& results) {
  const auto is_tensor = [](const std::string& file) {
    return file.ends_with(".npy") || io::names_safetensors(file);
  };
  std::ranges::copy_if(outputs, std::back_inserter(results), is_tensor);
  std::erase_if(outputs, is_tensor);
}

io::Tensor open_floats(const TokenOptions& options, const std::string& path) {
  io::Tensor tensor = io::open_tensor(path, {options.bfloat16, options.raw});
  if (!io::is_floating(tensor.type()))
    throw Error(ErrorKind::invalid_input,
                fmt::format("{}: expected floating-point numbers, found {}",
                            io::printable(tensor.name(), 200), io::name(tensor.type())),
                tensor.type() == io::ElementType::uint16 || tensor.type() == io::ElementType::int16
                    ? "If these are the bits of bfloat16, add --bfloat16."
                    : "In NumPy: numpy.save(FILE, x.astype('<f4')).");
  return tensor;
}

io::Tensor in_axes_of(const io::Tensor& x, const io::Tensor& y, const Console& console) {
  if (x.shape() == y.shape()) return y;
  const std::string name = io::printable(y.name(), 200), other = io::printable(x.name(), 200);
  const std::optional<io::Arranged> found = io::arranged(y, x.shape());
  if (!found)
    throw ShapeError(fmt::format("{}: expected the shape of {}, {}, got {}", name, other,
                                 io::shape_text(x.shape()), io::shape_text(y.shape())),
                     x.count() == y.count()
                         ? "The axes may be in another order, but only if exactly one order fits: "
                           "transpose the tensor first."
                         : "Both must contain the same vectors, before and after the rotation.");
  if (!found->order.empty())
    console.warn(fmt::format("{}: its axes, {}, are read in the order {}, to match {}", name,
                             io::shape_text(y.shape()), fmt::join(found->order, ", "), other));
  return found->tensor;
}

TokenInput token_input(const TokenOptions& options, io::Tensor tensor) {
  if (!options.axis) require_token_axis(tensor);
  std::int64_t axis = options.axis.value_or(0);
  const TokenAxes axes = token_axes(tensor.shape(), axis, io::printable(tensor.name(), 200));
  TokenPositions positions = token_positions(options, axes);
  if (axis < 0) axis += static_cast<std::int64_t>(tensor.shape().size());
  return {std::move(tensor), axis, axes, std::move(positions)};
}

std::vector<TokenInput> token_inputs(const TokenOptions& options, const RotaryOptions& rotary,
                                     const io::Tensor& tensor) {
  const io::Shape& shape = tensor.shape();
  std::vector<TokenInput> readings;
  std::exception_ptr refused;
  const auto read = [&](const TokenOptions& along) {
    try {
      readings.push_back(token_input(along, tensor));
    } catch (const ShapeError&) {
      if (!refused) refused = std::current_exception();
    } catch (const Error&) {  // says more than that an axis has another length
      refused = std::current_exception();
    }
  };
  TokenOptions along = options;
  if (options.axis || shape.size() < 3) {
    const std::int64_t axis = options.axis.value_or(0);
    const std::int64_t counted = axis < 0 ? axis + std::ssize(shape) : axis;
    if (counted >= 0 && counted + 1 < std::ssize(shape))
      along.positions = positions_along(options, shape, static_cast<std::size_t>(counted));
    readings.push_back(token_input(along, tensor));
  } else {
    for (const std::size_t axis : likely_token_axes(shape)) {
      along.axis = static_cast<std::int64_t>(axis);
      along.positions = positions_along(options, shape, axis);
      read(along);
    }
  }
  if (readings.empty()) std::rethrow_exception(refused);
  // Of [3, 2] numbers, 3 may be the tokens or the axes.
  const auto other = [axes = options.axis_positions ? stated_axes(rotary) : std::nullopt](
                         const TokenInput& one) { return axes && one.positions.axes() != *axes; };
  if (!std::ranges::all_of(readings, other)) std::erase_if(readings, other);
  const std::optional<std::size_t> head = stated_head_size(rotary);
  for (TokenInput& reading : readings) split_heads(head, reading.axes);
  return readings;
}

bool may_hold_heads(const TokenOptions& options, const io::Shape& shape, std::size_t axis,
                    std::size_t other) {
  if (options.axis || options.positions || options.lengths || options.axis_positions) return false;
  constexpr std::size_t kMostHeads = 128;
  // Of four axes, the first counts the rows of a batch.
  return other != axis && shape[other] == 1 && (shape.size() < 4 || other > 0) && shape[axis] > 1 &&
         shape[axis] <= kMostHeads;
}

TokenPositions row_positions(const TokenOptions& options, std::uint64_t rows) {
  TokenAxes axes;
  axes.tokens = rows;
  return token_positions(options, axes);
}

ShapeError other_head_size(const io::Tensor& tensor, std::size_t head_dim) {
  const io::Shape& shape = tensor.shape();
  const bool first = !shape.empty() && shape.front() == head_dim;
  return ShapeError(
      fmt::format("{}: expected a last axis of {}, the head size of the embedding, found shape "
                  "{}",
                  io::printable(tensor.name(), 200), head_dim, io::shape_text(shape)),
      first ? fmt::format(
                  "The first axis has that length. If the axes are in the order of ggml, use --raw "
                  "TYPE:ne={}. Otherwise transpose the tensor to [tokens, heads, head_dim].",
                  fmt::join(shape, ","))
            : "Name another embedding, or reshape the tensor to [tokens, heads, head_dim].");
}

void conclude_length(RotaryOptions& rotary, std::int64_t largest, const Console& console) {
  if (rotary.seq_len) return;
  const Console silent = Console::silent();
  if (!depends_on_length(rotary_variant(rotary, silent).embedding.scaling)) return;
  const std::int64_t length = std::clamp<std::int64_t>(largest, 0, (std::int64_t{1} << 53) - 1) + 1;
  console.warn(fmt::format(
      "--seq-len: taken as {}, the largest position + 1, as in transformers; θ_i depends on it",
      length));
  rotary.seq_len = length;
}

RotaryEmbedding embedding_for(RotaryOptions rotary, const TokenInput& input,
                              const Console& console) {
  const std::size_t d = input.axes.head_dim;
  if (!rotary.names_model() && rotary.dims.empty()) {
    if (d % 2 != 0)
      throw ShapeError(fmt::format("{}: expected a last axis of even length, the head size, found "
                                   "shape {}",
                                   io::printable(input.tensor.name(), 200),
                                   io::shape_text(input.tensor.shape())),
                       "Dimensions are rotated in pairs. Is the last axis the head?");
    rotary.dims = {d};
  }
  conclude_length(rotary, input.positions.largest(), console);
  RotaryEmbedding embedding = rotary_variant(rotary, console).embedding;
  check_axes(input.positions, embedding);
  if (embedding.head_dim != d && input.tensor.name() == kTypedVectors)
    refuse(kTypedVectors,
           fmt::format("{} numbers, {}", embedding.head_dim,
                       rotary.names_model() ? "one per dimension of the model's head"
                                            : "as --dim requires"),
           std::to_string(d),
           rotary.names_model() ? "Give that many, or leave the model out."
                                : "Leave --dim out: it follows from the vectors.");
  if (embedding.head_dim != d) throw other_head_size(input.tensor, embedding.head_dim);
  return embedding;
}

std::string describe(const TokenInput& input, Language language) {
  std::string text =
      said(language, "{}: {} {}, tokens along axis {}", io::printable(input.tensor.name(), 200),
           io::name(input.tensor.type()), io::shape_text(input.tensor.shape()), input.token_axis);
  if (const std::uint64_t last = input.tensor.shape().back(); last != input.axes.head_dim)
    text += said(language, ", {} heads of {} in the last axis", last / input.axes.head_dim,
                 input.axes.head_dim);
  return text;
}

std::string describe(const TokenPositions& positions) {
  if (positions.smallest() == positions.largest()) return std::to_string(positions.smallest());
  return fmt::format("{} … {}", positions.smallest(), positions.largest());
}

}  // namespace rope::app
