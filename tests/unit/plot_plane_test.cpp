// The plane with equal axes, its arrows and arcs, and pictures that move.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>

#include "rope/error.hpp"
#include "rope/plot/animation.hpp"
#include "rope/plot/layout.hpp"
#include "rope/plot/plane.hpp"
#include "rope/plot/script.hpp"
#include "rope/plot/terminal.hpp"

namespace rope::plot {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

Arrow arrow(double x, double y, const char* label = "", std::size_t colour = 0) {
  Arrow result;
  result.to_x = x;
  result.to_y = y;
  result.label = Text::plain(label);
  result.colour = colour;
  return result;
}

Arc arc(double radius, double from, double to) {
  Arc result;
  result.radius = radius;
  result.from = from;
  result.to = to;
  return result;
}

Panel circle(double angle, const char* label = "q") {
  Panel panel;
  panel.plane.emplace();
  panel.plane->arcs = {arc(1, 0, kTurn)};
  panel.plane->arrows = {arrow(std::cos(angle), std::sin(angle), label)};
  return panel;
}

Figure figure_of(std::vector<Panel> panels, std::size_t columns) {
  Figure figure;
  figure.title = Text::plain("Turning");
  figure.columns = columns;
  figure.panels = std::move(panels);
  return figure;
}

TEST(Plane, AnArcIsAPieceOfItsCircleAndEndsWhereItShould) {
  for (const double to : {2.5, -2.5, 0.001, kTurn, 100.0, -100.0}) {
    Arc given = arc(2, 0.5, 0.5 + to);
    given.x = 1;
    given.y = -3;
    const auto run = arc_points(given, 200);
    const double way = std::min(std::fabs(to), kTurn);
    double length = 0;
    for (std::size_t i = 0; i < run.size(); ++i) {
      EXPECT_NEAR(std::hypot(run[i].x - 1, run[i].y + 3), 2, 1e-12);
      // The middle of a piece is as near as nobody sees: a tenth of a pixel of a circle of 400.
      if (i == 0) continue;
      EXPECT_GT(std::hypot((run[i].x + run[i - 1].x) / 2 - 1, (run[i].y + run[i - 1].y) / 2 + 3),
                2 - 0.1 / 200);
      length += std::hypot(run[i].x - run[i - 1].x, run[i].y - run[i - 1].y);
    }
    EXPECT_LE(length, 2 * way * (1 + 1e-12)) << to;
    EXPECT_GE(length, 2 * way * (1 - 1e-3)) << to;
    EXPECT_NEAR(run.back().x, 1 + 2 * std::cos(0.5 + to), 1e-12) << to;
    EXPECT_NEAR(run.back().y, -3 + 2 * std::sin(0.5 + to), 1e-12) << to;
    // It arrives in the direction of the turn.
    const CurvePoint& before = run[run.size() - 2];
    const double cross = (before.x - 1) * (run.back().y + 3) - (before.y + 3) * (run.back().x - 1);
    EXPECT_GT(cross * to, 0) << to;
  }
}

TEST(Plane, AUnitIsAsLongUpwardsAsToTheRight) {
  for (const auto& [width, height] : {std::pair{1600, 1000}, {800, 600}, {1000, 2400}, {320, 240}})
    for (const std::size_t count : {1U, 3U, 9U, 64U}) {
      Figure figure = figure_of(std::vector<Panel>(count, circle(1)), count > 8 ? 8 : count);
      if (figure.columns > count) figure.columns = count;
      figure.width = width;
      figure.height = height;
      for (const PanelLayout& panel : lay_out(figure).panels) {
        EXPECT_DOUBLE_EQ(panel.box.width, panel.box.height);
        EXPECT_EQ(panel.grid.x.max - panel.grid.x.min, panel.grid.y.max - panel.grid.y.min);
        EXPECT_GE(panel.box.left, 0);
        EXPECT_LE(panel.box.right(), width);
        EXPECT_LE(panel.box.bottom(), height);
        EXPECT_TRUE(panel.x_ticks.empty() && panel.y_ticks.empty());
      }
    }
}

TEST(Plane, StandsBesideAChartOfTheSameHeight) {
  Panel chart;
  chart.series.resize(1);
  chart.series[0].x = chart.series[0].y = {0, 1};
  const Layout layout = lay_out(figure_of({circle(1), chart}, 2));
  EXPECT_EQ(layout.panels[0].box.top, layout.panels[1].box.top);
  EXPECT_EQ(layout.panels[0].box.height, layout.panels[1].box.height);
  EXPECT_GT(layout.panels[1].box.left, layout.panels[0].box.right());
}

TEST(Plane, LabelsStandBesideTheirArrowsAndCoverNothing) {
  Panel panel = circle(0.3);
  panel.plane->arrows.push_back(arrow(std::cos(0.5), std::sin(0.5), "k", 1));
  const Layout layout = lay_out(figure_of({panel}, 1));
  const PanelLayout& plane = layout.panels[0];
  ASSERT_EQ(plane.texts.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Arrow& at = panel.plane->arrows[i];
    const double x = plane.box.left + plane.grid.x.position(at.to_x) * plane.box.width;
    const double y = plane.box.top + (1 - plane.grid.y.position(at.to_y)) * plane.box.height;
    const PlacedText& text = plane.texts[i];
    EXPECT_LT(std::hypot(text.x - x, text.y - y), 4 * text.size) << i;
    // Outside the circle, where no arrow is.
    const double middle_x = plane.box.left + plane.box.width / 2;
    const double middle_y = plane.box.top + plane.box.height / 2;
    EXPECT_GT(std::hypot(text.x - middle_x, text.y - middle_y),
              std::hypot(x - middle_x, y - middle_y));
  }
  EXPECT_GT(std::fabs(plane.texts[0].y - plane.texts[1].y), plane.texts[0].size);
}

TEST(Plane, TheScriptDrawsEachArrowToItsEnd) {
  Panel panel = circle(0, "");
  panel.plane->reach = 5;
  panel.plane->arrows = {arrow(3, -4), arrow(1e-9, 0)};
  panel.plane->arrows[0].dashed = true;
  const std::string script = make_script(figure_of({panel}, 1), Device::png);
  EXPECT_NE(script.find("set arrow from first 0,0 to first 3,-4 head filled"), std::string::npos);
  EXPECT_NE(script.find("set arrow from first 0,0 to first 1e-09,0 nohead"), std::string::npos)
      << "a head on nothing would look like an arrow";
  EXPECT_NE(script.find("set xrange [-5:5]"), std::string::npos);
  EXPECT_NE(script.find("set yrange [-5:5]"), std::string::npos);
  EXPECT_NE(script.find("dt 2"), std::string::npos);
  // Where it is told of no ticks, gnuplot draws its own.
  EXPECT_NE(script.find("unset xtics"), std::string::npos);
  EXPECT_NE(script.find("unset ytics"), std::string::npos);
}

TEST(Plane, RefusesWhatHasNoPlace) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [](const auto& change) {
    Figure figure = figure_of({circle(1)}, 1);
    change(*figure.panels[0].plane);
    EXPECT_THROW(validate(figure), DomainError);
  };
  refuse([](Plane& plane) { plane.reach = 0; });
  refuse([](Plane& plane) { plane.reach = kNan; });
  refuse([](Plane& plane) { plane.arrows[0].to_y = kNan; });
  refuse([](Plane& plane) { plane.arrows[0].from_x = kNan; });
  refuse([](Plane& plane) { plane.arcs[0].radius = 0; });
  refuse([](Plane& plane) { plane.arcs[0].to = std::numeric_limits<double>::infinity(); });
  refuse([](Plane& plane) { plane.arcs[0].x = kNan; });
  Figure both = figure_of({circle(1)}, 1);
  both.panels[0].heat_map.emplace();
  both.panels[0].heat_map->rows = both.panels[0].heat_map->columns = 1;
  both.panels[0].heat_map->values = {1};
  EXPECT_THROW(validate(both), ShapeError);
}

