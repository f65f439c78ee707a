#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/error.hpp"
#include "rope/plot/axis.hpp"
#include "rope/plot/coincidence.hpp"
#include "rope/plot/colour_range.hpp"
#include "rope/plot/curve.hpp"
#include "rope/plot/fonts.hpp"
#include "rope/plot/layout.hpp"
#include "rope/plot/text_fit.hpp"
#include "rope/plot/theme.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// gtest has a Run of its own inside each test.
using Points = Run;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& tick : ticks) {
    if (!tick.label.empty()) result.push_back(tick.label.bytes());
  }
  return result;
}

Figure one_curve(std::vector<double> x, std::vector<double> y) {
  Series series;
  series.x = std::move(x);
  series.y = std::move(y);
  Panel panel;
  panel.series = {series};
  Figure figure;
  figure.panels = {panel};
  return figure;
}

/// As many curves as asked for, each at a height of its own.
Figure levels(std::size_t count) {
  Figure figure = one_curve({0, 1}, {0, 0});
  std::vector<Series>& series = figure.panels[0].series;
  series.assign(count, series[0]);
  for (std::size_t i = 0; i < count; ++i) series[i].y.assign(2, static_cast<double>(i));
  return figure;
}

Grid unit_grid(double pixels) {
  return {{Scale::linear, 0, 1, 0}, {Scale::linear, 0, 1, 0}, pixels, pixels};
}

TEST(Text, TurnsControlCharactersIntoSpacesOrNothing) {
  EXPECT_EQ(Text::plain("a\nb\tc\x07\x1B[31m").bytes(), "a b c[31m");
}

TEST(Text, ReplacesEachInvalidByte) {
  EXPECT_EQ(Text::plain("a\xFF\xC0\xAF\xED\xA0\x80z").bytes(),
            "a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDz");
}

TEST(Text, DropsJoinersAndDirectionMarks) {
  EXPECT_EQ(Text::plain("a\u200D\u202E\uFE0Fb").bytes(), "ab");
}

TEST(Text, KeepsWhatKindItIs) {
  EXPECT_FALSE(Text::plain("x_1").is_markup());
  EXPECT_TRUE(Text::markup("x_1").is_markup());
  EXPECT_EQ(Text::plain("x_{1}").readable(), "x_{1}");
}

TEST(Text, ReadsMarkupAsUnicode) {
  EXPECT_EQ(Text::markup("10^{−3}").readable(), "10⁻³");
  EXPECT_EQ(Text::markup("{/:Italic q}_{4}, θ_i").readable(), "q₄, θᵢ");
  EXPECT_EQ(Text::markup("x^{ab}_z").readable(), "x^(ab)_z");
  EXPECT_EQ(Text::markup("open {brace").readable(), "open brace");
}

TEST(Utf8, SurvivesARoundTrip) {
  const std::string text = "aé漢😀";
  EXPECT_EQ(encode_utf8(decode_utf8(text)), text);
  EXPECT_EQ(decode_utf8(text).size(), 4U);
}

TEST(TextFit, WrapsAtSpacesAndKeepsEveryWord) {
  const std::vector<Text> lines = wrapped(Text::plain("one two three four five six"), 6, 100);
  ASSERT_GT(lines.size(), 2U);
  std::string joined;
  for (const Text& line : lines) {
    EXPECT_LE(text_width(line), 6);
    joined += (joined.empty() ? "" : " ") + line.bytes();
  }
  EXPECT_EQ(joined, "one two three four five six");
}

TEST(TextFit, EndsWhatDoesNotFitInAnEllipsis) {
  const std::vector<Text> lines = wrapped(Text::plain(std::string(500, 'x')), 10, 2);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].bytes().substr(lines[1].bytes().size() - 3), "…");
  EXPECT_LE(text_width(lines[1]), 10);
}

TEST(TextFit, BreaksBesideChineseCharactersButNotBeforeTheirMarks) {
  const std::vector<Text> lines = wrapped(Text::plain("余弦均值，随距离衰减"), 4.5, 100);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].bytes(), "余弦均");
  EXPECT_EQ(lines[1].bytes(), "值，随距");
  EXPECT_EQ(lines[2].bytes(), "离衰减");
  EXPECT_FALSE(line_may_end(U'（', U'词'));
  EXPECT_FALSE(line_may_end(U'a', U'b'));
}

TEST(TextFit, NeverBreaksInsideBraces) {
  const Text cut = shortened(Text::markup("abc {/:Italic defghij} klm"), 3);
  EXPECT_EQ(std::count(cut.bytes().begin(), cut.bytes().end(), '{'),
            std::count(cut.bytes().begin(), cut.bytes().end(), '}'));
}

TEST(Axis, LabelsRoundNumbersWithAMinusSign) {
  EXPECT_EQ(labels(choose_ticks({Scale::linear, -1, 1, 0}, 5)),
            (std::vector<std::string>{"−1.0", "−0.5", "0", "0.5", "1.0"}));
}

