// What pipeline.hpp promises: under every policy the bits that straightforward code computes whose
// variables have the types of the stages.

#include "rope/precision/pipeline.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using half = Eigen::half;
using bfloat16 = Eigen::bfloat16;

/// A float of which the last 13 bits are zero.
struct TensorFloat {
  float value = 0;

  TensorFloat() = default;
  explicit TensorFloat(float x) {
    auto bits = std::bit_cast<std::uint32_t>(x);
    bits += 0xfffU + (bits >> 13 & 1U);
    value = std::bit_cast<float>(bits & ~0x1fffU);
  }
  explicit operator float() const { return value; }
};

/// A float of which the nearest E4M3 number is taken, for those up to 448.
float through_float8(float x) {
  if (x == 0) return x;
  const float step = std::ldexp(1.0F, std::max(std::ilogb(x), -6) - 3);
  return std::nearbyint(x / step) * step;
}

template <class T>
double widen(T x) {
  return static_cast<double>(static_cast<float>(x));
}
double widen(double x) { return x; }

/// A number in another type: double → T goes by way of float, as it does in tensor libraries.
template <class To, class From>
To cast(From x) {
  if constexpr (std::is_same_v<To, From> || std::is_same_v<To, double>)
    return static_cast<To>(widen(x));
  else
    return static_cast<To>(static_cast<float>(widen(x)));
}

/// What such code computes for one position.
struct Computed {
  std::vector<double> cos, sin, rotated;
  double score = 0;
};

struct Input {
  std::size_t dim = 0;
  double base = 0;
  std::int64_t position = 0;
  std::vector<double> x, z;  ///< rotated, and multiplied with
};

template <class Angle, class Table>
void put_cos_sin(Angle angle, Computed& result) {
  using Libm = std::conditional_t<std::is_same_v<Angle, double>, double, float>;
  const auto at = static_cast<Libm>(angle);
  result.cos.push_back(widen(cast<Table>(std::cos(at))));
  result.sin.push_back(widen(cast<Table>(std::sin(at))));
}

