#include "rope/plot/character_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "rope/plot/axis.hpp"
#include "rope/plot/character_heat_map.hpp"
#include "rope/plot/curve.hpp"
#include "rope/plot/plane.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr std::string_view kMarkers = "*+ox#@%&";

int width_on_screen(const std::string& text, bool unicode) {
  int width = 0;
  for (const char32_t c : decode_utf8(unicode ? text : spelled_in_ascii(text))) {
    width += screen_width(c);
  }
  return width;
}

class CurvePanel {
 public:
  CurvePanel(const Figure& figure, const Panel& panel, const CharacterBox& box,
             const TerminalAbility& ability, Canvas* canvas)
      : panel_(panel),
        remarks_(figure.remarks),
        theme_(theme_of(figure.style)),
        ability_(ability),
        canvas_(*canvas),
        strokes_(strokes(panel, figure.style)),
        plot_(box),
        style_(figure.style),
        braille_(ability.unicode &&
                 (ability.colour != ColourDepth::none || panel.plane || panel.series.size() == 1)) {
  }

  void draw() {
    write_head();
    if (panel_.plane) {
      draw_plane(*panel_.plane);
      return;
    }
    set_axes();
    draw_references();
    for (std::size_t i = 0; i < panel_.series.size(); ++i) draw_curve(i);
    draw_axes();
    label_references();
  }

 private:
  static char32_t marker(std::size_t i) {
    return static_cast<unsigned char>(kMarkers[i % kMarkers.size()]);
  }

  void take_line() {
    ++plot_.top;
    --plot_.height;
  }

  void write_head() {
    if (!panel_.title.empty()) {
      canvas_.write(plot_.left, plot_.top, panel_.title.readable(), plot_.width);
      take_line();
    }
    if (!panel_.plane) write_legend();  // arrows carry their names
    if (!panel_.y.label.empty() && plot_.height > 6) {
      canvas_.write(plot_.left, plot_.top, panel_.y.label.readable(), plot_.width);
      take_line();
    }
  }