TEST(Axis, LabelsPowersOfTenOnALogarithmicAxis) {
  EXPECT_EQ(labels(choose_ticks({Scale::log10, 1e-1, 1e3, 0}, 8)),
            (std::vector<std::string>{"10^{−1}", "10^{0}", "10^{1}", "10^{2}", "10^{3}"}));
}

TEST(Axis, HasThreeLabelsOnAnyShortLogarithmicAxis) {
  for (const double low : {0.02, 1.0, 3.0, 7000.0, 1e-7, 9e12}) {
    for (const double factor : {1.1, 2.0, 9.0, 50.0, 99.0}) {
      const Range range = {Scale::log10, low, low * factor, 0};
      EXPECT_GE(labels(choose_ticks(range, 8)).size(), 3U) << low << " times " << factor;
    }
  }
}

TEST(Axis, DrawsHugeAndTinyNumbersInTheirOwnUnits) {
  for (const double unit : {1e308, 1e-310}) {
    Extent extent;
    extent.add(unit);
    extent.add(-unit);
    const Range range = choose_range({}, extent, 0);
    EXPECT_NEAR(range.position(unit), 1, 1e-6) << unit;
    EXPECT_NEAR(range.position(0), 0.5, 1e-6) << unit;
    EXPECT_GE(choose_ticks(range, 6).size(), 3U);
  }
}

TEST(Axis, ShowsAConstantInTheMiddle) {
  Extent extent;
  extent.add(5);
  EXPECT_NEAR(choose_range({}, extent, 0).position(5), 0.5, 1e-9);
  Axis log;
  log.scale = Scale::log10;
  EXPECT_NEAR(choose_range(log, extent, 0).position(5), 0.5, 1e-9);
}

TEST(Axis, ObeysTheEndsTheCallerGives) {
  Axis axis;
  axis.min = 3;
  Extent extent;
  extent.add(0);
  extent.add(10);
  EXPECT_EQ(choose_range(axis, extent, 0.1).min, 3);
  extent = {};
  extent.add(-7);
  EXPECT_GT(choose_range(axis, extent, 0.1).max, 3);
}

TEST(Axis, EndsAtTheDataToTheLastBitWithoutAMargin) {
  Axis axis;
  axis.scale = Scale::log10;
  for (const double last : {3.0, 4096.0, 65537.0, 131072.0, 1e6, 7e-9 * 1e12}) {
    Extent extent;
    extent.add(1);
    extent.add(last);
    const Range range = choose_range(axis, extent, 0);
    EXPECT_EQ(range.min, 1) << last;
    EXPECT_EQ(range.max, last);
    const Range wider = choose_range(axis, extent, 0.04);
    EXPECT_LT(wider.min, 1) << last;
    EXPECT_GT(wider.max, last);
  }
}

TEST(Axis, HasTwoNumbersHoweverFewHaveRoom) {
  EXPECT_EQ(labels(choose_ticks({Scale::linear, -31, 31, 0}, 2)),
            (std::vector<std::string>{"−20", "0", "20"}));
}

TEST(Axis, OfWholeThingsHasTicksAtIntegersAlone) {
  for (const Scale scale : {Scale::linear, Scale::log10}) {
    Axis axis;
    axis.scale = scale;
    axis.whole = true;
    for (const auto& [low, high] : {std::pair{1.0, 1.0},
                                    {5.0, 5.0},
                                    {1.0, 2.0},
                                    {1.0, 3.0},
                                    {7.0, 9.0},
                                    {1.0, 100.0},
                                    {1.0, 131072.0},
                                    {40.0, 1e15}}) {
      for (const double margin : {0.0, 0.015}) {
        Extent extent;
        extent.add(low);
        extent.add(high);
        const Range range = choose_range(axis, extent, margin);
        for (const int most : {2, 5, 9, 16}) {
          const std::vector<Tick> ticks = choose_ticks(range, most);
          EXPECT_FALSE(labels(ticks).empty()) << low << " to " << high;
          for (const Tick& tick : ticks) {
            EXPECT_EQ(tick.value, std::round(tick.value)) << low << " to " << high;
            const std::string label = tick.label.bytes();
            if (label.find("10^") != std::string::npos) continue;  // 0.5×10^{6} is whole
            EXPECT_EQ(label.find('.'), std::string::npos) << low << " to " << high << label;
          }
        }
      }
    }
  }
  Axis axis;
  axis.whole = true;
  for (const double alone : {0.0, 5.0}) {
    Extent extent;
    extent.add(alone);
    EXPECT_EQ(labels(choose_ticks(choose_range(axis, extent, 0), 9)).size(), 1U) << alone;
  }
}

TEST(Axis, CountsIndicesInPowersOfTwo) {
  EXPECT_EQ(labels(index_ticks(16, 4)), (std::vector<std::string>{"0", "4", "8", "12"}));
}

