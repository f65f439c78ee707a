#include "precision/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/words/policy_text.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr const char* kNoPosition = "–";

/// Whole numbers of up to seven digits as they are, larger ones with six.
std::string position_text(std::int64_t position) {
  return position < 10'000'000 ? std::to_string(position)
                               : fmt::format("{:.6g}", static_cast<double>(position));
}

/// "18920", "151360 – 151363" or "none": the first position, or where it lies.
std::string first_text(const FirstPosition& first) {
  if (!first.found) return "none";
  std::string at_most = position_text(first.found->n);
  if (first.exact()) return at_most;
  const std::string at_least = position_text(first.not_up_to + 1);
  return at_least == at_most ? "≈ " + at_most : at_least + " – " + at_most;
}

/// The largest error up to one of the study's positions, "≥ " the largest found where it is a
/// search, or a dash where the policy has no such position.
std::string error_at(const PolicyErrors& errors, std::int64_t position) {
  for (const PositionError& error : errors.errors)
    if (error.position == position)
      return fmt::format("{}{:.3g}", error.largest ? "" : "≥ ", error.worst.error);
  return kNoPosition;
}

constexpr std::size_t kMostInAnswer = 4;   // policies that are told of one by one
constexpr std::int64_t kWorthNaming = 64;  // a context that somebody may be content with

/// What the answer is about: exact scores where they were asked for.
std::size_t main_side(const PrecisionStudy& study) {
  return study.side_of(Against::exact).value_or(0);
}

/// "the exact score", "the identity"
std::string_view measure(Against against) {
  return against == Against::exact ? "the exact score" : "the identity";
}

/// "at position 5"; where the first position is not known to the token, at the latest there.
std::string exceeded_at(const FirstPosition& first) {
  return fmt::format("{} position {}", first.exact() ? "at" : "at the latest at",
                     position_text(first.found->n));
}

/// "stays within 0.001 of the exact score up to position 10488", or how soon it does not.
std::string claim(const PrecisionStudy& study, const PolicyResult& result) {
  const std::size_t side = main_side(study);
  const std::string_view of = measure(study.against[side]);
  const FirstPosition& fine = result.against[side].first[0];
  const FirstPosition& coarse = result.against[side].first[2];
  const std::string end = position_text(study.end_of(result));
  if (study.never_exceeded(result, fine))
    return fmt::format("stays within {:g} of {} up to position {}, the last one looked at",
                       fine.tolerance, of, end);
  if (fine.not_up_to >= kWorthNaming)
    return fmt::format("stays within {:g} of {} up to position {}", fine.tolerance, of,
                       position_text(fine.not_up_to));
  if (!fine.found) return fmt::format("shows no error above {:g} up to {}", fine.tolerance, end);
  std::string text = fmt::format("is off by more than {:g} {}", fine.tolerance, exceeded_at(fine));
  if (coarse.found)
    return text + fmt::format(", by more than {:g} {}", coarse.tolerance, exceeded_at(coarse));
  const PositionError& last = result.against[side].errors.back();
  return text +
         (last.largest
              ? fmt::format(", by {} at most up to {}", three_digits(last.worst.error), end)
              : fmt::format(", nowhere seen by more than {:g} up to {}", coarse.tolerance, end));
}

/// Of many policies: those that serve up to the end, or the one that serves furthest.
std::string common_answer(const PrecisionStudy& study) {
  const std::size_t side = main_side(study);
  const auto served = [&](const PolicyResult& result) {
    return result.against[side].first[0].not_up_to;
  };
  std::vector<std::string> within;
  for (const PolicyResult& result : study.results)
    if (study.end_of(result) == study.positions.back() &&
        study.never_exceeded(result, result.against[side].first[0]))
      within.push_back(result.policy.name);
  const std::string what = fmt::format("within {:g} of {} up to position", kErrorTolerances[0],
                                       measure(study.against[side]));
  const std::string end = position_text(study.positions.back());
  if (!within.empty())
    return fmt::format("{} of {} policies stay {} {}: {}.", within.size(), study.results.size(),
                       what, end, fmt::join(within, ", "));
  const PolicyResult& best = *std::ranges::max_element(study.results, {}, served);
  return fmt::format("None of {} policies stays {} {}; {} does so furthest, up to {}.",
                     study.results.size(), what, end, best.policy.name,
                     position_text(served(best)));
}

