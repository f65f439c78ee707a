// `rope diagnose`: which convention explains these tensors?

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "diagnose/report.hpp"
#include "diagnose/stated_readings.hpp"
#include "named/capture.hpp"
#include "named/rotary_options.hpp"
#include "named/token_options.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/error.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/quote.hpp"
#include "rope/studies/outputs.hpp"
#include "shown/table.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {
namespace {

constexpr std::array kFormats = {Format::csv, Format::json, Format::png,
                                 Format::svg, Format::pdf,  Format::gp};

std::vector<std::size_t> shape_of(const io::Tensor& tensor) {
  return {tensor.shape().begin(), tensor.shape().end()};
}

/// What the user says of what is looked at.
struct DiagnoseOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> results;
  std::vector<std::string> references;  ///< instead of inputs: rotated by another program
  std::vector<std::string> ports;
  std::optional<std::string> cos;
  std::optional<std::string> sin;
  std::optional<std::string> inv_freq;
  TokenOptions tokens;
  double noise = 0;
  RotaryOptions rotary;  ///< what is assumed: compared with what is found

  bool states_frequencies() const {
    return !rotary.bases.empty() || !rotary.frequencies.empty() || !rotary.scalings.empty();
  }
  /// Whether the rotary options say more than the head size.
  bool states_embedding() const {
    return states_frequencies() || rotary.names_model() || rotary.rotary_dim || rotary.layout ||
           rotary.max_positions || rotary.axes.given();
  }
};

/// The shape as tokens, …, head_dim: one axis is one token; --dim splits the last axis into heads.
std::vector<std::size_t> vector_shape(const DiagnoseOptions& options, const io::Tensor& tensor) {
  std::vector<std::size_t> shape = shape_of(tensor);
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  if (options.rotary.dims.empty() || shape.empty()) return shape;
  const std::size_t head = options.rotary.dims.front();
  if (shape.back() == head) return shape;
  if (shape.back() % head != 0)
    refuse("--dim", fmt::format("a divisor of {}, the length of the last axis", shape.back()),
           std::to_string(head), "--dim is the head size.");
  shape.back() /= head;
  shape.push_back(head);
  return shape;
}

/// What the rotary options say, if any but --dim is given. `dim`: the head size, unless they give
/// it.
std::optional<Assumption> stated_assumption(const DiagnoseOptions& options, std::size_t dim,
                                            const Console& console) {
  if (!options.states_embedding()) return std::nullopt;
  RotaryOptions rotary = options.rotary;
  const bool model = rotary.names_model();
  if (!model && rotary.dims.empty() && dim % 2 == 0) rotary.dims = {dim};
  Assumption assumption{rotary_variant(rotary, console).embedding};
  assumption.positions = options.tokens.says_positions();
  if (!model) {
    assumption.layout = rotary.layout.has_value();
    assumption.frequencies = options.states_frequencies();
  }
  return assumption;
}

/// The numbers of a floating tensor, none of them wider than in its file.
Numbers numbers_of(const io::Tensor& tensor) {
  switch (tensor.type()) {
    case io::ElementType::float32:
      return tensor.floats();
    case io::ElementType::float16:
      return {rope::Format::float16, tensor.bits()};
    case io::ElementType::bfloat16:
      return {rope::Format::bfloat16, tensor.bits()};
    default:
      return tensor.doubles();
  }
}

/// What is asked of heads of a size: of the one that --dim says, or of any that the options allow.
RequestOfHeads requests(const DiagnoseOptions& options, const DiagnosisRequest& request,
                        std::size_t axis, const Console& console) {
  const std::optional<Assumption> of_axis = stated_assumption(options, axis, console);
  return [&, axis, of_axis](std::size_t head_dim) -> std::optional<DiagnosisRequest> {
    DiagnosisRequest of_heads = request;
    if (head_dim == axis) {
      of_heads.assumed = of_axis;
      return of_heads;
    }
    if (!options.rotary.dims.empty()) return std::nullopt;
    try {
      const Console silent = Console::silent();
      of_heads.assumed = stated_assumption(options, head_dim, silent);
    } catch (const Error&) {  // --rotary-dim is larger, or --frequencies are more
      return std::nullopt;
    }
    return of_heads;
  };
}