TEST(Curve, CutsAtValuesThatAreNotFinite) {
  Series series;
  series.x = {0, 0.1, 0.2, 0.3, 0.4};
  series.y = {0, kNan, 1, 1, kInfinity};
  const std::vector<Points> runs = runs_of(series, unit_grid(100));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].size(), 1U);
  EXPECT_EQ(runs[1].size(), 2U);
}

TEST(Curve, CutsAtValuesThatHaveNoLogarithm) {
  Series series;
  series.x = {1, 2, 3, 4};
  series.y = {1, 0, -1, 2};
  Grid grid = unit_grid(100);
  grid.y = {Scale::log10, 0.1, 10, 0};
  EXPECT_EQ(runs_of(series, grid).size(), 2U);
}

TEST(Curve, DrawsABandAsFarAsItsLastPointOnALogarithmicAxis) {
  Panel panel;
  panel.x.scale = Scale::log10;
  panel.series.resize(1);
  Series& band = panel.series[0];
  band.kind = SeriesKind::band;
  band.x = {1, 64, 4096};
  band.y = {-1, -1, -1};
  band.upper = {1, 1, 1};
  Extent x;
  Extent y;
  add_extents(panel, &x, &y);
  Grid grid = unit_grid(800);
  grid.x = choose_range(panel.x, x, 0);
  grid.y = choose_range(panel.y, y, 0.04);
  const std::vector<Points> runs = runs_of(band, grid);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].back().x, 4096);
}

TEST(Curve, KeepsTheExtremesOfAMillionPoints) {
  Points run;
  for (int i = 0; i < 1000000; ++i) {
    const double x = i / 1e6;
    run.push_back({x, 0.5 + 0.1 * std::sin(1e3 * x), 0});
  }
  run[333333].y = 0.99;
  run[777777].y = 0.01;
  const Points thin = thinned_line(run, unit_grid(800));
  EXPECT_LE(thin.size(), 4U * 801U);
  const auto has = [&](const CurvePoint& p) {
    return std::any_of(thin.begin(), thin.end(),
                       [&](const CurvePoint& q) { return q.x == p.x && q.y == p.y; });
  };
  EXPECT_TRUE(has(run[333333]));
  EXPECT_TRUE(has(run[777777]));
  EXPECT_TRUE(has(run.front()));
  EXPECT_TRUE(has(run.back()));
  EXPECT_TRUE(std::is_sorted(thin.begin(), thin.end(),
                             [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; }));
}

TEST(Curve, KeepsOneOfManyDotsInOnePlace) {
  const Points run(5000, {0.5, 0.5, 0.5});
  EXPECT_EQ(thinned_points(run, unit_grid(100)).size(), 1U);
}

TEST(Curve, DrawsStepsAsCorners) {
  Series series;
  series.kind = SeriesKind::steps;
  series.x = {0, 1};
  series.y = {0, 1};
  const std::vector<Points> runs = runs_of(series, unit_grid(10));
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_EQ(runs[0].size(), 3U);
  EXPECT_EQ(runs[0][1].x, 1);
  EXPECT_EQ(runs[0][1].y, 0);
}

TEST(FreeSpace, KnowsWhatALineCrosses) {
  FreeSpace space({0, 0, 200, 100});
  space.take_line(0, 0, 200, 100);
  EXPECT_GT(space.covered({90, 40, 20, 20}), 0U);
  EXPECT_EQ(space.covered({150, 5, 40, 30}), 0U);
  EXPECT_GT(space.covered({190, 5, 40, 20}), 0U) << "beyond the area";
}

TEST(Layout, PutsTheLegendWhereTheCurveIsNot) {
  Figure rising = one_curve({0, 1, 2}, {0, 1, 2});
  rising.panels[0].series[0].label = Text::plain("a curve");
  const Layout up = lay_out(rising);
  ASSERT_TRUE(up.panels[0].legend.has_value());
  const PanelLayout& panel = up.panels[0];
  EXPECT_LT(panel.legend->box.right(), panel.box.left + panel.box.width / 2);
  EXPECT_LT(panel.legend->box.bottom(), panel.box.top + panel.box.height / 2);
}

TEST(Layout, PutsTheLegendBesideAPanelThatIsFull) {
  Figure figure = one_curve({}, {});
  for (int i = 0; i < 4000; ++i) {
    figure.panels[0].series[0].x.push_back(i);
    figure.panels[0].series[0].y.push_back(i % 2);
  }
  figure.panels[0].series[0].label = Text::plain("noise");
  const Layout layout = lay_out(figure);
  ASSERT_TRUE(layout.panels[0].legend.has_value());
  EXPECT_GT(layout.panels[0].legend->box.left, layout.panels[0].box.right());
  EXPECT_LE(layout.panels[0].legend->box.right(), figure.width);
}

