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

constexpr std::size_t kMostInAnswer = 4;  // policies that are told of one by one

/// What the answer is about: exact scores where they were asked for.
std::size_t main_side(const PrecisionStudy& study) {
  return study.side_of(Against::exact).value_or(0);
}

const PositionError& last_error(const PrecisionStudy& study, const PolicyResult& result) {
  return result.against[main_side(study)].errors.back();
}

const FirstPosition& first_beyond(const PrecisionStudy& study, const PolicyResult& result) {
  return result.against[main_side(study)].first[0];
}

/// "0.00941", "less than 7.11e-15" as far as the search tells, "at least 2" where it gave up, "2 up
/// to position 448" where the policy has no further one.
std::string last_error_text(const PrecisionStudy& study, const PolicyResult& result) {
  const PositionError& last = last_error(study, result);
  std::string text = last.worst.error < kSearchNoise
                         ? "less than " + three_digits(2 * kSearchNoise)
                         : (last.largest ? "" : "at least ") + three_digits(last.worst.error);
  if (last.position < study.positions.back())
    text += " up to position " + position_text(last.position);
  return text;
}

/// "at position 5"; where the first position is not known to the token, at the latest there.
std::string exceeded_at(const FirstPosition& first) {
  return fmt::format("{} position {}", first.exact() ? "at" : "at the latest at",
                     position_text(first.found->n));
}

using Policies = std::vector<const PolicyResult*>;

/// Those of which it holds.
template <typename Holds>
Policies policies_where(const PrecisionStudy& study, const Holds& holds) {
  Policies some;
  for (const PolicyResult& result : study.results)
    if (holds(result)) some.push_back(&result);
  return some;
}

/// "0.0139 with bfloat16-table and 2 with bfloat16-positions and tf32": those in a row of which the
/// same is told stand together.
template <typename Text>
std::string told_of(const Policies& policies, const Text& text,
                    std::string_view form = "{0} with {1}") {
  std::vector<std::string> told;
  for (auto one = policies.begin(); one != policies.end();) {
    const std::string same = text(**one);
    std::vector<std::string> names;
    for (; one != policies.end() && text(**one) == same; ++one)
      names.push_back((*one)->policy.name);
    told.push_back(fmt::format(fmt::runtime(form), same, listed(names)));
  }
  return listed(told);
}

/// The largest errors: of each policy, or of many the smallest and the largest of them.
std::string errors_text(const PrecisionStudy& study) {
  const auto error = [&](const PolicyResult& result) {
    return last_error(study, result).worst.error;
  };
  const auto text = [&](const PolicyResult& result) { return last_error_text(study, result); };
  const auto [least, most] = std::ranges::minmax_element(study.results, {}, error);
  const bool each = study.results.size() <= kMostInAnswer;
  return fmt::format(
      "For q and k of length 1, the largest error of {}{} {} {}, from cos and sin only, up to "
      "position {}.",
      study.against[main_side(study)] == Against::exact ? "a score" : "the identity",
      study.embedding.attention_factor == 1 ? "" : ", divided by A²,", each ? "is" : "ranges from",
      each ? told_of(policies_where(study, [](const PolicyResult&) { return true; }), text)
           : fmt::format("{} to {}", told_of({&*least}, text), told_of({&*most}, text)),
      position_text(study.positions.back()));
}