/// The head size that the options say; nothing if they leave it to the tensors.
std::optional<std::size_t> stated_head_dim(const DiagnoseOptions& options,
                                           const std::optional<Assumption>& assumed) {
  if (!options.rotary.dims.empty()) return options.rotary.dims.front();
  return options.rotary.names_model() ? std::optional(assumed->embedding.head_dim) : std::nullopt;
}

/// Whether the last axis holds no heads of the size that the stated model has, nor the part that it
/// rotates. Weights [out, in] are diagnosed as they stand.
bool no_heads_of(const std::optional<Assumption>& stated, const io::Shape& shape) {
  if (!stated) return false;
  const std::size_t head = stated->embedding.head_dim, last = shape.back();
  const bool weights = shape.size() == 2 && shape[0] % head == 0 && last > head;
  return last % head != 0 && last != stated->embedding.rotary_dim() && !weights;
}

/// Whether the axis that was read as tokens may as well hold the heads of one token: the positions
/// ascend from a later one than 0.
bool may_be_heads_of_one_token(const TokenOptions& tokens, const DiagnosedCase& one) {
  const Diagnosis& d = one.diagnosis;
  if (d.tokens < 2 || d.explanations.empty() || one.row_tokens > 0) return false;
  const Explanation& e = d.explanations.front();
  if (!e.position_offset || *e.position_offset + tokens.start.value_or(0) == 0) return false;
  for (std::size_t axis = 0; axis + 1 < one.shape.size(); ++axis)
    if (may_hold_heads(tokens, one.shape, d.token_axis, axis)) return true;
  return false;
}

/// How many axes before the last one could count tokens.
std::ptrdiff_t long_axes(const std::vector<std::size_t>& shape) {
  return std::ranges::count_if(std::span(shape).first(shape.size() - 1),
                               [](std::size_t length) { return length > 1; });
}

/// `before`: the numbers of x, or what they were before a rotation.
DiagnosedCase diagnose_vectors(const DiagnoseOptions& options, const io::Tensor& x,
                               const Numbers& before, const io::Tensor& y,
                               DiagnosisRequest& request, const Console& console) {
  if (x.shape().empty())
    throw ShapeError(fmt::format("{}: expected vectors [..., head_dim], found a single number",
                                 io::printable(x.name(), 200)),
                     "In NumPy: numpy.save(FILE, x) with an array x of shape [..., head_dim].");
  const std::vector<std::size_t> shape = vector_shape(options, x);
  const RequestOfHeads request_of = requests(options, request, shape.back(), console);
  const std::optional<Assumption> stated = request_of(shape.back())->assumed;
  const bool misfits = options.rotary.names_model() && no_heads_of(stated, x.shape());
  const std::vector<TokenReading> readings = [&] {
    try {
      return stated_readings(options.tokens, shape);
    } catch (const Error&) {
      if (misfits) throw other_head_size(x, stated->embedding.head_dim);
      throw;
    }
  }();
  const auto assumed = [&](std::size_t head_dim) { return request_of(head_dim)->assumed; };
  DiagnosedCase one;
  one.title =
      fmt::format("{} → {}: {} {}", io::printable(x.name(), 200), io::printable(y.name(), 200),
                  io::name(y.type()), io::shape_text(y.shape()));
  one.positions_given = options.tokens.says_positions();
  try {
    ArrayDiagnosis found =
        diagnose_heads(shape, before, numbers_of(y), readings,
                       stated_head_dim(options, assumed(shape.back())), request_of);
    // Heads of another size that turn by something are told apart from axes in another order.
    if (misfits && found.diagnosis.explanations.empty() && !found.diagnosis.best_fit)
      throw other_head_size(x, stated->embedding.head_dim);
    one.left_out = found.left_out;
    one.shape = std::move(found.shape);
    one.split_heads = one.shape.size() > shape.size() ? one.shape[one.shape.size() - 2] : 0;
    if (!request.assumed) request.assumed = assumed(one.shape.back());
    one.row_tokens = found.row_tokens;
    one.other_axis = found.other_axis;
    if (found.other_axis) one.positions_given = false;  // they are those of the stated axis
    one.kept = std::move(found.kept);
    one.tensors = std::move(found.tensors);
    one.diagnosis = std::move(found.diagnosis);
    one.axis_open = may_be_heads_of_one_token(options.tokens, one);
    one.axis_chosen = !options.tokens.axis && long_axes(one.shape) > 1;
  } catch (const DomainError& error) {
    if (error.subject() != "tensors") throw;
    throw DomainError(
        io::printable(y.name(), 200) + std::string(error.what()).substr(error.subject().size()),
        error.remedy());
  }
  return one;
}

