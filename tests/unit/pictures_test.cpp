// What the pictures show of the studies; how they are drawn is for the tests of plot.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rope/attention/decay.hpp"
#include "rope/error.hpp"
#include "rope/pictures/comparison.hpp"
#include "rope/pictures/decay.hpp"
#include "rope/pictures/extension.hpp"
#include "rope/pictures/matrix.hpp"
#include "rope/pictures/precision.hpp"
#include "rope/pictures/score.hpp"
#include "rope/pictures/wavelengths.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

RotaryVariant variant(const std::string& label, double base, std::size_t dim) {
  return {label, default_embedding(dim, base), Spacing::geometric};
}

/// The study of some embeddings at the distances 0 … last.
DecayStudy decay_of(const std::vector<RotaryVariant>& variants, std::int64_t last,
                    std::size_t random_pairs) {
  DecayStudy study;
  for (std::int64_t d = 0; d <= last; ++d) study.distances.push_back(d);
  study.random_pairs = random_pairs;
  DecayRequest request{{}, study.distances, random_pairs, 42, best_cpu_level()};
  for (const RotaryVariant& each : variants) request.embeddings.push_back(each.embedding);
  std::vector<DecayResult> results = decay_study(request, [](std::size_t) {});
  for (std::size_t i = 0; i < variants.size(); ++i)
    study.curves.push_back({std::move(results[i]), variants[i]});
  return study;
}

TEST(DecayPicture, HasRandomPairsInAPanelOfTheirOwn) {
  const DecayStudy study = decay_of({variant("", 10000, 16)}, 20, 16);
  const plot::Figure figure = decay_figure(study);
  ASSERT_EQ(figure.panels.size(), 3U);
  for (const plot::Series& series : figure.panels[1].series)
    EXPECT_NE(series.kind, plot::SeriesKind::band);
  const plot::Series& band = figure.panels[2].series[0];
  EXPECT_EQ(band.kind, plot::SeriesKind::band);
  EXPECT_EQ(band.y[3], study.curves[0].random.mean[3] - study.curves[0].random.deviation[3]);
  EXPECT_EQ(decay_figure(decay_of({variant("", 10000, 16)}, 20, 0)).panels.size(), 2U);
}

TEST(DecayPicture, DividesTheBoundWhereItsStartDiffers) {
  DecayStudy study = decay_of({variant("a", 10000, 16), variant("b", 10000, 32)}, 20, 0);
  const auto start = [&](std::size_t i) {
    return decay_figure(study).panels[0].series[i].y.front();
  };
  EXPECT_DOUBLE_EQ(start(0), 1);
  EXPECT_DOUBLE_EQ(start(1), 1);
  EXPECT_EQ(decay_figure(study).panels[0].y.label.bytes(), "bound f(Δ)/f(0)");
  study = decay_of({variant("a", 10000, 16), variant("b", 500000, 16)}, 20, 0);
  EXPECT_DOUBLE_EQ(start(0), 4.5);
  EXPECT_EQ(decay_figure(study).panels[0].y.label.bytes(), "bound f(Δ)");
  study.relative = true;
  EXPECT_DOUBLE_EQ(start(0), 1);
}

TEST(DecayPicture, DashesAModelThatAnotherHides) {
  const plot::Figure figure = decay_figure(decay_of(
      {variant("a", 10000, 16), variant("b", 500000, 16), variant("c", 10001, 16)}, 20, 0));
  for (const plot::Panel& panel : figure.panels) {
    EXPECT_FALSE(panel.series[0].dashed);
    EXPECT_FALSE(panel.series[1].dashed);
    EXPECT_TRUE(panel.series[2].dashed) << "in both panels, as in the legend";
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(panel.series[i].colour, i);
  }
  EXPECT_EQ(figure.legend_of, 0U);
}

