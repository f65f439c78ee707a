// What is certain, what is only said to fit, and what is said not to be known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

using test::counted;
using test::Made;

Made made(std::size_t r, double base, PairLayout layout, const char* policy) {
  const int order = layout == PairLayout::interleaved ? 0 : -1;
  return {{0, r, order, order}, default_embedding(r, base), parse_policy(policy)};
}

/// What is right of an implementation.
RotaryEmbedding stated(const Made& made) {
  RotaryEmbedding embedding = made.embedding;
  embedding.layout = made.arrangement.in == 0 ? PairLayout::interleaved : PairLayout::half;
  return embedding;
}

DiagnosisRequest assuming(const RotaryEmbedding& embedding, std::vector<std::int64_t> positions) {
  DiagnosisRequest request;
  request.positions = std::move(positions);
  request.assumed = Assumption{embedding};
  request.assumed->positions = true;
  return request;
}

bool open(const Explanation& e, std::string_view words) {
  return std::any_of(e.open.begin(), e.open.end(), [&](const std::string& sentence) {
    return sentence.find(words) != std::string::npos;
  });
}

TEST(Certainty, ShortPromptsOfCoarseNumbersAreNeverCertainAndWrong) {
  constexpr const char* kPolicies[] = {"bfloat16-table", "float32,table=bf16,store=bf16",
                                       "bfloat16-store", "float16-table"};
  for (const char* policy : kPolicies)
    for (const PairLayout layout : {PairLayout::interleaved, PairLayout::half})
      for (const double base : {1e4, 8e6})
        for (const std::size_t tokens : {2U, 3U, 5U, 8U, 16U}) {
          SCOPED_TRACE(std::string(policy) + " " + std::string(name(layout)) + " " +
                       std::to_string(base) + " " + std::to_string(tokens));
          const Made truth = made(64, base, layout, policy);
          const test::RotatedVectors tensors =
              test::made_tensors(truth, counted(0, tokens), 2, 64, tokens);
          const Diagnosis told = diagnose(tensors, assuming(stated(truth), counted(0, tokens)));
          ASSERT_FALSE(told.explanations.empty());
          EXPECT_TRUE(told.explanations.front().assumed);
          EXPECT_NE(told.verdict, DiagnosisVerdict::none);
          const Diagnosis blind = diagnose(tensors, {});
          EXPECT_NE(blind.verdict, DiagnosisVerdict::none);
          if (blind.verdict != DiagnosisVerdict::unique) continue;
          EXPECT_EQ(blind.explanations.front().arrangement, truth.arrangement);
          EXPECT_LE(blind.explanations.front().spectrum().base_low, base);
          EXPECT_GE(blind.explanations.front().spectrum().base_high, base);
        }
}

/// At two tokens much comes near by chance: a mistake, another convention for every head.
TEST(Certainty, FewTokensThatTurnAreNeverCalledAMistake) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const std::size_t lanes : {1U, 3U}) {
      SCOPED_TRACE(seed);
      Made truth = made(8, 12345, PairLayout::interleaved, "bfloat16-store");
      truth.embedding.frequencies = given_frequencies(std::vector<double>{1, 0.09, 0.008, 0.0003});
      truth.embedding.base.reset();
      test::RotatedVectors tensors = test::made_tensors(truth, {1, 2}, lanes, 16, seed);
      // Next to large numbers that pass through, all that is wrong is small.
      for (std::size_t i = 0; i < tensors.x.size(); ++i)
        if (i % 16 >= 8) tensors.x[i] = tensors.y[i] = 32 * tensors.x[i];
      EXPECT_NE(diagnose(tensors, {}).verdict, DiagnosisVerdict::none);
    }
}

