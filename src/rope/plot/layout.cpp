#include "rope/plot/layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rope/plot/colour_range.hpp"
#include "rope/plot/panel_axes.hpp"
#include "rope/plot/paper.hpp"
#include "rope/plot/text_fit.hpp"

namespace rope::plot {
namespace {

constexpr double kOuter = 44;  // free border of the picture
constexpr double kBarWidth = 34;
constexpr double kBarGap = 30;
constexpr double kExtremeShape = 8;  // longer heat maps fill their space, without square cells

constexpr double kLine = 1.3;            // from a line of text to the next, in font sizes
constexpr std::size_t kAnyLines = 1000;  // of a heading
constexpr std::size_t kMostLines = 3;    // of a title of a panel or a label beside it, on paper

/// The scale of a picture by its size, at which `share` of it is left to each panel; on paper so
/// that labels have a size that can be read.
double scale_of_size(const Figure& figure, double share = 1) {
  const double pixels = on_paper(figure) ? kPdfPixelsPerInch / figure.per_inch : 1;
  const double size = pixels * std::min(figure.width / 1600.0, figure.height / 1000.0);
  // Small pictures keep their text readable: it shrinks more slowly than the picture.
  const double scale = share * (size < 1 ? std::pow(size, 0.6) : size);
  return on_paper(figure) ? scale_on_paper(figure, scale / pixels) : scale;
}

/// Everything the steps below share.
struct Workspace {
  const Figure& figure;
  const Theme& theme;
  Layout layout;
  std::size_t rows = 1;
  Box body;                        ///< below the titles
  std::vector<double> left_rooms;  ///< of each column, for its numbers and its labels
  std::vector<double> widths;      ///< of the boxes in each column, before cells became square

  double px(double length) const { return length * layout.scale; }

  /// The same where many panels make nothing smaller: the titles of all pictures are alike.
  double heading_px(double length) const {
    return length * (on_paper(figure) ? layout.scale : scale_of_size(figure));
  }

  double text_px(double size) const { return text_size(figure, px(size)); }

