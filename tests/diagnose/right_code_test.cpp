// Right code is not blamed, and what is wrong is not blamed for something else: heads in one axis,
// vectors that nobody wrote, tails, noise, one token.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/disagreements.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/nearest/known_bugs.hpp"
#include "rope/diagnose/nearest/least_squares.hpp"
#include "rope/diagnose/nearest/noise.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

constexpr std::array kPolicies = {"float64", "float32", "float32,store=bf16", "bfloat16-table",
                                  "float32,store=f16"};
constexpr std::array kOrders = {-1, 0};

/// Vectors that an engine made, in an array of a shape.
struct Capture {
  test::RotatedVectors vectors;
  std::vector<std::size_t> shape;

  Numbers x() const { return Numbers(std::span<const double>(vectors.x)); }
  Numbers y() const { return Numbers(std::span<const double>(vectors.y)); }
};

struct Setting {
  std::size_t heads, head_dim, rotary_dim;
  const char* policy = "float32";
  int order = -1;
  double base = 1e4;
  std::size_t tokens = 24;
  std::int64_t start = 0;
};

Capture packed(const Setting& s) {
  const test::Made made{{0, s.rotary_dim, s.order, s.order},
                        default_embedding(s.rotary_dim, s.base),
                        parse_policy(s.policy),
                        false};
  return {test::made_tensors(made, test::counted(s.start, s.tokens), s.heads, s.head_dim),
          {s.tokens, s.heads * s.head_dim}};
}

PairLayout layout_of(int order) { return order == 0 ? PairLayout::interleaved : PairLayout::half; }

Assumption assumption(const Setting& s) {
  RotaryEmbedding embedding = default_embedding(s.rotary_dim, s.base, layout_of(s.order));
  embedding.head_dim = s.head_dim;
  return {std::move(embedding), true, true, true};
}

std::string text_of(const Setting& s) {
  return std::to_string(s.heads) + " heads of " + std::to_string(s.head_dim) + ", " + s.policy +
         (s.order == 0 ? ", interleaved" : ", half");
}

/// As `rope diagnose X Y` reads an array, and with a model and --start stated.
ArrayDiagnosis unstated(const Capture& capture) {
  return diagnose_heads(capture.shape, capture.x(), capture.y(), token_readings(capture.shape),
                        std::nullopt, [](std::size_t) { return request_with_presets(); });
}

ArrayDiagnosis stated(const Capture& capture, const Setting& s) {
  std::vector<TokenReading> readings = token_readings(capture.shape);
  for (TokenReading& reading : readings)
    reading.positions = test::counted(s.start, capture.shape[reading.axis]);
  return diagnose_heads(capture.shape, capture.x(), capture.y(), readings, s.head_dim,
                        [&](std::size_t) {
                          DiagnosisRequest request;
                          request.assumed = assumption(s);
                          return request;
                        });
}

// Text of a model whose pairs belong to three axes: pairs too slow to tell positions apart would
// fit other sections at other positions.
TEST(Text, OfAModelWithSeveralAxesFits) {
  for (const char* policy : {"float32", "bfloat16-table", "float32,store=f16"})
    for (const auto& [tokens, start] :
         {std::pair<std::size_t, std::int64_t>{1, 5}, {1, 215}, {4, 215}, {64, 0}, {64, 300}}) {
      const Setting s{8, 128, 128, policy, -1, 1e6, tokens, start};
      Capture capture = packed(s);
      capture.shape = {tokens, 8, 128};
      std::vector<TokenReading> readings = token_readings(capture.shape);
      for (const bool given : {true, false}) {
        if (!given && tokens < 64) continue;  // few tokens leave their positions open
        for (TokenReading& reading : readings)
          reading.positions = given
                                  ? std::optional(test::counted(start, capture.shape[reading.axis]))
                                  : std::nullopt;
        const ArrayDiagnosis found = diagnose_heads(
            capture.shape, capture.x(), capture.y(), readings, 128, [&](std::size_t) {
              DiagnosisRequest request = request_with_presets();
              request.assumed = assumption(s);
              request.assumed->positions = given;
              request.assumed->embedding.axes =
                  section_axes(std::vector<std::size_t>{16, 24, 24}, 64, SectionOrder::contiguous);
              return request;
            });
        const std::string where = text_of(s) + ", from " + std::to_string(start);
        ASSERT_FALSE(found.diagnosis.explanations.empty()) << where;
        const Explanation& first = found.diagnosis.explanations.front();
        EXPECT_TRUE(first.assumed) << where << given;
        EXPECT_EQ(first.position_offset, given ? 0 : start) << where;
      }
    }
}

/// The same at positions that are withheld.
ArrayDiagnosis stated_anywhere(const Capture& capture, const Setting& s) {
  return diagnose_heads(capture.shape, capture.x(), capture.y(), token_readings(capture.shape),
                        s.head_dim, [&](std::size_t) {
                          DiagnosisRequest request = request_with_presets();
                          request.assumed = assumption(s);
                          return request;
                        });
}

TEST(PackedHeads, OfTheStatedSizeFit) {
  for (const char* policy : kPolicies)
    for (const int order : kOrders)
      for (const auto& [heads, dim, rotary] :
           {std::array<std::size_t, 3>{32, 128, 128}, {5, 64, 64}, {7, 80, 32}, {2, 256, 64}}) {
        const Setting s{heads, dim, rotary, policy, order};
        const ArrayDiagnosis found = stated(packed(s), s);
        ASSERT_FALSE(found.diagnosis.explanations.empty()) << text_of(s);
        EXPECT_TRUE(differences(found.diagnosis.explanations.front(), assumption(s)).empty())
            << text_of(s);
        EXPECT_EQ(found.shape.back(), dim) << text_of(s);
      }
}

TEST(PackedHeads, OfUsualSizesAreFoundUntold) {
  for (const int order : kOrders)
    for (const auto& [heads, dim] :
         {std::array<std::size_t, 2>{32, 128}, {2, 128}, {4, 64}, {3, 96}, {5, 256}, {28, 128}}) {
      const Setting s{heads, dim, dim, "float32", order, 5e5};
      const ArrayDiagnosis found = unstated(packed(s));
      ASSERT_EQ(found.diagnosis.verdict, DiagnosisVerdict::unique) << text_of(s);
      EXPECT_EQ(found.shape.back(), dim) << text_of(s);
      EXPECT_EQ(found.diagnosis.explanations.front().spectrum().base(), 5e5) << text_of(s);
    }
}

/// Whether the size of a head is left open.
bool leaves_size_open(const Capture& capture) {
  const Diagnosis d = unstated(capture).diagnosis;
  if (d.explanations.empty()) return false;
  const bool open = std::ranges::any_of(d.explanations.front().open, [](const std::string& it) {
    return it.starts_with("the size of a head");
  });
  EXPECT_EQ(d.verdict == DiagnosisVerdict::ambiguous, open);
  return open;
}

TEST(PackedHeads, TheHalfOfALongHeadMayBeAHeadThatIsNotRotated) {
  const test::Made made{
      {0, 64, -1, -1}, default_embedding(64, 1e7), *find_policy("float32"), false};
  for (const auto& [dim, open] :
       {std::pair<std::size_t, bool>{512, true}, {256, false}, {128, true}})
    EXPECT_EQ(leaves_size_open({test::made_tensors(made, test::counted(0, 64), 1, dim), {64, dim}}),
              open)
        << dim;
  EXPECT_FALSE(
      leaves_size_open({test::made_tensors(made, test::counted(0, 64), 2, 128), {64, 2, 128}}));
}

