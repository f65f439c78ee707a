#include "rope/pictures/precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rope/words/embedding_text.hpp"

namespace rope {
namespace {

double worst_error(const PositionError& error) { return error.worst.error; }
double random_error(const PositionError& error) { return error.random_rms; }

/// The errors at the study's positions and, of the worst q and k, where a tolerance is first
/// exceeded: an error that leaps stands where it leaps, not on a slope between two positions.
plot::Series error_series(const PolicyErrors& errors, double (*value)(const PositionError&)) {
  std::map<std::int64_t, double> at;
  for (const PositionError& error : errors.errors) at[error.position] = value(error);
  if (value == worst_error)
    for (const FirstPosition& first : errors.first)
      if (first.found) at.emplace(first.found->n, first.found->error);
  plot::Series series;
  series.kind = plot::SeriesKind::line_points;
  for (const auto& [position, error] : at) {
    series.x.push_back(static_cast<double>(position));
    series.y.push_back(error);
  }
  return series;
}

plot::Panel curves_panel(const PrecisionStudy& study, std::size_t side, const std::string& title,
                         double (*value)(const PositionError&), bool legend) {
  plot::Panel panel;
  panel.title = plot::Text::plain(title);
  panel.x.label = plot::Text::plain("position N (tokens)");
  panel.x.scale = plot::Scale::log10;
  panel.x.max = static_cast<double>(study.positions.back());  // also of policies that end before
  panel.y.label = plot::Text::plain("error / (|q||k|)");
  panel.y.scale = plot::Scale::log10;
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    plot::Series series = error_series(study.results[i].against[side], value);
    if (legend) series.label = plot::Text::plain(study.results[i].policy.name);
    series.colour = i;  // the same in all panels
    panel.series.push_back(std::move(series));
  }
  for (const auto& [tokens, label] : {std::pair{4096.0, "4k"}, {131072.0, "128k"}})
    if (tokens < static_cast<double>(study.positions.back()))
      panel.lines.push_back({plot::Direction::vertical, tokens, plot::Text::plain(label)});
  return panel;
}

/// log10 of the error of every pair (rows) up to 2^j tokens (columns).
plot::Panel pairs_panel(const PrecisionStudy& study, const PolicyResult& result, std::size_t side) {
  constexpr double kLeast = -17;
  plot::Panel panel;
  panel.title =
      plot::Text::plain(study.against.size() == 1
                            ? result.policy.name
                            : result.policy.name + ", " + std::string(name(study.against[side])));
  panel.x.label = plot::Text::markup("log₂ of the position");
  panel.y.label = plot::Text::plain("pair i");
  plot::HeatMap map;
  map.rows = study.embedding.pairs();
  map.colours = plot::ColourMap::sequential;
  map.square_cells = false;
  map.bar_label = plot::Text::plain("log₁₀ error found");
  map.max = 0.31;  // an error of 2
  std::vector<const PositionError*> octaves;
  for (const PositionError& error : result.against[side].errors)
    if ((error.position & (error.position - 1)) == 0) octaves.push_back(&error);
  map.columns = octaves.size();
  for (std::size_t k = 0; k < map.rows; ++k)
    for (const PositionError* error : octaves)
      map.values.push_back(
          std::max(error->per_pair[k] > 0 ? std::log10(error->per_pair[k]) : kLeast, kLeast));
  map.min = *std::ranges::min_element(map.values);
  panel.heat_map = std::move(map);
  return panel;
}

}  // namespace

plot::Figure precision_pairs(const PrecisionStudy& study, const std::string& setting) {
  const bool both = study.against.size() > 1;
  const bool identity = study.against[0] == Against::identity;
  plot::Figure figure;
  figure.title = plot::Text::plain(both       ? "Error found, pair by pair"
                                   : identity ? "Error found in the identity, pair by pair"
                                              : "Error found against exact scores, pair by pair");
  figure.subtitle = plot::Text::plain(setting);
  const std::size_t sides = study.against.size();
  const std::size_t count = study.results.size() * sides;
  figure.columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  figure.columns += figure.columns % sides;  // both sides of a policy stand beside each other
  for (std::size_t i = 0; i < count; ++i) {
    plot::Panel panel = pairs_panel(study, study.results[i / sides], i % sides);
    // The outer panels name the axes of all.
    if (i + figure.columns < count) panel.x.label = {};
    if (i % figure.columns != 0) panel.y.label = {};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

plot::Figure precision_figure(const PrecisionStudy& study, const std::string& setting) {
  const bool both = study.against.size() > 1;
  const bool identity = study.against[0] == Against::identity;
  plot::Figure figure;
  figure.subtitle = plot::Text::plain(setting);
  figure.title =
      plot::Text::plain(both       ? "Error of scores by position"
                        : identity ? "Error of the relative-position identity by position"
                                   : "Error of scores against exact ones by position");
  figure.columns = study.against.size();
  figure.legend_of = 0;
  const auto title = [&](std::size_t side, const char* what) {
    if (!both) return std::string(what);
    return std::string(study.against[side] == Against::identity ? "consistent with itself, "
                                                                : "right, ") +
           what;
  };
  for (std::size_t side = 0; side < study.against.size(); ++side)
    figure.panels.push_back(
        curves_panel(study, side, title(side, "worst q, k"), worst_error, side == 0));
  for (std::size_t side = 0; side < study.against.size(); ++side)
    figure.panels.push_back(
        curves_panel(study, side, title(side, "random q, k (rms)"), random_error, false));
  return figure;
}

}  // namespace rope