  /// Chinese characters fill their line from top to bottom: upright ones stand that much further
  /// from the numbers, as a part of their size.
  double aside() const { return figure.language == Language::zh ? 0.3 : 0; }
};

double scale_of(const Figure& figure, std::size_t rows) {
  const auto across = static_cast<double>(figure.columns), down = static_cast<double>(rows);
  const double most = figure.any_columns ? std::sqrt(across * down) : std::max(across, down);
  return scale_of_size(figure, most > 2 ? std::pow(2 / most, 0.4) : 1);
}

/// The lines of a heading, in the largest size at which they fit: one line if it need not shrink
/// below 0.75, else as many as fill at most `max_height`.
double add_heading(const Text& text, double size, double max_height, bool bold, Rgb colour,
                   double top, Workspace* w) {
  if (text.empty()) return top;
  const double left = w->heading_px(kOuter);
  const double room = w->figure.width - 2 * left;
  const double width = text_width(text, bold);
  std::vector<Text> lines = {text};
  if (on_paper(w->figure)) {
    size = text_size(w->figure, size);
    lines = wrapped(text, room / size, kAnyLines, bold);
  } else if (width * size * 0.75 <= room) {
    size = std::min(size, room / std::max(width, 1e-9));
  } else {
    size *= 0.75;
    const double smallest = 0.6 * size;
    for (;; size = std::max(0.9 * size, smallest)) {
      const auto fitting = static_cast<std::size_t>(std::max(max_height / (1.3 * size), 1.0));
      lines = wrapped(text, room / size, fitting, bold);
      if (size <= smallest || wrapped(text, room / size, kAnyLines, bold).size() <= fitting) break;
    }
  }
  const bool cut = is_cut(lines, text);
  for (const Text& line : lines) {
    w->layout.texts.push_back(
        {line, left, top + 0.65 * size, size, Align::left, colour, bold, false, cut});
    top += 1.3 * size;
  }
  return top;
}

void lay_out_header(Workspace* w) {
  const Figure& figure = w->figure;
  double top = w->heading_px(24);
  top = add_heading(figure.title, w->heading_px(kTitleSize), 0.2 * figure.height, true,
                    w->theme.text, top, w);
  if (!figure.title.empty()) top += w->heading_px(4);
  top = add_heading(figure.subtitle, w->heading_px(kLabelSize), 0.12 * figure.height, false,
                    w->theme.soft_text, top, w);
  if (figure.legend_of) {
    const double left = w->heading_px(kOuter);
    const Box place = {left, top + w->px(8), figure.width - 2 * left, 0};
    const Legend legend = legend_in_rows(figure, *figure.legend_of, place, w->layout.scale);
    add_words(legend, figure, *figure.legend_of, w->layout.scale, &w->layout.texts);
    top = legend.entries.empty() ? place.top : legend.box.bottom();
    w->layout.legend = legend;
  }
  if (!figure.title.empty() || !figure.subtitle.empty()) top += w->px(22);
  w->body = {w->px(12), top, figure.width - w->px(12 + 32), figure.height - top - w->px(18)};
}

/// A chart that is as wide and as high as its room.
bool has_curves(const Panel& panel) { return !panel.blank && !panel.heat_map && !panel.plane; }

/// Whether labels and a legend find their place within the panel.
bool has_labels(const Panel& panel) { return !panel.blank && !panel.heat_map; }

const Panel* panel_at(const Workspace& w, std::size_t row, std::size_t column) {
  const std::size_t i = row * w.figure.columns + column;
  return i < w.figure.panels.size() ? &w.figure.panels[i] : nullptr;
}

/// Width over height that a panel keeps whatever room it has: of square cells, unless that would
/// make it a sliver, and of a plane. Others fill their room.
std::optional<double> kept_shape(const Panel& panel) {
  if (panel.plane) return 1;
  if (!panel.heat_map || !panel.heat_map->square_cells) return std::nullopt;
  const double shape =
      static_cast<double>(panel.heat_map->columns) / static_cast<double>(panel.heat_map->rows);
  return shape > kExtremeShape || shape < 1 / kExtremeShape ? std::nullopt : std::optional(shape);
}

/// The height that a row of panels of a shape of their own can use, once widths are known; 0 for
/// others.
double square_height(const Workspace& w, std::size_t row) {
  double wanted = 0;
  for (std::size_t column = 0; column < w.widths.size(); ++column) {
    const Panel* panel = panel_at(w, row, column);
    if (panel == nullptr || panel->blank) continue;
    const std::optional<double> shape = kept_shape(*panel);
    if (!shape) return 0;
    wanted = std::max(wanted, w.widths[column] / *shape);
  }
  return wanted;
}

/// What each row has of a height: as its panels ask; but those with a shape of their own take what
/// they can use, and leave curves in other rows at least two thirds of theirs.
std::vector<double> shared_out(double height, const Workspace& w) {
  std::vector<double> shares(w.rows, 0);
  std::vector<double> squares(w.rows, 0);
  double all = 0;
  double curves = 0;
  double wanted = 0;
  for (std::size_t row = 0; row < w.rows; ++row) {
    for (std::size_t column = 0; column < w.figure.columns; ++column) {
      const Panel* panel = panel_at(w, row, column);
      if (panel != nullptr) shares[row] = std::max(shares[row], panel->height);
    }
    squares[row] = square_height(w, row);
    all += shares[row];
    wanted += squares[row];
    if (squares[row] <= 0) curves += shares[row];
  }
  const double for_maps = std::min(height * (1 - 0.67 * curves / all), wanted);
  for (std::size_t row = 0; row < w.rows; ++row) {
    if (wanted <= 0)
      shares[row] *= height / all;
    else if (squares[row] > 0)
      shares[row] = for_maps * squares[row] / wanted;
    else
      shares[row] *= (height - for_maps) / curves;
    shares[row] = std::max(shares[row], w.px(20));
  }
  return shares;
}

/// The room between the x axis and its label; a plane has no numbers there.
double depth_of_ticks(const Panel& panel, const Workspace& w) {
  return w.px(panel.plane ? kTickGap : kTickDepth);
}

/// What a label or a title takes beyond its first line; only on paper it may have several.
double more_lines(const Text& text, double room, double size, bool bold, const Workspace& w) {
  if (!on_paper(w.figure) || text.empty()) return 0;
  return kLine * size *
         static_cast<double>(wrapped(text, room / size, kMostLines, bold).size() - 1);
}

/// The height of a legend above its panel.
double height_of_legend(std::size_t at, const Workspace& w) {
  const PanelLayout& layout = w.layout.panels[at];
  if (!layout.legend_above) return 0;
  return legend_in_rows(w.figure, at, layout.box, w.layout.scale).box.height;
}

/// On paper a word that is longer than its panel is high stands out above and below.
double room_of_y_label(std::size_t at, const Workspace& w) {
  const Text& label = w.figure.panels[at].y.label;
  const double height = w.layout.panels[at].box.height;
  const double room = height + w.px(30);
  if (!on_paper(w.figure)) return room;
  return is_cut(wrapped(label, room / w.text_px(kLabelSize), kMostLines), label) ? room + w.px(40)
                                                                                 : room;
}

/// Whether on paper the numbers below the next panel of its column serve this one too.
bool shares_x(std::size_t at, const Workspace& w) {
  const std::size_t below = at + w.figure.columns;
  if (!on_paper(w.figure) || below >= w.figure.panels.size()) return false;
  const Panel &panel = w.figure.panels[at], &next = w.figure.panels[below];
  if (!has_curves(panel) || !has_curves(next)) return false;
  const Range &x = w.layout.panels[at].grid.x, &like = w.layout.panels[below].grid.x;
  return x.scale == like.scale && x.min == like.min && x.max == like.max &&
         (panel.x.label.empty() || panel.x.label.bytes() == next.x.label.bytes());
}

/// What the words above and below a plane take of the width that its column had before the cells
/// became square; on paper above and below a heat map, too.
double room_of_words(std::size_t at, const Workspace& w) {
  const Panel& panel = w.figure.panels[at];
  if (w.widths.empty() || !(panel.plane || (panel.heat_map && on_paper(w.figure)))) return 0;
  const double width = std::max(text_width(panel.title, true) * w.text_px(kPanelTitleSize),
                                text_width(panel.x.label) * w.px(kLabelSize));
  return std::min(width, w.widths[at % w.figure.columns]);
}

double room_of_title(std::size_t at, const Workspace& w) {
  return std::max(w.layout.panels[at].box.width, room_of_words(at, w));
}

/// Tops and heights of the panels: each row has room for its titles above and its labels below.
void set_rows(Workspace* w) {
  std::vector<double> above(w->rows, w->px(14));
  std::vector<double> below(w->rows, 0);
  double used = 0;
  for (std::size_t row = 0; row < w->rows; ++row) {
    bool titled = false;
    bool labelled = false;
    double longer = 0;
    for (std::size_t column = 0; column < w->figure.columns; ++column) {
      const Panel* panel = panel_at(*w, row, column);
      if (panel == nullptr) continue;
      titled = titled || !panel->title.empty();
      const std::size_t at = row * w->figure.columns + column;
      const bool shared = shares_x(at, *w);
      labelled = labelled || (!shared && !panel->x.label.empty());
      below[row] = std::max(below[row], shared ? w->px(kTickGap) : depth_of_ticks(*panel, *w));
      longer = std::max(
          longer, height_of_legend(at, *w) + more_lines(panel->title, room_of_title(at, *w),
                                                        w->text_px(kPanelTitleSize), true, *w));
    }
    if (titled) above[row] += w->px((row > 0 ? 1.75 : 1.35) * kPanelTitleSize);
    above[row] += longer;
    if (labelled) below[row] += w->px(1.35 * kLabelSize);
    used += above[row] + below[row];
  }
  const std::vector<double> heights = shared_out(w->body.height - used, *w);
  // What panels of a shape of their own leave is free above and below.
  const double spare = w->body.height - used - std::accumulate(heights.begin(), heights.end(), 0.0);
  double top = w->body.top + std::max(spare, 0.0) / 2;
  for (std::size_t row = 0; row < w->rows; ++row) {
    for (std::size_t column = 0; column < w->figure.columns; ++column) {
      const std::size_t i = row * w->figure.columns + column;
      if (i >= w->layout.panels.size()) break;
      w->layout.panels[i].box.top = top + above[row];
      w->layout.panels[i].box.height = heights[row];
    }
    top += above[row] + heights[row] + below[row];
  }
}

double bar_room(const ColourBar& bar, const HeatMap& map, const Workspace& w) {
  return w.px(kBarGap + kBarWidth + 14) + widest_label(bar.ticks) * w.px(kTickSize) +
         (map.bar_label.empty() ? 0 : w.px((1.6 + w.aside()) * kLabelSize));
}

ColourBar make_bar(const PanelLayout& layout, double height, const Workspace& w) {
  ColourBar bar;
  bar.box = {0, 0, w.px(kBarWidth), height};
  bar.ticks = choose_ticks({Scale::linear, layout.colour_min, layout.colour_max, 0},
                           fitting(height, w.px(2.4 * kTickSize), 8));
  return bar;
}

/// Shrinks a panel's box to its shape. In a single row of panels they are centred, in several they
/// stay below their titles.
void keep_shape(double shape, bool centred, PanelLayout* layout) {
  Box& box = layout->box;
  const double width = std::min(box.width, box.height * shape);
  box.left += (box.width - width) / 2;
  box.width = width;
  const double height = width / shape;
  if (centred) box.top += (box.height - height) / 2;
  box.height = height;
}

/// The title and the labels of a panel.
void add_axis_titles(std::size_t at, Workspace* w, PanelLayout* layout) {
  const Panel& panel = w->figure.panels[at];
  const Box& box = layout->box;
  const auto fitted = [](const Text& text, double room, double size, bool bold) {
    return std::min(size, std::max(room / std::max(text_width(text, bold), 1e-9), 0.6 * size));
  };
  const auto add = [&](const Text& text, double x, double y, double room, double full_size,
                       Align align, bool bold, bool upright, std::size_t most_lines) {
    if (text.empty()) return;
    const double size =
        on_paper(w->figure) ? text_size(w->figure, full_size) : fitted(text, room, full_size, bold);
    const std::vector<Text> lines =
        wrapped(text, room / size, on_paper(w->figure) ? most_lines : 1, bold);
    double back =
        kLine * size * static_cast<double>(lines.size() - 1);  // the last stands at (x, y)
    for (const Text& line : lines) {
      layout->texts.push_back({line, upright ? x - back : x, upright ? y : y - back, size, align,
                               w->theme.text, bold, upright, is_cut(lines, text)});
      back -= kLine * size;
    }
  };
  const double label = w->px(kLabelSize);
  const double legend = height_of_legend(at, *w);
  add(panel.title, box.left, box.top - w->px(10 + 0.65 * kPanelTitleSize) - legend,
      room_of_title(at, *w), w->px(kPanelTitleSize), Align::left, true, false, kMostLines);
  const double words = std::max(box.width + w->px(60), room_of_words(at, *w));
  add(layout->bare_x ? Text() : panel.x.label, box.left + box.width / 2,
      box.bottom() + depth_of_ticks(panel, *w) + w->px(0.55 * kLabelSize), words, label,
      Align::centre, false, false, 1);
  const double ticks = widest_label(layout->y_ticks) * w->px(kTickSize);
  add(panel.y.label, box.left - w->px(kTickGap) - ticks - w->px((0.95 + w->aside()) * kLabelSize),
      box.top + box.height / 2, room_of_y_label(at, *w), label, Align::centre, false, true,
      kMostLines);
  if (layout->bar) {
    const Box& bar = layout->bar->box;
    const double numbers = widest_label(layout->bar->ticks) * w->px(kTickSize);
    add(panel.heat_map->bar_label,
        bar.right() + w->px(14) + numbers + w->px((0.95 + w->aside()) * kLabelSize),
        bar.top + bar.height / 2, bar.height, label, Align::centre, false, true, 1);
  }
}

/// Room kept right of panels for what stands beside them.
struct SideRoom {
  double each = 0;  ///< right of each panel, for its legend
  double last = 0;  ///< right of the last column alone: a bar that all share, or its legends
};

/// Lefts and widths: what numbers, labels and bars leave is the same for every column.
void set_columns(SideRoom room, double shared_bar, Workspace* w) {
  const std::size_t columns = w->figure.columns;
  const double gap = columns > 1 ? w->px(10) : 0;
  w->left_rooms.assign(columns, 0);
  std::vector<double> beside(columns, room.each + gap);
  double used = shared_bar + room.last;
  for (std::size_t column = 0; column < columns; ++column) {
    double bars = 0;
    for (std::size_t i = column; i < w->layout.panels.size(); i += columns) {
      const Panel& panel = w->figure.panels[i];
      const PanelLayout& layout = w->layout.panels[i];
      const double label = panel.y.label.empty()
                               ? 0
                               : w->px((1.7 + w->aside()) * kLabelSize) +
                                     more_lines(panel.y.label, room_of_y_label(i, *w),
                                                w->text_px(kLabelSize), false, *w);
      w->left_rooms[column] =
          std::max(w->left_rooms[column],
                   w->px(kTickGap + 8) + label + widest_label(layout.y_ticks) * w->px(kTickSize));
      if (layout.bar && shared_bar <= 0)
        bars = std::max(bars, bar_room(*layout.bar, *panel.heat_map, *w));
    }
    beside[column] += bars;
    used += w->left_rooms[column] + beside[column];
  }
  const double width = std::max((w->body.width - used) / static_cast<double>(columns), w->px(20));
  w->widths.assign(columns, width);
  double left = w->body.left;
  for (std::size_t column = 0; column < columns; ++column) {
    left += w->left_rooms[column];
    for (std::size_t i = column; i < w->layout.panels.size(); i += columns) {
      w->layout.panels[i].box.left = left;
      w->layout.panels[i].box.width = width;
    }
    left += width + beside[column];
  }
}

/// A shape can leave much room beside the panels: they then stand together in the middle.
void pull_together(SideRoom room, double shared_bar, Workspace* w) {
  const std::size_t columns = w->figure.columns;
  std::vector<double> widths(columns, 0);
  double total = shared_bar + room.last;
  for (std::size_t i = 0; i < w->layout.panels.size(); ++i) {
    const PanelLayout& layout = w->layout.panels[i];
    if (w->figure.panels[i].blank) continue;
    if (has_curves(w->figure.panels[i])) return;
    const double bar = layout.bar && shared_bar <= 0
                           ? bar_room(*layout.bar, *w->figure.panels[i].heat_map, *w)
                           : 0;
    widths[i % columns] =
        std::max({widths[i % columns], layout.box.width + bar, room_of_words(i, *w)});
  }
  for (std::size_t column = 0; column < columns; ++column)
    total += widths[column] += w->left_rooms[column] + room.each + w->px(columns > 1 ? 10 : 0);
  double left = w->body.left + std::max((w->body.width - total) / 2, 0.0);
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t i = column; i < w->layout.panels.size(); i += columns)
      w->layout.panels[i].box.left = left + w->left_rooms[column];
    left += widths[column];
  }
}

