// Positions on several axes: found from the vectors, given or withheld.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/axial.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::Made;

/// Text, an image of rows × columns patches, text: as Qwen2-VL numbers them.
std::vector<Position> with_image(std::int64_t before, std::int64_t rows, std::int64_t columns,
                                 std::int64_t after) {
  std::vector<Position> places;
  for (std::int64_t t = 0; t < before; ++t) places.emplace_back(t);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      places.emplace_back(std::vector{before, before + i, before + j});
  for (std::int64_t t = 0; t < after; ++t)
    places.emplace_back(before + std::max(rows, columns) + t);
  return places;
}

RotaryEmbedding sections(std::vector<std::size_t> pairs, double base,
                         SectionOrder order = SectionOrder::contiguous) {
  std::size_t sum = 0;
  for (const std::size_t each : pairs) sum += each;
  RotaryEmbedding embedding = default_embedding(2 * sum, base);
  embedding.axes = section_axes(pairs, sum, order);
  return embedding;
}

/// Vectors before and after, each pair turned by the position on its own axis.
test::RotatedVectors turned(const RotaryEmbedding& embedding, const std::vector<Position>& places,
                            const char* policy = "float32", int order = -1, std::size_t lanes = 4) {
  const std::size_t d = embedding.rotary_dim();
  RandomStream random(11, 0);
  const Policy pipeline = parse_policy(policy);
  test::RotatedVectors all = test::random_tensors(places.size(), lanes, d, pipeline.store, random);
  for (std::size_t axis = 0; axis < embedding.axes.count(); ++axis) {
    test::RotatedVectors one = all;
    std::vector<std::int64_t> positions;
    for (const Position& place : places) positions.push_back(place[axis]);
    const Made made{{0, d, order, order}, embedding, pipeline, false};
    test::rotate_into(made, positions, one);
    for (std::size_t row = 0; row < all.x.size(); row += d)
      for (std::size_t k = 0; k < embedding.pairs(); ++k) {
        if (embedding.axes.of_pair[k] != axis) continue;
        const PairDimensions out = made.arrangement.out_dimensions(k);
        all.y[row + out.first] = one.y[row + out.first];
        all.y[row + out.second] = one.y[row + out.second];
      }
  }
  return all;
}

DiagnosisRequest at(const std::vector<Position>& places, std::size_t axes) {
  DiagnosisRequest request;
  request.axis_positions = places;
  request.axes = axes;
  return request;
}

void expect_sections(const Diagnosis& d, const RotaryEmbedding& made, const char* what) {
  ASSERT_FALSE(d.explanations.empty()) << what;
  const RotaryEmbedding& found = d.explanations.front().spectrum().embedding;
  EXPECT_EQ(found.axes.of_pair, made.axes.of_pair) << what;
  EXPECT_EQ(found.base, made.base) << what;
}

void expect_places(const Diagnosis& d, const std::vector<Position>& places, std::size_t axes) {
  ASSERT_FALSE(d.explanations.empty());
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::vector<std::int64_t> expected;
    for (const Position& place : places) expected.push_back(place[axis]);
    EXPECT_EQ(positions_on_axis(d.explanations.front(), axis), expected) << axis;
  }
}

TEST(SeveralAxes, SectionsOfPublishedModelsNeedNoPositions) {
  const std::vector<Position> places = with_image(5, 4, 6, 7);
  for (const RotaryEmbedding& made :
       {sections({16, 24, 24}, 1e6), sections({24, 20, 20}, 5e6, SectionOrder::interleaved),
        sections({8, 12, 12}, 1e4), sections({20, 22, 22}, 5e5, SectionOrder::time_last)}) {
    const std::string what = sections_text(made.axes);
    const Diagnosis d = diagnose(turned(made, places), {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::unique) << what;
    expect_sections(d, made, what.c_str());
    expect_places(d, places, 3);
  }
}

TEST(SeveralAxes, NoiseIsNoRoundingOfAngles) {
  const std::vector<Position> places = with_image(3, 0, 0, 0);
  const RotaryEmbedding made = sections({24, 20, 20}, 5e6, SectionOrder::interleaved);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    test::RotatedVectors noisy = turned(made, places, "float32,store=bf16", -1, 32);
    std::vector<double> noise(noisy.y.size());
    RandomStream(seed, 0).fill_normal(noise);
    for (std::size_t i = 0; i < noisy.y.size(); ++i)
      noisy.y[i] = round_to(Format::bfloat16, noisy.y[i] * (1 + 1e-3 * noise[i]));
    DiagnosisRequest request = at(places, 3);
    request.assumed = Assumption{made, true, true, true};
    request.assumed->embedding.layout = PairLayout::half;
    const Diagnosis d = diagnose(noisy, request);
    if (d.best_fit) {
      EXPECT_TRUE(d.best_fit->noise) << seed;
      continue;
    }
    ASSERT_FALSE(d.explanations.empty()) << seed;
    EXPECT_GE(limits(d.explanations.front().policy.angle).precision, 24) << seed;
  }
}

