// certify on arrays: what it grants, what it compares, and what it refuses.

#include "rope/verify/certify.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/verify/output_check.hpp"

namespace rope {
namespace {

constexpr std::array<std::int64_t, 6> kPositions = {0, 1, -1, 17, 4095, 131071};
constexpr std::size_t kHeads = 3;

/// 12 of 16 dimensions rotated.
RotaryEmbedding partial_embedding() {
  RotaryEmbedding embedding = default_embedding(12, 10000, PairLayout::half);
  embedding.head_dim = 16;
  return embedding;
}

/// Frequencies that a rule made, told as its name alone.
RotaryEmbedding scaled_embedding() {
  RotaryEmbedding embedding = partial_embedding();
  embedding.scaling.rule = "linear";
  return embedding;
}

/// Vectors [6 tokens, 3 heads, 16] before and after the pipeline of a policy.
struct Made {
  std::vector<float> x, y;
};

Made made(const char* policy, const RotaryEmbedding& embedding) {
  const Pipeline pipeline(*find_policy(policy), embedding);
  const std::size_t d = embedding.head_dim;
  Made result;
  RotationRow row;
  std::vector<double> x(d), y(d);
  for (std::size_t v = 0; v < kPositions.size() * kHeads; ++v) {
    RandomStream(7, v).fill_normal(x);
    for (double& value : x) value = round_to(pipeline.policy().input(), value);
    pipeline.table_row(kPositions.at(v / kHeads), row);
    pipeline.rotate(RotationForm::elementwise, row, x, y);
    result.x.insert(result.x.end(), x.begin(), x.end());
    result.y.insert(result.y.end(), y.begin(), y.end());
  }
  return result;
}

Certification certified(const Made& made, const CertifyOptions& options = {},
                        const RotaryEmbedding& embedding = partial_embedding()) {
  return certify(embedding, *find_policy("float32"), made.x, made.y, kPositions, options);
}

template <class E, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const E& error) {
    EXPECT_FALSE(error.remedy().empty()) << error.what();
    return error.what();
  }
  return "nothing was refused";
}

TEST(Certify, PassesWhatThePolicyMakesAndComparesAllOfIt) {
  const Certification result = certified(made("float32", partial_embedding()));
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.report.compared, kPositions.size() * kHeads * (6 + 4));
  EXPECT_EQ(result.report.violations, 0U);
  EXPECT_GT(result.report.worst.ratio(), 0.02);
  EXPECT_FALSE(result.narrowed);
  EXPECT_EQ(result.policy.name, "float32");
  EXPECT_FALSE(result.sufficient_libm_ulp.has_value());
}

TEST(Certify, NamesTheFirstVectorThatIsWrongAndItsPosition) {
  Made wrong = made("float32", partial_embedding());
  wrong.y[(4 * kHeads + 2) * 16 + 3] *= 1.01F;  // token 4, head 2, dimension 3: pair 3
  const Certification result = certified(wrong);
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.report.violations, 1U);
  ASSERT_TRUE(result.report.first.has_value());
  EXPECT_EQ(result.report.first->vector, 4 * kHeads + 2);
  EXPECT_EQ(result.report.first->position, 4095);
  EXPECT_EQ(result.report.first->pair, 3U);
  EXPECT_FALSE(result.sufficient_libm_ulp.has_value()) << "no cos is as wrong as that";
}

TEST(Certify, NanFails) {
  Made wrong = made("float32", partial_embedding());
  wrong.y[40] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(certified(wrong).verdict, Verdict::fail);
}

TEST(Certify, GrantsTheCastOfResultsThatAreKeptInANarrowerType) {
  Made narrow = made("float32", partial_embedding());
  for (float& value : narrow.y)
    value = static_cast<float>(round_to(Format::bfloat16, static_cast<double>(value)));
  EXPECT_EQ(certified(narrow).verdict, Verdict::fail) << "the array is one of float32";
  CertifyOptions options;
  options.result = Format::bfloat16;
  const Certification result = certified(narrow, options);
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_TRUE(result.narrowed);
  EXPECT_EQ(result.policy.store, Format::bfloat16);
}

