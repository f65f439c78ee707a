// What the decay curves promise at every distance.
#include "rope/attention/decay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr std::uint64_t kSeed = 4711;

std::vector<std::int64_t> some_distances() {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < 300; ++i) result.push_back(i);
  RandomStream random(kSeed, 0);
  for (int i = 0; i < 300; ++i) result.push_back(random.integer(0, 1LL << 53) >> (i % 50));
  result.push_back(std::numeric_limits<std::int64_t>::max());
  return result;
}

TEST(Decay, IsTheSameForBothSignsOfTheDistance) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const std::vector<std::int64_t> distances = some_distances();
  std::vector<std::int64_t> opposite;
  for (const std::int64_t distance : distances) opposite.push_back(-distance);
  const DecayCurve ahead = decay_curve(frequencies, distances);
  const DecayCurve behind = decay_curve(frequencies, opposite);
  EXPECT_EQ(ahead.bound, behind.bound);
  EXPECT_EQ(ahead.mean_cosine, behind.mean_cosine);
}

TEST(Decay, AcceptsTheSmallestInteger) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  double sum = 0;
  for (const TurnFraction turns : frequencies.turns) sum += cos_sin(smallest * turns).cos;
  EXPECT_EQ(decay_curve(frequencies, {&smallest, 1}).mean_cosine[0], sum / 64);
}

TEST(Decay, HasTheSameBitsAtEveryCpuLevel) {
  const Frequencies frequencies = geometric_frequencies(500000, 128);
  const std::vector<std::int64_t> distances = some_distances();
  const DecayCurve expected = decay_curve(frequencies, distances, CpuLevel::baseline);
  for (const CpuLevel level : {CpuLevel::v3, CpuLevel::v4}) {
    if (level > best_cpu_level()) continue;
    const DecayCurve curve = decay_curve(frequencies, distances, level);
    EXPECT_EQ(curve.bound, expected.bound) << name(level);
    EXPECT_EQ(curve.mean_cosine, expected.mean_cosine) << name(level);
  }
}

TEST(Decay, DoesNotDependOnHowTheDistancesAreSplitIntoCalls) {
  const Frequencies frequencies = geometric_frequencies(10000, 64);
  const std::vector<std::int64_t> distances = some_distances();
  const DecayCurve whole = decay_curve(frequencies, distances);
  for (const std::size_t step : {1U, 3U, 7U, 127U, 128U, 129U})
    for (std::size_t begin = 0; begin < distances.size(); begin += step) {
      const std::size_t size = std::min(step, distances.size() - begin);
      const DecayCurve part = decay_curve(frequencies, std::span(distances).subspan(begin, size));
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(part.bound[i], whole.bound[begin + i]) << step << ", " << begin + i;
        ASSERT_EQ(part.mean_cosine[i], whole.mean_cosine[begin + i]) << step << ", " << begin + i;
      }
    }
}

