// What is said where nothing explains y within rounding, or not every vector is turned alike.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "rope/diagnose/readings.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

constexpr std::size_t kTokens = 32, kLanes = 4, kDim = 64;

/// y = x and random x, as float32 numbers.
test::RotatedVectors vectors(std::uint64_t seed = 5) {
  RandomStream random(seed, 0);
  return test::random_tensors(kTokens, kLanes, kDim, Format::float32, random);
}

test::Made convention(double base, int order) {
  return {{0, kDim, order, order}, default_embedding(kDim, base), *find_policy("float32"), false};
}

DiagnosisRequest stated(double base, PairLayout layout) {
  DiagnosisRequest request;
  request.positions = test::counted(0, kTokens);
  request.assumed = Assumption{default_embedding(kDim, base, layout)};
  request.assumed->positions = true;
  return request;
}

/// Replaces every vector of y: `made` gets x, cosines, sines and writes y.
template <typename Made>
void make(test::RotatedVectors& tensors, double base, Made made) {
  const RotaryEmbedding embedding = default_embedding(tensors.dim, base);
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    const RotationRow row = rotation_row(embedding, static_cast<std::int64_t>(t));
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t at = tensors.row(t, lane);
      made(std::span<const double>(tensors.x).subspan(at, tensors.dim), row,
           std::span<double>(tensors.y).subspan(at, tensors.dim));
    }
  }
  for (double& value : tensors.y) value = static_cast<double>(static_cast<float>(value));
}

TEST(Nearest, NoiseOfAMatrixProductLeavesTheConventionReadable) {
  test::RotatedVectors tensors = vectors();
  test::rotate_into(convention(5e5, -1), test::counted(0, kTokens), tensors);
  RandomStream random(7, 1);
  for (double& value : tensors.y)
    value = static_cast<double>(
        static_cast<float>(value + 1e-6 * static_cast<double>(random.integer(-1000, 1000)) / 1000));
  const Diagnosis found = diagnose(tensors, stated(1e4, PairLayout::half));
  ASSERT_TRUE(found.explanations.empty());
  ASSERT_TRUE(found.best_fit);
  ASSERT_EQ(found.best_fit->parts.size(), 1U);
  const FitPart& part = found.best_fit->parts.front();
  EXPECT_EQ(part.arrangement, (Arrangement{0, kDim, -1, -1}));
  EXPECT_EQ(part.spectrum.embedding.base, 5e5);
  EXPECT_EQ(part.positions, test::counted(0, kTokens));
  // Uniform in ±1e-6: its root mean square is 1e-6/√3 of numbers near 1.
  EXPECT_GT(found.best_fit->residual, 1e-7);
  EXPECT_LT(found.best_fit->residual, 2e-6);
  EXPECT_NE(found.best_fit->looks_like.find("float32 matrix product"), std::string::npos)
      << found.best_fit->looks_like;
}

TEST(Nearest, AnUnusualBaseIsFoundUnderNoise) {
  test::RotatedVectors tensors = vectors();
  test::rotate_into(convention(31000, 0), test::counted(0, kTokens), tensors);
  for (std::size_t i = 0; i < tensors.y.size(); ++i)
    tensors.y[i] = static_cast<double>(
        static_cast<float>(tensors.y[i] + 2e-6 * std::sin(static_cast<double>(i * i % 9973))));
  const Diagnosis found = diagnose(tensors, stated(1e4, PairLayout::interleaved));
  ASSERT_TRUE(found.best_fit);
  ASSERT_EQ(found.best_fit->parts.size(), 1U);
  ASSERT_TRUE(found.best_fit->parts.front().spectrum.embedding.base);
  EXPECT_EQ(*found.best_fit->parts.front().spectrum.embedding.base, 31000);
}