TEST(Certainty, WrongPositionsAreNoReasonToSayThatNothingTurns) {
  Made truth = made(64, 640000, PairLayout::half, "float16-table");
  std::vector<std::int64_t> shuffled;
  for (std::int64_t t = 0; t < 33; ++t) shuffled.push_back(t * 14 % 33);
  const test::RotatedVectors tensors = test::made_tensors(truth, shuffled, 3, 128);
  DiagnosisRequest counted_up;
  counted_up.positions = counted(0, 33);
  const Diagnosis d = diagnose(tensors, counted_up);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_TRUE(!d.best_fit || d.best_fit->straying.empty());
  counted_up.positions = shuffled;
  EXPECT_EQ(diagnose(tensors, counted_up).verdict, DiagnosisVerdict::unique);
}

TEST(Certainty, SizesWhosePairsTurnUnseenAreAllNamed) {
  const Made truth = made(128, 8e6, PairLayout::interleaved, "float32,table=bf16,store=bf16");
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 8), 8, 128), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  std::vector<std::size_t> sizes;
  for (const Explanation& e : d.explanations) sizes.push_back(e.arrangement.rotary_dim);
  std::sort(sizes.begin(), sizes.end());
  ASSERT_FALSE(sizes.empty());
  ASSERT_LT(sizes.front(), 128U);
  for (std::size_t r = sizes.front(); r <= 128; r += 2)
    EXPECT_NE(std::find(sizes.begin(), sizes.end(), r), sizes.end()) << r;
}

TEST(Certainty, OnePairThatTurnsLeavesTheSizeOpen) {
  const Made truth = made(4, 5e6, PairLayout::interleaved, "bfloat16-store");
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 4), 1, 16), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

TEST(Certainty, SlowPairsBeforeTheOthersLeaveTheSizeOpenToo) {
  Made truth = made(64, 8e6, PairLayout::interleaved, "bfloat16-store");
  std::vector<double> theta = truth.embedding.frequencies.theta;
  std::reverse(theta.begin(), theta.end());
  truth.embedding.frequencies = given_frequencies(theta);
  truth.embedding.base.reset();
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 8), 4, 64), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
}

TEST(Certainty, PairsThatDoNotVisiblyTurnHaveNoFrequency) {
  Made truth = made(64, 5e5, PairLayout::half, "bfloat16-table");
  std::vector<double> theta = truth.embedding.frequencies.theta;
  for (std::size_t k = 0; k < theta.size(); ++k)  // no rule
    theta[k] = round_to(Format::bfloat16, theta[k] * (1 + 0.02 * static_cast<double>(k * 7 % 5)));
  truth.embedding.frequencies = given_frequencies(theta);
  truth.embedding.base.reset();
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 200), 4, 64), {});
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(d.explanations.empty());
  const Explanation& e = d.explanations.front();
  const Spectrum& s = e.spectrum();
  ASSERT_FALSE(s.recognised);
  EXPECT_FALSE(s.known(31));
  EXPECT_TRUE(s.known(0));
  EXPECT_TRUE(open(e, "the frequencies of pairs"));
  for (std::size_t k = 0; k < 32; ++k)
    EXPECT_LE(std::abs(s.embedding.frequencies.theta[k] - theta[k]), s.error_of(k)) << k;
}

