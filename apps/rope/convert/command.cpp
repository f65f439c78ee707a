// `rope convert`: the same vectors or weights, their pairs laid out the other way.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "named/rotary_options.hpp"
#include "rope/documents/conversion.hpp"
#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor_writer.hpp"
#include "rope/rotary/frequencies.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostRows = 12;

/// "From interleaved to half layout"
std::string direction_text(const LayoutChange& change) {
  return fmt::format("From {} to {} layout", name(change.from), name(change.to));
}

void print_tensor(const OneTensor& one, const Console& console) {
  const io::Tensor& x = one.tensor;
  const std::size_t d = one.heads.head_dim, r = one.change.rotary_dim;
  console.say(console.paint(
      Ink::strong, fmt::format("{}: {} of {} numbers along axis {}{}.", direction_text(one.change),
                               counted(one.heads.heads, "head"), d, one.heads.axis,
                               r == d ? std::string() : fmt::format(", the first {} of each", r))));
  console.say(fmt::format("{}: {} {}", io::printable(x.name(), 200), io::name(x.type()),
                          io::shape_text(x.shape())));
}

void print_checkpoint(const CheckpointPlan& plan, const Console& console) {
  const std::size_t converted = plan.converted.size();
  console.say(console.paint(
      Ink::strong,
      fmt::format("{}: {} converted, {} dimensions of each head; {} copied as {}.",
                  direction_text(plan.change), counted(converted, "tensor"), plan.change.rotary_dim,
                  plan.header.tensors.size() - converted,
                  plan.header.tensors.size() - converted == 1 ? "it is" : "they are")));
  Table table({{"tensor", Table::Align::left},
               {"role", Table::Align::left},
               {"type", Table::Align::left},
               {"heads"},
               {"head size"}});
  const ShownRows shown = shown_rows(converted, kMostRows);
  for (std::size_t i = 0; i < shown.rows.size(); ++i) {
    const ConvertedWeight& weight = plan.converted[shown.rows[i]];
    const io::SafetensorsEntry& entry = plan.header.tensors[weight.entry];
    if (shown.gap_before(i)) table.add_row({"…", "", "", "", ""});
    table.add_row({io::printable(entry.name, 80), std::string(name(weight.role)), entry.dtype,
                   std::to_string(weight.heads.heads), std::to_string(weight.heads.head_dim)});
  }
  console.print(table, "Converted tensors");
}

void run_one(const OneTensor& one, const OutputPlan& plan, const Console& console) {
  const io::Tensor& x = one.tensor;
  Products products;
  products.report = [&](const Console& out) { print_tensor(one, out); };
  products.tensor = [&](const OutputFile& file) {
    io::TensorFormat format;
    if (file.format == Format::safetensors) format.kind = io::TensorFormat::Kind::safetensors;
    const std::size_t colon = x.name().rfind(".safetensors:");
    if (colon != std::string::npos) format.tensor = x.name().substr(colon + 13);
    io::TensorWriter writer(file.path, format, x.type(), x.shape());
    Progress progress(console, x.count() * size_of(x.type()), "converting");
    convert_tensor(x, one.heads, one.change, [&](std::span<const char> bytes) {
      writer.append_bytes(bytes);
      progress.advance(bytes.size());
    });
    writer.commit();
  };
  products.json = [&] { return tensor_json(one); };
  write_output(plan, products, console);
}

/// Shards hold the layers one by one, but a layer's queries without its keys is a surprise.
void warn_of_missing(const CheckpointPlan& plan, const Console& console) {
  const auto count = [&](WeightRole role) {
    return std::ranges::count(plan.converted, role, &ConvertedWeight::role);
  };
  if (count(WeightRole::query) != count(WeightRole::key))
    console.warn(
        fmt::format("found {} query and {} key tensors: convert the other files of the model too",
                    count(WeightRole::query), count(WeightRole::key)));
}

/// Whether all of a file is meant: none of its tensors is named. A single one whose name tells
/// nothing is taken as vectors.
bool is_checkpoint(const std::string& path) {
  if (!io::names_safetensors(path) || !path.ends_with(".safetensors")) return false;
  const io::SafetensorsHeader header = io::read_safetensors_header(*io::open_input(path));
  return header.tensors.size() != 1 ||
         weight_role(header.tensors.front().name) != WeightRole::other;
}

