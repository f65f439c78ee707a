// `rope apply`: rotate these vectors.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apply/golden.hpp"
#include "apply/report.hpp"
#include "named/rotary_options.hpp"
#include "named/token_options.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/documents/rotated_vectors.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor_writer.hpp"
#include "shown/text.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

// What NumPy, PyTorch and papers call them.
constexpr std::array<std::string_view, 3> kFloat64 = {"float64", "fp64", "double"};
constexpr std::array<std::string_view, 4> kFloat32 = {"float32", "fp32", "float", "single"};
constexpr std::array<std::string_view, 3> kFloat16 = {"float16", "fp16", "half"};
constexpr std::array<std::string_view, 1> kBfloat16 = {"bfloat16"};
constexpr std::array<Choice<io::ElementType>, 4> kTypes = {
    {{"f64", io::ElementType::float64, kFloat64},
     {"f32", io::ElementType::float32, kFloat32},
     {"f16", io::ElementType::float16, kFloat16},
     {"bf16", io::ElementType::bfloat16, kBfloat16}}};
constexpr std::size_t kMaxMatrixDim = 1024;

/// The vectors of --vector as an array of one row per token.
io::Tensor given_vectors(const std::vector<std::vector<double>>& vectors) {
  std::vector<double> values;
  const std::size_t d = vectors.front().size();
  if (d % 2 != 0)
    refuse("--vector", "an even number of numbers", std::to_string(d),
           "Dimensions are rotated in pairs: give one more number, or one fewer.");
  for (const std::vector<double>& vector : vectors) {
    if (vector.size() != d)
      refuse("--vector", fmt::format("{} numbers, as in the first vector", d),
             std::to_string(vector.size()));
    values.insert(values.end(), vector.begin(), vector.end());
  }
  return io::npy_tensor(io::to_npy({vectors.size(), d}, values), std::string(kTypedVectors));
}

/// Counts vectors with a number that is none, or without end: no rotation mends one.
class NonFiniteVectors {
 public:
  explicit NonFiniteVectors(std::size_t head_dim) : head_dim_(head_dim) {}

  /// The next numbers, from wherever the last ones ended.
  void add(std::span<const double> numbers) {
    for (const double number : numbers) {
      if (!std::isfinite(number) && !broken_) ++count_;
      broken_ = broken_ || !std::isfinite(number);
      if (++at_ < head_dim_) continue;
      at_ = 0;
      broken_ = false;
    }
  }
  std::uint64_t count() const { return count_; }

 private:
  std::size_t head_dim_;
  std::size_t at_ = 0;   // within the vector
  bool broken_ = false;  // the vector
  std::uint64_t count_ = 0;
};

void write_tensor(const ApplyStudy& study, const OutputFile& file, bool bits_as_integers,
                  const Console& console) {
  io::TensorFormat format;
  if (file.format == Format::safetensors) format.kind = io::TensorFormat::Kind::safetensors;
  if (bits_as_integers) format.bfloat16 = io::Bfloat16Name::uint16;
  const io::Tensor& x = study.input.tensor;
  io::TensorWriter writer(file.path, format, study.type, x.shape());
  Progress progress(console, x.count(), "rotating");
  VectorRotation rotation = study.rotation();
  NonFiniteVectors broken(study.input.axes.head_dim);
  rotate_tensor(x, study.input.axes, study.input.positions, rotation,
                [&](std::span<const double> y) {
                  writer.append(y);
                  broken.add(y);
                  progress.advance(y.size());
                });
  writer.commit();
  if (broken.count() > 0)
    console.warn(fmt::format("{}: a NaN or an infinity in {} of {}, before and after the rotation",
                             io::printable(x.name(), 200), broken.count(),
                             counted(study.input.axes.vectors(), "vector")));
  if (rotation.rounded_inputs() > 0)
    console.warn(fmt::format("{}: rounded {} of {} numbers to {}, the policy's input format",
                             io::printable(x.name(), 200), rotation.rounded_inputs(), x.count(),
                             limits(study.policy.input()).name));
}

struct Apply final : Invocation {
  static constexpr std::array<Choice<RotationForm>, 3> kForms = {
      {{"elementwise", RotationForm::elementwise},
       {"matrix", RotationForm::matrix},
       {"complex", RotationForm::complex}}};
  static constexpr std::array kFormats = {Format::npy, Format::safetensors, Format::csv,
                                          Format::json};
  static constexpr std::array<std::string_view, 4> kExamples = {
      "rope apply --vector 1,2,3,4 --start 3 --explain",
      "rope apply --vector 1,0,0,1 --positions 5 --layout half -o y.npy",
      "rope apply --vector 1,2,3,4 --start 7 --policy bfloat16-table --json",
      "rope apply --golden vectors_ --dim 8 --policy float32"};
  static constexpr auto kTerms =
      std::to_array<std::string_view>({"rotation matrix", "position", "angle", "layout", "policy",
                                       "attention factor", "bound", "axes of positions"});