  void write_legend() {
    int used = 0;
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < panel_.series.size(); ++i) {
      const std::string label = panel_.series[i].label.readable();
      if (label.empty()) continue;
      const int width = 3 + width_on_screen(label, ability_.unicode);
      const int room = plot_.width - used;
      if (hidden > 0 || (used > 0 && width > room - 12)) {
        ++hidden;
        continue;
      }
      const char32_t sample = braille_ ? U'━' : marker(i);
      canvas_.put(plot_.left + used, plot_.top, sample, strokes_[i].colour);
      if (braille_) canvas_.put(plot_.left + used + 1, plot_.top, sample, strokes_[i].colour);
      used += 3 + canvas_.write(plot_.left + used + 3, plot_.top, label, room - 3) + 2;
    }
    if (hidden > 0) {
      canvas_.write(plot_.left + used, plot_.top,
                    fmt::format(fmt::runtime(remarks_.more.bytes()), hidden), plot_.width - used);
    }
    if (used > 0) take_line();
  }

  void set_axes() {
    Extent x;
    Extent y;
    add_extents(panel_, &x, &y);
    grid_.x = choose_range(panel_.x, x, 0);
    grid_.y = choose_range(panel_.y, y, 0.02);
    plot_.height -= panel_.x.label.empty() ? 2 : 3;
    y_ticks_ = choose_ticks(grid_.y, std::max(plot_.height / 3, 2));
    int widest = 0;
    for (const Tick& tick : y_ticks_) {
      widest = std::max(widest, width_on_screen(tick.label.readable(), ability_.unicode));
    }
    margin_ = std::min(widest, plot_.width / 3) + 1;
    plot_.left += margin_;
    plot_.width -= margin_;
    x_ticks_ = choose_ticks(grid_.x, std::max(plot_.width / 12, 2));
    grid_.width = plot_.width * (braille_ ? Canvas::kDotsAcross : 1) - 1;
    grid_.height = plot_.height * (braille_ ? Canvas::kDotsDown : 1) - 1;
  }

  /// What a line is made of: dots in a colour, or a character where there are none.
  struct Pen {
    Rgb colour;
    char32_t marker;
  };
  Pen pen_of(std::size_t series) const { return {strokes_[series].colour, marker(series)}; }

  /// A dot or a marker at a point given in dots from the corner of the plot.
  void mark(double x, double y, const Pen& pen) {
    const double dx = std::round(x);
    const double dy = std::round(y);
    if (!(dx >= 0 && dy >= 0 && dx <= grid_.width && dy <= grid_.height)) return;
    const int column = static_cast<int>(dx);
    const int row = static_cast<int>(dy);
    if (braille_) {
      canvas_.dot(plot_.left * Canvas::kDotsAcross + column, plot_.top * Canvas::kDotsDown + row,
                  pen.colour);
    } else {
      canvas_.put(plot_.left + column, plot_.top + row, pen.marker, pen.colour);
    }
  }

  void mark_line(const CurvePoint& a, const CurvePoint& b, const Pen& pen) {
    const double reach = 4 * (grid_.width + grid_.height);
    const auto near = [reach](double v) { return std::clamp(v, -reach, reach); };
    const double x = near(grid_.column(a));
    const double y = near(grid_.row(a.y));
    const double dx = near(grid_.column(b)) - x;
    const double dy = near(grid_.row(b.y)) - y;
    const auto steps = static_cast<int>(std::ceil(std::max(std::fabs(dx), std::fabs(dy))) + 1);
    for (int i = 0; i <= steps; ++i) mark(x + dx * i / steps, y + dy * i / steps, pen);
  }

  void draw_curve(std::size_t i) {
    const Series& series = panel_.series[i];
    for (const Run& full : runs_of(series, grid_)) {
      const bool dots = series.kind == SeriesKind::points;
      const Run run = dots ? thinned_points(full, grid_) : thinned_line(full, grid_);
      for (std::size_t j = 0; j < run.size(); ++j) {
        const CurvePoint& p = run[j];
        mark_line(dots || j == 0 ? p : run[j - 1], p, pen_of(i));
        if (series.kind == SeriesKind::band) {
          const CurvePoint upper = {p.x, p.upper, p.upper};
          const CurvePoint before = j == 0 ? p : run[j - 1];
          mark_line({before.x, before.upper, before.upper}, upper, pen_of(i));
        }
      }
    }
  }

  /// Two characters across are as long as one down: a circle stays round.
  void set_equal_axes(double reach) {
    if (!panel_.x.label.empty()) --plot_.height;
    const int height = std::max(std::min(plot_.height, plot_.width / 2), 1);
    plot_.left += (plot_.width - 2 * height) / 2;
    plot_.width = 2 * height;
    plot_.height = height;
    grid_.x = grid_.y = {Scale::linear, -reach, reach, 0};
    grid_.width = plot_.width * (braille_ ? Canvas::kDotsAcross : 1) - 1;
    grid_.height = plot_.height * (braille_ ? Canvas::kDotsDown : 1) - 1;
  }

  CurvePoint in_plane(double x, double y) const {
    return {grid_.x.drawn(x), grid_.y.drawn(y), grid_.y.drawn(y)};
  }

  void draw_plane(const Plane& plane) {
    set_equal_axes(plane.reach);
    for (const Arc& arc : plane.arcs) {
      const Run run = arc_points(arc, grid_.width / (2 * plane.reach));
      for (std::size_t i = 1; i < run.size(); ++i)
        mark_line(in_plane(run[i - 1].x, run[i - 1].y), in_plane(run[i].x, run[i].y),
                  {look(arc.colour, style_).colour, U'.'});
    }
    for (std::size_t i = 0; i < panel_.series.size(); ++i) draw_curve(i);
    for (const Arrow& arrow : plane.arrows) draw_arrow(arrow);
    for (const Arrow& arrow : plane.arrows)
      write_beside(arrow.label, arrow.to_x, arrow.to_y, look(arrow.colour, style_).colour);
    for (const Arc& arc : plane.arcs) {
      const double middle = (arc.from + arc.to) / 2;
      write_beside(arc.label, arc.x + arc.radius * std::cos(middle),
                   arc.y + arc.radius * std::sin(middle), look(arc.colour, style_).colour);
    }
    if (panel_.x.label.empty()) return;
    const std::string label = panel_.x.label.readable();
    const int width = std::min(width_on_screen(label, ability_.unicode), plot_.width);
    canvas_.write(plot_.left + (plot_.width - width) / 2, plot_.top + plot_.height, label,
                  plot_.width);
  }

  void draw_arrow(const Arrow& arrow) {
    const Pen pen = {look(arrow.colour, style_).colour, marker(arrow.colour)};
    const CurvePoint tip = in_plane(arrow.to_x, arrow.to_y);
    mark_line(in_plane(arrow.from_x, arrow.from_y), tip, pen);
    const double right = arrow.from_x - arrow.to_x, up = arrow.from_y - arrow.to_y;
    if (!arrow.head || !braille_) return;
    const double length = std::sqrt(right * right + up * up);
    if (!(length > 0)) return;
    constexpr double kBarb = 0.16, kOpening = 0.45;  // of the reach; radians
    const double share = std::min(kBarb * panel_.plane->reach / length, 0.5);
    for (const double side : {-kOpening, kOpening})
      mark_line(tip,
                in_plane(arrow.to_x + share * (right * std::cos(side) - up * std::sin(side)),
                         arrow.to_y + share * (right * std::sin(side) + up * std::cos(side))),
                pen);
  }

  /// A label beside a point of the plane, at the first place where it covers nothing; no label
  /// where there is none.
  void write_beside(const Text& text, double x, double y, Rgb colour) {
    if (text.empty()) return;
    const std::string label = text.readable();
    const int width = width_on_screen(label, ability_.unicode);
    const int column = column_of(grid_.x.position(x)), row = row_of(grid_.y.position(y));
    const bool leftwards = x < 0;
    for (const int down : {0, y < 0 ? 1 : -1, y < 0 ? -1 : 1})
      for (const int aside : {1, 2, 3}) {
        for (const bool left_side : {leftwards, !leftwards}) {
          const int left = left_side ? column - aside - width + 1 : column + aside;
          bool free = true;
          for (int i = 0; i < width && free; ++i) free = canvas_.empty(left + i, row + down);
          if (!free || left < 0) continue;
          canvas_.write(left, row + down, label, width, colour);
          return;
        }
      }
  }

  // The character that holds the dot of a curve at this position: lines, ticks and curves agree.
  int column_of(double position) const {
    const int dots = braille_ ? Canvas::kDotsAcross : 1;
    return plot_.left + static_cast<int>(std::lround(position * grid_.width)) / dots;
  }
  int row_of(double position) const {
    const int dots = braille_ ? Canvas::kDotsDown : 1;
    return plot_.top + static_cast<int>(std::lround((1 - position) * grid_.height)) / dots;
  }
  static bool inside(double position) { return position >= -1e-9 && position <= 1 + 1e-9; }

  void draw_references() {
    for (const ReferenceLine& line : panel_.lines) {
      const bool level = line.direction == Direction::horizontal;
      const double position = (level ? grid_.y : grid_.x).position(line.at);
      if (!inside(position)) continue;
      draw_reference(level, position);
    }
  }

  void draw_reference(bool level, double position) {
    if (level) {
      for (int i = 0; i < plot_.width; ++i) {
        canvas_.put(plot_.left + i, row_of(position), ability_.unicode ? U'╌' : U'-', theme_.line);
      }
      return;
    }
    for (int i = 0; i < plot_.height; ++i) {
      canvas_.put(column_of(position), plot_.top + i, ability_.unicode ? U'╎' : U'|', theme_.line);
    }
  }

  /// Writes a label at the first place in a row of the plot where it covers nothing.
  bool write_if_free(const std::string& label, int row, Rgb colour) {
    const int width = width_on_screen(label, ability_.unicode);
    if (row < plot_.top || row >= plot_.top + plot_.height) return false;
    for (int left = plot_.left + 1; left + width < plot_.left + plot_.width; ++left) {
      bool free = true;
      for (int i = -1; i <= width && free; ++i) free = canvas_.empty(left + i, row);
      if (!free) continue;
      canvas_.write(left, row, label, width, colour);
      return true;
    }
    return false;
  }

  void label_references() {
    for (const ReferenceLine& line : panel_.lines) {
      const bool level = line.direction == Direction::horizontal;
      const double position = (level ? grid_.y : grid_.x).position(line.at);
      if (line.label.empty() || !inside(position)) continue;
      const std::string label = line.label.readable();
      const int row = level ? row_of(position) : plot_.top + 1;
      if (!write_if_free(label, row - 1, theme_.line)) write_if_free(label, row + 1, theme_.line);
    }
    for (const Region& region : panel_.regions) {
      if (region.label.empty()) continue;
      const bool stripe = region.direction == Direction::horizontal;
      const double top =
          stripe && std::isfinite(region.to) ? std::min(grid_.y.position(region.to), 1.0) : 1.0;
      if (!inside(top)) continue;
      const std::string label = region.label.readable();
      const int row = row_of(top);
      if (!write_if_free(label, row, theme_.region_text)) {
        write_if_free(label, row + 1, theme_.region_text);
      }
    }
  }

  void draw_axes() {
    const int bottom = plot_.top + plot_.height;
    const int axis = plot_.left - 1;
    for (int row = plot_.top; row < bottom; ++row) {
      canvas_.put(axis, row, ability_.unicode ? U'│' : U'|');
    }
    for (int column = plot_.left; column < plot_.left + plot_.width; ++column) {
      canvas_.put(column, bottom, ability_.unicode ? U'─' : U'-');
    }
    canvas_.put(axis, bottom, ability_.unicode ? U'└' : U'+');
    for (const Tick& tick : y_ticks_) {
      if (tick.label.empty()) continue;
      const std::string label = tick.label.readable();
      const int width = width_on_screen(label, ability_.unicode);
      const int row = row_of(grid_.y.position_of_drawn(tick.value));
      canvas_.write(std::max(axis - width, axis - margin_ + 1), row, label, margin_ - 1);
      canvas_.put(axis, row, ability_.unicode ? U'┤' : U'+');
    }
    int free_from = axis;
    for (const Tick& tick : x_ticks_) {
      if (tick.label.empty()) continue;
      const std::string label = tick.label.readable();
      const int width = width_on_screen(label, ability_.unicode);
      const int column = column_of(grid_.x.position_of_drawn(tick.value));
      const int left = std::min(column - width / 2, plot_.left + plot_.width - width);
      canvas_.put(column, bottom, ability_.unicode ? U'┴' : U'+');
      if (left < free_from) continue;
      canvas_.write(left, bottom + 1, label, width);
      free_from = left + width + 1;
    }
    if (!panel_.x.label.empty()) {
      const std::string label = panel_.x.label.readable();
      const int width = std::min(width_on_screen(label, ability_.unicode), plot_.width);
      canvas_.write(plot_.left + (plot_.width - width) / 2, bottom + 2, label, plot_.width);
    }
  }

  const Panel& panel_;
  const Remarks& remarks_;
  const Theme& theme_;
  const TerminalAbility& ability_;
  Canvas& canvas_;
  std::vector<Stroke> strokes_;
  CharacterBox plot_;
  Style style_;
  bool braille_;
  Grid grid_;
  std::vector<Tick> x_ticks_;
  std::vector<Tick> y_ticks_;
  int margin_ = 0;
};

}  // namespace

void draw_panel(const Figure& figure, std::size_t panel, const CharacterBox& box,
                const TerminalAbility& ability, Canvas* canvas) {
  const Panel& drawn = figure.panels[panel];
  if (drawn.heat_map) {
    draw_heat_map(figure, panel, box, ability, canvas);
  } else {
    CurvePanel(figure, drawn, box, ability, canvas).draw();
  }
}

}  // namespace rope::plot
