#include "rope/plot/character_heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "rope/plot/axis.hpp"
#include "rope/plot/colour_range.hpp"

namespace rope::plot {
namespace {

constexpr std::u32string_view kBothSigns = U"Nn- +xX";
constexpr std::u32string_view kDensity = U".:-=+*#%@";
constexpr int kMarksOfKey = 11;  // a step of each ramp, the middle among them

/// The ramps in the 256 colours of a terminal: chosen by hand, since the nearest colour of each
/// step changes its hue from one to the next.
constexpr std::array<int, 11> kDivergingOf256 = {17, 25, 32, 74, 153, 255, 223, 216, 167, 124, 52};
constexpr std::array<int, 11> kDarkDivergingOf256 = {153, 117, 74,  25,  17, 235,
                                                     52,  124, 167, 209, 217};
constexpr std::array<int, 11> kSequentialOf256 = {53, 54, 61, 25, 31, 30, 36, 77, 113, 148, 226};

/// The colour at `t` in [0, 1], which the terminal is able to show.
Rgb colour_at(const HeatMap& map, double t, Style style, ColourDepth depth) {
  if (depth == ColourDepth::truecolor || !map.classes.empty())
    return blend(stops_of(map, style), t);
  const auto& ramp = map.colours == ColourMap::sequential ? kSequentialOf256
                     : style == Style::light              ? kDivergingOf256
                                                          : kDarkDivergingOf256;
  return rgb_of_256(
      ramp.at(static_cast<std::size_t>(std::lround(t * static_cast<double>(ramp.size() - 1)))));
}

char32_t shade_at(const HeatMap& map, double t) {
  const std::u32string_view levels =
      map.colours == ColourMap::diverging && map.classes.empty() ? kBothSigns : kDensity;
  return levels[static_cast<std::size_t>(std::lround(t * static_cast<double>(levels.size() - 1)))];
}

/// The value to show for a block of the matrix: the one farthest from zero, so that a thin diagonal
/// stays visible; not a number if the block holds none.
double strongest(const HeatMap& map, std::size_t row0, std::size_t row1, std::size_t column0,
                 std::size_t column1) {
  double result = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t row = row0; row < row1; ++row) {
    for (std::size_t column = column0; column < column1; ++column) {
      const double value = map.values[row * map.columns + column];
      const bool larger = std::isnan(result) || std::fabs(value) > std::fabs(result);
      if (std::isfinite(value) && larger) result = value;
    }
  }
  return result;
}

class HeatMapPanel {
 public:
  HeatMapPanel(const Figure& figure, std::size_t panel, const CharacterBox& box,
               const TerminalAbility& ability, Canvas* canvas)
      : panel_(figure.panels[panel]),
        map_(*panel_.heat_map),
        range_(colour_range(figure, panel)),
        style_(figure.style),
        depth_(ability.colour),
        keyed_(!one_bar(figure)),
        coloured_(ability.colour != ColourDepth::none),
        halves_(coloured_ && ability.unicode),
        canvas_(*canvas),
        box_(box) {}

  void draw() {
    if (!panel_.title.empty()) {
      canvas_.write(box_.left, box_.top++, panel_.title.readable(), box_.width);
      --box_.height;
    }
    if (keyed_) --box_.height;  // for the key below
    set_size();
    for (int y = 0; y < (halves_ ? (high_ + 1) / 2 : high_); ++y) {
      for (int x = 0; x < wide_; ++x) draw_cell(x, y);
    }
    const int below = box_.top + (halves_ ? (high_ + 1) / 2 : high_);
    if (keyed_) write_key(below);
  }

