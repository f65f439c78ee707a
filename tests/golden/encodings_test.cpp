// The other position encodings against the implementations that made them known.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "golden/reference_file.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/t5.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

const std::string kFolder = "encodings/";

std::vector<double> doubles(const std::string& path) {
  return test::reference_array(kFolder + path).doubles();
}

RowMatrix matrix(std::span<const double> values, Eigen::Index columns) {
  RowMatrix result(static_cast<Eigen::Index>(values.size()) / columns, columns);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

std::vector<std::int64_t> counted(std::int64_t from, std::size_t count) {
  std::vector<std::int64_t> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(from + static_cast<std::int64_t>(i));
  return result;
}

// A frequency of theirs is exp(−ln b·i/n) or a power in double: off by at most 32 units of
// roundoff, as ln b is below 10 and its multiple, its rounding and exp's count three each. Their
// angle is off by as much of itself, and sine and cosine by an ulp beside ours.
double table_tolerance(std::int64_t position, double omega) {
  return 32 * kRoundoff * static_cast<double>(position) * omega + 4 * kRoundoff;
}

void expect_table(const std::string& file, SinusoidalForm form,
                  const std::vector<std::int64_t>& positions) {
  const io::Tensor reference = test::reference_array(kFolder + file);
  ASSERT_EQ(reference.shape()[0], positions.size()) << file;
  const std::size_t dim = reference.shape()[1];
  const SinusoidalTable table(dim, 10000, form);
  const std::vector<double> expected = reference.doubles();
  const std::size_t waves = table.frequencies().pairs();
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const std::vector<double> row = table.row(positions[t]);
    for (std::size_t c = 0; c < dim; ++c) {
      const std::size_t wave = form == SinusoidalForm::interleaved ? c / 2 : c % waves;
      const double omega = table.frequencies().theta.at(std::min(wave, waves - 1));
      EXPECT_LE(std::abs(row[c] - expected[t * dim + c]), table_tolerance(positions[t], omega))
          << file << ": position " << positions[t] << ", column " << c << ": " << test::show(row[c])
          << ", expected " << test::show(expected[t * dim + c]);
    }
  }
}

TEST(Sinusoidal, IsTheTableOfEveryImplementation) {
  using Form = SinusoidalForm;
  const std::vector<std::int64_t> twelve = counted(0, 12), five = counted(0, 5);
  expect_table("sinusoidal_distilbert_n12_d16_f64.npy", Form::interleaved, twelve);
  expect_table("sinusoidal_marian_n12_d16_f64.npy", Form::blocks, twelve);
  expect_table("sinusoidal_transformer_xl_n12_d16_f64.npy", Form::blocks, twelve);
  expect_table("sinusoidal_m2m100_fairseq_n12_d16_f64.npy", Form::blocks_to_end, twelve);
  expect_table("sinusoidal_whisper_n12_d16_f64.npy", Form::blocks_to_end, twelve);
  expect_table("sinusoidal_transformer_xl_positions_d64_f64.npy", Form::blocks,
               {0, 1, 511, 4096, 131071});
  expect_table("sinusoidal_distilbert_n5_d7_f64.npy", Form::interleaved, five);
  expect_table("sinusoidal_marian_n5_d7_f64.npy", Form::blocks, five);
  expect_table("sinusoidal_m2m100_fairseq_n5_d7_f64.npy", Form::blocks_to_end, five);
}