TEST(PackedHeads, WhatPassesBeforeTheRotatedDimensionsMayBeAHeadThatIsNotRotated) {
  const auto part = [](std::size_t offset, std::size_t dim, std::size_t heads) {
    const test::Made made{
        {offset, 64, -1, -1}, default_embedding(64, 1e6), *find_policy("float32"), false};
    return test::made_tensors(made, test::counted(0, 64), heads, dim);
  };
  for (const auto& [offset, dim, open] : {std::tuple<std::size_t, std::size_t, bool>{64, 128, true},
                                          {128, 192, true},
                                          {32, 128, false},
                                          {64, 160, false}})
    for (const std::vector<std::size_t>& shape :
         {std::vector<std::size_t>{64, dim}, {1, 64, dim}}) {
      const Capture capture{part(offset, dim, 1), shape};
      EXPECT_EQ(leaves_size_open(capture), open) << offset << " of " << dim;
      const Diagnosis d = unstated(capture).diagnosis;
      EXPECT_EQ(remarks(d.explanations.front(), false).empty(), open) << offset << " of " << dim;
    }
  // An axis of their own counts the heads of DeepSeek's form.
  EXPECT_FALSE(leaves_size_open({part(128, 192, 3), {64, 3, 192}}));
}

TEST(AttentionFactor, NearOneIsSaidWithTheDigitsThatTellIt) {
  for (const double factor : {1 + 1e-6, 1 - 1e-5, 1.0000005}) {
    Setting s{2, 64, 64, "float64"};
    Capture capture = packed(s);
    for (double& y : capture.vectors.y) y *= factor;
    const Diagnosis d = stated(capture, s).diagnosis;
    ASSERT_FALSE(d.explanations.empty());
    const std::vector<Advice> all = differences(d.explanations.front(), assumption(s));
    ASSERT_EQ(all.size(), 1U) << factor;
    EXPECT_TRUE(all.front().finding.starts_with("the attention factor is " +
                                                number_apart(factor, 1) + "; you assume 1"))
        << all.front().finding;
    EXPECT_FALSE(all.front().finding.starts_with("the attention factor is 1, "));
  }
}

TEST(PackedHeads, OneLongHeadIsNotSplit) {
  const Setting s{1, 512, 512};
  Capture one = packed(s);
  EXPECT_EQ(unstated(one).shape, one.shape);
  EXPECT_EQ(unstated(one).diagnosis.verdict, DiagnosisVerdict::unique);
}

/// In a batch, what one row says of its heads is not taken for a repeated pattern.
TEST(PackedHeads, OneHeadOfEachRowThatIsNotRotatedIsNamed) {
  constexpr std::size_t kRows = 4, kTokens = 24, kHeads = 4, kDim = 256;
  const Setting s{kHeads, kDim, kDim, "float32", -1, 1e4, kRows * kTokens};
  Capture capture = packed(s);
  test::RotatedVectors& v = capture.vectors;
  // Row by row, all at the same positions.
  const Setting one{kRows * kHeads, kDim, kDim, "float32", -1, 1e4, kTokens};
  const Capture rows = packed(one);
  for (std::size_t t = 0; t < kTokens; ++t)
    for (std::size_t row = 0; row < kRows; ++row)
      for (std::size_t head = 0; head < kHeads; ++head) {
        const std::size_t from = rows.vectors.row(t, row * kHeads + head);
        const std::size_t to = ((row * kTokens + t) * kHeads + head) * kDim;
        std::copy_n(rows.vectors.x.data() + from, kDim, v.x.data() + to);
        std::copy_n((head == 0 ? rows.vectors.x : rows.vectors.y).data() + from, kDim,
                    v.y.data() + to);
      }
  capture.shape = {kRows, kTokens, kHeads * kDim};
  const ArrayDiagnosis found = unstated(capture);
  EXPECT_EQ(found.shape.back(), kDim);
  EXPECT_EQ(found.diagnosis.unwritten.same_lanes, (std::vector<std::size_t>{0, 4, 8, 12}));
  ASSERT_FALSE(found.diagnosis.explanations.empty());
  EXPECT_TRUE(remarks(found.diagnosis.explanations.front(), false).empty());
}

/// Several vectors of y hold something else.
template <typename Changed>
void change(Capture& capture, Changed changed) {
  test::RotatedVectors& v = capture.vectors;
  for (std::size_t t = 0; t < v.tokens; ++t)
    for (std::size_t lane = 0; lane < v.lanes; ++lane)
      for (std::size_t i = 0; i < v.dim; ++i) changed(t, lane, i, v.y[v.row(t, lane) + i]);
}

TEST(Unwritten, HeadsAndTokensAreNamedAndTheRestExplained) {
  for (const char* policy : kPolicies)
    for (const std::size_t tokens : {std::size_t{1}, std::size_t{24}}) {
      const Setting s{8, 64, 64, policy, -1, 1e4, tokens, 37};
      const std::vector<std::size_t> lanes = {1, 2, 5};
      Capture zero = packed(s), same = packed(s);
      change(zero, [&](std::size_t, std::size_t lane, std::size_t, double& y) {
        if (std::ranges::binary_search(lanes, lane)) y = 0;
      });
      const std::vector<double> x = same.vectors.x;
      change(same, [&](std::size_t t, std::size_t lane, std::size_t i, double& y) {
        if (std::ranges::binary_search(lanes, lane)) y = x[same.vectors.row(t, lane) + i];
      });
      const Diagnosis of_zero = stated(zero, s).diagnosis, of_same = stated(same, s).diagnosis;
      EXPECT_EQ(of_zero.unwritten.zero_lanes, lanes) << policy << ", " << tokens;
      EXPECT_EQ(of_same.unwritten.same_lanes, lanes) << policy << ", " << tokens;
      for (const Diagnosis& d : {of_zero, of_same}) {
        EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
        ASSERT_FALSE(d.explanations.empty()) << policy << ", " << tokens;
        EXPECT_TRUE(differences(d.explanations.front(), assumption(s)).empty());
      }
    }
  const Setting s{4, 64, 64};
  Capture capture = packed(s);
  change(capture, [](std::size_t t, std::size_t, std::size_t, double& y) {
    if (t >= 20) y = 0;
  });
  EXPECT_EQ(stated(capture, s).diagnosis.unwritten.zero_tokens,
            (std::vector<std::size_t>{20, 21, 22, 23}));
}

TEST(Unwritten, IsNothingWhereAllVectorsAreAlike) {
  // x of zeros stays zero, and every vector at position 0 stays as it is.
  const Setting s{4, 64, 64};
  Capture capture = packed(s);
  for (std::size_t t = 0; t < s.tokens; ++t)
    for (std::size_t i = 0; i < 64; ++i)
      capture.vectors.x[capture.vectors.row(t, 2) + i] =
          capture.vectors.y[capture.vectors.row(t, 2) + i] = 0;
  const Diagnosis found = stated(capture, s).diagnosis;
  EXPECT_TRUE(found.of_all_numbers());
  EXPECT_EQ(found.verdict, DiagnosisVerdict::unique);
  Setting still{4, 64, 64};
  still.tokens = 1;
  EXPECT_FALSE(stated(packed(still), still).diagnosis.unwritten.any());
}

TEST(Unwritten, ALaneWhoseMovingPairsAreZeroIsRight) {
  const Setting s{3, 64, 64, "float32,store=bf16", -1, 1e4, 1, 1};
  Capture capture = packed(s);
  // Only the slowest pair of lane 1 holds anything: it hardly turns, and y is x in bfloat16.
  for (std::size_t i = 0; i < 64; ++i) {
    if (i % 32 == 31) continue;
    capture.vectors.x[capture.vectors.row(0, 1) + i] =
        capture.vectors.y[capture.vectors.row(0, 1) + i] = 0;
  }
  for (const std::size_t i : {std::size_t{31}, std::size_t{63}})
    ASSERT_EQ(capture.vectors.x[capture.vectors.row(0, 1) + i],
              capture.vectors.y[capture.vectors.row(0, 1) + i]);
  EXPECT_FALSE(stated(capture, s).diagnosis.unwritten.any());
}