// No model has these sections, and none this base.
TEST(SeveralAxes, AnySectionsAndBaseAreFoundAtGivenPositions) {
  const std::vector<Position> places = with_image(3, 7, 5, 20);
  const RotaryEmbedding made = sections({10, 30, 24}, 3e5);
  const Diagnosis d = diagnose(turned(made, places), at(places, 3));
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
  expect_sections(d, made, "as measured");
  EXPECT_EQ(d.explanations.front().position_offset, 0);
  EXPECT_EQ(pairs_on_axis(d.explanations.front(), 0).size(), 10U);
}

TEST(SeveralAxes, RowsAndColumnsOfAnImageHaveSeriesOfTheirOwn) {
  std::vector<Position> places;
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 10; ++j) places.emplace_back(std::vector{i, j});
  for (const AxisSeries series : {AxisSeries::restarted, AxisSeries::dealt}) {
    const RotaryEmbedding made = axial_embedding(64, 1e4, std::array<std::size_t, 2>{32, 32},
                                                 PairLayout::interleaved, series);
    for (const int order : {0, -1}) {
      const Diagnosis d = diagnose(turned(made, places, "float32", order), {});
      EXPECT_EQ(d.verdict, DiagnosisVerdict::unique) << order;
      expect_sections(d, made, "image");
      EXPECT_EQ(d.explanations.front().arrangement.in, order);
      expect_places(d, places, 2);
    }
  }
}

// Of 16-bit numbers slow pairs tell neither axis nor position: that is said, and the rest is right.
TEST(SeveralAxes, CoarseNumbersLeaveSlowPairsOpen) {
  const std::vector<Position> places = with_image(5, 6, 8, 11);
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  const Diagnosis d = diagnose(turned(made, places, "bfloat16-store"), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  expect_sections(d, made, "bfloat16");
  std::string open;
  for (const std::string& each : d.explanations.front().open) open += each + "\n";
  EXPECT_NE(open.find("the axis of pair"), std::string::npos) << open;
  EXPECT_NE(open.find("positions along width: several"), std::string::npos) << open;
  std::vector<std::int64_t> time;
  for (const Position& place : places) time.push_back(place[0]);
  EXPECT_EQ(positions_on_axis(d.explanations.front(), 0), time);
}

TEST(SeveralAxes, CoarseTablesPlaceFarTokensWithinTheirRounding) {
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  for (const std::int64_t start : {0, 100, 4088, 50000}) {
    std::vector<Position> places = with_image(4, 4, 5, 0);
    for (Position& place : places)
      place = Position(std::vector{start + place[0], start + place[1], start + place[2]});
    for (const char* policy : {"float32", "bfloat16-table", "bfloat16-store", "float16-table"}) {
      DiagnosisRequest request;
      request.assumed = Assumption{made};
      request.assumed->embedding.layout = PairLayout::half;
      const Diagnosis d = diagnose(turned(made, places, policy), request);
      ASSERT_FALSE(d.explanations.empty()) << policy << " from " << start;
      const Explanation& first = d.explanations.front();
      EXPECT_TRUE(first.assumed) << policy << " from " << start;
      std::vector<std::int64_t> time;
      for (const Position& place : places) time.push_back(place[0]);
      EXPECT_EQ(positions_on_axis(first, 0), time) << policy << " from " << start;
    }
  }
}

TEST(SeveralAxes, WhatIsStatedIsTriedAndWhatDiffersIsNamed) {
  const std::vector<Position> places = with_image(4, 5, 5, 9);
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  const test::RotatedVectors tensors = turned(made, places);
  DiagnosisRequest request = at(places, 3);
  request.assumed = Assumption{made};
  request.assumed->embedding.layout = PairLayout::half;
  Diagnosis d = diagnose(tensors, request);
  ASSERT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_TRUE(d.explanations.front().assumed);
  EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty());

  request.assumed->embedding.axes = sections({16, 20, 28}, 1e6).axes;
  d = diagnose(tensors, request);
  expect_sections(d, made, "other sections stated");
  const std::vector<Advice> all = differences(d.explanations.front(), *request.assumed);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NE(all.front().finding.find("sections 16, 24, 24 by time, height, width; you assume "
                                     "sections 16, 20, 28"),
            std::string::npos)
      << all.front().finding;
  EXPECT_NE(all.front().remedy.text.find("\"mrope_section\": [16, 24, 24]"), std::string::npos);
}

