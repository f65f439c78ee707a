#include "rope/plot/plane.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "rope/plot/paper.hpp"
#include "rope/plot/text_fit.hpp"
#include "rope/plot/theme.hpp"

namespace rope::plot {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kMissed = 0.05;      // pixels that a piece of an arc may lie off it
constexpr double kWholeSize = 420;    // pixels across at scale 1 where lines have their full width
constexpr double kThinnest = 0.4;     // of the full width
constexpr double kHeadLength = 26;    // pixels at scale 1
constexpr double kMostOfArrow = 0.5;  // that its head takes

struct Pixel {
  double x = 0;
  double y = 0;
};

Pixel pixel_of(double x, double y, const PanelLayout& layout) {
  return {layout.box.left + layout.grid.x.position(x) * layout.box.width,
          layout.box.top + (1 - layout.grid.y.position(y)) * layout.box.height};
}

/// A label that names something at `at`, seen from the origin in direction (right, up).
struct Named {
  const Text& text;
  Pixel at;
  double right = 1;
  double up = 0;
  std::size_t colour = kGrey;
};

void place_label(const Named& named, const Figure& figure, double scale, PanelLayout* layout,
                 FreeSpace* space) {
  if (named.text.empty()) return;
  const double share = std::max(line_share(layout->box, scale), 0.6);
  const double size = text_size(figure, kTickSize * scale * share);
  const Text text = shortened(named.text, 0.9 * layout->box.width / size);
  const double width = text_width(text) * size;
  const double height = 1.1 * size;
  const double gap = 0.8 * size;
  std::vector<Box> candidates;
  // Straight on, then more and more to the sides; farther away only where nothing near is free.
  for (const double distance : {gap, 2.2 * gap, 3.6 * gap})
    for (const double aside : {0.0, 0.5, -0.5, 1.0, -1.0, 1.6, -1.6, 2.4, -2.4, kTurn / 2}) {
      const double right = named.right * std::cos(aside) - named.up * std::sin(aside);
      const double up = named.right * std::sin(aside) + named.up * std::cos(aside);
      const double x = named.at.x + right * (distance + width / 2);
      const double y = named.at.y - up * (distance + height / 2);
      candidates.push_back({x - width / 2, y - height / 2, width, height});
    }
  const Box box = space->least_covered(candidates);
  space->take(box);
  layout->texts.push_back({text, box.left, box.top + box.height / 2, size, Align::left,
                           look(named.colour, figure.style).colour, false, false,
                           is_cut({text}, named.text)});
}

}  // namespace

Run arc_points(const Arc& arc, double pixels) {
  const double turn = std::clamp(arc.to - arc.from, -kTurn, kTurn);
  // The middle of a chord over the angle φ is r(1 − cos φ/2) ≤ rφ²/8 off.
  const double piece = std::min(std::sqrt(8 * kMissed / (arc.radius * pixels)), 0.2);
  const auto pieces = std::max(static_cast<int>(std::ceil(std::fabs(turn) / piece)), 1);
  Run run;
  run.reserve(static_cast<std::size_t>(pieces) + 1);
  for (int i = 0; i <= pieces; ++i) {
    const double angle = arc.to - turn + turn * i / pieces;
    const double y = arc.y + arc.radius * std::sin(angle);
    run.push_back({arc.x + arc.radius * std::cos(angle), y, y});
  }
  return run;
}

double unit_of(const PanelLayout& layout) {
  return layout.box.width / (layout.grid.x.max - layout.grid.x.min);
}

double line_share(const Box& box, double scale) {
  return std::clamp(box.width / (kWholeSize * scale), kThinnest, 1.0);
}

double head_length(double arrow_length, const Box& box, double scale) {
  return std::min(kHeadLength * scale * line_share(box, scale), kMostOfArrow * arrow_length);
}

void place_plane(const Plane& plane, const Figure& figure, double scale, PanelLayout* layout,
                 FreeSpace* space) {
  const auto take = [&](Pixel from, Pixel to) { space->take_line(from.x, from.y, to.x, to.y); };
  for (const Arc& arc : plane.arcs) {
    const Run run = arc_points(arc, unit_of(*layout));
    for (std::size_t i = 1; i < run.size(); ++i)
      take(pixel_of(run[i - 1].x, run[i - 1].y, *layout), pixel_of(run[i].x, run[i].y, *layout));
  }
  for (const Arrow& arrow : plane.arrows)
    take(pixel_of(arrow.from_x, arrow.from_y, *layout), pixel_of(arrow.to_x, arrow.to_y, *layout));
  for (const Arrow& arrow : plane.arrows) {
    const double right = arrow.to_x - arrow.from_x, up = arrow.to_y - arrow.from_y;
    const double length = std::sqrt(right * right + up * up);
    const bool points = length > 0;
    const Pixel tip = pixel_of(arrow.to_x, arrow.to_y, *layout);
    if (arrow.label_at_middle) {
      const Pixel from = pixel_of(arrow.from_x, arrow.from_y, *layout);
      // At a right angle to the side, away from the origin.
      const bool inwards = (arrow.to_y + arrow.from_y) * right < (arrow.to_x + arrow.from_x) * up;
      const double out = (inwards ? -1 : 1) / (points ? length : 1);
      place_label({arrow.label,
                   {(from.x + tip.x) / 2, (from.y + tip.y) / 2},
                   points ? -up * out : 1,
                   points ? right * out : 0,
                   arrow.colour},
                  figure, scale, layout, space);
      continue;
    }
    place_label(
        {arrow.label, tip, points ? right / length : 1, points ? up / length : 0, arrow.colour},
        figure, scale, layout, space);
  }
  for (const Arc& arc : plane.arcs) {
    const double middle = (arc.from + arc.to) / 2;
    place_label({arc.label,
                 pixel_of(arc.x + arc.radius * std::cos(middle),
                          arc.y + arc.radius * std::sin(middle), *layout),
                 std::cos(middle), std::sin(middle), arc.colour},
                figure, scale, layout, space);
  }
}

}  // namespace rope::plot