TEST(ForeignTail, IsNamedAndNoCauseThatIsNotThere) {
  for (const int order : kOrders)
    for (const char* policy : {"float32", "float32,store=bf16"}) {
      const Setting s{8, 80, 32, policy, order};
      for (const ForeignTail::Holds holds :
           {ForeignTail::Holds::zero, ForeignTail::Holds::another_lane,
            ForeignTail::Holds::others}) {
        Capture capture = packed(s);
        const std::vector<double> x = capture.vectors.x;
        RandomStream random(3, 3);
        change(capture, [&](std::size_t t, std::size_t lane, std::size_t i, double& y) {
          if (i < 32) return;
          if (holds == ForeignTail::Holds::zero) y = 0;
          if (holds == ForeignTail::Holds::another_lane)
            y = x[capture.vectors.row(t, (lane + 1) % 8) + i];
          if (holds == ForeignTail::Holds::others)
            y = round_to(Format::bfloat16, static_cast<double>(random.integer(-999, 999)) / 300);
        });
        const Diagnosis told = stated(capture, s).diagnosis;
        capture.shape = {s.tokens, s.heads, s.head_dim};  // the size of a head is not guessed here
        for (const Diagnosis& d : {told, unstated(capture).diagnosis}) {
          ASSERT_TRUE(d.tail) << policy << order;
          EXPECT_EQ(d.tail->first, 32U);
          EXPECT_EQ(d.tail->last, 79U);
          EXPECT_EQ(d.tail->holds, holds);
          EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
          EXPECT_FALSE(d.best_fit);
        }
      }
    }
}

// q.float() is rotated by inv_freq.half() and joined to what passes through in float64: neither is
// that part foreign, nor are there four heads of which three are not rotated.
TEST(ForeignTail, IsNotWhatPassesThroughWithMoreDigits) {
  RotaryEmbedding half = default_embedding(32, 1e4);
  std::vector<double> theta = half.frequencies.theta;
  for (double& each : theta) each = round_to(Format::float16, each);
  half.frequencies = given_frequencies(theta);
  const test::Made made{{0, 32, -1, -1}, half, *find_policy("float32"), false};
  Capture capture{test::made_tensors(made, test::counted(6452, 24), 5, 128), {24, 5, 128}};
  for (std::size_t i = 0; i < capture.vectors.x.size(); ++i) {
    capture.vectors.x[i] *= 1 + 0x1p-26 * std::sin(static_cast<double>(i));
    if (i % 128 >= 32) capture.vectors.y[i] = capture.vectors.x[i];
  }
  const ArrayDiagnosis found = unstated(capture);
  ASSERT_FALSE(found.diagnosis.explanations.empty());
  EXPECT_EQ(found.shape.back(), 128U);
  EXPECT_TRUE(found.diagnosis.of_all_numbers());
  EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none);
  EXPECT_EQ(found.diagnosis.explanations.front().spectrum().base(), 1e4);
}

/// The same of a batch, [rows, heads, tokens, head_dim], where another axis counts the heads: the
/// first quarter of each turns, and the rest is no three heads that do not.
TEST(ForeignTail, IsNoHeadsThatDoNotTurnWhereAnotherAxisCountsThem) {
  constexpr std::size_t kHeads = 4, kTokens = 24, kDim = 256, kRotated = 64;
  RotaryEmbedding half = default_embedding(kRotated, 1e7);
  std::vector<double> theta = half.frequencies.theta;
  for (double& each : theta) each = round_to(Format::bfloat16, each);
  half.frequencies = given_frequencies(theta);
  const test::Made made{{0, kRotated, -1, -1}, half, *find_policy("float32"), false};
  std::vector<std::int64_t> padded(kTokens, 5780);
  padded.back() = 5781;
  Capture capture{{}, {2, kHeads, kTokens, kDim}};
  for (const std::vector<std::int64_t>& positions : {test::counted(5779, kTokens), padded}) {
    const RotatedTensors row = test::made_tensors(made, positions, kHeads, kDim);
    for (std::size_t head = 0; head < kHeads; ++head)
      for (std::size_t token = 0; token < kTokens; ++token)
        for (std::size_t i = 0; i < kDim; ++i) {
          const std::size_t at = row.row(token, head) + i;
          const double x = row.x[at] * (1 + 0x1p-26 * std::sin(static_cast<double>(at)));
          capture.vectors.x.push_back(x);
          capture.vectors.y.push_back(i < kRotated ? row.y[at] : x);
        }
  }
  const ArrayDiagnosis found = unstated(capture);
  EXPECT_EQ(found.shape.back(), kDim) << "and not four heads of 64";
  EXPECT_TRUE(found.diagnosis.unwritten.same_lanes.empty());
}

TEST(ForeignTail, IsNotTheSecondHalfOfAWholeRotation) {
  // The first 32 interleaved pairs of base 10000 over 128 are those of base 100 over 64.
  const Setting s{8, 128, 128, "float32", 0};
  Capture capture = packed(s);
  change(capture, [](std::size_t, std::size_t, std::size_t i, double& y) {
    if (i >= 64) y = 0;
  });
  EXPECT_FALSE(stated(capture, s).diagnosis.tail);
  EXPECT_FALSE(unstated(capture).diagnosis.tail);
}

TEST(Noise, IsToldFromAWrongConventionAndFromWrongAngles) {
  const Setting s{8, 64, 64};
  const auto noisy = [&](double base, int order) {
    Setting other = s;
    other.base = base;
    other.order = order;
    Capture capture = packed(other);
    RandomStream random(11, 0);
    change(capture, [&](std::size_t, std::size_t, std::size_t, double& y) {
      const double noise = static_cast<double>(random.integer(-1000, 1000)) / 1000;
      y = round_to(Format::float32, y + 1.7e-3 * noise);
    });
    return stated(capture, s).diagnosis;
  };
  for (const auto& [base, order] : {std::pair(1e4, -1), std::pair(5e5, -1), std::pair(1e4, 0)}) {
    const Diagnosis found = noisy(base, order);
    ASSERT_TRUE(found.best_fit);
    EXPECT_TRUE(found.best_fit->noise);
    EXPECT_EQ(found.verdict, DiagnosisVerdict::ambiguous);
    ASSERT_EQ(found.best_fit->parts.size(), 1U);
    EXPECT_EQ(found.best_fit->parts.front().spectrum.embedding.base, base);
    EXPECT_EQ(found.best_fit->parts.front().arrangement.in, order);
  }
  // Angles that are off leave as little, but the vectors of a token share it.
  Capture off = packed(s);
  RandomStream random(13, 0);
  for (std::size_t t = 0; t < s.tokens; ++t)
    for (std::size_t k = 0; k < 32; ++k) {
      const double by = 1e-3 * static_cast<double>(random.integer(-1000, 1000)) / 1000;
      for (std::size_t head = 0; head < s.heads; ++head) {
        double& first = off.vectors.y[off.vectors.row(t, head) + k];
        double& second = off.vectors.y[off.vectors.row(t, head) + k + 32];
        const double turned = first - by * second;
        second = round_to(Format::float32, second + by * first);
        first = round_to(Format::float32, turned);
      }
    }
  const Diagnosis found = stated(off, s).diagnosis;
  ASSERT_TRUE(found.best_fit);
  EXPECT_FALSE(found.best_fit->noise);
}

/// y as another engine has it, whose x differs by noise of so much of each number.
void add_noise(Capture& capture, Format format, std::uint64_t seed, double noise = 1e-3) {
  RandomStream random(seed, 0);
  change(capture, [&](std::size_t, std::size_t, std::size_t, double& y) {
    std::array<double, 1> normal;
    random.fill_normal(normal);
    y = round_to(format, y * (1 + noise * normal[0]));
  });
}

