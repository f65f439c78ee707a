#include "apply/report.hpp"

#include <fmt/format.h>

#include <vector>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/words/embedding_text.hpp"
#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::uint64_t kMostExplained = 512;  // pairs
constexpr std::size_t kMostInSentence = 8;     // numbers of a vector
constexpr std::uint64_t kMostPrinted = 64;     // numbers, without --explain
std::string direction_text(const ApplyStudy& study) {
  const double factor = study.embedding.attention_factor;
  if (study.direction == Direction::forward)
    return factor == 1 ? "R_m" : fmt::format("R_m, times the attention factor {:.6g}", factor);
  return factor == 1
             ? "R_m^-1 = R_-m"
             : fmt::format("R_m^-1 = R_-m / A^2: cos and sin times 1/A = {:.6g}", 1 / factor);
}

/// Whether every number of the format is one of the type that is written.
bool type_holds(io::ElementType type, rope::Format format) {
  const FormatLimits &wide = limits(number_format(type)), &narrow = limits(format);
  return wide.precision >= narrow.precision && wide.underflow <= narrow.underflow &&
         wide.largest >= narrow.largest;
}

std::string arithmetic_text(const ApplyStudy& study) {
  if (study.policy.angle_rule != AngleRule::exact) {
    std::string text = fmt::format("{}: x {} → {}", study.policy.name,
                                   limits(study.policy.input()).name, stages_text(study.policy));
    if (!type_holds(study.type, study.policy.store))
      text += ", then rounded to " + std::string(io::name(study.type));
    return text;
  }
  std::string text = "exact angles, " + std::string(name(study.form)) + " in float64";
  if (study.type != io::ElementType::float64)
    text += ", rounded once to " + std::string(io::name(study.type));
  return text;
}

/// The rule of a form, as it stands on a blackboard.
std::string_view rule_of(RotationForm form) {
  switch (form) {
    case RotationForm::matrix:
      return "(x', y')ᵀ = [cos φ  −sin φ; sin φ  cos φ] (x, y)ᵀ";
    case RotationForm::complex:
      return "x' + iy' = (x + iy)(cos φ + i sin φ)";
    case RotationForm::elementwise:
      break;
  }
  return "x' = x cos φ − y sin φ,   y' = x sin φ + y cos φ";
}

/// −2 in a product: (−2).
std::string factor_text(double value) {
  const std::string text = six_digits(value);
  return text.starts_with('-') ? "(" + text + ")" : text;
}

/// "3", or "(0, 3, 5)" on three axes.
std::string position_text(const RotaryEmbedding& embedding, const Position& position) {
  const std::vector<std::int64_t> numbers = on_axes(embedding, position);
  if (numbers.size() == 1) return std::to_string(numbers.front());
  return fmt::format("({})", fmt::join(numbers, ", "));
}

/// The angle of every pair.
Table angles_table(const ApplyStudy& study, const Rotated& one) {
  const RotaryEmbedding& embedding = study.embedding;
  const std::vector<double> reduced = reduced_angles(embedding, one.position);
  Table table(
      {{"pair"}, {"dimensions"}, {"θ_i"}, {"φ = mθ_i"}, {"φ mod 2π"}, {"cos φ"}, {"sin φ"}});
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [i, j] = embedding.dimensions(k);
    const double theta = embedding.frequencies.theta[k];
    table.add_row({std::to_string(k), fmt::format("{}, {}", i, j), six_digits(theta),
                   six_digits(static_cast<double>(one.position[axis_of(embedding, k)]) * theta),
                   six_digits(reduced[k]), six_digits(one.row.cos[k]), six_digits(one.row.sin[k])});
  }
  return table;
}

/// Every pair before and after.
Table pairs_table(const ApplyStudy& study, const Rotated& one) {
  Table table({{"pair"}, {"x"}, {"y"}, {"x'"}, {"y'"}});
  for (std::size_t k = 0; k < study.embedding.pairs(); ++k) {
    const auto [i, j] = study.embedding.dimensions(k);
    table.add_row({std::to_string(k), six_digits(one.x[i]), six_digits(one.x[j]),
                   six_digits(one.y[i]), six_digits(one.y[j])});
  }
  return table;
}