// One position per token explains them, whatever sections a model has.
TEST(SeveralAxes, TextAloneHasOnePositionPerToken) {
  const std::vector<Position> places = with_image(40, 0, 0, 0);
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  for (const bool given : {false, true}) {
    DiagnosisRequest request = given ? at(places, 3) : DiagnosisRequest{};
    request.assumed = Assumption{made};
    request.assumed->embedding.layout = PairLayout::half;
    const Diagnosis d = diagnose(turned(made, places), request);
    ASSERT_FALSE(d.explanations.empty());
    EXPECT_EQ(d.explanations.front().position_offset, 0);
    EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty());
  }
}

// Positions that are wrong do not hide the sections.
TEST(SeveralAxes, OfManyTokensOfTextThereIsOne) {
  const Made made{
      {0, 128, -1, -1}, default_embedding(128, 1e4), parse_policy("float32,store=bf16")};
  const test::RotatedVectors text = test::made_tensors(made, test::counted(0, 1024), 32, 128);
  const Diagnosis d = diagnose(text, {});
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_FALSE(d.explanations.front().spectrum().embedding.axes.several());
  EXPECT_EQ(d.explanations.front().spectrum().embedding.base, 1e4);
}

TEST(SeveralAxes, OtherPositionsThanThoseGivenAreFound) {
  const std::vector<Position> places = with_image(6, 4, 5, 8);
  std::vector<Position> wrong = places;
  for (Position& place : wrong) place[1] = place[2];
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  const Diagnosis d = diagnose(turned(made, places), at(wrong, 3));
  expect_sections(d, made, "wrong positions");
  EXPECT_FALSE(d.explanations.front().position_offset);
  expect_places(d, places, 3);
}

// A free place for each token must not explain what is no rotation by positions.
TEST(SeveralAxes, AnglesOfNoPositionsAreNotExplained) {
  for (const std::size_t d : {8U, 16U, 128U})
    for (const char* policy : {"float32", "bfloat16-store"}) {
      RandomStream random(3, d);
      test::RotatedVectors tensors =
          test::random_tensors(12, 2, d, parse_policy(policy).store, random);
      std::vector<double> turn(d / 2);
      for (std::size_t t = 0; t < tensors.tokens; ++t) {
        random.fill_normal(turn);
        RotaryEmbedding one = default_embedding(d, 1e4);
        one.frequencies = given_frequencies([&] {
          std::vector<double> theta;
          for (const double each : turn) theta.push_back(std::abs(each));
          return theta;
        }());
        test::RotatedVectors token = test::random_tensors(1, 2, d, Format::float64, random);
        std::copy_n(tensors.x.begin() + static_cast<std::ptrdiff_t>(tensors.row(t, 0)), 2 * d,
                    token.x.begin());
        test::rotate_into({{0, d, 0, 0}, one, parse_policy(policy), false}, {1}, token);
        std::copy_n(token.y.begin(), 2 * d,
                    tensors.y.begin() + static_cast<std::ptrdiff_t>(tensors.row(t, 0)));
      }
      for (const Explanation& e : diagnose(tensors, {}).explanations)
        EXPECT_TRUE(e.regimes.front().on_axes.empty()) << d << " " << policy;
    }
}