TEST(Noise, OfCoarseNumbersLeavesWhatIsStated) {
  // Frequencies that are free to be fitted would fit the noise.
  std::uint64_t seed = 100;
  for (const auto& [policy, format] :
       {std::pair("float32,store=bf16", Format::bfloat16),
        std::pair("bfloat16-table", Format::bfloat16),
        std::pair("float32,store=f16", Format::float16), std::pair("float32", Format::float32)})
    for (const auto& [heads, dim, rotary, tokens] : {std::array<std::size_t, 4>{1, 96, 96, 99},
                                                     {28, 80, 20, 60},
                                                     {8, 64, 64, 2},
                                                     {6, 128, 128, 1}})
      for (const std::int64_t start : {0, 2790}) {
        const Setting s{heads, dim, rotary, policy, -1, 1e4, tokens, start};
        Capture capture = packed(s);
        add_noise(capture, format, ++seed);
        const ArrayDiagnosis found = stated(capture, s);
        const Diagnosis& d = found.diagnosis;
        const std::string what =
            text_of(s) + ", " + std::to_string(tokens) + " tokens from " + std::to_string(start);
        EXPECT_EQ(found.shape.back(), dim) << what;
        EXPECT_NE(d.verdict, DiagnosisVerdict::none) << what;
        if (!d.explanations.empty()) {  // within the bounds of a coarse pipeline
          EXPECT_TRUE(differences(d.explanations.front(), assumption(s)).empty()) << what;
          continue;
        }
        ASSERT_TRUE(d.best_fit) << what;
        EXPECT_TRUE(d.best_fit->noise) << what;
        EXPECT_EQ(d.best_fit->remedy.name.text(), "matrix-noise") << what;
        ASSERT_EQ(d.best_fit->parts.size(), 1U) << what;
        EXPECT_EQ(d.best_fit->parts.front().position_offset, 0) << what;
        EXPECT_EQ(d.best_fit->parts.front().spectrum.embedding.base, 1e4) << what;
      }
}

/// Two rows [2, heads, tokens, head_dim] of which the second is padded on the left, at `fill`.
Capture padded_rows(const Setting& s, std::size_t padding, std::int64_t fill) {
  const test::Made made{{0, s.rotary_dim, s.order, s.order},
                        default_embedding(s.rotary_dim, s.base),
                        parse_policy(s.policy),
                        false};
  Capture both;
  both.shape = {2, s.heads, s.tokens, s.head_dim};
  for (const std::size_t pad : {std::size_t{0}, padding}) {
    std::vector<std::int64_t> positions(pad, fill);
    for (std::size_t t = pad; t < s.tokens; ++t)
      positions.push_back(static_cast<std::int64_t>(t - pad));
    const test::RotatedVectors row = test::made_tensors(made, positions, s.heads, s.head_dim, pad);
    for (std::size_t head = 0; head < s.heads; ++head)
      for (std::size_t t = 0; t < s.tokens; ++t)
        for (std::size_t i = 0; i < s.head_dim; ++i) {
          both.vectors.x.push_back(row.x[row.row(t, head) + i]);
          both.vectors.y.push_back(row.y[row.row(t, head) + i]);
        }
  }
  both.vectors.tokens = 1;
  both.vectors.lanes = both.vectors.x.size() / s.head_dim;
  both.vectors.dim = s.head_dim;
  return both;
}

/// As with a model stated and no positions.
ArrayDiagnosis withheld(const Capture& capture, const RotaryEmbedding& embedding) {
  return diagnose_heads(capture.shape, capture.x(), capture.y(), token_readings(capture.shape),
                        embedding.head_dim, [&](std::size_t) {
                          DiagnosisRequest request = request_with_presets();
                          request.assumed = {embedding, true, true, false};
                          return request;
                        });
}

ArrayDiagnosis withheld(const Capture& capture, const Setting& s) {
  return withheld(capture, assumption(s).embedding);
}

TEST(Noise, OfPaddedRowsIsOfOneConvention) {
  for (const std::int64_t fill : {0, 1}) {
    const Setting s{2, 64, 64, "float32", -1, 1e6, 24};
    Capture rows = padded_rows(s, 7, fill);
    add_noise(rows, Format::float32, 7);
    for (const ArrayDiagnosis& found : fill == 0 ? std::vector{withheld(rows, s)}
                                                 : std::vector{withheld(rows, s), unstated(rows)}) {
      EXPECT_EQ(found.row_tokens, 24U);
      ASSERT_TRUE(found.diagnosis.best_fit);
      EXPECT_TRUE(found.diagnosis.best_fit->noise);
      const FitPart& all = found.diagnosis.best_fit->parts.front();
      EXPECT_EQ(all.spectrum.embedding.base, 1e6);
      EXPECT_EQ(all.positions[23], 23);
      EXPECT_EQ(all.positions[24], fill);
      EXPECT_EQ(all.positions[47], 16);
    }
  }
}

TEST(Noise, IsNoKnownBug) {
  // rotate_half of the whole head is right where the whole head is rotated.
  const Setting s{8, 64, 64};
  Capture capture = packed(s);
  add_noise(capture, Format::float32, 5);
  const DiagnosisRequest request = request_with_presets();
  EXPECT_FALSE(known_bug(capture.vectors, test::counted(0, s.tokens), request));
}

TEST(Noise, HidesNoSizeOfHeadsThatAreRotatedInPart) {
  // At half of it every second head looks unrotated, which comes nearer than noise allows.
  for (const Setting& s : {Setting{7, 80, 20, "float32,store=bf16", -1, 1e4, 78},
                           Setting{4, 256, 64, "bfloat16-table", 0, 1e4, 24},
                           Setting{3, 96, 24, "float32,store=f16", -1, 1e4, 24}})
    for (const std::uint64_t seed : {1U, 2U}) {
      Capture capture = packed(s);
      add_noise(capture, Format::bfloat16, seed);
      const ArrayDiagnosis found = unstated(capture);
      EXPECT_EQ(found.shape.back(), s.head_dim) << text_of(s) << seed;
      EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none) << text_of(s) << seed;
    }
}

// Of interleaved pairs, the first quarter turns as under proportional:partial=0.25 of base 1e16,
// with bounds for the rest that hide its noise.
TEST(Noise, OfWhatPassesThroughIsNoRuleThatLeavesPairsAtRest) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Setting s{3, 256, 64, "float32,store=bf16,table=bf16", 0, 1e4, 25, 2610};
    Capture capture = packed(s);
    add_noise(capture, Format::bfloat16, seed);
    const ArrayDiagnosis found = unstated(capture);
    EXPECT_EQ(found.shape.back(), 256U) << seed;
    EXPECT_TRUE(found.diagnosis.explanations.empty()) << seed;
    ASSERT_TRUE(found.diagnosis.best_fit) << seed;
    EXPECT_TRUE(found.diagnosis.best_fit->noise) << seed;
    EXPECT_EQ(found.diagnosis.best_fit->parts.front().arrangement.rotary_dim, 64U) << seed;
  }
}

// Of half pairs, those of a first block of four over the whole head.
TEST(Noise, OfWhatPassesThroughIsNoBlocksThatHardlyTurn) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Setting s{3, 128, 32, "float32,store=bf16", -1, 1e4, 15};
    Capture capture = packed(s);
    add_noise(capture, Format::bfloat16, seed);
    const Diagnosis d = unstated(capture).diagnosis;
    EXPECT_TRUE(d.explanations.empty()) << seed;
    ASSERT_TRUE(d.best_fit) << seed;
    EXPECT_TRUE(d.best_fit->noise) << seed;
    EXPECT_EQ(d.best_fit->parts.front().arrangement.rotary_dim, 32U) << seed;
  }
}

TEST(Noise, LeavesAHeadWholeWhosePairsTurnByFrequenciesOfNoRule) {
  // Shorter heads come near in a part of their vectors, and turn alike where nothing turns.
  for (const Setting& s : {Setting{6, 256, 64, "float32,store=bf16", 0, 1e4, 35},
                           Setting{9, 128, 64, "bfloat16-table", -1, 1e6, 24}}) {
    Capture capture = packed(s);
    capture.shape = {1, s.tokens, s.heads, s.head_dim};
    add_noise(capture, Format::bfloat16, 1);
    const ArrayDiagnosis found = unstated(capture);
    EXPECT_EQ(found.shape.back(), s.head_dim) << text_of(s);
    EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none) << text_of(s);
  }
}

