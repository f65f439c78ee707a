// What the pictures of the mathematics before RoPE show.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>

#include "rope/pictures/looks.hpp"
#include "rope/pictures/primer.hpp"
#include "rope/plot/layout.hpp"
#include "rope/plot/text_fit.hpp"
#include "rope/primer/angle.hpp"

namespace rope {
namespace {

constexpr double kPi = std::numbers::pi;

plot::Figure figure_of(PrimerTopic topic) {
  PrimerRequest request;
  request.topic = topic;
  return primer_figure(primer_study(request));
}

/// The arrow with that label.
const plot::Arrow& arrow_in(const plot::Panel& panel, std::string_view label) {
  for (const plot::Arrow& arrow : panel.plane->arrows)
    if (arrow.label.readable().starts_with(label)) return arrow;
  throw std::runtime_error("there is no arrow " + std::string(label));
}

const plot::Arc& arc_in(const plot::Panel& panel, std::string_view label) {
  for (const plot::Arc& arc : panel.plane->arcs)
    if (arc.label.readable().starts_with(label)) return arc;
  throw std::runtime_error("there is no arc " + std::string(label));
}

void expect_head(const plot::Arrow& arrow, double x, double y) {
  EXPECT_NEAR(arrow.to_x, x, 1e-15);
  EXPECT_NEAR(arrow.to_y, y, 1e-15);
}

TEST(PrimerPicture, EveryTopicHasOneThatCanBeDrawnAndWhereAllIsInSight) {
  for (const PrimerTopicEntry& entry : primer_topics()) {
    SCOPED_TRACE(entry.name);
    const plot::Figure figure = figure_of(entry.topic);
    EXPECT_NO_THROW(plot::validate(figure));
    EXPECT_FALSE(figure.title.empty());
    EXPECT_TRUE(figure.panels.front().plane.has_value());
    for (const plot::Panel& panel : figure.panels) {
      if (!panel.plane) continue;
      const double reach = panel.plane->reach;
      double farthest = 0;
      for (const plot::Arrow& arrow : panel.plane->arrows)
        farthest = std::max({farthest, std::abs(arrow.from_x), std::abs(arrow.from_y),
                             std::abs(arrow.to_x), std::abs(arrow.to_y)});
      for (const plot::Series& series : panel.series)
        for (std::size_t i = 0; i < series.x.size(); ++i)
          farthest = std::max({farthest, std::abs(series.x[i]), std::abs(series.y[i])});
      for (const plot::Arc& arc : panel.plane->arcs) farthest = std::max(farthest, arc.radius);
      EXPECT_LT(farthest, reach);
      EXPECT_GT(farthest, reach / 2);
    }
  }
}

TEST(PrimerPicture, TheWrongAngleIsDrawnWhereArctanIsWrong) {
  PrimerRequest request;
  const plot::Figure figure = primer_figure(primer_study(request));
  const plot::Panel& left = figure.panels.front();
  expect_head(arrow_in(left, "z = −1 + i"), -1, 1);
  const plot::Arrow& wrong = arrow_in(left, "arctan(b/a)");
  expect_head(wrong, 1, -1);
  EXPECT_EQ(wrong.colour, kWrongLook);
  EXPECT_NEAR(arc_in(left, "φ = 135°").to, 3 * kPi / 4, 1e-15);
  EXPECT_NEAR(arc_in(left, "−45°").to, -kPi / 4, 1e-15);
  request.z = primer::Complex{2, -1};
  EXPECT_EQ(primer_figure(primer_study(request)).panels.front().plane->arrows.size(), 1U);

  const plot::Panel& chart = figure.panels.back();
  ASSERT_EQ(chart.series.size(), 2U);
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < chart.series[1].x.size(); ++i) {
    const double x = chart.series[1].x[i], y = chart.series[1].y[i];
    if (std::isnan(y)) {
      ++gaps;
      continue;
    }
    EXPECT_NEAR(y,
                x < -90 - 1e-9     ? x + 180
                : x > 90 + 1e-9    ? x - 180
                : std::abs(x) < 89 ? x
                                   : y,
                1e-9);
  }
  EXPECT_EQ(gaps, 2U) << "no line down the jumps at ±90°";
}

TEST(PrimerPicture, TheConjugateIsTheMirrorImageAndTheProductHasItsLegs) {
  const plot::Figure figure = figure_of(PrimerTopic::conjugate);
  expect_head(arrow_in(figure.panels[0], "q = 3 + i"), 3, 1);
  const plot::Arrow& mirrored = arrow_in(figure.panels[0], "q^* = 3 − i");
  expect_head(mirrored, 3, -1);
  EXPECT_EQ(mirrored.colour, kQueryLook);
  const plot::Panel& product = figure.panels[1];
  expect_head(arrow_in(product, "q·k"), 5, -5);
  expect_head(arrow_in(product, "q · k = 5"), 5, 0);
  EXPECT_EQ(arrow_in(product, "k ×").from_x, 5);
  EXPECT_TRUE(arrow_in(product, "k ×").label_at_middle) << "of the side that it names";
  EXPECT_EQ(arrow_in(product, "k").colour, kKeyLook);
  const plot::Arc& arc = product.plane->arcs.front();
  EXPECT_NEAR(arc.from, std::atan2(2, 1), 1e-15);
  EXPECT_NEAR(arc.to, std::atan2(1, 3), 1e-15) << "from k to q";
}

TEST(PrimerPicture, QuarterTurnsStandAtRightAngles) {
  const plot::Figure figure = figure_of(PrimerTopic::quarter_turn);
  const auto& arrows = figure.panels.front().plane->arrows;
  ASSERT_EQ(arrows.size(), 4U);
  expect_head(arrows[0], 2, 1);
  expect_head(arrows[1], -1, 2);
  expect_head(arrows[2], -2, -1);
  expect_head(arrows[3], 1, -2);
}

TEST(PrimerPicture, AProductTurnsByTheOtherAngleOnTop) {
  const plot::Figure figure = figure_of(PrimerTopic::product);
  const plot::Panel& panel = figure.panels.front();
  expect_head(arrow_in(panel, "zw = 1 + 3i"), 1, 3);
  const plot::Arc& added = arc_in(panel, "+45°");
  EXPECT_NEAR(added.from, std::atan2(1, 2), 1e-15);
  EXPECT_NEAR(added.to, std::atan2(3, 1), 1e-15);
  EXPECT_EQ(figure.subtitle.readable(), "2.23607 · 1.41421 = 3.16228;  26.5651° + 45° = 71.5651°");
  PrimerRequest request;
  request.topic = PrimerTopic::product;
  request.z = primer::Complex{-3, 0};
  request.w = primer::Complex{-2, -1e-3};
  EXPECT_TRUE(primer_figure(primer_study(request))
                  .subtitle.readable()
                  .ends_with("180° + (−179.971°) = 0.0286479°"));
}

/// The box that a text takes, about.
plot::Box box_of(const plot::PlacedText& text) {
  const double width = plot::text_width(text.text) * text.size;
  return {text.x, text.y - 0.4 * text.size, width, 0.8 * text.size};
}

const plot::PlacedText& text_in(const plot::PanelLayout& panel, std::string_view begin) {
  for (const plot::PlacedText& text : panel.texts)
    if (text.text.readable().starts_with(begin)) return text;
  throw std::runtime_error("there is no text " + std::string(begin));
}

TEST(PrimerPicture, NoArcCrossesTheNameOfAnArrowWhereThereIsRoomBesideIt) {
  PrimerRequest request;
  request.topic = PrimerTopic::product;
  request.z = primer::Complex{-3, 0};
  request.w = primer::Complex{-2, -1e-3};
  const plot::Figure figure = primer_figure(primer_study(request));
  const plot::PanelLayout panel = plot::lay_out(figure).panels.front();
  const plot::Box name = box_of(text_in(panel, "w ="));
  for (const plot::Arc& arc : figure.panels.front().plane->arcs)
    for (int i = 0; i <= 2000; ++i) {
      const double angle = arc.from + (arc.to - arc.from) * i / 2000;
      const double x =
          panel.box.left + panel.grid.x.position(arc.radius * std::cos(angle)) * panel.box.width;
      const double y = panel.box.top +
                       (1 - panel.grid.y.position(arc.radius * std::sin(angle))) * panel.box.height;
      EXPECT_FALSE(x > name.left && x < name.right() && y > name.top && y < name.bottom())
          << "an arc of radius " << arc.radius;
    }
}

TEST(PrimerPicture, TheNameOfASideStandsBesideItsMiddle) {
  const plot::Figure figure = figure_of(PrimerTopic::conjugate);
  const plot::PanelLayout panel = plot::lay_out(figure).panels[1];
  const auto row = [&](double y) {
    return panel.box.top + (1 - panel.grid.y.position(y)) * panel.box.height;
  };
  // From (5, 0) down to (5, −5).
  const double at = text_in(panel, "k × q").y;
  EXPECT_GT(at, row(-1.5));
  EXPECT_LT(at, row(-3.5));
}

TEST(PrimerPicture, NoLineOfAFormatCrossesTheNameOfAnother) {
  const plot::Figure figure = figure_of(PrimerTopic::half_turn);
  const plot::PanelLayout panel = plot::lay_out(figure).panels.back();
  for (const plot::ReferenceLine& line : figure.panels.back().lines) {
    const plot::Box name = box_of(text_in(panel, line.label.readable()));
    for (const plot::ReferenceLine& other : figure.panels.back().lines) {
      const double x = panel.box.left + panel.grid.x.position(other.at) * panel.box.width;
      EXPECT_FALSE(x > name.left && x < name.right())
          << line.label.readable() << " and " << other.at;
    }
  }
}

TEST(PrimerPicture, AnglesAreThoseThatWereGivenAndThatTheReportTells) {
  PrimerRequest request;
  request.topic = PrimerTopic::addition;
  request.angle = primer::from_degrees(400);
  request.second_angle = primer::from_degrees(-30);
  EXPECT_EQ(primer_figure(primer_study(request)).subtitle.readable(),
            "R(β)R(α) = R(α+β): 400° + (−30°) = 370°");
}

TEST(PrimerPicture, EulersStepsEndNearerAndNearer) {
  const plot::Figure figure = figure_of(PrimerTopic::euler);
  const auto& paths = figure.panels[1].series;
  ASSERT_EQ(paths.size(), 4U);
  double before = 1;
  for (const plot::Series& series : paths) {
    const double left = std::hypot(series.x.back() - std::cos(1), series.y.back() - std::sin(1));
    EXPECT_LT(left, before / 3);
    before = left;
  }
  expect_head(arrow_in(figure.panels[0], "cos θ"), std::cos(1), 0);
  EXPECT_NEAR(arrow_in(figure.panels[0], "sin θ").from_x, std::cos(1), 1e-15);
  PrimerRequest far;
  far.topic = PrimerTopic::euler;
  far.angle = primer::from_radians(40);
  EXPECT_EQ(primer_figure(primer_study(far)).panels[1].series.size(), 1U)
      << "what lies far outside would make the circle a dot";
}

TEST(PrimerPicture, TheSeriesWalksAroundCornersAndItsErrorsStandUnderTheirBounds) {
  const plot::Figure figure = figure_of(PrimerTopic::taylor);
  const plot::Series& walk = figure.panels[0].series.front();
  ASSERT_EQ(walk.x.size(), 9U);
  EXPECT_EQ(walk.x[0], 1);
  EXPECT_DOUBLE_EQ(walk.y[1], kPi);
  for (std::size_t i = 1; i + 1 < walk.x.size(); ++i) {
    const double along = (walk.x[i] - walk.x[i - 1]) * (walk.x[i + 1] - walk.x[i]) +
                         (walk.y[i] - walk.y[i - 1]) * (walk.y[i + 1] - walk.y[i]);
    EXPECT_EQ(along, 0) << "each term is a quarter turn from the one before";
  }
  const auto& curves = figure.panels[1].series;
  ASSERT_EQ(curves.size(), 10U);
  for (std::size_t i = 0; i < curves.size(); i += 2) {
    EXPECT_TRUE(curves[i + 1].dotted);
    EXPECT_EQ(curves[i + 1].like, i);
    EXPECT_EQ(curves[i].y.size(), curves[i].x.size());
    EXPECT_LE(curves[i].y[3], curves[i + 1].y[3]);
  }
}

TEST(PrimerPicture, SumAndDifferenceOfTwoTurnsLieOnTheAxes) {
  const plot::Figure figure = figure_of(PrimerTopic::exponentials);
  expect_head(arrow_in(figure.panels[0], "2 cos θ"), 2 * std::cos(1), 0);
  expect_head(arrow_in(figure.panels[1], "2i sin θ"), 0, 2 * std::sin(1));
  expect_head(arrow_in(figure.panels[1], "−e"), -std::cos(1), std::sin(1));
}

TEST(PrimerPicture, HalfATurnAndOneBack) {
  const plot::Figure figure = figure_of(PrimerTopic::half_turn);
  EXPECT_DOUBLE_EQ(arc_in(figure.panels[0], "π").to, kPi);
  expect_head(arrow_in(figure.panels[0], "e"), -1, 0);
  const plot::Panel& chart = figure.panels[1];
  ASSERT_EQ(chart.lines.size(), 4U);
  EXPECT_EQ(chart.lines[2].label.bytes(), "float32");
  EXPECT_EQ(chart.lines[2].at, 24);
  for (std::size_t i = 0; i < chart.series[0].x.size(); ++i)
    EXPECT_LE(chart.series[0].y[i], chart.series[1].y[i]) << "bits " << chart.series[0].x[i];
}

TEST(PrimerPicture, ArcsOfASumFollowEachOther) {
  const plot::Figure figure = figure_of(PrimerTopic::addition);
  const plot::Panel& panel = figure.panels.front();
  EXPECT_DOUBLE_EQ(arc_in(panel, "β").from, arc_in(panel, "α").to);
  EXPECT_NEAR(arc_in(panel, "α+β").to, 115 * kPi / 180, 1e-15);
  expect_head(arrow_in(panel, "R(β)R(α)"), std::cos(115 * kPi / 180), std::sin(115 * kPi / 180));
}

TEST(PrimerPicture, TwoOrdersInSpaceEndInDifferentFrames) {
  const plot::Figure figure = figure_of(PrimerTopic::space);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title.readable(), "x, then y: 120°");
  // A quarter about x takes y to z; one about y takes z to x: y′ lies on x, in the other order on
  // z.
  for (const auto& [panel, axis] : {std::pair{0, "x"}, std::pair{1, "z"}}) {
    const plot::Panel& seen = figure.panels[static_cast<std::size_t>(panel)];
    const plot::Arrow& turned = arrow_in(seen, "y′");
    const plot::Arrow& before = arrow_in(seen, axis);
    EXPECT_NEAR(turned.to_x * 1.35, before.to_x, 1e-15);
    EXPECT_NEAR(turned.to_y * 1.35, before.to_y, 1e-15);
  }
  EXPECT_GT(arrow_in(figure.panels[0], "z").to_y, 1) << "z goes up";
  EXPECT_GT(arrow_in(figure.panels[0], "y").to_x, 1) << "y goes to the right";
}

TEST(PrimerPicture, MirrorImagesAreClosedFiguresOfTheSameSize) {
  const plot::Figure figure = figure_of(PrimerTopic::reflection);
  const auto& shapes = figure.panels.front().series;
  ASSERT_EQ(shapes.size(), 3U);
  for (const plot::Series& shape : shapes) {
    EXPECT_EQ(shape.x.front(), shape.x.back());
    EXPECT_NEAR(std::hypot(shape.x[2], shape.y[2]), std::hypot(0.85, 0.95), 1e-15);
  }
  const auto& mirror = figure.panels.front().plane->arrows.front();
  EXPECT_FALSE(mirror.head);
  EXPECT_NEAR(std::atan2(mirror.to_y, mirror.to_x), kPi / 6, 1e-15);
}

}  // namespace
}  // namespace rope
