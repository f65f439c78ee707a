#include "rope/pictures/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace rope {

plot::Figure diagnosis_figure(const ErrorMap& map, std::size_t tokens,
                              const std::string& subtitle) {
  constexpr double kLeast = 1e-18;
  plot::Figure figure;
  figure.title = plot::Text::plain("How far y is from re-rotated x");
  figure.subtitle = plot::Text::plain(subtitle);
  plot::Panel panel;
  panel.x.label =
      plot::Text::plain(map.tokens.size() < tokens ? "token (some, evenly spaced)" : "token");
  panel.y.label = plot::Text::plain("pair i");
  plot::HeatMap heat;
  heat.rows = map.pairs;
  heat.columns = map.tokens.size();
  heat.colours = plot::ColourMap::sequential;
  heat.square_cells = false;
  heat.bar_label = plot::Text::plain("log₁₀ of the largest error");
  std::vector<std::size_t> order(map.tokens.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return map.tokens[a] < map.tokens[b]; });
  // No error at all is shown as the smallest there is.
  double least = HUGE_VAL;
  for (const double error : map.errors)
    if (error > 0) least = std::min(least, error);
  if (!std::isfinite(least)) least = kLeast;
  for (std::size_t k = 0; k < map.pairs; ++k)
    for (const std::size_t i : order)
      heat.values.push_back(std::log10(std::max(map.errors[i * map.pairs + k], least)));
  panel.heat_map = std::move(heat);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope
