// `rope apply`: rotate these vectors.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "apply/golden.hpp"
#include "apply/report.hpp"
#include "named/policy_option.hpp"
#include "named/rotary_options.hpp"
#include "named/token_options.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/io/tensor_writer.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::npy, Format::safetensors, Format::csv, Format::json};
constexpr std::array<std::string_view, 4> kExamples = {
    "rope apply --vector 1,2,3,4 --start 3 --explain",
    "rope apply --vector 1,0,0,1 --positions 5 --layout half -o y.npy",
    "rope apply --vector 1,2,3,4 --start 7 --policy bfloat16-table --json",
    "rope apply --golden vectors_ --dim 8 --policy float32"};
constexpr std::array<std::string_view, 3> kForms = {"elementwise", "matrix", "complex"};
constexpr std::array<std::string_view, 4> kTypes = {"f64", "f32", "f16", "bf16"};
constexpr std::size_t kMaxMatrixDim = 1024;

void declare(OptionSet& options) {
  options.operands("X", kTensorHelp, 1);
  options.group("Vectors");
  options.add("--vector", "LIST", "one vector, instead of a file; may be repeated, a token each",
              Times::many);
  declare_token_options(options, true);
  declare_rotary_options(options, Times::once);
  options.group("Rotation");
  options.add_flag("--inverse",
                   "turn back: R_m^-1 = R_-m / A^2, so the factor is 1/A instead of A");
  options.add(
      "--policy", "NAME",
      "rounding policy of the pipeline to emulate, as rope verify takes it (default: exact)");
  options.add(
      "--form", "FORM",
      "elementwise, matrix or complex: three ways to write the same (default: elementwise)");
  options.add_flag("--explain", "show every pair: its angle, cos and sin, before and after");
  options.add("--dtype", "TYPE", "f64, f32, f16 or bf16: what is written (default: that of X)");
  options.add("--golden", "PREFIX",
              "write test vectors for another implementation: inputs, exact outputs and what "
              "--policy allows, into PREFIX... or a folder; random vectors without X");
  options.add("--seed", "N", "seed of the random vectors of --golden (default: 42)");
  declare_output_options(options, kFormats);
}

io::ElementType read_type(const Arguments& arguments, io::ElementType fallback) {
  const std::optional<std::string> text = arguments.value("--dtype");
  if (!text) return fallback;
  const auto* const found = std::ranges::find(kTypes, *text);
  if (found == kTypes.end()) refuse_choice("--dtype", kTypes, *text);
  return static_cast<io::ElementType>(found - kTypes.begin());
}

RotationForm read_form(const Arguments& arguments, const Policy& policy) {
  const std::string text = arguments.value("--form").value_or("elementwise");
  const auto* const found = std::ranges::find(kForms, text);
  if (found == kForms.end()) refuse_choice("--form", kForms, text);
  if (arguments.given("--form") && policy.angle_rule != AngleRule::exact)
    refuse("--form", "no --policy beside it", "both", "A policy says itself how it rotates.");
  static_assert(static_cast<int>(RotationForm::matrix) == 1);
  return static_cast<RotationForm>(found - kForms.begin());
}

/// The vectors of --vector as an array of one row a token.
io::Tensor given_vectors(const std::vector<std::string>& texts) {
  std::vector<double> values;
  std::size_t d = 0;
  for (const std::string& text : texts) {
    const std::vector<double> vector = real_list_option("--vector", text);
    if (d == 0) d = vector.size();
    if (vector.size() != d)
      refuse("--vector", fmt::format("{} numbers as in the first one", d),
             std::to_string(vector.size()));
    values.insert(values.end(), vector.begin(), vector.end());
  }
  return io::npy_tensor(io::to_npy({texts.size(), d}, values), "--vector");
}

io::Tensor read_vectors(const Arguments& arguments) {
  const bool file = !arguments.operands().empty();
  if (file == arguments.given("--vector"))
    refuse("X", "a file or --vector", file ? "both" : "neither",
           "For example rope apply x.npy -o y.npy, or rope apply --vector 1,2,3,4 --start 3.");
  if (file) return open_floats(arguments, arguments.operands().front());
  return given_vectors(arguments.values("--vector"));
}

