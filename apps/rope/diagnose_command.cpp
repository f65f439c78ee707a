// `rope diagnose`: which convention explains these tensors?

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "commands.hpp"
#include "diagnose_report.hpp"
#include "general_options.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "positions.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/model/presets.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rotary_options.hpp"
#include "rotary_values.hpp"
#include "table.hpp"
#include "token_options.hpp"

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

/// Every preset, at its original length and at its longest: rules may depend on it.
std::vector<NamedEmbedding> known_embeddings() {
  std::vector<NamedEmbedding> known;
  const auto add = [&](const std::string& preset, const ReadOptions& options,
                       const std::string& suffix) {
    for (const LayerRope& layer : preset_model(preset, options).layers) {
      if (!layer.rotates() || layer.rotary_dim % 2 != 0) continue;
      std::string label = preset + suffix;
      if (!layer.name.empty()) label += " " + layer.name;
      known.push_back({std::move(label), embedding_of(layer)});
    }
  };
  for (const std::string& preset : preset_names()) {
    add(preset, {}, "");
    const ModelRope model = preset_model(preset);
    const bool by_length =
        std::any_of(model.layers.begin(), model.layers.end(), [](const LayerRope& layer) {
          return layer.spec.rule == "longrope" || layer.spec.rule == "dynamic";
        });
    if (!by_length || !model.context) continue;
    ReadOptions options;
    options.seq_len = model.context;
    add(preset, options, fmt::format(" at {} tokens", *model.context));
  }
  return known;
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
    refuse("--dim", fmt::format("a divisor of the last axis, {}", shape.back()), io::quoted(*dim),
           "It is the head size.");
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

/// The axis of the tokens: the one of --token-axis; else the one that has as many as --positions;
/// nothing if it is to be found.
std::optional<std::size_t> read_axis(const Arguments& arguments,
                                     const std::vector<std::size_t>& shape) {
  const auto leading = static_cast<std::int64_t>(shape.size()) - 1;
  if (const std::optional<std::string> text = arguments.value("--token-axis")) {
    const std::string expected =
        fmt::format("an axis from 0 to {} of shape ({})", leading - 1, fmt::join(shape, ", "));
    std::int64_t axis = integer_option("--token-axis", *text, expected);
    if (axis < 0) axis += leading + 1;
    if (axis < 0 || axis >= leading)
      refuse("--token-axis", expected, io::quoted(*text), "The last axis is the head.");
    return static_cast<std::size_t>(axis);
  }
  if (const std::optional<std::string> text = arguments.value("--positions")) {
    const std::size_t count = positions_option("--positions", *text).values.size();
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
      if (shape[axis] == count) return axis;
    refuse("--positions",
           fmt::format("one a token, {} for shape ({})", shape.front(), fmt::join(shape, ", ")),
           std::to_string(count), "Leave it out if positions are not known.");
  }
  if (arguments.given("--start") || arguments.given("--lengths")) return 0;
  return std::nullopt;
}

void check_same_shape(const io::Tensor& x, const io::Tensor& y) {
  if (x.shape() == y.shape()) return;
  throw ShapeError(fmt::format("{}: expected the shape of {}, {}, got {}",
                               io::printable(y.name(), 200), io::printable(x.name(), 200),
                               io::shape_text(x.shape()), io::shape_text(y.shape())),
                   "Both hold the same vectors, before and after.");
}

/// An explanation says nothing of tokens that overflowed by what was done to x.
void leave_open(const std::vector<std::size_t>& overflowed, Diagnosis& diagnosis) {
  if (overflowed.empty()) return;
  const std::string sentence = fmt::format(
      "token {}: y holds a NaN or an infinity where x is finite", ranges_text(overflowed));
  for (Explanation& explanation : diagnosis.explanations) explanation.open.push_back(sentence);
  if (diagnosis.verdict == DiagnosisVerdict::unique)
    diagnosis.verdict = DiagnosisVerdict::ambiguous;
}

DiagnosedCase diagnose_vectors(const Arguments& arguments, const std::string& input,
                               const std::string& result, const DiagnosisRequest& general) {
  const io::Tensor x = open_floats(arguments, input), y = open_floats(arguments, result);
  check_same_shape(x, y);
  const std::vector<std::size_t> shape = vector_shape(arguments, x);
  const std::vector<double> before = x.doubles(), after = y.doubles();
  DiagnosedCase one;
  one.title =
      fmt::format("{} → {}: {} {}", io::printable(x.name(), 200), io::printable(y.name(), 200),
                  io::name(y.type()), io::shape_text(y.shape()));
  one.positions_given = positions_given(arguments);
  DiagnosisRequest request = general;
  std::vector<std::size_t> axes;
  if (const std::optional<std::size_t> only = read_axis(arguments, shape))
    axes = {*only};
  else
    for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
      if (axis == 0 || shape[axis] > 1) axes.push_back(axis);
  for (const std::size_t axis : axes) {
    RotatedTensors tensors = rotated_tensors(shape, axis, before, after);
    const std::size_t tokens = tensors.tokens;
    const std::vector<std::size_t> overflowed = overflowed_tokens(tensors);
    std::vector<std::size_t> kept = drop_unfinished_tokens(tensors);
    if (kept.empty())
      throw DomainError(fmt::format("{}: expected finite numbers, found a NaN or an infinity in "
                                    "every token",
                                    io::printable(y.name(), 200)),
                        "Write tensors of one forward pass before anything overflows.");
    request.positions = read_positions(arguments, tokens);
    if (kept.size() < tokens) {
      // Tokens that do not count leave gaps: their places are known.
      std::vector<std::int64_t> positions;
      positions.reserve(kept.size());
      for (const std::size_t t : kept)
        positions.push_back(request.positions ? (*request.positions)[t]
                                              : static_cast<std::int64_t>(t));
      request.positions = std::move(positions);
    }
    Diagnosis diagnosis = diagnose(tensors, request);
    leave_open(overflowed, diagnosis);
    const bool explained = !diagnosis.explanations.empty();
    if (axis == axes.front() || explained) {
      one.dropped = tokens - kept.size();
      one.kept = std::move(kept);
      one.tensors = std::move(tensors);
      one.diagnosis = std::move(diagnosis);
    }
    if (explained) break;
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

DiagnosedCase diagnose_table_files(const Arguments& arguments, DiagnosisRequest request) {
  const io::Tensor cos = open_floats(arguments, *arguments.value("--cos"));
  const io::Tensor sin = open_floats(arguments, *arguments.value("--sin"));
  check_same_shape(cos, sin);
  const std::size_t tokens = table_shape(cos)[0];
  const std::vector<double> c = cos.doubles(), s = sin.doubles();
  require_finite(cos, c);
  require_finite(sin, s);
  request.positions = read_positions(arguments, tokens);
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

DiagnosedCase diagnose_frequency_file(const Arguments& arguments, const DiagnosisRequest& request) {
  const io::Tensor tensor = open_floats(arguments, *arguments.value("--inv-freq"));
  const std::vector<double> theta = tensor.doubles();
  require_finite(tensor, theta);
  DiagnosedCase one;
  one.title = fmt::format("{}: {} frequencies, {}", io::printable(tensor.name(), 200), theta.size(),
                          io::name(tensor.type()));
  one.frequencies = true;
  one.diagnosis = diagnose_frequencies(theta, request);
  return one;
}

/// What the rotary options say, if any is given.
std::optional<Assumption> read_assumed(Arguments arguments, const DiagnoseStudy& study,
                                       const Console& console) {
  constexpr std::array<const char*, 8> kAssumptions = {
      "--base",    "--frequencies", "--rotary-dim",    "--layout",
      "--scaling", "--model",       "--max-positions", "--config"};
  if (std::none_of(kAssumptions.begin(), kAssumptions.end(),
                   [&](const char* option) { return arguments.given(option); }))
    return std::nullopt;
  const bool model = arguments.given("--model") || arguments.given("--config");
  const DiagnosedCase& first = study.cases.front();
  std::size_t dim = first.tensors.dim;
  if (dim == 0 && !first.diagnosis.explanations.empty())
    dim = first.diagnosis.explanations.front().arrangement.rotary_dim;
  if (!model && !arguments.given("--dim") && dim > 0 && dim % 2 == 0)
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
      refuse("--noise", kExpected, io::quoted(*text), "It counts units in the last place of y.");
  }
  DiagnosisRequest request;
  request.presets = known_embeddings();
  request.hypotheses = study.hypotheses;
  if (arguments.given("--inv-freq"))
    study.cases.push_back(diagnose_frequency_file(arguments, request));
  else if (arguments.given("--cos"))
    study.cases.push_back(diagnose_table_files(arguments, request));
  for (std::size_t i = 0; i < arguments.values("--input").size(); ++i)
    study.cases.push_back(diagnose_vectors(arguments, arguments.values("--input")[i],
                                           arguments.values("--result")[i], request));
  study.assumed = read_assumed(arguments, study, console);
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

constinit const Command diagnose_command = {
    "diagnose", "Find which convention explains tensors before and after a rotation.", kExamples,
    declare, run};

}  // namespace rope::app
