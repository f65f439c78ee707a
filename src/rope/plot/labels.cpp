#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/plot/layout.hpp"
#include "rope/plot/paper.hpp"
#include "rope/plot/plane.hpp"
#include "rope/plot/text_fit.hpp"

namespace rope::plot {
namespace {

constexpr double kLinePitch = 1.42;  // of the font size
constexpr double kPad = 16;
constexpr std::size_t kMostEntries = 16;

constexpr double kInnerLabelSize = 0.92 * kLabelSize;  // of lines and regions
constexpr double kInnerPad = 0.6 * kPad;

constexpr double kFewColumns = 3;        // of a legend above all panels: fewer are not kept
constexpr double kBetween = 40;          // entries of a legend above all panels
constexpr std::size_t kMostNumbers = 8;  // rows and columns of a heat map that shows its numbers
constexpr double kSmallestNumber = 9;    // in pixels; a smaller one could not be read

double text_height(double size) { return 1.25 * size; }

void take_curve(const Series& series, const PanelLayout& layout, FreeSpace* space) {
  const Grid& grid = layout.grid;
  const auto place_x = [&](const CurvePoint& p) { return layout.box.left + grid.column(p); };
  const auto place_y = [&](double y) { return layout.box.top + grid.row(y); };
  const bool dots = series.kind == SeriesKind::points;
  for (const Run& full : runs_of(series, grid)) {
    const Run run = dots ? thinned_points(full, grid) : thinned_line(full, grid);
    for (std::size_t i = 0; i < run.size(); ++i) {
      const CurvePoint& p = run[i];
      const CurvePoint& from = dots || i == 0 ? p : run[i - 1];
      space->take_line(place_x(from), place_y(from.y), place_x(p), place_y(p.y));
      if (series.kind == SeriesKind::band) {
        space->take_line(place_x(p), place_y(p.y), place_x(p), place_y(p.upper));
      }
    }
  }
}

struct LabelBox {
  Text text;
  double width;
  double height;
  double size;
  bool cut;
};

LabelBox label_box(const Text& label, const Box& panel, const Figure& figure, double scale) {
  const double size = text_size(figure, kInnerLabelSize * scale);
  const Text text = shortened(label, 0.9 * panel.width / size);
  return {text, text_width(text) * size, text_height(size), size, is_cut({text}, label)};
}

void add_label(const LabelBox& label, const std::vector<Box>& candidates, Rgb colour,
               PanelLayout* layout, FreeSpace* space) {
  const Box box = space->least_covered(candidates);
  const bool covers = space->covered(box) > 0;
  space->take(box);
  layout->texts.push_back({label.text, box.left, box.top + box.height / 2, label.size, Align::left,
                           colour, false, false, label.cut, covers});
}

void place_line_label(const ReferenceLine& line, const Figure& figure, double scale,
                      PanelLayout* layout, FreeSpace* space) {
  if (line.label.empty()) return;
  const Box& panel = layout->box;
  const LabelBox label = label_box(line.label, panel, figure, scale);
  const double pad = kInnerPad * scale;
  std::vector<Box> candidates;
  if (line.direction == Direction::horizontal) {
    const double y = panel.top + (1 - layout->grid.y.position(line.at)) * panel.height;
    for (const double top : {y - label.height - 8 * scale, y + 8 * scale}) {
      for (const double left : {panel.left + pad, panel.right() - pad - label.width,
                                panel.left + (panel.width - label.width) / 2,
                                panel.left + (panel.width - label.width) / 4,
                                panel.left + 3 * (panel.width - label.width) / 4}) {
        candidates.push_back({left, top, label.width, label.height});
      }
    }
  } else {
    const double x = panel.left + layout->grid.x.position(line.at) * panel.width;
    for (const double top : {panel.top + pad, panel.bottom() - pad - label.height,
                             panel.top + (panel.height - label.height) / 2,
                             panel.top + (panel.height - label.height) / 4,
                             panel.top + 3 * (panel.height - label.height) / 4}) {
      for (const double left : {x + pad, x - pad - label.width}) {
        candidates.push_back({left, top, label.width, label.height});
      }
    }
  }
  add_label(label, candidates, theme_of(figure.style).line, layout, space);
}

void place_region_label(const Region& region, const Figure& figure, double scale,
                        PanelLayout* layout, FreeSpace* space) {
  if (region.label.empty()) return;
  const Box& panel = layout->box;
  const LabelBox label = label_box(region.label, panel, figure, scale);
  const double pad = kInnerPad * scale;
  const bool stripe = region.direction == Direction::horizontal;
  const Range& range = stripe ? layout->grid.y : layout->grid.x;
  const auto position = [&](double value, double edge) {
    return std::isfinite(value) ? std::clamp(range.position(value), 0.0, 1.0) : edge;
  };
  const double low = position(region.from, 0);
  const double high = position(region.to, 1);
  Box area = panel;
  if (stripe) {
    area.top = panel.top + (1 - high) * panel.height;
    area.height = (high - low) * panel.height;
  } else {
    area.left = panel.left + low * panel.width;
    area.width = (high - low) * panel.width;
  }
  std::vector<Box> candidates;
  for (const double top : {area.top + pad, area.bottom() - pad - label.height,
                           area.top + (area.height - label.height) / 2}) {
    for (const double left :
         {area.left + pad, area.right() - pad - label.width,
          area.left + (area.width - label.width) / 2, area.left + (area.width - label.width) / 4,
          area.left + 3 * (area.width - label.width) / 4}) {
      candidates.push_back({left, top, label.width, label.height});
    }
  }
  add_label(label, candidates, theme_of(figure.style).region_text, layout, space);
}

/// A plane has no numbers beside it: labels may reach out there.
Box with_sides(const Box& box, double width) {
  const double left = std::max(box.left - 0.15 * box.width, 0.0);
  const double right = std::min(box.right() + 0.15 * box.width, width);
  return {left, box.top, right - left, box.height};
}

/// What an entry of a legend names, in full.
const Text& name_of(const LegendEntry& entry, const Panel& panel) {
  return panel.heat_map ? panel.heat_map->classes[entry.series] : panel.series[entry.series].label;
}

/// The legend with its size, not yet at its place.
std::optional<Legend> make_legend(const Figure& figure, std::size_t at_panel, double height,
                                  double max_text_width, double scale) {
  const Panel& panel = figure.panels[at_panel];
  std::vector<std::size_t> named;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    if (!panel.series[i].label.empty()) named.push_back(i);
  }
  if (named.empty() || figure.legend_of == at_panel) return std::nullopt;
  const double size = kLabelSize * scale;
  const double pitch = kLinePitch * size;
  const auto fitting = static_cast<std::size_t>(std::max(std::floor(height / pitch), 2.0));
  const std::size_t lines = std::min(fitting, kMostEntries);
  Legend legend;
  std::size_t shown = named.size();
  if (shown > lines) {
    shown = std::max<std::size_t>(lines - 1, 1);
    legend.note =
        Text::plain(fmt::format(fmt::runtime(figure.remarks.curves.bytes()), shown, named.size()));
  }
  double widest = legend.note.empty() ? 0 : text_width(legend.note);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t at = shown == 1 ? 0 : i * (named.size() - 1) / (shown - 1);
    const Text label = shortened(panel.series[named[at]].label, max_text_width / size);
    widest = std::max(widest, text_width(label));
    legend.entries.push_back({named[at], 0, 0, label});
  }
  legend.box.width = (kSampleWidth + kSampleGap) * scale + widest * size;
  legend.box.height = pitch * static_cast<double>(shown + (legend.note.empty() ? 0 : 1));
  return legend;
}