TEST(DecayPicture, ShowsTheRangeWhereValuesCrowd) {
  const DecayStudy study = decay_of({variant("", 10000, 16)}, 20000, 0);
  const plot::Figure figure = decay_figure(study);
  const std::vector<double>& all = study.curves[0].curve.mean_cosine;
  const plot::Series& range = figure.panels[1].series[0];
  const plot::Series& mean = figure.panels[1].series[1];
  ASSERT_EQ(range.kind, plot::SeriesKind::band);
  EXPECT_EQ(range.colour, mean.colour);
  EXPECT_EQ(*std::ranges::min_element(range.y), *std::ranges::min_element(all));
  EXPECT_EQ(*std::ranges::max_element(range.upper), *std::ranges::max_element(all));
  EXPECT_EQ(range.x.front(), 0);
  EXPECT_EQ(range.x.back(), 20000);
  EXPECT_EQ(mean.y.size(), 400U);
  double sum = 0;
  for (std::size_t i = 0; i < 50; ++i) sum += all[i];
  EXPECT_DOUBLE_EQ(mean.y[0], sum / 50);
  EXPECT_NE(figure.subtitle.bytes().find("shaded: all values"), std::string::npos);
}

TEST(DecayPicture, KeepsWhatALogarithmicAxisHasRoomFor) {
  DecayStudy study = decay_of({variant("", 10000, 16)}, 20000, 0);
  study.log_axis = true;
  const plot::Figure figure = decay_figure(study);
  const plot::Series& range = figure.panels[1].series[0];
  const std::vector<double>& all = study.curves[0].curve.mean_cosine;
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(range.x[i], static_cast<double>(i + 1));
    EXPECT_EQ(range.y[i], all[i + 1]);
    EXPECT_EQ(range.upper[i], all[i + 1]);
  }
}

TEST(WavelengthPicture, NamesTheModelWhoseCurveIsRepeated) {
  const std::array variants = {variant("a", 10000, 16), variant("b", 500000, 16),
                               variant("c", 10000, 16)};
  const plot::Figure figure = wavelengths_figure(variants);
  const std::vector<plot::Series>& series = figure.panels[0].series;
  EXPECT_EQ(series[1].label.bytes(), "b");
  EXPECT_EQ(series[2].label.bytes(), "c (= a)");
}

ExtensionStudy extension() {
  ExtensionRequest request;
  request.trained = default_embedding(16, 10000);
  request.trained_length = 64;
  request.length = 256;
  return extension_study(request, [] {});
}

TEST(ExtensionPicture, GivesEveryRuleOneLookInAllPanels) {
  const ExtensionStudy study = extension();
  const plot::Figure figure = extension_figure(study, "");
  ASSERT_EQ(figure.panels.size(), 4U);
  for (std::size_t i = 0; i < study.results.size(); ++i) {
    for (std::size_t p = 1; p < 3; ++p) {
      EXPECT_EQ(figure.panels[p].series[i].colour, figure.panels[0].series[i].colour) << i;
      EXPECT_EQ(figure.panels[p].series[i].dashed, figure.panels[0].series[i].dashed) << i;
    }
    const std::string& name = study.results[i].short_label;
    const std::string label = figure.panels[0].series[i].label.bytes();
    EXPECT_EQ(label, name == "dynamic" ? "dynamic (= ntk)" : name);
    EXPECT_EQ(figure.panels[0].series[i].dashed, name == "dynamic");
  }
  const std::vector<plot::Series>& maps = figure.panels[3].series;
  ASSERT_EQ(maps.size(), 4U);
  const auto rule = [&](const char* name) {
    return static_cast<std::size_t>(
        std::ranges::find(study.results, name, &ExtensionResult::short_label) -
        study.results.begin());
  };
  EXPECT_EQ(maps[0].colour, rule("none"));
  EXPECT_EQ(maps[1].colour, rule("linear"));
  for (const std::size_t own : {2U, 3U}) {
    EXPECT_GE(*maps[own].colour, study.results.size()) << "no rule's look";
    for (std::size_t other = 0; other < own; ++other)
      EXPECT_NE(*maps[own].colour % plot::kCurveColours, *maps[other].colour % plot::kCurveColours);
  }
}

