// What other engines make of the same files, against their own code.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "golden/reference_file.hpp"
#include "rope/error.hpp"
#include "rope/model/engine_differences.hpp"
#include "rope/model/presets.hpp"
#include "rope/model/read_model.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

constexpr double kFrequencyTolerance = 1e-14;  // the float64 runs' own rounding is 3.5e-15 at most
constexpr double kFactorTolerance = 1e-15;

struct Implementation {
  Engine engine;
  const char* model_type = nullptr;  ///< of the models that vLLM's class serves
};

Implementation implementation(const std::string& name) {
  if (name == "gpt-oss") return {Engine::gpt_oss};
  if (name == "llama-models apply_scaling") return {Engine::llama_models};
  if (name == "microsoft LongRoPE") return {Engine::longrope};
  if (name == "yarn official") return {Engine::yarn};
  if (name == "vllm DeepseekScalingRotaryEmbedding") return {Engine::vllm, "deepseek_v3"};
  // Of 2025; vLLM has another formula since, SGLang has kept it.
  if (name.starts_with("vllm DynamicNTKScaling")) return {Engine::sglang};
  EXPECT_TRUE(name.starts_with("vllm ")) << name;
  return {Engine::vllm};
}

/// The row's frequencies where they differ from transformers', else transformers'.
std::vector<double> expected_frequencies(const io::Json& row, const io::Json& reference) {
  if (row.contains("inv_freq")) return row.at("inv_freq").get<std::vector<double>>();
  for (const io::Json& result : reference.at("results"))
    if (result.at("seq_len") == row.at("seq_len"))
      return result.at("inv_freq").get<std::vector<double>>();
  ADD_FAILURE() << "no such length";
  return {};
}

void expect_row(const io::Json& row) {
  const auto id = row.at("id").get<std::string>();
  const std::string label = id + ", " + row.at("impl").get<std::string>();
  const io::Json reference = test::reference_json("hf_params/" + id + ".json");
  const Implementation impl = implementation(row.at("impl").get<std::string>());
  io::Json config = reference.at("config_old");
  if (impl.model_type != nullptr) {
    config["model_type"] = impl.model_type;
    config["qk_rope_head_dim"] = config.at("head_dim");
  }
  ReadOptions options{std::nullopt, impl.engine};
  if (!row.at("seq_len").is_null()) options.seq_len = row.at("seq_len").get<std::int64_t>();
  if (row.contains("error")) {
    EXPECT_THROW(read_model(config.dump(), label, options), Error) << label;
    return;
  }
  const ModelRope model = read_model(config.dump(), label, options);
  const LayerRope& layer = model.layers.front();
  const std::vector<double>& theta = layer.scaled.frequencies.theta;
  const std::vector<double> expected = expected_frequencies(row, reference);
  ASSERT_EQ(theta.size(), expected.size()) << label;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_TRUE(std::abs(theta[k] - expected[k]) <= kFrequencyTolerance * expected[k])
        << label << ", pair " << k << ": " << test::show(theta[k]) << ", expected "
        << test::show(expected[k]);
  const auto factor = row.at("attention_factor").get<double>();
  EXPECT_TRUE(std::abs(layer.scaled.attention_factor - factor) <= kFactorTolerance * factor)
      << label << ": " << test::show(layer.scaled.attention_factor) << ", expected "
      << test::show(factor);
}

TEST(Engines, HaveTheNumbersOfTheirOwnCode) {
  std::set<std::string> implementations;
  std::size_t rows = 0;
  for (const io::Json& row : test::reference_json("models/other_implementations.json")) {
    expect_row(row);
    implementations.insert(row.at("impl").get<std::string>());
    ++rows;
  }
  EXPECT_EQ(rows, 86U);
  EXPECT_EQ(implementations.size(), 10U);
}

std::vector<std::string> differing(const std::string& name) {
  const ModelReader read = [&](const ReadOptions& options) { return preset_model(name, options); };
  std::vector<std::string> engines;
  for (const EngineDifference& one : engine_differences(read, {}))
    engines.emplace_back(rope::name(one.engine));
  return engines;
}

TEST(EngineDifferences, AreFoundUnasked) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(differing("gpt-oss"), (Names{"ggml", "yarn"}));
  EXPECT_EQ(differing("llama-3.1-8b"), Names{});
  EXPECT_EQ(differing("llama-3.2-1b"), Names{"llama-models"});
  EXPECT_EQ(differing("llama-2"), Names{});
  EXPECT_EQ(differing("llama-4-scout"), Names{});
  EXPECT_EQ(differing("internlm2.5-7b"), (Names{"ggml", "vllm", "sglang"}));
  EXPECT_EQ(differing("deepseek-v3"), Names{"yarn"});
  EXPECT_EQ(differing("kimi-k2"), (Names{"ggml", "yarn"}));  // whose betas are 1 and 1
  EXPECT_EQ(differing("phi-4-mini"), Names{"ggml"});
}

// A list that counts beyond the original length alone: only --seq-len asks for it.
TEST(EngineDifferences, LeaveOutLengthsAtWhichTheFileIsRefused) {
  constexpr const char* kText = R"({"model_type": "llama", "head_dim": 8, "rope_theta": 1e4,
      "max_position_embeddings": 131072, "rope_scaling": {"type": "longrope",
      "short_factor": [1, 1, 1, 1], "long_factor": [1, 2, 3],
      "original_max_position_embeddings": 8192}})";
  const ModelReader read = [&](const ReadOptions& options) {
    return read_model(kText, "x.json", options);
  };
  EXPECT_NO_THROW(engine_differences(read, {}));
  EXPECT_THROW(read({131072, Engine::hf}), Error);
}

TEST(EngineDifferences, SayHowLargeAndWhy) {
  const ModelReader read = [&](const ReadOptions& options) {
    return preset_model("gpt-oss", options);
  };
  const EngineDifference ggml = engine_differences(read, {}).at(0);
  EXPECT_EQ(ggml.engine, Engine::ggml);
  EXPECT_NEAR(ggml.frequency, 0.7626823777263018, 1e-14);
  EXPECT_FALSE(ggml.attention_factor);
  ASSERT_EQ(ggml.reasons.size(), 1U);
  EXPECT_NE(ggml.reasons[0].find("truncate: ggml rounds"), std::string::npos);
}

}  // namespace
}  // namespace rope
