// Encodings side by side: what is measured of each, how they are called, what is left out.
#include <gtest/gtest.h>

#include <cmath>

#include "rope/encodings/vectors.hpp"
#include "rope/error.hpp"
#include "rope/studies/comparison.hpp"

namespace rope {
namespace {

ComparisonSettings settings_of(const std::vector<std::string>& texts) {
  ComparisonSettings settings;
  settings.context.rotary = default_embedding(8, 10000);
  settings.context.trained = 64;
  settings.context.length = 256;
  settings.context.heads = 4;
  settings.layers = 2;
  settings.tokens = 8;
  for (const std::string& text : texts) settings.encodings.push_back(parse_encoding(text));
  return settings;
}

EncodingComparison compared(const std::vector<std::string>& texts) {
  return compare_encodings(settings_of(texts));
}

TEST(Comparison, OfAlibiIsWorkedOutByHand) {
  const EncodingComparison comparison = compared({"alibi:head=0"});
  ASSERT_EQ(comparison.results.size(), 1U);
  const ComparedEncoding& alibi = comparison.results[0];
  const double slope = 0.25;  // 2^(−8/4)
  EXPECT_EQ(comparison.reach, 8);
  EXPECT_EQ(alibi.scores.shifts, (std::vector<std::int64_t>{0, 1, 10, 47}));
  EXPECT_EQ(alibi.scores.distances.front(), -8);
  for (std::size_t i = 0; i < alibi.scores.distances.size(); ++i) {
    const auto apart = std::abs(static_cast<double>(alibi.scores.distances[i]));
    EXPECT_NEAR(alibi.scores.scores.back()[i], -slope * apart, 1e-14);
  }
  EXPECT_NEAR(alibi.map(7, 2), -slope * 5, 1e-14);
  EXPECT_FALSE(alibi.spread.violated());
  EXPECT_FALSE(alibi.directions.violated());
  EXPECT_EQ(alibi.law.name, "linear");
  EXPECT_EQ(comparison.decay_reach, 32);
  EXPECT_NEAR(alibi.fall, -slope * 32, 1e-12);
  EXPECT_EQ(alibi.cost.flops, 4 * 64);
  EXPECT_EQ(alibi.cost_share, 4 * 64 / (8.0 * 32 * 32));
  EXPECT_EQ(alibi.unseen, 1);
  EXPECT_EQ(alibi.undefined, "");
  EXPECT_NE(alibi.remark.find("here 0.25 for head 0"), std::string::npos) << alibi.remark;
  EXPECT_NEAR(comparison.content, dot(comparison.q, comparison.k) / std::sqrt(8.0), 0);
}

TEST(Comparison, SaysWhyThereIsNoScoreBeyondTraining) {
  const EncodingComparison comparison = compared({"learned", "none"});
  EXPECT_EQ(comparison.results[0].undefined, "learned: expected a position from 0 to 63, got 255");
  EXPECT_TRUE(comparison.results[0].spread.violated());
  EXPECT_EQ(comparison.results[1].undefined, "");
  EXPECT_EQ(comparison.results[1].map.cwiseAbs().maxCoeff(), 0);
}

TEST(Comparison, DrawsMapsOfEncodingsThatAreMadeForThem) {
  const EncodingComparison comparison = compared({"rerope", "rerope:window=40"});
  EXPECT_EQ(comparison.results[0].values.whole("window"), 32);
  EXPECT_EQ(comparison.results[0].caption, "w = 2");
  EXPECT_EQ(comparison.results[1].caption, "w = 40");
  // Beyond the window of the map nothing changes with the distance.
  const std::vector<double>& drawn = comparison.results[0].drawn.scores.front();
  EXPECT_EQ(drawn[0], drawn[1]);
  const std::vector<double>& measured = comparison.results[0].scores.scores.front();
  EXPECT_NE(measured[0], measured[1]);
}

TEST(Comparison, HidesWhatTheMaskHides) {
  ComparisonSettings settings = settings_of({"rope"});
  settings.mask = Mask::causal;
  const EncodingComparison comparison = compare_encodings(std::move(settings));
  EXPECT_FALSE(std::isfinite(comparison.results[0].map(0, 3)));
  EXPECT_TRUE(std::isfinite(comparison.results[0].map(3, 0)));
}

TEST(Comparison, NamesAnEncodingByItsParametersOnlyWhereItIsThereTwice) {
  const EncodingComparison comparison = compared({"t5:buckets=8", "shaw:clip=2", "t5"});
  std::vector<std::string> labels, titles;
  for (const ComparedEncoding& result : comparison.results) {
    labels.push_back(result.label);
    titles.push_back(result.title);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"t5:buckets=8", "shaw", "t5"}));
  EXPECT_EQ(titles, (std::vector<std::string>{"T5 bias buckets=8", "Shaw", "T5 bias"}));
  EXPECT_EQ(comparison.results[0].cost.parameters, 4 * 8);
  EXPECT_EQ(comparison.results[2].cost.parameters, 4 * 32);
}

TEST(Comparison, LeavesOutWhatCannotBeMadeOnlyIfItMay) {
  ComparisonSettings settings = settings_of({"none", "shaw:clip=16777216"});
  EXPECT_THROW(compare_encodings(settings), DomainError);
  settings.leave_out = true;
  int steps = 0;
  const EncodingComparison comparison = compare_encodings(settings, [&] { ++steps; });
  EXPECT_EQ(comparison.results.size(), 1U);
  EXPECT_EQ(comparison.notes,
            std::vector<std::string>{"shaw:clip=16777216 is omitted: table: expected at most "
                                     "4194304 rows of 8 learned numbers, got 33554433"});
  EXPECT_EQ(steps, 2);
}

TEST(Comparison, RefusesLengthsThatLeaveNoRoom) {
  ComparisonSettings settings = settings_of({"none"});
  settings.context.trained = 15;
  EXPECT_THROW(compare_encodings(settings), DomainError);
  settings.context.trained = 257;
  EXPECT_THROW(compare_encodings(settings), DomainError);
  settings.context.trained = 16;
  EXPECT_EQ(compare_encodings(settings).results.size(), 1U);
  settings.tokens = 1;
  EXPECT_THROW(compare_encodings(settings), DomainError);
}

TEST(Comparison, OfAllEncodingsHasEachOnce) {
  ComparisonSettings settings = settings_of({});
  settings.encodings = all_encodings();
  const EncodingComparison comparison = compare_encodings(std::move(settings));
  ASSERT_EQ(comparison.results.size(), encodings().size());
  for (std::size_t i = 0; i < encodings().size(); ++i)
    EXPECT_EQ(comparison.results[i].label, encodings()[i].name);
}

}  // namespace
}  // namespace rope