/// A curve beside a panel that has a shape of its own is as high as that.
void align_rows(Workspace* w) {
  for (std::size_t row = 0; row < w->rows; ++row) {
    const std::size_t first = row * w->figure.columns;
    const std::size_t end = std::min(first + w->figure.columns, w->layout.panels.size());
    const Box* shaped = nullptr;
    for (std::size_t i = first; i < end; ++i)
      if (w->figure.panels[i].heat_map || w->figure.panels[i].plane)
        shaped = &w->layout.panels[i].box;
    for (std::size_t i = first; i < end && shaped != nullptr; ++i) {
      if (!has_curves(w->figure.panels[i])) continue;
      w->layout.panels[i].box.top = shaped->top;
      w->layout.panels[i].box.height = shaped->height;
    }
  }
}

void place_bars(SideRoom room, double shared_bar, Workspace* w) {
  const bool shared = shared_bar > 0;
  for (std::size_t i = 0; i < w->layout.panels.size(); ++i) {
    const Panel& panel = w->figure.panels[i];
    if (panel.blank) continue;
    if (const auto shape = kept_shape(panel))
      keep_shape(*shape, w->rows == 1, &w->layout.panels[i]);
  }
  align_rows(w);
  pull_together(room, shared_bar, w);
  for (std::size_t i = 0; i < w->layout.panels.size(); ++i) {
    PanelLayout& layout = w->layout.panels[i];
    if (!layout.bar || shared) continue;
    layout.bar = make_bar(layout, layout.box.height, *w);
    layout.bar->box.left = layout.box.right() + w->px(kBarGap);
    layout.bar->box.top = layout.box.top;
  }
  if (!shared) return;
  PanelLayout& first = w->layout.panels.front();
  double right = 0;
  double bottom = 0;
  for (std::size_t i = 0; i < w->layout.panels.size(); ++i) {
    const Box& box = w->layout.panels[i].box;
    right = std::max(right, box.right());
    if (w->figure.panels[i].heat_map) bottom = std::max(bottom, box.bottom());
  }
  first.bar = make_bar(first, bottom - first.box.top, *w);
  first.bar->box.left = right + w->px(kBarGap);
  first.bar->box.top = first.box.top;
}