DiagnosedCase diagnose_files(const DiagnoseOptions& options, const std::string& input,
                             const std::string& result, DiagnosisRequest& request,
                             const Console& console) {
  const io::Tensor x = open_floats(options.tokens, input);
  return diagnose_vectors(options, x, numbers_of(x),
                          in_axes_of(x, open_floats(options.tokens, result), console), request,
                          console);
}

/// Vectors that a program rotated, turned back as it is stated to have turned them: what they were,
/// but for its rounding.
Numbers turned_back(const TokenInput& rotated, const RotaryEmbedding& embedding) {
  VectorRotation rotation(*find_policy("exact"), embedding, RotationForm::elementwise,
                          Direction::inverse);
  std::vector<double> x;
  x.reserve(rotated.tensor.count());
  rotate_tensor(
      rotated.tensor, rotated.axes, rotated.positions, rotation,
      [&](std::span<const double> block) { x.insert(x.end(), block.begin(), block.end()); });
  Origins origins{std::vector<double>(x.size()),
                  std::max(std::abs(static_cast<double>(rotated.positions.smallest())),
                           std::abs(static_cast<double>(rotated.positions.largest()))),
                  narrowest_format(rotated.tensor)};
  for (std::size_t row = 0; row < x.size(); row += embedding.head_dim)
    embedding.for_each_pair([&](std::size_t, std::size_t first, std::size_t second) {
      origins.lengths[row + first] = origins.lengths[row + second] =
          std::hypot(x[row + first], x[row + second]);
    });
  return {std::move(x), std::move(origins)};
}

/// What a port did otherwise than a reference, both after the rotation: the reference is turned
/// back as stated, along an axis that may count the tokens.
DiagnosedCase diagnose_along(const DiagnoseOptions& options, const TokenInput& reference,
                             const io::Tensor& port, DiagnosisRequest& request,
                             const Console& console) {
  DiagnoseOptions along = options;
  along.tokens.axis = reference.token_axis;
  if (!along.tokens.says_positions()) along.tokens.start = 0;
  const RotaryEmbedding embedding = embedding_for(options.rotary, reference, console);
  if (!options.rotary.names_model()) along.rotary.dims = {embedding.head_dim};
  DiagnosisRequest of_unrotated = request;
  DiagnosedCase one = diagnose_vectors(along, reference.tensor, turned_back(reference, embedding),
                                       port, request, console);
  one.trace = Trace::turned_back;
  if (stated_fits(one, request.assumed).value_or(false)) return one;
  DiagnosedCase other =
      diagnose_vectors(along, port, numbers_of(port), reference.tensor, of_unrotated, console);
  other.trace = Trace::not_rotated;
  return !other.diagnosis.unchanged && stated_fits(other, request.assumed).value_or(false) ? other
                                                                                           : one;
}

