// Pictures with a size on paper: words that can be read, whatever gives way for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "rope/plot/layout.hpp"
#include "rope/plot/paper.hpp"
#include "rope/plot/script.hpp"
#include "rope/plot/text_fit.hpp"

namespace rope::plot {
namespace {

constexpr double kPerInch = 300;

Panel waves(int curves, bool named) {
  Panel panel;
  panel.x.label = Text::plain("distance (tokens)");
  panel.y.label = Text::plain("mean cosine of all pairs");
  for (int c = 0; c < curves; ++c) {
    Series series;
    if (named) series.label = Text::plain("base=" + std::to_string(c));
    for (int i = 0; i <= 100; ++i) {
      series.x.push_back(i);
      series.y.push_back(std::sin(i * (0.3 + 0.1 * c)));
    }
    panel.series.push_back(series);
  }
  return panel;
}

Figure on_paper_of(std::vector<Panel> panels, std::size_t columns, double width, double height) {
  Figure figure;
  figure.title = Text::plain("How scores fall with distance");
  figure.subtitle = Text::plain("head_dim 128, base 10000, layout interleaved");
  figure.panels = std::move(panels);
  figure.columns = columns;
  figure.per_inch = kPerInch;
  figure.width = static_cast<int>(std::lround(width * kPerInch));
  figure.height = static_cast<int>(std::lround(height * kPerInch));
  return figure;
}

double points(double pixels) { return pixels * 72 / kPerInch; }

TEST(Paper, WordsHaveSixToEightPointsAtAnySize) {
  for (const double width : {2.0, 3.5, 7.0, 20.0})
    for (const std::size_t panels : {1U, 3U, 4U, 9U}) {
      Figure figure = on_paper_of(std::vector<Panel>(panels, waves(3, true)), panels == 4 ? 2 : 1,
                                  width, 0.8 * width);
      figure.panels[0].title = Text::plain("one of them");
      figure.panels[0].lines = {{Direction::horizontal, 0.5, Text::plain("half")}};
      const Layout layout = lay_out(figure);
      std::vector<PlacedText> texts = layout.texts;
      for (const PanelLayout& panel : layout.panels)
        texts.insert(texts.end(), panel.texts.begin(), panel.texts.end());
      for (const PlacedText& text : texts) {
        EXPECT_GT(points(text.size), 5.99) << width << " " << text.text.bytes();
        EXPECT_LT(points(text.size), 8.01) << width << " " << text.text.bytes();
      }
      EXPECT_GT(points(kTickSize * layout.scale), 5.99);
    }
}

TEST(Paper, TheSizeThatSufficesDoesAndIsLarger) {
  for (const std::size_t panels : {1U, 2U, 4U, 6U})
    for (const int curves : {1, 5, 12}) {
      const std::size_t columns = panels == 4 ? 2 : 1;
      Figure figure =
          on_paper_of(std::vector<Panel>(panels, waves(curves, true)), columns, 2.2, 1.6);
      const auto size = size_that_suffices(figure);
      if (!size) {
        EXPECT_FALSE(crowded(figure, lay_out(figure)));
        continue;
      }
      ASSERT_GT(size->width, 0);
      EXPECT_GE(size->width, 2.2);
      EXPECT_GE(size->height, 1.6);
      figure = on_paper_of(figure.panels, columns, size->width, size->height);
      EXPECT_FALSE(size_that_suffices(figure)) << panels << " " << curves;
      EXPECT_FALSE(crowded(figure, lay_out(figure))) << panels << " " << curves;
    }
}

TEST(Paper, SaysWhereNoSizeSuffices) {
  Figure figure = on_paper_of({waves(1, true)}, 1, 3.5, 2.5);
  figure.panels[0].y.label = Text::plain(std::string(3000, 'y'));
  const auto size = size_that_suffices(figure);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->width, 0);
}

TEST(Paper, OneColumnHasItsNumbersBelowTheLastPanelWhereAxesAreTheSame) {
  Figure figure = on_paper_of(std::vector<Panel>(3, waves(1, false)), 1, 3.5, 3.5);
  Layout layout = lay_out(figure);
  EXPECT_TRUE(layout.panels[0].bare_x);
  EXPECT_TRUE(layout.panels[1].bare_x);
  EXPECT_FALSE(layout.panels[2].bare_x);
  EXPECT_EQ(std::ranges::count_if(
                layout.panels[0].texts,
                [](const PlacedText& text) { return text.text.bytes() == "distance (tokens)"; }),
            0);
  const std::string script = make_script(figure, Device::png);
  EXPECT_NE(script.find("set xtics (' '"), std::string::npos);
  // A line of the grid at each, as the last panel has.
  EXPECT_EQ(layout.panels[0].x_ticks.size(), layout.panels[2].x_ticks.size());
  figure.panels[1].series[0].x.back() = 200;
  layout = lay_out(figure);
  EXPECT_FALSE(layout.panels[0].bare_x) << "another range";
  EXPECT_FALSE(layout.panels[1].bare_x);
  figure.panels[1] = figure.panels[0];
  figure.panels[1].x.label = Text::plain("pair i");
  EXPECT_FALSE(lay_out(figure).panels[0].bare_x) << "another meaning";
  figure.per_inch = 0;
  figure.panels[1] = figure.panels[0];
  EXPECT_FALSE(lay_out(figure).panels[0].bare_x) << "not on paper";
}

TEST(Paper, ALegendWithoutAPlaceWithinStandsAboveItsPanelInRows) {
  Figure figure = on_paper_of({waves(4, true), waves(4, false)}, 1, 3.5, 4);
  const Layout layout = lay_out(figure);
  const PanelLayout& panel = layout.panels[0];
  ASSERT_TRUE(panel.legend);
  EXPECT_EQ(panel.legend->entries.size(), 4U);
  EXPECT_LT(panel.legend->box.bottom(), panel.box.top);
  EXPECT_GT(panel.box.width, 0.75 * figure.width) << "none of the width is lost";
  EXPECT_FALSE(crowded(figure, layout));
  figure.per_inch = 0;
  EXPECT_GT(lay_out(figure).panels[0].legend->box.left, lay_out(figure).panels[0].box.right());
}

TEST(Paper, NumbersOfCellsAreLargeEnoughOrLeftOut) {
  HeatMap map;
  map.rows = map.columns = 6;
  map.values.assign(36, 0.123);
  Panel panel;
  panel.heat_map = map;
  for (const double side : {1.6, 2.0, 2.5, 3.0, 4.0, 6.0}) {
    const Layout layout = lay_out(on_paper_of({panel}, 1, side, side));
    for (const PlacedText& text : layout.panels[0].texts)
      EXPECT_GT(points(text.size), 5.99) << side;
  }
}

TEST(Paper, KnowsWhatIsCut) {
  const auto cut = [](const char* whole, double width, std::size_t lines) {
    const Text text = Text::plain(whole);
    return is_cut(wrapped(text, width, lines), text);
  };
  EXPECT_FALSE(cut("mean cosine", 100, 1));
  EXPECT_FALSE(cut("mean cosine", 5, 2));
  EXPECT_TRUE(cut("mean cosine", 5, 1)) << "ends in …";
  EXPECT_TRUE(cut("sinusoidal", 5, 2)) << "a word is broken";
  EXPECT_FALSE(cut("余弦的平均值随距离", 5, 3)) << "Chinese has no blanks";
  EXPECT_FALSE(cut("and so on …", 100, 1));
}

TEST(Paper, NoLineEndsBesideASign) {
  const std::vector<Text> lines = wrapped(Text::plain("averaged over Δ ± 10 %"), 8.5, 3);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].bytes(), "averaged over");
  EXPECT_EQ(lines[1].bytes(), "Δ ± 10 %");
}

}  // namespace
}  // namespace rope::plot
