#include "rope/pictures/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace rope {
namespace {

constexpr std::size_t kMostColumns = 5;

std::vector<const ComparedEncoding*> pictured(const EncodingComparison& comparison, bool chosen) {
  std::vector<const ComparedEncoding*> shown;
  for (const ComparedEncoding& result : comparison.results)
    if (chosen || result.spec.entry->pictured) shown.push_back(&result);
  return shown;
}

std::string title(const ComparedEncoding& result) {
  return result.caption.empty() ? result.title : result.title + ", " + result.caption;
}

/// Which of the axes a panel names: the outer panels do it for all.
struct Outer {
  bool left;
  bool bottom;
};

plot::Panel map_panel(const ComparedEncoding& result, Outer outer, double limit) {
  plot::Panel panel;
  panel.title = plot::Text::plain(title(result));
  if (outer.bottom) panel.x.label = plot::Text::plain("key n");
  if (outer.left) panel.y.label = plot::Text::plain("query m");
  plot::HeatMap map;
  map.rows = static_cast<std::size_t>(result.map.rows());
  map.columns = map.rows;
  map.values.assign(result.map.data(), result.map.data() + result.map.size());
  // What the mask hides is an empty cell.
  for (double& value : map.values)
    if (!std::isfinite(value)) value = std::numeric_limits<double>::quiet_NaN();
  map.min = -limit;
  map.max = limit;
  map.bar_label = plot::Text::plain("added to the score");
  panel.heat_map = std::move(map);
  return panel;
}

plot::Panel curve_panel(const ComparedEncoding& result, Outer outer, bool legend, double limit) {
  plot::Panel panel;
  if (outer.bottom) panel.x.label = plot::Text::plain("distance n − m");
  if (outer.left) panel.y.label = plot::Text::plain("added");
  panel.y.min = -limit;
  panel.y.max = limit;
  const ShiftedScores& scores = result.drawn;
  const std::vector<double> x(scores.distances.begin(), scores.distances.end());
  const std::size_t last = scores.shifts.size() - 1;
  std::vector<std::size_t> shown = {0};
  if (last > 2) shown.push_back(last - 2);
  if (last > 0) shown.push_back(last);
  // The later ones dashed: where all agree, every one of them is still seen.
  for (const std::size_t s : shown) {
    plot::Series series;
    series.x = x;
    series.y = scores.scores[s];
    series.dashed = s > 0;
    series.colour = panel.series.size();
    if (legend)
      series.label =
          plot::Text::plain(fmt::format("m = {}", scores.shifts[s] + scores.distances.back()));
    panel.series.push_back(std::move(series));
  }
  return panel;
}

/// The ends of the colours: all but the most extreme values of all maps lie within.
struct ColourLimit {
  double value;
  double beyond;  ///< the share of the cells that lie beyond
};
ColourLimit colour_limit(const std::vector<const ComparedEncoding*>& results) {
  constexpr double kShown = 0.98;
  std::vector<double> sizes;
  for (const ComparedEncoding* result : results)
    for (const double value : result->map.reshaped())
      if (std::isfinite(value)) sizes.push_back(std::abs(value));
  const auto at =
      sizes.begin() + static_cast<std::ptrdiff_t>(kShown * static_cast<double>(sizes.size() - 1));
  std::ranges::nth_element(sizes, at);
  const double limit = *at > 0 ? *at : 1;
  const auto beyond = std::ranges::count_if(sizes, [&](double size) { return size > limit; });
  return {limit, static_cast<double>(beyond) / static_cast<double>(sizes.size())};
}

/// The ends of all curves.
double curve_limit(const std::vector<const ComparedEncoding*>& results) {
  double limit = 0;
  for (const ComparedEncoding* result : results)
    for (const std::vector<double>& row : result->drawn.scores)
      for (const double value : row)
        if (std::isfinite(value)) limit = std::max(limit, std::abs(value));
  return limit > 0 ? 1.05 * limit : 1;
}

/// Bands of maps, each with its curves below; one encoding has both side by side.
void add_panels(const std::vector<const ComparedEncoding*>& results, double colours, double ends,
                plot::Figure* figure) {
  const std::size_t count = results.size();
  const std::size_t bands = (count + kMostColumns - 1) / kMostColumns;
  const std::size_t columns = (count + bands - 1) / bands;
  figure->columns = count == 1 ? 2 : columns;
  plot::Panel blank;
  blank.blank = true;
  for (std::size_t begin = 0; begin < count; begin += columns) {
    const std::size_t end = std::min(begin + columns, count);
    const auto outer = [&](std::size_t i) { return Outer{i == begin, end == count}; };
    const std::size_t free = count == 1 ? 0 : begin + columns - end;
    for (std::size_t i = begin; i < end; ++i)
      figure->panels.push_back(map_panel(*results[i], outer(i), colours));
    figure->panels.insert(figure->panels.end(), free, blank);
    if (begin == 0) figure->legend_of = figure->panels.size();
    for (std::size_t i = begin; i < end; ++i)
      figure->panels.push_back(curve_panel(*results[i], outer(i), i == 0, ends));
    figure->panels.insert(figure->panels.end(), end == count ? 0 : free, blank);
  }
}

}  // namespace

plot::Figure comparison_figure(const EncodingComparison& comparison, bool chosen) {
  const std::vector<const ComparedEncoding*> results = pictured(comparison, chosen);
  const ColourLimit colours = colour_limit(results);
  const double ends = curve_limit(results);
  plot::Figure figure;
  figure.title = plot::Text::plain(
      fmt::format("What {} adds to the score of the same two tokens",
                  results.size() == 1 ? title(*results[0]) : "each position encoding"));
  figure.subtitle = plot::Text::plain(
      "Maps: one query and one key at every pair of positions. Curves: the same by distance, with "
      "the query at three positions m. A relative encoding gives a single line." +
      (colours.beyond > 0
           ? fmt::format(" {:.2g} % of the cells lie beyond the ends of the colour scale.",
                         100 * colours.beyond)
           : std::string()));
  add_panels(results, colours.value, ends, &figure);
  return figure;
}

}  // namespace rope