void move_legend(Legend legend, const Box& place, const Figure& figure, std::size_t panel,
                 double scale, PanelLayout* layout) {
  const double pitch = kLinePitch * kLabelSize * scale;
  legend.box = place;
  double y = place.top + pitch / 2;
  for (LegendEntry& entry : legend.entries) {
    entry.x = place.left;
    entry.y = y;
    y += pitch;
  }
  add_words(legend, figure, panel, scale, &layout->texts);
  if (!legend.note.empty()) {
    const double size = text_size(figure, 0.9 * kLabelSize * scale);
    layout->texts.push_back({legend.note, place.left + (kSampleWidth + kSampleGap) * scale, y, size,
                             Align::left, theme_of(figure.style).soft_text});
  }
  layout->legend = std::move(legend);
}

/// The corner or edge of the panel where a legend covers nothing.
std::optional<Box> free_place(const Legend& legend, const Box& panel, const FreeSpace& space,
                              double scale) {
  const double pad = kPad * scale;
  const double left = panel.left + pad;
  const double right = panel.right() - pad - legend.box.width;
  const double top = panel.top + pad / 2;
  const double bottom = panel.bottom() - pad - legend.box.height;
  const double centre = panel.left + (panel.width - legend.box.width) / 2;
  const double middle = panel.top + (panel.height - legend.box.height) / 2;
  const double halo = 7 * scale;
  for (const auto& [x, y] :
       {std::pair{right, top}, std::pair{left, top}, std::pair{right, bottom},
        std::pair{left, bottom}, std::pair{right, middle}, std::pair{left, middle},
        std::pair{centre, top}, std::pair{centre, bottom}}) {
    const Box box = {x, y, legend.box.width, legend.box.height};
    const Box padded = {x - halo, y, box.width + 2 * halo, box.height};
    if (space.covered(padded) == 0) return box;
  }
  return std::nullopt;
}