/// The same along the axis that explains the port best, the likely ones first.
DiagnosedCase diagnose_traces(const DiagnoseOptions& options, const std::string& reference,
                              const std::string& port, DiagnosisRequest& request,
                              const Console& console) {
  const io::Tensor r = open_floats(options.tokens, reference);
  const io::Tensor y = in_axes_of(r, open_floats(options.tokens, port), console);
  const auto merit = [](const DiagnosedCase& one) {
    return !one.diagnosis.explanations.empty() ? 2 : one.diagnosis.best_fit ? 1 : 0;
  };
  std::optional<DiagnosedCase> best;
  for (const TokenInput& reading : token_inputs(options.tokens, options.rotary, r)) {
    DiagnosisRequest of_reading = request;
    DiagnosedCase one = diagnose_along(options, reading, y, of_reading, console);
    if (best && merit(one) <= merit(*best)) continue;
    best = std::move(one);
    request.assumed = of_reading.assumed;
    if (merit(*best) == 2) break;
  }
  return *std::move(best);
}

/// A table without leading axes of length 1.
std::vector<std::size_t> cos_sin_shape(const io::Tensor& table) {
  std::vector<std::size_t> shape = shape_of(table);
  for (std::size_t axis = 0; shape.size() > 2 && axis + 1 < shape.size();)
    if (shape[axis] == 1)
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    else
      ++axis;
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0)
    throw ShapeError(fmt::format("{}: expected a table [tokens, columns], got shape {}",
                                 io::printable(table.name(), 200), io::shape_text(table.shape())),
                     "Give one row per token, and one or two columns per pair.");
  return shape;
}

void require_finite(const io::Tensor& tensor, const std::vector<double>& values) {
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
    throw DomainError(fmt::format("{}: expected finite numbers, found a NaN or an infinity",
                                  io::printable(tensor.name(), 200)),
                      "Leave out rows that overflowed.");
}

DiagnosedCase diagnose_table_files(const DiagnoseOptions& options, DiagnosisRequest& request,
                                   const Console& console) {
  const io::Tensor cos = open_floats(options.tokens, *options.cos);
  const io::Tensor sin = in_axes_of(cos, open_floats(options.tokens, *options.sin), console);
  const std::size_t tokens = cos_sin_shape(cos)[0];
  const std::vector<double> c = cos.doubles(), s = sin.doubles();
  require_finite(cos, c);
  require_finite(sin, s);
  if (options.tokens.axis_positions) {
    const TokenReading reading = stated_readings(options.tokens, cos_sin_shape(cos)).front();
    request.axis_positions = reading.axis_positions;
    request.axes = reading.axes;
  } else {
    request.positions = stated_positions(options.tokens, tokens);
  }
  const bool repeated = table_columns(tokens, c, s) != TableColumns::pairs;
  request.assumed = stated_assumption(options, c.size() / tokens * (repeated ? 1 : 2), console);
  TableDiagnosis found = diagnose_tables(tokens, c, s, request);
  DiagnosedCase one;
  one.title =
      fmt::format("{}, {}: {} {}", io::printable(cos.name(), 200), io::printable(sin.name(), 200),
                  io::name(cos.type()), io::shape_text(cos.shape()));
  one.columns = found.columns;
  one.exchanged = found.exchanged;
  one.positions_given = options.tokens.says_positions();
  one.diagnosis = std::move(found.diagnosis);
  return one;
}

/// Frequencies are one after the other, along whichever of the axes.
void require_one_axis(const io::Tensor& tensor) {
  const io::Shape& shape = tensor.shape();
  if (shape.empty() || std::ranges::max(shape) == tensor.count()) return;
  throw ShapeError(
      fmt::format("{}: expected frequencies along one axis, one per pair, found shape {}",
                  io::printable(tensor.name(), 200), io::shape_text(shape)),
      "Give vectors before and after a rotation as --input and --result.");
}

