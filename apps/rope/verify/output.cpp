// `rope verify --input X --result Y`: is what an implementation made within what its policy allows?

#include "verify/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "named/token_options.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/language/said.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

std::string describe_tensor(const io::Tensor& tensor, Language language) {
  return said(language, "{}: {} {}", io::printable(tensor.name(), 200), io::name(tensor.type()),
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
    refuse("--cos", "--dim or a model, for tables without vectors", "none",
           fmt::format("{} columns fit --dim {} or --dim {}.", columns, columns, 2 * columns));
  return rotary_variant(rotary, console).embedding;
}

/// Of two studies of the same files the one that says more for them: no failure, a pass rather than
/// what proves nothing, a pass by one change, fewer violations, or as many and less difference. Of
/// the right axis the first token and the fast pairs are often right, whatever the mistake.
bool better(const OutputStudy& one, const OutputStudy& other) {
  const auto rank = [](const OutputStudy& study) {
    switch (study.vectors->verdict) {
      case Verdict::pass:
        return 0;
      case Verdict::inconclusive:
        return 1;
      default:
        return 2;
    }
  };
  if (rank(one) != rank(other)) return rank(one) < rank(other);
  if (rank(one) != 2) return false;
  const auto unchanged = [](const OutputStudy& study) {
    return study.places && study.places->all_unchanged();
  };
  if (unchanged(one) && unchanged(other)) return false;
  const auto order = [](const OutputStudy& study) {
    return std::tuple(!study.would_pass.any(), study.vectors->report.violations,
                      study.residual.relative);
  };
  return order(one) < order(other);
}

/// Adds an axis along which the vectors would fail.
void add_failing_axis(std::int64_t axis, const OutputStudy& along, OutputStudy& study) {
  const bool first = study.failing_axes.empty();
  const bool unrotated = along.places && along.places->all_unchanged();
  study.unrotated_there = unrotated && (first || study.unrotated_there);
  study.failing_axes.insert(std::ranges::upper_bound(study.failing_axes, axis), axis);
}

/// Whether the tokens along an axis may as well be the heads of one token: positions start late.
bool may_be_heads_of_one_token(const TokenOptions& tokens, const TokenInput& input,
                               std::int64_t single) {
  const io::Shape& shape = input.tensor.shape();
  const bool packed = input.axes.head_dim != shape.back();  // then no other axis counts heads
  return !packed && tokens.start.value_or(0) != 0 &&
         may_hold_heads(tokens, shape, static_cast<std::size_t>(input.token_axis),
                        static_cast<std::size_t>(single));
}

/// The heads of a usual size, of which the last axis may hold several, that would pass: where no
/// size is stated, nor a model that has one.
void try_head_sizes(const OutputQuestion& question, const TokenInput& input,
                    const io::Tensor& result, const PassProgress& progress, OutputStudy& study) {
  if (question.rotary.names_model() || !question.rotary.dims.empty() ||
      !question.rotary.frequencies.empty() || question.rotary.axes.given() ||
      study.would_pass.any() || study.noise())
    return;
  const Console silent = Console::silent();
  for (const std::size_t head : {128U, 64U, 96U, 80U, 256U, 112U, 192U, 160U, 48U, 32U, 72U}) {
    if (input.axes.head_dim <= head || input.axes.head_dim % head != 0) continue;
    RotaryOptions rotary = question.rotary;
    rotary.dims = {head};
    TokenInput split = input;
    split.axes.inner *= input.axes.head_dim / head;
    split.axes.head_dim = head;
    RotaryEmbedding embedding = embedding_for(rotary, split, silent);
    for (const PairLayout layout : {embedding.layout, PairLayout::half}) {
      embedding.layout = layout;
      if (!passes(study, embedding, split, result, progress)) continue;
      study.would_pass.head_dim = head;
      if (layout != study.embedding.layout) study.would_pass.layout = layout;
      return;
    }
  }
}

/// What the user did not state of the vectors, and what it was taken for.
std::vector<std::string> assumptions(const OutputQuestion& question,
                                     const RotaryEmbedding& embedding, Language language) {
  std::vector<std::string> all;
  const RotaryOptions& rotary = question.rotary;
  if (!rotary.names_model() && !rotary.layout)
    all.push_back(said(language, "layout {}", translated(name(embedding.layout), language)));
  if (!rotary.names_model() && rotary.bases.empty() && embedding.base)
    all.push_back(said(language, "base {}", *embedding.base));
  const TokenOptions& tokens = question.tokens;
  if (!tokens.positions && !tokens.start && !tokens.lengths && !tokens.axis_positions)
    all.push_back(said(language, "positions 0, 1, 2 …"));
  return all;
}

void judge_vector_files(const OutputQuestion& question, OutputStudy& study,
                        const Console& console) {
  const io::Tensor tensor = open_floats(question.tokens, *question.input);
  const io::Tensor result =
      in_axes_of(tensor, open_floats(question.tokens, question.results.front()), console);
  if (result.count() == 0)
    refuse("--input", "at least one vector", io::shape_text(result.shape()),
           "Nothing would be compared.");
  const PassProgress progress = judging(console);
  const std::vector<TokenInput> readings = token_inputs(question.tokens, question.rotary, tensor);
  const Console silent = Console::silent();
  std::size_t chosen = 0;
  std::vector<OutputStudy> studies;
  const auto judge = [&](const TokenInput& reading) {
    OutputStudy one = study;
    one.embedding = embedding_for(question.rotary, reading, silent);
    judge_vectors(one, reading, result, question.policy, progress);
    locate_failure(one, reading, result, progress);
    try_changes(one, reading, result, progress);
    return one;
  };
  for (std::size_t i = 0; i < readings.size(); ++i) {
    studies.push_back(judge(readings[i]));
    // Along an axis of length 1 all stand at one position: it says more only if it settles it.
    const bool settled = studies[i].vectors->verdict != Verdict::fail ||
                         studies[i].would_pass.any() || studies[i].noise();
    if (better(studies[i], studies[chosen]) && (settled || readings[i].axes.tokens > 1)) chosen = i;
    if (studies[chosen].vectors->verdict == Verdict::pass) break;
  }
  const TokenInput& last = readings.back();
  if (studies[chosen].vectors->verdict == Verdict::pass && studies.size() < readings.size() &&
      may_be_heads_of_one_token(question.tokens, readings[chosen], last.token_axis))
    if (const OutputStudy one_token = judge(last); one_token.vectors->verdict == Verdict::fail) {
      studies[chosen].heads_open = true;
      add_failing_axis(last.token_axis, one_token, studies[chosen]);
    }
  const TokenInput& input = readings[chosen];
  study = std::move(studies[chosen]);
  embedding_for(question.rotary, input, console);  // with its warnings
  study.input = describe(input, console.language());
  study.result = describe_tensor(result, console.language());
  study.positions = describe(input.positions);
  study.assumed = assumptions(question, study.embedding, console.language());
  if (!study.heads_open)
    for (std::size_t i = 0; i < studies.size(); ++i)
      if (i != chosen && studies[i].vectors->verdict == Verdict::fail)
        add_failing_axis(readings[i].token_axis, studies[i], study);
  if (study.vectors->verdict == Verdict::fail)
    try_head_sizes(question, input, result, progress, study);
}

void judge_table_files(const OutputQuestion& question, OutputStudy& study, const Console& console) {
  const io::Tensor cos = open_floats(question.tokens, *question.cos);
  const io::Tensor sin = open_floats(question.tokens, *question.sin);
  const io::Shape shape = table_shape(cos);
  if (sin.shape() != cos.shape())
    refuse("--sin", "shape " + io::shape_text(cos.shape()) + " as in --cos",
           io::shape_text(sin.shape()));
  if (cos.count() == 0)
    refuse("--cos", "at least one row", io::shape_text(cos.shape()), "Nothing would be compared.");
  // Tables have no batches: the positions are those of their rows.
  const TokenPositions positions = row_positions(question.tokens, shape[0]);
  if (!study.vectors) study.embedding = table_embedding(question.rotary, cos, console);
  judge_tables(study, cos, sin, positions, question.policy, judging(console));
  const Language language = console.language();
  study.tables =
      said(language, "{} and {}", describe_tensor(cos, language), describe_tensor(sin, language));
  study.positions = describe(positions);
}

}  // namespace