TEST(Nearest, OneHeadOfAnotherLayoutAndOneUnrotatedAreNamed) {
  test::RotatedVectors tensors = vectors();
  const test::RotatedVectors unrotated = tensors;
  test::rotate_into(convention(1e4, -1), test::counted(0, kTokens), tensors);
  test::RotatedVectors other = unrotated;
  test::rotate_into(convention(1e4, 0), test::counted(0, kTokens), other);
  for (std::size_t t = 0; t < kTokens; ++t)
    for (std::size_t i = 0; i < kDim; ++i) {
      tensors.y[tensors.row(t, 1) + i] = other.y[tensors.row(t, 1) + i];
      tensors.y[tensors.row(t, 3) + i] = tensors.x[tensors.row(t, 3) + i];
    }
  const Diagnosis found = diagnose(tensors, stated(1e4, PairLayout::half));
  EXPECT_EQ(found.verdict, DiagnosisVerdict::none);
  ASSERT_TRUE(found.best_fit);
  ASSERT_EQ(found.best_fit->parts.size(), 3U);
  EXPECT_EQ(found.best_fit->parts[0].lanes, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(found.best_fit->parts[0].arrangement.in, -1);
  EXPECT_EQ(found.best_fit->parts[1].lanes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(found.best_fit->parts[1].arrangement.in, 0);
  EXPECT_EQ(found.best_fit->parts[2].lanes, (std::vector<std::size_t>{3}));
  EXPECT_FALSE(found.best_fit->parts[2].rotated);
}

TEST(Nearest, KnownBugsAreNamedWithTheirRemedy) {
  using Row = const RotationRow&;
  using In = std::span<const double>;
  using Out = std::span<double>;
  constexpr std::size_t kHalf = kDim / 2;
  const auto says = [](const test::RotatedVectors& tensors, PairLayout layout, const char* words,
                       const char* remedy) {
    const Diagnosis found = diagnose(tensors, stated(1e4, layout));
    EXPECT_EQ(found.verdict, DiagnosisVerdict::none) << words;
    ASSERT_TRUE(found.best_fit) << words;
    EXPECT_NE(found.best_fit->bug.find(words), std::string::npos) << found.best_fit->bug;
    EXPECT_NE(found.best_fit->remedy.text.find(remedy), std::string::npos)
        << found.best_fit->remedy.text;
  };
  test::RotatedVectors tensors = vectors();
  make(tensors, 1e4, [](In x, Row row, Out y) {
    for (std::size_t i = 0; i < kDim; ++i)
      y[i] = x[i] * row.cos[i / 2] + (i < kHalf ? -x[i + kHalf] : x[i - kHalf]) * row.sin[i / 2];
  });
  says(tensors, PairLayout::half, "repeat_interleave", "cat((freqs, freqs)");
  make(tensors, 1e4, [](In x, Row row, Out y) {
    for (std::size_t i = 0; i < kDim; ++i)
      y[i] = x[i] * row.cos[i % kHalf] + (i % 2 == 0 ? -x[i + 1] : x[i - 1]) * row.sin[i % kHalf];
  });
  says(tensors, PairLayout::interleaved, "repeated as in half layout", "repeat_interleave");
  make(tensors, 1e4, [](In x, Row row, Out y) {
    for (std::size_t k = 0; k < kHalf; ++k) {
      y[k] = x[k] * row.cos[k] + x[k + kHalf] * row.sin[k];
      y[k + kHalf] = x[k + kHalf] * row.cos[k] + x[k] * row.sin[k];
    }
  });
  says(tensors, PairLayout::half, "minus sign in rotate_half is missing", "cat((-x2, x1)");
  make(tensors, 1e4, [](In x, Row row, Out y) {
    for (std::size_t k = 0; k < kHalf; ++k) {
      y[k] = x[k] * row.cos[k] - x[k + kHalf] * row.sin[k];
      y[k + kHalf] = x[k + kHalf] * row.cos[k] + y[k] * row.sin[k];
    }
  });
  says(tensors, PairLayout::half, "rotated in place", "copy x1");
  make(tensors, 1e4, [](In x, Row row, Out y) {
    for (std::size_t k = 0; k < kHalf; ++k) {
      y[k] = x[k] * row.sin[k] - x[k + kHalf] * row.cos[k];
      y[k + kHalf] = x[k + kHalf] * row.sin[k] + x[k] * row.cos[k];
    }
  });
  says(tensors, PairLayout::half, "cos and sin are exchanged", "exchange the two tables");
}

// Of the sixteen choices four are rotations: by ±mθ, or by half a turn more.
TEST(Nearest, EveryChoiceOfSignsThatIsNoRotationIsNamed) {
  for (const PairLayout layout : {PairLayout::half, PairLayout::interleaved})
    for (unsigned bits = 0; bits < 16; ++bits) {
      const auto sign = [&](unsigned bit) { return (bits >> bit & 1U) != 0 ? -1.0 : 1.0; };
      const bool half = layout == PairLayout::half;
      test::RotatedVectors tensors = vectors();
      make(tensors, 1e4,
           [&](std::span<const double> x, const RotationRow& row, std::span<double> y) {
             for (std::size_t k = 0; k < kDim / 2; ++k) {
               const std::size_t i = half ? k : 2 * k, j = half ? k + kDim / 2 : 2 * k + 1;
               y[i] = sign(0) * x[i] * row.cos[k] + sign(1) * x[j] * row.sin[k];
               y[j] = sign(2) * x[j] * row.cos[k] + sign(3) * x[i] * row.sin[k];
             }
           });
      const Diagnosis found = diagnose(tensors, stated(1e4, layout));
      SCOPED_TRACE(bits);
      if (sign(0) == sign(2) && sign(1) != sign(3)) {
        if (found.best_fit) {
          EXPECT_EQ(found.best_fit->bug, "");
        }
        continue;
      }
      ASSERT_TRUE(found.best_fit);
      const auto term = [](double of, const char* plus, const char* minus) {
        return of < 0 ? minus : plus;
      };
      const std::string one = half ? "1" : "_2i", other = half ? "2" : "_2i+1";
      const std::string said = "signs are wrong: y" + one + " = " + term(sign(0), "x", "−x") + one +
                               " cos " + term(sign(1), "+ x", "− x") + other + " sin, y" + other +
                               " = " + term(sign(2), "x", "−x") + other + " cos " +
                               term(sign(3), "+ x", "− x") + one + " sin";
      const std::string twin =
          half ? "the minus sign in rotate_half is missing" : "the minus sign is missing";
      EXPECT_TRUE(found.best_fit->bug.starts_with(bits == 0 ? twin : said))
          << found.best_fit->bug << "\n"
          << said;
    }
}

TEST(Nearest, ANormalisationBeforeTheRotationIsNamed) {
  test::RotatedVectors tensors = vectors();
  make(tensors, 1e4, [](std::span<const double> x, const RotationRow& row, std::span<double> y) {
    double squares = 0;
    for (const double value : x) squares += value * value;
    const double scale = 1 / std::sqrt(squares / static_cast<double>(kDim));
    for (std::size_t k = 0; k < kDim / 2; ++k) {
      y[2 * k] = scale * (x[2 * k] * row.cos[k] - x[2 * k + 1] * row.sin[k]);
      y[2 * k + 1] = scale * (x[2 * k] * row.sin[k] + x[2 * k + 1] * row.cos[k]);
    }
  });
  const Diagnosis found = diagnose(tensors, stated(1e4, PairLayout::interleaved));
  ASSERT_TRUE(found.best_fit);
  EXPECT_NE(found.best_fit->bug.find("RMSNorm"), std::string::npos) << found.best_fit->bug;
}

// At frequencies so low that no pair turns, weights of 1 and 0 come near where fast pairs are
// small.
TEST(Nearest, ZerosInTheSecondHalfAreNoWeights) {
  RandomStream random(7, 0);
  test::RotatedVectors tensors = test::random_tensors(2, 28, 128, Format::bfloat16, random);
  for (std::size_t i = 0; i < tensors.x.size(); ++i)
    if (i % 64 < 10) tensors.x[i] /= 32;
  test::rotate_into({{0, 128, -1, -1}, default_embedding(128, 1e6), *find_policy("bfloat16-table")},
                    {0, 1}, tensors);
  for (std::size_t i = 0; i < tensors.y.size(); ++i)
    if (i % 128 >= 64) tensors.y[i] = 0;
  const Diagnosis found = diagnose(tensors, request_with_presets());
  EXPECT_TRUE(found.explanations.empty());
  ASSERT_TRUE(found.best_fit);
  EXPECT_EQ(found.best_fit->bug,
            "the first number of each pair is right (half layout, pairs (i, i+64), dimensions 0 … "
            "63), and the second is zero (dimensions 64 … 127) (default, base 1000000)");
}

// Any number is near the cosine of some pair: of one token, a few entries say nothing by
// themselves.
TEST(Nearest, CosinesOfOneTokenThatWereOverwrittenAreNoOthers) {
  RandomStream random(17, 0);
  test::RotatedVectors tensors = test::random_tensors(1, 4, 256, Format::float32, random);
  const RotaryEmbedding embedding = default_embedding(64, 1e7);
  std::vector<double> garbage(8);
  random.fill_normal(garbage);
  for (std::size_t lane = 0; lane < 4; ++lane)
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t at = lane * 256 + i;
      tensors.y[at] = tensors.x[at];
      if (i >= 64) continue;
      const double angle = 5 * embedding.frequencies.theta[i % 32];
      const double cos = i % 32 < 8 ? garbage[i % 32] : std::cos(angle);
      const double other = i < 32 ? -tensors.x[at + 32] : tensors.x[at - 32];
      tensors.y[at] = round_to(Format::float32, tensors.x[at] * cos + other * std::sin(angle));
    }
  DiagnosisRequest request;
  request.assumed = {embedding, true, true, true};
  request.assumed->embedding.head_dim = 256;
  request.assumed->embedding.layout = PairLayout::half;
  request.positions = {{5}};
  const Diagnosis found = diagnose(tensors, request);
  ASSERT_TRUE(found.best_fit);
  EXPECT_NE(
      found.best_fit->bug.find("cos is not a known entry for i = 0 … 7 and right for i = 8 … 31; "
                               "sin is right"),
      std::string::npos)
      << found.best_fit->bug;
}

// Right code of which some numbers are not written, or are another's: which, whatever they hold.
TEST(Nearest, NumbersThatAreWrongBesideRightOnesAreFound) {
  using Place = std::array<std::size_t, 3>;  // token, lane, dimension
  struct Fault {
    const char* name;
    bool (*wrong)(const Place& at);
    bool scattered;
    std::size_t tokens, lanes, dimensions;
  };
  constexpr std::size_t kSize = 64, kHeads = 6, kCount = 48;
  const std::array faults = {
      Fault{"tokens", [](const Place& at) { return at[0] >= 32; }, false, 16, kHeads, kSize},
      Fault{"some of some heads",
            [](const Place& at) { return at[1] > 1 && at[0] % 3 == 1 && at[2] % 32 < 16; }, false,
            16, 4, 32},
      Fault{"pairs of one vector",
            [](const Place& at) { return at[0] == 30 && at[1] == 4 && at[2] % 32 < 4; }, false, 1,
            1, 8},
      Fault{"a race",
            [](const Place& at) { return (at[0] * 31 + at[1] * 17 + at[2] % 32 * 7) % 97 == 5; },
            true, 0, 0, 0}};
  for (const char* policy : {"float32", "bfloat16-table", "float32,store=f16"})
    for (const Fault& fault : faults)
      for (const bool zero : {true, false}) {
        if (zero && fault.dimensions == kSize) continue;  // vectors of zeros were not written
        RandomStream random(11, 0);
        test::RotatedVectors tensors =
            test::random_tensors(kCount, kHeads, kSize, Format::bfloat16, random);
        test::rotate_into({{0, kSize, -1, -1}, default_embedding(kSize, 1e4), parse_policy(policy)},
                          test::counted(0, kCount), tensors);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < tensors.y.size(); ++i)
          if (fault.wrong({i / kSize / kHeads, i / kSize % kHeads, i % kSize})) {
            tensors.y[i] =
                zero ? 0 : -std::copysign(tensors.x[tensors.x.size() - 1 - i], tensors.y[i]);
            ++wrong;
          }
        DiagnosisRequest request = stated(1e4, PairLayout::half);
        request.positions = test::counted(0, kCount);
        const Diagnosis found = diagnose(tensors, request);
        const std::string what = std::string(fault.name) + ", " + policy + (zero ? ", zero" : "");
        EXPECT_EQ(found.verdict, DiagnosisVerdict::none) << what;
        if (!found.broken_tokens.empty()) {  // few tokens beside many that one convention explains
          EXPECT_EQ(found.broken_tokens.size(), fault.tokens) << what;
          continue;
        }
        ASSERT_TRUE(found.best_fit && found.best_fit->wrong_numbers) << what;
        const WrongNumbers& numbers = *found.best_fit->wrong_numbers;
        EXPECT_EQ(numbers.wrong, wrong) << what;
        EXPECT_EQ(numbers.scattered(), fault.scattered) << what;
        if (fault.scattered) continue;
        EXPECT_EQ(numbers.tokens.size(), fault.tokens) << what;
        EXPECT_EQ(numbers.lanes.size(), fault.lanes) << what;
        EXPECT_EQ(numbers.dimensions.size(), fault.dimensions) << what;
      }
}