TEST(Noise, OfFewCastsIsSeenInTheLargestNumbers) {
  // At position 0 noise casts one number of a hundred to its neighbour, and a large one is most of
  // what its head differs by. One number that is off by as much as all of them is no noise.
  const Setting s{64, 96, 24, "bfloat16-table", -1, 1e4, 1, 0};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Capture capture = packed(s);
    add_noise(capture, Format::bfloat16, seed);
    const Diagnosis found = stated(capture, s).diagnosis;
    ASSERT_TRUE(found.best_fit || !found.explanations.empty()) << seed;
    if (found.best_fit)
      EXPECT_TRUE(found.best_fit->noise) << seed;
    else
      EXPECT_TRUE(differences(found.explanations.front(), assumption(s)).empty()) << seed;
  }
  Capture capture = packed(s);
  capture.vectors.y[capture.vectors.row(0, 7) + 50] += 0.5;
  const Diagnosis off = stated(capture, s).diagnosis;
  EXPECT_FALSE(off.best_fit && off.best_fit->noise);
}

// A number per token or pair that is fitted to few vectors takes a share of any noise away.
TEST(Noise, OfOneHeadIsNoFactorOfAnything) {
  for (const std::size_t rotary : {64U, 16U})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Setting s{1, 64, rotary, "bfloat16-table", -1, 5e5, 196};
      Capture capture = packed(s);
      add_noise(capture, Format::bfloat16, seed);
      const Diagnosis found = unstated(capture).diagnosis;
      EXPECT_NE(found.verdict, DiagnosisVerdict::none) << rotary << seed;
      EXPECT_TRUE(!found.best_fit || found.best_fit->bug.empty()) << rotary << seed;
    }
}

// 584 to 586 are 584 in bfloat16.
TEST(Noise, OfOneTokenOfEachRowMakesNoTokensAtRoundedPositionsOfTheRows) {
  const Setting s{48, 128, 128, "float32,store=bf16", -1, 1e4, 1, 584};
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Capture capture = packed(s);
    capture.shape = {3, 1, 16 * s.head_dim};
    RandomStream random(seed, 0);
    change(capture, [&](std::size_t, std::size_t, std::size_t, double& y) {
      std::array<double, 1> normal;
      random.fill_normal(normal);
      y = round_to(Format::bfloat16, y + 1e-3 * normal[0]);
    });
    const Diagnosis found = stated(capture, s).diagnosis;
    EXPECT_EQ(found.token_axis, 1U) << seed;
    ASSERT_TRUE(found.best_fit) << seed;
    EXPECT_EQ(found.best_fit->parts.front().position_offset, 0) << seed;
  }
}

// All of 2704 to 2711 are 2704 in bfloat16.
TEST(Noise, OfOneTokenMakesNoTokensAtRoundedPositionsOfItsHeads) {
  const Setting s{8, 256, 256, "bfloat16-table", -1, 1e4, 1, 2704};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Capture capture = packed(s);
    capture.shape = {s.heads, s.tokens, s.head_dim};
    add_noise(capture, Format::bfloat16, seed);
    const Diagnosis found = stated(capture, s).diagnosis;
    EXPECT_EQ(found.token_axis, 1U) << seed;
    EXPECT_TRUE(found.explanations.empty() ||
                differences(found.explanations.front(), assumption(s)).empty())
        << seed;
  }
}

TEST(Noise, BreaksNoTokenAndNoTail) {
  for (const Setting& s : {Setting{1, 128, 128, "bfloat16-table", -1, 1e6, 48, 3156},
                           Setting{1, 80, 20, "bfloat16-table", -1, 1e4, 14},
                           Setting{2, 80, 20, "bfloat16-table", -1, 1e4, 1, 3414}})
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      Capture capture = packed(s);
      capture.shape = {s.tokens, s.heads, s.head_dim};
      add_noise(capture, Format::bfloat16, seed);
      for (const Diagnosis& found : {unstated(capture).diagnosis, stated(capture, s).diagnosis}) {
        EXPECT_TRUE(found.broken_tokens.empty()) << text_of(s) << seed;
        EXPECT_FALSE(found.tail) << text_of(s) << seed;
        EXPECT_NE(found.verdict, DiagnosisVerdict::none) << text_of(s) << seed;
      }
    }
}

TEST(Noise, OfATailLeavesTheRotatedSizeOpen) {
  // Interleaved pairs of half a head go on, too slow to be seen, as those of the squared base.
  const Setting s{9, 128, 64, "bfloat16-table", 0, 5e6, 24, 99};
  Capture capture = packed(s);
  capture.shape = {s.tokens, s.heads, s.head_dim};
  add_noise(capture, Format::bfloat16, 1);
  const Diagnosis found = unstated(capture).diagnosis;
  ASSERT_FALSE(found.explanations.empty());
  const std::vector<std::string>& open = found.explanations.front().open;
  EXPECT_TRUE(std::ranges::any_of(open, [](const std::string& sentence) {
    return sentence.find("dimensions 0 to 63 turn by the same angles with base 5000000") !=
           std::string::npos;
  }));
}

TEST(Noise, LeavesNoTokenAnywhereWherePositionsAreKnown) {
  const Setting s{8, 64, 64, "float32", -1, 1e4, 24, 100};
  Capture capture = packed(s);
  add_noise(capture, Format::float32, 6);
  DiagnosisRequest request;
  request.assumed = assumption(s);
  const std::optional<NoisyEmbedding> placed = but_for_noise(capture.vectors, request);
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->positions[23][0], 123);
  request.anywhere = false;
  EXPECT_FALSE(but_for_noise(capture.vectors, request));
}

TEST(Noise, GivesWayToWhatExplainsFarMore) {
  // Two tokens of one vector are too few for a direction.
  const Setting s{1, 128, 128, "float32", -1, 1.01e4, 2, 1};
  Setting other = s;
  other.base = 1e4;
  const Diagnosis found = stated(packed(s), other).diagnosis;
  ASSERT_FALSE(found.explanations.empty());
  EXPECT_NEAR(found.explanations.front().spectrum().base().value_or(0), 1.01e4, 1);
}

/// The heads after the first are smaller, one token in two is larger.
void make_uneven(Capture& capture) {
  for (std::size_t t = 0; t < capture.vectors.tokens; ++t)
    for (std::size_t head = 0; head < capture.vectors.lanes; ++head) {
      const double size = (head > 0 ? 0x1p-4 : 1) * (t % 2 == 1 ? 8 : 1);
      for (std::size_t i = 0; i < capture.vectors.dim; ++i) {
        capture.vectors.x[capture.vectors.row(t, head) + i] *= size;
        capture.vectors.y[capture.vectors.row(t, head) + i] *= size;
      }
    }
}

TEST(Noise, IsNotExplainedByWhatLeavesAsMuchOfUnevenVectors) {
  const Setting s{2, 64, 64, "float32", -1, 1e4, 24, 100};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Capture capture = packed(s);
    make_uneven(capture);
    add_noise(capture, Format::float32, seed);
    DiagnosisRequest request;
    request.assumed = assumption(s);
    const std::optional<NoisyEmbedding> noisy = but_for_noise(capture.vectors, request);
    ASSERT_TRUE(noisy);
    Regime regime;
    regime.tokens = spread(s.tokens, s.tokens);
    regime.positions = test::counted(s.start, s.tokens);
    regime.spectrum = named(noisy->embedding);
    Explanation same;
    same.arrangement = {0, 64, -1, -1};
    same.regimes = {regime};
    EXPECT_FALSE(explains_noise(capture.vectors, same, *noisy)) << seed;
  }
}