TEST(Certify, TheTypeOfTheArrayIsThatOfTheResults) {
  const Made floats = made("float64-angle", partial_embedding());
  const Policy policy = *find_policy("float64");
  const std::vector<double> x(floats.x.begin(), floats.x.end()),
      y(floats.y.begin(), floats.y.end());
  const auto in_floats = certify(partial_embedding(), policy, floats.x, floats.y, kPositions);
  const auto in_doubles = certify(partial_embedding(), policy, x, y, kPositions);
  EXPECT_TRUE(in_floats.narrowed);
  EXPECT_EQ(in_floats.policy.store, Format::float32);
  EXPECT_FALSE(in_doubles.narrowed);
  EXPECT_EQ(in_doubles.verdict, Verdict::fail);
}

TEST(Certify, GrantsRoundingsToAScalingRuleAndToRepeatedProducts) {
  const Made fine = made("float32", scaled_embedding());
  EXPECT_EQ(certified(fine, {}, scaled_embedding()).hypotheses.rule_roundings, kRuleRoundings);
  const Certification products =
      certify(scaled_embedding(), *find_policy("ggml"), fine.x, fine.y, kPositions);
  EXPECT_EQ(products.hypotheses.rule_roundings, kRuleRoundings + 2 * 6);
}

TEST(Certify, SaysWhichErrorOfCosAndSinWouldExplainAFailure) {
  // A cosine just beyond its bound, one unit in the last place after the other.
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const std::vector<std::int64_t> positions = {1};
  const RotationRow exact = rotation_row(embedding, 1);
  std::vector<float> cos, sin;
  for (std::size_t k = 0; k < 2; ++k) {
    cos.push_back(static_cast<float>(exact.cos[k]));
    sin.push_back(static_cast<float>(exact.sin[k]));
  }
  const Policy policy = *find_policy("float32");
  Certification result = certify_tables(embedding, policy, cos, sin, positions);
  EXPECT_EQ(result.verdict, Verdict::pass);
  for (int i = 0; i < 16 && result.verdict == Verdict::pass; ++i) {
    cos[0] = std::nextafter(cos[0], 2.0F);
    result = certify_tables(embedding, policy, cos, sin, positions);
  }
  EXPECT_EQ(result.verdict, Verdict::inconclusive) << "another library's cos is no fault";
  EXPECT_GT(result.report.violations, 0U);
  ASSERT_TRUE(result.sufficient_libm_ulp.has_value());
  EXPECT_GE(*result.sufficient_libm_ulp, 2);
  CertifyOptions options;
  options.hypotheses.libm_ulp = *result.sufficient_libm_ulp;
  EXPECT_EQ(certify_tables(embedding, policy, cos, sin, positions, options).verdict, Verdict::pass);
  options.hypotheses.libm_ulp -= 1;
  EXPECT_EQ(certify_tables(embedding, policy, cos, sin, positions, options).verdict,
            Verdict::inconclusive);
  for (int i = 0; i < 16; ++i) cos[0] = std::nextafter(cos[0], 2.0F);
  EXPECT_EQ(certify_tables(embedding, policy, cos, sin, positions).verdict, Verdict::fail)
      << "no library is as wrong";
}

TEST(Certify, TablesHaveAColumnForEachPairOrEachRotatedDimension) {
  const RotaryEmbedding embedding = partial_embedding();
  std::vector<double> cos, sin, wide_cos, wide_sin;
  for (const std::int64_t position : kPositions) {
    const RotationRow row = rotation_row(embedding, position);
    cos.insert(cos.end(), row.cos.begin(), row.cos.end());
    sin.insert(sin.end(), row.sin.begin(), row.sin.end());
    for (int half = 0; half < 2; ++half) {
      wide_cos.insert(wide_cos.end(), row.cos.begin(), row.cos.end());
      wide_sin.insert(wide_sin.end(), row.sin.begin(), row.sin.end());
    }
  }
  const Policy policy = *find_policy("exact");
  const auto narrow = certify_tables(embedding, policy, cos, sin, kPositions);
  const auto wide = certify_tables(embedding, policy, wide_cos, wide_sin, kPositions);
  EXPECT_EQ(narrow.verdict, Verdict::pass);
  EXPECT_EQ(wide.verdict, Verdict::pass);
  EXPECT_EQ(wide.report.compared, 2 * narrow.report.compared);
  EXPECT_EQ(certify_tables(embedding, policy, sin, cos, kPositions).verdict, Verdict::fail);
}