TEST(Layout, ListsTheFirstAndTheLastOfManyCurves) {
  Figure figure = one_curve({0, 1}, {0, 1});
  figure.panels[0].series.assign(100, figure.panels[0].series[0]);
  for (std::size_t i = 0; i < 100; ++i) {
    figure.panels[0].series[i].label = Text::plain("curve " + std::to_string(i));
  }
  const Layout layout = lay_out(figure);
  const Legend& legend = *layout.panels[0].legend;
  EXPECT_EQ(legend.entries.front().series, 0U);
  EXPECT_EQ(legend.entries.back().series, 99U);
  EXPECT_LT(legend.entries.size(), 20U);
  EXPECT_NE(legend.note.bytes().find("of 100 curves"), std::string::npos);
}

TEST(Layout, KeepsALineOutOfTheLabelOfTheRegionBehindIt) {
  for (const Scale scale : {Scale::linear, Scale::log10}) {
    for (const double edge : {100.0, 1000.0, 1e9}) {
      Figure figure = one_curve({0, 1, 2}, {6.28, 6.28, 6.28});
      Panel& panel = figure.panels[0];
      panel.y.scale = scale;
      panel.lines = {{Direction::horizontal, edge, Text::plain("context")}};
      panel.regions = {{Direction::horizontal, edge, kInfinity, Text::plain("region")}};
      const auto label_is_clear = [&](double line_at) {
        const Layout layout = lay_out(figure);
        const PanelLayout& placed = layout.panels[0];
        const double line =
            placed.box.top + (1 - placed.grid.y.position(line_at)) * placed.box.height;
        for (const PlacedText& text : placed.texts) {
          if (text.text.bytes() != "region") continue;
          EXPECT_GT(std::fabs(text.y - line), text.size / 2) << edge;
          EXPECT_GT(text.y - text.size / 2, placed.box.top) << edge;
          EXPECT_LT(text.y + text.size / 2, placed.box.bottom()) << edge;
          return;
        }
        ADD_FAILURE() << "no label";
      };
      label_is_clear(edge);
      panel.lines[0].at = 6.28;
      panel.regions[0] = {Direction::horizontal, -kInfinity, 6.28, Text::plain("region")};
      label_is_clear(6.28);
    }
  }
}

TEST(Layout, KeepsSquareHeatMapsTogether) {
  HeatMap map;
  map.rows = map.columns = 8;
  map.values.assign(64, 0.5);
  Figure figure;
  for (const bool shared : {true, false}) {
    for (const std::size_t panels : {std::size_t{4}, std::size_t{6}}) {
      figure.panels.assign(panels, Panel());
      for (Panel& panel : figure.panels) panel.heat_map = map;
      figure.columns = panels / 2;
      figure.shared_colour_range = shared;
      const Layout layout = lay_out(figure);
      for (std::size_t i = 1; i < panels; ++i) {
        const Box& box = layout.panels[i].box;
        EXPECT_DOUBLE_EQ(box.width, box.height);
        EXPECT_DOUBLE_EQ(box.left, layout.panels[i % figure.columns].box.left);
        if (i % figure.columns == 0) continue;
        const double gap = box.left - layout.panels[i - 1].box.right();
        EXPECT_GT(gap, 0);
        EXPECT_LT(gap, 0.7 * box.width) << "numbers, and a colour bar where each has one";
      }
      const ColourBar& bar = *layout.panels[shared ? 0 : panels - 1].bar;
      EXPECT_LT(bar.box.right() + 60, figure.width);
      EXPECT_GT(bar.box.left, layout.panels[figure.columns - 1].box.right());
    }
  }
}

TEST(Layout, HeatMapsAmongCurvesShareOneColourBar) {
  HeatMap map;
  map.rows = map.columns = 8;
  map.values.assign(64, 0.5);
  Panel square, curve;
  square.heat_map = map;
  Series series;
  series.x = {0, 1};
  series.y = {0, 1};
  curve.series = {series};
  Figure figure;
  figure.columns = 2;
  figure.panels = {square, square, curve, curve, square, square, curve, curve};
  const Layout layout = lay_out(figure);
  for (std::size_t i = 1; i < layout.panels.size(); ++i) EXPECT_FALSE(layout.panels[i].bar) << i;
  ASSERT_TRUE(layout.panels[0].bar);
  const Box& bar = layout.panels[0].bar->box;
  for (const PanelLayout& panel : layout.panels) EXPECT_GT(bar.left, panel.box.right());
  EXPECT_LT(bar.right(), figure.width);
  // From the top of the first map to the bottom of the last, not of the curves below it.
  EXPECT_DOUBLE_EQ(bar.top, layout.panels[0].box.top);
  EXPECT_DOUBLE_EQ(bar.bottom(), layout.panels[5].box.bottom());
  // Where a curve comes first, each map has its own.
  std::swap(figure.panels[0], figure.panels[2]);
  EXPECT_TRUE(lay_out(figure).panels[5].bar);
}

