// One planted mistake after the other in a small model, and the words that an engineer gets.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/readings.hpp"
#include "rope/diagnose/remedies.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/scaling/scaling.hpp"
#include "support/rotated.hpp"

namespace rope {
namespace {

constexpr std::size_t kTokens = 24, kHeads = 4, kDim = 32, kRow = kHeads * kDim;

using Numbers = std::vector<double>;
using Angles = std::function<double(std::size_t t, std::size_t k)>;

double theta(std::size_t k, std::size_t r = kDim, double base = 1e4) {
  return std::pow(base, -2.0 * static_cast<double>(k) / static_cast<double>(r));
}
double plain_angle(std::size_t t, std::size_t k) { return static_cast<double>(t) * theta(k); }

Numbers random_rows(std::size_t size, std::uint64_t seed) {
  RandomStream random(seed, 0);
  Numbers x(size);
  random.fill_normal(x);
  for (double& each : x) each = round_to(Format::float32, each);
  return x;
}

/// Each vector of `dim` numbers turned, pairs in half or interleaved layout.
Numbers turned(const Numbers& x, const Angles& angle, bool half, std::size_t dim = kDim) {
  Numbers y(x.size());
  for (std::size_t at = 0; at < x.size(); at += dim)
    for (std::size_t k = 0; k < dim / 2; ++k) {
      const std::size_t a = at + (half ? k : 2 * k), b = half ? a + dim / 2 : a + 1;
      const double phi = angle(at / kRow, k);
      y[a] = x[a] * std::cos(phi) - x[b] * std::sin(phi);
      y[b] = x[a] * std::sin(phi) + x[b] * std::cos(phi);
    }
  return y;
}
Numbers rotated(const Numbers& x) { return turned(x, plain_angle, true); }

/// Rows of a projection reordered from interleaved to half, as if it had so many heads.
Numbers permuted(const Numbers& x, std::size_t heads) {
  Numbers y(x.size());
  const std::size_t head = kRow / heads;
  for (std::size_t at = 0; at < x.size(); at += head)
    for (std::size_t k = 0; k < head / 2; ++k)
      for (std::size_t j = 0; j < 2; ++j) y[at + j * head / 2 + k] = x[at + 2 * k + j];
  return y;
}

/// Vector (t, h) of a batch [tokens, heads], from wherever.
Numbers gathered(const Numbers& x, const std::function<std::size_t(std::size_t i)>& from) {
  Numbers y(x.size());
  for (std::size_t i = 0; i < x.size() / kDim; ++i)
    for (std::size_t d = 0; d < kDim; ++d) y[i * kDim + d] = x[from(i) * kDim + d];
  return y;
}

struct Said {
  std::string bug, remedy;
};

Diagnosis diagnosed(const Numbers& x, Numbers y) {
  for (double& each : y) each = round_to(Format::float32, each);
  const std::vector<std::size_t> shape = {1, kTokens, kHeads, kDim};
  return diagnose_arrays(shape, x, y, token_readings(shape), request_with_presets()).diagnosis;
}

Said said(const Numbers& x, const Numbers& y) {
  const Diagnosis d = diagnosed(x, y);
  EXPECT_TRUE(d.explanations.empty());
  if (!d.best_fit) return {};
  return {d.best_fit->bug.empty() ? d.best_fit->looks_like : d.best_fit->bug,
          d.best_fit->remedy.text};
}

void expect(const Said& got, const std::string& bug, const std::string& remedy) {
  EXPECT_NE(got.bug.find(bug), std::string::npos) << got.bug;
  EXPECT_NE(got.remedy.find(remedy), std::string::npos) << got.remedy;
}

TEST(Mistakes, RowsReorderedOverAWrongNumberOfHeadsAreNamed) {
  const Numbers meta = random_rows(kTokens * kRow, 1);
  const std::string line =
      "rope convert model.safetensors --from interleaved --to half --heads 4 "
      "--head-dim 32 -o converted.safetensors";
  for (const std::size_t n : {1U, 2U, 8U}) {
    const std::string over = "for " + std::to_string(n) + (n == 1 ? " head" : " heads");
    expect(said(meta, rotated(permuted(meta, n))), "rows of y's projection were reordered", line);
    expect(said(meta, rotated(permuted(meta, n))), over + " instead of 4 heads", line);
    const std::string one =
        "the rows of one projection, x's or y's, were reordered from interleaved to half " + over;
    expect(said(permuted(meta, n), rotated(permuted(meta, kHeads))), one, line);
    expect(said(permuted(meta, kHeads), rotated(permuted(meta, n))), one, line);
    expect(said(permuted(meta, n), turned(meta, plain_angle, false)), "those of y's were not",
           "leave that reordering out");
  }
}

TEST(Mistakes, ARotationOverTheHiddenSizeIsNamed) {
  const Numbers x = random_rows(kTokens * kRow, 2);
  const Angles whole = [](std::size_t t, std::size_t k) {
    return static_cast<double>(t) * theta(k, kRow);
  };
  for (const bool half : {true, false})
    expect(said(x, turned(x, whole, half, kRow)),
           "all 4 heads of a token are rotated as one vector of 128 dimensions",
           "split the heads before the rotation");
}

TEST(Mistakes, ReshapesInsteadOfTranspositionsAreNamed) {
  const Numbers x = random_rows(kTokens * kRow, 3);
  const auto turn_each = [&](const std::function<std::size_t(std::size_t i)>& position) {
    Numbers y(x.size());
    for (std::size_t i = 0; i < kTokens * kHeads; ++i)
      for (std::size_t k = 0; k < kDim / 2; ++k) {
        const double phi = plain_angle(position(i), k);
        const std::size_t a = i * kDim + k, b = a + kDim / 2;
        y[a] = x[a] * std::cos(phi) - x[b] * std::sin(phi);
        y[b] = x[a] * std::sin(phi) + x[b] * std::cos(phi);
      }
    return y;
  };
  const std::string mend = "transpose(1, 2)";
  expect(said(x, turn_each([](std::size_t i) { return i % kTokens; })), "position i mod tokens",
         mend);
  expect(said(x, turn_each(
                     [](std::size_t i) { return (i / kHeads + i % kHeads * kTokens) / kHeads; })),
         "has the position of vector i of [tokens, heads]", mend);
  const auto reshaped = [](std::size_t i) { return i % kHeads * kTokens + i / kHeads; };
  const auto back = [](std::size_t i) { return i % kTokens * kHeads + i / kTokens; };
  expect(said(x, rotated(gathered(x, reshaped))),
         "before the rotation, [tokens, heads] was reshaped to [heads, tokens]", mend);
  expect(said(x, rotated(gathered(x, back))), "x was reshaped from [tokens, heads]", mend);
}

TEST(Mistakes, HeadsInAnotherOrderAreNamed) {
  const Numbers x = random_rows(kTokens * kRow, 4);
  constexpr std::array<std::size_t, kHeads> kSwapped = {0, 2, 1, 3};
  expect(
      said(x,
           rotated(gathered(
               x, [&](std::size_t i) { return i / kHeads * kHeads + kSwapped.at(i % kHeads); }))),
      "heads 0, 1 … are heads 0, 2, 1, 3 of x", "repeat_interleave");
}

TEST(Mistakes, WhatStandsBeforeOrAfterIsNamed) {
  const Numbers x = random_rows(kTokens * kRow, 5), bias = random_rows(kRow, 6);
  Numbers weight = random_rows(kDim, 7);
  for (double& each : weight) each = 1 + 0.3 * std::tanh(each);
  const auto each = [](Numbers of, const std::function<void(double&, std::size_t i)>& change) {
    for (std::size_t i = 0; i < of.size(); ++i) change(of[i], i);
    return of;
  };
  const auto biased = [&](const Numbers& of) {
    return each(of, [&](double& v, std::size_t i) { v += bias[i % kRow]; });
  };
  const auto weighted = [&](const Numbers& of) {
    return each(of, [&](double& v, std::size_t i) { v *= weight[i % kDim]; });
  };
  const auto normed = [](Numbers of) {
    for (std::size_t at = 0; at < of.size(); at += kDim) {
      double squares = 0;
      for (std::size_t i = at; i < at + kDim; ++i) squares += of[i] * of[i];
      const double rms = std::sqrt(squares / kDim);
      for (std::size_t i = at; i < at + kDim; ++i) of[i] /= rms;
    }
    return of;
  };
  expect(said(x, rotated(biased(x))), "a bias is added before the rotation", "to x");
  expect(said(x, biased(rotated(x))), "a bias is added after the rotation", "not after it");
  expect(said(x, rotated(weighted(normed(x)))), "weighted before it is rotated",
         "before it is rotated");
  expect(said(x, weighted(normed(rotated(x)))), "weighted after it is rotated", "not after it");
  expect(said(x, weighted(rotated(x))), "applied after the rotation", "not after it");
  expect(said(x, rotated(weighted(x))), "applied before the rotation", "before it is rotated");
  const Numbers wx =
      each(weighted(x), [](double& v, std::size_t) { v = round_to(Format::float32, v); });
  expect(said(wx, weighted(rotated(x))), "y it is applied after the rotation", "not after it");
  const auto grown = [&](const Numbers& of, double scale_base) {
    return each(rotated(of), [&](double& v, std::size_t i) {
      const auto k = static_cast<double>(i % (kDim / 2));
      v *= std::pow((2 * k / kDim + 0.4) / 1.4, static_cast<double>(i / kRow) / scale_base);
    });
  };
  expect(said(x, grown(x, 512)), "power of the position, as in xPos: pair 0 by 0.9975",
         "k by its inverse");
  const auto coarse = [&](const Numbers& of) {
    return each(of, [](double& v, std::size_t) { v = round_to(Format::bfloat16, v); });
  };
  const Numbers cx = coarse(x);
  expect(said(cx, coarse(grown(cx, 256))), "power of the position, as in xPos: pair 0 by 0.995",
         "k by its inverse");
  const Numbers logn = each(rotated(x), [](double& v, std::size_t i) {
    const auto m = static_cast<double>(i / kRow);
    if (m > 7) v *= std::log(m + 1) / std::log(8.0);
  });
  expect(said(x, logn), "ln(m + 1)/ln 8, logn scaling", "x");
}

TEST(Mistakes, AHeadWithAFactorOfItsOwnIsNamed) {
  const Numbers x = random_rows(kTokens * kRow, 23);
  const auto with = [&](const std::array<double, kHeads>& factors) {
    Numbers y = rotated(x);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= factors.at(i % kRow / kDim);
    return said(x, y);
  };
  expect(with({1, 1, -1, 1}), "vector 2 of every token is multiplied by -1, the others by 1",
         "these heads");
  expect(with({0.5, 1, 1, 1}), "vector 0 of every token is multiplied by 0.5", "these heads");
  expect(with({0.5, 1, 1, 2}), "every vector has a factor of its own", "the x that enters");
}

TEST(Mistakes, AnglesThatWereRoundedAreNamed) {
  const Numbers x = random_rows(kTokens * kRow, 8);
  const auto f16 = [](double v) { return round_to(Format::float16, v); };
  expect(said(x, turned(
                     x, [&](auto t, auto k) { return f16(plain_angle(t, k)); }, true)),
         "angles mθ that were rounded to float16", "float32 or wider");
  expect(
      said(x, turned(
                  x, [](auto t, auto k) { return round_to(Format::bfloat16, plain_angle(t, k)); },
                  true)),
      "angles mθ that were rounded to bfloat16", "float32 or wider");
  const double step = f16(theta(1));
  const Angles pairs = [&](std::size_t t, std::size_t k) {
    double angle = static_cast<double>(t);
    for (std::size_t i = 0; i < k; ++i) angle = f16(angle * step);
    return angle;
  };
  expect(said(x, turned(x, pairs, true)), "from pair to pair in float16", "mθ_i");
  const Angles sums = [&](std::size_t t, std::size_t k) {
    double angle = 0;
    for (std::size_t i = 0; i < t; ++i) angle = f16(angle + f16(theta(k)));
    return angle;
  };
  expect(said(x, turned(x, sums, false)), "added up from token to token in float16",
         "from its position");
}

TEST(Mistakes, CachesAreNamedByTheirGrid) {
  const Numbers x = random_rows(kTokens * kRow, 9), y = rotated(x);
  const auto quantised = [&](std::size_t group, double steps) {
    Numbers cached = y;
    for (std::size_t at = 0; at < y.size(); at += group) {
      double largest = 0;
      for (std::size_t i = at; i < at + group; ++i) largest = std::max(largest, std::abs(y[i]));
      for (std::size_t i = at; i < at + group; ++i)
        cached[i] = std::round(y[i] / largest * steps) * largest / steps;
    }
    return cached;
  };
  expect(said(x, quantised(kDim, 127)), "an int8 cache with one scale per vector",
         "quantised for the cache");
  expect(said(x, quantised(y.size(), 127)), "an int8 cache with one scale per tensor", "quantised");
  Numbers nibbles = y;  // 16 values from the least to the largest
  for (std::size_t at = 0; at < y.size(); at += kDim) {
    const auto [least, most] = std::minmax_element(&y[at], &y[at] + kDim);
    const double step = (*most - *least) / 15;
    for (std::size_t i = at; i < at + kDim; ++i)
      nibbles[i] = *least + step * std::round((y[i] - *least) / step);
  }
  expect(said(x, nibbles), "an int4 cache with one scale per vector", "quantised for the cache");
  for (const auto& [bits, name] : {std::pair{3, "e4m3"}, std::pair{2, "e5m2"}}) {
    Numbers cached = y;
    for (double& v : cached) {
      int exponent = 0;
      const double part = std::frexp(v / 1.7, &exponent);
      v = 1.7 * std::ldexp(std::round(std::ldexp(part, bits + 1)), exponent - bits - 1);
    }
    expect(said(x, cached), std::string("an fp8 cache (") + name + ")", "quantised for the cache");
  }
}

TEST(Mistakes, NoiseIsNoCache) {
  const Numbers x = random_rows(kTokens * kRow, 17), noise = random_rows(kTokens * kRow, 18);
  Numbers y = rotated(x);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.01 * noise[i];
  const Said got = said(x, y);
  EXPECT_EQ(got.bug.find("cache"), std::string::npos) << got.bug;
}

TEST(Mistakes, WhatIsNotWrittenIsNamed) {
  const Numbers x = random_rows(kTokens * kRow, 10);
  Numbers first = rotated(x), cosines = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % kDim >= kDim / 2) first[i] = x[i];
    cosines[i] *= std::cos(plain_angle(i / kRow, i % (kDim / 2)));
  }
  expect(said(x, first), "only the first numbers of the pairs are written", "both halves");
  expect(said(x, cosines), "the sines are missing", "add rotate_half(x) sin");
  // Of two tokens, at 0 and 1, any factors of pairs are powers of the position.
  const std::vector<std::size_t> shape = {2, 2 * kHeads, kDim / 2};
  const std::size_t two = 2 * kRow;
  const Numbers few(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(two));
  Numbers shorter = few;
  for (std::size_t i = kRow; i < two; ++i)
    shorter[i] = round_to(Format::bfloat16, few[i] * std::cos(theta(i % (kDim / 4), kDim / 2)));
  const Diagnosis d =
      diagnose_arrays(shape, few, shorter, token_readings(shape), request_with_presets()).diagnosis;
  EXPECT_TRUE(!d.best_fit || d.best_fit->bug.find("xPos") == std::string::npos);
}