/// The columns and rows in which a screen of braille has dots.
struct Extents {
  int left = 1000, right = -1, top = 1000, bottom = -1;
};

Extents extents_of(const std::string& screen) {
  Extents extents;
  std::istringstream lines(screen);
  int row = 0;
  for (std::string line; std::getline(lines, line); ++row) {
    int column = 0;
    for (std::size_t i = 0; i < line.size(); ++column) {
      const auto c = static_cast<unsigned char>(line[i]);
      if (c == 0xE2 && static_cast<unsigned char>(line[i + 1]) >= 0xA0 &&
          static_cast<unsigned char>(line[i + 1]) <= 0xA3) {
        extents.left = std::min(extents.left, column);
        extents.right = std::max(extents.right, column);
        extents.top = std::min(extents.top, row);
        extents.bottom = std::max(extents.bottom, row);
      }
      i += c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    }
  }
  return extents;
}

TEST(Plane, ACircleIsRoundInTheTerminal) {
  for (const auto& [columns, rows] : {std::pair{80, 24}, {40, 40}, {24, 12}}) {
    const Extents round = extents_of(draw_in_terminal(figure_of({circle(1, "")}, 1), columns, rows,
                                                      {false, true, ColourDepth::none}));
    const int width = round.right - round.left + 1, height = round.bottom - round.top + 1;
    EXPECT_GE(height, 5);
    EXPECT_NEAR(width, 2 * height, 2) << columns << "x" << rows;
  }
}