struct Convert final : Invocation {
  static constexpr std::array kFormats = {Format::npy, Format::safetensors};
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope apply --vector 1,2,3,4 -o q.npy",
      "rope convert q.npy --from interleaved --to half --axis 1 -o q_half.npy",
      "rope convert q_half.npy --from half --to interleaved --axis 1 -o q.npy"};
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"layout", "pair", "head size", "rotated dimensions"});

  std::vector<std::string> file;
  std::optional<PairLayout> from;
  std::optional<PairLayout> to;
  std::size_t rotary_dim = 0;  ///< 0: the head size; so are the other sizes where they are found
  std::size_t heads = 0;
  std::size_t kv_heads = 0;
  std::size_t head_dim = 0;
  std::optional<std::int64_t> axis;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    constexpr Range kCount = {1, std::int64_t{1} << 20, "an integer from 1 to 1048576"};
    options.operands("X",
                     "vectors [..., head_dim]; with --heads, a projection weight [heads*head_dim, "
                     "...]; or a whole .safetensors file, in which q_proj, k_proj, wq, wk and the "
                     "norms of queries and keys are converted and everything else is copied",
                     1, file);
    options.group("Layouts");
    options.choice("--from LAYOUT",
                   "the layout of X; pairs are (2i, 2i+1), as in Meta's weights, or (i, i + r/2), "
                   "as in Hugging Face's",
                   from, kLayouts);
    options.choice("--to LAYOUT", "the layout to convert to", to, kLayouts);
    options.integer("--rotary-dim N", "rotated dimensions r per head, even; the others are kept",
                    rotary_dim, kCount, "the head size");
    options.group("Heads");
    options
        .integer("--heads N", "number of query heads in a file, or of heads in a single tensor",
                 heads, kCount)
        .standard.clear();
    options.integer("--kv-heads N", "number of key heads in a whole file", kv_heads, kCount,
                    "as many as query heads");
    options.integer("--head-dim N", "the head size", head_dim, kCount,
                    "the number of rows per head");
    options.integer(
        "--axis N", "the axis of the heads in a single tensor", axis, {},
        "0 with --heads; otherwise the last axis, if the tensor has at least three axes");
    output.declare(options);
    options.often_used({"--from", "--to", "--heads", "--kv-heads", "--axis"});
    options.operands_take_files();
  }

  ExitCode run(Console& console) override {
    if (file.empty())
      refuse("X", "a file", "none",
             "For example rope convert q.npy --from half --to interleaved -o y.npy");
    const LayoutChange change = this->change();
    const OutputPlan plan = plan_output(output);
    if (plan.files.empty() && !plan.json_document)
      refuse("-o", "a file to write", "none", "--json reports what would be converted.");
    if (!is_checkpoint(file.front()))
      run_one(one_tensor(change), plan, console);
    else if (heads == 0)
      refuse("--heads", "the number of query heads for a whole file", "none",
             "config.json calls it num_attention_heads; --kv-heads is num_key_value_heads.");
    else
      run_checkpoint(change, plan, console);
    return ExitCode::done;
  }

 private:
  LayoutChange change() const {
    for (const auto& [option, layout] : {std::pair("--from", from), std::pair("--to", to)})
      if (!layout)
        refuse(option, "interleaved or half", "none",
               "Always name both layouts: --from interleaved --to half turns Meta's weights into "
               "Hugging Face's.");
    if (from == to)
      refuse("--to", "the other layout", io::in_quotes(name(*to)), "There is nothing to convert.");
    if (rotary_dim % 2 != 0)
      refuse("--rotary-dim", "an even integer", std::to_string(rotary_dim),
             "Dimensions are rotated in pairs.");
    return {*from, *to, rotary_dim};
  }

  /// A tensor of one or two axes may hold vectors, whose heads are its last axis, or be a weight or
  /// a bias, whose heads lie along its first: the other axis would be permuted silently.
  void require_reading(const io::Tensor& tensor) const {
    const std::size_t axes = tensor.shape().size();
    if (axes > 2 || heads > 0 || axis) return;
    throw ShapeError(
        fmt::format("{}: expected --heads or --axis with a tensor of {}, found shape {}",
                    io::printable(tensor.name(), 200), axes == 1 ? "one axis" : "two axes",
                    io::shape_text(tensor.shape())),
        fmt::format("For a {} of H heads, give --heads H; for {} of a single head, --axis {}.",
                    axes == 1 ? "bias" : "projection weight", axes == 1 ? "a vector" : "vectors",
                    axes - 1));
  }

  [[noreturn]] void refuse_odd_head(const io::Tensor& tensor, const HeadAxis& layout) const {
    if (head_dim > 0)
      refuse("--head-dim", "an even integer", std::to_string(head_dim),
             "Dimensions are rotated in pairs.");
    throw ShapeError(
        fmt::format("{}: expected heads of an even size, found {} along axis {} of shape {}",
                    io::printable(tensor.name(), 200), layout.head_dim, layout.axis,
                    io::shape_text(tensor.shape())),
        "Dimensions are rotated in pairs: --axis sets the axis of the heads, and --rotary-dim how "
        "much of a head is rotated.");
  }

  OneTensor one_tensor(LayoutChange change) const {
    if (kv_heads > 0)
      refuse("--kv-heads", "a whole .safetensors file with it", "one tensor",
             "Give the number of heads in this tensor with --heads.");
    io::Tensor tensor = io::open_tensor(file.front());
    const io::Shape& shape = tensor.shape();
    if (shape.empty())
      throw ShapeError(io::printable(tensor.name(), 200) + ": expected an axis of heads, found ()",
                       "A single number has no layout.");
    require_reading(tensor);
    const auto last = static_cast<std::int64_t>(shape.size()) - 1;
    const std::int64_t along = axis.value_or(heads > 0 ? 0 : last);
    if (along < -last - 1 || along > last)
      refuse("--axis", fmt::format("an axis from {} to {}", -last - 1, last), quoted(along));
    HeadAxis layout;
    layout.heads = std::max<std::size_t>(1, heads);
    layout.axis = static_cast<std::size_t>(along < 0 ? along + last + 1 : along);
    layout.head_dim = head_dim;
    const std::size_t length = shape[layout.axis];
    if (layout.head_dim == 0) {
      if (length == 0 || length % layout.heads != 0)
        refuse("--heads",
               fmt::format("a divisor of {}, the length of axis {}", length, layout.axis),
               std::to_string(layout.heads));
      layout.head_dim = length / layout.heads;
    }
    if (change.rotary_dim > layout.head_dim)
      refuse("--rotary-dim",
             fmt::format("an even integer from 2 to the head size {}", layout.head_dim),
             std::to_string(change.rotary_dim), "The rest of a head stays as it is.");
    if (change.rotary_dim == 0) {
      if (layout.head_dim % 2 != 0) refuse_odd_head(tensor, layout);
      change.rotary_dim = layout.head_dim;
    }
    check_conversion(tensor, layout, change);  // before anything is said
    return {std::move(tensor), layout, change};
  }

  void run_checkpoint(const LayoutChange& change, const OutputPlan& written,
                      const Console& console) const {
    const HeadCounts counts{heads, kv_heads == 0 ? heads : kv_heads, head_dim, change.rotary_dim};
    if (axis)
      refuse("--axis", "one tensor with it", "a whole file",
             "In a whole file, the heads of every weight lie along axis 0.");
    for (const OutputFile& one : written.files)
      if (one.format == Format::npy)
        refuse("-o", "a .safetensors file, like the input", io::in_quotes(one.path));
    const CheckpointPlan plan =
        plan_checkpoint(io::open_input(file.front()), change.from, change.to, counts);
    warn_of_missing(plan, console);
    Products products;
    products.report = [&](const Console& out) { print_checkpoint(plan, out); };
    products.tensor = [&](const OutputFile& one) {
      io::FileWriter writer(one.path);
      Progress progress(console, plan.file->size(), "converting");
      convert_checkpoint(plan, [&](std::span<const char> bytes) {
        writer.append({bytes.data(), bytes.size()});
        progress.advance(bytes.size());
      });
      writer.commit();
    };
    products.json = [&] { return checkpoint_json(plan); };
    write_output(written, products, console);
  }
};

}  // namespace

extern constinit const Command convert_command = command_of<Convert>(
    "convert", kCheck, "Convert between interleaved and half layouts, losslessly.");

}  // namespace rope::app
