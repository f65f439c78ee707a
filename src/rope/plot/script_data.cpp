#include "rope/plot/script_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "rope/plot/plane.hpp"

namespace rope::plot {
namespace {

// Text costs gnuplot about 6 µs a number; more numbers than this go in binary.
constexpr std::size_t kMostTextNumbers = 20000;
// Up to here an SVG holds one rectangle for each cell, beyond it one picture.
constexpr std::size_t kMostRectangles = 16384;

/// One element of the plot command and its rows of numbers.
struct Element {
  std::vector<Run> runs;
  int columns = 2;
  std::string style;
};

void append_text(double value, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{}", value);
}

void append_binary(double value, std::string* out) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out->push_back(static_cast<char>((bits >> shift) & 0xFFU));
  }
}

std::string as_text(const Element& element) {
  std::string rows;
  for (const Run& run : element.runs) {
    if (!rows.empty()) rows += '\n';  // an empty line is a gap
    for (const CurvePoint& p : run) {
      append_text(p.x, &rows);
      rows += ' ';
      append_text(p.y, &rows);
      if (element.columns == 3) {
        rows += ' ';
        append_text(p.upper, &rows);
      }
      rows += '\n';
    }
  }
  return rows;
}

std::string as_binary(const Element& element, std::size_t* records) {
  std::string bytes;
  constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
  const auto append = [&](const CurvePoint& p) {
    const std::array<double, 3> values = {p.x, p.y, p.upper};
    for (int i = 0; i < element.columns; ++i) {
      append_binary(values.at(static_cast<std::size_t>(i)), &bytes);
    }
    ++*records;
  };
  for (const Run& run : element.runs) {
    if (*records != 0) append({kGap, kGap, kGap});
    std::for_each(run.begin(), run.end(), append);
  }
  return bytes;
}

double line_width(std::size_t curves) {
  if (curves <= 8) return 4.5;
  return curves <= 24 ? 3.2 : 2.2;
}

/// Dots as large as their number allows.
double dot_size(std::size_t dots) {
  if (dots <= 150) return 1.5;
  return dots <= 1000 ? 0.9 : 0.5;
}

std::size_t count_points(const std::vector<Run>& runs) {
  std::size_t count = 0;
  for (const Run& run : runs) count += run.size();
  return count;
}

/// Elements have no title: the legend is drawn apart, and gnuplot 5.4 copies titles into an SVG as
/// they are, so that a user's "<" would break it.
class PlotCommand {
 public:
  PlotCommand(const Panel& panel, const PanelLayout& layout, Style style, double scale,
              Device device)
      : panel_(panel),
        layout_(layout),
        style_(style),
        dot_unit_(dot_unit(device) * scale),
        line_unit_(scale) {
    if (panel.plane) add_arcs(*panel.plane);
    // Bands first, so that no curve disappears behind one.
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      if (panel.series[i].kind == SeriesKind::band) add_band(i);
    }
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      if (panel.series[i].kind != SeriesKind::band) add_curve(i);
    }
  }

  std::string text(const std::string& prefix) const {
    std::size_t numbers = 0;
    for (const Element& e : elements_) {
      numbers += count_points(e.runs) * static_cast<std::size_t>(e.columns);
    }
    if (elements_.empty()) return "plot NaN notitle\n";
    return numbers > kMostTextNumbers ? with_binary_data() : with_text_data(prefix);
  }

 private:
  /// A band at one point alone has no area: it is drawn as a narrow bar.
  Run as_bar(const CurvePoint& at) const {
    const Range& x = layout_.grid.x;
    const double half = 8 * line_unit_ / layout_.box.width;
    CurvePoint left = at;
    CurvePoint right = at;
    if (x.scale == Scale::linear) {
      left.x -= half * (x.max - x.min);
      right.x += half * (x.max - x.min);
    } else {
      left.x *= std::pow(x.max / x.min, -half);
      right.x *= std::pow(x.max / x.min, half);
    }
    return {left, right};
  }

  void add_arcs(const Plane& plane) {
    for (const Arc& arc : plane.arcs)
      elements_.push_back({{arc_points(arc, unit_of(layout_))},
                           2,
                           fmt::format("with lines lw {:.4g} dt {} lc rgb '{}'",
                                       3 * line_unit_ * line_share(layout_.box, line_unit_),
                                       arc.dashed ? 2 : 1, hex(look(arc.colour, style_).colour))});
  }

  void add_band(std::size_t i) {
    std::vector<Run> runs = runs_of(panel_.series[i], layout_.grid);
    for (Run& run : runs)
      run = run.size() == 1 ? as_bar(run.front()) : thinned_band(run, layout_.grid);
    if (runs.empty()) return;
    elements_.push_back({runs, 3,
                         fmt::format("with filledcurves fs transparent solid 0.28 noborder lc rgb "
                                     "'{}'",
                                     hex(layout_.strokes[i].colour))});
  }

  void add_curve(std::size_t i) {
    const Series& series = panel_.series[i];
    const Stroke& stroke = layout_.strokes[i];
    std::vector<Run> runs = runs_of(series, layout_.grid);
    const std::size_t points = count_points(runs);
    if (points == 0) return;
    const bool dots_only = series.kind == SeriesKind::points;
    const bool dots =
        dots_only || (series.kind == SeriesKind::line_points &&
                      static_cast<double>(points) * 12 * line_unit_ < layout_.box.width);
    std::vector<Run> alone;  // a point between two gaps has no line to show it
    for (Run& run : runs) {
      if (run.size() == 1) alone.push_back(run);
      run = dots_only ? thinned_points(run, layout_.grid) : thinned_line(run, layout_.grid);
    }
    const std::string line =
        fmt::format("lw {:.4g} dt {} lc rgb '{}'", line_width(panel_.series.size()) * line_unit_,
                    stroke.dash, hex(stroke.colour));
    const std::string dot = fmt::format("pt 7 ps {:.4g}", dot_size(points) * dot_unit_);
    if (dots_only) {
      elements_.push_back(
          {runs, 2, fmt::format("with points {} lc rgb '{}'", dot, hex(stroke.colour))});
      return;
    }
    elements_.push_back({runs, 2,
                         dots ? fmt::format("with linespoints {} {}", line, dot)
                              : fmt::format("with lines {}", line)});
    if (!dots && !alone.empty()) {
      elements_.push_back(
          {alone, 2, fmt::format("with points {} lc rgb '{}'", dot, hex(stroke.colour))});
    }
  }

  static std::string columns(const Element& element) {
    return element.columns == 3 ? "1:2:3" : "1:2";
  }

  std::string with_text_data(const std::string& prefix) const {
    std::string blocks;
    std::string plot;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const Element& e = elements_[i];
      const std::string name = fmt::format("${}_{}", prefix, i + 1);
      blocks += fmt::format("{} << EOD\n{}EOD\n", name, as_text(e));
      plot += fmt::format("{}{} using {} {} notitle", i == 0 ? "plot " : ", \\\n     ", name,
                          columns(e), e.style);
    }
    return blocks + plot + "\n";
  }

  std::string with_binary_data() const {
    std::string data;
    std::string plot;
    for (const Element& e : elements_) {
      std::size_t records = 0;
      data += as_binary(e, &records);
      plot += fmt::format(
          "{}'-' binary record=({}) format='%{}float64' endian=little using {} {} notitle",
          plot.empty() ? "plot " : ", ", records, e.columns, columns(e), e.style);
    }
    return plot + "\n" + data + "\n";
  }

  const Panel& panel_;
  const PanelLayout& layout_;
  Style style_;
  double dot_unit_;
  double line_unit_;
  std::vector<Element> elements_;
};