template <class Sum>
Sum pairwise(const std::vector<Sum>& terms, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return terms[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  return pairwise(terms, begin, middle) + pairwise(terms, middle, end);
}

/// Rotation and score; neighbours form pairs.
template <class Table, class Apply, class Store, class Sum>
void apply_and_sum(const Input& in, bool as_tree, Computed& result) {
  std::vector<Store> y(in.dim);
  for (std::size_t k = 0; k < in.dim / 2; ++k) {
    const auto c = cast<Apply>(cast<Table>(result.cos[k])),
               s = cast<Apply>(cast<Table>(result.sin[k]));
    const auto a = cast<Apply>(in.x[2 * k]), b = cast<Apply>(in.x[2 * k + 1]);
    y[2 * k] =
        cast<Store>(static_cast<Apply>(static_cast<Apply>(a * c) - static_cast<Apply>(b * s)));
    y[2 * k + 1] =
        cast<Store>(static_cast<Apply>(static_cast<Apply>(a * s) + static_cast<Apply>(b * c)));
  }
  std::vector<Sum> terms(in.dim);
  for (std::size_t i = 0; i < in.dim; ++i) {
    result.rotated.push_back(widen(y[i]));
    terms[i] = cast<Sum>(y[i]) * cast<Sum>(in.z[i]);
  }
  Sum sum = terms[0];
  for (std::size_t i = 1; i < in.dim; ++i) sum = sum + terms[i];
  result.score = widen(as_tree ? pairwise(terms, 0, in.dim) : sum);
}

template <class Frequency>
Frequency frequency(const Input& in, std::size_t k) {
  if constexpr (std::is_same_v<Frequency, double>) {
    return std::pow(in.base, -static_cast<double>(2 * k) / static_cast<double>(in.dim));
  } else {
    const float exponent = static_cast<float>(2 * k) / static_cast<float>(in.dim);
    return Frequency(1.0F / std::pow(static_cast<float>(in.base), exponent));
  }
}

template <class Position>
Position position(const Input& in) {
  if constexpr (std::is_same_v<Position, double>)
    return static_cast<double>(in.position);
  else
    return Position(static_cast<float>(in.position));
}

/// Stages θ, m → angle → table → apply → store → sum.
template <class Frequency, class Position, class Angle, class Table, class Apply, class Store,
          class Sum, bool kPairwise = false>
Computed product(const Input& in) {
  Computed result;
  for (std::size_t k = 0; k < in.dim / 2; ++k) {
    const auto angle = static_cast<Angle>(cast<Angle>(position<Position>(in)) *
                                          cast<Angle>(frequency<Frequency>(in, k)));
    put_cos_sin<Angle, Table>(angle, result);
  }
  apply_and_sum<Table, Apply, Store, Sum>(in, kPairwise, result);
  return result;
}

Computed recurrence(const Input& in) {
  Computed result;
  const float scale = std::pow(static_cast<float>(in.base), -2.0F / static_cast<float>(in.dim));
  auto angle = static_cast<float>(in.position);
  for (std::size_t k = 0; k < in.dim / 2; ++k) {
    put_cos_sin<float, float>(angle, result);
    angle *= scale;
  }
  apply_and_sum<float, float, float, float>(in, false, result);
  return result;
}

Computed scale_power(const Input& in) {
  Computed result;
  const float scale = std::pow(static_cast<float>(in.base), -2.0F / static_cast<float>(in.dim));
  for (std::size_t k = 0; k < in.dim / 2; ++k)
    put_cos_sin<float, float>(
        static_cast<float>(in.position) * std::pow(scale, static_cast<float>(k)), result);
  apply_and_sum<float, float, float, float>(in, false, result);
  return result;
}

Computed reduced(const Input& in) {
  Computed result;
  for (std::size_t k = 0; k < in.dim / 2; ++k) {
    const double angle = static_cast<double>(in.position) * frequency<double>(in, k);
    const double rest = std::remainder(angle, 2 * std::numbers::pi);
    put_cos_sin<float, float>(static_cast<float>(rest), result);
  }
  apply_and_sum<float, float, float, float>(in, false, result);
  return result;
}

Computed stored_in_float8(const Input& in) {
  Computed result = product<float, float, float, float, float, float, float>(in);
  float largest = 0;
  for (const double y : result.rotated)
    largest = std::max(largest, static_cast<float>(std::abs(y)));
  const float scale = largest / 448.0F;
  float sum = 0;
  for (std::size_t i = 0; i < in.dim; ++i) {
    const float y = through_float8(static_cast<float>(result.rotated[i]) / scale) * scale;
    result.rotated[i] = static_cast<double>(y);
    const float term = y * static_cast<float>(in.z[i]);
    sum += term;
  }
  result.score = static_cast<double>(sum);
  return result;
}

using Code = std::function<Computed(const Input&)>;

/// The code of every policy but `exact`.
const std::map<std::string, Code>& native_code() {
  using d = double;
  using f = float;
  using h = half;
  using b = bfloat16;
  using t = TensorFloat;
  static const std::map<std::string, Code> kCode = {
      {"float64", product<d, d, d, d, d, d, d>},
      {"float64-pairwise", product<d, d, d, d, d, d, d, true>},
      {"float32", product<f, f, f, f, f, f, f>},
      {"float32-pairwise", product<f, f, f, f, f, f, f, true>},
      {"bfloat16-store", product<f, f, f, f, f, b, f>},
      {"bfloat16-table", product<f, f, f, b, b, b, f>},
      {"float16-table", product<f, f, f, h, h, h, f>},
      {"bfloat16-cache", product<f, f, f, b, f, f, f>},
      {"bfloat16-positions", product<b, b, b, b, b, b, f>},
      {"float16-positions", product<h, h, h, h, h, h, f>},
      {"bfloat16-frequencies", product<b, f, f, f, f, f, f>},
      {"tf32", product<t, t, f, f, f, f, f>},
      {"ggml", recurrence},
      {"ggml-cuda", scale_power},
      {"float64-angle", product<d, d, d, f, f, f, f>},
      {"float64-angle-bfloat16", product<d, d, d, b, b, b, f>},
      {"float32-frequencies", product<f, d, d, f, f, f, f>},
      {"float64-reduced", reduced},
      {"float8-store", stored_in_float8},
  };
  return kCode;
}

void expect_same(const std::vector<double>& got, const std::vector<double>& expected,
                 const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(got[i]) && std::isnan(expected[i])) continue;
    ASSERT_EQ(got[i], expected[i]) << what << " " << i << ": " << test::show(got[i])
                                   << ", expected " << test::show(expected[i]);
  }
}

class PipelineOf : public testing::TestWithParam<std::string> {};

