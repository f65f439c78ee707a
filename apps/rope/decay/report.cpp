#include "decay/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/documents/decay.hpp"
#include "rope/language/said.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/columns.hpp"
#include "shown/table.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// Where the distance 0 stands; the middle where it is not among them.
std::size_t origin(const DecayMap& map) {
  const auto at = std::ranges::find(map.distances, 0);
  return static_cast<std::size_t>(at == map.distances.end() ? std::ssize(map.distances) / 2
                                                            : at - map.distances.begin());
}

constexpr std::size_t kMostDistanceRows = 12;
constexpr std::size_t kMostRowsOfKinds = 6;
constexpr std::size_t kLongEnoughForPowers = 64;

/// Whether the list is every integer from 0 or 1 on.
bool counts_up(const DecayStudy& study) {
  const std::vector<std::int64_t>& distances = study.distances;
  if (study.parts != 1) return false;
  const std::int64_t first = distances.front();
  if (first != 0 && first != 1) return false;
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] != first + static_cast<std::int64_t>(i)) return false;
  return true;
}

/// At most so many rows, spread evenly over the list, its first and last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
  const std::size_t rows = std::min(count, most);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < rows; ++i)
    chosen.push_back(rows == 1 ? 0 : i * (count - 1) / (rows - 1));
  return chosen;
}

/// These rows, and of each curve the first at which its mean cosine is negative.
ShownRows with_first_negatives(std::vector<std::size_t> chosen,
                               std::span<const VariantDecay> curves) {
  for (const VariantDecay& result : curves) {
    const auto& cosines = result.curve.mean_cosine;
    const auto negative = std::ranges::find_if(cosines, [](double value) { return value < 0; });
    if (negative != cosines.end())
      chosen.push_back(static_cast<std::size_t>(negative - cosines.begin()));
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return {chosen};
}

/// The rows of the summary of one curve: few enough to read, spread evenly over the list. Where
/// every integer is in the list: 0, 1, 4, 16, 64, 256 … and the last.
ShownRows summary_rows(const DecayStudy& study, const VariantDecay& result) {
  const std::vector<std::int64_t>& distances = study.distances;
  const std::size_t count = distances.size();
  if (count <= kLongEnoughForPowers || !counts_up(study))
    return with_first_negatives(spread(count, kMostDistanceRows), {&result, 1});
  std::vector<std::size_t> chosen;
  const auto first = static_cast<std::size_t>(distances.front());
  if (first == 0) chosen.push_back(0);
  for (std::size_t power = 1; power - first < count - 1; power *= 4)
    chosen.push_back(power - first);
  chosen.push_back(count - 1);
  return with_first_negatives(chosen, {&result, 1});
}

/// ", beyond its window of 1024 tokens": for layers that never compare tokens so far apart.
std::string beyond_window(const RotaryVariant& variant, std::int64_t distance, Language language) {
  if (variant.reach == variant.context || distance < *variant.reach) return "";
  return said(language, ", beyond its window of {} tokens", *variant.reach);
}

/// Whether a list has the distance, or its opposite: their mean cosines are the same.
bool shows(const DecayStudy& study, std::int64_t distance) {
  return std::ranges::any_of(study.distances, [&](std::int64_t one) {
    return one % study.parts == 0 && std::abs(one / study.parts) == distance;
  });
}

/// A distance of a study in tokens: a whole one with all its digits.
std::string distance_text(const DecayStudy& study, std::size_t row) {
  const std::int64_t distance = study.distances[row];
  return distance % study.parts == 0 ? std::to_string(distance / study.parts)
                                     : six_digits(study.tokens()[row]);
}

/// How the mean cosine falls over the distances, and what holds for every distance up to the
/// largest of them, whichever the list holds.
std::string answer(const DecayStudy& study, const VariantDecay& result, Language language) {
  const std::vector<double>& cosines = result.curve.mean_cosine;
  const FirstNegative& first = result.negative.first;
  const std::int64_t searched = result.negative.searched;
  const std::int64_t largest = largest_distance(study.distances) / study.parts;
  const auto unseen = [&](std::int64_t distance) {
    if (distance > largest) return said(language, ", beyond the table");
    return shows(study, distance) ? std::string() : said(language, ", which no row shows");
  };
  const auto first_negative = [&] {
    const std::string at = std::to_string(*first.distance) + unseen(*first.distance) +
                           beyond_window(result.variant, *first.distance, language);
    return study.parts == 1 ? said(language, "first negative at distance {}", at)
                            : said(language, "of whole distances, first negative at {}", at);
  };
  const std::string sign =
      first.distance ? first_negative()
      : searched < largest
          ? said(language, "never negative up to distance {}; greater distances were not searched",
                 searched)
          : said(language, "never negative up to distance {}", searched);
  const std::string who =
      study.curves.size() > 1
          ? said(language, "{}: the mean cosine", result.variant.label)
          : said(language, "The mean cosine, a vector's average score with a copy of itself,");
  if (cosines.size() == 1)
    return said(language, "{} is {:.3g} at distance {} ({}).", who, cosines.front(),
                distance_text(study, 0), sign);
  const bool unevenly =
      !std::ranges::is_sorted(cosines, std::ranges::greater()) && !std::ranges::is_sorted(cosines);
  const std::string from = distance_text(study, 0);
  const std::string to = distance_text(study, study.distances.size() - 1);
  return unevenly
             ? said(language,
                    "{} goes from {:.3g} at distance {} to {:.3g} at {}, with ups and downs ({}).",
                    who, cosines.front(), from, cosines.back(), to, sign)
             : said(language, "{} goes from {:.3g} at distance {} to {:.3g} at {} ({}).", who,
                    cosines.front(), from, cosines.back(), to, sign);
}

/// What the random pairs of all curves say together.
std::string random_text(const DecayStudy& study, Language language) {
  if (study.too_many_for_random)
    return said(
        language,
        "Random q and k are measured only for up to {} distances, unless --random-pairs is given.",
        kMostDistancesForRandomPairs);
  std::vector<double> deviations;
  for (const VariantDecay& result : study.curves)
    deviations.insert(deviations.end(), result.random.deviation.begin(),
                      result.random.deviation.end());
  const auto [low, high] = std::ranges::minmax(deviations);
  return said(
      language,
      "Scores of random q and k do not decay: their standard deviation, divided by √r, stays "
      "between {:.2f} and {:.2f} ({} random q and k at each of {}; the standard error is {:.2g}).",
      low, high, study.random_pairs, counted(study.distances.size(), "distance", language),
      1 / std::sqrt(2 * static_cast<double>(study.random_pairs - 1)));
}

/// Where the law of a curve ends, if a distance lies beyond.
void say_end_of_law(const DecayStudy& study, const Console& console) {
  const std::int64_t largest = largest_distance(study.distances) / study.parts;
  for (const VariantDecay& result : study.curves) {
    const std::optional<double> base = result.variant.embedding.geometric_base();
    if (result.law.empty() || static_cast<double>(largest) <= *base) continue;
    console.say(said(console.language(),
                     "The log law does not apply at distances beyond the base, {}.",
                     six_digits(*base)));
    return;
  }
}

/// The mean cosine of every kind of layers, in one table.
void print_kinds(const DecayStudy& study, const Console& console) {
  const Language language = console.language();
  for (const VariantDecay& result : study.curves) {
    console.say_answer(answer(study, result, language));
    console.say(describe(result.variant, language));
  }
  Columns columns = {column("distance", "Δ (tokens)", distance_cells(study))};
  for (const VariantDecay& result : study.curves)
    columns.push_back(
        table_column(said(language, "mean cosine, {}",
                          result.variant.label.substr(result.variant.label.rfind(' ') + 1)),
                     result.curve.mean_cosine));
  console.print(
      table_of(columns, with_first_negatives(spread(study.distances.size(), kMostRowsOfKinds),
                                             study.curves)),
      "Mean cosine by distance");
}

}  // namespace