TEST(ExtensionPicture, NamesTheClassesOfAngles) {
  const ExtensionStudy study = extension();
  const plot::Figure figure = extension_fans(study, "");
  plot::validate(figure);
  EXPECT_EQ(figure.columns, 4U) << "eight fans leave no place free";
  for (const plot::Panel& panel : figure.panels) {
    ASSERT_EQ(panel.heat_map->classes.size(), 3U);
    for (const plot::Text& label : panel.heat_map->classes)
      EXPECT_NE(label.bytes(), "none") << "the name of a panel";
  }
}

TEST(ComparisonPicture, HasEveryCurveBelowItsMap) {
  for (const std::size_t count : {1U, 2U, 5U, 7U, 10U, 11U}) {
    EncodingComparison comparison;
    for (std::size_t i = 0; i < count; ++i) {
      ComparedEncoding result;
      result.title = std::to_string(i);
      result.map = RowMatrix::Constant(2, 2, static_cast<double>(i));
      result.drawn.distances = {-1, 0, 1};
      result.drawn.shifts = {0};
      result.drawn.scores = {{0.0, static_cast<double>(i), 0.0}};
      comparison.results.push_back(std::move(result));
    }
    const plot::Figure figure = comparison_figure(comparison, true);
    plot::validate(figure);
    std::size_t maps = 0;
    for (std::size_t p = 0; p < figure.panels.size(); ++p) {
      if (!figure.panels[p].heat_map) continue;
      ++maps;
      const plot::Panel& below = figure.panels[count == 1 ? p + 1 : p + figure.columns];
      ASSERT_EQ(below.series.size(), 1U) << count;
      EXPECT_EQ(below.series[0].y[1], figure.panels[p].heat_map->values[0]) << count;
    }
    EXPECT_EQ(maps, count);
    EXPECT_EQ(figure.panels[*figure.legend_of].series[0].label.bytes(), "m = 1");
  }
}

TEST(PrecisionPicture, LeapsWhereTheErrorDoes) {
  PrecisionRequest request{default_embedding(8, 10000), {parse_policy("position=bf16")}};
  request.last = request.exhaustive = 1024;
  const plot::Figure figure = precision_figure(precision_study(request), "");
  const plot::Series& worst = figure.panels.front().series.front();
  EXPECT_EQ(worst.kind, plot::SeriesKind::line_points) << "what was looked at stands out";
  const auto at = std::ranges::find(worst.x, 257.0);  // bfloat16 has no 257
  ASSERT_NE(at, worst.x.end());
  const auto i = static_cast<std::size_t>(at - worst.x.begin());
  EXPECT_EQ(worst.x[i - 1], 256);
  EXPECT_LT(worst.y[i - 1], 1e-3);
  EXPECT_GT(worst.y[i], 0.5);
  EXPECT_TRUE(std::ranges::is_sorted(worst.x));
}

TEST(Pictures, AreOfTheSizeThatTheHelpSays) {
  EXPECT_EQ(extension_figure(extension(), "").width, 1600);
  EXPECT_EQ(extension_figure(extension(), "").height, 1000);
  EXPECT_EQ(extension_fans(extension(), "").height, 1000);
}

ScoreVectors score_vectors() {
  ScoreVectors vectors;
  vectors.embedding.head_dim = 6;
  vectors.embedding.frequencies = given_frequencies(std::array{1.0, 0.25});
  vectors.q = {1, 2, -1, 0.5, 3, 1};
  vectors.k = {0.5, -1, 2, 2, 1, 1};
  return vectors;
}