TEST(Layout, TakesTheMarksOfAHeatMapInsteadOfIndices) {
  HeatMap map;
  map.rows = 2;
  map.columns = 4;
  map.values = {0, 1, 2, 0, 1, 2, 0, 1};
  map.colours = ColourMap::sequential;
  map.square_cells = false;
  map.row_marks = {{1, Text::plain("below")}};
  map.column_marks = {{-0.5, Text::plain("0°")}, {3.5, Text::plain("360°")}};
  Figure figure;
  Panel panel;
  panel.heat_map = map;
  figure.panels = {panel};
  const Layout layout = lay_out(figure);
  EXPECT_EQ(labels(layout.panels[0].x_ticks), (std::vector<std::string>{"0°", "360°"}));
  EXPECT_EQ(labels(layout.panels[0].y_ticks), std::vector<std::string>{"below"});
}

TEST(Layout, GivesALegendOfTheLastColumnNoRoomBesideTheOthers) {
  Series full;
  for (int i = 0; i < 4000; ++i) {
    full.x.push_back(i);
    full.y.push_back(i % 2);
  }
  Panel bare, named;
  bare.series = {full};
  full.label = Text::plain("a curve that fills its panel");
  named.series = {full};
  Figure figure;
  figure.columns = 2;
  figure.panels = {bare, named};
  const Layout layout = lay_out(figure);
  const Box &left = layout.panels[0].box, &right = layout.panels[1].box;
  ASSERT_TRUE(layout.panels[1].legend);
  EXPECT_NEAR(left.width, right.width, 1e-9);
  EXPECT_LT(right.left - left.right(), figure.width - right.right()) << "no gap in the middle";
}

TEST(Layout, KeepsTheLastNumberOfAnAxisInsideThePicture) {
  Figure figure = one_curve({0, 100000}, {0, 1});
  for (const auto& [width, height] : {std::pair{1600, 1000}, {1920, 1080}, {800, 600}}) {
    figure.width = width;
    figure.height = height;
    const Layout layout = lay_out(figure);
    const PanelLayout& panel = layout.panels[0];
    ASSERT_EQ(panel.x_ticks.back().label.bytes(), "100000");
    const double half = text_width(panel.x_ticks.back().label) * kTickSize * layout.scale / 2;
    EXPECT_LT(panel.box.right() + half, width) << width;
    EXPECT_GT(panel.box.right() + half, 0.95 * width) << "without waste";
  }
}

Panel square_map(std::size_t side) {
  HeatMap map;
  map.rows = map.columns = side;
  for (std::size_t i = 0; i < side * side; ++i) map.values.push_back(i % 3 == 0 ? 0.5 : -0.25);
  Panel panel;
  panel.heat_map = map;
  return panel;
}

TEST(Layout, FillsAWidePictureWithSquareMapsAboveCurves) {
  const Panel curve = levels(1).panels[0];
  Figure figure;
  figure.columns = 4;
  figure.width = 1920;
  figure.height = 1080;
  for (std::size_t i = 0; i < 16; ++i)
    figure.panels.push_back(i / 4 % 2 == 0 ? square_map(32) : curve);
  const Layout layout = lay_out(figure);
  for (const std::size_t i : {0U, 1U, 2U, 3U, 8U, 9U, 10U, 11U}) {
    const Box& map = layout.panels[i].box;
    EXPECT_DOUBLE_EQ(map.width, map.height);
    EXPECT_GT(map.width, 1.9 * layout.panels[i + 4].box.height) << "maps use more than a half";
    EXPECT_GT(layout.panels[i + 4].box.height, 0.08 * figure.height) << "and leave curves enough";
  }
  figure.panels.resize(4);
  figure.width = 4000;
  EXPECT_GT(lay_out(figure).panels[3].box.height, 0.7 * figure.height) << "without curves, all";
}

TEST(Layout, GivesACurveBesideASquareMapItsHeight) {
  Figure figure;
  figure.columns = 2;
  figure.width = 800;
  figure.height = 600;
  figure.panels = {square_map(32), levels(1).panels[0]};
  const Layout layout = lay_out(figure);
  EXPECT_DOUBLE_EQ(layout.panels[1].box.top, layout.panels[0].box.top);
  EXPECT_DOUBLE_EQ(layout.panels[1].box.height, layout.panels[0].box.height);
  EXPECT_DOUBLE_EQ(layout.panels[0].box.width, layout.panels[0].box.height);
}

TEST(Layout, SharesTheHeightAsPanelsAsk) {
  Figure figure = levels(1);
  figure.panels.assign(3, figure.panels[0]);
  figure.panels[2].height = 0.5;
  const Layout layout = lay_out(figure);
  EXPECT_DOUBLE_EQ(layout.panels[0].box.height, layout.panels[1].box.height);
  EXPECT_NEAR(layout.panels[2].box.height, layout.panels[0].box.height / 2, 1e-9);
}

