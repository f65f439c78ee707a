#include "decay/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "named/rotary_text.hpp"
#include "shown/columns.hpp"
#include "shown/rotary_json.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kMostRows = 12;
constexpr std::size_t kLongEnoughForPowers = 64;
constexpr std::size_t kGrey = 6;  // the palette's last colour; those before it are for curves

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

plot::Axis distance_axis(const DecayStudy& study) {
  plot::Axis axis;
  axis.label = plot::Text::plain("distance Δ (tokens)");
  axis.scale = study.log_axis ? plot::Scale::log10 : plot::Scale::linear;
  axis.whole = true;
  return axis;
}

plot::Series series(const std::vector<double>& x, const std::vector<double>& y,
                    const std::string& label) {
  plot::Series series;
  series.x = x;
  series.y = y;
  series.label = plot::Text::plain(label);
  return series;
}

/// One standard deviation about the mean score of the random pairs, of the first curve: they differ
/// by chance alone.
plot::Series random_band(const DecayStudy& study, const std::vector<double>& x) {
  const VariantDecay& first = study.curves.front();
  plot::Series band;
  band.kind = plot::SeriesKind::band;
  band.label = plot::Text::plain(study.curves.size() == 1 ? "random q, k ± σ"
                                                          : "random ± σ, " + first.variant.label);
  band.x = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    band.y.push_back(first.random.mean[i] - first.random.deviation[i]);
    band.upper.push_back(first.random.mean[i] + first.random.deviation[i]);
  }
  band.colour = kGrey;
  return band;
}

plot::Panel bound_panel(const DecayStudy& study, const std::vector<double>& x) {
  plot::Panel panel;
  panel.x = distance_axis(study);
  panel.y.label = plot::Text::plain("upper bound factor f(Δ)");
  panel.y.min = 0;  // from another value on, the curve would seem to fall by more than it does
  const bool one = study.curves.size() == 1;
  for (const VariantDecay& result : study.curves)
    panel.series.push_back(series(x, result.curve.bound, one ? "" : result.variant.label));
  return panel;
}

/// The law of a curve: of several, it has the curve's colour; of one, a colour of its own, since
/// the law runs close to what it describes.
plot::Series law_series(const std::vector<double>& x, const VariantDecay& result,
                        std::optional<std::size_t> like) {
  plot::Series law = series(x, result.law, like ? "" : "log law");
  law.dashed = true;
  law.like = like;
  return law;
}

/// A line of the legend for the laws of all curves, in none of their colours.
plot::Series law_legend() {
  plot::Series law = series({}, {}, "log law of each");
  law.dashed = true;
  law.colour = kGrey;
  return law;
}

plot::Panel cosine_panel(const DecayStudy& study, const std::vector<double>& x) {
  plot::Panel panel;
  panel.x = distance_axis(study);
  panel.y.label =
      plot::Text::plain(study.random_pairs > 0 ? "mean cosine; score/√r" : "mean cosine");
  if (study.random_pairs > 0) panel.series.push_back(random_band(study, x));
  const std::size_t first = panel.series.size();
  const bool one = study.curves.size() == 1;
  for (const VariantDecay& result : study.curves)
    panel.series.push_back(series(x, result.curve.mean_cosine, one ? "mean cosine" : ""));
  bool laws = false;
  for (std::size_t i = 0; i < study.curves.size(); ++i) {
    if (study.curves[i].law.empty()) continue;
    laws = true;
    panel.series.push_back(
        law_series(x, study.curves[i], one ? std::nullopt : std::optional<std::size_t>(first + i)));
  }
  if (laws && !one) panel.series.push_back(law_legend());
  panel.lines.push_back({plot::Direction::horizontal, 0, {}});
  return panel;
}

/// What a logarithmic axis cannot show.
std::string left_out_of_picture(const DecayStudy& study) {
  if (!study.log_axis) return {};
  const auto count = std::ranges::count_if(study.distances, [](auto d) { return d <= 0; });
  if (count == 0) return {};
  const bool zero = std::ranges::none_of(study.distances, [](auto d) { return d < 0; });
  return fmt::format("; without {}, which {} no logarithm", zero ? "Δ = 0" : "Δ ≤ 0",
                     zero ? "has" : "have");
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

plot::Figure decay_figure(const DecayStudy& study) {
  const std::vector<double> x(study.distances.begin(), study.distances.end());
  plot::Figure figure;
  figure.title = plot::Text::plain("Decay with distance");
  std::vector<RotaryVariant> variants;
  for (const VariantDecay& result : study.curves) variants.push_back(result.variant);
  figure.subtitle = plot::Text::plain(describe(variants) + left_out_of_picture(study));
  figure.panels = {bound_panel(study, x), cosine_panel(study, x)};
  return figure;
}

}  // namespace rope::app
