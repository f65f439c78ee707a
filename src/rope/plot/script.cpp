#include "rope/plot/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "rope/plot/layout.hpp"
#include "rope/plot/plane.hpp"
#include "rope/plot/script_data.hpp"

namespace rope::plot {
namespace {

constexpr double kPointsPerPixel = 0.75;
constexpr double kWide = 2.4;  // times as wide as other arrows
constexpr const char* kFont = "Inter";

class ScriptWriter {
 public:
  ScriptWriter(const Figure& figure, Device device)
      : figure_(figure),
        device_(device),
        theme_(theme_of(figure.style)),
        layout_(lay_out(figure)),
        scale_(layout_.scale) {}

  std::string write() {
    write_terminal();
    write_style();
    const bool several = figure_.panels.size() > 1;
    if (several) line("set multiplot");
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
      line("\n# panel {}", i + 1);
      if (i > 0) line("unset label; unset arrow; unset object");
      if (i == 0) {
        for (const PlacedText& text : layout_.texts) write_text(text);
        if (layout_.legend)
          write_legend(*layout_.legend, figure_.panels[*figure_.legend_of],
                       layout_.panels[*figure_.legend_of].strokes);
      }
      if (figure_.panels[i].blank) continue;
      write_panel(figure_.panels[i], layout_.panels[i], fmt::format("panel{}", i + 1));
    }
    if (several) line("unset multiplot");
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  double x(double pixels) const { return pixels / figure_.width; }
  double y(double pixels) const { return 1 - pixels / figure_.height; }
  std::string at(double px, double py) const { return fmt::format("{:.6f},{:.6f}", x(px), y(py)); }
  static double points(double pixels) { return pixels * kPointsPerPixel; }

  void write_terminal() {
    const std::string font = fmt::format("font '{},{:.4g}'", kFont, points(24 * scale_));
    const std::string background = fmt::format("background rgb '{}'", hex(theme_.background));
    const std::string size = fmt::format("size {},{}", figure_.width, figure_.height);
    switch (device_) {
      case Device::png:
        line("set terminal pngcairo {} {} enhanced rounded dashlength 0.6 {}", size, font,
             background);
        break;
      case Device::svg:
        line("set terminal svg {} {} fontscale 1.3333 enhanced rounded {}", size, font, background);
        break;
      case Device::pdf:
        line(
            "set terminal pdfcairo size {:.6g}in,{:.6g}in {} fontscale 0.45 linewidth 0.9 "
            "enhanced rounded {}",
            figure_.width / kPdfPixelsPerInch, figure_.height / kPdfPixelsPerInch, font,
            background);
        break;
      case Device::sixel:
        line("set terminal sixelgd {} {} enhanced truecolor {}", size, font, background);
        break;
    }
  }

  void write_style() {
    line("set encoding utf8");
    line("unset key");
    line("set tics nomirror out scale 0.6 font '{},{:.4g}' textcolor rgb '{}'", kFont,
         points(kTickSize * scale_), hex(theme_.tick));
    line("unset colorbox");
  }

  void write_text(const PlacedText& text) {
    static constexpr std::array<std::string_view, 3> kAlign = {"left", "center", "right"};
    line("set label {} at screen {} {}{} font '{}{},{:.4g}' textcolor rgb '{}'{} front",
         quoted_for_gnuplot(text.text.bytes()), at(text.x, text.y),
         kAlign.at(static_cast<std::size_t>(text.align)), text.upright ? " rotate by 90" : "",
         kFont, text.bold ? ":Bold" : "", points(text.size), hex(text.colour),
         text.text.is_markup() ? "" : " noenhanced");
  }

  void write_axis(std::string_view axis, const Range& range, std::vector<Tick> ticks, bool bare) {
    if (bare)
      for (Tick& tick : ticks)  // with a blank it keeps its line of the grid
        if (!tick.label.empty()) tick.label = Text::plain(" ");
    line("unset logscale {}", axis);
    if (range.scale == Scale::log10) line("set logscale {}", axis);
    line("set {}range [{}:{}] noextend", axis, range.min, range.max);
    write_ticks(axis, ticks);
  }