/// Three digits behind the point, or as many as a small number needs.
std::string cell_number(double value) {
  if (!std::isfinite(value)) return {};
  const double size = std::fabs(value);
  std::string text = value == std::round(value) && size < 1e4 ? fmt::format("{:.0f}", value + 0.0)
                     : size >= 5e-4 && size < 1e3             ? fmt::format("{:.3f}", value)
                                                              : fmt::format("{:.0e}", value);
  if (text == "-0") return "0";
  return with_minus_signs(std::move(text));
}

/// Black or white, whichever stands out more.
Rgb readable_on(Rgb background) {
  const int light = 299 * background.r + 587 * background.g + 114 * background.b;
  return light > 140'000 ? Rgb{0x22, 0x22, 0x22} : Rgb{0xFF, 0xFF, 0xFF};
}

}  // namespace

double region_label_height(double scale) {
  return (text_height(kInnerLabelSize) + 2 * kInnerPad) * scale;
}

double place_labels(const Figure& figure, std::size_t at_panel, double scale, PanelLayout* layout) {
  const Panel& panel = figure.panels[at_panel];
  const Box& box = layout->box;
  // On paper it matters whether a label covers anything, beside its own line 8 pixels away.
  const auto cell = on_paper(figure) ? std::optional(4 * scale) : std::nullopt;
  FreeSpace space(panel.plane ? with_sides(box, figure.width) : box, cell);
  for (const Series& series : panel.series) take_curve(series, *layout, &space);
  if (panel.plane) place_plane(*panel.plane, figure, scale, layout, &space);
  for (const ReferenceLine& line : panel.lines) {
    if (line.direction == Direction::horizontal) {
      const double y = box.top + (1 - layout->grid.y.position(line.at)) * box.height;
      space.take_line(box.left, y, box.right(), y);
    } else {
      const double x = box.left + layout->grid.x.position(line.at) * box.width;
      space.take_line(x, box.top, x, box.bottom());
    }
  }
  for (const ReferenceLine& line : panel.lines) {
    place_line_label(line, figure, scale, layout, &space);
  }
  for (const Region& region : panel.regions) {
    place_region_label(region, figure, scale, layout, &space);
  }
  if (layout->legend_above) return 0;
  std::optional<Legend> legend =
      make_legend(figure, at_panel, 0.6 * box.height, 0.45 * box.width, scale);
  if (!legend) return 0;
  const bool whole = std::ranges::none_of(legend->entries, [&](const LegendEntry& entry) {
    return is_cut({entry.label}, name_of(entry, panel));
  });
  const bool lists_all = legend->note.empty() && (whole || !on_paper(figure));
  const std::optional<Box> place = free_place(*legend, box, space, scale);
  if (place && lists_all) {
    move_legend(std::move(*legend), *place, figure, at_panel, scale, layout);
    return 0;
  }
  legend = make_legend(figure, at_panel, box.height, 0.26 * figure.width, scale);
  return legend->box.width + 1.5 * kPad * scale;
}