TEST(Plane, AnArrowPointsWhereItShouldInTheTerminal) {
  const auto drawn = [](double angle) {
    Panel panel = circle(angle, "");
    panel.plane->arcs.clear();
    panel.plane->arrows[0].head = false;
    return extents_of(
        draw_in_terminal(figure_of({panel}, 1), 80, 24, {false, true, ColourDepth::none}));
  };
  const Extents up = drawn(kTurn / 4), down = drawn(-kTurn / 4), right = drawn(0),
                left = drawn(kTurn / 2);
  EXPECT_LT(up.top, right.top);
  EXPECT_GT(down.bottom, right.bottom);
  EXPECT_GT(right.right, up.right + 5);
  EXPECT_LT(left.left, up.left - 5);
  // Names stand beside the heads; without Unicode too.
  Panel named = circle(0.4, "the query");
  const std::string ascii = draw_in_terminal(figure_of({named}, 1), 80, 24, {});
  EXPECT_NE(ascii.find("the query"), std::string::npos) << ascii;
  EXPECT_NE(ascii.find('*'), std::string::npos) << ascii;
}

std::vector<Figure> turning(int frames) {
  std::vector<Figure> figures;
  for (int i = 0; i < frames; ++i) {
    figures.push_back(figure_of({circle(0.5 * i)}, 1));
    figures.back().width = 400;
    figures.back().height = 300;
  }
  return figures;
}

/// The number that a chunk of an animated PNG begins with.
std::uint32_t first_number(const std::string& png, const char* chunk) {
  const std::size_t at = png.find(chunk);
  if (at == std::string::npos) return 0;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number * 256 + static_cast<unsigned char>(png[at + 4 + i]);
  return number;
}

TEST(Animation, HoldsEveryFrameAndIsTheSameTwice) {
  const Animation animation{turning(3), 250, 2};
  const std::string apng = render_animation(animation, AnimationFormat::apng).bytes;
  EXPECT_EQ(apng, render_animation(animation, AnimationFormat::apng).bytes);
  EXPECT_EQ(png_files(apng).size(), 1U);
  EXPECT_EQ(first_number(apng, "acTL"), 3U);
  const std::size_t control = apng.find("acTL");
  EXPECT_EQ(apng.substr(control + 8, 4), std::string("\0\0\0\2", 4)) << "times";
  const std::size_t frame = apng.find("fcTL");
  ASSERT_NE(frame, std::string::npos);
  EXPECT_EQ(apng.substr(frame + 4 + 20, 4), std::string("\0\xFA\x03\xE8", 4)) << "250/1000 s";
  const std::string gif = render_animation(animation, AnimationFormat::gif).bytes;
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  EXPECT_EQ(gif.back(), '\x3B');
  EXPECT_EQ(gif, render_animation(animation, AnimationFormat::gif).bytes);
}

TEST(Animation, OneFrameIsAPictureAndNoneIsRefused) {
  const std::string one = render_animation({turning(1), 100, 1}, AnimationFormat::apng).bytes;
  EXPECT_EQ(png_files(one).size(), 1U);
  EXPECT_THROW(render_animation({{}, 100, 1}, AnimationFormat::apng), ShapeError);
  EXPECT_THROW(render_animation({turning(1), 5, 1}, AnimationFormat::apng), DomainError);
  EXPECT_THROW(render_animation({turning(1), 100, -1}, AnimationFormat::apng), DomainError);
  std::vector<Figure> mixed = turning(2);
  mixed[1].width = 500;
  EXPECT_THROW(render_animation({mixed, 100, 1}, AnimationFormat::gif), ShapeError);
}

TEST(Animation, PagesAreCutWhereOneEndsAndNoneIsTakenForWhole) {
  const std::string pages = render_pages(turning(2)).bytes;
  const std::vector<std::string_view> files = png_files(pages);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].size() + files[1].size(), pages.size());
  EXPECT_EQ(png_files(std::string_view(pages).substr(0, pages.size() - 1)).size(), 1U);
  EXPECT_EQ(png_files(std::string_view(pages).substr(0, files[0].size() - 5)).size(), 0U);
  EXPECT_EQ(png_files("").size(), 0U);
  // A length that reaches beyond the end.
  std::string broken(files[0]);
  broken[8] = '\x7F';
  EXPECT_EQ(png_files(broken).size(), 0U);
}

}  // namespace
}  // namespace rope::plot
