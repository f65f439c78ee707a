// `rope diagnose`: which convention explains these tensors?

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "diagnose/report.hpp"
#include "named/positions.hpp"
#include "named/rotary_options.hpp"
#include "named/rotary_values.hpp"
#include "named/token_options.hpp"
#include "rope/diagnose/arrays.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "shown/table.hpp"
#include "usage/command.hpp"
#include "usage/general_options.hpp"
#include "usage/numbers.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};
constexpr std::array<std::string_view, 3> kExamples = {
    "rope apply --golden q_ && rope diagnose --input q_x.npy --result q_y.npy",
    "rope diagnose --input q_x.npy --result q_y.npy --base 500000 -o error.png",
    "rope diagnose --input q_x.npy --result q_y.npy --start 0 --json"};

void declare(OptionSet& options) {
  options.group("What to look at");
  options.add("--input", "X",
              "vectors before the rotation: " + std::string(kTensorHelp) +
                  "; may be repeated, as for q and k",
              Times::many);
  options.add("--result", "Y",
              "the same vectors after it, one file for each --input; --output Y.npy says the same",
              Times::many);
  options.add("--cos", "FILE", "instead: a table of cosines, [tokens, columns]");
  options.add("--sin", "FILE", "and of sines");
  options.add("--inv-freq", "FILE", "instead: frequencies, radians per token");
  options.group("Tokens");
  options.add("--token-axis", "N",
              "the axis of the tokens, from 0, or from the end: -2 (default: found)");
  options.add("--positions", "LIST",
              "the position of each token: " + std::string(kPositionsHelp) + " (default: found)");
  options.add("--start", "N", "the position of the first token; the others follow");
  options.add("--lengths", "LIST",
              "lengths of sequences packed one behind the other: positions start again in each");
  options.add_flag("--bfloat16", "16-bit integers in a .npy file are the bits of bfloat16");
  options.group("Judgement");
  options.add("--noise", "N",
              "units in the last place that y may be off beyond its pipeline's rounding "
              "(default: 0)");
  declare_rotary_options(options, Times::once);  // what is assumed: compared with what is found
  declare_output_options(options, kFormats);
}