TEST(Mistakes, ConvertedWeightsAreRecognisedRowByRow) {
  // [out, in]: permuted() reorders neighbouring numbers, so rows are made of columns.
  const std::vector<std::size_t> shape = {kRow, 8};
  const Numbers w = random_rows(kRow * 8, 11);
  const auto converted = [&](std::size_t heads) {
    Numbers index(kRow);
    for (std::size_t i = 0; i < kRow; ++i) index[i] = static_cast<double>(i);
    const Numbers from = permuted(index, heads);
    Numbers y(w.size());
    for (std::size_t i = 0; i < w.size(); ++i)
      y[i] = w[static_cast<std::size_t>(from[i / 8]) * 8 + i % 8];
    return y;
  };
  const auto bug = [&](const Numbers& x, const Numbers& y) {
    const Diagnosis d =
        diagnose_arrays(shape, x, y, token_readings(shape), request_with_presets()).diagnosis;
    EXPECT_EQ(d.verdict, DiagnosisVerdict::none);
    return d.best_fit ? Said{d.best_fit->bug, d.best_fit->remedy.text} : Said{};
  };
  expect(bug(w, converted(4)), "from interleaved to half for 4 heads of 32",
         "rope convert x.npy --from interleaved --to half --heads 4 -o x_half.npy");
  expect(bug(converted(2), w), "from half to interleaved for 2 heads of 64",
         "rope convert x.npy --from half --to interleaved --heads 2 -o x_interleaved.npy");
  Numbers changed = converted(4);
  changed[5] = std::nextafter(changed[5], 2.0);
  EXPECT_EQ(bug(w, changed).bug.find("reordered"), std::string::npos);
}