void set_boxes(SideRoom room, double shared_bar, Workspace* w) {
  set_rows(w);
  set_columns(room, shared_bar, w);
  place_bars(room, shared_bar, w);
  for (std::size_t i = 0; i < w->layout.panels.size(); ++i) {
    PanelLayout& layout = w->layout.panels[i];
    layout.texts.clear();
    layout.legend.reset();
    layout.grid.width = layout.box.width;
    layout.grid.height = layout.box.height;
    if (w->figure.panels[i].blank) continue;
    set_x_ticks(w->figure.panels[i], w->layout.scale, &layout);
    layout.bare_x = shares_x(i, *w);
    add_axis_titles(i, w, &layout);
    if (layout.legend_above) {
      const Box& box = layout.box;
      layout.legend = legend_in_rows(
          w->figure, i, {box.left, box.top - w->px(10) - height_of_legend(i, *w), box.width, 0},
          w->layout.scale);
      add_words(*layout.legend, w->figure, i, w->layout.scale, &layout.texts);
    }
    if (w->figure.panels[i].heat_map) place_numbers(w->figure, i, w->layout.scale, &layout);
  }
}

/// Ranges, ticks and bars, which depend on how high the panels are. Returns the room that a shared
/// bar takes.
double set_ranges(Workspace* w) {
  const Figure& figure = w->figure;
  const bool shared = one_bar(figure) && figure.panels.front().heat_map->classes.empty();
  double shared_bar = 0;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    PanelLayout& layout = w->layout.panels[i];
    set_ranges_and_y_ticks(panel, w->layout.scale, &layout);
    if (panel.blank || !panel.heat_map) continue;
    const Extent colours = colour_range(figure, i);
    layout.colour_min = colours.low;
    layout.colour_max = colours.high;
    if (!panel.heat_map->classes.empty() || (i > 0 && shared)) continue;
    layout.bar = make_bar(layout, layout.box.height, *w);
    if (shared) shared_bar = bar_room(*layout.bar, *panel.heat_map, *w);
  }
  return shared_bar;
}

