// The outputs of public implementations, told nothing but the two arrays: which convention is it?
//
// ROPE_REFERENCE_FOLDER names another folder of the form of data/reference/rotation to go through.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "rope/diagnose/readings.hpp"
#include "rope/io/file.hpp"
#include "rope/io/tensor.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

namespace fs = std::filesystem;

const fs::path kReference = fs::path(ROPE_SOURCE_DIR) / "data" / "reference";

/// What is true of one output.
struct Truth {
  std::string layout;
  RotaryEmbedding embedding;
  bool clockwise = false;
};

struct Files {
  std::vector<std::size_t> shape;
  std::vector<double> x, y;
  std::vector<std::int64_t> positions;
};

Files read(const fs::path& folder, const fs::path& output) {
  Files files;
  const io::Tensor x = io::open_tensor(folder / "x.npy"), y = io::open_tensor(output);
  files.shape.assign(x.shape().begin(), x.shape().end());
  files.x = x.doubles();
  files.y = y.doubles();
  files.positions = io::open_tensor(folder / "pos.npy").integers();
  return files;
}

const std::vector<NamedEmbedding>& presets() {
  static const std::vector<NamedEmbedding> known = [] {
    std::vector<NamedEmbedding> all;
    for (const std::string& name : preset_names())
      for (const bool longest : {false, true}) {
        ReadOptions options;
        if (longest) options.seq_len = preset_model(name).context;
        for (const LayerRope& layer : preset_model(name, options).layers)
          if (layer.rotates() && layer.rotary_dim % 2 == 0)
            all.push_back({name, embedding_of(layer)});
      }
    return all;
  }();
  return known;
}

/// Where each token stands, by an explanation.
std::vector<std::int64_t> positions_of(const Explanation& e, std::size_t tokens) {
  std::vector<std::int64_t> positions(tokens, -1);
  for (const Regime& regime : e.regimes)
    for (std::size_t i = 0; i < regime.tokens.size(); ++i)
      positions[regime.tokens[i]] = regime.positions[i];
  return positions;
}

/// Frequencies of no rule are certain only where positions are told.
void expect_truth(const Truth& truth, const Files& files, const Diagnosis& diagnosis, bool told) {
  ASSERT_EQ(diagnosis.explanations.size(), 1U);
  const Explanation& e = diagnosis.explanations.front();
  EXPECT_EQ(diagnosis.verdict, told || e.spectrum().recognised ? DiagnosisVerdict::unique
                                                               : DiagnosisVerdict::ambiguous);
  EXPECT_EQ(name(e.arrangement), truth.layout);
  EXPECT_EQ(e.arrangement.offset, 0U);
  ASSERT_EQ(e.arrangement.rotary_dim, truth.embedding.rotary_dim());
  const Spectrum& spectrum = e.spectrum();
  EXPECT_EQ(spectrum.clockwise, truth.clockwise);
  EXPECT_NEAR(spectrum.embedding.attention_factor, truth.embedding.attention_factor, 2e-7);
  EXPECT_EQ(positions_of(e, files.positions.size()), files.positions);
  const double farthest =
      static_cast<double>(*std::max_element(files.positions.begin(), files.positions.end()));
  for (std::size_t k = 0; k < truth.embedding.pairs(); ++k) {
    const double theta = truth.embedding.frequencies.theta[k];
    const double stated = spectrum.theta_error.empty() ? 0 : spectrum.theta_error[k];
    // A frequency may be off by what turns no vector by more than float32 would.
    EXPECT_NEAR(spectrum.embedding.frequencies.theta[k], theta,
                stated + 4e-6 * theta + 1e-6 / farthest)
        << "pair " << k;
  }
  if (truth.embedding.scaling.rule == "default" && truth.embedding.pairs() > 1 &&
      spectrum.recognised) {
    EXPECT_LE(spectrum.base_low, *truth.embedding.base * (1 + 1e-9));
    EXPECT_GE(spectrum.base_high, *truth.embedding.base * (1 - 1e-9));
  }
}

/// Positions given, then withheld.
void check(const Truth& truth, const fs::path& folder, const fs::path& output, bool withheld) {
  SCOPED_TRACE(output.string());
  const Files files = read(folder, output);
  DiagnosisRequest request;
  request.presets = presets();
  request.positions = files.positions;
  expect_truth(truth, files, diagnose_any_axis(files.shape, files.x, files.y, request), true);
  request.positions.reset();
  SCOPED_TRACE("positions withheld");
  const Diagnosis diagnosis = diagnose_any_axis(files.shape, files.x, files.y, request);
  if (withheld) {
    expect_truth(truth, files, diagnosis, false);
    return;
  }
  EXPECT_EQ(diagnosis.verdict, DiagnosisVerdict::ambiguous);
  EXPECT_TRUE(diagnosis.undetermined);
  ASSERT_EQ(diagnosis.pairings.size(), 1U);
  EXPECT_EQ(name(diagnosis.pairings.front()), truth.layout);
}