TEST(Layout, PutsOneLegendAboveAllPanels) {
  Figure figure = levels(3);
  figure.panels.assign(2, figure.panels[0]);
  for (Series& series : figure.panels[1].series)
    series.label = Text::plain("a rather long name of a curve");
  figure.legend_of = 1;
  for (const int width : {1600, 360}) {
    figure.width = width;
    const Layout layout = lay_out(figure);
    ASSERT_TRUE(layout.legend);
    EXPECT_FALSE(layout.panels[1].legend);
    ASSERT_EQ(layout.legend->entries.size(), 3U);
    EXPECT_LE(layout.legend->box.bottom(), layout.panels[0].box.top);
    for (const LegendEntry& entry : layout.legend->entries) {
      EXPECT_GE(entry.x, 0);
      EXPECT_LT(entry.x + kSampleWidth * layout.scale, width);
    }
    const bool one_line = layout.legend->entries[2].y == layout.legend->entries[0].y;
    EXPECT_EQ(one_line, width == 1600);
  }
  figure.legend_of = 2;
  EXPECT_THROW(validate(figure), ShapeError);
}

TEST(Layout, ExplainsClassesInTheLegendAndWithoutABar) {
  Figure figure;
  figure.panels = {square_map(2)};
  HeatMap& map = *figure.panels[0].heat_map;
  map.values = {0, 1, 2, kNan};
  map.classes = {Text::plain("no"), Text::plain("yes"), Text::plain("perhaps")};
  figure.legend_of = 0;
  const Layout layout = lay_out(figure);
  EXPECT_FALSE(layout.panels[0].bar);
  ASSERT_TRUE(layout.legend);
  EXPECT_EQ(layout.legend->entries[2].label.bytes(), "perhaps");
  EXPECT_EQ(layout.panels[0].colour_max, 2) << "each class has a colour of its own";
  map.values[0] = 0.5;
  EXPECT_THROW(validate(figure), DomainError);
  map.values[0] = 3;
  EXPECT_THROW(validate(figure), DomainError);
}

TEST(Layout, WritesTheNumbersOfASmallMapIntoItsCells) {
  Figure figure;
  figure.panels = {square_map(2)};
  figure.panels[0].heat_map->values = {1, -0.84147, 1e-5, kNan};
  const Layout layout = lay_out(figure);
  std::vector<std::string> numbers;
  for (const PlacedText& text : layout.panels[0].texts)
    if (text.align == Align::centre) numbers.push_back(text.text.bytes());
  EXPECT_EQ(numbers, (std::vector<std::string>{"1", "−0.841", "1e−05"}));
  const Box& box = layout.panels[0].box;
  EXPECT_NEAR(layout.panels[0].texts[1].x, box.left + 0.75 * box.width, 1e-9);
  EXPECT_EQ(layout.panels[0].texts[1].colour, (Rgb{255, 255, 255})) << "on dark blue";
  figure.panels = {square_map(9)};
  EXPECT_TRUE(lay_out(figure).panels[0].texts.empty());
  figure.panels.assign(64, square_map(8));
  figure.columns = 8;
  figure.width = kMinWidth;
  figure.height = kMinHeight;
  EXPECT_TRUE(lay_out(figure).panels[0].texts.empty()) << "too small to read";
}

TEST(Layout, LeavesABlankPlaceFree) {
  Figure figure = levels(1);
  figure.panels.assign(4, figure.panels[0]);
  figure.columns = 2;
  figure.panels[3] = {};
  EXPECT_THROW(validate(figure), ShapeError);
  figure.panels[3].blank = true;
  validate(figure);
  const Layout layout = lay_out(figure);
  EXPECT_TRUE(layout.panels[3].texts.empty());
  EXPECT_TRUE(layout.panels[3].x_ticks.empty());
}

TEST(Layout, KeepsEveryTextInsideThePicture) {
  for (const auto& [width, height] :
       {std::pair{320, 240}, {1600, 1000}, {8000, 8000}, {2000, 300}}) {
    Figure figure = one_curve({0, 1, 2}, {-1e-7, 0, 1e-7});
    figure.width = width;
    figure.height = height;
    figure.title = Text::plain(std::string(300, 'W'));
    figure.subtitle = Text::plain(
        "a subtitle of several words, long enough to be wrapped in a "
        "small picture, and so on and on and on");
    figure.panels[0].x.label = Text::plain(std::string(400, 'x'));
    figure.panels[0].y.label = Text::plain(std::string(400, 'y'));
    figure.panels[0].series[0].label = Text::plain(std::string(400, 'z'));
    const Layout layout = lay_out(figure);
    std::vector<PlacedText> texts = layout.texts;
    texts.insert(texts.end(), layout.panels[0].texts.begin(), layout.panels[0].texts.end());
    for (const PlacedText& text : texts) {
      const double length = text_width(text.text, text.bold) * text.size;
      const double before = text.align == Align::left ? 0 : length / 2;
      const double start = text.upright ? height - text.y - before : text.x - before;
      EXPECT_GE(start, 0) << text.text.bytes() << " at " << width;
      EXPECT_LE(start + length, (text.upright ? height : width) + 1)
          << text.text.bytes() << " at " << width;
    }
  }
}