/// How far the last number of an x axis would reach beyond the picture.
double overhang(const Workspace& w) {
  double most = 0;
  for (const PanelLayout& layout : w.layout.panels) {
    for (const Tick& tick : layout.x_ticks) {
      const double place = layout.grid.x.position_of_drawn(tick.value) * layout.box.width;
      const double end = layout.box.left + place + text_width(tick.label) * w.px(kTickSize) / 2;
      most = std::max(most, end - (w.figure.width - w.px(8)));
    }
  }
  return most;
}

std::size_t rows_of(const Figure& figure) {
  return (figure.panels.size() + figure.columns - 1) / figure.columns;
}

/// `above`: whether the legend of each panel stands above it.
Layout laid_out(const Figure& figure, double scale, const std::vector<bool>& above) {
  Workspace w{figure, theme_of(figure.style), {}, 1, {}, {}, {}};
  w.rows = rows_of(figure);
  w.layout.scale = scale;
  w.layout.panels.resize(figure.panels.size());
  for (std::size_t i = 0; i < above.size(); ++i) w.layout.panels[i].legend_above = above[i];
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    w.layout.panels[i].strokes = strokes(figure.panels[i], figure.style);
  lay_out_header(&w);
  // Heights decide how many numbers an axis has, those how wide the panels can be, and that how
  // high square cells are.
  double shared_bar = 0;
  for (int pass = 0; pass < 2; ++pass) {
    set_rows(&w);
    shared_bar = set_ranges(&w);
    set_columns({}, shared_bar, &w);
  }
  set_boxes({}, shared_bar, &w);
  SideRoom room;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (!has_labels(figure.panels[i])) continue;
    const bool last = (i + 1) % figure.columns == 0;
    double& side = last ? room.last : room.each;
    side = std::max(side, place_labels(figure, i, w.layout.scale, &w.layout.panels[i]));
  }
  room.last = std::max(room.last, overhang(w));
  if (room.each <= 0 && room.last <= 0) return w.layout;
  if (room.each > 0) room = {std::max(room.each, room.last), 0};
  set_boxes(room, shared_bar, &w);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    PanelLayout& layout = w.layout.panels[i];
    if (!has_labels(figure.panels[i])) continue;
    place_labels(figure, i, w.layout.scale, &layout);
    if (!layout.legend) place_legend_outside(figure, i, w.layout.scale, &layout);
  }
  return w.layout;
}

/// The layout of a picture on paper at this scale, with the legends above their panels that have no
/// place within.
Layout on_page(const Figure& figure, double scale) {
  std::vector<bool> above(figure.panels.size(), false);
  for (;;) {
    Layout layout = laid_out(figure, scale, above);
    bool more = false;
    for (std::size_t i = 0; i < layout.panels.size(); ++i) {
      const PanelLayout& panel = layout.panels[i];
      if (above[i] || !panel.legend || panel.legend->box.left < panel.box.right()) continue;
      above[i] = more = true;
    }
    if (!more) return layout;
  }
}

}  // namespace

Layout lay_out(const Figure& figure) {
  const double scale = scale_of(figure, rows_of(figure));
  if (!on_paper(figure))
    return laid_out(figure, scale, std::vector<bool>(figure.panels.size(), false));
  Layout layout = on_page(figure, scale);
  const double least = least_scale_on_paper(figure);
  if (least < scale && crowded(figure, layout)) layout = on_page(figure, least);
  return layout;
}

}  // namespace rope::plot