std::vector<std::size_t> shape_of(const io::Tensor& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

/// The shape as tokens, …, head_dim: one axis is one token; --dim splits the last axis into heads.
std::vector<std::size_t> vector_shape(const Arguments& arguments, const io::Tensor& tensor) {
  std::vector<std::size_t> shape = shape_of(tensor);
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  const std::optional<std::string> dim = arguments.value("--dim");
  if (!dim || shape.empty()) return shape;
  const std::size_t head = read_even("--dim", *dim, kMaxRotaryDim);
  if (shape.back() == head) return shape;
  if (shape.back() % head != 0)
    refuse("--dim", fmt::format("a divisor of the last axis, {}", shape.back()),
           io::in_quotes(*dim), "It is the head size.");
  shape.back() /= head;
  shape.push_back(head);
  return shape;
}

bool positions_given(const Arguments& arguments) {
  return arguments.given("--positions") || arguments.given("--start") ||
         arguments.given("--lengths");
}

/// The positions that the options give to the tokens along an axis; nothing if they give none.
std::optional<std::vector<std::int64_t>> read_positions(const Arguments& arguments,
                                                        std::size_t tokens) {
  if (!positions_given(arguments)) return std::nullopt;
  const TokenPositions all = row_positions(arguments, tokens);
  std::vector<std::int64_t> positions(tokens);
  for (std::size_t t = 0; t < tokens; ++t) positions[t] = all.at(0, t);
  return positions;
}

/// The axis of --token-axis.
std::size_t read_axis(const std::string& text, const std::vector<std::size_t>& shape) {
  const auto leading = static_cast<std::int64_t>(shape.size()) - 1;
  const std::string expected =
      fmt::format("an axis from 0 to {} of shape ({})", leading - 1, fmt::join(shape, ", "));
  std::int64_t axis = integer_option("--token-axis", text, expected);
  if (axis < 0) axis += leading + 1;
  if (axis < 0 || axis >= leading)
    refuse("--token-axis", expected, io::in_quotes(text), "The last axis is the head.");
  return static_cast<std::size_t>(axis);
}

/// How many tokens --positions or --lengths speak of; nothing if that many as there are.
std::optional<std::size_t> stated_tokens(const Arguments& arguments) {
  if (const std::optional<std::string> text = arguments.value("--positions"))
    return positions_option("--positions", *text).values.size();
  if (const std::optional<std::string> text = arguments.value("--lengths")) {
    const std::vector<std::int64_t> lengths = positions_option("--lengths", *text).values;
    return static_cast<std::size_t>(
        std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
  }
  return std::nullopt;
}

/// The axes that may count the tokens, each with the positions that the options give to them: the
/// axis of --token-axis, else all that are as long as the options say.
std::vector<TokenReading> read_readings(const Arguments& arguments,
                                        const std::vector<std::size_t>& shape) {
  if (const std::optional<std::string> text = arguments.value("--token-axis")) {
    const std::size_t axis = read_axis(*text, shape);
    return {{axis, read_positions(arguments, shape[axis])}};
  }
  std::vector<TokenReading> readings;
  const std::optional<std::size_t> tokens = stated_tokens(arguments);
  for (TokenReading& reading : token_readings(shape)) {
    if (tokens && shape[reading.axis] != *tokens) continue;
    reading.positions = read_positions(arguments, shape[reading.axis]);
    readings.push_back(std::move(reading));
  }
  if (readings.empty())
    refuse(arguments.given("--positions") ? "--positions" : "--lengths",
           fmt::format("as many tokens as an axis of shape ({})", fmt::join(shape, ", ")),
           std::to_string(*tokens), "Leave it out if positions are not known.");
  return readings;
}

void check_same_shape(const io::Tensor& x, const io::Tensor& y) {
  if (x.shape() == y.shape()) return;
  throw ShapeError(fmt::format("{}: expected the shape of {}, {}, got {}",
                               io::printable(y.name(), 200), io::printable(x.name(), 200),
                               io::shape_text(x.shape()), io::shape_text(y.shape())),
                   "Both hold the same vectors, before and after.");
}

/// What the rotary options say, if any is given. `dim`: the head size, unless they give it.
std::optional<Assumption> read_assumed(Arguments arguments, std::size_t dim,
                                       const Console& console) {
  constexpr std::array<const char*, 8> kAssumptions = {
      "--base",    "--frequencies", "--rotary-dim",    "--layout",
      "--scaling", "--model",       "--max-positions", "--config"};
  if (std::none_of(kAssumptions.begin(), kAssumptions.end(),
                   [&](const char* option) { return arguments.given(option); }))
    return std::nullopt;
  const bool model = arguments.given("--model") || arguments.given("--config");
  if (!model && !arguments.given("--dim") && dim % 2 == 0)
    arguments.conclude("--dim", std::to_string(dim));
  Assumption assumption{rotary_variants(arguments, console).front().embedding};
  assumption.positions = positions_given(arguments);
  if (!model) {
    assumption.layout = arguments.given("--layout");
    assumption.frequencies = arguments.given("--base") || arguments.given("--frequencies") ||
                             arguments.given("--scaling");
  }
  return assumption;
}

DiagnosedCase diagnose_vectors(const Arguments& arguments, const std::string& input,
                               const std::string& result, DiagnosisRequest& request,
                               const Console& console) {
  const io::Tensor x = open_floats(arguments, input), y = open_floats(arguments, result);
  check_same_shape(x, y);
  const std::vector<std::size_t> shape = vector_shape(arguments, x);
  const std::vector<TokenReading> readings = read_readings(arguments, shape);
  if (!request.assumed) request.assumed = read_assumed(arguments, shape.back(), console);
  DiagnosedCase one;
  one.title =
      fmt::format("{} → {}: {} {}", io::printable(x.name(), 200), io::printable(y.name(), 200),
                  io::name(y.type()), io::shape_text(y.shape()));
  one.positions_given = positions_given(arguments);
  try {
    ArrayDiagnosis found = diagnose_arrays(shape, x.doubles(), y.doubles(), readings, request);
    one.dropped = found.left_out;
    one.kept = std::move(found.kept);
    one.tensors = std::move(found.tensors);
    one.diagnosis = std::move(found.diagnosis);
  } catch (const DomainError& error) {
    const std::string_view subject = "tensors", text = error.what();
    if (!text.starts_with(subject)) throw;
    throw DomainError(io::printable(y.name(), 200) + std::string(text.substr(subject.size())),
                      error.remedy());
  }
  return one;
}

/// A table without leading axes of length 1.
std::vector<std::size_t> table_shape(const io::Tensor& table) {
  std::vector<std::size_t> shape = shape_of(table);
  for (std::size_t axis = 0; shape.size() > 2 && axis + 1 < shape.size();)
    if (shape[axis] == 1)
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    else
      ++axis;
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0)
    throw ShapeError(fmt::format("{}: expected a table [tokens, columns], got shape {}",
                                 io::printable(table.name(), 200), io::shape_text(table.shape())),
                     "One row a token; each column one pair, or each pair twice.");
  return shape;
}

void require_finite(const io::Tensor& tensor, const std::vector<double>& values) {
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    throw DomainError(fmt::format("{}: expected finite numbers, found a NaN or an infinity",
                                  io::printable(tensor.name(), 200)),
                      "Leave out rows that overflowed.");
}

DiagnosedCase diagnose_table_files(const Arguments& arguments, DiagnosisRequest& request,
                                   const Console& console) {
  const io::Tensor cos = open_floats(arguments, *arguments.value("--cos"));
  const io::Tensor sin = open_floats(arguments, *arguments.value("--sin"));
  check_same_shape(cos, sin);
  const std::size_t tokens = table_shape(cos)[0];
  const std::vector<double> c = cos.doubles(), s = sin.doubles();
  require_finite(cos, c);
  require_finite(sin, s);
  request.positions = read_positions(arguments, tokens);
  const bool repeated = table_columns(tokens, c, s) != TableColumns::pairs;
  request.assumed = read_assumed(arguments, c.size() / tokens * (repeated ? 1 : 2), console);
  TableDiagnosis found = diagnose_tables(tokens, c, s, request);
  DiagnosedCase one;
  one.title =
      fmt::format("{}, {}: {} {}", io::printable(cos.name(), 200), io::printable(sin.name(), 200),
                  io::name(cos.type()), io::shape_text(cos.shape()));
  one.columns = found.columns;
  one.exchanged = found.exchanged;
  one.positions_given = request.positions.has_value();
  one.diagnosis = std::move(found.diagnosis);
  return one;
}

DiagnosedCase diagnose_frequency_file(const Arguments& arguments, DiagnosisRequest& request,
                                      const Console& console) {
  const io::Tensor tensor = open_floats(arguments, *arguments.value("--inv-freq"));
  const std::vector<double> theta = tensor.doubles();
  require_finite(tensor, theta);
  DiagnosedCase one;
  one.title = fmt::format("{}: {} frequencies, {}", io::printable(tensor.name(), 200), theta.size(),
                          io::name(tensor.type()));
  one.frequencies = true;
  request.assumed = read_assumed(arguments, 2 * theta.size(), console);
  one.diagnosis = diagnose_frequencies(theta, request);
  return one;
}

void check_combinations(const Arguments& arguments) {
  const std::size_t inputs = arguments.values("--input").size();
  const std::size_t results = arguments.values("--result").size();
  const bool tables = arguments.given("--cos") || arguments.given("--sin");
  const int kinds =
      (inputs + results > 0 ? 1 : 0) + (tables ? 1 : 0) + (arguments.given("--inv-freq") ? 1 : 0);
  if (kinds != 1)
    refuse("--input", "--input with --result, or --cos with --sin, or --inv-freq",
           kinds == 0 ? "none of them" : "several of them",
           "For example rope diagnose --input x.npy --result y.npy.");
  if (inputs != results)
    refuse(inputs < results ? "--input" : "--result", "as many of --input as of --result",
           fmt::format("{} and {}", inputs, results),
           "Each --result is what became of the --input in its place.");
  if (tables && arguments.given("--cos") != arguments.given("--sin"))
    refuse(arguments.given("--cos") ? "--sin" : "--cos", "both tables", "one of them",
           "An angle needs its cosine and its sine.");
}

DiagnoseStudy read_study(const Arguments& arguments, const Console& console) {
  check_combinations(arguments);
  DiagnoseStudy study;
  if (const std::optional<std::string> text = arguments.value("--noise")) {
    constexpr std::string_view kExpected = "a number from 0 to 1000";
    study.hypotheses.noise_ulp = real_option("--noise", *text, kExpected);
    if (study.hypotheses.noise_ulp < 0 || study.hypotheses.noise_ulp > 1000)
      refuse("--noise", kExpected, io::in_quotes(*text), "It counts units in the last place of y.");
  }
  DiagnosisRequest request = request_with_presets();
  request.hypotheses = study.hypotheses;
  if (arguments.given("--inv-freq"))
    study.cases.push_back(diagnose_frequency_file(arguments, request, console));
  else if (arguments.given("--cos"))
    study.cases.push_back(diagnose_table_files(arguments, request, console));
  for (std::size_t i = 0; i < arguments.values("--input").size(); ++i)
    study.cases.push_back(diagnose_vectors(arguments, arguments.values("--input")[i],
                                           arguments.values("--result")[i], request, console));
  study.assumed = request.assumed;
  return study;
}

ExitCode run(const Arguments& given, Console& console) {
  const Arguments arguments = with_output_tensors_as_results(given);
  const OutputPlan plan = plan_output(arguments, kFormats);
  const DiagnoseStudy study = read_study(arguments, console);
  if (plan.report()) console.print(diagnose_report(study, console));
  Products products;
  products.json = [&] { return diagnose_json(study); };
  products.csv = [&] { return diagnose_csv(study); };
  products.figure = [&] { return diagnose_figure(study); };
  write_output(plan, products, console);
  switch (study.verdict()) {
    case DiagnosisVerdict::unique:
      return study.agree() ? ExitCode::done : ExitCode::check_failed;
    case DiagnosisVerdict::ambiguous:
      return ExitCode::inconclusive;
    case DiagnosisVerdict::none:
      break;
  }
  return ExitCode::check_failed;
}

}  // namespace

extern constinit const Command diagnose_command = {
    "diagnose", "Find which convention explains tensors before and after a rotation.", kExamples,
    declare, run};

}  // namespace rope::app