/// What is stated, with the attention factor that leaves least of y.
Explanation with_fitted_factor(const Capture& capture, const Setting& s) {
  const test::RotatedVectors& vectors = capture.vectors;
  Regime regime;
  regime.tokens = spread(s.tokens, s.tokens);
  regime.positions = test::counted(s.start, s.tokens);
  regime.spectrum = named(assumption(s).embedding);
  double along = 0, size = 0;
  for (std::size_t t = 0; t < s.tokens; ++t) {
    const RotationRow row = rotation_row(assumption(s).embedding, regime.positions[t]);
    for (std::size_t k = 0; k < s.rotary_dim / 2; ++k) {
      const std::size_t i = vectors.row(t, 0) + k, j = i + s.rotary_dim / 2;
      const double u = row.cos[k] * vectors.x[i] - row.sin[k] * vectors.x[j];
      const double v = row.sin[k] * vectors.x[i] + row.cos[k] * vectors.x[j];
      along += u * vectors.y[i] + v * vectors.y[j];
      size += u * u + v * v;
    }
  }
  regime.spectrum.embedding.attention_factor = along / size;
  Explanation fitted;
  fitted.arrangement = {0, s.rotary_dim, -1, -1};
  fitted.regimes = {std::move(regime)};
  return fitted;
}

// One pair holds nearly all of the squares.
TEST(Noise, OfAFewLargeNumbersIsNotExplainedByTheFactorThatFitsThem) {
  const Setting s{1, 64, 64, "float32", -1, 1e4, 40, 100};
  const std::vector<std::int64_t> at = test::counted(s.start, s.tokens);
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Capture capture = packed(s);
    for (std::size_t t = 0; t < s.tokens; ++t)
      for (const std::size_t i : {std::size_t{3}, std::size_t{35}}) {
        capture.vectors.x[capture.vectors.row(t, 0) + i] *= 64;
        capture.vectors.y[capture.vectors.row(t, 0) + i] *= 64;
      }
    add_noise(capture, Format::float32, seed);
    const NoisyEmbedding noisy{assumption(s).embedding, std::vector<Position>(at.begin(), at.end()),
                               1e-3};
    EXPECT_FALSE(explains_noise(capture.vectors, with_fitted_factor(capture, s), noisy)) << seed;
  }
}

TEST(Noise, IsNotExplainedByAFactorThatTheTableOfThePipelineRounded) {
  // cos is 1.1386 in most pairs, 1.1406 in 16 bits: all vectors share it.
  constexpr std::size_t kDim = 128;
  const RotaryEmbedding yarn = scaled_embedding(parse_scaling("yarn:factor=4,original=32768"),
                                                {1e6, kDim, kDim, std::nullopt, std::nullopt});
  const test::Made made{{0, kDim, -1, -1}, yarn, parse_policy("bfloat16-table"), false};
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Capture capture{test::made_tensors(made, test::counted(0, 10), 8, kDim, seed), {10, 8, kDim}};
    add_noise(capture, Format::bfloat16, seed);
    DiagnosisRequest request = request_with_presets();
    request.positions = test::counted(0, 10);
    request.assumed = Assumption{yarn, true, true, true};
    request.assumed->embedding.layout = PairLayout::half;
    const Diagnosis d = diagnose(capture.vectors, request);
    if (d.explanations.empty()) {
      ASSERT_TRUE(d.best_fit) << seed;
      EXPECT_TRUE(d.best_fit->noise) << seed;
    } else {
      EXPECT_TRUE(differences(d.explanations.front(), *request.assumed).empty()) << seed;
    }
  }
}

TEST(Noise, OfOneLargeHeadIsSharedByNone) {
  const Setting s{2, 256, 64, "float32", -1, 1e7, 4, 0};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Capture capture = packed(s);
    make_uneven(capture);
    add_noise(capture, Format::float32, seed);
    const Diagnosis found = stated(capture, s).diagnosis;
    ASSERT_TRUE(found.best_fit);
    EXPECT_EQ(found.best_fit->remedy.name.text(), "matrix-noise") << seed;
  }
}

/// A factor above 1 leaves many conventions at position 0, and not the same one likeliest of both.
TEST(OneToken, AtPosition0SetsNoTwoTensorsApart) {
  const RotaryEmbedding yarn = scaled_embedding(parse_scaling("yarn:factor=4,original=32768"),
                                                {1e6, 128, 128, std::nullopt, std::nullopt});
  std::vector<Diagnosis> found;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const test::Made made{{0, 128, -1, -1}, yarn, parse_policy("float32,store=f16"), false};
    DiagnosisRequest request = request_with_presets();
    request.positions = {0};
    found.push_back(
        diagnose(test::made_tensors(made, std::vector<std::int64_t>{0}, 28, 128, seed), request));
    ASSERT_FALSE(found.back().explanations.empty());
    EXPECT_TRUE(disagreements(found.front(), found.back(), true).empty()) << seed;
  }
}

TEST(Noise, OfRowsAtPosition0IsNoOtherSize) {
  // [3, 1, heads, d]: one token of each row, of which the last dimensions pass through.
  const Setting s{32, 80, 32, "bfloat16-table", -1, 1e4, 1, 0};
  Capture capture = packed({96, 80, 32, "bfloat16-table", -1, 1e4, 1, 0});
  capture.shape = {3, 1, 32, 80};
  add_noise(capture, Format::bfloat16, 5);
  std::vector<TokenReading> readings = token_readings(capture.shape);
  for (TokenReading& reading : readings)
    reading.positions = test::counted(0, capture.shape[reading.axis]);
  DiagnosisRequest request = request_with_presets();
  request.assumed = assumption(s);
  const Diagnosis found =
      diagnose_heads(capture.shape, capture.x(), capture.y(), readings, 80, [&](std::size_t) {
        return request;
      }).diagnosis;
  for (const Explanation& e : found.explanations)
    EXPECT_TRUE(differences(e, *request.assumed).empty());
  ASSERT_TRUE(found.best_fit || !found.explanations.empty());
}

TEST(Noise, OfWhatIsNotTurnedIsSaidOfX) {
  const Setting s{12, 64, 64, "float32", -1, 5e5, 1, 0};
  Capture capture = packed(s);
  capture.shape = {1, 12, 1, 64};
  add_noise(capture, Format::float32, 3);
  const Diagnosis found = unstated(capture).diagnosis;
  EXPECT_TRUE(found.unchanged);
  ASSERT_TRUE(found.noise);
  EXPECT_NEAR(*found.noise, 1e-3, 2e-4);
  EXPECT_NE(found.verdict, DiagnosisVerdict::none);
}

TEST(Rows, MayTurnAtOtherPositionsWherePositionsAreWithheld) {
  // Six tokens of the second row do not show what base it is that the first one has.
  Setting s{2, 256, 64, "float32,store=f16", -1, 56.234, 48};
  const Capture rows = padded_rows(s, 42, 1);
  s.base = 1e7;
  // With what the first row follows, each of its tokens has a position.
  const ArrayDiagnosis found = withheld(rows, s);
  EXPECT_EQ(found.row_tokens, s.tokens);
  ASSERT_TRUE(found.diagnosis.best_fit);
  EXPECT_TRUE(found.diagnosis.best_fit->noise);
  const Spectrum& spectrum = found.diagnosis.best_fit->parts.front().spectrum;
  EXPECT_NEAR(spectrum.embedding.base.value_or(0), 56.234, 0.1);
}