/// The policies whose rotation and sum alone may exceed the finest tolerance, at every position:
/// they are in formats of 16 bits and fewer.
using CoarseArithmetic = std::vector<const PolicyResult*>;

CoarseArithmetic coarse_arithmetic(const PrecisionStudy& study) {
  CoarseArithmetic coarse;
  for (const PolicyResult& result : study.results)
    if (result.evaluation > kErrorTolerances[0]) coarse.push_back(&result);
  return coarse;
}

/// What no position changes, beside what cos and sin do to a score.
std::string arithmetic_text(const CoarseArithmetic& coarse) {
  if (coarse.size() > kMostInAnswer)
    return fmt::format(
        " Rotating and summing can add up to {} at any position ({} policies).",
        three_digits(std::ranges::max(coarse, {}, &PolicyResult::evaluation)->evaluation),
        coarse.size());
  std::vector<std::string> added;
  for (auto one = coarse.begin(); one != coarse.end();) {
    const std::string number = three_digits((*one)->evaluation);
    std::vector<std::string> names;  // those of one number in a row
    for (; one != coarse.end() && three_digits((*one)->evaluation) == number; ++one)
      names.push_back((*one)->policy.name);
    added.push_back(fmt::format("{} with {}", number, listed(names)));
  }
  return fmt::format(" Rotating and summing can add {}, at any position.", listed(added));
}

/// Each policy in a clause; many of them together.
std::string claims_text(const PrecisionStudy& study) {
  if (study.results.size() > kMostInAnswer) return common_answer(study);
  std::string text;
  for (const PolicyResult& result : study.results)
    text +=
        fmt::format("{}{} {}.", text.empty() ? "" : " ", result.policy.name, claim(study, result));
  return text;
}

/// What cos and sin do to the score, and what rotating and summing add where that is more than what
/// is claimed.
std::string answer(const PrecisionStudy& study) {
  std::string text = claims_text(study);
  const CoarseArithmetic coarse = coarse_arithmetic(study);
  if (coarse.empty()) return text;
  return (text.starts_with("None") ? "Through cos and sin alone, none" + text.substr(4)
                                   : "Through cos and sin alone, " + text) +
         arithmetic_text(coarse);
}

std::string_view question(Against against) {
  return against == Against::identity ? "consistent" : "right";
}

/// The first positions of every policy, a row each question.
Table first_table(const PrecisionStudy& study) {
  std::vector<Table::Column> columns = {{"first error", Table::Align::left}};
  for (const double tolerance : kErrorTolerances)
    columns.push_back({fmt::format("> {:g}", tolerance)});
  Table table(std::move(columns));
  for (const PolicyResult& result : study.results)
    for (std::size_t side = 0; side < study.against.size(); ++side) {
      std::vector<std::string> cells = {
          fmt::format("{}, {}", result.policy.name, question(study.against[side]))};
      for (const FirstPosition& first : result.against[side].first)
        cells.push_back(first_text(first));
      table.add_row(std::move(cells));
    }
  return table;
}

/// What the table is of, and how its numbers are read.
std::string legend(const PrecisionStudy& study) {
  std::string text =
      "First error: the first position at which cos and sin alone make the score of some "
      "unit-length q and k wrong by more than a tolerance.";
  if (study.side_of(Against::identity))
    text += " Consistent: both sides of the identity from the policy's own table.";
  if (study.side_of(Against::exact)) text += " Right: against exact scores.";
  const bool between = std::ranges::any_of(study.results, [](const PolicyResult& result) {
    return std::ranges::any_of(result.against, [](const PolicyErrors& errors) {
      return std::ranges::any_of(
          errors.first, [](const FirstPosition& first) { return first.found && !first.exact(); });
    });
  });
  if (between)
    text += fmt::format(
        " A single number is the first position itself: found by checking every one up to {}, or "
        "certified because the bound excludes earlier ones. a – b brackets it (≈ if six digits do "
        "not separate a and b).",
        position_text(study.exhaustive));
  if (study.embedding.attention_factor != 1)
    text += " Errors are relative to A², the square of the attention factor.";
  return text;
}