  /// "−1 ▮▮▮▮ 1  entry of R", or "▮ seen  ▮ new": what the shades mean.
  void write_key(int row) {
    int column = box_.left;
    const int end = box_.left + box_.width;
    const auto write = [&](const std::string& text) {
      column += canvas_.write(column, row, text, end - column);
    };
    const auto mark = [&](double t) {
      if (column >= end) return;
      if (coloured_) {
        canvas_.put(column++, row, ' ', {}, colour_at(map_, t, style_, depth_));
      } else {
        canvas_.put(column++, row, shade_at(map_, t));
      }
    };
    for (std::size_t i = 0; i < map_.classes.size(); ++i) {
      for (int twice = 0; twice < 2; ++twice) mark(position(static_cast<double>(i)));
      write(" " + map_.classes[i].readable() + "  ");
    }
    if (!map_.classes.empty()) return;
    write(fmt::format("{:.3g} ", range_.low));
    const int steps = coloured_ ? kMarksOfKey : map_.colours == ColourMap::diverging ? 7 : 9;
    for (int i = 0; i < steps; ++i) mark(static_cast<double>(i) / (steps - 1));
    write(fmt::format(" {:.3g}", range_.high));
    const std::string label = map_.bar_label.readable();
    if (!label.empty()) write("  " + label);
  }

 private:
  /// Cells as nearly square as characters, which are twice as high as wide, allow.
  void set_size() {
    const int rows = halves_ ? 2 * box_.height : box_.height;
    const int across = halves_ ? 1 : 2;
    const int columns = box_.width / across;
    const double scale = std::min(static_cast<double>(columns) / static_cast<double>(map_.columns),
                                  static_cast<double>(rows) / static_cast<double>(map_.rows));
    const double whole = scale >= 1 ? std::floor(scale) : scale;
    const auto sized = [whole](std::size_t n) {
      return std::max(static_cast<int>(whole * static_cast<double>(n)), 1);
    };
    high_ = std::min(sized(map_.rows), rows);
    wide_ = std::min(sized(map_.columns) * across, box_.width);
  }

  /// The value under a point of the drawn grid.
  double value(int x, int y) const {
    if (y >= high_) return std::numeric_limits<double>::quiet_NaN();
    const auto first = [](int i, int drawn, std::size_t n) {
      return static_cast<std::size_t>(i) * n / static_cast<std::size_t>(drawn);
    };
    const std::size_t row = first(y, high_, map_.rows);
    const std::size_t column = first(x, wide_, map_.columns);
    return strongest(map_, row, std::max(first(y + 1, high_, map_.rows), row + 1), column,
                     std::max(first(x + 1, wide_, map_.columns), column + 1));
  }

  double position(double value) const {
    return std::clamp((value - range_.low) / (range_.high - range_.low), 0.0, 1.0);
  }

  std::optional<Rgb> colour(double value) const {
    if (std::isnan(value)) return std::nullopt;
    return colour_at(map_, position(value), style_, depth_);
  }

  char32_t shade(double value) const {
    return std::isnan(value) ? U' ' : shade_at(map_, position(value));
  }

  void draw_cell(int x, int y) {
    const int column = box_.left + x;
    const int row = box_.top + y;
    if (!coloured_) {
      canvas_.put(column, row, shade(value(x, y)));
    } else if (!halves_) {
      canvas_.put(column, row, ' ', {}, colour(value(x, y)));
    } else {
      const std::optional<Rgb> upper = colour(value(x, 2 * y));
      const std::optional<Rgb> lower = colour(value(x, 2 * y + 1));
      if (upper) {
        canvas_.put(column, row, U'▀', upper, lower);
      } else if (lower) {
        canvas_.put(column, row, U'▄', lower);
      }
    }
  }

  const Panel& panel_;
  const HeatMap& map_;
  Extent range_;
  Style style_;
  ColourDepth depth_;
  bool keyed_;  ///< with a key of its own: no other map shares its colours
  bool coloured_;
  bool halves_;  ///< two values a character, one above the other
  Canvas& canvas_;
  CharacterBox box_;
  int wide_ = 1;
  int high_ = 1;
};

}  // namespace

void draw_heat_map(const Figure& figure, std::size_t panel, const CharacterBox& box,
                   const TerminalAbility& ability, Canvas* canvas) {
  HeatMapPanel(figure, panel, box, ability, canvas).draw();
}

void write_shared_key(const Figure& figure, const CharacterBox& box, const TerminalAbility& ability,
                      Canvas* canvas) {
  HeatMapPanel(figure, 0, box, ability, canvas).write_key(box.top);
}

}  // namespace rope::plot