/// Where each policy leaves the finest tolerance; of many, those that do not, or the one that does
/// so last. Empty if all of a few stay within it.
std::string reach_text(const PrecisionStudy& study) {
  if (study.results.size() <= kMostInAnswer) {
    const Policies beyond = policies_where(
        study, [&](const PolicyResult& one) { return first_beyond(study, one).found.has_value(); });
    if (beyond.empty()) return "";
    const auto position = [&](const PolicyResult& result) {
      const std::string first = first_text(first_beyond(study, *beyond.front()));
      const std::string own = first_text(first_beyond(study, result));
      return own == first ? "position " + own : own;
    };
    return fmt::format(" It first exceeds {:g} {}.", kErrorTolerances[0],
                       told_of(beyond, position, "with {1} at {0}"));
  }
  std::vector<std::string> within;
  for (const PolicyResult* one : policies_where(study, [&](const PolicyResult& result) {
         return study.end_of(result) == study.positions.back() &&
                study.never_exceeded(result, first_beyond(study, result));
       }))
    within.push_back(one->policy.name);
  if (!within.empty())
    return fmt::format(" For {} of {} policies, it stays within {:g}: {}.", within.size(),
                       study.results.size(), kErrorTolerances[0], fmt::join(within, ", "));
  const auto served = [&](const PolicyResult& result) {
    return first_beyond(study, result).not_up_to;
  };
  const PolicyResult& best = *std::ranges::max_element(study.results, {}, served);
  return fmt::format(
      " None of the {} policies stays within {:g} throughout; {} gets furthest, up to "
      "position {}.",
      study.results.size(), kErrorTolerances[0], best.policy.name, position_text(served(best)));
}

/// What rotating and summing may add at every position, where that is more than the finest
/// tolerance or not small beside the largest error.
std::string arithmetic_text(const PrecisionStudy& study) {
  constexpr double kSmall = 0.01;  // of the largest error
  const Policies coarse = policies_where(study, [&](const PolicyResult& result) {
    return result.evaluation >
           std::min(kErrorTolerances[0], kSmall * last_error(study, result).worst.error);
  });
  if (coarse.empty()) return "";
  if (coarse.size() > kMostInAnswer)
    return fmt::format(
        " Rotating and summing can add up to {} at any position ({} policies).",
        three_digits(
            (*std::ranges::max_element(coarse, {}, &PolicyResult::evaluation))->evaluation),
        coarse.size());
  return fmt::format(
      " Rotating and summing can add {} at any position.",
      told_of(coarse, [](const PolicyResult& result) { return three_digits(result.evaluation); }));
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
      "First error: the first position at which errors of cos and sin make a score of unit-length "
      "q and k wrong by more than a tolerance.";
  if (study.side_of(Against::identity))
    text += " Consistent: both sides of the identity use the policy's own table.";
  if (study.side_of(Against::exact)) text += " Right: compared with exact scores.";
  const bool between = std::ranges::any_of(study.results, [](const PolicyResult& result) {
    return std::ranges::any_of(result.against, [](const PolicyErrors& errors) {
      return std::ranges::any_of(
          errors.first, [](const FirstPosition& first) { return first.found && !first.exact(); });
    });
  });
  if (between)
    text += fmt::format(
        " A single number is the first position itself: found by checking every position up to {}, "
        "or certified because the bound excludes earlier ones. a – b brackets it (≈ if six digits "
        "do "
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
  return fmt::format(
      "Largest |⟨R_m q, R_n k⟩ − {}| from errors of cos and sin only, 0 ≤ m ≤ n ≤ N:",
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
    console.print(error_table(study, side), "");
  }
  console.say(
      "These are the largest errors for q and k of length 1, accurate to 0.1 %; ≥ marks the "
      "largest one found. The bound, and the rms over random q and k, are for the last N. Rotating "
      "and summing can add the number under \"rotate, sum\" at any position; the rms includes it "
      "too. –: the position format has no position that large.");
  console.print("\n");
  console.say(console.paint(Ink::strong, "What each policy rounds:"));
  console.print(stages_table(study), "");
}

}  // namespace

void print_precision(const PrecisionStudy& study, const std::string& setting, bool details,
                     const Console& console) {
  console.say(
      console.paint(Ink::strong, errors_text(study) + reach_text(study) + arithmetic_text(study)));
  console.say(setting);
  console.print(first_table(study), "First positions with errors above a tolerance");
  console.say(legend(study));
  for (const PolicyResult& result : study.results)
    if (const std::optional<WrongAngles> wrong = study.wrong_angles(result))
      console.say(fmt::format(
          "{} turns by the wrong angles: it is consistent up to position {}, but wrong {}.",
          result.policy.name, position_text(wrong->consistent_up_to), exceeded_at(wrong->right)));
  if (details)
    print_details(study, console);
  else
    console.say(
        hint("--details adds the largest errors, their bounds and the stages of each policy."));
}

}  // namespace rope::app