DiagnosedCase diagnose_frequency_file(const DiagnoseOptions& options, DiagnosisRequest& request,
                                      const Console& console) {
  const io::Tensor tensor = open_floats(options.tokens, *options.inv_freq);
  require_one_axis(tensor);
  const std::vector<double> theta = tensor.doubles();
  require_finite(tensor, theta);
  DiagnosedCase one;
  one.title = fmt::format("{}: {} frequencies, {}", io::printable(tensor.name(), 200), theta.size(),
                          io::name(tensor.type()));
  one.frequencies = true;
  request.assumed = stated_assumption(options, 2 * theta.size(), console);
  one.diagnosis = diagnose_frequencies(theta, request);
  return one;
}

void check_combinations(const DiagnoseOptions& options) {
  const std::size_t inputs = options.inputs.size(), results = options.results.size();
  const std::size_t references = options.references.size(), ports = options.ports.size();
  const bool tables = options.cos || options.sin;
  const int kinds = (inputs + results > 0 ? 1 : 0) + (references + ports > 0 ? 1 : 0) +
                    (tables ? 1 : 0) + (options.inv_freq ? 1 : 0);
  if (kinds != 1)
    refuse("--input",
           "--input with --result, --reference with --port, --cos with --sin, or --inv-freq",
           kinds == 0 ? "none of them" : "several of them",
           "For example rope diagnose --input x.npy --result y.npy.");
  if (references != ports)
    refuse(references < ports ? "--reference" : "--port", "as many --reference as --port",
           fmt::format("{} and {}", references, ports),
           "The first --port must contain the vectors of the first --reference, as rotated by the "
           "port, and so on.");
  if (ports > 0 && !options.rotary.names_model() && !options.rotary.layout)
    refuse("--reference",
           "a description of its rotation: --model NAME, or --layout L with --base B", "no layout",
           "The reference is turned back as stated, and the port is compared with the unrotated "
           "vectors.");
  if (inputs != results)
    refuse(inputs < results ? "--input" : "--result", "as many --input as --result",
           fmt::format("{} and {}", inputs, results),
           "The first --result must be the first --input after the rotation, and so on.");
  if (tables && !(options.cos && options.sin))
    refuse(options.cos ? "--sin" : "--cos", "both tables", "one of them",
           "An angle can be found only from both its cosine and its sine.");
}

/// Of q and k, which have the tokens in common, one tells of both which axis counts them.
void leave_axes_open(DiagnoseStudy& study) {
  const auto sure = [&](const DiagnosedCase& one) {
    return std::ranges::any_of(study.cases, [&](const DiagnosedCase& other) {
      return !other.axis_open && other.diagnosis.tokens == one.diagnosis.tokens;
    });
  };
  for (DiagnosedCase& one : study.cases) {
    if (one.axis_open && sure(one)) one.axis_open = false;
    if (one.axis_open && one.diagnosis.verdict == DiagnosisVerdict::unique)
      one.diagnosis.verdict = DiagnosisVerdict::ambiguous;
  }
}

DiagnoseStudy study_of_one_kind(const DiagnoseOptions& options, const Console& console) {
  DiagnoseStudy study;
  study.hypotheses.noise_ulp = options.noise;
  DiagnosisRequest request = request_with_presets();
  request.hypotheses = study.hypotheses;
  if (options.inv_freq)
    study.cases.push_back(diagnose_frequency_file(options, request, console));
  else if (options.cos)
    study.cases.push_back(diagnose_table_files(options, request, console));
  for (std::size_t i = 0; i < options.inputs.size(); ++i)
    study.cases.push_back(
        diagnose_files(options, options.inputs[i], options.results[i], request, console));
  for (std::size_t i = 0; i < options.references.size(); ++i)
    study.cases.push_back(
        diagnose_traces(options, options.references[i], options.ports[i], request, console));
  study.assumed = request.assumed;
  leave_axes_open(study);
  return study;
}

/// In how many ways the tensors differ from what is stated; nothing where no convention explains
/// them.
std::optional<std::size_t> count_differences(const DiagnoseStudy& study) {
  std::size_t count = 0;
  for (const DiagnosedCase& one : study.cases) {
    const std::vector<Explanation>& found = one.diagnosis.explanations;
    if (found.empty()) return std::nullopt;
    if (stated_fits(one, study.assumed).value_or(false)) continue;
    count += case_differences(one, found.front(), *study.assumed).size();
  }
  return count;
}