// In some heads, one number of each pair is overwritten before the other is computed from it.
TEST(Nearest, AHeadThatReadsWhatItHasOverwrittenIsNamed) {
  constexpr std::size_t kCount = 20, kHeads = 4, kSize = 64;
  const RotaryEmbedding rope = default_embedding(kSize, 1e4);
  for (const bool second : {true, false})
    for (const Format format : {Format::float16, Format::float32})
      for (const PairLayout layout : {PairLayout::half, PairLayout::interleaved}) {
        RandomStream random(13, 0);
        test::RotatedVectors tensors = test::random_tensors(kCount, kHeads, kSize, format, random);
        const int order = layout == PairLayout::half ? -1 : 0;
        test::rotate_into({{0, kSize, order, order}, rope, *find_policy("float32")},
                          test::counted(0, kCount), tensors);
        for (std::size_t t = 1; t < kCount; ++t)
          for (const std::size_t head : {std::size_t{1}, std::size_t{3}})
            for (std::size_t k = 0; k < kSize / 2; ++k) {
              const PairDimensions pair = pair_dimensions(layout, k, kSize);
              const std::size_t row = (t * kHeads + head) * kSize;
              const double angle = static_cast<double>(t) * rope.frequencies.theta[k];
              const double c = std::cos(angle), s = std::sin(angle);
              const std::size_t a = row + pair.first, b = row + pair.second;
              if (second)
                tensors.y[b] = round_to(format, tensors.x[b] * c + tensors.y[a] * s);
              else
                tensors.y[a] = round_to(format, tensors.x[a] * c - tensors.y[b] * s);
            }
        for (std::size_t i = 0; i < tensors.y.size(); ++i)
          tensors.y[i] = round_to(format, tensors.y[i]);
        DiagnosisRequest request = stated(1e4, layout);
        request.positions = test::counted(0, kCount);
        const Diagnosis found = diagnose(tensors, request);
        ASSERT_TRUE(found.best_fit && found.best_fit->wrong_numbers) << second;
        EXPECT_TRUE(found.best_fit->wrong_numbers->are_of_overwritten) << second;
        EXPECT_EQ(found.best_fit->wrong_numbers->lanes, (std::vector<std::size_t>{1, 3}));
        EXPECT_TRUE(found.best_fit->remedy.name.text().ends_with("-in-place"));
      }
}

