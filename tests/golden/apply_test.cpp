// What `rope apply` computes, and what `rope verify --input` allows, against 50 digits and against
// what public implementations make of the same vectors under every kind of scaling.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "golden/reference_file.hpp"
#include "rope/apply/rotate_tensor.hpp"
#include "rope/error.hpp"
#include "rope/model/read_model.hpp"
#include "rope/verify/output_check.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

namespace fs = std::filesystem;

/// One folder of data/reference/rotation, in one layout.
class Case {
 public:
  Case(std::string folder, PairLayout layout)
      : folder_(std::move(folder)),
        layout_(layout),
        x_(array("x")),
        axes_(token_axes(x_.shape(), 0, folder_)),
        positions_(TokenPositions::listed(array("pos").integers(), axes_)) {
    ReadOptions options;
    // What transformers' forward takes; rules that do not depend on it ignore it.
    options.seq_len = positions_.largest() + 1;
    const ModelRope model =
        read_model(test::reference_bytes(folder_ + "/config.json"), folder_, options);
    embedding_ = embedding_of(model.layers.front());
    embedding_.layout = layout_;
  }

  io::Tensor array(const std::string& name) const {
    return test::reference_array(folder_ + "/" + name + ".npy");
  }
  std::vector<double> exact() const { return array(prefix() + "mp").doubles(); }
  std::string prefix() const { return "y_" + std::string(name(layout_)) + "_"; }

  /// The files of other implementations in this layout: "y_half_hf_f64" …
  std::vector<std::string> others(const std::string& type) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(ROPE_REFERENCE_DIR "/" + folder_)) {
      const std::string stem = entry.path().stem().string();
      if (stem.starts_with(prefix()) && stem.ends_with(type)) names.push_back(stem);
    }
    std::ranges::sort(names);
    return names;
  }

  std::vector<double> rotated(const Policy& policy) const {
    VectorRotation rotation(policy, embedding_);
    std::vector<double> y;
    rotate_tensor(x_, axes_, positions_, rotation, [&](std::span<const double> block) {
      y.insert(y.end(), block.begin(), block.end());
    });
    return y;
  }

  OutputReport judge(const std::vector<double>& y, const Policy& policy, double libm_ulp) const {
    Hypotheses hypotheses;
    hypotheses.libm_ulp = libm_ulp;
    OutputCheck check(policy, embedding_, Format::float64, hypotheses);
    TensorVisitor visitor;
    visitor.run = [&](const TokenRun& run) {
      for (std::size_t start = 0; start < run.x.size(); start += axes_.head_dim) {
        const std::uint64_t vector = run.vector + start / axes_.head_dim;
        check.add_vector(vector, run.position, run.x.subspan(start, axes_.head_dim),
                         std::span(y).subspan(vector * axes_.head_dim, axes_.head_dim));
      }
    };
    visit_vectors(x_, axes_, positions_, visitor);
    return check.report();
  }

  /// The longest pair of a vector, as it comes out.
  double longest_pair(const std::vector<double>& x, std::uint64_t vector) const {
    double longest = 0;
    for (std::size_t k = 0; k < embedding_.pairs(); ++k) {
      const auto [i, j] = embedding_.dimensions(k);
      longest = std::max(
          longest, pair_length(x[vector * axes_.head_dim + i], x[vector * axes_.head_dim + j]));
    }
    return longest * embedding_.attention_factor;
  }

  /// |x|.
  double length(const std::vector<double>& x, std::uint64_t vector) const {
    double squares = 0;
    for (std::size_t i = 0; i < axes_.head_dim; ++i)
      squares += x[vector * axes_.head_dim + i] * x[vector * axes_.head_dim + i];
    return std::sqrt(squares);
  }

  const std::string& folder() const { return folder_; }
  const TokenAxes& axes() const { return axes_; }
  std::int64_t position(std::uint64_t vector) const {
    return positions_.at(axes_.batch_of(vector), axes_.token_of(vector))[0];
  }
  std::vector<double> x() const { return x_.doubles(); }

 private:
  std::string folder_;
  PairLayout layout_;
  io::Tensor x_;
  TokenAxes axes_;
  TokenPositions positions_;
  RotaryEmbedding embedding_;
};

