// `rope convert`: the same vectors or weights, their pairs laid out the other way.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "convert/report.hpp"
#include "rope/error.hpp"
#include "rope/io/file.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor_writer.hpp"
#include "rope/rotary/frequencies.hpp"
#include "usage/command.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::npy, Format::safetensors};
constexpr std::array<std::string_view, 2> kLayouts = {"interleaved", "half"};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope apply --vector 1,2,3,4 -o q.npy",
    "rope convert q.npy --from interleaved --to half --axis 1 -o q_half.npy",
    "rope convert q_half.npy --from half --to interleaved --axis 1 -o q.npy"};

void declare(OptionSet& options) {
  options.operands(
      "X",
      "vectors [..., head_dim]; with --heads a projection weight [heads*head_dim, ...]; "
      "or a whole .safetensors file, in which q_proj, k_proj, wq, wk and the norms of "
      "queries and keys are converted and all else is copied",
      1);
  options.group("Layouts");
  options.add("--from", "LAYOUT",
              "the layout it has: interleaved (2k, 2k+1), as Meta's weights, or half (k, k + r/2), "
              "as Hugging Face's");
  options.add("--to", "LAYOUT", "the layout it shall have");
  options.add("--rotary-dim", "N",
              "rotated dimensions r of a head, even; the rest stays (default: the head size)");
  options.group("Heads");
  options.add("--heads", "N", "query heads, or the heads of the one tensor");
  options.add("--kv-heads", "N", "key heads of a whole file (default: as many as query heads)");
  options.add("--head-dim", "N", "the head size (default: the rows, divided by the heads)");
  options.add("--axis", "N",
              "the axis of the heads in one tensor (default: 0 with --heads, else the last, of "
              "three axes and more)");
  declare_output_options(options, kFormats);
}

PairLayout read_layout(const Arguments& arguments, std::string_view option) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text)
    refuse(option, "interleaved or half", "none",
           "Layouts are always named: --from interleaved --to half makes Hugging Face weights of "
           "Meta's.");
  const std::optional<PairLayout> layout = pair_layout(*text);
  if (!layout) refuse_choice(option, kLayouts, *text);
  return *layout;
}

/// A number of heads or dimensions; 0 if it is not given.
std::size_t read_count(const Arguments& arguments, std::string_view option) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return 0;
  return static_cast<std::size_t>(
      integer_option(option, *text, "an integer from 1 to 1048576", 1, std::int64_t{1} << 20));
}

std::size_t read_rotary_dim(const Arguments& arguments) {
  const std::size_t rotary_dim = read_count(arguments, "--rotary-dim");
  if (rotary_dim % 2 != 0)
    refuse("--rotary-dim", "an even integer", std::to_string(rotary_dim),
           "Dimensions are rotated in pairs.");
  return rotary_dim;
}

/// A tensor of one or two axes may hold vectors, whose heads are its last axis, or be a weight or a
/// bias, whose heads lie along its first: the other axis would be permuted silently.
void require_reading(const Arguments& arguments, const io::Tensor& tensor) {
  const std::size_t axes = tensor.shape().size();
  if (axes > 2 || arguments.given("--heads") || arguments.given("--axis")) return;
  throw ShapeError(
      fmt::format("{}: expected --heads or --axis beside a tensor of {}, found shape {}",
                  io::printable(tensor.name(), 200), axes == 1 ? "one axis" : "two axes",
                  io::shape_text(tensor.shape())),
      fmt::format("A {} of H heads takes --heads H; {} of one head each, --axis {}.",
                  axes == 1 ? "bias" : "projection weight", axes == 1 ? "a vector" : "vectors",
                  axes - 1));
}