TEST(Decay, DependsOnTheDistanceAloneAndNotOnItsList) {
  // Steps that share a table, steps that do not, downwards, across 0, at the ends of int64, and one
  // list that is long enough for threads.
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  struct Steps {
    std::int64_t first, step, count;
  };
  for (const std::size_t dim : {10U, 266U})  // an odd number of pairs, and more than one tile
    for (const auto& [first, step, count] : {Steps{0, 1, 3'500'000},
                                             {-300, 1, 700},
                                             {100'000, -1, 900},
                                             {5, 3, 800},
                                             {-5, -7, 800},
                                             {1, 255, 300},
                                             {0, 256, 300},
                                             {0, 1000, 300},
                                             {7, 0, 40},
                                             {kLast - 599, 1, 600},
                                             {-kLast - 1, 1, 600},
                                             {(std::int64_t{1} << 40) - 20'000, 997, 60}}) {
      if (dim > 10 && count > 1000) continue;  // threads are the same for all
      const Frequencies frequencies = geometric_frequencies(10000, dim);
      std::vector<std::int64_t> distances;
      for (std::int64_t i = 0; i < count; ++i) distances.push_back(first + i * step);
      const DecayCurve curve = decay_curve(frequencies, distances);
      const std::size_t apart = std::max<std::size_t>(1, distances.size() / 1000);
      for (std::size_t i = 0; i < distances.size(); i += apart) {
        const DecayCurve alone = decay_curve(frequencies, {&distances[i], 1});
        ASSERT_EQ(curve.bound[i], alone.bound[0]) << dim << ", " << distances[i];
        ASSERT_EQ(curve.mean_cosine[i], alone.mean_cosine[0]) << dim << ", " << distances[i];
      }
    }
}

TEST(Decay, ACosineIsWithinItsStatedErrorOfTheExactOne) {
  // One pair: the mean cosine is the cosine. cos_sin of the whole angle is itself off by
  // kCosSinError, and the same bits below 256.
  const Frequencies frequencies = geometric_frequencies(10000, 2);
  for (const std::int64_t distance : some_distances()) {
    const double whole = cos_sin(distance * frequencies.turns[0]).cos;
    const double cosine = decay_curve(frequencies, {&distance, 1}).mean_cosine[0];
    EXPECT_LE(std::abs(cosine - whole), distance < 256 ? 0 : kCurveCosineError + kCosSinError)
        << distance;
  }
}

TEST(Decay, RefusesMemoryOfAnotherLength) {
  const Frequencies frequencies = geometric_frequencies(10000, 4);
  const std::vector<std::int64_t> distances = {1, 2};
  std::vector<double> two(2), one(1);
  EXPECT_THROW(decay_curve(frequencies, distances, two, one), ShapeError);
  EXPECT_THROW(decay_curve(frequencies, distances, one, two), ShapeError);
}

/// The products q_i* k_i of a pair of vectors.
std::vector<std::complex<double>> products(const std::vector<double>& q,
                                           const std::vector<double>& k) {
  std::vector<std::complex<double>> h;
  for (std::size_t i = 0; i < q.size(); i += 2)
    h.push_back(std::conj(std::complex(q[i], q[i + 1])) * std::complex(k[i], k[i + 1]));
  return h;
}

double score(const Frequencies& frequencies, const std::vector<std::complex<double>>& h,
             std::int64_t distance) {
  double sum = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const CosSin rotation = cos_sin(distance * frequencies.turns[i]);
    sum += h[i].real() * rotation.cos - h[i].imag() * rotation.sin;
  }
  return sum;
}

/// max_i |h_{i+1} − h_i| with h_{r/2} = 0.
double largest_step(const std::vector<std::complex<double>>& h) {
  double step = std::abs(h.back());
  for (std::size_t i = 0; i + 1 < h.size(); ++i) step = std::max(step, std::abs(h[i + 1] - h[i]));
  return step;
}

TEST(Decay, TheBoundHoldsForRandomVectorsAndForSmoothOnes) {
  SCOPED_TRACE(kSeed);
  // Sums of 64 terms in double, on both sides: 128 roundings, generously.
  constexpr double kRounding = 1 + 128 * 0x1p-52;
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const std::vector<std::int64_t> distances = some_distances();
  const DecayCurve curve = decay_curve(frequencies, distances);
  double nearest = 0;
  for (std::uint64_t sample = 0; sample < 100; ++sample) {
    RandomStream random(kSeed, sample);
    std::vector<double> q(128), k(128);
    random.fill_normal(q);
    random.fill_normal(k);
    std::vector<std::complex<double>> h = products(q, k);
    if (sample % 2 == 1)  // h_i falls in equal steps to 0: where the bound is sharp at Δ = 0
      for (std::size_t i = 0; i < 64; ++i) h[i] = static_cast<double>(64 - i);
    const double step = largest_step(h);
    for (std::size_t i = 0; i < distances.size(); ++i) {
      const double bound = step * 64 * curve.bound[i];
      const double value = std::abs(score(frequencies, h, distances[i]));
      nearest = std::max(nearest, value / bound);
      ASSERT_LE(value, bound * kRounding)
          << "distance " << distances[i] << ", sample " << sample << ": " << test::show(value);
    }
  }
  EXPECT_GE(nearest, 1 / kRounding);
}

TEST(Decay, RandomScoresHaveDeviationOneAtEveryDistance) {
  SCOPED_TRACE(kSeed);
  constexpr std::size_t kSamples = 4000;
  const std::vector<std::int64_t> distances = {0, 1, 10, 100, 1000, 100000};
  const RandomScores scores =
      random_scores(geometric_frequencies(10000, 128), distances, kSamples, kSeed);
  // A score sums 128 products of variance 1/128 whose excess kurtosis is below 6: its own is below
  // 6/64. So the deviation has the standard error √((2 + 6/64)/4(n − 1)), the mean 1/√n.
  const double deviation_error = std::sqrt((2 + 6.0 / 64) / (4.0 * (kSamples - 1)));
  const double mean_error = 1 / std::sqrt(static_cast<double>(kSamples));
  for (std::size_t i = 0; i < distances.size(); ++i) {
    EXPECT_NEAR(scores.deviation[i], 1, 5 * deviation_error) << distances[i];
    EXPECT_NEAR(scores.mean[i], 0, 5 * mean_error) << distances[i];
  }
}

TEST(Decay, RandomScoresAreTheScoresOfTheStreamsVectors) {
  const Frequencies frequencies = geometric_frequencies(10000, 8);
  const std::vector<std::int64_t> distances = {0, 3, 1000};
  std::vector<std::vector<std::complex<double>>> h;
  for (std::uint64_t sample = 0; sample < 2; ++sample) {
    RandomStream random(kSeed, sample);
    std::vector<double> q(8), k(8);
    random.fill_normal(q);
    random.fill_normal(k);
    h.push_back(products(q, k));
  }
  const RandomScores scores = random_scores(frequencies, distances, 2, kSeed);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const double a = score(frequencies, h[0], distances[i]) / std::sqrt(8.0);
    const double b = score(frequencies, h[1], distances[i]) / std::sqrt(8.0);
    // Scores below 100, a dozen roundings each.
    EXPECT_NEAR(scores.mean[i], (a + b) / 2, 100 * 12 * 0x1p-52) << distances[i];
    EXPECT_NEAR(scores.deviation[i], std::abs(a - b) / std::numbers::sqrt2, 100 * 12 * 0x1p-52);
  }
}

TEST(Decay, TheMeanCosineOfManyPairsFollowsTheLogarithmicLaw) {
  // (2/r) Σ cos(Δ b^(−2i/r)) is a left Riemann sum of ∫₀¹ cos(Δ b^(−s)) ds = (Ci(Δ) − Ci(Δ/b))/ln
  // b. The sum is off by at most the integrand's variation over r/2, and the variation is at most
  // 2(Δ/π + 1). |Ci(Δ)| ≤ 1/Δ, and |Ci(x) − γ − ln x| ≤ x²/4.
  constexpr double kBase = 1e6;
  constexpr std::size_t kRotaryDim = 16384;
  const std::vector<std::int64_t> distances = {1, 10, 30, 100, 300};
  const DecayCurve curve = decay_curve(geometric_frequencies(kBase, kRotaryDim), distances);
  const std::vector<double> law = logarithmic_law(kBase, distances);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const auto distance = static_cast<double>(distances[i]);
    const double integral =
        (1 / distance + distance * distance / (4 * kBase * kBase)) / std::log(kBase);
    const double sum = 2 * (distance / std::numbers::pi + 1) / (kRotaryDim / 2.0);
    EXPECT_NEAR(curve.mean_cosine[i], law[i], integral + sum) << distances[i];
  }
}