std::vector<Case> all_cases() {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(ROPE_REFERENCE_DIR "/rotation"))
    folders.push_back("rotation/" + entry.path().filename().string());
  std::ranges::sort(folders);
  std::vector<Case> cases;
  for (const std::string& folder : folders)
    for (const PairLayout layout : {PairLayout::half, PairLayout::interleaved})
      cases.emplace_back(folder, layout);
  return cases;
}

/// The largest difference in one vector.
double vector_error(const std::vector<double>& a, const std::vector<double>& b,
                    std::uint64_t vector, std::size_t d) {
  double error = 0;
  for (std::size_t i = vector * d; i < (vector + 1) * d; ++i) {
    if (!(std::abs(a[i] - b[i]) <= error)) error = std::abs(a[i] - b[i]);
  }
  return error;
}

TEST(Apply, IsWithinOneRoundingOfFiftyDigitsUnderEveryScaling) {
  const std::vector<Case> cases = all_cases();
  EXPECT_EQ(cases.size(), 22U);
  for (const Case& one : cases) {
    const std::vector<double> got = one.rotated(*find_policy("exact"));
    const std::vector<double> exact = one.exact();
    ASSERT_EQ(got.size(), exact.size());
    for (std::uint64_t v = 0; v < one.axes().vectors(); ++v) {
      const double error = vector_error(got, exact, v, one.axes().head_dim);
      const auto tokens = static_cast<double>(2 + one.position(v));
      EXPECT_LE(error, 1e-15 * tokens) << one.folder() << one.prefix() << one.position(v);
      // An entry is off by 1.1e-16 and by the rounding of A; products, sum and reference round.
      EXPECT_LE(error, 6.7e-16 * one.longest_pair(one.x(), v))
          << one.folder() << one.prefix() << one.position(v);
    }
    EXPECT_TRUE(one.judge(got, *find_policy("exact"), 1).passed()) << one.folder();
  }
}

