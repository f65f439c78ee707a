#include "precision/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "shown/columns.hpp"
#include "shown/policy.hpp"
#include "shown/rotary_json.hpp"
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

double worst_of(const PositionError& error) { return error.worst.error; }
double random_of(const PositionError& error) { return error.random_rms; }

constexpr std::size_t kMostInAnswer = 4;   // policies that are told of one by one
constexpr std::int64_t kWorthNaming = 64;  // a context that somebody may be content with

/// The place of a question in the study, if it was asked.
std::optional<std::size_t> side_of(const PrecisionStudy& study, Against against) {
  const auto found = std::ranges::find(study.against, against);
  if (found == study.against.end()) return std::nullopt;
  return static_cast<std::size_t>(found - study.against.begin());
}

/// What the answer is about: exact scores where they were asked for.
std::size_t main_side(const PrecisionStudy& study) {
  return side_of(study, Against::exact).value_or(0);
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

/// The last position that was looked at and that the policy has.
std::int64_t end_of(const PrecisionStudy& study, const PolicyResult& result) {
  return std::min(study.positions.back(), result.last);
}

/// Whether no error at a position that was looked at exceeds the tolerance, for certain.
bool never_exceeded(const PrecisionStudy& study, const PolicyResult& result,
                    const FirstPosition& first) {
  return !first.found && first.not_up_to >= end_of(study, result);
}

/// "stays within 0.001 of the exact score up to position 10488", or how soon it does not.
std::string claim(const PrecisionStudy& study, const PolicyResult& result) {
  const std::size_t side = main_side(study);
  const std::string_view of = measure(study.against[side]);
  const FirstPosition& fine = result.against[side].first[0];
  const FirstPosition& coarse = result.against[side].first[2];
  const std::string end = position_text(end_of(study, result));
  if (never_exceeded(study, result, fine))
    return fmt::format("stays within {:g} of {} up to position {}, the last one looked at",
                       fine.tolerance, of, end);
  if (fine.not_up_to >= kWorthNaming)
    return fmt::format("stays within {:g} of {} up to position {}", fine.tolerance, of,
                       position_text(fine.not_up_to));
  if (!fine.found) return fmt::format("shows no error above {:g} up to {}", fine.tolerance, end);
  std::string text = fmt::format("is off by more than {:g} {}", fine.tolerance, exceeded_at(fine));
  if (coarse.found)
    return text + fmt::format(", by more than {:g} {}", coarse.tolerance, exceeded_at(coarse));
  return text + fmt::format(", {} more than {:g} up to {}",
                            never_exceeded(study, result, coarse) ? "never by" : "nowhere seen by",
                            coarse.tolerance, end);
}

/// Of many policies: those that serve up to the end, or the one that serves furthest.
std::string common_answer(const PrecisionStudy& study) {
  const std::size_t side = main_side(study);
  const auto served = [&](const PolicyResult& result) {
    return result.against[side].first[0].not_up_to;
  };
  std::vector<std::string> within;
  for (const PolicyResult& result : study.results)
    if (end_of(study, result) == study.positions.back() &&
        never_exceeded(study, result, result.against[side].first[0]))
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

/// Each policy in a clause; many of them together.
std::string answer(const PrecisionStudy& study) {
  if (study.results.size() <= kMostInAnswer) {
    std::string text;
    for (const PolicyResult& result : study.results)
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", result.policy.name,
                          claim(study, result));
    return text + ".";
  }
  return common_answer(study);
}

/// How many times further a pipeline must agree with itself than with the exact scores to be told
/// of.
constexpr std::int64_t kMuchFurther = 4;

/// A pipeline may agree with itself and turn by the wrong angles; empty where it does not.
std::string wrong_angles(const PrecisionStudy& study, const PolicyResult& result) {
  const auto identity = side_of(study, Against::identity), exact = side_of(study, Against::exact);
  if (!identity || !exact) return "";
  for (std::size_t i = 0; i < kErrorTolerances.size(); ++i) {
    const FirstPosition& own = result.against[*identity].first[i];
    const FirstPosition& right = result.against[*exact].first[i];
    if (!right.found || own.not_up_to / kMuchFurther < right.found->n) continue;
    return fmt::format("{} turns by the wrong angles: consistent up to {}, not right {}.",
                       result.policy.name, position_text(own.not_up_to), exceeded_at(right));
  }
  return "";
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

/// What the table does not count: the same at every position, and more than the finest tolerance in
/// formats of 16 bits and fewer.
std::string rounding_text(const PrecisionStudy& study) {
  double largest = 0;
  std::vector<std::string> names;
  for (const PolicyResult& result : study.results) {
    if (!(result.evaluation > kErrorTolerances[0])) continue;
    largest = std::max(largest, result.evaluation);
    names.push_back(result.policy.name);
  }
  if (names.empty()) return "";
  return fmt::format(". Not counted: rotating and summing, {} at any position ({})",
                     largest > kErrorTolerances[1]
                         ? fmt::format("which alone can reach {}", three_digits(largest))
                         : "up to " + three_digits(largest),
                     names.size() > 4 ? fmt::format("{} policies", names.size()) : listed(names));
}

/// What the table is of, and how its numbers are read.
std::string legend(const PrecisionStudy& study) {
  std::string text =
      "First error: the first position at which cos and sin alone put the score of some q and k of "
      "length 1 off by more than a tolerance" +
      rounding_text(study) + ".";
  if (side_of(study, Against::identity))
    text += " Consistent: both sides of the identity from the policy's own table.";
  if (side_of(study, Against::exact)) text += " Right: against exact scores.";
  const bool between = std::ranges::any_of(study.results, [](const PolicyResult& result) {
    return std::ranges::any_of(result.against, [](const PolicyErrors& errors) {
      return std::ranges::any_of(
          errors.first, [](const FirstPosition& first) { return first.found && !first.exact(); });
    });
  });
  if (between)
    text += fmt::format(
        " A single number is the exact first position; a – b: it lies between a and b (beyond {} "
        "not every position is tried).",
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
  return fmt::format("Largest |⟨R_m q, R_n k⟩ − {}| for |q| = |k| = 1, 0 ≤ m ≤ n ≤ N:",
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
  columns.push_back({"random q, k"});
  Table table(std::move(columns));
  for (const PolicyResult& result : study.results) {
    const PolicyErrors& errors = result.against[side];
    std::vector<std::string> cells = {result.policy.name};
    for (const std::int64_t position : shown) cells.push_back(error_at(errors, position));
    const bool there = errors.errors.back().position == last;
    cells.push_back(there ? fmt::format("{:.3g}", errors.errors.back().bound) : kNoPosition);
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
      "These are the largest, to 0.1 %; ≥ marks the largest that was found. The bound, and the rms "
      "over random q and k, are those at the last N. –: the position format holds no position so "
      "large.");
  console.print("\n");
  console.say(console.paint(Ink::strong, "What each policy rounds:"));
  console.print(stages_table(study));
}

/// At every position of the study that the policy has.
Columns columns_of(const PolicyErrors& errors) {
  const auto of = [&](auto cell) { return cells_of(errors.errors, cell); };
  return {file_column("position", of(&PositionError::position)), file_column("worst", of(worst_of)),
          file_column("bound", of(&PositionError::bound)),
          file_column("random_rms", of(random_of))};
}

io::JsonValue first_json(const FirstPosition& first) {
  io::JsonValue json = {
      {"tolerance", first.tolerance}, {"exact", first.exact()}, {"not_up_to", first.not_up_to}};
  if (const auto& found = first.found)
    json.add({{"position", found->n},
              {"m", found->m},
              {"n", found->n},
              {"pair", found->pair},
              {"error", found->error}});
  else
    json.add("position", nullptr);
  return json;
}

/// The fields of one question.
io::JsonValue errors_json(const PolicyErrors& errors) {
  const auto worst = [&](auto place) {
    return io::json_list(errors.errors, [&](const PositionError& one) { return one.worst.*place; });
  };
  io::JsonValue json = {{"first", io::json_list(errors.first, first_json)}};
  json.add(json_lists(columns_of(errors)));
  json.add({{"largest", io::json_list(errors.errors, &PositionError::largest)},
            {"m", worst(&FoundError::m)},
            {"n", worst(&FoundError::n)},
            {"pair", worst(&FoundError::pair)}});
  return json;
}

}  // namespace

void print_precision(const PrecisionStudy& study, const std::string& setting, bool details,
                     const Console& console) {
  console.say(console.paint(Ink::strong, answer(study)));
  console.say(setting);
  console.print(first_table(study));
  console.say(legend(study));
  for (const PolicyResult& result : study.results)
    if (const std::string note = wrong_angles(study, result); !note.empty()) console.say(note);
  if (details)
    print_details(study, console);
  else
    console.say("--details adds the largest errors, their bounds and the stages of each policy.");
}

std::string precision_csv(const PrecisionStudy& study) {
  std::vector<ColumnsOfOne> all;
  for (const PolicyResult& result : study.results)
    for (std::size_t side = 0; side < study.against.size(); ++side)
      all.push_back({(side == 0 ? "" : "_" + std::string(name(study.against[side]))) +
                         (study.results.size() > 1 ? "[" + result.policy.name + "]" : ""),
                     columns_of(result.against[side])});
  return csv_text(file_column("position", study.positions), all);
}

std::string precision_json(const PrecisionStudy& study) {
  const auto policy_errors = [&](const PolicyResult& result) {
    io::JsonValue policy = {{"policy", policy_json(result.policy)},
                            {"distinct_positions", result.distinct},
                            {"last_finite_position", result.last}};
    policy.add(errors_json(result.against[0]));
    for (std::size_t side = 1; side < study.against.size(); ++side)
      policy.add(name(study.against[side]), errors_json(result.against[side]));
    return policy;
  };
  return io::JsonValue{{"schema", "rope.precision/2"},
                       {"rotary", rotary_json(study.embedding)},
                       {"against", study.against.size() > 1 ? "both" : name(study.against[0])},
                       {"exhaustive", study.exhaustive},
                       {"policies", io::json_list(study.results, policy_errors)}}
      .document();
}

}  // namespace rope::app