/// Pairs of the given fractions of a turn, in quarters of 2^64.
Frequencies of_quarters(const std::vector<std::uint64_t>& quarters) {
  Frequencies frequencies;
  for (const std::uint64_t quarter : quarters) {
    frequencies.theta.push_back(static_cast<double>(quarter) * std::numbers::pi / 2);
    frequencies.wavelength.push_back(4 / static_cast<double>(quarter));
    frequencies.turns.push_back({quarter << 62, 0});
  }
  return frequencies;
}

TEST(MeanChord, OfHalfTurnsIsTwoAndOfWholeTurnsNothing) {
  EXPECT_EQ(mean_chord(of_quarters({2, 2}), std::vector<std::int64_t>{0, 1, 2, 3}),
            (std::vector<double>{0, 2, 0, 2}));
  EXPECT_EQ(mean_chord(of_quarters({1, 2}), std::vector<std::int64_t>{1})[0],
            (std::sqrt(2.0) + 2) / 2);
}

TEST(MeanChord, OfOnePairIsTwiceTheSineOfHalfTheAngle) {
  const std::vector<std::int64_t> distances = some_distances();
  for (const double half : {0.5, 0.3, 1e-4}) {
    const Frequencies whole = given_frequencies(std::vector<double>{2 * half});
    const Frequencies halves = given_frequencies(std::vector<double>{half});
    const std::vector<double> chords = mean_chord(whole, distances);
    for (std::size_t i = 0; i < distances.size(); ++i)
      EXPECT_NEAR(chords[i], 2 * std::abs(cos_sin(distances[i] * halves.turns[0]).sin), 9 * 0x1p-52)
          << distances[i];
  }
}

TEST(MeanChord, IsNeverAboveTheRootOfTheMeanSquareWhichTheMeanCosineGives) {
  const Frequencies frequencies = geometric_frequencies(10000, 128);
  const std::vector<std::int64_t> distances = some_distances();
  const std::vector<double> chords = mean_chord(frequencies, distances);
  const std::vector<double> cosines = decay_curve(frequencies, distances).mean_cosine;
  for (std::size_t i = 0; i < distances.size(); ++i)
    EXPECT_LE(chords[i], std::sqrt(std::max(2 - 2 * cosines[i], 0.0)) + 1e-13) << distances[i];
}

}  // namespace
}  // namespace rope