TEST(Certainty, FewPairsFarFrom0LeaveTheirOffsetOpen) {
  // Two pairs fix no more than a base: with a factor beside it, another offset fits as well.
  const Made truth = made(4, 37000, PairLayout::half, "bfloat16-table");
  DiagnosisRequest request;
  request.positions = counted(50, 4);
  const Diagnosis d = diagnose(test::made_tensors(truth, *request.positions, 2, 4), request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(open(d.explanations.front(), "with another position offset"));
}

TEST(Certainty, OneTokenThatIsAsAssumedIsNotCalledNone) {
  for (const char* policy : {"float64", "float32", "bfloat16-table", "float16-table"})
    for (const double base : {50000.0, 160000.0, 3e6})
      for (const std::int64_t position : {1, 77, 5000, 131072}) {
        SCOPED_TRACE(std::string(policy) + " " + std::to_string(base) + " " +
                     std::to_string(position));
        const Made truth = made(64, base, PairLayout::half, policy);
        const Diagnosis d = diagnose(test::made_tensors(truth, {position}, 8, 64),
                                     assuming(stated(truth), {position}));
        EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
        ASSERT_FALSE(d.explanations.empty());
        EXPECT_TRUE(d.explanations.front().assumed);
        EXPECT_TRUE(open(d.explanations.front(), "one position"));
      }
}

TEST(Certainty, TwoTokensThatTurnEvenlyAreNotCalledNone) {
  for (const std::int64_t start : {2061, 4974}) {
    const Made truth = made(64, 8e6, PairLayout::interleaved, "bfloat16-store");
    DiagnosisRequest request;
    request.positions = counted(start, 2);
    const Diagnosis d = diagnose(test::made_tensors(truth, counted(start, 2), 4, 64), request);
    EXPECT_NE(d.verdict, DiagnosisVerdict::none) << start;
    // As arrays are first looked at, axis by axis.
    DiagnosisRequest at_once = request;
    at_once.nearest = false;
    EXPECT_NE(diagnose(test::made_tensors(truth, counted(start, 2), 4, 64), at_once).verdict,
              DiagnosisVerdict::none)
        << start;
    // What fits, but is not found without being told, is not certain.
    const Diagnosis told = diagnose(test::made_tensors(truth, counted(start, 2), 4, 64),
                                    assuming(stated(truth), counted(start, 2)));
    EXPECT_EQ(told.verdict, DiagnosisVerdict::ambiguous) << start;
    ASSERT_FALSE(told.explanations.empty());
    EXPECT_TRUE(told.explanations.front().assumed);
  }
}

TEST(Certainty, ARuleThatIsAssumedIsRecognised) {
  const RotaryEmbedding dynamic = scaled_embedding(
      {"dynamic", {{"factor", 2}, {"original", 256}}, {}}, {10000, 128, 128, {}, 512});
  Made truth = made(128, 10000, PairLayout::half, "float32");
  truth.embedding = dynamic;
  const DiagnosisRequest request = assuming(stated(truth), counted(0, 512));
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 512), 1, 128), request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
  ASSERT_EQ(d.explanations.size(), 1U);
  EXPECT_TRUE(d.explanations.front().assumed);
  EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty());
}

TEST(Certainty, AnAssumptionThatIsWrongIsNotNamed) {
  const Made truth = made(64, 10000, PairLayout::half, "float32");
  const DiagnosisRequest request =
      assuming(default_embedding(64, 10100, PairLayout::half), counted(0, 40));
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 40), 2, 64), request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
  ASSERT_EQ(d.explanations.size(), 1U);
  EXPECT_FALSE(d.explanations.front().assumed);
  EXPECT_FALSE(differences(d.explanations.front(), *request.assumed).empty());
}

TEST(Certainty, TablesAndFrequenciesHaveNoLayout) {
  const RotaryEmbedding half = default_embedding(32, 10000, PairLayout::half);
  DiagnosisRequest request;
  request.assumed = Assumption{half};
  std::vector<double> cos, sin;
  for (int t = 0; t < 40; ++t)
    for (const double theta : half.frequencies.theta) {
      cos.push_back(std::cos(t * theta));
      sin.push_back(std::sin(t * theta));
    }
  const Diagnosis tables = diagnose_tables(40, cos, sin, request).diagnosis;
  const Diagnosis frequencies = diagnose_frequencies(half.frequencies.theta, request);
  for (const Diagnosis* d : {&tables, &frequencies}) {
    ASSERT_FALSE(d->explanations.empty());
    EXPECT_FALSE(d->explanations.front().pairs_seen);
    EXPECT_TRUE(d->explanations.front().assumed);
    EXPECT_TRUE(differences(d->explanations.front(), *request.assumed).empty());
  }
}