  void write_ticks(std::string_view axis, const std::vector<Tick>& ticks) {
    if (ticks.empty()) {
      line("unset {}tics", axis);  // of an empty list gnuplot makes its own
      return;
    }
    std::string list;
    for (const Tick& tick : ticks) {
      if (!list.empty()) list += ", ";
      list += fmt::format("{} {}{}", quoted_for_gnuplot(tick.label.bytes()), tick.value,
                          tick.label.empty() ? " 1" : "");
    }
    line("set {}tics ({})", axis, list);
  }

  void write_region(const Region& region, const Grid& grid) {
    const bool stripe = region.direction == Direction::horizontal;
    const Range& range = stripe ? grid.y : grid.x;
    const auto share = [&](double value, double edge) {
      return std::isfinite(value) ? std::clamp(range.position(value), 0.0, 1.0) : edge;
    };
    const double low = share(region.from, 0);
    const double high = share(region.to, 1);
    const std::string corners =
        stripe ? fmt::format("from graph 0,{:.6f} to graph 1,{:.6f}", low, high)
               : fmt::format("from graph {:.6f},0 to graph {:.6f},1", low, high);
    line("set object rectangle {} behind fc rgb '{}' fs solid 1.0 noborder", corners,
         hex(theme_.region));
  }

  void write_reference(const ReferenceLine& reference, const Grid& grid) {
    const bool level = reference.direction == Direction::horizontal;
    const double place = (level ? grid.y : grid.x).position(reference.at);
    if (place < 0 || place > 1) return;
    const std::string ends = level ? fmt::format("from graph 0,{0:.6f} to graph 1,{0:.6f}", place)
                                   : fmt::format("from graph {0:.6f},0 to graph {0:.6f},1", place);
    line("set arrow {} nohead lw {:.4g} dt 2 lc rgb '{}'", ends, 3 * scale_, hex(theme_.line));
  }

  /// A box of the legend in one colour.
  void write_sample_box(const LegendEntry& entry, double width, Rgb colour, const char* fill) {
    const double half = 0.35 * kLabelSize * scale_;
    line("set object rectangle from screen {} to screen {} front fc rgb '{}' fs {}",
         at(entry.x, entry.y + half), at(entry.x + width, entry.y - half), hex(colour), fill);
  }

  void write_classes(const Legend& legend, const HeatMap& map) {
    const std::vector<Rgb> colours = stops_of(map, figure_.style);
    const std::string fill = fmt::format("solid 1.0 border lc rgb '{}'", hex(theme_.border));
    for (const LegendEntry& entry : legend.entries)
      write_sample_box(entry, kSampleWidth * scale_, colours.at(entry.series), fill.c_str());
  }

  void write_legend(const Legend& legend, const Panel& panel, const std::vector<Stroke>& strokes) {
    if (panel.heat_map) {
      write_classes(legend, *panel.heat_map);
      return;
    }
    for (const LegendEntry& entry : legend.entries) {
      const double left = entry.x;
      const double right = left + kSampleWidth * scale_;
      const Stroke& stroke = strokes[entry.series];
      const SeriesKind kind = panel.series[entry.series].kind;
      const std::string colour = hex(stroke.colour);
      if (kind == SeriesKind::band) {
        write_sample_box(entry, right - left, stroke.colour, "transparent solid 0.28 noborder");
      } else if (kind != SeriesKind::points) {
        line("set arrow from screen {} to screen {} nohead lw {:.4g} dt {} lc rgb '{}' front",
             at(left, entry.y), at(right, entry.y), 4.5 * scale_, stroke.dash, colour);
      }
      if (kind == SeriesKind::points || kind == SeriesKind::line_points) {
        line("set label '' at screen {} point pt 7 ps {:.4g} lc rgb '{}' front",
             at((left + right) / 2, entry.y), 1.5 * dot_unit(device_) * scale_, colour);
      }
    }
  }

  void write_colours(const Panel& panel, const PanelLayout& layout) {
    const std::vector<Rgb> colours = stops_of(*panel.heat_map, figure_.style);
    std::string list;
    for (std::size_t i = 0; i < colours.size(); ++i) {
      list += fmt::format("{}{} '{}'", i == 0 ? "" : ", ", i, hex(colours[i]));
    }
    line("set palette defined ({})", list);
    line("set cbrange [{}:{}] noextend", layout.colour_min, layout.colour_max);
    if (!layout.bar) {
      line("unset colorbox");
      return;
    }
    const Box& bar = layout.bar->box;
    line("set colorbox user origin screen {} size screen {:.6f},{:.6f} noborder",
         at(bar.left, bar.bottom()), bar.width / figure_.width, bar.height / figure_.height);
    write_ticks("cb", layout.bar->ticks);
  }