// Noise makes no number wrong beside others, nor does another convention.
TEST(Nearest, NoiseIsInNoNumbersAlone) {
  for (const double noise : {1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3})
    for (const double base : {1e4, 1e6})
      for (const Format format : {Format::float32, Format::bfloat16}) {
        RandomStream random(12, 0);
        test::RotatedVectors tensors = test::random_tensors(24, 6, 64, format, random);
        test::rotate_into({{0, 64, -1, -1}, default_embedding(64, base), *find_policy("float32")},
                          test::counted(0, 24), tensors);
        std::vector<double> more(tensors.y.size());
        random.fill_normal(more);
        for (std::size_t i = 0; i < more.size(); ++i)
          tensors.y[i] = round_to(format, tensors.y[i] + noise * more[i]);
        DiagnosisRequest request = stated(1e4, PairLayout::half);
        request.positions = test::counted(0, 24);
        const Diagnosis found = diagnose(tensors, request);
        EXPECT_TRUE(!found.best_fit || !found.best_fit->wrong_numbers)
            << noise << ", base " << base << ", " << found.best_fit->wrong_numbers->wrong;
      }
}

TEST(Nearest, SinesThatAreLeftOutAreNamedWhateverPartIsRotated) {
  for (const auto& [dim, rotary] : {std::pair<std::size_t, std::size_t>{64, 16}, {80, 32}}) {
    RandomStream random(5, 0);
    test::RotatedVectors tensors = test::random_tensors(3, 18, dim, Format::float32, random);
    const RotaryEmbedding embedding = default_embedding(rotary, 1e4);
    for (std::size_t t = 0; t < tensors.tokens; ++t) {
      const RotationRow row = rotation_row(embedding, static_cast<std::int64_t>(t));
      for (std::size_t lane = 0; lane < tensors.lanes; ++lane)
        for (std::size_t i = 0; i < rotary; ++i)
          tensors.y[tensors.row(t, lane) + i] *= row.cos[i % (rotary / 2)];
    }
    DiagnosisRequest request = request_with_presets();
    request.positions = test::counted(0, 3);
    const Diagnosis found = diagnose(tensors, request);
    ASSERT_TRUE(found.best_fit) << dim;
    EXPECT_NE(found.best_fit->bug.find("sines are missing"), std::string::npos) << dim;
  }
}

