// What the arrows, the clocks and the frames of an animation show of a study.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "rope/pictures/looks.hpp"
#include "rope/pictures/turning.hpp"
#include "rope/plot/layout.hpp"

namespace rope {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

RotaryVariant variant() { return {"", default_embedding(8, 10000), Spacing::geometric}; }

TurningStudy study(bool with_key) {
  TurningRequest request;
  request.embedding = variant().embedding;
  request.query = {2, 0, 2, 0, 2, 0, 2, 0};
  if (with_key) request.key = {1, 0, 1, 0, 1, 0, 1, 0};
  request.distance = -3;
  request.positions = {0, 1, 100};
  request.pairs = {0, 3};
  return turn(std::move(request));
}

const plot::Plane& plane_of(const plot::Figure& figure, std::size_t panel) {
  return *figure.panels.at(panel).plane;
}

TEST(TurningPicture, HasAPairARowAndAPositionAColumn) {
  const TurningStudy turned = study(true);
  const plot::Figure figure = turning_figure(turned, variant());
  ASSERT_EQ(figure.panels.size(), 6U);
  EXPECT_EQ(figure.columns, 3U);
  for (std::size_t pair = 0; pair < 2; ++pair)
    for (std::size_t i = 0; i < 3; ++i) {
      const plot::Plane& plane = plane_of(figure, 3 * pair + i);
      const TurnedPair& at = turned.at(i, pair);
      ASSERT_EQ(plane.arrows.size(), 2U);
      for (const plot::Arrow& arrow : plane.arrows) {
        const PlanePoint& end = arrow.colour == kQueryLook ? at.query : at.key;
        EXPECT_EQ(arrow.to_x, end.x);
        EXPECT_EQ(arrow.to_y, end.y);
        EXPECT_LT(std::hypot(end.x, end.y), plane.reach);
      }
      EXPECT_NE(plane.arrows[0].colour, plane.arrows[1].colour);
      // Each goes round on a circle of its own length, and an arc tells the angle from q to k.
      ASSERT_EQ(plane.arcs.size(), 3U);
      EXPECT_NEAR(plane.arcs[0].radius, 2, 1e-15);
      EXPECT_NEAR(plane.arcs[1].radius, 1, 1e-15);
      EXPECT_NEAR(
          plane.arcs[2].to - plane.arcs[2].from,
          std::remainder(-3 * turned.embedding.frequencies.theta[turned.pairs[pair]], kTurn),
          1e-14);
    }
  EXPECT_EQ(figure.panels[1].title.readable(), "m = 1, n = −2");
  EXPECT_EQ(figure.panels[3].y.label.readable(), "pair 3");
  ASSERT_TRUE(figure.legend_of);
}

TEST(TurningPicture, TheWayOfAFastPairIsAWholeTurnAndThatOfASlowOneAsLongAsItIs) {
  const TurningStudy turned = study(false);
  const plot::Figure figure = turning_figure(turned, variant());
  const auto way = [&](std::size_t panel) {
    const plot::Arc& arc = plane_of(figure, panel).arcs.back();
    EXPECT_TRUE(arc.head);
    return arc.to - arc.from;
  };
  EXPECT_EQ(plane_of(figure, 0).arcs.size(), 1U) << "nothing turned yet";
  EXPECT_NEAR(way(1), 1, 1e-15);
  EXPECT_DOUBLE_EQ(way(2), kTurn) << "100 radians";
  EXPECT_NEAR(way(5), 0.1, 1e-15);
  EXPECT_FALSE(figure.legend_of);
}

TEST(TurningPicture, ClocksTellTurnsAndWavelengths) {
  const plot::Figure figure = turning_frame(study(false), variant(), 2, true);
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title.readable(), "pair 0: 15.9 turns");
  EXPECT_EQ(figure.panels[1].title.readable(), "pair 3: 0.0159 turns");
  EXPECT_EQ(figure.panels[1].x.label.readable(), "λ = 6283");
}

TEST(TurningPicture, ClocksFillTheShapeOfThePicture) {
  plot::Figure figure;
  figure.panels.resize(64);
  const auto columns = [&](int width, int height) {
    figure.width = width, figure.height = height;
    return plot::columns_of_largest_squares(figure);
  };
  EXPECT_EQ(columns(1920, 1080), 13U);  // five rows of clocks 124 pixels wide; eight would have 55
  EXPECT_EQ(columns(800, 4000), 7U);
  EXPECT_EQ(columns(6400, 160), 64U);
}

TEST(TurningPicture, AnAnimationHasAFrameAPosition) {
  const TurningStudy turned = study(true);
  const plot::Animation animation = turning_animation(turned, variant(), false);
  ASSERT_EQ(animation.frames.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(plane_of(animation.frames[i], 0).arrows.back().to_x, turned.at(i, 0).query.x);
    EXPECT_NO_THROW(plot::validate(animation.frames[i]));
    EXPECT_EQ(animation.frames[i].height, animation.frames[0].height);
  }
}