/// "y_half_hf_f32.npy" → "half"
std::string layout_of(const std::string& file) {
  if (file.starts_with("y_interleaved_in_half_out")) return "interleaved-to-half";
  return file.starts_with("y_half") ? "half" : "interleaved";
}

RotaryEmbedding embedding_of_folder(const fs::path& folder, const std::string& output) {
  const std::vector<std::int64_t> positions = io::open_tensor(folder / "pos.npy").integers();
  ReadOptions options;
  options.seq_len = *std::max_element(positions.begin(), positions.end()) + 1;
  const std::string text = io::read_file(folder / "config.json", kMaxModelFile);
  RotaryEmbedding embedding = embedding_of(read_model(text, "config.json", options).layers.front());
  // ggml always rounds the ends of YaRN's ramp.
  if (output.find("ggml") != std::string::npos && embedding.scaling.numbers.contains("truncate")) {
    const double factor = embedding.attention_factor;
    ScalingSpec spec = embedding.scaling;
    spec.numbers["truncate"] = 1;
    const std::size_t r = embedding.rotary_dim();
    embedding = scaled_embedding(spec, {*embedding.base, r, r, embedding.max_positions, {}});
    embedding.attention_factor = factor;
  }
  return embedding;
}

TEST(Reference, EveryPublicImplementationIsUnderstood) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it
  const char* const other = std::getenv("ROPE_REFERENCE_FOLDER");
  std::size_t outputs = 0;
  for (const fs::directory_entry& folder :
       fs::directory_iterator(other != nullptr ? fs::path(other) : kReference / "rotation")) {
    if (!folder.is_directory()) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(folder.path())) {
      const std::string name = file.path().filename();
      if (!name.starts_with("y_")) continue;
      const Truth truth{layout_of(name), embedding_of_folder(folder.path(), name)};
      // Five scattered tokens and a base that a length made: only positions can tell it.
      const bool withheld = folder.path().filename() != "dynamic_internlm2_d128";
      check(truth, folder.path(), file.path(), withheld);
      ++outputs;
    }
  }
  EXPECT_GE(outputs, 80U);
}

RotaryEmbedding scaled(std::size_t r, double base, const ScalingSpec& spec, double factor) {
  RotaryEmbedding embedding = scaled_embedding(spec, {base, r, r, {}, {}});
  embedding.attention_factor = factor;
  return embedding;
}

void check_ggml(const std::string& id, const Truth& truth) {
  const fs::path folder = kReference / "ggml" / id;
  for (const char* file : {"y.npy", "y_formula_f64.npy"}) check(truth, folder, folder / file, true);
}

TEST(Reference, GgmlIsUnderstood) {
  const auto yarn = [](double factor, double original) {
    return ScalingSpec{"yarn", {{"factor", factor}, {"original", original}}, {}};
  };
  check_ggml("plain_normal", {"interleaved", default_embedding(64, 10000)});
  check_ggml("plain_neox_partial", {"half", default_embedding(32, 10000)});
  check_ggml("linear_scale_025", {"half", scaled(64, 10000, {"linear", {{"factor", 4}}, {}}, 1)});
  check_ggml("yarn_ext1", {"half", scaled(128, 10000, yarn(8, 4096), 1 + 0.1 * std::log(8))});
  check_ggml("back_yarn", {"half", scaled(64, 10000, yarn(4, 4096), 1 + 0.1 * std::log(4)), true});
  ScalingSpec steep = yarn(8, 8192);
  steep.numbers["beta_fast"] = 64;
  steep.numbers["beta_slow"] = 2;
  check_ggml("yarn_attn_08", {"half", scaled(64, 500000, steep, 0.8 * (1 + 0.1 * std::log(8)))});
}

TEST(Reference, GgmlFrequencyFactorsAreMeasured) {
  const fs::path folder = kReference / "ggml" / "freq_factors";
  const std::vector<double> factors = io::open_tensor(folder / "freq_factors.npy").doubles();
  RotaryEmbedding embedding = default_embedding(64, 10000);
  std::vector<double> theta = embedding.frequencies.theta;
  for (std::size_t k = 0; k < theta.size(); ++k) theta[k] /= factors[k];
  embedding.frequencies = given_frequencies(theta);
  embedding.scaling.rule = "factors";
  embedding.attention_factor = 1.19;
  check_ggml("freq_factors", {"half", embedding});
}

}  // namespace
}  // namespace rope