  /// Arrows, and the cross behind them; arcs are curves and come with the plot command.
  void write_plane(const Plane& plane, const PanelLayout& layout) {
    const double share = line_share(layout.box, scale_);
    if (plane.cross)
      for (const char* ends :
           {"from graph 0,0.5 to graph 1,0.5", "from graph 0.5,0 to graph 0.5,1"})
        line("set arrow {} nohead back lw {:.4g} lc rgb '{}'", ends, 1.5 * scale_,
             hex(theme_.grid));
    for (const Arrow& arrow : plane.arrows)
      write_arrow(arrow.from_x, arrow.from_y, arrow.to_x, arrow.to_y, layout, arrow.head,
                  fmt::format("lw {:.4g} dt {} lc rgb '{}'",
                              (arrow.wide ? kWide : 1) * 4.5 * scale_ * share, arrow.dashed ? 2 : 1,
                              hex(look(arrow.colour, figure_.style).colour)));
    for (const Arc& arc : plane.arcs) {
      if (!arc.head) continue;
      const Run run = arc_points(arc, unit_of(layout));
      const CurvePoint& end = run.back();
      const CurvePoint& before = run.at(run.size() - std::min<std::size_t>(run.size(), 4));
      write_arrow(before.x, before.y, end.x, end.y, layout, true,
                  fmt::format("lw {:.4g} lc rgb '{}'", 3 * scale_ * share,
                              hex(look(arc.colour, figure_.style).colour)));
    }
  }

  /// From a point to another, in units of the axes.
  void write_arrow(double from_x, double from_y, double to_x, double to_y,
                   const PanelLayout& layout, bool head, const std::string& style) {
    const double length = std::hypot(to_x - from_x, to_y - from_y) * unit_of(layout);
    const double size = x(head_length(length, layout.box, scale_));
    const std::string tip =
        head && length > 1 ? fmt::format("head filled size screen {:.6f},18,60", size) : "nohead";
    line("set arrow from first {},{} to first {},{} {} {} front", layout.grid.x.drawn(from_x),
         layout.grid.y.drawn(from_y), layout.grid.x.drawn(to_x), layout.grid.y.drawn(to_y), tip,
         style);
  }

  void write_panel(const Panel& panel, const PanelLayout& layout, const std::string& name) {
    const Box& box = layout.box;
    line("set lmargin at screen {:.6f}; set rmargin at screen {:.6f}", x(box.left), x(box.right()));
    line("set bmargin at screen {:.6f}; set tmargin at screen {:.6f}", y(box.bottom()), y(box.top));
    const std::string border =
        fmt::format("lw {:.4g} lc rgb '{}'", 1.5 * scale_, hex(theme_.border));
    if (panel.plane) {
      line("unset border; unset grid; unset colorbox");
      write_plane(*panel.plane, layout);
    } else if (panel.heat_map) {
      line("set border 15 {}", border);
      line("unset grid");
      write_colours(panel, layout);
    } else {
      line("set border 3 {}", border);
      line("set grid xtics ytics back lt 1 lw {:.4g} lc rgb '{}'", 1.5 * scale_, hex(theme_.grid));
      line("unset colorbox");
    }
    write_axis("x", layout.grid.x, layout.x_ticks, layout.bare_x);
    write_axis("y", layout.grid.y, layout.y_ticks, false);
    for (const Region& region : panel.regions) write_region(region, layout.grid);
    for (const ReferenceLine& reference : panel.lines) write_reference(reference, layout.grid);
    if (layout.legend) write_legend(*layout.legend, panel, layout.strokes);
    for (const PlacedText& text : layout.texts) write_text(text);
    out_ += plot_command(panel, layout, figure_.style, scale_, device_, name);
  }

  const Figure& figure_;
  Device device_;
  const Theme& theme_;
  Layout layout_;
  double scale_;
  std::string out_;
};

}  // namespace

std::string quoted_for_gnuplot(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += R"('."\047".')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string make_script(const Figure& figure, Device device) {
  validate(figure);
  return ScriptWriter(figure, device).write();
}

}  // namespace rope::plot