ApplyStudy read_study(const Arguments& arguments, const Console& console) {
  TokenInput input = token_input(arguments, read_vectors(arguments));
  ApplyStudy study{std::move(input), {}, {}};
  study.policy = policy_option("--policy", arguments.value("--policy").value_or("exact"));
  study.form = read_form(arguments, study.policy);
  study.embedding = embedding_for(arguments, study.input, console);
  study.direction = arguments.given("--inverse") ? Direction::inverse : Direction::forward;
  study.level = cpu_level(arguments);
  study.type = read_type(arguments, study.input.tensor.type());
  study.explain = arguments.given("--explain");
  if (study.explain) check_explanation(study);
  if (study.form == RotationForm::matrix && study.embedding.head_dim > kMaxMatrixDim)
    refuse("--form", fmt::format("a head size of at most {} with matrix", kMaxMatrixDim),
           std::to_string(study.embedding.head_dim), "The other forms give the same.");
  return study;
}

void write_tensor(const ApplyStudy& study, const OutputFile& file, bool bits_as_integers,
                  const Console& console) {
  io::TensorFormat format;
  if (file.format == Format::safetensors) format.kind = io::TensorFormat::Kind::safetensors;
  if (bits_as_integers) format.bfloat16 = io::Bfloat16Name::uint16;
  const io::Tensor& x = study.input.tensor;
  io::TensorWriter writer(file.path, format, study.type, x.shape());
  Progress progress(console, x.count(), "rotating");
  VectorRotation rotation = study.rotation();
  rotate_tensor(x, study.input.axes, study.input.positions, rotation,
                [&](std::span<const double> y) {
                  writer.append(y);
                  progress.advance(y.size());
                });
  writer.commit();
  if (rotation.rounded_inputs() > 0)
    console.warn(fmt::format("{}: {} of {} numbers rounded to {}, in which the policy takes them",
                             io::printable(x.name(), 200), rotation.rounded_inputs(), x.count(),
                             limits(study.policy.input()).name));
}

ExitCode run_golden(const Arguments& arguments, const Console& console) {
  for (const char* option : {"--output", "--json", "--explain", "--inverse", "--dtype", "--form"})
    if (arguments.given(option))
      refuse("--golden", "no " + std::string(option) + " beside it", "both",
             "Its files have names and forms of their own.");
  const bool given = !arguments.operands().empty() || arguments.given("--vector");
  const Policy policy = policy_option("--policy", arguments.value("--policy").value_or("float32"));
  if (given && arguments.given("--seed"))
    refuse("--seed", "no vectors beside it", "both", "It makes random ones.");
  const std::string prefix = *arguments.value("--golden");
  const GoldenVectors golden =
      given ? golden_of(token_input(arguments, read_vectors(arguments)), policy, arguments, console)
            : random_golden(policy, arguments, console);
  write_golden(golden, prefix, console);
  return ExitCode::done;
}

ExitCode run(const Arguments& arguments, Console& console) {
  if (arguments.given("--golden")) return run_golden(arguments, console);
  if (arguments.given("--seed"))
    refuse("--seed", "--golden with it", "none", "Only the vectors of --golden are random.");
  const OutputPlan plan = plan_output(arguments, kFormats);
  const ApplyStudy study = read_study(arguments, console);
  if (plan.report()) console.print(apply_report(study));
  if (plan.files.empty() && !plan.json_document && !study.explain && !prints_result(study))
    console.warn("nothing is written: name a file with -o");
  Products products;
  products.tensor = [&](const OutputFile& file) {
    write_tensor(study, file, arguments.given("--bfloat16"), console);
  };
  products.csv = [&] { return apply_csv(study); };
  products.json = [&] { return apply_json(study, !plan.json_document); };
  write_output(plan, products, console);
  return ExitCode::done;
}

}  // namespace

extern constinit const Command apply_command = {
    "apply", "Rotate vectors: R_m x for every vector x at its position m.", kExamples, declare,
    run};

}  // namespace rope::app