  std::vector<std::string> file;
  std::vector<std::vector<double>> vectors;
  TokenOptions tokens;
  RotaryOptions rotary;
  bool inverse = false;
  std::optional<Policy> policy;
  std::optional<RotationForm> form;
  bool explain = false;
  std::optional<io::ElementType> type;
  std::optional<std::string> golden;
  std::optional<std::uint64_t> seed;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("X", kTensorHelp, 1, file);
    options.group("Vectors");
    options.reals("--vector LIST", "one vector per token, instead of a file", vectors);
    tokens.declare(options);
    tokens.declare_axis_positions(options);
    rotary.declare(options);
    options.group("Rotation");
    options.flag("--inverse", "rotate back: R_m^-1 = R_-m / A^2, with factor 1/A instead of A",
                 inverse);
    options.bound("--policy NAME", "rounding policy of the pipeline to emulate, as in rope verify",
                  policy, parse_policy, "exact");
    options.choice("--form FORM", "three ways to compute the same result", form, kForms,
                   "elementwise");
    options.flag(
        "--explain",
        "show every pair: its angle, cos and sin, and its numbers before and after rotation",
        explain);
    options.choice("--dtype TYPE", "number format of the output", type, kTypes, "the format of X");
    options.text(
        "--golden PREFIX",
        "write test vectors for another implementation: inputs, exact outputs and the error bounds "
        "of --policy, in files PREFIX... or in a folder; without X, the vectors are random",
        golden);
    options.integer("--seed N", "random seed for the vectors of --golden", seed, {0}, "42");
    output.declare(options);
    options.often_used({"--vector", "--inverse", "--policy", "--explain", "--golden"});
    options.take_words("--policy", names_in(policies()));
    options.operands_take_files();
    options.exclude(
        "--golden",
        {"--output", "--json", "--explain", "--inverse", "--dtype", "--form", "--axis-positions"},
        "the files of --golden have names and formats of their own");
  }

  ExitCode run(Console& console) override {
    if (golden) return run_golden(console);
    if (seed)
      refuse("--seed", "--golden with it", "none", "Only the vectors of --golden are random.");
    const OutputPlan plan = plan_output(output);
    const ApplyStudy study = this->study(console);
    if (plan.files.empty() && !plan.json_document && !study.explain && !prints_result(study))
      console.warn("nothing is written: name a file with -o");
    Products products;
    products.report = [&](const Console& out) { print_apply_report(study, out); };
    products.tensor = [&](const OutputFile& written) {
      write_tensor(study, written, tokens.bfloat16, console);
    };
    products.csv = [&] { return apply_csv(study); };
    products.json = [&] { return apply_json(study, !plan.json_document); };
    write_output(plan, products, console);
    return ExitCode::done;
  }

 private:
  io::Tensor read_vectors() const {
    if (file.empty() == vectors.empty())
      refuse("X", "a file or --vector", file.empty() ? "neither" : "both",
             "For example rope apply x.npy -o y.npy, or rope apply --vector 1,2,3,4 --start 3.");
    return file.empty() ? given_vectors(vectors) : open_floats(tokens, file.front());
  }

  ApplyStudy study(const Console& console) const {
    ApplyStudy study{token_input(tokens, read_vectors()), {}, {}};
    study.policy = policy.value_or(*find_policy("exact"));
    if (form && study.policy.angle_rule != AngleRule::exact)
      refuse("--form", "no --policy with it", "both",
             "A policy already defines how vectors are rotated.");
    study.form = form.value_or(RotationForm::elementwise);
    study.embedding = embedding_for(rotary, study.input, console);
    study.direction = inverse ? Direction::inverse : Direction::forward;
    study.level = general.cpu_level;
    study.type = type.value_or(study.input.tensor.type());
    study.explain = explain;
    if (study.explain) check_explanation(study);
    if (study.form == RotationForm::matrix && study.embedding.head_dim > kMaxMatrixDim)
      refuse("--form", fmt::format("a head size of at most {} with --form matrix", kMaxMatrixDim),
             std::to_string(study.embedding.head_dim), "The other forms give the same result.");
    return study;
  }

  /// The words that may name a file that is read.
  std::vector<std::string> words_read() const {
    std::vector<std::string> read = file;
    for (const Option& option : given_options)
      if (option.name != "--golden")
        read.insert(read.end(), option.texts.begin(), option.texts.end());
    return read;
  }

  ExitCode run_golden(const Console& console) const {
    const bool given = !file.empty() || !vectors.empty();
    const Policy emulated = policy.value_or(*find_policy("float32"));
    if (given && seed)
      refuse("--seed", "no vectors with it", "both", "The seed is for random vectors.");
    if (const std::string_view option = tokens.given_beside_positions(); !given && !option.empty())
      refuse(option, "vectors with it", "none",
             "For random vectors, only --positions can be given.");
    if (given) {
      const TokenInput input = token_input(tokens, read_vectors());
      check_golden(input);
      write_golden(golden_of(input, embedding_for(rotary, input, console), emulated), *golden,
                   words_read(), console);
    } else {
      const std::span<const std::int64_t> usual = revealing_positions();
      const std::vector<std::int64_t> positions =
          tokens.positions ? tokens.positions->values : std::vector(usual.begin(), usual.end());
      RotaryOptions lengthened = rotary;
      conclude_length(lengthened, *std::ranges::max_element(positions), console);
      write_golden(random_golden(rotary_variant(lengthened, console).embedding, emulated, positions,
                                 seed.value_or(42)),
                   *golden, words_read(), console);
    }
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command apply_command =
    command_of<Apply>("apply", kCheck, "Rotate vectors, or write test vectors for your own code.");

}  // namespace rope::app