OneTensor read_one(const Arguments& arguments, const std::string& path, LayoutChange change) {
  if (arguments.given("--kv-heads"))
    refuse("--kv-heads", "a whole .safetensors file with it", "one tensor",
           "Give the heads of this tensor by --heads.");
  io::Tensor tensor = io::open_tensor(path);
  const io::Shape& shape = tensor.shape();
  if (shape.empty())
    throw ShapeError(io::printable(tensor.name(), 200) + ": expected an axis of heads, found ()",
                     "A single number has no layout.");
  require_reading(arguments, tensor);
  HeadAxis heads;
  heads.heads = std::max<std::size_t>(1, read_count(arguments, "--heads"));
  const auto last = static_cast<std::int64_t>(shape.size()) - 1;
  std::int64_t axis = arguments.given("--heads") ? 0 : last;
  if (const std::optional<std::string> text = arguments.value("--axis"))
    axis = integer_option("--axis", *text, fmt::format("an axis from {} to {}", -last - 1, last),
                          -last - 1, last);
  heads.axis = static_cast<std::size_t>(axis < 0 ? axis + last + 1 : axis);
  const std::size_t length = shape[heads.axis];
  heads.head_dim = read_count(arguments, "--head-dim");
  if (heads.head_dim == 0) {
    if (length == 0 || length % heads.heads != 0)
      refuse("--heads", fmt::format("a divisor of {}, the length of axis {}", length, heads.axis),
             std::to_string(heads.heads));
    heads.head_dim = length / heads.heads;
  }
  if (change.rotary_dim == 0) change.rotary_dim = heads.head_dim;
  return {std::move(tensor), heads, change};
}

void run_one(const OneTensor& one, const OutputPlan& plan, const Console& console) {
  const io::Tensor& x = one.tensor;
  if (plan.report()) console.print(tensor_report(one));
  Products products;
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
        fmt::format("{} query and {} key tensors: convert the other files of the model too",
                    count(WeightRole::query), count(WeightRole::key)));
}

void run_checkpoint(const Arguments& arguments, const std::string& path, const LayoutChange& change,
                    const OutputPlan& output, const Console& console) {
  HeadCounts counts{read_count(arguments, "--heads"), read_count(arguments, "--kv-heads"),
                    read_count(arguments, "--head-dim"), change.rotary_dim};
  if (counts.key == 0) counts.key = counts.query;
  if (arguments.given("--axis"))
    refuse("--axis", "one tensor with it", "a whole file",
           "Its weights have their heads along axis 0.");
  for (const OutputFile& file : output.files)
    if (file.format != Format::safetensors)
      refuse("-o", "a .safetensors file for a whole one", io::in_quotes(file.path));
  const CheckpointPlan plan = plan_checkpoint(io::open_input(path), change.from, change.to, counts);
  if (output.report()) console.print(checkpoint_report(plan));
  warn_of_missing(plan, console);
  Products products;
  products.tensor = [&](const OutputFile& file) {
    io::FileWriter writer(file.path);
    Progress progress(console, plan.file->size(), "converting");
    convert_checkpoint(plan, [&](std::span<const char> bytes) {
      writer.append({bytes.data(), bytes.size()});
      progress.advance(bytes.size());
    });
    writer.commit();
  };
  products.json = [&] { return checkpoint_json(plan); };
  write_output(output, products, console);
}

/// Whether all of a file is meant: none of its tensors is named. A single one whose name tells
/// nothing is taken as vectors.
bool is_checkpoint(const std::string& path) {
  if (!io::names_safetensors(path) || !path.ends_with(".safetensors")) return false;
  const io::SafetensorsHeader header = io::read_safetensors_header(*io::open_input(path));
  return header.tensors.size() != 1 ||
         weight_role(header.tensors.front().name) != WeightRole::other;
}

ExitCode run(const Arguments& arguments, Console& console) {
  if (arguments.operands().empty())
    refuse("X", "a file", "none",
           "For example rope convert q.npy --from half --to interleaved -o y.npy");
  const std::string& path = arguments.operands().front();
  const LayoutChange change = {read_layout(arguments, "--from"), read_layout(arguments, "--to"),
                               read_rotary_dim(arguments)};
  if (change.from == change.to)
    refuse("--to", "the other layout", io::in_quotes(name(change.to)),
           "There is nothing to convert.");
  const OutputPlan plan = plan_output(arguments, kFormats);
  if (plan.files.empty() && !plan.json_document)
    refuse("-o", "a file to write", "none", "--json tells what would be converted.");
  if (!is_checkpoint(path)) {
    run_one(read_one(arguments, path, change), plan, console);
  } else if (!arguments.given("--heads")) {
    refuse("--heads", "the number of query heads for a whole file", "none",
           "config.json calls it num_attention_heads; --kv-heads is num_key_value_heads.");
  } else {
    run_checkpoint(arguments, path, change, plan, console);
  }
  return ExitCode::done;
}

}  // namespace

extern constinit const Command convert_command = {
    "convert", "Lay out the pairs of vectors or weights the other way, bit for bit.", kExamples,
    declare, run};

}  // namespace rope::app
