#include "rope/pictures/decay_map.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace rope {
namespace {

std::string distance_text(std::int64_t distance) {
  std::string text = std::to_string(distance);
  return distance < 0 ? "−" + text.substr(1) : text;
}

/// Some five distances to name along a side.
std::vector<plot::Mark> marks(const DecayMap& map) {
  const std::size_t count = map.distances.size();
  const std::size_t step = std::max<std::size_t>((count - 1) / 4, 1);
  std::vector<plot::Mark> marks;
  for (std::size_t i = 0; i < count; i += step)
    marks.push_back({static_cast<double>(i), plot::Text::plain(distance_text(map.distances[i]))});
  return marks;
}

}  // namespace

plot::Figure decay_map_figure(const DecayMap& map, const RotaryEmbedding& embedding,
                              const std::string& setting) {
  plot::HeatMap heat;
  heat.rows = heat.columns = map.distances.size();
  heat.values = map.mean_cosine;
  heat.max = 1;
  if (std::ranges::min(map.mean_cosine) < 0)
    heat.min = -1;
  else  // shades of one colour of two would hide all that there is to see
    heat.colours = plot::ColourMap::sequential;
  heat.bar_label = plot::Text::plain("mean cosine");
  heat.row_marks = heat.column_marks = marks(map);
  plot::Panel panel;
  panel.y.label = plot::Text::plain("distance in " + embedding.axes.names[map.row_axis]);
  panel.x.label = plot::Text::plain("distance in " + embedding.axes.names[map.column_axis]);
  panel.heat_map = std::move(heat);
  plot::Figure figure;
  figure.title = plot::Text::plain("How alike two tokens stay by their distance on two axes");
  figure.subtitle = plot::Text::plain(setting);
  figure.width = 1200;
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace rope
