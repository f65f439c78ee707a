// `rope verify --input X --result Y`: is what an implementation made within what its policy allows?

#include "verify/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "named/token_options.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/embedding_text.hpp"
#include "rope/verify/judge_outputs.hpp"

namespace rope::app {
namespace {

rope::Format number_format(io::ElementType type) {
  switch (type) {
    case io::ElementType::float32:
      return rope::Format::float32;
    case io::ElementType::float16:
      return rope::Format::float16;
    case io::ElementType::bfloat16:
      return rope::Format::bfloat16;
    default:
      return rope::Format::float64;
  }
}

std::string describe_tensor(const io::Tensor& tensor) {
  return fmt::format("{}: {} {}", io::printable(tensor.name(), 200), io::name(tensor.type()),
                     io::shape_text(tensor.shape()));
}

/// Two files that belong together: one alone judges nothing.
void require_both(std::string_view one, bool given, std::string_view other, bool other_given) {
  if (given && !other_given) refuse(one, std::string(other) + " with it", "none");
  if (other_given && !given) refuse(other, std::string(one) + " with it", "none");
}

/// A table without its leading axes of length 1: [1, 1, tokens, columns] is [tokens, columns].
io::Shape table_shape(const io::Tensor& table) {
  io::Shape shape = table.shape();
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() != 2)
    throw ShapeError(fmt::format("{}: expected a table [tokens, columns], found shape {}",
                                 io::printable(table.name(), 200), io::shape_text(table.shape())),
                     "One row a position; columns are pairs, or rotated dimensions.");
  return shape;
}

/// Names the vector at which the library refused to go on.
template <typename Action>
void at_vector(const io::Tensor& tensor, std::uint64_t vector, Action action) {
  try {
    action();
  } catch (const Error& error) {
    throw Error(
        error.kind(),
        fmt::format("{}: vector {}: {}", io::printable(tensor.name(), 200), vector, error.what()),
        error.remedy());
  }
}

/// Gives every vector of X and Y to a check.
void add_vectors(const TokenInput& input, const io::Tensor& result, OutputCheck& check,
                 const Console& console) {
  const std::size_t d = input.axes.head_dim;
  Progress progress(console, input.tensor.count(), "judging");
  std::vector<double> y;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    y.resize(run.x.size());
    result.read(run.vector * d, std::span<double>(y));
    for (std::size_t start = 0; start < y.size(); start += d) {
      const std::uint64_t vector = run.vector + start / d;
      at_vector(input.tensor, vector, [&] {
        check.add_vector(vector, run.position, run.x.subspan(start, d),
                         std::span(y).subspan(start, d));
      });
    }
    progress.advance(y.size());
  };
  visit_vectors(input.tensor, input.axes, input.positions, visitor);
}

/// Gives every row of the tables to a check.
void add_rows(const io::Tensor& cos, const io::Tensor& sin, const TokenPositions& positions,
              OutputCheck& check, const Console& console) {
  const io::Shape shape = table_shape(cos);
  Progress progress(console, cos.count(), "judging");
  std::vector<double> c(shape[1]), s(shape[1]);
  for (std::uint64_t row = 0; row < shape[0]; ++row) {
    cos.read(row * shape[1], std::span<double>(c));
    sin.read(row * shape[1], std::span<double>(s));
    at_vector(cos, row, [&] { check.add_row(row, positions.at(0, row), c, s); });
    progress.advance(c.size());
  }
}

/// The embedding for tables alone: their columns tell the rotated size, not the head size.
RotaryEmbedding table_embedding(const RotaryOptions& rotary, const io::Tensor& cos,
                                const Console& console) {
  const std::size_t columns = table_shape(cos)[1];
  if (!rotary.names_model() && rotary.dims.empty() && rotary.frequencies.empty())
    refuse("--cos", "--dim or a model beside tables alone", "none",
           fmt::format("{} columns are those of --dim {} or --dim {}.", columns, columns,
                       2 * columns));
  return rotary_variant(rotary, console).embedding;
}

/// A word that a shell reads as it is meant.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char each : text) word += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return word + "'";
}

/// The `rope diagnose` that asks which convention these files follow.
std::string diagnose_line(const OutputQuestion& question) {
  std::string line = "rope diagnose";
  const auto add = [&](std::string_view option, const std::string& value) {
    line.append(" ").append(option).append(" ").append(shell_word(value));
  };
  if (question.input) {
    add("--input", *question.input);
    add("--result", question.results.front());
  } else {
    add("--cos", *question.cos);
    add("--sin", *question.sin);
  }
  if (question.tokens.axis) add("--token-axis", std::to_string(*question.tokens.axis));
  if (question.tokens.bfloat16) line += " --bfloat16";
  return line;
}

/// The other layout, if vectors that fail would pass with it: the most frequent mistake by far.
std::optional<PairLayout> passing_layout(const OutputQuestion& question, const OutputStudy& study,
                                         const TokenInput& input, const io::Tensor& result,
                                         const Console& console) {
  RotaryEmbedding other = study.embedding;
  if (study.vectors->verdict != Verdict::fail || other.pairs() == 1) return std::nullopt;
  other.layout = other.layout == PairLayout::half ? PairLayout::interleaved : PairLayout::half;
  OutputCheck check(question.policy, other, number_format(result.type()), question.hypotheses);
  add_vectors(input, result, check, console);
  if (check.report().verdict(other) != Verdict::pass) return std::nullopt;
  return other.layout;
}