/// Tensors of shape (a, b, tokens, d), tokens along axis 2.
struct Arrays {
  std::vector<std::size_t> shape;
  std::vector<double> x, y;
};
Arrays arrays(std::size_t a, std::size_t b, const std::vector<std::int64_t>& positions) {
  const Made truth = made(64, 10000, PairLayout::half, "float32");
  const test::RotatedVectors tensors = test::made_tensors(truth, positions, a * b, 64);
  Arrays result{{a, b, positions.size(), 64}, {}, {}};
  for (std::size_t lane = 0; lane < a * b; ++lane)
    for (std::size_t t = 0; t < positions.size(); ++t)
      for (std::size_t i = 0; i < 64; ++i) {
        result.x.push_back(tensors.x[tensors.row(t, lane) + i]);
        result.y.push_back(tensors.y[tensors.row(t, lane) + i]);
      }
  return result;
}

TEST(Certainty, EveryAxisThatPositionsFitIsTried) {
  const Arrays all = arrays(8, 8, counted(0, 8));
  DiagnosisRequest request;
  request.positions = counted(0, 8);
  const Diagnosis d = diagnose_any_axis(all.shape, all.x, all.y, request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(d.token_axis, 2U);
  request.positions = counted(0, 7);
  EXPECT_THROW(diagnose_any_axis(all.shape, all.x, all.y, request), ShapeError);
}

TEST(Certainty, AxesThatBothExplainAreSaid) {
  const Arrays all = arrays(1, 6, std::vector<std::int64_t>(6, 5));
  DiagnosisRequest request;
  request.positions = std::vector<std::int64_t>(6, 5);
  const Diagnosis d = diagnose_any_axis(all.shape, all.x, all.y, request);
  EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(open(d.explanations.front(), "the token axis"));
}

TEST(Certainty, ATokenThatIsNotFiniteLeavesTheOthersWhateverTheAxis) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    Arrays all = arrays(1, 3, counted(0, 30));
    all.y[(0 * 30 + 10) * 64 + 5] = value;
    const std::vector<TokenReading> readings = token_readings(all.shape);
    const ArrayDiagnosis d = diagnose_arrays(all.shape, all.x, all.y, readings, {});
    EXPECT_EQ(d.diagnosis.token_axis, 2U);
    EXPECT_EQ(d.left_out, 1U);
    EXPECT_EQ(d.diagnosis.verdict, DiagnosisVerdict::ambiguous);
    std::fill(all.y.begin(), all.y.end(), value);
    EXPECT_THROW(diagnose_arrays(all.shape, all.x, all.y, readings, {}), DomainError);
  }
}

/// Two streams of positions: half of the pairs follow one, half of them the other.
test::RotatedVectors two_streams(Format format, std::uint64_t seed) {
  RandomStream random(seed, 1);
  test::RotatedVectors tensors = test::random_tensors(60, 2, 32, format, random);
  const RotaryEmbedding embedding = default_embedding(32, 10000);
  for (std::size_t row = 0; row < tensors.x.size(); row += 32)
    for (std::size_t k = 0; k < 16; ++k) {
      const std::size_t token = row / 64;
      const double angle =
          embedding.frequencies.theta[k] * static_cast<double>(k < 8 ? token / 8 : token % 8);
      const double a = tensors.x[row + 2 * k], b = tensors.x[row + 2 * k + 1];
      tensors.y[row + 2 * k] = round_to(format, a * std::cos(angle) - b * std::sin(angle));
      tensors.y[row + 2 * k + 1] = round_to(format, a * std::sin(angle) + b * std::cos(angle));
    }
  return tensors;
}

TEST(Certainty, NoMoreNumbersAreBeyondTheirBoundsThanThereAre) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const test::RotatedVectors tensors = two_streams(Format::float64, seed);
    DiagnosisRequest request;
    request.positions = counted(0, 60);
    const Diagnosis d = diagnose(tensors, request);
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);  // a rotation, if not at these positions
    ASSERT_TRUE(d.near_miss);
    EXPECT_LE(d.near_miss->judgement.violations, d.near_miss->judgement.elements);
    EXPECT_LE(d.near_miss->judgement.elements, tensors.y.size());
  }
}

TEST(Certainty, WithoutPositionsNoRotationIsRuledOut) {
  for (const Format format : {Format::float64, Format::float32}) {
    const Diagnosis d = diagnose(two_streams(format, 0), {});
    EXPECT_EQ(d.verdict, DiagnosisVerdict::ambiguous);
    EXPECT_TRUE(d.undetermined);
  }
}