TEST(Rows, AtPosition0AreNotBlamedWherePositionsAreWithheld) {
  const Setting s{4, 64, 64, "float32,store=bf16", -1, 1e6, 10};
  const Capture rows = padded_rows(s, 9, 0);
  const Diagnosis found = withheld(rows, s).diagnosis;
  ASSERT_FALSE(found.explanations.empty());
  EXPECT_TRUE(found.of_all_numbers());
  EXPECT_EQ(found.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_FALSE(found.explanations.front().open.empty());
}

/// Rows [rows, tokens, heads·head_dim] of a batch, each padded on the left at position 0.
Capture batch(const test::Made& made, const std::vector<std::size_t>& paddings, std::size_t tokens,
              std::size_t heads, std::size_t head_dim, std::uint64_t seed = 7) {
  std::vector<std::int64_t> positions;
  for (const std::size_t padding : paddings)
    for (std::size_t t = 0; t < tokens; ++t)
      positions.push_back(t < padding ? 0 : static_cast<std::int64_t>(t - padding));
  return {test::made_tensors(made, positions, heads, head_dim, seed),
          {paddings.size(), tokens, heads * head_dim}};
}

// Vectors at position 0 hardly turn by angles in degrees, too, where rows are taken for tokens.
TEST(Rows, OfPaddingAreNoKnownBugAtAnyFactor) {
  for (const double factor : {1.0, 1.13863, 0.25})
    for (const char* policy : kPolicies) {
      RotaryEmbedding embedding = default_embedding(64, 1e6);
      embedding.attention_factor = factor;
      const test::Made made{{0, 64, -1, -1}, embedding, parse_policy(policy), false};
      embedding.layout = PairLayout::half;
      DiagnosisRequest request = request_with_presets();
      request.assumed = {embedding, true, true, false};
      const Capture zero = batch(made, {4}, 4, 8, 64);
      EXPECT_FALSE(known_bug(zero.vectors, test::counted(0, 4), request)) << policy << factor;
      const bool noisy = made.policy.store == Format::float16;
      if (factor < 1.1 || !(noisy || made.policy.store == Format::float64)) continue;
      Capture rows = batch(made, {0, 3, 10, 5}, 12, 32, 64);
      if (noisy) add_noise(rows, Format::float16, 3);
      const ArrayDiagnosis found = withheld(rows, embedding);
      EXPECT_EQ(found.row_tokens, 12U) << policy << factor;
      EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none) << policy << factor;
      EXPECT_EQ(found.diagnosis.explanations.empty(), noisy) << policy << factor;
    }
}

// Rows that follow nothing at the positions of another row are no heads beside one that is as x.
TEST(Rows, OfOneHeadAreNoHeadsThatAreTurnedUnlike) {
  const test::Made made{
      {0, 128, -1, -1}, default_embedding(128, 1e6), parse_policy("float32,store=f16"), false};
  for (const std::size_t tokens : {3U, 4U})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const Capture rows = batch(made, {0, tokens, tokens - 2}, tokens, 1, 128, seed);
      const ArrayDiagnosis found = withheld(rows, default_embedding(128, 1e6, PairLayout::half));
      EXPECT_EQ(found.row_tokens, tokens) << seed;
      EXPECT_NE(found.diagnosis.verdict, DiagnosisVerdict::none) << tokens << seed;
      EXPECT_FALSE(found.diagnosis.explanations.empty()) << tokens << seed;
    }
}

// Over a few tokens with noise, slow pairs tell YaRN from its base as little as the factor tells.
TEST(Noise, OfAFactorIsOfTheConventionThatHasIt) {
  const DiagnosisRequest request = request_with_presets();
  std::vector<std::int64_t> positions = test::counted(0, 13);
  for (const std::int64_t position : test::counted(0, 11)) positions.push_back(position);
  std::size_t with_factor = 0;
  for (const NamedEmbedding& preset : request.presets) {
    const RotaryEmbedding& e = preset.embedding;
    if (std::abs(e.attention_factor - 1) < 0.01) continue;
    ++with_factor;
    RotaryEmbedding block = e;
    block.head_dim = e.rotary_dim();
    block.layout = PairLayout::interleaved;
    const int order = e.layout == PairLayout::half ? -1 : 0;
    const test::Made made{
        {0, e.rotary_dim(), order, order}, block, parse_policy("bfloat16-table"), false};
    Capture capture{test::made_tensors(made, positions, 9, e.head_dim),
                    {positions.size(), 9 * e.head_dim}};
    add_noise(capture, Format::bfloat16, with_factor);
    const LeastSquares fit = fit_convention(capture.vectors, positions, request);
    EXPECT_NEAR(fit.spectrum.embedding.attention_factor, e.attention_factor, 0.01) << preset.name;
    EXPECT_EQ(fit.spectrum.embedding.frequencies.theta, e.frequencies.theta) << preset.name;
  }
  EXPECT_GT(with_factor, 0U);
}

// A first sequence of two tokens spoils too little of a count to be a sequence of its own there,
// and too much for a head to follow the count.
TEST(Noise, OfPackedSequencesIsOfOneConventionHoweverShortTheFirst) {
  for (const std::size_t first : {2U, 3U}) {
    std::vector<std::int64_t> positions = test::counted(0, first);
    for (const std::int64_t position : test::counted(0, 60)) positions.push_back(position);
    const test::Made made{{0, 64, 0, 0},
                          default_embedding(64, 1e4, PairLayout::interleaved),
                          parse_policy("float32,store=bf16"),
                          false};
    Capture capture{test::made_tensors(made, positions, 2, 128), {positions.size(), 256}};
    add_noise(capture, Format::bfloat16, first, 3e-3);
    const Diagnosis found = unstated(capture).diagnosis;
    ASSERT_TRUE(found.best_fit) << first;
    EXPECT_TRUE(found.best_fit->noise) << first;
    const FitPart& all = found.best_fit->parts.front();
    EXPECT_EQ(all.spectrum.embedding.base, 1e4) << first;
    EXPECT_EQ(all.positions, positions) << first;
  }
}

// At position 0 a factor is all that is left of a rotation, of the second half of a head as of the
// first.
TEST(Noise, OfOneTokenAtPosition0HasNoForeignTail) {
  const RotaryEmbedding yarn = scaled_embedding({"yarn", {{"factor", 4}, {"original", 32768}}, {}},
                                                {1e6, 128, 128, std::nullopt, std::nullopt});
  const test::Made made{{0, 128, -1, -1}, yarn, parse_policy("bfloat16-table"), false};
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
    Capture capture{test::made_tensors(made, test::counted(0, 1), 8, 128), {1, 8, 128}};
    RandomStream random(seed, 0);
    change(capture, [&](std::size_t, std::size_t, std::size_t, double& y) {
      std::array<double, 1> normal;
      random.fill_normal(normal);
      y = round_to(Format::bfloat16, y + 1e-3 * normal[0]);  // of x, whatever the number
    });
    const std::vector<TokenReading> readings =
        token_readings(capture.shape, std::vector<std::int64_t>{0});
    EXPECT_FALSE(diagnose_heads(capture.shape, capture.x(), capture.y(), readings, std::nullopt,
                                [](std::size_t) { return request_with_presets(); })
                     .diagnosis.tail)
        << seed;
  }
}

TEST(OneToken, OfEveryRowIsOneAndNotItsRowsOrHeads) {
  for (const char* policy : kPolicies)
    for (const bool heads_first : {true, false}) {
      const Setting s{64, 128, 128, policy, -1, 5e5, 1, 3135};
      Capture capture = packed(s);
      capture.shape = heads_first ? std::vector<std::size_t>{2, 32, 1, 128}
                                  : std::vector<std::size_t>{2, 1, 32, 128};
      const ArrayDiagnosis found = stated(capture, s);
      ASSERT_FALSE(found.diagnosis.explanations.empty()) << policy;
      EXPECT_EQ(found.diagnosis.token_axis, heads_first ? 2U : 1U) << policy;
      EXPECT_TRUE(differences(found.diagnosis.explanations.front(), assumption(s)).empty())
          << policy;
    }
}