TEST(Theme, GivesEveryOneOfAHundredCurvesItsOwnLook) {
  Figure figure = one_curve({0, 1}, {0, 1});
  figure.panels[0].series.assign(100, figure.panels[0].series[0]);
  for (const Style style : {Style::light, Style::dark}) {
    const std::vector<Stroke> looks = strokes(figure.panels[0], style);
    for (std::size_t i = 1; i < looks.size(); ++i) {
      EXPECT_FALSE(looks[i].colour == looks[i - 1].colour && looks[i].dash == looks[i - 1].dash);
    }
  }
}

TEST(Theme, TakesSixColoursThenTheSameDashedAndDotted) {
  const std::vector<Stroke> looks = strokes(levels(18).panels[0], Style::light);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    EXPECT_EQ(looks[i].colour, looks[i % 6].colour) << i;
    EXPECT_EQ(looks[i].dash, static_cast<int>(i / 6) + 1) << i;
  }
  const std::vector<Stroke> ramp = strokes(levels(19).panels[0], Style::light);
  EXPECT_FALSE(ramp[6].colour == ramp[0].colour);
  EXPECT_EQ(ramp[18].dash, 1);
}

TEST(Theme, DashesACurveThatAnEarlierOneHides) {
  Figure figure = levels(3);
  std::vector<Series>& series = figure.panels[0].series;
  series[2].y = {1.005, 0.995};
  std::vector<Stroke> looks = strokes(figure.panels[0], Style::light);
  EXPECT_EQ(looks[1].dash, 1);
  EXPECT_EQ(looks[2].dash, 2);
  series[2].y = {1.005, 0.9};
  looks = strokes(figure.panels[0], Style::light);
  EXPECT_EQ(looks[2].dash, 1) << "they part";
  series[2].y = {1, kNan};
  EXPECT_EQ(strokes(figure.panels[0], Style::light)[2].dash, 1) << "one of them ends";
  figure.panels[0].y.scale = Scale::log10;
  series[0].y = {1e-6, 1e-6};
  series[1].y = {1e-3, 1e-3};
  series[2].y = {1.02e-3, 1e-3};
  EXPECT_EQ(strokes(figure.panels[0], Style::light)[2].dash, 2) << "seen on a logarithmic axis";
}

/// Three labelled curves, the last of which lies on the first.
Figure two_that_coincide() {
  Figure figure = levels(3);
  std::vector<Series>& series = figure.panels[0].series;
  series[2].y = series[0].y;
  series[0].label = Text::plain("linear");
  series[1].label = Text::plain("ntk");
  series[2].label = Text::plain("yarn");
  return figure;
}

TEST(Coincidence, IsNamedInTheLegend) {
  const Figure figure = with_coincidences(two_that_coincide());
  const std::vector<Series>& series = figure.panels[0].series;
  EXPECT_EQ(series[0].label.bytes(), "linear");
  EXPECT_EQ(series[1].label.bytes(), "ntk");
  EXPECT_EQ(series[2].label.bytes(), "yarn (lies on linear)");
}

TEST(Coincidence, OfMarkupStaysMarkup) {
  Figure figure = two_that_coincide();
  figure.panels[0].series[0].label = Text::markup("θ_i");
  EXPECT_EQ(with_coincidences(figure).panels[0].series[2].label.bytes(), "yarn (lies on θᵢ)");
  figure.panels[0].series[2].label = Text::markup("10^{3}");
  const Text label = with_coincidences(figure).panels[0].series[2].label;
  EXPECT_TRUE(label.is_markup());
  EXPECT_EQ(label.bytes(), "10^{3} (lies on θ_i)");
}

TEST(Coincidence, InAllPanelsIsNamedInTheSharedLegend) {
  Figure figure = two_that_coincide();
  figure.panels.push_back(figure.panels[0]);
  figure.panels.push_back(levels(2).panels[0]);  // of other curves
  figure.legend_of = 0;
  EXPECT_EQ(with_coincidences(figure).panels[0].series[2].label.bytes(), "yarn (lies on linear)");
  figure.panels[1].series[2].y = {3, 4};
  EXPECT_EQ(with_coincidences(figure).panels[0].series[2].label.bytes(), "yarn");
}

TEST(Coincidence, IsNotSaidTwiceNorOfCurvesThatBelongToOthers) {
  Figure figure = two_that_coincide();
  Series& yarn = figure.panels[0].series[2];
  const auto label = [&] { return with_coincidences(figure).panels[0].series[2].label.bytes(); };
  yarn.colour = 5;
  EXPECT_EQ(label(), "yarn (lies on linear)");
  yarn.label = Text::plain("yarn (= linear)");
  EXPECT_EQ(label(), "yarn (= linear)");
  yarn.label = Text::plain("yarn");
  yarn.colour = kGrey;
  EXPECT_EQ(label(), "yarn");
  yarn.colour.reset();
  yarn.like = 1;
  EXPECT_EQ(label(), "yarn");
  yarn.like.reset();
  yarn.dotted = true;
  EXPECT_EQ(label(), "yarn");
}