/// What is said of a rotation that is one, by itself or beside base 10000.
std::string remarked(const Numbers& x, const Numbers& y) {
  const Diagnosis d = diagnosed(x, y);
  if (d.explanations.empty()) return "nothing";
  std::string text;
  for (const Advice& each : remarks(d.explanations.front(), false))
    text += each.finding + ": " + each.remedy.text + "\n";
  return text;
}

TEST(Mistakes, NumbersAreNamed) {
  const Numbers x = random_rows(kTokens * kRow, 12);
  const auto with = [&](double base, double angles, double factor) {
    Numbers y = turned(
        x,
        [&](std::size_t t, std::size_t k) {
          return angles * static_cast<double>(t) * theta(k, kDim, base);
        },
        true);
    for (double& each : y) each *= factor;
    return remarked(x, y);
  };
  const auto names = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text << words;
  };
  constexpr double kPi = std::numbers::pi;
  names(with(9984, 1, 1), "this base is 10000 rounded to bfloat16");
  names(with(std::pow(1e4, 16.0 / 15), 1, 1), "as from linspace(0, 1, r/2)");
  names(with(1e4, kPi / 180, 1), "180/π, as when radians are taken for degrees");
  names(with(1e4, 2 * kPi, 1), "1/(2π), as when radians are taken for whole turns");
  names(with(1e4, kPi, 1), "sincospi");
  names(with(1e4, 2, 1), "every angle is doubled");
  names(with(1e4, 1, 1 / std::sqrt(kDim)), "is 1/√32");
  names(with(1e4, 1, std::pow(kDim, -0.25)), "is 1/√√32");
  names(with(1e4, 1, std::numbers::log2e / std::sqrt(kDim)), "is log₂(e)/√32");
  names(with(1e4, 1, std::pow(0.1 * std::log(4) + 1, 2)), "1.13863², the square of YaRN's");
  EXPECT_EQ(with(1e4, 1, 1), "");
  EXPECT_EQ(with(9000, 1, 1), "");
}

