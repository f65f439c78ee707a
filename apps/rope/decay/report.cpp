#include "decay/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rope/pictures/embedding_text.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kLongEnoughForPowers = 64;

/// Whether the list is every integer from 0 or 1 on.
bool counts_up(const std::vector<std::int64_t>& distances) {
  const std::int64_t first = distances.front();
  if (first != 0 && first != 1) return false;
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (distances[i] != first + static_cast<std::int64_t>(i)) return false;
  return true;
}

/// The rows of the summary: few enough to read, spread evenly over the list, its first and last
/// distance among them. Where every integer is in the list: 0, 1, 4, 16, 64, 256 … and the last.
ShownRows summary_rows(const std::vector<std::int64_t>& distances) {
  const std::size_t count = distances.size();
  const std::size_t rows = std::min(count, kMostRows);
  std::vector<std::size_t> chosen;
  if (count > kLongEnoughForPowers && counts_up(distances)) {
    const auto first = static_cast<std::size_t>(distances.front());
    if (first == 0) chosen.push_back(0);
    for (std::size_t power = 1; power - first < count - 1; power *= 4)
      chosen.push_back(power - first);
    chosen.push_back(count - 1);
    return {chosen};
  }
  for (std::size_t i = 0; i < rows; ++i)
    chosen.push_back(rows == 1 ? 0 : i * (count - 1) / (rows - 1));
  return {chosen};
}

/// What holds for every distance up to the largest of the list, whichever of them it holds.
std::string negative_text(const DecayStudy& study, const VariantDecay& result) {
  const auto& [first, searched] = result.negative;
  if (first.distance)
    return fmt::format("the mean cosine is first negative at distance {}\n", *first.distance);
  return fmt::format(
      "the mean cosine is not negative up to distance {}{}\n", searched,
      searched < largest_distance(study.distances) ? "; beyond was not searched" : "");
}

/// The law is not defined at distance 0.
std::string law_text(double law) { return std::isnan(law) ? "" : six_digits(law); }

Columns columns_of(const DecayStudy& study, const VariantDecay& result) {
  const RandomScores& random = result.random;
  Columns columns = {column("distance", "Δ (tokens)", study.distances),
                     column("bound", "bound f(Δ)", result.curve.bound),
                     column("mean_cosine", "mean cosine", result.curve.mean_cosine)};
  if (!result.law.empty()) columns.push_back(column("log_law", "log law", result.law, law_text));
  if (random.mean.empty()) return columns;
  std::vector<std::string> both;
  for (std::size_t i = 0; i < random.mean.size(); ++i)
    both.push_back(fmt::format("{:.3f} ± {:.3f}", random.mean[i], random.deviation[i]));
  columns.push_back(table_column("random mean ± deviation", both));
  columns.push_back(file_column("random_mean", random.mean));
  columns.push_back(file_column("random_deviation", random.deviation));
  return columns;
}

std::string curve_report(const DecayStudy& study, const VariantDecay& result,
                         const Console& console) {
  return console.paint(Ink::strong, describe(result.variant)) + "\n" +
         table_text(columns_of(study, result), summary_rows(study.distances)) +
         negative_text(study, result);
}

io::JsonValue curve_json(const DecayStudy& study, const VariantDecay& result) {
  const RotaryEmbedding& embedding = result.variant.embedding;
  const auto& [first, searched] = result.negative;
  io::JsonValue curve = {
      {"label", result.variant.label},
      {"base", embedding.base},
      {"dim", embedding.head_dim},
      {"family", study.family},
      {"rotary", rotary_json(embedding)},
      {"first_negative", {{"distance", first.distance}, {"searched", searched}}}};
  curve.add(json_lists(columns_of(study, result)));
  return curve;
}

}  // namespace

std::string decay_report(const DecayStudy& study, const Console& console) {
  std::string text;
  for (const VariantDecay& result : study.curves) {
    if (!text.empty()) text += "\n";
    text += curve_report(study, result, console);
  }
  text += "f(Δ) is the factor of an upper bound on the score, not the score itself\n";
  if (study.random_pairs == 0) {
    if (study.too_many_for_random)
      text += fmt::format(
          "random q and k are measured up to {} distances unless --random-pairs asks for more\n",
          kMostDistancesForRandomPairs);
    return text;
  }
  std::vector<double> deviations;
  for (const VariantDecay& result : study.curves)
    deviations.insert(deviations.end(), result.random.deviation.begin(),
                      result.random.deviation.end());
  const auto [low, high] = std::ranges::minmax(deviations);
  return text + fmt::format(
                    "random q and k do not decay: their scores over √r deviate by {:.3f} to {:.3f} "
                    "at every distance\n",
                    low, high);
}

std::string decay_csv(const DecayStudy& study) {
  std::vector<ColumnsOfOne> all;
  for (const VariantDecay& result : study.curves)
    all.push_back({study.curves.size() > 1 ? fmt::format("[{}]", result.variant.label) : "",
                   columns_of(study, result)});
  return csv_text(file_column("distance", study.distances), all);
}

std::string decay_json(const DecayStudy& study) {
  return io::JsonValue{{"schema", "rope.decay/2"},
                       {"random_pairs", study.random_pairs},
                       {"seed", study.seed},
                       {"curves", io::json_list(study.curves,
                                                [&](const VariantDecay& result) {
                                                  return curve_json(study, result);
                                                })}}
      .document();
}

}  // namespace rope::app