TEST(Theme, KeepsDashesForCurvesThatAskForThem) {
  Figure figure = levels(12);
  std::vector<Series>& series = figure.panels[0].series;
  for (std::size_t i = 6; i < 12; ++i) {
    series[i].like = i - 6;
    series[i].dashed = true;
  }
  const std::vector<Stroke> looks = strokes(figure.panels[0], Style::light);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(looks[i].dash, 1) << i;
    EXPECT_EQ(looks[i + 6].dash, 2) << i;
    EXPECT_EQ(looks[i].colour, looks[i + 6].colour) << i;
  }
  series[3].like = 3;
  EXPECT_THROW(validate(figure), ShapeError) << "no curve looks like itself";
}

TEST(Theme, HasTheMiddleOfDivergingColoursNearTheBackground) {
  for (const Style style : {Style::light, Style::dark}) {
    const std::vector<Rgb>& colours = stops(ColourMap::diverging, style);
    const Rgb middle = colours[colours.size() / 2];
    EXPECT_LT(std::abs(middle.g - theme_of(style).background.g), 32);
    for (const Rgb end : {colours.front(), colours.back()})
      EXPECT_GT(std::abs(end.g - theme_of(style).background.g), 150);
  }
}

TEST(Theme, TextStandsOutFromTheBackground) {
  const auto light = [](Rgb c) {
    const auto linear = [](int v) { return std::pow(v / 255.0, 2.2); };
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
  };
  const auto contrast = [&](Rgb a, Rgb b) {
    const double high = std::max(light(a), light(b));
    return (high + 0.05) / (std::min(light(a), light(b)) + 0.05);
  };
  for (const Style style : {Style::light, Style::dark}) {
    const Theme& theme = theme_of(style);
    EXPECT_GT(contrast(theme.text, theme.background), 7);
    EXPECT_GT(contrast(theme.soft_text, theme.background), 4.5);
    EXPECT_GT(contrast(theme.tick, theme.background), 4.5);
    EXPECT_GT(contrast(theme.region_text, theme.region), 4.5);
    EXPECT_GT(contrast(theme.line, theme.background), 4.5);
  }
}

TEST(ColourRange, IsSymmetricAndSharedByTheMapsOfAFigure) {
  HeatMap map;
  map.rows = map.columns = 1;
  map.values = {0.5};
  Panel a;
  a.heat_map = map;
  map.values = {-3};
  Panel b;
  b.heat_map = map;
  Figure figure;
  figure.panels = {a, b};
  EXPECT_EQ(colour_range(figure, 0).low, -3);
  EXPECT_EQ(colour_range(figure, 0).high, 3);
  figure.shared_colour_range = false;
  EXPECT_EQ(colour_range(figure, 0).high, 0.5);
}

TEST(Fonts, KnowOnlyCharactersThatAreInstalled) {
  const FontCoverage known = FontCoverage::known();
  for (const char32_t c : U"azθλ−×√⟨⟩") {
    if (c != 0) {
      EXPECT_TRUE(known.has(c)) << static_cast<unsigned>(c);
    }
  }
  EXPECT_FALSE(known.has(0x6F22));
  EXPECT_FALSE(known.has(0x378)) << "no character has this number";
}

TEST(Figure, RefusesWhatCannotBeDrawn) {
  EXPECT_THROW(validate(Figure{}), ShapeError);
  Figure figure = one_curve({0, 1}, {0});
  EXPECT_THROW(validate(figure), ShapeError);
  figure = one_curve({0, 1}, {0, 1});
  EXPECT_NO_THROW(validate(figure));
  figure.width = 319;
  EXPECT_THROW(validate(figure), ShapeError);
  figure.width = 1600;
  figure.panels[0].y.min = 2;
  figure.panels[0].y.max = 1;
  EXPECT_THROW(validate(figure), DomainError);
  figure.panels[0].y = {};
  figure.panels[0].y.scale = Scale::log10;
  figure.panels[0].lines = {{Direction::horizontal, 0, {}}};
  EXPECT_THROW(validate(figure), DomainError);
  figure.panels[0].lines.clear();
  figure.panels[0].regions = {{Direction::vertical, 2, 1, {}}};
  EXPECT_THROW(validate(figure), DomainError);
  figure.panels[0].series.clear();
  EXPECT_THROW(validate(figure), ShapeError);
}

TEST(Figure, RefusesAHeatMapWhoseSizesDisagree) {
  HeatMap map;
  map.rows = 2;
  map.columns = 3;
  map.values.resize(5);
  Figure figure;
  figure.panels.resize(1);
  figure.panels[0].heat_map = map;
  EXPECT_THROW(validate(figure), ShapeError);
  figure.panels[0].heat_map->values.resize(6);
  EXPECT_NO_THROW(validate(figure));
  figure.panels[0].heat_map->rows = std::size_t{1} << 63U;
  EXPECT_THROW(validate(figure), ShapeError);
}

}  // namespace
}  // namespace rope::plot