TEST(Mistakes, PositionsAndFrequenciesOf16BitsAreNamed) {
  const Numbers x = random_rows(kTokens * kRow, 13);
  const auto of = [&](const std::function<double(double m)>& position,
                      const std::function<double(double theta)>& frequency) {
    return remarked(x, turned(
                           x,
                           [&](std::size_t t, std::size_t k) {
                             return position(static_cast<double>(2000 + t)) * frequency(theta(k));
                           },
                           true));
  };
  const auto same = [](double v) { return v; };
  const auto bf16 = [](double v) { return round_to(Format::bfloat16, v); };
  EXPECT_NE(of(bf16, same).find("the positions are rounded to bfloat16"), std::string::npos)
      << of(bf16, same);
  EXPECT_EQ(of(same, same).find("rounded"), std::string::npos) << of(same, same);
  const Numbers y = turned(
      x, [&](std::size_t t, std::size_t k) { return static_cast<double>(t) * bf16(theta(k)); },
      true);
  EXPECT_NE(remarked(x, y).find("(inv_freq) are rounded to bfloat16"), std::string::npos)
      << remarked(x, y);
}

TEST(Mistakes, AnglesOf16BitsAreNamedWithTheirFrequencies) {
  const test::Made made{
      {0, 64, -1, -1}, default_embedding(64, 1e4), *find_policy("bfloat16-positions"), false};
  for (const std::int64_t first : {0, 500}) {
    DiagnosisRequest request;
    request.positions = test::counted(first, 24);
    const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 64), request);
    ASSERT_FALSE(d.explanations.empty());
    std::string told;
    for (const Advice& advice : remarks(d.explanations.front(), true)) told += advice.finding;
    EXPECT_NE(told.find(first == 0 ? "only if the frequencies (inv_freq) and the angles are "
                                     "rounded to bfloat16"
                                   : "only if the positions, the frequencies (inv_freq) and the "
                                     "angles are rounded to bfloat16"),
              std::string::npos)
        << told;
  }
}

