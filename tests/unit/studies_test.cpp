// The studies behind the commands: what each assembles from the layers below.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "rope/rotary/axial.hpp"
#include "rope/scaling/scaling.hpp"
#include "rope/studies/decay.hpp"
#include "rope/studies/decay_map.hpp"
#include "rope/studies/extension.hpp"
#include "rope/studies/inspection.hpp"
#include "rope/studies/matrix_properties.hpp"
#include "rope/studies/precision.hpp"

namespace rope {
namespace {

ExtensionRequest four_times(std::size_t dim) {
  ExtensionRequest request;
  request.trained = default_embedding(dim, 10000);
  request.trained_length = 64;
  request.length = 256;
  return request;
}

std::vector<std::string> labels(const ExtensionStudy& study) {
  std::vector<std::string> all;
  for (const ExtensionResult& result : study.results) all.push_back(result.label);
  return all;
}

TEST(ExtensionStudy, TheLengthsFillInWhatARuleLacks) {
  const ExtensionStudy study = extension_study(four_times(16));
  EXPECT_EQ(labels(study),
            (std::vector<std::string>{"none", "base 40000", "linear:factor=4", "ntk:factor=4",
                                      "ntk-mixed:factor=4", "dynamic:factor=1,original=64",
                                      "yarn:factor=4,original=64",
                                      "llama3:factor=4,high=4,low=1,original=64"}));
  EXPECT_DOUBLE_EQ(study.ntk_factor, std::pow(4.0, 16.0 / 14.0));
  EXPECT_EQ(study.rerope.window, 32);
  EXPECT_EQ(study.rerope(255), 63);  // the last distances of both lengths
  EXPECT_TRUE(study.notes.empty());
  EXPECT_FALSE(study.smallest_base);
}

TEST(ExtensionStudy, EachResultIsThatOfItsFrequencies) {
  ExtensionRequest request = four_times(16);
  request.rules = {parse_scaling("linear"), parse_scaling("linear:factor=2")};
  std::size_t steps = 0;
  const ExtensionStudy study = extension_study(request, [&steps] { ++steps; });
  ASSERT_EQ(labels(study),
            (std::vector<std::string>{"none", "linear:factor=4", "linear:factor=2"}));
  EXPECT_EQ(steps, 3U);
  EXPECT_EQ(study.results[1].short_label, "linear");
  EXPECT_EQ(study.results[2].short_label, "linear:factor=2");  // tells it from the other one
  for (std::size_t i = 0; i < 3; ++i) {
    const ExtensionResult& result = study.results[i];
    const double slower = std::vector<double>{1, 4, 2}[i];
    for (std::size_t k = 0; k < 8; ++k)
      EXPECT_DOUBLE_EQ(result.embedding.frequencies.theta[k],
                       request.trained.frequencies.theta[k] / slower);
    EXPECT_DOUBLE_EQ(result.coverage.reach[0], 4 / slower);
    EXPECT_EQ(result.decay.mean_cosine,
              decay_curve(result.embedding.frequencies, study.distances).mean_cosine);
  }
  EXPECT_EQ(study.distances.front(), 1);
  EXPECT_EQ(study.distances.back(), 256);
}

TEST(ExtensionStudy, ARuleThatCannotBeIsLeftOutUnlessItWasAskedFor) {
  ExtensionRequest request = four_times(2);
  const ExtensionStudy study = extension_study(request);
  ASSERT_EQ(study.notes.size(), 2U);
  EXPECT_TRUE(study.notes[0].starts_with("ntk is omitted: "));
  EXPECT_TRUE(study.notes[1].starts_with("dynamic is omitted: "));
  request.rules = {parse_scaling("ntk")};
  EXPECT_THROW(extension_study(request), Error);
}

TEST(ExtensionStudy, ARuleOfTrainingIsLeftOut) {
  ExtensionRequest request = four_times(16);
  ScalingContext context;
  context.base = 10000;
  context.head_dim = context.rotary_dim = 16;
  request.trained = scaled_embedding(parse_scaling("yarn:factor=8,original=64"), context,
                                     PairLayout::interleaved);
  const ExtensionStudy study = extension_study(request);
  EXPECT_TRUE(study.notes.empty());
  EXPECT_FALSE(study.results[0].own);
  ASSERT_TRUE(study.results[1].own);
  EXPECT_EQ(study.results[1].embedding.frequencies.theta, request.trained.frequencies.theta);
  EXPECT_EQ(study.trained.frequencies.theta, default_embedding(16, 10000).frequencies.theta);
  EXPECT_EQ(study.trained.attention_factor, 1);
  EXPECT_EQ(study.results[0].coverage.reach[0], 4);  // of itself, as there is no rule
}

TEST(ExtensionStudy, WhatCannotBeIsRefused) {
  ExtensionRequest request = four_times(16);
  request.length = 63;
  EXPECT_THROW(extension_study(request), DomainError);
  request = four_times(16);
  request.trained_length = 0;
  EXPECT_THROW(extension_study(request), DomainError);
  for (const std::int64_t window : {-1, 64}) {
    request = four_times(16);
    request.window = window;
    EXPECT_THROW(extension_study(request), DomainError) << window;
  }
  request = four_times(16);
  request.trained.base.reset();
  EXPECT_THROW(extension_study(request), DomainError);
}

TEST(PrecisionStudy, PositionsAreAnOctaveApartAndEndWithTheLast) {
  PrecisionRequest request;
  request.embedding = default_embedding(4, 10000);
  request.policies = {*find_policy("float32"), *find_policy("float16-positions")};
  request.last = 70000;
  request.exhaustive = 64;
  std::size_t steps = 0;
  const PrecisionStudy study = precision_study(request, [&steps] { ++steps; });
  EXPECT_EQ(steps, 2U * 2 * 2);  // policies, questions, pairs
  const std::vector<std::int64_t> first(study.positions.begin(), study.positions.begin() + 5);
  EXPECT_EQ(first, (std::vector<std::int64_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(study.positions.back(), 70000);
  EXPECT_EQ(study.results[0].last, 70000);
  EXPECT_EQ(study.results[0].distinct, 70001);
  EXPECT_EQ(study.results[0].against[1].errors.size(), study.positions.size());
  EXPECT_LT(study.results[1].last, 70000);  // the largest float16 is 65504
  EXPECT_LT(study.results[1].distinct, 70001);
  EXPECT_EQ(study.results[1].against[0].errors.back().position, 32768);  // 65536 is beyond it
}

// Every m ≤ n is looked at up to 64, so that the largest error found is the largest there is.
TEST(PrecisionStudy, TheLargestErrorIsSaidToBeOneWhereAllWereLookedAt) {
  PrecisionRequest request;
  request.embedding = default_embedding(2, 10000);
  request.policies = {*find_policy("bfloat16-positions")};
  request.against = {Against::exact};
  request.last = 4096;
  request.exhaustive = 64;
  const PrecisionStudy study = precision_study(request);
  const Pipeline pipeline(request.policies[0], request.embedding);
  for (const PositionError& error : study.results[0].against[0].errors) {
    const std::int64_t last = error.position;
    if (last > 64) {
      EXPECT_FALSE(error.largest && error.worst.error < error.bound / 2) << last;
      continue;
    }
    if ((last & (last - 1)) != 0) continue;
    double largest = 0;
    for (std::int64_t n = 0; n <= last; ++n)
      for (std::int64_t m = 0; m <= n; ++m)
        largest = std::max(largest, position_error(pipeline, Against::exact, m, n, 0));
    EXPECT_TRUE(error.largest) << last;
    EXPECT_LE(error.worst.error, largest) << last;
    EXPECT_GE(error.worst.error, largest * (1 - kLargestWithin) - kSearchNoise) << last;
  }
}

TEST(PrecisionStudy, WhatCannotBeIsRefused) {
  PrecisionRequest request;
  request.embedding = default_embedding(4, 10000);
  request.last = 0;
  EXPECT_THROW(precision_study(request), DomainError);
  request.last = 8;
  request.exhaustive = -1;
  EXPECT_THROW(precision_study(request), DomainError);
  request.exhaustive = 100;
  EXPECT_EQ(precision_study(request).exhaustive, 8);
}

TEST(MatrixProperties, CompositionNeedsTwoPositions) {
  RotaryEmbedding embedding = default_embedding(8, 10000);
  embedding.attention_factor = 1.5;  // the properties are those of R/A
  const std::vector<std::int64_t> positions = {7, -3, 100000};
  std::size_t steps = 0;
  const std::vector<PropertyResult> all =
      matrix_properties(embedding, positions, [&steps] { ++steps; });
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(steps, 3U);
  for (const PropertyResult& property : all)
    EXPECT_TRUE(!property.check.violated()) << property.name;
  EXPECT_FALSE(all[0].n);
  ASSERT_TRUE(all[3].n);
  EXPECT_EQ(matrix_properties(embedding, std::vector<std::int64_t>{7}).size(), 3U);
}

// The deviation kept is the largest of all positions.
TEST(MatrixProperties, TheLargestDeviationIsKept) {
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  std::vector<std::int64_t> positions(100);
  std::iota(positions.begin(), positions.end(), std::int64_t{1});
  const PropertyResult kept = matrix_properties(embedding, positions)[0];
  double largest = 0;
  for (const std::int64_t m : positions)
    largest = std::max(largest,
                       matrix_properties(embedding, std::vector<std::int64_t>{m})[0].check.error);
  EXPECT_GT(largest, 0);
  EXPECT_EQ(kept.check.error, largest);
  EXPECT_EQ(matrix_properties(embedding, std::vector<std::int64_t>{kept.m})[0].check.error,
            largest);
}

TEST(MatrixProperties, PositionsThatAreTooFarApartAreRefused) {
  const std::vector<std::int64_t> positions = {std::numeric_limits<std::int64_t>::min(), 1};
  EXPECT_THROW(matrix_properties(default_embedding(4, 10000), positions), DomainError);
}

// 1500 distances are computed in two parts.
TEST(DecayStudy, PartsMakeTheWholeCurve) {
  DecayRequest request;
  request.embeddings = {default_embedding(8, 10000), default_embedding(8, 0.5)};
  request.distances.resize(1500);
  std::iota(request.distances.begin(), request.distances.end(), std::int64_t{1});
  request.random_pairs = 3;
  std::size_t done = 0;
  const std::vector<DecayResult> results =
      decay_study(request, [&done](std::size_t more) { done += more; });
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(done, 3000U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Frequencies& frequencies = request.embeddings[i].frequencies;
    const DecayCurve curve = decay_curve(frequencies, request.distances);
    EXPECT_EQ(results[i].curve.bound, curve.bound);
    EXPECT_EQ(results[i].curve.mean_cosine, curve.mean_cosine);
    const RandomScores scores = random_scores(frequencies, request.distances, 3, request.seed);
    EXPECT_EQ(results[i].random.mean, scores.mean);
    EXPECT_EQ(results[i].random.deviation, scores.deviation);
    EXPECT_EQ(results[i].negative.first.distance, first_negative(frequencies, 1500).distance);
  }
  EXPECT_EQ(results[0].law, logarithmic_law(10000, request.distances));
  EXPECT_TRUE(results[1].law.empty());  // there is none for a base below 1
}

TEST(DecayStudy, TheLargestDistanceMayBeOnEitherSide) {
  EXPECT_EQ(largest_distance({-7, 3}), 7);
  EXPECT_EQ(largest_distance({-2, 3}), 3);
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(largest_distance({kLeast}), std::numeric_limits<std::int64_t>::max());
  EXPECT_THROW(decay_study({{default_embedding(4, 10000)}, {}, 0}), DomainError);
}

/// The mean cosine at one distance an axis, by the formula.
double mean_cosine(double base, const std::vector<std::size_t>& dims,
                   const std::vector<std::int64_t>& distances) {
  double sum = 0, pairs = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    for (std::size_t j = 0; j < dims[axis]; j += 2, ++pairs)
      sum += std::cos(static_cast<double>(distances[axis]) *
                      std::pow(base, -static_cast<double>(j) / static_cast<double>(dims[axis])));
  return sum / pairs;
}

TEST(DecayMap, IsTheMeanCosineOverRowsAndColumns) {
  const std::vector<std::size_t> dims = {8, 12, 20};
  const RotaryEmbedding embedding = axial_embedding(40, 10000, dims);
  const DecayMap map = decay_map(embedding, {-9, 0, 30});
  EXPECT_EQ(map.row_axis, 1U);
  EXPECT_EQ(map.column_axis, 2U);
  // Angles of up to 30 rad within 2 ulp, and a sum of 20 cosines.
  const double bound = 60 * 0x1p-52 + 24 * 0x1p-53;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      EXPECT_LE(std::abs(map.at(row, column) -
                         mean_cosine(10000, dims, {0, map.distances[row], map.distances[column]})),
                bound);
  EXPECT_EQ(map.at(1, 1), 1);
}

TEST(DecayMap, FindsHeightAndWidthAmongFourAxes) {
  RotaryEmbedding embedding = default_embedding(16, 10000);
  embedding.axes = section_axes(std::vector<std::size_t>{2, 3, 3, 0}, 8);
  const DecayMap map = decay_map(embedding, {0, 1});
  EXPECT_EQ(map.row_axis, 1U);
  EXPECT_EQ(map.column_axis, 2U);
  embedding.axes.names = {"a", "b", "c", "d"};
  EXPECT_EQ(decay_map(embedding, {0}).column_axis, 3U);
  EXPECT_THROW(decay_map(default_embedding(8, 10000), {0}), ShapeError);
}

TEST(Inspection, CountsTheTurnsWithinTheWindow) {
  const Inspection inspection =
      inspect([](const ReadOptions& options) { return preset_model("gemma-3-27b", options); }, {});
  // λ_36 = 2π·10000^(36/64) = 1117 tokens, more than the window of 1024; λ_35 = 968 is less.
  ASSERT_EQ(inspection.numbers[1].incomplete.size(), 28U);
  EXPECT_EQ(inspection.numbers[1].incomplete.front(), 36U);
  EXPECT_EQ(inspection.numbers[0].incomplete.size(), 27U);
}

TEST(Inspection, CountsTheTurnsWithinTheContext) {
  const Inspection inspection =
      inspect([](const ReadOptions& options) { return preset_model("llama-3.1-8b", options); }, {});
  ASSERT_EQ(inspection.numbers.size(), 1U);
  const std::vector<double>& wavelength = inspection.model.layers[0].scaled.frequencies.wavelength;
  const LayerNumbers& numbers = inspection.numbers[0];
  ASSERT_EQ(numbers.turns.size(), 64U);
  std::vector<std::size_t> slow;
  for (std::size_t k = 0; k < 64; ++k) {
    EXPECT_EQ(numbers.turns[k], 131072 / wavelength[k]);
    if (wavelength[k] > 131072) slow.push_back(k);
  }
  EXPECT_EQ(numbers.incomplete, slow);
  EXPECT_FALSE(slow.empty());
  EXPECT_EQ(numbers.negative.first.distance, 85133);
}

TEST(Inspection, OtherEnginesAreAskedBesideTransformersAlone) {
  const auto read = [](const ReadOptions& options) {
    return preset_model("phi-3-vision-128k", options);
  };
  EXPECT_FALSE(inspect(read, {}).engines.empty());
  ReadOptions options;
  options.engine = Engine::ggml;
  EXPECT_TRUE(inspect(read, options).engines.empty());
}

}  // namespace
}  // namespace rope