TEST(Apply, NoImplementationInDoubleIsCloserAndBeyondPosition100NoneIsAsClose) {
  std::size_t compared = 0, beyond = 0;
  for (const Case& one : all_cases()) {
    const std::vector<double> got = one.rotated(*find_policy("exact"));
    const std::vector<double> exact = one.exact();
    for (const std::string& file : one.others("_f64")) {
      const std::vector<double> other = one.array(file).doubles();
      for (std::uint64_t v = 0; v < one.axes().vectors(); ++v) {
        const double ours = vector_error(got, exact, v, one.axes().head_dim);
        const double theirs = vector_error(other, exact, v, one.axes().head_dim);
        EXPECT_LE(theirs, 1e-15 * static_cast<double>(2 + one.position(v)))
            << one.folder() << " " << file;
        EXPECT_LE(ours, theirs + 1.2e-16 * one.length(one.x(), v))
            << one.folder() << " " << file << " " << one.position(v);
        ++compared;
        if (one.position(v) <= 100) continue;
        ++beyond;
        EXPECT_LT(ours, theirs) << one.folder() << " " << file << " " << one.position(v);
      }
    }
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(beyond, 80U);
}

TEST(Apply, EveryImplementationInDoubleStaysWithinWhatFloat64Allows) {
  std::size_t judged = 0;
  for (const Case& one : all_cases()) {
    for (const std::string& file : one.others("_f64")) {
      const OutputReport report = one.judge(one.array(file).doubles(), *find_policy("float64"), 1);
      EXPECT_TRUE(report.passed()) << one.folder() << " " << file << ": " << report.violations
                                   << ", ratio " << report.worst.ratio();
      EXPECT_EQ(report.vacuous, 0U);
      ++judged;
    }
  }
  EXPECT_GE(judged, 30U);
}

TEST(Apply, EveryImplementationInSingleStaysWithinWhatItsPolicyAllows) {
  std::size_t judged = 0;
  for (const Case& one : all_cases()) {
    for (const std::string& file : one.others("_f32")) {
      const bool ggml = file.find("ggml") != std::string::npos;
      const OutputReport report =
          one.judge(one.array(file).doubles(), *find_policy(ggml ? "ggml" : "float32"), 2);
      // ggml's ramp of YaRN always starts and ends at whole pairs; gpt-oss's does not.
      const bool other_ramp = ggml && one.folder() == "rotation/yarn_gptoss_d64";
      EXPECT_EQ(report.passed(), !other_ramp) << one.folder() << " " << file << ": "
                                              << report.violations << ", " << report.worst.ratio();
      ++judged;
    }
  }
  EXPECT_GE(judged, 20U);
}

TEST(Apply, TheOtherLayoutIsNotWithinAnyPolicy) {
  for (const char* policy : {"exact", "float64", "float32", "bfloat16-table"}) {
    const Case half("rotation/llama2_d128", PairLayout::half);
    const Case interleaved("rotation/llama2_d128", PairLayout::interleaved);
    const Policy claimed = *find_policy(policy);
    if (claimed.input() == Format::bfloat16) {
      EXPECT_THROW(half.judge(interleaved.exact(), claimed, 1), DomainError);
      continue;
    }
    const OutputReport report = half.judge(interleaved.exact(), claimed, 1);
    EXPECT_GT(report.violations, report.compared / 4) << policy;
    ASSERT_TRUE(report.first.has_value());
    EXPECT_GT(report.first->position, 0);
  }
}

/// M-RoPE as Qwen2-VL has it: by ggml in single precision, by transformers in double.
TEST(Apply, IsWhatGgmlAndTransformersMakeOfPositionsOnSeveralAxes) {
  const auto array = [](const char* name) {
    return test::reference_array("ggml/mrope/" + std::string(name) + ".npy");
  };
  RotaryEmbedding embedding = default_embedding(128, 1000000, PairLayout::half);
  embedding.axes = section_axes(std::vector<std::size_t>{16, 24, 24, 0}, 64);
  const io::Tensor x = array("x"), positions = array("pos");
  const TokenAxes axes = token_axes(x.shape(), 0, "x");
  const TokenPositions places =
      TokenPositions::on_axes({positions.shape(), positions.integers(), std::nullopt, "pos"}, axes);
  const std::vector<double> formula = array("y_hf_qwen2vl_f64").doubles();
  const std::vector<double> single = array("y").doubles();
  VectorRotation rotation(*find_policy("exact"), embedding);
  Hypotheses hypotheses;
  hypotheses.libm_ulp = 2;
  OutputCheck check(*find_policy("ggml"), embedding, Format::float32, hypotheses);
  RotaryEmbedding late = embedding;
  std::ranges::copy_backward(embedding.axes.of_pair.begin(), embedding.axes.of_pair.end() - 1,
                             late.axes.of_pair.end());
  OutputCheck mistaken(*find_policy("ggml"), late, Format::float32, hypotheses);
  std::vector<double> y(axes.head_dim);
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    for (std::size_t start = 0; start < run.x.size(); start += axes.head_dim) {
      const std::uint64_t vector = run.vector + start / axes.head_dim;
      const std::span<const double> one = run.x.subspan(start, axes.head_dim);
      rotation.rotate(run.position, one, y);
      // In double precision: θ_i within 4 ulp of what it is (pow and a division), an angle of up to
      // 100 rad rounded once more, cos and sin and three operations within an ulp each.
      const double unit = std::numeric_limits<double>::epsilon();
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double sizes = std::abs(one[i]) + std::abs(one[(i + 64) % 128]);
        const double bound = (100 * 4.5 * unit + 5 * unit) * sizes;
        EXPECT_LE(std::abs(y[i] - formula[vector * axes.head_dim + i]), bound)
            << vector << " " << i;
      }
      const std::span<const double> found =
          std::span(single).subspan(vector * axes.head_dim, axes.head_dim);
      check.add_vector(vector, run.position, one, found);
      mistaken.add_vector(vector, run.position, one, found);
    }
  };
  visit_vectors(x, axes, places, visitor);
  EXPECT_EQ(check.report().violations, 0U);
  EXPECT_EQ(check.report().compared, 640U);
  EXPECT_GT(mistaken.report().violations, 0U);
}