TEST(TurningPicture, AMistakeIsDrawnDashedWhereItDiffers) {
  TurningRequest request = study(true);
  for (const PortingMistake& each : porting_mistakes())
    if (each.name == "sign") request.mistake = each;
  const plot::Figure figure = turning_figure(turn(request), variant());
  // At m = 0 there is no sign to be wrong.
  EXPECT_EQ(plane_of(figure, 0).arrows.size(), 2U);
  ASSERT_EQ(plane_of(figure, 1).arrows.size(), 3U);
  const plot::Arrow& wrong = plane_of(figure, 1).arrows.back();
  EXPECT_TRUE(wrong.dashed);
  EXPECT_EQ(wrong.colour, kWrongLook);
  EXPECT_NEAR(wrong.to_y, -2 * std::sin(1), 1e-15);
  EXPECT_EQ(figure.panels[0].series.back().label.readable(), "q is turned by −m, k by n");
}

/// The texts of a picture that had to be cut.
std::vector<std::string> cut_texts(plot::Figure figure, int width, int height) {
  figure.width = width;
  figure.height = height;
  const plot::Layout layout = plot::lay_out(figure);
  std::vector<std::string> cut;
  const auto look = [&](const std::vector<plot::PlacedText>& texts) {
    for (const plot::PlacedText& text : texts)
      if (text.text.readable().ends_with("…")) cut.push_back(text.text.readable());
  };
  look(layout.texts);
  for (const plot::PanelLayout& panel : layout.panels) look(panel.texts);
  return cut;
}

TEST(TurningPicture, NoTitleIsCut) {
  TurningRequest request;
  request.embedding = default_embedding(128, 10000);
  request.query.assign(128, 1);
  request.key = request.query;
  request.distance = -3;
  request.positions = {0, 6, 100, 131071};
  for (const PortingMistake& each : porting_mistakes())
    if (each.name == "bfloat16") request.mistake = each;
  for (const std::size_t most : {64U, 8U, 4U}) {
    request.pairs.clear();
    for (std::size_t k = 0; k < most; ++k) request.pairs.push_back(63 - k);
    const TurningStudy turned = turn(request);
    const RotaryVariant named{"", request.embedding, Spacing::geometric};
    for (std::size_t i = 0; i < request.positions.size(); ++i)
      for (const auto& [width, height] :
           {std::pair{1600, 1000}, std::pair{1920, 1080}, std::pair{800, 600},
            std::pair{1600, 1600}, std::pair{1080, 1080}})
        for (const std::string& text :
             cut_texts(turning_frame(turned, named, i, true), width, height))
          ADD_FAILURE() << most << " pairs, " << width << "x" << height << ": " << text;
  }
}

TEST(TurningPicture, AKeyThatLiesOnTheQueryIsDrawnWiderAndSeenBesideIt) {
  TurningRequest request = study(true);
  request.key = request.query;
  const plot::Figure figure = turning_figure(turn(request), variant());
  // Pair 0 turns by 3 radians between them, pair 3 by 0.003.
  EXPECT_FALSE(plane_of(figure, 0).arrows[0].wide);
  EXPECT_TRUE(plane_of(figure, 3).arrows[0].wide);
  EXPECT_EQ(plane_of(figure, 3).arrows[0].colour, kKeyLook);
  EXPECT_FALSE(plane_of(figure, 3).arrows[1].wide) << "q lies on it";
}

TEST(TurningPicture, APairWithoutALengthHasNoArcOfAnAngle) {
  TurningRequest request = study(true);
  request.query = {2, 0, 2, 0, 2, 0, 0, 0};
  const plot::Figure figure = turning_figure(turn(request), variant());
  EXPECT_EQ(plane_of(figure, 0).arcs.size(), 3U);
  EXPECT_EQ(plane_of(figure, 3).arcs.size(), 1U) << "the circle of k alone";
}

TEST(TurningPicture, TheSubtitleTellsTheSizeOfAMistakeThatMayBeTooSmallToBeSeen) {
  TurningRequest request = study(true);
  for (const PortingMistake& each : porting_mistakes())
    if (each.name == "off-by-one") request.mistake = each;
  EXPECT_NE(turning_figure(turn(request), variant())
                .subtitle.readable()
                .find("the angle is off by up to 1 rad (worst case: pair 0"),
            std::string::npos);
}

TEST(TurningPicture, InATerminalEveryCircleNamesItsPlace) {
  const plot::Figure figure = turning_lines(study(true), variant());
  EXPECT_EQ(figure.columns, 2U);
  EXPECT_EQ(figure.panels[3].title.readable(), "pair 3, m = 1, n = −2");
  EXPECT_EQ(plane_of(figure, 3).arrows[1].label.readable(), "q");
}

}  // namespace
}  // namespace rope