TEST(Nearest, SectionsThatFollowOtherPositionsAreNamed) {
  test::RotatedVectors tensors = vectors();
  const RotaryEmbedding embedding = default_embedding(kDim, 1e4);
  constexpr std::size_t kSection = 16;
  for (std::size_t t = 0; t < kTokens; ++t) {
    const RotationRow row = rotation_row(embedding, static_cast<std::int64_t>(t));
    const RotationRow high = rotation_row(embedding, static_cast<std::int64_t>(100 + t / 8));
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      for (std::size_t k = 0; k < kDim / 2; ++k) {
        const std::size_t a = tensors.row(t, lane) + 2 * k, b = a + 1;
        const RotationRow& own = k < kSection ? high : row;
        tensors.y[a] = tensors.x[a] * own.cos[k] - tensors.x[b] * own.sin[k];
        tensors.y[b] = tensors.x[a] * own.sin[k] + tensors.x[b] * own.cos[k];
      }
  }
  const Diagnosis found = diagnose(tensors, stated(1e4, PairLayout::interleaved));
  ASSERT_TRUE(found.best_fit);
  std::vector<std::size_t> first(kSection);
  for (std::size_t k = 0; k < kSection; ++k) first[k] = k;
  EXPECT_EQ(found.best_fit->straying, first);
  EXPECT_EQ(found.best_fit->following.size(), kDim / 2 - kSection);
}