/// The other axis of tokens, if vectors that fail would pass with it: of [batch or heads, tokens,
/// head_dim] the first is taken unless --token-axis is given.
std::optional<std::int64_t> passing_axis(const OutputQuestion& question, const OutputStudy& study,
                                         const TokenInput& input, const io::Tensor& result,
                                         const Console& console) {
  constexpr std::size_t kAxes = 3;
  constexpr std::int64_t kOther = 1;
  TokenOptions tokens = question.tokens;
  if (study.vectors->verdict != Verdict::fail || input.tensor.shape().size() != kAxes ||
      tokens.axis || tokens.positions || tokens.lengths || tokens.axis_positions)
    return std::nullopt;
  tokens.axis = kOther;
  const TokenInput other = token_input(tokens, open_floats(tokens, *question.input));
  OutputCheck check(question.policy, study.embedding, number_format(result.type()),
                    question.hypotheses);
  add_vectors(other, result, check, console);
  if (check.report().verdict(study.embedding) != Verdict::pass) return std::nullopt;
  return kOther;
}

void judge_vectors(const OutputQuestion& question, OutputStudy& study, const Console& console) {
  const TokenOptions& tokens = question.tokens;
  const TokenInput input = token_input(tokens, open_floats(tokens, *question.input));
  const io::Tensor result = open_floats(tokens, question.results.front());
  if (result.shape() != input.tensor.shape())
    refuse("--result", "shape " + io::shape_text(input.tensor.shape()) + " as --input",
           io::shape_text(result.shape()));
  if (result.count() == 0)
    refuse("--input", "at least one vector", io::shape_text(result.shape()),
           "Nothing would be compared.");
  study.embedding = embedding_for(question.rotary, input, console);
  study.input = describe(input);
  study.result = describe_tensor(result);
  study.positions = describe(input.positions);
  study.vectors = judge_outputs(
      study.embedding, question.policy, number_format(result.type()), study.hypotheses,
      [&](OutputCheck& check) { add_vectors(input, result, check, console); });
  study.policy = study.vectors->policy;
  study.narrowed = study.vectors->narrowed;
  study.hypotheses = study.vectors->hypotheses;
  // Standard input is read once.
  if (*question.input != "-")
    study.passing_axis = passing_axis(question, study, input, result, console);
  study.passing_layout = passing_layout(question, study, input, result, console);
}

void judge_tables(const OutputQuestion& question, OutputStudy& study, const Console& console) {
  const io::Tensor cos = open_floats(question.tokens, *question.cos);
  const io::Tensor sin = open_floats(question.tokens, *question.sin);
  const io::Shape shape = table_shape(cos);
  if (sin.shape() != cos.shape())
    refuse("--sin", "shape " + io::shape_text(cos.shape()) + " as --cos",
           io::shape_text(sin.shape()));
  if (cos.count() == 0)
    refuse("--cos", "at least one row", io::shape_text(cos.shape()), "Nothing would be compared.");
  // Tables have no batches: the positions are those of their rows.
  const TokenPositions positions = row_positions(question.tokens, shape[0]);
  if (!study.vectors) study.embedding = table_embedding(question.rotary, cos, console);
  const rope::Format type = number_format(cos.type());
  study.rows =
      judge_outputs(study.embedding, question.policy, type, study.hypotheses,
                    [&](OutputCheck& check) { add_rows(cos, sin, positions, check, console); });
  study.hypotheses = study.rows->hypotheses;
  study.narrowed =
      study.narrowed || limits(type).precision < limits(question.policy.table).precision;
  if (!study.vectors) study.policy = question.policy;
  study.tables = describe_tensor(cos) + " and " + describe_tensor(sin);
  study.positions = describe(positions);
}

}  // namespace

Verdict OutputStudy::verdict() const {
  Verdict worst = Verdict::pass;
  for (const std::optional<Certification>* part : {&vectors, &rows}) {
    if (!*part) continue;
    const Verdict one = (*part)->verdict;
    if (one == Verdict::fail || worst == Verdict::pass) worst = one;
  }
  return worst;
}

std::optional<double> OutputStudy::sufficient_libm_ulp() const {
  std::optional<double> most;
  for (const std::optional<Certification>* part : {&vectors, &rows}) {
    if (!*part || (*part)->report.passed()) continue;
    if (!(*part)->sufficient_libm_ulp) return std::nullopt;
    most = std::max(most, (*part)->sufficient_libm_ulp);
  }
  return most;
}

void OutputQuestion::check() const {
  if (results.size() > 1)
    refuse("--result", "one tensor", std::to_string(results.size()),
           "--output FILE.npy names it, too; the report is written as .json or .csv.");
  require_both("--input", input.has_value(), "--result", !results.empty());
  require_both("--cos", cos.has_value(), "--sin", sin.has_value());
}

OutputStudy judge(const OutputQuestion& question, const Console& console) {
  OutputStudy study;
  study.hypotheses = question.hypotheses;
  if (question.input) judge_vectors(question, study, console);
  if (question.cos) judge_tables(question, study, console);
  study.diagnose_line = diagnose_line(question);
  study.warnings = console.warnings();
  return study;
}

}  // namespace rope::app