void explain(const ApplyStudy& study, const Rotated& one, const Console& console) {
  const RotaryEmbedding& embedding = study.embedding;
  console.print(fmt::format("\nvector {} at position m = {}\n", one.vector,
                            position_text(study.embedding, one.position)));
  console.print(angles_table(study, one), "Angles of the pairs");
  console.print("\n");
  console.print(pairs_table(study, one), "The pairs before and after the rotation");
  if (embedding.rotary_dim() < embedding.head_dim)
    console.print(fmt::format("  dimensions {} … {} pass through\n", embedding.rotary_dim(),
                              embedding.head_dim - 1));
  const auto [i, j] = embedding.dimensions(0);
  const std::string c = factor_text(one.row.cos[0]), s = factor_text(one.row.sin[0]);
  const std::string x = factor_text(one.x[i]), y = factor_text(one.x[j]);
  console.print(
      fmt::format("\n  pair 0: x' = {} · {} − {} · {} = {}\n", x, c, y, s, six_digits(one.y[i])));
  console.print(
      fmt::format("          y' = {} · {} + {} · {} = {}\n", x, s, y, c, six_digits(one.y[j])));
}

void print_explanation(const ApplyStudy& study, const Console& console) {
  console.print(fmt::format("\n  {},   φ = mθ_i\n", rule_of(study.form)));
  if (study.direction == Direction::inverse)
    console.print("  the opposite turn: sin φ changes sign\n");
  if (study.embedding.attention_factor != 1)
    console.print(study.direction == Direction::forward
                      ? "  cos φ and sin φ include the attention factor A\n"
                      : "  cos φ and sin φ include 1/A, where A is the attention factor\n");
  for_each_rotated(study, [&](const Rotated& one) { explain(study, one, console); });
}

/// "(1, 2, 3, 4)"
std::string vector_text(const std::vector<double>& vector) {
  std::vector<std::string> numbers;
  numbers.reserve(vector.size());
  for (const double value : vector) numbers.push_back(six_digits(value));
  return fmt::format("({})", fmt::join(numbers, ", "));
}

/// Whether the answer is one vector that a sentence holds.
bool one_short_vector(const ApplyStudy& study) {
  return study.input.axes.vectors() == 1 && study.input.axes.head_dim <= kMostInSentence;
}

/// What was turned, and where to, in a sentence.
std::string answer(const ApplyStudy& study) {
  const TokenInput& input = study.input;
  const bool back = study.direction == Direction::inverse;
  if (one_short_vector(study)) {
    std::string text;
    for_each_rotated(study, [&](const Rotated& one) {
      text = fmt::format("{} at m = {} turns {} {}into {}.", back ? "R_m⁻¹" : "R_m",
                         position_text(study.embedding, one.position), vector_text(one.x),
                         back ? "back " : "", vector_text(one.y));
    });
    return text;
  }
  const std::uint64_t vectors = input.axes.vectors();
  const bool still = input.positions.smallest() == input.positions.largest();
  return fmt::format("{} of {} numbers {} turned {} at position{} {}.", counted(vectors, "vector"),
                     input.axes.head_dim, vectors == 1 ? "is" : "are",
                     back ? "back by R_m⁻¹" : "by R_m", still ? "" : "s",
                     describe(input.positions));
}

/// The rotated vectors, where they are few.
void print_result(const ApplyStudy& study, const Console& console) {
  for_each_rotated(study, [&](const Rotated& one) {
    console.next_answer();
    console.say(
        fmt::format("m = {}: {}", position_text(study.embedding, one.position), vector_text(one.y)),
        2);
  });
}

}  // namespace

void check_explanation(const ApplyStudy& study) {
  const std::uint64_t vectors = study.input.axes.vectors();
  if (vectors > kMostExplained / study.embedding.pairs())
    throw ShapeError(
        fmt::format(
            "--explain: expected at most {} pairs in total, got {} vectors with {} pairs each",
            kMostExplained, vectors, study.embedding.pairs()),
        "Give fewer vectors, for example with --vector.");
}

bool prints_result(const ApplyStudy& study) { return study.input.tensor.count() <= kMostPrinted; }

void print_apply_report(const ApplyStudy& study, const Console& console) {
  console.say(console.paint(Ink::strong, answer(study)));
  if (!study.explain && prints_result(study) && !one_short_vector(study))
    print_result(study, console);
  Table table({{"", Table::Align::left}, {"", Table::Align::left}});
  table.add_row({"input", describe(study.input)});
  table.add_row({"embedding", describe(study.embedding)});
  table.add_row({"rotation", direction_text(study)});
  table.add_row({"arithmetic", arithmetic_text(study)});
  console.print(table, "What was rotated, and how");
  if (study.explain) print_explanation(study, console);
}

}  // namespace rope::app