// Two coarse angles fit some place on an axis whatever they are.
TEST(SeveralAxes, FewCoarsePairsPlaceNothing) {
  DiagnosisRequest request;
  request.assumed = Assumption{axial_embedding(8, 1e4, std::array<std::size_t, 2>{4, 4})};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Made plain{{0, 8, 0, 0},
                     default_embedding(8, 300 + static_cast<double>(seed)),
                     parse_policy("bfloat16-store"),
                     false};
    const test::RotatedVectors tensors =
        test::made_tensors(plain, test::counted(40, 2), 1, 8, seed);
    for (const Explanation& e : diagnose(tensors, request).explanations)
      EXPECT_TRUE(e.regimes.front().on_axes.empty()) << seed;
  }
}

/// Of two pairs each may have a position of its own, so that axes explain any angles.
TEST(SeveralAxes, ExplainNoTwoPairs) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const test::Made made{
        {12, 4, -1, -1}, default_embedding(4, 846136.92), *find_policy("exact"), false};
    const test::RotatedVectors one =
        test::made_tensors(made, std::vector<std::int64_t>{1629}, 1, 16, seed);
    const Diagnosis found = diagnose(one, {});
    for (const Explanation& e : found.explanations)
      EXPECT_FALSE(e.spectrum().embedding.axes.several()) << seed;
    EXPECT_NE(found.verdict, DiagnosisVerdict::unique) << seed;
  }
}

TEST(SeveralAxes, RowsOfABatchHavePlacesOfTheirOwn) {
  const RotaryEmbedding made = sections({16, 24, 24}, 1e6);
  std::vector<Position> places = with_image(5, 3, 4, 5);
  const std::vector<Position> other = with_image(2, 4, 4, 4);
  const std::size_t tokens = places.size();
  ASSERT_EQ(other.size(), tokens);
  places.insert(places.end(), other.begin(), other.end());
  const test::RotatedVectors tensors = turned(made, places, "float32", -1, 1);
  TokenReading reading{1, std::nullopt, 0, places, 3};
  const ArrayDiagnosis found = diagnose_arrays(std::vector<std::size_t>{2, tokens, 128}, tensors.x,
                                               tensors.y, std::vector{reading}, DiagnosisRequest{});
  EXPECT_EQ(found.diagnosis.verdict, DiagnosisVerdict::unique);
  expect_sections(found.diagnosis, made, "rows");
}

TEST(SeveralAxes, PlacesAreOnePerTokenOnTwoToFourAxes) {
  const test::RotatedVectors tensors = turned(sections({16, 24, 24}, 1e6), with_image(5, 3, 3, 3));
  EXPECT_THROW(diagnose(tensors, at(with_image(4, 3, 3, 3), 3)), ShapeError);
  EXPECT_THROW(diagnose(tensors, at(with_image(5, 3, 3, 3), 5)), ShapeError);
  std::vector<Position> far = with_image(5, 3, 3, 3);
  far.back()[2] = std::int64_t{1} << 62;
  EXPECT_THROW(diagnose(tensors, at(far, 3)), DomainError);
}

// FLUX: the index of every token is 0, and its pairs do not move.
TEST(Axes, StatedAxesFitThoughEveryTokenStandsAtZeroOnOne) {
  const std::array<std::size_t, 3> dims = {16, 56, 56};
  RotaryEmbedding flux = axial_embedding(128, 1e4, dims);
  std::vector<Position> places;
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 9; ++j) places.emplace_back(std::vector<std::int64_t>{0, i, j});
  const test::RotatedVectors tensors = turned(flux, places, "float32", 0);
  DiagnosisRequest request = at(places, 3);
  request.assumed = Assumption{flux, true, true, true};
  const Diagnosis d = diagnose(tensors, request);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(d.explanations.front().assumed);
  EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty());
  EXPECT_EQ(sections_text(flux.axes), "axes of 16, 56, 56 dimensions by time, height, width");
}

