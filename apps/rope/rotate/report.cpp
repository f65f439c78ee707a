#include "rotate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/documents/turning.hpp"
#include "rope/plot/text.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPairsShown = 9;

std::string range_text(const TurningStudy& study) {
  const auto [low, high] = std::ranges::minmax(study.positions);
  return low == high ? fmt::format("at m = {}", low) : fmt::format("from m = {} to {}", low, high);
}

/// What the first and the last pair do.
std::string turns_text(const TurningStudy& study) {
  const std::size_t last = study.positions.size() - 1;
  if (last == 0 && study.positions.front() == 0) return "At m = 0 nothing has turned yet.";
  const auto way = [&](std::size_t pair) {
    return std::fabs(study.at(last, pair).turns - (last > 0 ? study.at(0, pair).turns : 0.0));
  };
  const auto turns = [&](std::size_t pair) {
    return fmt::format("{} full {}", three_digits(way(pair)), way(pair) == 1 ? "turn" : "turns");
  };
  const std::size_t slowest = study.pairs.size() - 1;
  const std::string where =
      last > 0 ? range_text(study) : fmt::format("from position 0 to {}", study.positions.front());
  const std::string first =
      fmt::format("Pair {} makes {} {}", study.pairs.front(), turns(0), where);
  if (slowest == 0) return first + ".";
  return fmt::format("{}, pair {} makes {}.", first, study.pairs.back(),
                     three_digits(way(slowest)));
}

/// "every pair", or of how many there is an angle at all.
std::string pairs_with_an_angle(const TurningStudy& study) {
  const auto count = std::ranges::count_if(study.all_kept, &AngleKept::exists);
  if (static_cast<std::size_t>(count) == study.all_kept.size()) return "every pair";
  return count == 1 ? "the one pair that has one"
                    : fmt::format("each of the {} pairs that have one", count);
}

std::string angle_text(const TurningStudy& study) {
  const auto drawn = std::ranges::find_if(study.kept, &AngleKept::exists);
  if (drawn == study.kept.end()) return "In the pairs that are shown q or k is 0 and has no angle.";
  return fmt::format("In the plane of pair {} the angle from R_m q to R_n k is {} rad.",
                     study.pairs[static_cast<std::size_t>(drawn - study.kept.begin())],
                     plot::with_minus_signs(six_digits(drawn->angle)));
}

std::string kept_text(const TurningStudy& study) {
  const std::optional<std::size_t> worst = study.pair_of_largest_change();
  if (!worst) return "In every pair q or k is 0: there is no angle from R_m q to R_n k.";
  if (study.positions.size() == 1) return angle_text(study);
  const Measured& change = study.all_kept[*worst].change;
  const std::string sizes = fmt::format("it changes by at most {} rad (rounding limit {}).",
                                        three_digits(change.error), three_digits(change.bound));
  const std::string where =
      fmt::format("in {} while both move {}: ", pairs_with_an_angle(study), range_text(study));
  return (study.mistake ? "Rightly rotated, q and k keep their angle "
                        : "The angle from R_m q to R_n k stays ") +
         where + sizes;
}

/// What the mistake does to the angles.
std::string mistake_text(const TurningStudy& study) {
  const std::string_view sentence = study.mistake->sentence;
  const std::optional<std::size_t> worst = study.pair_of_largest_error();
  if (!worst) return fmt::format("The arrows with a prime show that {}.", sentence);
  const AngleKept& kept = study.all_kept[*worst];
  if (!kept.shows_mistake())
    return fmt::format("Where {}, no angle is off {}: there this mistake does not show.", sentence,
                       range_text(study));
  const std::size_t pairs = study.all_kept.size();
  return fmt::format("Where {}, the angle is off by up to {} rad (pair {}{}, m = {}).", sentence,
                     three_digits(kept.off_by), *worst,
                     pairs > 1 ? fmt::format(" of all {}", pairs) : "",
                     plot::with_minus_signs(std::to_string(kept.off_at)));
}

/// "over 200 random cases up to position 8 ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k differ by up to
/// 0.1·|q||k|"
std::string seen_text(const TurningStudy& study) {
  return fmt::format(
      "over {} random cases up to position {} ⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k differ by up to "
      "{}·|q||k|",
      study.verdict->trials, study.verified->max_position,
      three_digits(study.verdict->identity.max_relative_error));
}

/// Of a mistake that is nothing but rounding: how much of it is allowed. The verdict comes last, or
/// PASS would be read as "no mistake".
void print_allowance(const TurningStudy& study, const Console& console) {
  const bool passed = study.verdict->verdict == Verdict::pass;
  const std::string allowed =
      fmt::format("Rounding to {} is allowed {}·|q||k|", study.mistake->name,
                  three_digits(study.verdict->identity.relative_bound));
  console.say(console.paint(Ink::strong, allowed) +
              fmt::format(", {}: {}. So the verdict is {}.",
                          passed ? "which explains its error" : "so much that nothing follows",
                          seen_text(study),
                          passed ? "PASS: nothing is wrong but the precision" : "INCONCLUSIVE"));
}

/// What the verification says of the mistake.
void print_verdict(const TurningStudy& study, const Console& console) {
  const Verdict verdict = study.verdict->verdict;
  const bool fails = verdict == Verdict::fail || verdict == Verdict::self_test_failed;
  if (study.mistake->control.empty() && !fails) return print_allowance(study, console);
  const std::string why =
      seen_text(study) + fmt::format(" (rounding limit {}·|q||k|)",
                                     three_digits(study.verdict->identity.relative_bound));
  // The mistake was asked for: to find it is no bad news, and the exit status says so too.
  if (verdict == Verdict::fail)
    return console.say(console.paint(Ink::bad, "FAIL") +
                       fmt::format(", as expected of {}: {}.", study.mistake->name, why));
  if (fails) return say_verdict(verdict, why, console);
  console.say(console.paint(Ink::strong, "Rounding hides this mistake") + ": " + why + ".");
}

}  // namespace

void print_turning(const TurningStudy& study, const RotaryVariant& variant, bool details,
                   const Console& console) {
  if (study.mistake) print_verdict(study, console);
  console.say(study.kept.empty() ? console.paint(Ink::strong, turns_text(study))
                                 : console.paint(Ink::strong, kept_text(study)));
  if (!study.kept.empty()) console.say(turns_text(study));
  if (study.mistake) console.say(mistake_text(study));
  console.say(describe(variant));
  const Columns pairs = turned_pair_columns(study);
  console.print(
      table_of(pairs, shown_rows(rows_of(pairs), details ? rows_of(pairs) : kMostPairsShown)),
      "How far the pairs turn");
  if (!details) return;
  console.print("\n");
  console.print(table_of(arrow_columns(study)), "The arrows, turned");
}

}  // namespace rope::app