// At one position a rounded angle is the exact one of another frequency. Which, only a known base
// tells.
TEST(Mistakes, AnglesOf16BitsAreNoFindingAtOnePositionOfAFittedBase) {
  for (const double base : {1e4, 13267.1}) {
    const test::Made made{
        {0, 64, -1, -1}, default_embedding(64, base), *find_policy("bfloat16-positions"), false};
    DiagnosisRequest request;
    request.positions = test::counted(0, 24);
    const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 64), request);
    ASSERT_FALSE(d.explanations.empty()) << base;
    Explanation e = d.explanations.front();
    const auto told = [&](std::vector<std::int64_t> positions) {
      e.regimes.front().positions = std::move(positions);
      return std::ranges::any_of(remarks(e, true), [](const Advice& advice) {
        return advice.finding.find("y fits only if") != std::string::npos;
      });
    };
    EXPECT_TRUE(told({0, 1, 2})) << base;
    EXPECT_EQ(told({0, 1}), base == 1e4);
  }
}

// y is rounded twice as well, which the bounds of one rotation need not allow for.
TEST(Mistakes, AnglesOf16BitsAreNoFindingWhereASecondRotationDoublesThem) {
  for (const double factor : {0.5, 0.25}) {
    const test::Made made{{0, 64, -1, -1},
                          scaled_embedding({"linear", {{"factor", factor}}, {}},
                                           {1e4, 64, 64, std::nullopt, std::nullopt}),
                          *find_policy("bfloat16-positions"),
                          false};
    DiagnosisRequest request;
    request.positions = test::counted(0, 24);
    const Diagnosis d = diagnose(test::made_tensors(made, *request.positions, 4, 64), request);
    ASSERT_FALSE(d.explanations.empty()) << factor;
    std::string told;
    for (const Advice& advice : remarks(d.explanations.front(), true)) told += advice.finding;
    EXPECT_EQ(told.find("y fits only if") == std::string::npos, factor == 0.5) << told;
  }
}