/// Of a model with several kinds of layers, the one from which the tensors differ least is meant.
DiagnoseStudy study_of(const DiagnoseOptions& options, const Console& console) {
  check_combinations(options);
  if (!options.rotary.names_model()) return study_of_one_kind(options, console);
  RotaryOptions each = options.rotary;
  each.times = Times::many;
  const std::vector<RotaryVariant> kinds = rotary_variants(each, Console::silent());
  if (kinds.size() == 1) return study_of_one_kind(options, console);
  DiagnoseOptions of_kind = options;
  of_kind.rotary.layer_kind = 0;
  std::size_t used = 0;
  DiagnoseStudy study = study_of_one_kind(of_kind, console);
  std::optional<std::size_t> least = count_differences(study);
  for (std::size_t kind = 1; kind < kinds.size() && least.value_or(0) > 0; ++kind) {
    of_kind.rotary.layer_kind = kind;
    DiagnoseStudy other = study_of_one_kind(of_kind, Console::silent());
    const std::optional<std::size_t> differences = count_differences(other);
    if (!differences || *differences >= *least) continue;
    study = std::move(other);
    least = differences;
    used = kind;
  }
  console.warn(fmt::format("the model has layers of {} kinds: y is compared with those of {}",
                           kinds.size(), kinds[used].label));
  return study;
}

/// Whether y is not what is stated, though more than one convention may explain it: at the
/// positions given, all of these differ from it, or y is x where every rotation changes x.
bool is_refuted(const DiagnosedCase& one, const std::optional<Assumption>& assumed) {
  const Diagnosis& d = one.diagnosis;
  if (d.unchanged && d.unturned) return d.unturned->least != 0 || d.unturned->most != 0;
  return assumed && one.positions_given && !one.axis_open && !d.overflowed &&
         !d.explanations.empty() && std::ranges::none_of(d.explanations, [&](const Explanation& e) {
           return case_differences(one, e, *assumed).empty();
         });
}

ExitCode exit_code(const DiagnoseStudy& study) {
  const auto refuted = [&](const DiagnosedCase& one) { return is_refuted(one, study.assumed); };
  // Tensors that differ are a no, whatever was stated of them.
  const ExitCode certain = study.agree() ? ExitCode::done : ExitCode::check_failed;
  if (std::all_of(study.cases.begin(), study.cases.end(), [&](const DiagnosedCase& one) {
        return stated_fits(one, study.assumed).value_or(false) && !one.axis_open &&
               one.trace != Trace::not_rotated;
      }))
    return certain;
  const auto differs = [&](const DiagnosedCase& one) {
    return one.trace == Trace::not_rotated || !one.diagnosis.explanations.empty() ||
           !best_fit_differences(one, study.assumed).empty();
  };
  if (study.traces() && std::ranges::any_of(study.cases, differs)) return ExitCode::check_failed;
  // What is stated is checked: another convention, however certain, is a no.
  const auto contradicts = [&](const DiagnosedCase& one) {
    return !stated_fits(one, study.assumed).value_or(true);
  };
  switch (study.verdict()) {
    case DiagnosisVerdict::unique:
      return std::ranges::any_of(study.cases, contradicts) ? ExitCode::check_failed : certain;
    case DiagnosisVerdict::ambiguous:
      return std::ranges::any_of(study.cases, refuted) ? ExitCode::check_failed
                                                       : ExitCode::inconclusive;
    case DiagnosisVerdict::none:
      break;
  }
  return ExitCode::check_failed;
}