TEST(Alibi, HasTheSlopesOfTheAuthorsOfBloomAndOfMpt) {
  std::size_t compared = 0;
  const io::Json cases = test::reference_json(kFolder + "alibi_slopes.json");
  for (const auto& reference : cases) {
    const std::vector<double> slopes = alibi_slopes(reference.at("heads").get<std::int64_t>());
    for (const char* who : {"slopes", "bloom", "mpt"}) {
      const auto expected = reference.at(who).get<std::vector<double>>();
      ASSERT_EQ(slopes.size(), expected.size());
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        // They take powers of a rounded ratio: one roundoff more for each head.
        const double tolerance = static_cast<double>(i + 5) * 2 * kRoundoff * expected[i];
        EXPECT_LE(std::abs(slopes[i] - expected[i]), tolerance)
            << who << " of " << slopes.size() << ", head " << i;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 3U * (1 + 2 + 4 + 8 + 12 + 16 + 24 + 32 + 71));
}

TEST(Alibi, AddsTheBiasesOfBloomAndOfMpt) {
  constexpr std::int64_t kHeads = 12, kKeys = 6;
  const std::vector<double> bloom = doubles("alibi_bloom_bias_h12_n6_f64.npy");
  const std::vector<double> mpt = doubles("alibi_mpt_bias_h12_n6_f64.npy");
  const Tokens query{RowMatrix::Zero(1, 4), {kKeys - 1}};
  const Tokens keys{RowMatrix::Zero(kKeys, 4), counted(0, kKeys)};
  for (std::int64_t head = 0; head < kHeads; ++head) {
    const RowMatrix by_key = AlibiEncoding(4, kHeads, head, AlibiBias::key).scores(query, keys);
    const RowMatrix from_last =
        AlibiEncoding(4, kHeads, head, AlibiBias::key_from_last).scores(query, keys);
    for (std::int64_t j = 0; j < kKeys; ++j) {
      const auto at = static_cast<std::size_t>(head * kKeys + j);
      EXPECT_NEAR(by_key(0, j), bloom[at], 40 * kRoundoff * std::abs(bloom[at]));
      EXPECT_NEAR(from_last(0, j), mpt[at], 40 * kRoundoff * std::abs(mpt[at]));
    }
  }
}

TEST(T5, PutsEveryDistanceIntoTheBucketOfTheOriginal) {
  std::size_t compared = 0;
  const io::Json cases = test::reference_json(kFolder + "t5_buckets.json");
  for (const auto& reference : cases) {
    const T5Buckets buckets(reference.at("buckets").get<std::int64_t>(),
                            reference.at("max_distance").get<std::int64_t>(),
                            reference.at("bidirectional").get<bool>());
    std::int64_t position = reference.at("from").get<std::int64_t>();
    for (const auto& bucket : reference.at("bucket")) {
      EXPECT_EQ(buckets.bucket(position), bucket.get<std::int64_t>()) << position;
      ++position;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 3U * 401);
}

TEST(TransformerXl, GivesTheScoresOfTheOriginal) {
  constexpr Eigen::Index kQueries = 5, kMemory = 3, kKeys = 8, kBatch = 2, kHeads = 2, kDim = 8,
                         kModel = 16;
  const std::string folder = "txl_T5_M3/";
  const std::vector<double> q = doubles(folder + "q.npy"), k = doubles(folder + "k.npy"),
                            w = doubles(folder + "W_r.npy"), u = doubles(folder + "u.npy"),
                            v = doubles(folder + "v.npy"), score = doubles(folder + "score.npy");
  const auto table = std::make_shared<SinusoidalTable>(kModel, 10000, SinusoidalForm::blocks);
  // [token, batch, head, d]
  const auto tokens = [&](const std::vector<double>& x, Eigen::Index count, Eigen::Index batch,
                          Eigen::Index head, std::int64_t from) {
    Tokens result{RowMatrix(count, kDim), counted(from, static_cast<std::size_t>(count))};
    for (Eigen::Index t = 0; t < count; ++t)
      for (Eigen::Index c = 0; c < kDim; ++c)
        result.vectors(t, c) =
            x[static_cast<std::size_t>(((t * kBatch + batch) * kHeads + head) * kDim + c)];
    return result;
  };
  std::size_t compared = 0;
  for (Eigen::Index batch = 0; batch < kBatch; ++batch)
    for (Eigen::Index head = 0; head < kHeads; ++head) {
      const auto part = [&](const std::vector<double>& x, Eigen::Index size) {
        const auto begin = x.begin() + head * size;
        return std::vector<double>(begin, begin + size);
      };
      const RowMatrix w_r = matrix(part(w, kDim * kModel), kModel);
      const TransformerXlEncoding encoding(table, w_r, part(u, kDim), part(v, kDim));
      const Tokens queries = tokens(q, kQueries, batch, head, kMemory);
      const Tokens keys = tokens(k, kKeys, batch, head, 0);
      const RowMatrix got = encoding.scores(queries, keys);
      for (Eigen::Index i = 0; i < kQueries; ++i)
        for (Eigen::Index j = 0; j <= i + kMemory; ++j) {
          const double q_norm = norm(row_of(queries.vectors, i));
          const double k_norm = norm(row_of(keys.vectors, j));
          // They round as often as we do, from a table that is off by more.
          const double tolerance = 2 * encoding.score_error(q_norm, k_norm, j - i - kMemory) +
                                   (q_norm + norm(part(v, kDim))) * frobenius_norm(w_r) * 4 *
                                       table_tolerance(kKeys, 1) / std::sqrt(kDim);
          const double expected =
              score[static_cast<std::size_t>(((i * kKeys + j) * kBatch + batch) * kHeads + head)];
          EXPECT_LE(std::abs(got(i, j) - expected), tolerance) << i << ", " << j;
          ++compared;
        }
    }
  EXPECT_EQ(compared, 4U * (4 + 5 + 6 + 7 + 8));
}

class ReRopeReference : public testing::TestWithParam<const char*> {
 protected:
  ReRopeReference() : reference_(test::reference_json(kFolder + "rerope.json").at(GetParam())) {}

  static DistanceMap map_of(const io::Json& json) {
    DistanceMap map{json.at("window").get<std::int64_t>()};
    if (!json.at("leak").is_null()) map.leak = json.at("leak").get<double>();
    return map;
  }

  io::Json reference_;
};

TEST_P(ReRopeReference, MapsDistancesAsTheRunningCodeDoes) {
  const DistanceMap map = map_of(reference_);
  std::int64_t distance = 0;
  for (const auto& index : reference_.at("index")) {
    const auto expected = index.get<double>();
    // Read back through an arc cosine: a few roundoffs of the angle.
    EXPECT_LE(std::abs(map(distance) - expected), 16 * kRoundoff * std::max(expected, 1.0));
    EXPECT_EQ(map(-distance), -map(distance));
    ++distance;
  }
  EXPECT_EQ(distance, 120);
}

TEST_P(ReRopeReference, GivesTheScoresOfTheRunningCode) {
  constexpr Eigen::Index kHeads = 2, kTokens = 24, kDim = 32;
  const std::string folder = std::string(GetParam()) + "/";
  const std::vector<double> q = doubles(folder + "q.npy"), k = doubles(folder + "k.npy"),
                            scores = doubles(folder + "scores.npy");
  const DistanceMap map = map_of(reference_.at("scores"));
  EXPECT_EQ(map.window, 8);
  const ReRopeEncoding encoding(default_embedding(kDim, 10000, PairLayout::half), map);
  // Their angles are off by 4 roundoffs of themselves, at most 24 radians, on both sides.
  const double turned = 2 * 4 * kRoundoff * kTokens;
  std::size_t compared = 0;
  for (Eigen::Index head = 0; head < kHeads; ++head) {
    const auto tokens = [&](const std::vector<double>& x) {
      const std::span<const double> all = x;
      return Tokens{matrix(all.subspan(static_cast<std::size_t>(head * kTokens * kDim),
                                       static_cast<std::size_t>(kTokens * kDim)),
                           kDim),
                    counted(0, kTokens)};
    };
    const Tokens queries = tokens(q), keys = tokens(k);
    const RowMatrix got = encoding.scores(queries, keys);
    for (Eigen::Index i = 0; i < kTokens; ++i)
      // A key after the query by the window or more is taken for one before it: not meant.
      for (Eigen::Index j = 0; j < std::min(kTokens, i + map.window); ++j) {
        const double q_norm = norm(row_of(queries.vectors, i));
        const double k_norm = norm(row_of(keys.vectors, j));
        const double tolerance = 3 * encoding.score_error(q_norm, k_norm, j - i) +
                                 turned * q_norm * k_norm / std::sqrt(kDim);
        const double expected =
            scores[static_cast<std::size_t>((head * kTokens + i) * kTokens + j)];
        EXPECT_LE(std::abs(got(i, j) - expected), tolerance) << i << ", " << j;
        ++compared;
      }
  }
  EXPECT_EQ(compared, 2U * (300 + 140));
}

INSTANTIATE_TEST_SUITE_P(Both, ReRopeReference, testing::Values("rerope_w32", "leaky_w32_k16"));

}  // namespace
}  // namespace rope