TEST(Certify, RefusesSizesThatDoNotFit) {
  const RotaryEmbedding embedding = partial_embedding();
  const Policy policy = *find_policy("float32");
  const std::vector<std::int64_t> positions = {0, 1};
  const std::vector<float> none, two_vectors(32), three_vectors(48), odd(34);
  const auto refusal = [&](const std::vector<float>& x, const std::vector<float>& y) {
    return message_of<ShapeError>([&] { certify(embedding, policy, x, y, positions); });
  };
  EXPECT_EQ(
      refusal(two_vectors, three_vectors),
      "certify: expected two arrays of equal size, with the same number of values for each of 2 "
      "positions, got 32 and 48");
  EXPECT_NE(refusal(none, none).find("got 0 and 0"), std::string::npos);
  EXPECT_EQ(refusal(odd, odd),
            "certify: expected whole vectors of head_dim = 16 for each position, got 17 numbers");
  EXPECT_NE(message_of<ShapeError>([&] {
              certify_tables(embedding, policy, two_vectors, two_vectors, positions);
            }).find("certify: row 0: expected tables of 6 or 12 columns, got 16"),
            std::string::npos);
}

TEST(Certify, RefusesAnInputThatNothingCanBeSaidOf) {
  Made wrong = made("float32", partial_embedding());
  wrong.x[17] = std::numeric_limits<float>::infinity();
  EXPECT_NE(message_of<DomainError>([&] {
              certified(wrong);
            }).find("certify: vector 1: expected finite numbers"),
            std::string::npos);
}

/// An array [6 tokens, 3 heads, 16] with heads outermost: [heads, tokens, 16].
std::vector<float> heads_first(const std::vector<float>& tokens_first) {
  constexpr std::size_t kDim = 16, kTokens = kPositions.size();
  std::vector<float> result;
  for (std::size_t h = 0; h < kHeads; ++h)
    for (std::size_t t = 0; t < kTokens; ++t)
      for (std::size_t i = 0; i < kDim; ++i)
        result.push_back(tokens_first[(t * kHeads + h) * kDim + i]);
  return result;
}

TEST(Certify, AxesInAnyOrderAreJudgedAlike) {
  const RotaryEmbedding embedding = partial_embedding();
  const Policy policy = *find_policy("float32");
  Made all = made("float32", embedding);
  all.y[(3 * kHeads + 1) * 16 + 2] += 1;  // token 3, head 1
  const Certification plain = certify(embedding, policy, all.x, all.y, kPositions);
  const Certification moved = certify(embedding, policy, {"HTD", {kHeads, kPositions.size(), 16}},
                                      heads_first(all.x), heads_first(all.y), kPositions);
  EXPECT_EQ(moved.verdict, Verdict::fail);
  EXPECT_EQ(moved.report.violations, plain.report.violations);
  EXPECT_EQ(moved.report.worst.error, plain.report.worst.error);
  EXPECT_EQ(plain.report.worst.vector, 3 * kHeads + 1);
  EXPECT_EQ(moved.report.worst.vector, 1 * kPositions.size() + 3);
  EXPECT_EQ(moved.report.worst.position, 17);
  const Certification packed =
      certify(embedding, policy, {"T(HD)", {6, kHeads * 16}}, all.x, all.y, kPositions);
  EXPECT_EQ(packed.report.worst.vector, plain.report.worst.vector);
}

TEST(Certify, ArraysOfAnotherSizeAreRefused) {
  const RotaryEmbedding embedding = partial_embedding();
  const Made all = made("float32", embedding);
  const std::vector<float> fewer(all.y.begin(), all.y.end() - 16);
  EXPECT_THROW(certify(embedding, *find_policy("float32"), {"THD", {6, kHeads, 16}}, all.x, fewer,
                       kPositions),
               ShapeError);
}

}  // namespace
}  // namespace rope