/// What ggml was told, as this library says it.
RotaryEmbedding ggml_embedding(const std::string& folder) {
  const auto made = [](const std::string& scaling, double base, std::size_t d, std::size_t r,
                       PairLayout layout) {
    ScalingContext context;
    context.base = base;
    context.head_dim = d;
    context.rotary_dim = r;
    return scaled_embedding(parse_scaling(scaling), context, layout);
  };
  constexpr PairLayout kHalf = PairLayout::half, kInterleaved = PairLayout::interleaved;
  if (folder == "plain_normal") return made("default", 10000, 64, 64, kInterleaved);
  if (folder == "plain_neox_partial") return made("default", 10000, 80, 32, kHalf);
  if (folder == "linear_scale_025") return made("linear:factor=4", 10000, 64, 64, kHalf);
  if (folder == "yarn_ext1") return made("yarn:factor=8,original=4096", 10000, 128, 128, kHalf);
  if (folder == "back_yarn") return made("yarn:factor=4,original=4096", 10000, 64, 64, kHalf);
  if (folder == "yarn_attn_08") {
    RotaryEmbedding embedding =
        made("yarn:factor=8,original=8192,beta_fast=64,beta_slow=2", 500000, 64, 64, kHalf);
    embedding.attention_factor *= 0.8;  // ggml multiplies, transformers replaces
    return embedding;
  }
  if (folder == "freq_factors") {
    std::vector<double> theta = default_embedding(64, 10000).frequencies.theta;
    const std::vector<double> factors =
        test::reference_array("ggml/freq_factors/freq_factors.npy").doubles();
    for (std::size_t k = 0; k < theta.size(); ++k) theta[k] /= factors[k];
    RotaryEmbedding embedding = default_embedding(64, 10000, kHalf);
    embedding.frequencies = given_frequencies(theta);
    embedding.scaling.rule = "longrope";
    embedding.attention_factor = 1.19;
    return embedding;
  }
  // ext_factor 0.5 leaves half of the ramp: the mean of YaRN and of interpolation alone.
  RotaryEmbedding embedding = made("yarn:factor=4,original=4096", 10000, 64, 64, kInterleaved);
  std::vector<double> theta = embedding.frequencies.theta;
  const std::vector<double> linear =
      made("linear:factor=4", 10000, 64, 64, kInterleaved).frequencies.theta;
  for (std::size_t k = 0; k < theta.size(); ++k) theta[k] = (theta[k] + linear[k]) / 2;
  embedding.frequencies = given_frequencies(theta);
  return embedding;
}

TEST(Apply, IsWhatGgmlComputesUnderEachOfItsParameters) {
  for (const char* folder : {"plain_normal", "plain_neox_partial", "linear_scale_025", "yarn_ext1",
                             "back_yarn", "yarn_attn_08", "freq_factors", "yarn_ext05"}) {
    const auto array = [&](const char* name) {
      return test::reference_array("ggml/" + std::string(folder) + "/" + name + ".npy");
    };
    const RotaryEmbedding embedding = ggml_embedding(folder);
    const io::Tensor x = array("x");
    const TokenAxes axes = token_axes(x.shape(), 0, folder);
    std::vector<std::int64_t> positions = array("pos").integers();
    // Its way back keeps the factor: A·R_−m, not R_m⁻¹ = R_−m/A.
    if (std::string(folder) == "back_yarn")
      for (std::int64_t& position : positions) position = -position;
    const TokenPositions places = TokenPositions::listed(positions, axes);
    const std::vector<double> formula = array("y_formula_f64").doubles();
    const std::vector<double> single = array("y").doubles();
    VectorRotation rotation(*find_policy("exact"), embedding);
    Hypotheses hypotheses;
    hypotheses.libm_ulp = 2;
    OutputCheck check(*find_policy("ggml"), embedding, Format::float32, hypotheses);
    std::vector<double> y(axes.head_dim);
    TensorVisitor visitor;
    visitor.run = [&](const TokenRun& run) {
      for (std::size_t start = 0; start < run.x.size(); start += axes.head_dim) {
        const std::uint64_t vector = run.vector + start / axes.head_dim;
        rotation.rotate(run.position, run.x.subspan(start, axes.head_dim), y);
        const auto tokens = static_cast<double>(2 + std::abs(run.position[0]));
        for (std::size_t i = 0; i < y.size(); ++i) {
          EXPECT_LE(std::abs(y[i] - formula[vector * axes.head_dim + i]), 6e-7 * tokens) << folder;
          EXPECT_LE(std::abs(y[i] - formula[vector * axes.head_dim + i]), 5e-15 * tokens)
              << folder << " position " << run.position[0] << " dimension " << i;
        }
        check.add_vector(vector, run.position, run.x.subspan(start, axes.head_dim),
                         std::span(single).subspan(vector * axes.head_dim, axes.head_dim));
      }
    };
    visit_vectors(x, axes, places, visitor);
    EXPECT_TRUE(check.report().passed()) << folder << ": " << check.report().violations
                                         << ", ratio " << check.report().worst.ratio();
  }
}

}  // namespace
}  // namespace rope