// One vector a token turns by some angle whatever is done to it, but only a rotation keeps its
// length: slow pairs of another base come near, and the fast ones are no positions on other axes.
TEST(Nearest, PairsThatDoNotKeepTheirLengthFollowNoOtherPositions) {
  constexpr std::size_t kFew = 4, kWide = 256, kPairs = kWide / 2, kShift = kPairs / 8;
  RandomStream random(3, 0);
  test::RotatedVectors tensors = test::random_tensors(kFew, 1, kWide, Format::float16, random);
  const RotaryEmbedding embedding = default_embedding(kWide, 1e4);
  for (std::size_t t = 0; t < kFew; ++t) {
    const RotationRow row = rotation_row(embedding, static_cast<std::int64_t>(t));
    for (std::size_t k = 0; k < kPairs; ++k) {
      const std::size_t a = tensors.row(t, 0) + k, b = a + kPairs;
      const double cos = row.cos[k], sin = row.sin[(k + kShift) % kPairs];
      tensors.y[a] = round_to(Format::float16, tensors.x[a] * cos - tensors.x[b] * sin);
      tensors.y[b] = round_to(Format::float16, tensors.x[a] * sin + tensors.x[b] * cos);
    }
  }
  DiagnosisRequest request = request_with_presets();
  request.positions = test::counted(0, kFew);
  const Diagnosis found = diagnose(tensors, request);
  EXPECT_EQ(found.verdict, DiagnosisVerdict::none);
  EXPECT_FALSE(found.best_fit && !found.best_fit->following.empty());
}

