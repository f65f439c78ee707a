// `rope verify --input X --result Y`: is what an implementation made within what its policy allows?

#include "verify/output.hpp"

#include <fmt/format.h>

#include <memory>

#include "named/token_options.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/pictures/embedding_text.hpp"

namespace rope::app {
namespace {

std::string describe_tensor(const io::Tensor& tensor) {
  return fmt::format("{}: {} {}", io::printable(tensor.name(), 200), io::name(tensor.type()),
                     io::shape_text(tensor.shape()));
}

/// Two files that belong together: one alone judges nothing.
void require_both(std::string_view one, bool given, std::string_view other, bool other_given) {
  if (given && !other_given) refuse(one, std::string(other) + " with it", "none");
  if (other_given && !given) refuse(other, std::string(one) + " with it", "none");
}

/// A bar for every pass over the tensors.
PassProgress judging(const Console& console) {
  return [&console](std::uint64_t total) {
    const auto bar = std::make_shared<Progress>(console, total, "judging");
    return [bar](std::uint64_t numbers) { bar->advance(numbers); };
  };
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

/// The other axis of tokens, if vectors that fail would pass with it: of [batch or heads, tokens,
/// head_dim] the first is taken unless --token-axis is given.
std::optional<std::int64_t> passing_axis(const OutputQuestion& question, const OutputStudy& study,
                                         const TokenInput& input, const io::Tensor& result,
                                         const PassProgress& progress) {
  constexpr std::size_t kAxes = 3;
  constexpr std::int64_t kSecondAxis = 1;
  TokenOptions tokens = question.tokens;
  if (study.vectors->verdict != Verdict::fail || input.tensor.shape().size() != kAxes ||
      tokens.axis || tokens.positions || tokens.lengths || tokens.axis_positions)
    return std::nullopt;
  tokens.axis = kSecondAxis;
  const TokenInput other = token_input(tokens, open_floats(tokens, *question.input));
  if (!passes(study.embedding, other, result, question.policy, question.hypotheses, progress))
    return std::nullopt;
  return kSecondAxis;
}

void judge_vector_files(const OutputQuestion& question, OutputStudy& study,
                        const Console& console) {
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
  const PassProgress progress = judging(console);
  judge_vectors(study, input, result, question.policy, progress);
  // Standard input is read once.
  if (*question.input != "-")
    study.passing_axis = passing_axis(question, study, input, result, progress);
}

void judge_table_files(const OutputQuestion& question, OutputStudy& study, const Console& console) {
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
  judge_tables(study, cos, sin, positions, question.policy, judging(console));
  study.tables = describe_tensor(cos) + " and " + describe_tensor(sin);
  study.positions = describe(positions);
}

}  // namespace

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
  if (question.input) judge_vector_files(question, study, console);
  if (question.cos) judge_table_files(question, study, console);
  return study;
}

}  // namespace rope::app