void place_legend_outside(const Figure& figure, std::size_t panel, double scale,
                          PanelLayout* layout) {
  if (layout->legend_above) return;
  const Box& box = layout->box;
  std::optional<Legend> legend = make_legend(figure, panel, box.height, 0.26 * figure.width, scale);
  if (!legend) return;
  const Box place = {box.right() + 1.5 * kPad * scale, box.top, legend->box.width,
                     legend->box.height};
  move_legend(std::move(*legend), place, figure, panel, scale, layout);
}

Legend legend_in_rows(const Figure& figure, std::size_t at_panel, const Box& place, double scale) {
  const Panel& panel = figure.panels[at_panel];
  const double size = kLabelSize * scale;
  const double pitch = kLinePitch * size;
  const double sample = (kSampleWidth + kSampleGap) * scale;
  Legend legend;
  double widest = 0;
  double together = 0;
  const auto add = [&](std::size_t i, const Text& text) {
    if (text.empty()) return;
    legend.entries.push_back({i, 0, 0, shortened(text, (place.width - sample) / size)});
    const double width = sample + text_width(legend.entries.back().label) * size + kBetween * scale;
    widest = std::max(widest, width);
    together += width;
  };
  const std::size_t classes = panel.heat_map ? panel.heat_map->classes.size() : 0;
  for (std::size_t i = 0; i < classes; ++i) add(i, panel.heat_map->classes[i]);
  for (std::size_t i = 0; i < panel.series.size(); ++i) add(i, panel.series[i].label);
  if (legend.entries.empty()) return legend;
  // One line as it comes, or several: in columns, unless those would be few.
  const double between = kBetween * scale;
  const bool in_columns =
      together - between > place.width && kFewColumns * widest - between <= place.width;
  double x = place.left;
  double y = place.top + pitch / 2;
  for (LegendEntry& entry : legend.entries) {
    const double width = in_columns ? widest : sample + text_width(entry.label) * size + between;
    if (x > place.left && x + width - between > place.right()) {
      x = place.left;
      y += pitch;
    }
    entry.x = x;
    entry.y = y;
    x += width;
  }
  legend.box = {place.left, place.top, place.width, y + pitch / 2 - place.top};
  return legend;
}

void add_words(const Legend& legend, const Figure& figure, std::size_t panel, double scale,
               std::vector<PlacedText>* texts) {
  for (const LegendEntry& entry : legend.entries)
    texts->push_back({entry.label, entry.x + (kSampleWidth + kSampleGap) * scale, entry.y,
                      kLabelSize * scale, Align::left, theme_of(figure.style).text, false, false,
                      is_cut({entry.label}, name_of(entry, figure.panels[panel]))});
}

void place_numbers(const Figure& figure, std::size_t panel, double scale, PanelLayout* layout) {
  const HeatMap& map = *figure.panels[panel].heat_map;
  if (map.rows > kMostNumbers || map.columns > kMostNumbers || !map.classes.empty()) return;
  const Box& box = layout->box;
  const double width = box.width / static_cast<double>(map.columns);
  const double height = box.height / static_cast<double>(map.rows);
  double widest = 0;
  std::vector<Text> numbers;
  numbers.reserve(map.values.size());
  for (const double value : map.values) {
    numbers.push_back(Text::plain(cell_number(value)));
    widest = std::max(widest, text_width(numbers.back()));
  }
  const double size =
      std::min({1.3 * kTickSize * scale, 0.6 * height, 0.95 * width / std::max(widest, 1.0)});
  if (size < (on_paper(figure) ? text_size(figure, 0) : kSmallestNumber)) return;
  const std::vector<Rgb> colours = stops_of(map, figure.style);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].empty()) continue;
    const std::size_t above = i / map.columns;
    const auto row = static_cast<double>(above);
    const auto column = static_cast<double>(i % map.columns);
    const double t =
        (map.values[i] - layout->colour_min) / (layout->colour_max - layout->colour_min);
    layout->texts.push_back({numbers[i], box.left + (column + 0.5) * width,
                             box.top + (row + 0.5) * height, text_size(figure, size), Align::centre,
                             readable_on(blend(colours, t)), false, false});
  }
}

}  // namespace rope::plot
