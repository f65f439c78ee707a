#include "score/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/language/said.hpp"
#include "shown/columns.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

/// A score of vectors of length 1: 1.000, 0.546, 2.1e-05
std::string cosine_text(double value) {
  const bool tiny = value != 0 && std::abs(value) < 0.001;
  return tiny ? fmt::format("{:.2g}", value) : fmt::format("{:.3f}", value + 0.0);
}

/// "-50", "-50 and 50", "0 and 12 more"
std::string places_text(const std::vector<std::size_t>& places,
                        const std::vector<std::int64_t>& distances, Language language) {
  const std::int64_t first = distances[places.front()];
  if (places.size() == 1) return std::to_string(first);
  if (places.size() == 2) return said(language, "{} and {}", first, distances[places.back()]);
  return said(language, "{} and {} more", first, places.size() - 1);
}

/// Where the score is largest and smallest, and what it is at distance 0.
std::string curve_answer(const ScoreCurves& curves, const NamedScoreCurve& named,
                         const std::string& label, Language language) {
  const ScoreCurve& curve = named.curve;
  const std::vector<std::int64_t>& distances = curves.distances;
  const auto value = [&](std::size_t i) { return cosine_text(curve.scores[i] / curve.norms); };
  const auto of_key = [&](std::string text) {
    return curves.curves.size() > 1 ? said(language, "{}: {}", label, text)
                                    : sentence(std::move(text), language);
  };
  const auto [low, high] = std::ranges::minmax(distances);
  if (distances.size() == 1)
    return of_key(said(language, "the score is {}·|q||k| at n − m = {}.", value(0), low));
  // What lies between the distances, or beyond, was not computed.
  const std::string of =
      said(language, "of {} distances from {} to {}", distances.size(), low, high);
  if (curve.largest.size() == distances.size())
    return of_key(said(language, "the score is {}·|q||k| at each {}, up to rounding.",
                       value(curve.largest.front()), of));
  const std::size_t largest = curve.largest.front(), smallest = curve.smallest.front();
  const std::string text =
      said(language, "{}, the score is largest at n − m = {}, {}·|q||k|, and smallest at {}, {}",
           of, places_text(curve.largest, distances, language), value(largest),
           places_text(curve.smallest, distances, language), value(smallest));
  const auto zero = std::ranges::find(distances, 0);
  if (zero == distances.end() || distances[largest] == 0 || distances[smallest] == 0)
    return of_key(said(language, "{}.", text));
  return of_key(said(language, "{}; at 0 it is {}.", text,
                     value(static_cast<std::size_t>(zero - distances.begin()))));
}

/// The rows to show, by distance: the ends, 0, where a curve is largest and smallest, and others
/// evenly between.
std::vector<std::size_t> curve_rows(const ScoreCurves& curves, bool all) {
  const std::vector<std::int64_t>& distances = curves.distances;
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distances[i]; });
  if (all || order.size() <= kMostScoreRows) return order;
  std::vector<std::size_t> chosen = {order.front(), order.back()};
  const auto choose = [&](std::size_t place) {
    if (chosen.size() < kMostScoreRows && std::ranges::find(chosen, place) == chosen.end())
      chosen.push_back(place);
  };
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] == 0) choose(i);
  for (const NamedScoreCurve& named : curves.curves) {
    choose(named.curve.largest.front());
    choose(named.curve.smallest.front());
  }
  for (std::size_t i = 1; i + 1 < kMostScoreRows; ++i)
    choose(order[i * (order.size() - 1) / (kMostScoreRows - 1)]);
  std::ranges::stable_sort(chosen, {}, [&](std::size_t i) { return distances[i]; });
  return chosen;
}

/// How they were chosen.
std::string which_rows(const ScoreCurves& curves, Language language) {
  constexpr std::size_t kMostWithAllEnds = 4;  // curves whose largest and smallest all have a row
  const std::size_t all = curves.distances.size();
  if (curves.curves.size() > kMostWithAllEnds)
    return said(language, "Showing {} of {} distances{}.", kMostScoreRows, all,
                hint(said(language, "; --details lists all")));
  const bool zero = std::ranges::find(curves.distances, 0) != curves.distances.end();
  const std::string details = hint(said(language, "; --details lists all {}", all));
  return zero ? said(language,
                     "Rows: both ends, 0, the largest and smallest scores, and others evenly "
                     "spaced between{}.",
                     details)
              : said(language,
                     "Rows: both ends, the largest and smallest scores, and others evenly spaced "
                     "between{}.",
                     details);
}

std::vector<double> cosines(const ScoreCurve& curve) {
  std::vector<double> values;
  for (const double score : curve.scores) values.push_back(score / curve.norms);
  return values;
}

}  // namespace

void print_curves(const ScoreSetting& setting, const ScoreCurves& curves, bool details,
                  const Console& console) {
  const std::vector<std::size_t> rows = curve_rows(curves, details);
  const Language language = console.language();
  std::vector<std::string> labels;
  labels.reserve(setting.keys.size());
  for (const NamedVector& key : setting.keys)
    labels.push_back(text_of(key, "k", setting.seed, language));
  for (std::size_t i = 0; i < labels.size(); ++i)
    console.say_answer(curve_answer(curves, curves.curves[i], labels[i], language));
  console.say(describe(setting, language));
  const auto picked = [&](const auto& values) {
    std::decay_t<decltype(values)> result;
    for (const std::size_t row : rows) result.push_back(values[row]);
    return result;
  };
  const bool one = curves.curves.size() == 1;
  Columns columns = {table_column("n − m (tokens)", picked(curves.distances))};
  if (one) columns.push_back(table_column("score", picked(curves.curves.front().curve.scores)));
  for (std::size_t i = 0; i < labels.size(); ++i)
    columns.push_back(
        table_column(one ? "score/(|q||k|)" : labels[i], picked(cosines(curves.curves[i].curve))));
  console.print(table_of(columns), "Scores by distance");
  std::string note = one ? "" : said(language, "Scores are divided by |q||k|. ");
  if (rows.size() < curves.distances.size()) note += which_rows(curves, language);
  if (!note.empty()) console.say(note);
}

std::string curves_csv(const ScoreCurves& curves, CsvForm form) {
  std::vector<ColumnsOfOne> all;
  for (const NamedScoreCurve& named : curves.curves)
    all.push_back(
        {named.label,
         {file_column("score", named.curve.scores), file_column("cosine", cosines(named.curve))}});
  return csv_text(file_column("distance", curves.distances), all, form);
}

std::string curves_json(const ScoreSetting& setting, const ScoreCurves& curves) {
  io::JsonValue document = document_of(setting, "curve");
  document.add("distance", curves.distances);
  std::vector<io::JsonValue> list;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const ScoreCurve& curve = curves.curves[i].curve;
    const auto place = [&](const std::vector<std::size_t>& places) -> io::JsonValue {
      return {{"distance", curves.distances[places.front()]},
              {"cosine", curve.scores[places.front()] / curve.norms},
              {"places", places.size()}};
    };
    list.push_back({{"key", key_json(setting, i)},
                    {"norms", curve.norms},
                    {"largest", place(curve.largest)},
                    {"smallest", place(curve.smallest)},
                    {"score", curve.scores},
                    {"cosine", cosines(curve)}});
  }
  document.add("curves", list);
  return document.document();
}

}  // namespace rope::app