void print_decay(const DecayStudy& study, bool kinds, bool details, const Console& console) {
  const Language language = console.language();
  if (kinds && !details) {
    print_kinds(study, console);
    console.say(said(language,
                     "Mean cosine: the score of a vector with its own copy Δ tokens away, "
                     "relative to Δ = 0.") +
                hint(said(language,
                          " --details adds each kind's bound, and random q and k, whose scores do "
                          "not decay.")));
    return;
  }
  for (const VariantDecay& result : study.curves) {
    if (&result != &study.curves.front()) console.print("\n");
    console.say_answer(answer(study, result, language));
    console.say(describe(result.variant, language));
    const Columns columns = decay_columns(study, result);
    console.print(details ? table_of(columns) : table_of(columns, summary_rows(study, result)),
                  "Decay with distance");
  }
  console.say(
      said(language,
           "Mean cosine: the score of a vector with its own copy Δ tokens away, relative to Δ = 0. "
           "f(Δ) is a factor in an upper bound on the score, not the score itself."));
  say_end_of_law(study, console);
  if (study.random_pairs > 0 || study.too_many_for_random)
    console.say(random_text(study, language));
}

void print_decay_map(const MapStudy& study, const Console& console) {
  const DecayMap& map = study.map;
  const std::size_t zero = origin(map), last = map.distances.size() - 1;
  const Language language = console.language();
  const std::string_view row_axis = translated(row_name(study), language);
  const std::string_view column_axis = translated(column_name(study), language);
  console.say(console.paint(
      Ink::strong,
      said(language,
           "At distance {} in {} only, the mean cosine is {}; in {} only, {}; in both, {}.",
           map.distances[last], row_axis, three_digits(map.at(last, zero)), column_axis,
           three_digits(map.at(zero, last)), three_digits(map.at(last, last)))));
  console.say(said(language,
                   "The mean cosine is the sum of one curve per axis: tokens that differ on just "
                   "one axis stay similar through the pairs of the other axes."));
  console.say(describe(study.variant, language));
  const std::vector<std::size_t> rows = shown_rows(last + 1, 7, {zero}).rows;
  std::vector<Table::Column> heads = {{fmt::format("{} \\ {}", row_axis, column_axis)}};
  for (const std::size_t column : rows) heads.push_back({std::to_string(map.distances[column])});
  Table table(heads);
  for (const std::size_t row : rows) {
    std::vector<std::string> cells = {std::to_string(map.distances[row])};
    for (const std::size_t column : rows) cells.push_back(three_digits(map.at(row, column)));
    table.add_row(cells);
  }
  console.print(table, "Mean cosine by the distances on two axes");
}

}  // namespace rope::app