/// Of what each policy is made, and what its position format leaves.
Table stages_table(const PrecisionStudy& study) {
  Table table(
      {{"policy", Table::Align::left}, {"distinct positions"}, {"stages", Table::Align::left}});
  for (const PolicyResult& result : study.results)
    table.add_row({result.policy.name, position_text(result.distinct),
                   result.policy.angle_rule == AngleRule::exact ? result.policy.summary
                                                                : stages_text(result.policy)});
  return table;
}

std::string errors_heading(Against against) {
  return fmt::format("Largest |⟨R_m q, R_n k⟩ − {}| by cos and sin alone, 0 ≤ m ≤ n ≤ N:",
                     against == Against::identity ? "qᵀR_{n−m}k" : "exact score");
}

Table error_table(const PrecisionStudy& study, std::size_t side) {
  std::vector<std::int64_t> shown;
  const std::int64_t last = study.positions.back();
  for (const std::int64_t position : {std::int64_t{4096}, std::int64_t{131072}, last})
    if (position <= last && std::ranges::find(shown, position) == shown.end())
      shown.push_back(position);
  std::vector<Table::Column> columns = {{"", Table::Align::left}};
  for (const std::int64_t position : shown)
    columns.push_back({fmt::format("N = {}", position_text(position))});
  columns.push_back({"bound"});
  columns.push_back({"rotate, sum"});
  columns.push_back({"random q, k"});
  Table table(std::move(columns));
  for (const PolicyResult& result : study.results) {
    const PolicyErrors& errors = result.against[side];
    std::vector<std::string> cells = {result.policy.name};
    for (const std::int64_t position : shown) cells.push_back(error_at(errors, position));
    const bool there = errors.errors.back().position == last;
    cells.push_back(there ? fmt::format("{:.3g}", errors.errors.back().bound) : kNoPosition);
    cells.push_back(three_digits(result.evaluation));
    cells.push_back(there ? fmt::format("{:.2g}", errors.errors.back().random_rms) : kNoPosition);
    table.add_row(std::move(cells));
  }
  return table;
}

void print_details(const PrecisionStudy& study, const Console& console) {
  for (std::size_t side = 0; side < study.against.size(); ++side) {
    console.print("\n");
    console.say(console.paint(Ink::strong, errors_heading(study.against[side])));
    console.print(error_table(study, side));
  }
  console.say(
      "These are the largest for q and k of length 1, to 0.1 %; ≥ marks the largest that was "
      "found. The bound, and the rms over random q and k, are those at the last N. Rotating and "
      "summing can add the number under \"rotate, sum\" at any position; the rms counts it too. –: "
      "the position format holds no position so large.");
  console.print("\n");
  console.say(console.paint(Ink::strong, "What each policy rounds:"));
  console.print(stages_table(study));
}

}  // namespace

void print_precision(const PrecisionStudy& study, const std::string& setting, bool details,
                     const Console& console) {
  console.say(console.paint(Ink::strong, answer(study)));
  console.say(setting);
  console.print(first_table(study));
  console.say(legend(study));
  for (const PolicyResult& result : study.results)
    if (const std::optional<WrongAngles> wrong = study.wrong_angles(result))
      console.say(fmt::format("{} turns by the wrong angles: consistent up to {}, not right {}.",
                              result.policy.name, position_text(wrong->consistent_up_to),
                              exceeded_at(wrong->right)));
  if (details)
    print_details(study, console);
  else
    console.say(
        hint("--details adds the largest errors, their bounds and the stages of each policy."));
}

}  // namespace rope::app