// Nothing of FLUX's index axis shows; the rest tells that the base is another one.
TEST(Axes, StatedAxesWithAWrongBaseDifferInTheirBaseAlone) {
  const std::array<std::size_t, 3> dims = {16, 56, 56};
  std::vector<Position> places;
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 9; ++j) places.emplace_back(std::vector<std::int64_t>{0, i, j});
  const test::RotatedVectors tensors =
      turned(axial_embedding(128, 1e4, dims), places, "float32", 0);
  for (const bool given : {true, false}) {
    DiagnosisRequest request = given ? at(places, 3) : DiagnosisRequest();
    request.assumed = Assumption{axial_embedding(128, 5e5, dims), true, true, given};
    const Diagnosis d = diagnose(tensors, request);
    ASSERT_FALSE(d.explanations.empty());
    const std::vector<Advice> told = differences(d.explanations.front(), *request.assumed);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().finding, "the base is 10000; you assume 500000");
  }
}

/// ChatGLM-6B: each axis turns a half of the head, in which the pairs lie half a block apart.
test::RotatedVectors turned_in_blocks(const RotaryEmbedding& embedding,
                                      const std::vector<Position>& places) {
  test::RotatedVectors all = turned(embedding, places);  // for x alone
  for (std::size_t t = 0; t < places.size(); ++t)
    for (std::size_t lane = 0; lane < all.lanes; ++lane)
      for (std::size_t k = 0; k < embedding.pairs(); ++k) {
        const std::size_t axis = embedding.axes.of_pair[k];
        const double angle = static_cast<double>(places[t][axis]) * embedding.frequencies.theta[k];
        const auto [first, second] = embedding.dimensions(k);
        const std::size_t row = all.row(t, lane);
        const double a = all.x[row + first], b = all.x[row + second];
        all.y[row + first] =
            static_cast<double>(static_cast<float>(a * std::cos(angle) - b * std::sin(angle)));
        all.y[row + second] =
            static_cast<double>(static_cast<float>(a * std::sin(angle) + b * std::cos(angle)));
      }
  return all;
}

TEST(Axes, PairsMayLieWithinTheBlockOfTheirAxis) {
  const std::array<std::size_t, 2> dims = {64, 64};
  const RotaryEmbedding glm =
      axial_embedding(128, 1e4, dims, PairLayout::half, AxisSeries::restarted, true);
  const std::vector<Position> places = [] {
    std::vector<Position> all;
    for (std::int64_t t = 0; t < 24; ++t) all.emplace_back(std::vector{t, std::int64_t{0}});
    for (std::int64_t t = 1; t < 14; ++t) all.emplace_back(std::vector{std::int64_t{22}, t});
    return all;
  }();
  const test::RotatedVectors tensors = turned_in_blocks(glm, places);
  DiagnosisRequest stating = at(places, 2);
  stating.assumed = Assumption{glm, true, true, true};
  for (const DiagnosisRequest& request : {DiagnosisRequest(), at(places, 2), stating}) {
    const Diagnosis d = diagnose(tensors, request);
    expect_sections(d, glm, "blocks");
    ASSERT_FALSE(d.explanations.empty());
    EXPECT_EQ(name(d.explanations.front().arrangement), "half-in-2-blocks");
    if (request.assumed) {
      EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty());
    }
  }
  stating.assumed->embedding.axes.own_block = false;
  const Diagnosis d = diagnose(tensors, stating);
  ASSERT_FALSE(d.explanations.empty());
  const std::vector<Advice> told = differences(d.explanations.front(), *stating.assumed);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(
      told.front().finding,
      "the pairs are (i, i + 32) within each of 2 blocks of 64 dimensions; you assume (i, i + "
      "64) over all 128 dimensions");
  const std::array<std::size_t, 2> unequal = {48, 80};
  stating.assumed->embedding =
      axial_embedding(128, 1e4, unequal, PairLayout::half, AxisSeries::restarted, true);
  EXPECT_THROW(diagnose(tensors, stating), ShapeError);
}

}  // namespace
}  // namespace rope
