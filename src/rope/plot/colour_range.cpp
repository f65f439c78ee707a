#include "rope/plot/colour_range.hpp"

#include <algorithm>
#include <cmath>

namespace rope::plot {

Extent colour_range(const Figure& figure, std::size_t panel) {
  const HeatMap& own = *figure.panels[panel].heat_map;
  if (!own.classes.empty()) return {0, std::max(static_cast<double>(own.classes.size()) - 1, 1.0)};
  Extent extent;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (!figure.panels[i].heat_map) continue;
    const HeatMap& map = *figure.panels[i].heat_map;
    if (i != panel && !(figure.shared_colour_range && map.colours == own.colours)) continue;
    Extent seen;
    for (const double value : map.values) {
      if (std::isfinite(value)) seen.add(value);
    }
    if (map.min || map.max || !seen.empty()) {
      extent.add(map.min.value_or(seen.empty() ? *map.max : seen.low));
      extent.add(map.max.value_or(seen.empty() ? *map.min : seen.high));
    }
  }
  if (extent.empty()) extent = {0, 1};
  if (own.colours == ColourMap::diverging) {
    const double largest = std::max(std::fabs(extent.low), std::fabs(extent.high));
    extent = {-largest, largest};
  }
  // One value alone gets the middle of the colours.
  const double around = std::max(0.5 * std::fabs(extent.low), 0.5);
  if (!(extent.high > extent.low)) extent = {extent.low - around, extent.high + around};
  return extent;
}

bool one_bar(const Figure& figure) {
  if (!figure.panels.front().heat_map) return false;
  const HeatMap& first = *figure.panels.front().heat_map;
  std::size_t maps = 0;
  for (const Panel& panel : figure.panels) {
    if (!panel.heat_map) continue;
    if (panel.heat_map->colours != first.colours) return false;
    ++maps;
  }
  return figure.shared_colour_range && maps > 1;
}

}  // namespace rope::plot