std::vector<std::string> names_of_pipelines() {
  std::vector<std::string> names;
  for (const Policy& policy : policies())
    if (policy.angle_rule != AngleRule::exact) names.push_back(policy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Policy, PipelineOf, testing::ValuesIn(names_of_pipelines()),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(PipelineOf, ComputesTheBitsOfCodeThatHasTheTypesOfItsStages) {
  ASSERT_TRUE(native_code().contains(GetParam()));
  const Policy policy = *find_policy(GetParam());
  RandomStream random(20261121, 0);
  for (const auto& [dim, base] : {std::pair<std::size_t, double>{64, 1e4}, {96, 5e5}, {6, 1e4}}) {
    const Pipeline pipeline(policy, default_embedding(dim, base));
    for (const std::int64_t m : {0LL, 1LL, -7LL, 100LL, 257LL, 2049LL, 4097LL, 32759LL, -65519LL,
                                 65520LL, 131071LL, (1LL << 24) + 1, -(1LL << 24) - 3}) {
      Input in{dim, base, m, std::vector<double>(dim), std::vector<double>(dim)};
      for (std::vector<double>* x : {&in.x, &in.z}) {
        random.fill_normal(*x);
        for (double& value : *x) value = round_to(policy.input(), value);
      }
      const Computed expected = native_code().at(GetParam())(in);
      const std::string at = "d = " + std::to_string(dim) + ", m = " + std::to_string(m);
      RotationRow row;
      pipeline.table_row(m, row);
      expect_same(row.cos, expected.cos, at + ", cosine");
      expect_same(row.sin, expected.sin, at + ", sine");
      std::vector<double> y(dim);
      pipeline.rotate(RotationForm::elementwise, row, in.x, y);
      expect_same(y, expected.rotated, at + ", dimension");
      expect_same({pipeline.dot(y, in.z).value}, {expected.score}, at + ", score");
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(PipelineOf, TakesCosAndSinOfTheAngleThatItTells) {
  const Policy policy = *find_policy(GetParam());
  const Pipeline pipeline(policy, default_embedding(64, 1e4));
  RotationRow row;
  for (const std::int64_t m : {0LL, 1LL, -1000LL, 32759LL}) {
    pipeline.table_row(m, row);
    for (std::size_t k = 0; k < 32; ++k) {
      const double angle = pipeline.angle(m, k);
      const bool single = policy.trig() == Format::float32;
      const double c =
          single ? static_cast<double>(std::cos(static_cast<float>(angle))) : std::cos(angle);
      EXPECT_EQ(row.cos[k], round_to(policy.table, c)) << "m = " << m << ", pair " << k;
    }
  }
}

TEST_P(PipelineOf, RotatesTheSamePairsInBothLayoutsAndLetsTheRestPass) {
  const Policy policy = *find_policy(GetParam());
  RotaryEmbedding embedding = default_embedding(4, 1e4, PairLayout::half);
  embedding.head_dim = 7;
  const Pipeline halves(policy, embedding);
  embedding.layout = PairLayout::interleaved;
  const Pipeline neighbours(policy, embedding);
  const std::vector<double> x = {0.5, 1, -2, 4, 448, -1.25, 0.375};  // 448: scale 1 in float8
  const std::vector<double> permuted = {0.5, -2, 1, 4, 448, -1.25, 0.375};
  RotationRow row;
  halves.table_row(9, row);
  std::vector<double> y(7), z(7);
  halves.rotate(RotationForm::elementwise, row, x, y);
  neighbours.rotate(RotationForm::elementwise, row, permuted, z);
  EXPECT_EQ(y, std::vector<double>({z[0], z[2], z[1], z[3], 448, -1.25, 0.375}));
  EXPECT_NE(y[0], x[0]);
}

TEST(Pipeline, HoldsItsFrequenciesInTheirFormat) {
  const RotaryEmbedding embedding = default_embedding(64, 1e4);
  for (const Policy& policy : policies()) {
    const Pipeline pipeline(policy, embedding);
    for (std::size_t k = 0; k < 32; ++k) {
      const double theta = pipeline.theta()[k];
      if (policy.angle_rule == AngleRule::recurrence) {
        const float scale = std::pow(1e4F, -2.0F / 64);
        EXPECT_EQ(theta, std::pow(static_cast<double>(scale), static_cast<double>(k)));
      } else {
        EXPECT_EQ(theta, round_to(policy.frequency, theta)) << policy.name << ", pair " << k;
      }
      EXPECT_NEAR(theta / embedding.frequencies.theta[k], 1, 0x1p-7) << policy.name;
    }
  }
}

TEST(Pipeline, RoundsPositionsToFloat32Once) {
  // Just above a tie of float32; the nearest double is the tie, which would go down to even.
  const std::int64_t above = (std::int64_t{1} << 54) + (std::int64_t{1} << 30) + 1;
  const Pipeline pipeline(*find_policy("float32"), default_embedding(2, 1e4));
  EXPECT_EQ(pipeline.position(above), 0x1p54 + 0x1p31);
  EXPECT_EQ(pipeline.position(-above), -0x1p54 - 0x1p31);
}

TEST(Pipeline, TakesProductsWhereThereIsNoBaseToTakeAPowerOf) {
  RotaryEmbedding embedding = default_embedding(4, 1e4);
  embedding.frequencies = given_frequencies(std::vector<double>{0.7, 0.1});
  embedding.base.reset();
  for (const char* name : {"ggml", "ggml-cuda"}) {
    const Pipeline pipeline(*find_policy(name), embedding);
    EXPECT_EQ(pipeline.policy().angle_rule, AngleRule::product) << name;
    EXPECT_EQ(pipeline.policy().name, name);
    RotationRow row;
    pipeline.table_row(1234, row);
    for (const std::size_t k : {0U, 1U}) {
      const float theta = k == 0 ? 0.7F : 0.1F;
      EXPECT_EQ(pipeline.theta()[k], static_cast<double>(theta));
      EXPECT_EQ(row.cos[k], static_cast<double>(std::cos(1234.0F * theta))) << name;
    }
  }
}

TEST(Pipeline, SumsOneProductAndNoneInBothOrders) {
  for (const char* name : {"float32", "float32-pairwise"}) {
    const Pipeline pipeline(*find_policy(name), default_embedding(2, 1e4));
    const std::vector<double> a = {3}, b = {0.5};
    EXPECT_EQ(pipeline.dot(a, b).value, 1.5);
  }
}

TEST(Pipeline, AScoreCountsWhatWasRounded) {
  const std::vector<double> a = {1, 2, 3}, b = {4, -5, 6};
  // Products 4, −10, 18. From left to right: −6, 12. As a tree: −10 + 18 = 8, 4 + 8 = 12.
  const RotaryEmbedding embedding = default_embedding(2, 1e4);
  const Pipeline single(*find_policy("float32"), embedding);
  const Score left = single.dot(a, b);
  EXPECT_EQ(left.value, 12);
  EXPECT_EQ(left.magnitudes, 4 + 10 + 18 + 6 + 12);
  EXPECT_EQ(single.dot_rounded(a, b), (std::vector<double>{4, -10, -6, 18, 12}));
  const Pipeline pairwise(*find_policy("float32-pairwise"), embedding);
  const Score tree = pairwise.dot(a, b);
  EXPECT_EQ(tree.value, 12);
  EXPECT_EQ(tree.magnitudes, 4 + 10 + 18 + 8 + 12);
  EXPECT_EQ(pairwise.dot_rounded(a, b), (std::vector<double>{4, -10, 18, 8, 12}));
  const Pipeline narrow(*find_policy("bfloat16-table"), embedding);
  const Score exact = narrow.dot(a, b);
  EXPECT_EQ(exact.value, 12);
  EXPECT_EQ(exact.magnitudes, 6 + 12) << "products of bfloat16 numbers are exact";
  EXPECT_EQ(narrow.dot_rounded(a, b), (std::vector<double>{-6, 12}));
}

TEST(Pipeline, Float8ScalesTheLargestNumberTo448) {
  const Pipeline pipeline(*find_policy("float8-store"), default_embedding(4, 1e4));
  // Scale 0.25: 448, 17 → 16 (a tie, to even), 2^-7·4, and 2^-12·4 = 2^-10, which is a tie too.
  std::vector<double> y = {112, 4.25, 0x1p-7, 0x1p-12};
  pipeline.store(y);
  EXPECT_EQ(y, std::vector<double>({112, 4, 0x1p-7, 0}));
  std::vector<double> zeros(4);
  pipeline.store(zeros);
  EXPECT_EQ(zeros, std::vector<double>(4));
}

}  // namespace
}  // namespace rope