/// gnuplot's images have at least two rows and two columns, so a single one is drawn as two halves.
std::string heat_command(const HeatMap& map, Device device, const std::string& prefix) {
  const std::size_t copies_x = map.columns == 1 ? 2 : 1;
  const std::size_t copies_y = map.rows == 1 ? 2 : 1;
  const std::size_t columns = map.columns * copies_x;
  const std::size_t rows = map.rows * copies_y;
  const auto value = [&](std::size_t row, std::size_t column) {
    const double v = map.values[row / copies_y * map.columns + column / copies_x];
    return std::isfinite(v) ? v : std::numeric_limits<double>::quiet_NaN();
  };
  const double dx = 1.0 / static_cast<double>(copies_x);
  const double dy = 1.0 / static_cast<double>(copies_y);
  const double x0 = copies_x == 2 ? -0.25 : 0;
  const double y0 = copies_y == 2 ? -0.25 : 0;
  const bool pixels = device == Device::svg && map.values.size() <= kMostRectangles;
  const std::string style = pixels ? "with image pixels notitle" : "with image notitle";
  std::string data;
  if (rows * columns <= kMostTextNumbers) {
    // A point a cell: of a matrix with a cell that is no number gnuplot warns.
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        fmt::format_to(std::back_inserter(data), "{} {} {}\n",
                       x0 + dx * static_cast<double>(column), y0 + dy * static_cast<double>(row),
                       value(row, column));
    return fmt::format("${0} << EOD\n{1}EOD\nplot ${0} using 1:2:3 {2}\n", prefix, data, style);
  }
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      append_binary(value(row, column), &data);
  return fmt::format(
      "plot '-' binary array=({},{}) dx={} dy={} origin=({},{}) format='%float64' endian=little "
      "{}\n{}\n",
      columns, rows, dx, dy, x0, y0, style, data);
}

}  // namespace

double dot_unit(Device device) { return device == Device::svg || device == Device::pdf ? 0.5 : 1; }

std::string plot_command(const Panel& panel, const PanelLayout& layout, Style style, double scale,
                         Device device, const std::string& prefix) {
  if (panel.heat_map) return heat_command(*panel.heat_map, device, prefix);
  return PlotCommand(panel, layout, style, scale, device).text(prefix);
}

}  // namespace rope::plot