struct Diagnose final : Invocation, DiagnoseOptions {
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope apply --golden q_ && rope diagnose --input q_x.npy --result q_y.npy",
      "rope diagnose --input q_x.npy --result q_y.npy --base 10000 -o error.png",
      "rope diagnose --input q_x.npy --result q_y.npy --start 0 --json"};
  static constexpr auto kTerms = std::to_array<std::string_view>(
      {"convention", "layout", "position", "bound", "policy", "attention factor"});
  std::vector<std::string> files;
  OutputOptions output{kFormats};

  void declare(OptionSet& options) override {
    options.operands("[X Y]",
                     "vectors before and after the rotation, the same as --input X --result Y; or "
                     "one .safetensors or .npz file with q_pre and q_rot",
                     2, files);
    options.group("What to look at");
    options.text("--input X",
                 "vectors before the rotation, such as q or k: " + std::string(kTensorHelp),
                 inputs);
    options.text(
        "--result Y",
        "the same vectors after the rotation, one file per --input; --output Y.npy means the same",
        results);
    options.text("--reference R",
                 "vectors rotated by a correct program, in place of --input and --result; describe "
                 "the rotation with --model NAME, or with --layout L and --base B",
                 references);
    options.text("--port P", "the same vectors, rotated by your port, one file per --reference",
                 ports);
    options.text("--cos FILE",
                 "a table of cosines, [tokens, columns], in place of --input and --result", cos);
    options.text("--sin FILE", "the table of sines that goes with --cos", sin);
    options.text("--inv-freq FILE",
                 "frequencies in radians per token, in place of --input and --result", inv_freq);
    options.group("Tokens");
    tokens.declare(options, {.axis = "detected", .positions = "detected", .start = {}});
    tokens.declare_axis_positions(options, "detected");
    options.group("Judgement");
    options.real(
        "--noise N",
        "error allowed in y beyond the rounding of its pipeline, in units in the last place", noise,
        {.least = 0, .most = 1000, .remedy = "It is a number of units in the last place of y."});
    rotary.declare(options);
    output.declare(options);
    output.declare_details(options);
    options.often_used({"--input", "--result", "--reference", "--port", "--cos", "--sin"});
    options.take_files({"--input", "--result", "--reference", "--port"});
    options.operands_take_files();
  }

  ExitCode run(Console& console) override {
    take_outputs();
    const OutputPlan plan = plan_output(output);
    const DiagnoseStudy study = [&] {
      const Progress progress(console, 1, "rope diagnose");
      return study_of(*this, console);
    }();
    Products products;
    products.report = [&](const Console& out) { print_diagnosis(study, output.details, out); };
    products.json = [&] { return diagnose_json(study); };
    products.csv = [&] { return diagnose_csv(study); };
    products.figure = [&] { return diagnose_figure(study); };
    write_output(plan, products, console);
    return exit_code(study);
  }

 private:
  /// Results that -o names, beside --input; X and Y name both files already.
  void take_outputs() {
    take_files();
    if (inputs.empty()) return;
    const std::size_t before = results.size();
    take_results(output.files, results);
    if (!files.empty() && results.size() > before)
      refuse("-o", "a document or a picture with X and Y", io::in_quotes(results.back()),
             "X and Y are the tensors to compare; for example -o error.csv.");
  }

  /// X and Y, the short form of --input X --result Y, or one file whose tensors say which is which.
  void take_files() {
    if (files.empty()) return;
    if (files.size() == 1 && inputs.empty() && results.empty() && io::names_archive(files[0])) {
      const Capture capture = capture_in(files[0]);
      inputs = capture.inputs;
      results = capture.results;
      if (capture.positions && !tokens.says_positions())
        tokens.positions = read_positions("--positions", *capture.positions);
      return;
    }
    if (files.size() != 2 || !inputs.empty() || !results.empty())
      refuse("X Y", "two files, or --input and --result",
             files.size() != 2 ? "one file" : "both forms",
             "For example rope diagnose x.npy y.npy, or a .safetensors file with q_pre and q_rot.");
    inputs = {files[0]};
    results = {files[1]};
  }
};

}  // namespace

extern constinit const Command diagnose_command = command_of<Diagnose>(
    "diagnose", kCheck, "Find the convention of a rotation from inputs and outputs.");

}  // namespace rope::app