TEST(ScorePicture, HasABarForEachPairAndASumThatEndsWithTheScore) {
  const ScoreTerms terms = score_terms(score_vectors(), -3);
  const plot::Figure figure = score_terms_figure(terms, "setting");
  ASSERT_EQ(figure.panels.size(), 2U);
  const plot::Series& most = figure.panels[0].series[0];
  const plot::Series& bars = figure.panels[0].series[1];
  ASSERT_EQ(bars.x, (std::vector<double>{-0.5, 0.5, 0.5, 1.5}));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(most.upper[2 * k], terms.pairs[k].most);
    EXPECT_EQ(most.y[2 * k + 1], -terms.pairs[k].most);
    EXPECT_EQ(bars.y[2 * k] + bars.upper[2 * k], terms.pairs[k].term) << "from 0";
    EXPECT_EQ(figure.panels[0].series[2].y[2 * k], terms.pairs[k].term);
  }
  EXPECT_EQ(terms.passing, 4);
  EXPECT_NEAR(figure.panels[1].series[0].y.back(), terms.score, terms.allowed);
  EXPECT_EQ(figure.panels[1].lines[1].at, terms.score);
  EXPECT_EQ(figure.title.bytes(), "What each pair adds to the score at n − m = −3");
  EXPECT_NE(figure.subtitle.bytes().find("the sum begins with 4,"), std::string::npos);
}

TEST(ScorePicture, HasABarForEachSide) {
  const ScoreSides sides = score_sides(score_vectors(), 5, 2);
  const plot::Figure figure = score_sides_figure(score_vectors(), sides, "setting");
  ASSERT_EQ(figure.panels.size(), 1U);
  const std::vector<plot::Series>& series = figure.panels[0].series;
  ASSERT_EQ(series.size(), 8U);
  const std::array scores = {sides.left, sides.right, sides.shifted, sides.wrong_sign};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(series[2 * i].y[0] + series[2 * i].upper[0], scores.at(i)) << "from 0";
    EXPECT_EQ(series[2 * i + 1].y[0], scores.at(i));
    EXPECT_EQ((series[2 * i].x[0] + series[2 * i].x[1]) / 2, static_cast<double>(i + 1));
  }
  EXPECT_TRUE(series[1].label.readable().starts_with("1: ⟨Rₘ q, Rₙ k⟩ = "))
      << series[1].label.readable();
  EXPECT_NE(series[7].label.readable().find("the wrong sign = "), std::string::npos);
  EXPECT_NE(sides.wrong_sign, sides.left);
}

TEST(ScorePicture, HasArrowsOfOnePair) {
  ScoreVectors vectors;
  vectors.embedding.head_dim = 2;
  vectors.embedding.frequencies = given_frequencies(std::array{0.5});
  vectors.q = {1, 2};
  vectors.k = {3, -1};
  const ScoreSides sides = score_sides(vectors, 5, 2);
  const plot::Figure figure = score_sides_figure(vectors, sides, "");
  ASSERT_EQ(figure.panels.size(), 3U);
  const auto& both = figure.panels[0].plane->arrows;   // R_n k, R_m q
  const auto& alone = figure.panels[1].plane->arrows;  // R_{m−n} k, R_{n−m} k, q
  const auto score = [](const plot::Arrow& a, const plot::Arrow& b) {
    return a.to_x * b.to_x + a.to_y * b.to_y;
  };
  EXPECT_NEAR(score(both[0], both[1]), sides.left, sides.difference.bound);
  EXPECT_NEAR(score(alone[1], alone[2]), sides.left, sides.difference.bound);
  EXPECT_NEAR(score(alone[0], alone[2]), sides.wrong_sign, sides.difference.bound);
  EXPECT_TRUE(alone[0].dashed);
  EXPECT_EQ(alone[1].label.readable(), "R₋₃ k");
}