TEST(Nearest, StripedPositionsAreAnExplanation) {
  test::RotatedVectors tensors = vectors();
  std::vector<std::int64_t> striped = test::counted(0, kTokens);
  for (std::int64_t& position : striped) position = 1 + 4 * position;
  test::rotate_into(convention(5e5, -1), striped, tensors);
  const Diagnosis found = diagnose(tensors, {});
  ASSERT_FALSE(found.explanations.empty());
  EXPECT_EQ(found.explanations.front().regimes.front().positions, striped);
  ASSERT_EQ(found.explanations.front().runs.size(), 1U);
  EXPECT_EQ(found.explanations.front().runs.front().step, 4);
}

TEST(Nearest, RowsOfABatchHavePositionsOfTheirOwn) {
  // [rows, lanes, tokens, dim]: the first row is padded on the left by three.
  RandomStream random(9, 0);
  const std::vector<std::size_t> shape = {2, kLanes, kTokens, kDim};
  std::vector<double> x, y;
  std::vector<std::int64_t> all;
  for (std::size_t row = 0; row < 2; ++row) {
    test::RotatedVectors one = test::random_tensors(kTokens, kLanes, kDim, Format::float32, random);
    std::vector<std::int64_t> positions = test::counted(0, kTokens);
    if (row == 0)
      for (std::int64_t& position : positions) position = position < 3 ? 1 : position - 3;
    test::rotate_into(convention(1e4, -1), positions, one);
    all.insert(all.end(), positions.begin(), positions.end());
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      for (std::size_t t = 0; t < kTokens; ++t)
        for (std::size_t i = 0; i < kDim; ++i) {
          x.push_back(one.x[one.row(t, lane) + i]);
          y.push_back(one.y[one.row(t, lane) + i]);
        }
  }
  const std::vector<TokenReading> axis = {{2, std::nullopt, std::nullopt}};
  const ArrayDiagnosis found = diagnose_arrays(shape, x, y, axis, request_with_presets());
  EXPECT_EQ(found.row_tokens, kTokens);
  ASSERT_FALSE(found.diagnosis.explanations.empty());
  EXPECT_EQ(found.diagnosis.explanations.front().regimes.front().positions, all);
  const std::vector<TokenReading> told = {{2, all, 0}};
  const ArrayDiagnosis given = diagnose_arrays(shape, x, y, told, request_with_presets());
  EXPECT_EQ(given.diagnosis.verdict, DiagnosisVerdict::unique);
  EXPECT_EQ(given.diagnosis.explanations.front().position_offset, 0);
}

/// Without an axis of heads, beside noise, and where a factor is not what is stated.
TEST(Nearest, RowsOfOneHeadHavePositionsOfTheirOwn) {
  constexpr std::size_t kOne = 1;
  const std::vector<std::size_t> shape = {3, kTokens, kDim};
  for (const double factor : {1.0, 1 / std::sqrt(static_cast<double>(kDim))}) {
    RandomStream random(11, 0);
    std::vector<double> x, y;
    for (std::int64_t row = 0; row < 3; ++row) {
      test::RotatedVectors one = test::random_tensors(kTokens, kOne, kDim, Format::float32, random);
      std::vector<std::int64_t> positions = test::counted(0, kTokens);
      for (std::int64_t& position : positions)
        position = position < 4 * row ? 1 : position - 4 * row;
      test::rotate_into(convention(1e4, -1), positions, one);
      x.insert(x.end(), one.x.begin(), one.x.end());
      for (const double exact : one.y) {
        std::array<double, 1> normal{};
        random.fill_normal(normal);
        y.push_back(factor * exact * (1 + 1e-3 * normal[0]));
      }
    }
    DiagnosisRequest request = request_with_presets();
    if (factor != 1)
      request.assumed = {default_embedding(kDim, 1e4, PairLayout::half), true, true, true};
    const std::vector<TokenReading> axis = {{1, std::nullopt, std::nullopt}};
    const ArrayDiagnosis found = diagnose_arrays(shape, x, y, axis, request);
    EXPECT_EQ(found.row_tokens, kTokens) << factor;
    ASSERT_TRUE(found.diagnosis.best_fit) << factor;
    EXPECT_TRUE(found.diagnosis.best_fit->noise) << factor;
    ASSERT_EQ(found.diagnosis.best_fit->parts.size(), 1U) << factor;
    EXPECT_NEAR(found.diagnosis.best_fit->parts.front().spectrum.embedding.attention_factor, factor,
                1e-3)
        << factor;
  }
}

}  // namespace
}  // namespace rope
