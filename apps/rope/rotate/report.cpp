#include "rotate/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rope/documents/turning.hpp"
#include "rope/language/said.hpp"
#include "rope/plot/text.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"
#include "shown/verdict.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostPairsShown = 9;

std::string range_text(const TurningStudy& study, Language language) {
  const auto [low, high] = std::ranges::minmax(study.positions);
  return low == high ? said(language, "at m = {}", low)
                     : said(language, "from m = {} to {}", low, high);
}

/// What the first and the last pair do.
std::string turns_text(const TurningStudy& study, Language language) {
  const std::size_t last = study.positions.size() - 1;
  if (last == 0 && study.positions.front() == 0)
    return said(language, "At m = 0, nothing has turned yet.");
  const auto way = [&](std::size_t pair) {
    return std::fabs(study.at(last, pair).turns - (last > 0 ? study.at(0, pair).turns : 0.0));
  };
  const std::size_t slowest = study.pairs.size() - 1;
  const std::string where = last > 0
                                ? range_text(study, language)
                                : said(language, "from position 0 to {}", study.positions.front());
  const std::string turns = three_digits(way(0));
  const std::string first =
      way(0) == 1
          ? said(language, "pair {} makes {} full turn {}", study.pairs.front(), turns, where)
          : said(language, "pair {} makes {} full turns {}", study.pairs.front(), turns, where);
  if (slowest == 0) return sentence(first, language);
  return said(language, "Each pair of numbers turns at its own speed: {}, pair {} makes {}.", first,
              study.pairs.back(), three_digits(way(slowest)));
}

/// "every pair", or of how many there is an angle at all.
std::string pairs_with_an_angle(const TurningStudy& study, Language language) {
  const auto count = std::ranges::count_if(study.all_kept, &AngleKept::exists);
  if (static_cast<std::size_t>(count) == study.all_kept.size()) return said(language, "every pair");
  return count == 1 ? said(language, "the only pair with an angle")
                    : said(language, "each of the {} pairs with an angle", count);
}

std::string angle_text(const TurningStudy& study, Language language) {
  const auto drawn = std::ranges::find_if(study.kept, &AngleKept::exists);
  if (drawn == study.kept.end())
    return said(language, "In the pairs shown, q or k is 0 and has no angle.");
  return said(language, "In the plane of pair {}, the angle from R_m q to R_n k is {} rad.",
              study.pairs[static_cast<std::size_t>(drawn - study.kept.begin())],
              plot::with_minus_signs(six_digits(drawn->angle)));
}

std::string kept_text(const TurningStudy& study, Language language) {
  const std::optional<std::size_t> worst = study.pair_of_largest_change();
  if (!worst)
    return said(language, "In every pair, q or k is 0: there is no angle from R_m q to R_n k.");
  if (study.positions.size() == 1) return angle_text(study, language);
  const Measured& change = study.all_kept[*worst].change;
  const std::string pairs = pairs_with_an_angle(study, language);
  const std::string range = range_text(study, language);
  const std::string most = three_digits(change.error), limit = three_digits(change.bound);
  return study.mistake ? said(language,
                              "Correctly rotated, q and k keep the angle between them in {} while "
                              "both move {}: it changes by at most {} rad (rounding limit {}).",
                              pairs, range, most, limit)
                       : said(language,
                              "The angle from R_m q to R_n k stays the same in {} while both move "
                              "{}: it changes by at "
                              "most {} rad (rounding limit {}).",
                              pairs, range, most, limit);
}

/// What the mistake does to the angles.
std::string mistake_text(const TurningStudy& study, Language language) {
  const std::string_view sentence = translated(study.mistake->sentence, language);
  const std::optional<std::size_t> worst = study.pair_of_largest_error();
  if (!worst) return said(language, "The primed arrows show the mistake: {}.", sentence);
  const AngleKept& kept = study.all_kept[*worst];
  if (!kept.shows_mistake())
    return said(language, "If {}, no angle is off {}: the mistake does not show there.", sentence,
                range_text(study, language));
  const std::size_t pairs = study.all_kept.size();
  const std::string off = three_digits(kept.off_by);
  const std::string at = plot::with_minus_signs(std::to_string(kept.off_at));
  return pairs > 1 ? said(language,
                          "If {}, the angle is off by up to {} rad (worst case: pair {} out of {}, "
                          "m = {}).",
                          sentence, off, *worst, pairs, at)
                   : said(language, "If {}, the angle is off by up to {} rad (pair {}, m = {}).",
                          sentence, off, *worst, at);
}

/// "over 200 random cases up to position 8 ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k differ by up to
/// 0.1·|q||k|"
std::string seen_text(const TurningStudy& study, Language language) {
  return said(
      language,
      "over {} random cases up to position {}, ⟨R_m q, R_n k⟩ and qᵀR_{{n−m}}k differ by up "
      "to {}·|q||k|",
      study.verdict->trials, study.verified->max_position,
      three_digits(study.verdict->identity.max_relative_error));
}

/// Of a mistake that is nothing but rounding: how much of it is allowed. The verdict comes last, or
/// PASS would be read as "no mistake".
void print_allowance(const TurningStudy& study, const Console& console) {
  const bool passed = study.verdict->verdict == Verdict::pass;
  const Language language = console.language();
  const std::string allowed = console.paint(
      Ink::strong, said(language, "Rounding to {} is allowed an error of {}·|q||k|",
                        study.mistake->name, three_digits(study.verdict->identity.relative_bound)));
  const std::string seen = seen_text(study, language);
  console.say(passed ? said(language,
                            "{}, which explains the error found: {}. So the verdict is PASS: "
                            "nothing is wrong except the precision.",
                            allowed, seen)
                     : said(language,
                            "{}, which is so much that no conclusion follows: {}. So the verdict "
                            "is INCONCLUSIVE.",
                            allowed, seen));
}

/// What the verification says of the mistake.
void print_verdict(const TurningStudy& study, const Console& console) {
  const Verdict verdict = study.verdict->verdict;
  const bool fails = verdict == Verdict::fail || verdict == Verdict::self_test_failed;
  if (study.mistake->control.empty() && !fails) return print_allowance(study, console);
  const Language language = console.language();
  const std::string why =
      said(language, "{} (rounding limit {}·|q||k|)", seen_text(study, language),
           three_digits(study.verdict->identity.relative_bound));
  // The mistake was asked for: to find it is no bad news, and the exit status says so too.
  if (verdict == Verdict::fail)
    return console.say(said(language, "{}, as expected with --break {}: {}.",
                            painted_verdict(verdict, console), study.mistake->name, why));
  if (fails) return say_verdict(verdict, why, console);
  console.say(said(language, "{}: {}.",
                   console.paint(Ink::strong, translated("Rounding hides this mistake", language)),
                   why));
}

}  // namespace

void print_turning(const TurningStudy& study, const RotaryVariant& variant, bool details,
                   const Console& console) {
  const Language language = console.language();
  if (study.mistake) print_verdict(study, console);
  console.say(console.paint(
      Ink::strong, study.kept.empty() ? turns_text(study, language) : kept_text(study, language)));
  if (!study.kept.empty()) console.say(turns_text(study, language));
  if (study.mistake) console.say(mistake_text(study, language));
  console.say(describe(variant, language));
  const Columns pairs = turned_pair_columns(study, language);
  console.print(
      table_of(pairs, shown_rows(rows_of(pairs), details ? rows_of(pairs) : kMostPairsShown)),
      "How far the pairs turn");
  if (!details) return;
  console.print("\n");
  console.print(table_of(arrow_columns(study)), "The turned arrows");
}

}  // namespace rope::app