TEST(MatrixPicture, PutsAnotherLayoutBeside) {
  const MatrixPicture picture{
      default_embedding(4, 10000), {1, 3}, MatrixForm::dense, PairLayout::half};
  const plot::Figure figure = matrix_figure(picture);
  ASSERT_EQ(figure.panels.size(), 4U);
  EXPECT_EQ(figure.panels[1].title.bytes(), "layout half, m = 1");
  EXPECT_EQ(figure.panels[2].title.bytes(), "layout interleaved, m = 3");
  EXPECT_EQ(figure.subtitle.bytes(), "head_dim 4, base 10000") << "what both share";
  // −sin of pair 0 stands at (0, 1) in the one layout, at (0, 2) in the other.
  const std::vector<double>& interleaved = figure.panels[0].heat_map->values;
  const std::vector<double>& half = figure.panels[1].heat_map->values;
  EXPECT_EQ(interleaved[1], -std::sin(1.0));
  EXPECT_EQ(half[2], interleaved[1]);
  EXPECT_EQ(half[1], 0);
  MatrixPicture pairs = picture;
  pairs.form = MatrixForm::pairs;
  EXPECT_THROW(matrix_figure(pairs), ShapeError);
}

TEST(ScorePicture, SortsACurveAndMarksWhereItIsLargest) {
  const std::vector<std::int64_t> distances = {2, -9, 0};
  const ScoreCurve curve = score_curve(score_vectors(), distances);
  const std::vector<NamedScoreCurve> one = {{"k", curve}};
  const plot::Figure figure = score_curves_figure(one, distances, "");
  const plot::Series& series = figure.panels[0].series[0];
  EXPECT_EQ(series.x, (std::vector<double>{-9, 0, 2}));
  EXPECT_EQ(series.y[0], curve.scores[1] / curve.norms);
  EXPECT_TRUE(series.label.empty());
  const plot::ReferenceLine& line = figure.panels[0].lines[1];
  EXPECT_EQ(line.direction, plot::Direction::vertical);
  EXPECT_EQ(line.at, static_cast<double>(distances[curve.largest.front()]));
  EXPECT_NE(curve.largest.front(), curve.smallest.front());
  EXPECT_EQ(line.label.bytes(), "largest shown: at 2");
  EXPECT_NE(series.colour, 0U) << "nearly the colour of the lines";
  const std::vector<NamedScoreCurve> two = {
      {"k = R_{-3} q", curve, plot::Text::markup("k = R_{−3} q")}, {"k = −q", curve}};
  const plot::Figure both = score_curves_figure(two, distances, "");
  EXPECT_EQ(both.panels[0].series[0].label.readable(), "k = R₋₃ q");
  EXPECT_EQ(both.panels[0].series[1].label.bytes(), "k = −q");
  EXPECT_EQ(both.panels[0].lines.size(), 1U);
}

TEST(ScorePicture, MapsEveryEncodingAndItsTermsWithTheirPositions) {
  ScoreGridRequest request;
  request.context.rotary = default_embedding(6, 10000);
  request.encodings = {parse_encoding("rope"), parse_encoding("sinusoidal")};
  request.q = score_vectors().q;
  request.k = score_vectors().k;
  request.positions = {0, 10, 20};
  const std::vector<GridEncoding> grid = score_grid(request);
  const plot::Figure figure = score_grid_figure(grid, request.positions, "");
  ASSERT_EQ(figure.panels.size(), 6U);
  EXPECT_EQ(figure.columns, 3U);
  EXPECT_EQ(figure.panels[1].heat_map->values[5], grid[1].whole.scores(1, 2));
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_EQ(figure.panels[2 + t].heat_map->values[5], grid[1].terms[t].scores(1, 2));
  EXPECT_EQ(figure.panels[3].title.readable(), "sinusoidal: q·W_K pₙ");
  ASSERT_EQ(figure.panels[0].heat_map->row_marks.size(), 3U);
  EXPECT_EQ(figure.panels[0].heat_map->row_marks[2].label.bytes(), "20");
  EXPECT_EQ(figure.panels[0].y.label.bytes(), "query m");
  EXPECT_TRUE(figure.panels[0].x.label.empty());
  EXPECT_EQ(figure.panels[4].x.label.bytes(), "key n");
  request.positions = {0, 1, 2};
  EXPECT_TRUE(score_grid_figure(score_grid(request), request.positions, "")
                  .panels[0]
                  .heat_map->row_marks.empty());
}

}  // namespace
}  // namespace rope
