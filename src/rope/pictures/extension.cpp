#include "rope/pictures/extension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rope/words/embedding_text.hpp"

namespace rope {
namespace {

constexpr std::size_t kFanBins = 120;  // of 3 degrees: about the angle that counts as seen

/// Whether two rules rotate alike: then one curve hides the other in every panel.
bool same_curves(const ExtensionResult& a, const ExtensionResult& b) {
  return a.coverage.reach == b.coverage.reach && a.coverage.unseen == b.coverage.unseen &&
         a.decay.mean_cosine == b.decay.mean_cosine;
}

/// The rule before the i-th that it repeats.
std::optional<std::size_t> repeated(const ExtensionStudy& study, std::size_t i) {
  for (std::size_t j = 0; j < i; ++j)
    if (same_curves(study.results[j], study.results[i])) return j;
  return std::nullopt;
}

/// The curve of a rule, which has one look in all panels: dashed where it repeats an earlier one,
/// so that both are seen.
plot::Series line(const ExtensionStudy& study, std::size_t i, std::vector<double> x,
                  std::vector<double> y, bool legend) {
  plot::Series series;
  const std::optional<std::size_t> earlier = repeated(study, i);
  if (legend)
    series.label = plot::Text::plain(
        study.results[i].short_label +
        (earlier ? fmt::format(" (= {})", study.results[*earlier].short_label) : std::string()));
  series.x = std::move(x);
  series.y = std::move(y);
  series.colour = i;
  series.dashed = earlier.has_value();
  return series;
}

/// The mean of a curve over the distances that lie within 10 % of each: without it, the curves of
/// several rules hide one another.
std::vector<double> local_mean(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> means;
  std::size_t first = 0;
  std::size_t end = 0;
  for (const double centre : x) {
    while (x[first] < 0.9 * centre) ++first;
    while (end < x.size() && x[end] <= 1.1 * centre) ++end;
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += y[i];
    means.push_back(sum / static_cast<double>(end - first));
  }
  return means;
}

std::vector<double> pair_axis(const ExtensionStudy& study) {
  std::vector<double> x;
  for (std::size_t k = 0; k < study.trained.pairs(); ++k) x.push_back(static_cast<double>(k));
  return x;
}

plot::Panel by_pair(const ExtensionStudy& study, const char* title, const char* label,
                    std::vector<double> AngleCoverage::*values, bool legend) {
  plot::Panel panel;
  panel.title = plot::Text::plain(title);
  panel.x.label = plot::Text::plain("pair i");
  panel.y.label = plot::Text::plain(label);
  for (std::size_t i = 0; i < study.results.size(); ++i)
    panel.series.push_back(
        line(study, i, pair_axis(study), study.results[i].coverage.*values, legend));
  return panel;
}

plot::Panel decay_panel(const ExtensionStudy& study) {
  plot::Panel panel;
  panel.title = plot::Text::plain("mean cosine, averaged over Δ ± 10 %");
  panel.x.label = plot::Text::plain("distance Δ (tokens)");
  panel.x.scale = plot::Scale::log10;
  panel.y.label = plot::Text::plain("mean cosine");
  const std::vector<double> x(study.distances.begin(), study.distances.end());
  for (std::size_t i = 0; i < study.results.size(); ++i)
    panel.series.push_back(
        line(study, i, x, local_mean(x, study.results[i].decay.mean_cosine), false));
  panel.lines.push_back({plot::Direction::vertical, static_cast<double>(study.trained_length),
                         plot::Text::plain("trained")});
  return panel;
}

plot::Panel distance_panel(const ExtensionStudy& study) {
  plot::Panel panel;
  panel.title = plot::Text::plain("distance used for the rotation");
  panel.x.label = plot::Text::plain("distance Δ (tokens)");
  panel.y.label = plot::Text::plain("tokens");
  const auto trained = static_cast<double>(study.trained_length);
  const auto length = static_cast<double>(study.length);
  const auto window = static_cast<double>(study.rerope.window);
  // The looks of rules that no other panel shows: dashed curves lie on others, so these are dotted.
  constexpr std::size_t kOfItsOwn = 2;
  std::size_t next = study.results.size();
  if (next + kOfItsOwn > plot::kCurveColours) next = std::max(next, 2 * plot::kCurveColours);
  const auto map = [&](const char* label, std::vector<double> x, std::vector<double> y) {
    const auto shown = std::ranges::find(study.results, label, &ExtensionResult::short_label);
    plot::Series series;
    series.x = std::move(x);
    series.y = std::move(y);
    if (shown != study.results.end()) {
      series.colour = static_cast<std::size_t>(shown - study.results.begin());
    } else {
      series.label = plot::Text::plain(label);
      const auto taken = [&](const plot::Series& other) {
        return *other.colour % plot::kCurveColours == next % plot::kCurveColours;
      };
      while (std::ranges::any_of(panel.series, taken)) ++next;
      series.colour = next;
    }
    panel.series.push_back(std::move(series));
  };
  map("none", {0, length}, {0, length});
  map("linear", {0, length}, {0, trained});
  map("ReRoPE", {0, window, length}, {0, window, window});
  map("Leaky ReRoPE", {0, window, length}, {0, window, study.rerope(study.length)});
  panel.lines.push_back({plot::Direction::horizontal, trained, plot::Text::plain("trained")});
  return panel;
}

/// The circle of every pair, unrolled: which of its angles training saw, and which are new.
plot::Panel fan_panel(const ExtensionStudy& study, const ExtensionResult& result) {
  plot::Panel panel;
  panel.title = plot::Text::plain(result.short_label);
  panel.x.label = plot::Text::plain("angle");
  panel.y.label = plot::Text::plain("pair i");
  plot::HeatMap map;
  map.rows = study.trained.pairs();
  map.columns = kFanBins;
  map.square_cells = false;
  map.colours = plot::ColourMap::sequential;
  map.classes = {plot::Text::plain("not reached"), plot::Text::plain("seen in training"),
                 plot::Text::plain("new")};
  for (int degrees = 0; degrees <= 360; degrees += 90)
    map.column_marks.push_back({degrees * static_cast<double>(kFanBins) / 360 - 0.5,
                                plot::Text::plain(fmt::format("{}°", degrees))});
  for (std::size_t k = 0; k < map.rows; ++k) {
    const std::vector<double> fan =
        angle_fan(study.trained.frequencies, result.embedding.frequencies, k, study.trained_length,
                  study.length, kFanBins);
    map.values.insert(map.values.end(), fan.begin(), fan.end());
  }
  panel.heat_map = std::move(map);
  return panel;
}

}  // namespace

plot::Figure extension_fans(const ExtensionStudy& study, const std::string& setting) {
  plot::Figure figure;
  figure.title = plot::Text::plain(fmt::format("Angles of every pair, from {} to {} tokens",
                                               study.trained_length, study.length));
  figure.subtitle = plot::Text::plain(
      setting + fmt::format("; new: farther than {} rad from every trained angle", kSeenWithin));
  const std::size_t count = study.results.size();
  figure.columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  // A place that stays free is worse than narrower panels.
  if (count % figure.columns != 0 && count % (figure.columns + 1) == 0) ++figure.columns;
  figure.legend_of = 0;
  for (std::size_t i = 0; i < count; ++i) {
    plot::Panel panel = fan_panel(study, study.results[i]);
    // The outer panels name the axes of all.
    if (i + figure.columns < count) panel.x.label = {};
    if (i % figure.columns != 0) panel.y.label = {};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

plot::Figure extension_figure(const ExtensionStudy& study, const std::string& setting) {
  plot::Figure figure;
  figure.title =
      plot::Text::plain(fmt::format("From {} to {} tokens", study.trained_length, study.length));
  figure.subtitle = plot::Text::plain(setting);
  figure.columns = 2;
  figure.legend_of = 0;
  plot::Panel reach =
      by_pair(study, "turns / turns in training", "ratio", &AngleCoverage::reach, true);
  reach.y.scale = plot::Scale::log10;
  reach.lines.push_back({plot::Direction::horizontal, 1, plot::Text()});
  figure.panels.push_back(std::move(reach));
  figure.panels.push_back(
      by_pair(study, "share of unseen angles", "share", &AngleCoverage::unseen, false));
  figure.panels.push_back(decay_panel(study));
  // Of the maps of distance in this panel, linear alone is a rule.
  if (std::ranges::find(study.results, "linear", &ExtensionResult::short_label) !=
      study.results.end()) {
    figure.panels.push_back(distance_panel(study));
  } else {
    figure.columns = 1;
  }
  return figure;
}

}  // namespace rope