TEST(Mistakes, RowsReorderedTwiceAreNamed) {
  const Numbers meta = random_rows(kTokens * kRow, 14);
  const std::string text = remarked(meta, rotated(permuted(permuted(meta, kHeads), kHeads)));
  EXPECT_NE(text.find("reordered from interleaved to half twice"), std::string::npos) << text;
}

TEST(Mistakes, PairsThatAreNoRotationsShowNoSections) {
  const Numbers x = random_rows(kTokens * kRow, 15);
  Numbers y = rotated(x);
  const Numbers noise = random_rows(y.size(), 16);
  for (std::size_t i = 0; i < y.size(); ++i)
    if (i % (kDim / 2) < kDim / 4) y[i] = round_to(Format::float32, noise[i]);
  const std::vector<std::size_t> shape = {kTokens, kHeads, kDim};
  DiagnosisRequest request = request_with_presets();
  std::vector<std::int64_t> positions(kTokens);
  for (std::size_t t = 0; t < kTokens; ++t) positions[t] = static_cast<std::int64_t>(t);
  request.assumed = Assumption{default_embedding(kDim, 1e4, PairLayout::half)};
  for (double& each : y) each = round_to(Format::float32, each);
  const Diagnosis d =
      diagnose_arrays(shape, x, y, token_readings(shape, positions), request).diagnosis;
  EXPECT_TRUE(!d.best_fit || d.best_fit->straying.empty());
}

TEST(Mistakes, RulesAreGivenAsKeysOfConfigJson) {
  EXPECT_EQ(config_keys(parse_scaling("yarn:factor=4,original=32768,truncate=false")),
            "write \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 4, "
            "\"original_max_position_embeddings\": 32768, \"truncate\": false} into config.json");
  EXPECT_EQ(config_keys({}), "remove \"rope_scaling\" from config.json");
  EXPECT_NE(config_keys(parse_scaling("ntk:factor=4")).find("--scaling ntk:factor=4"),
            std::string::npos);
}

}  // namespace
}  // namespace rope