TEST(Certainty, TokensOfOtherPositionsAreNoBrokenTokens) {
  // Eleven tokens of one sequence before 82 of another, in a base that no preset has.
  std::vector<std::int64_t> positions = counted(0, 11);
  for (const std::int64_t position : counted(0, 82)) positions.push_back(position);
  for (const char* policy : {"float64", "bfloat16-table"}) {
    const Made truth = made(36, 2958.5, PairLayout::half, policy);
    const Diagnosis d = diagnose(test::made_tensors(truth, positions, 1, 64), {});
    EXPECT_NE(d.verdict, DiagnosisVerdict::none) << policy;
  }
}

TEST(Certainty, AStatedRotationInTheOtherDirectionIsTried) {
  Made truth = made(64, 1800, PairLayout::half, "float64");
  truth.embedding = scaled_embedding(
      {"yarn", {{"factor", 12}, {"original", 2048}, {"beta_fast", 48}, {"beta_slow", 0.5}}, {}},
      {1800, 64, 64, std::nullopt, std::nullopt});
  truth.clockwise = true;
  const Diagnosis d = diagnose(test::made_tensors(truth, counted(0, 30), 2, 64),
                               assuming(stated(truth), counted(0, 30)));
  ASSERT_FALSE(d.explanations.empty());
  EXPECT_TRUE(d.explanations.front().assumed);
  EXPECT_TRUE(d.explanations.front().spectrum().clockwise);
}

TEST(Certainty, FewPairsAndStepsHideRulesToo) {
  // Three pairs; positions in steps of two. Whatever is called certain has the right frequencies.
  for (const std::size_t r : {6U, 64U})
    for (const double factor : {4.0, 8.0, 10.0})
      for (const char* rule : {"yarn", "llama3"})
        for (const std::size_t tokens : {4U, 5U, 8U}) {
          Made truth = made(r, 1e4, PairLayout::half, "bfloat16-table");
          ScalingSpec spec{rule, {{"factor", factor}, {"original", 8192}}, {}};
          if (spec.rule == "llama3") spec.numbers.insert({{"low", 1}, {"high", 4}});
          truth.embedding = scaled_embedding(spec, {1e4, r, r, std::nullopt, std::nullopt});
          std::vector<std::int64_t> positions = counted(0, tokens);
          if (r > 6)
            for (std::int64_t& position : positions) position *= 2;
          DiagnosisRequest request;
          if (r == 6) request.positions = positions;
          const Diagnosis d = diagnose(test::made_tensors(truth, positions, 2, 64), request);
          if (d.verdict != DiagnosisVerdict::unique) continue;
          const Spectrum& s = d.explanations.front().spectrum();
          ASSERT_EQ(s.embedding.pairs(), r / 2);
          const double step = r > 6 ? 2 : 1;
          for (std::size_t k = 0; k < r / 2; ++k)
            EXPECT_NEAR(s.embedding.frequencies.theta[k],
                        step * truth.embedding.frequencies.theta[k],
                        s.error_of(k) + 1e-6 * s.embedding.frequencies.theta[k])
                << rule << " " << factor << " " << tokens << " pair " << k;
        }
}

TEST(Certainty, JudgementsAddUp) {
  Judgement one, other;
  one.elements = 10, one.violations = 9, one.error = 3, one.bound = 1, one.max_error = 3;
  other.elements = 4, other.violations = 1, other.error = 2, other.bound = 1, other.max_error = 5;
  one.add(other);
  EXPECT_EQ(one.elements, 14U);
  EXPECT_EQ(one.violations, 10U);
  EXPECT_EQ(one.error, 3);
  EXPECT_EQ(one.max_error, 5);
  EXPECT_FALSE(one.passed);
  other.error = other.max_error = std::nan("");
  one.add(other);
  EXPECT_TRUE(std::isnan(one.error));
  EXPECT_TRUE(std::isnan(one.max_error));
}

}  // namespace
}  // namespace rope