/// The `rope diagnose` that asks which convention these files follow, with all that was stated of
/// them.
std::string diagnose_line(const OutputQuestion& question, const std::vector<Option>& stated) {
  constexpr std::size_t kWidth = 76;  // with its indent and a backslash
  std::string line = "rope diagnose";
  std::size_t begin = 0;
  const auto append = [&](const std::string& words) {
    if (line.size() - begin + 1 + words.size() > kWidth) {
      line += " \\\n     ";
      begin = line.size() - 5;
    }
    line += " " + words;
  };
  const auto add = [&](std::string_view option, const std::string& value) {
    append(std::string(option) + " " + shell_word(value));
  };
  if (question.input && !question.input->starts_with('-')) {
    append(shell_word(*question.input));
    append(shell_word(question.results.front()));
  } else if (question.input) {
    add("--input", *question.input);
    add("--result", question.results.front());
  } else {
    add("--cos", *question.cos);
    add("--sin", *question.sin);
  }
  if (question.positions) add("--positions", *question.positions);
  OptionSet known;  // what both commands are told of tokens and embeddings
  TokenOptions tokens;
  RotaryOptions rotary;
  tokens.declare(known);
  tokens.declare_axis_positions(known);
  rotary.declare(known);
  for (const Option& option : stated) {
    if (known.find(option.name) == nullptr) continue;
    if (option.value.empty()) append(option.name);
    for (const std::string& text : option.texts)
      if (!option.value.empty()) add(option.name, text);
  }
  return line;
}

void OutputQuestion::check() const {
  if (results.size() > 1)
    refuse("--result", "one tensor", std::to_string(results.size()),
           "--output FILE.npy names a result too; write the report to a .json or .csv file.");
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