TEST(OneToken, AtPosition0HasTheFactorOfItsRuleAndNoUnusualOne) {
  const RotaryEmbedding yarn = scaled_embedding({"yarn", {{"factor", 4}, {"original", 32768}}, {}},
                                                {1e6, 128, 128, std::nullopt, std::nullopt});
  const test::Made made{{0, 128, -1, -1}, yarn, parse_policy("float32,store=f16"), false};
  const Capture capture{test::made_tensors(made, test::counted(0, 1), 4, 128), {1, 512}};
  const Diagnosis found = unstated(capture).diagnosis;
  ASSERT_FALSE(found.explanations.empty());
  for (const Explanation& e : found.explanations) EXPECT_TRUE(remarks(e, true).empty());
}

TEST(Unwritten, ZerosAreNamedBesideVectorsThatStandAtPosition0) {
  const Setting s{4, 64, 64, "float32", -1, 1e4, 1, 0};
  Capture capture = packed(s);
  capture.shape = {1, 1, 4, 64};
  change(capture, [](std::size_t, std::size_t lane, std::size_t, double& y) {
    if (lane == 2) y = 0;
  });
  const Diagnosis found = unstated(capture).diagnosis;
  EXPECT_TRUE(found.unwritten.any());
  EXPECT_EQ(found.verdict, DiagnosisVerdict::none);
  EXPECT_TRUE(!found.best_fit || found.best_fit->bug.empty());
}

TEST(Unwritten, HeadsOfOneTokenAreNoTokensAtPosition0) {
  // [B, H, 1, d]: the heads that are not rotated would stand at position 0.
  const Setting s{1, 96, 96, "bfloat16-table", -1, 1e4, 128, 82146};
  const test::Made made{
      {0, 96, -1, -1}, default_embedding(96, 1e4), *find_policy("bfloat16-table"), false};
  Capture capture{test::made_tensors(made, std::vector<std::int64_t>(128, 82146), 1, 96),
                  {4, 32, 1, 96}};
  for (std::size_t row = 0; row < 128; ++row)
    if (row % 32 >= 19)
      for (std::size_t i = row * 96; i < (row + 1) * 96; ++i)
        capture.vectors.y[i] = capture.vectors.x[i];
  const ArrayDiagnosis found = stated_anywhere(capture, s);
  EXPECT_EQ(found.diagnosis.token_axis, 2U);
  EXPECT_EQ(found.diagnosis.unwritten.same_lanes.size(), 13U * 4);
}

// Rotated twice, which rounds more than one rotation: the first token is at position 0, and no head
// of a single token that is not rotated.
TEST(Unwritten, ATokenAtPosition0IsNoHeadOfOneToken) {
  const Setting s{16, 128, 128, "float64", -1, 1e6, 2, 0};
  const test::Made made{
      {0, 128, -1, -1}, default_embedding(128, 1e6), *find_policy("float64"), false};
  Capture capture = packed(s);
  test::RotatedVectors again = capture.vectors;
  again.x = again.y;
  test::rotate_into(made, test::counted(0, 2), again);
  capture.vectors.y = again.y;
  capture.shape = {1, s.tokens, s.heads * s.head_dim};
  const ArrayDiagnosis found = stated_anywhere(capture, s);
  EXPECT_EQ(found.diagnosis.token_axis, 1U);
  EXPECT_FALSE(found.diagnosis.unwritten.any());
}

TEST(Rows, OfOneTokenAreNoTokensThatAFactorPutsFarApart) {
  // [B, H, 1, d], of which the second row is not rotated.
  const Setting s{8, 128, 128, "float32", -1, 5e6, 2, 64973};
  const test::Made made{
      {0, 128, -1, -1}, default_embedding(128, 5e6), *find_policy("float32"), false};
  const Capture capture{test::made_tensors(made, std::vector<std::int64_t>{64973, 0}, 8, 128),
                        {2, 8, 1, 128}};
  const ArrayDiagnosis found = stated_anywhere(capture, s);
  ASSERT_FALSE(found.diagnosis.explanations.empty());
  EXPECT_EQ(found.diagnosis.token_axis, 2U);
  EXPECT_EQ(found.diagnosis.explanations.front().spectrum().embedding.scaling.rule, "default");
}

TEST(Unwritten, AHeadOfOneTokenIsNoTokenAtAnotherPosition) {
  const Setting s{2, 128, 128, "float32,store=f16", -1, 5e5, 1, 2136};
  Capture capture = packed(s);
  capture.shape = {2, 1, 128};
  change(capture, [](std::size_t, std::size_t lane, std::size_t, double& y) {
    if (lane == 0) y = 0;
  });
  const Diagnosis found = stated(capture, s).diagnosis;
  EXPECT_EQ(found.token_axis, 1U);
  ASSERT_FALSE(found.explanations.empty());
  EXPECT_EQ(found.explanations.front().position_offset, 0);
}

TEST(RoundedAngles, AreNamedWhereFastPairsNoLongerFollow) {
  // float16 holds whole numbers alone from 2048 on: the first pair turns by whole radians. At 7090
  // 0.5623 m is a tie of float16, but for the rounding of float32.
  for (const Setting& s : {Setting{2, 128, 128, "float32", -1, 2e6, 24, 3549},
                           Setting{2, 80, 32, "float32,store=bf16", -1, 1e4, 12, 7082}}) {
    Capture capture = packed(s);
    test::RotatedVectors& v = capture.vectors;
    const RotaryEmbedding embedding = default_embedding(s.rotary_dim, s.base);
    const Format stored = s.head_dim == 128 ? Format::float16 : Format::bfloat16;
    const auto single = [](double value) { return round_to(Format::float32, value); };
    for (std::size_t t = 0; t < v.tokens; ++t)
      for (std::size_t k = 0; k < s.rotary_dim / 2; ++k) {
        const double position = static_cast<double>(s.start) + static_cast<double>(t);
        const double angle =
            round_to(Format::float16, single(position * single(embedding.frequencies.theta[k])));
        for (std::size_t head = 0; head < s.heads; ++head) {
          const std::size_t i = v.row(t, head) + k, j = i + s.rotary_dim / 2;
          const double a = v.x[i], b = v.x[j];
          v.y[i] = round_to(stored, a * std::cos(angle) - b * std::sin(angle));
          v.y[j] = round_to(stored, a * std::sin(angle) + b * std::cos(angle));
        }
      }
    const Diagnosis found = stated(capture, s).diagnosis;
    ASSERT_TRUE(found.best_fit) << text_of(s);
    EXPECT_TRUE(found.best_fit->following.empty()) << text_of(s);
    EXPECT_NE(found.best_fit->looks_like.find("angles mθ that were rounded to float16"),
              std::string::npos)
        << found.best_fit->looks_like;
  }
}

TEST(Disagreements, OfScatteredPositionsAreSeenTokenByToken) {
  const auto scattered = [](std::vector<std::int64_t> positions) {
    Diagnosis d;
    Explanation e;
    e.arrangement = {0, 64, -1, -1};
    e.regimes.push_back({{0, 1, 2, 3}, std::move(positions), named(default_embedding(64, 1e4))});
    d.explanations.push_back(std::move(e));
    d.tokens = 4;
    return d;
  };
  const Diagnosis q = scattered({58, 121, 34, 89});
  EXPECT_EQ(disagreements(q, scattered({57, 120, 33, 88}), false),
            std::vector{ConventionPart::position_offset});
  EXPECT_TRUE(disagreements(q, q, false).empty());
}

// The other half of a head passes through: it is no head that was left out.
TEST(RightCode, APartOfAHeadAsItIsStatedIsNoHead) {
  const Setting s = {16, 256, 64, "float32", 0, 1e4, 3, 11455};
  Setting exponents = s;
  exponents.base = 10;  // 10000^(2i/256), over the head instead of its rotated part
  Capture capture = packed(exponents);
  capture.shape = {s.tokens, s.heads, s.head_dim};
  const Diagnosis found = stated_anywhere(capture, s).diagnosis;
  EXPECT_TRUE(found.unwritten.same_lanes.empty());
}

}  // namespace
}  // namespace rope
