// What each engine makes of the parameters of a rule, key by key.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rope/model/presets.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

constexpr double kTolerance = 1e-15;

LayerRope as(Engine engine, const std::string& text, std::optional<std::int64_t> seq_len = {}) {
  return only_layer(text, {seq_len, engine});
}

double factor_as(Engine engine, const std::string& text) {
  return as(engine, text).scaled.attention_factor;
}

const std::vector<double>& theta(const LayerRope& layer) { return layer.scaled.frequencies.theta; }

bool warns(const LayerRope& layer, const std::string& said) {
  return std::ranges::any_of(layer.warnings, [&](const std::string& warning) {
    return warning.find(said) != std::string::npos;
  });
}

/// 0.1·m·ln s + 1.
double g(double s, double m) { return 0.1 * m * std::log(s) + 1; }

std::string yarn_of(const std::string& keys) {
  return scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
                         "original_max_position_embeddings": 1024)" +
                      keys);
}

std::string latent(const std::string& keys, const std::string& type = "deepseek_v3") {
  return R"({"model_type": ")" + type + R"(", "qk_rope_head_dim": 64, "rope_theta": 1e4,
      "max_position_embeddings": 4096, "rope_scaling": {"type": "yarn", "factor": 4.0,
      "original_max_position_embeddings": 1024)" +
         keys + "}}";
}

// --- llama3 --------------------------------------------------------------------------------------

TEST(EnginesOfLlama3, MetasCodeOfLlama4ReadsTwoOfFourNumbers) {
  const LayerRope scout =
      preset_model("llama-4-scout", {std::nullopt, Engine::llama_models}).layers.at(0);
  EXPECT_EQ(std::ranges::count(scout.scaled.bands, Band::kept), 35);
  EXPECT_EQ(std::ranges::count(scout.scaled.bands, Band::scaled), 29);
  EXPECT_FALSE(warns(scout, "llama-models does not read it"));
  const LayerRope other = as(Engine::llama_models, R"({"model_type": "llama4_text",
      "head_dim": 128, "rope_theta": 5e5, "max_position_embeddings": 131072,
      "rope_scaling": {"rope_type": "llama3", "factor": 2.0, "low_freq_factor": 2.0,
      "high_freq_factor": 3.0, "original_max_position_embeddings": 4096}})");
  EXPECT_EQ(other.spec.numbers.at("factor"), 2);
  EXPECT_EQ(other.spec.numbers.at("high"), 3);
  EXPECT_EQ(other.spec.numbers.at("low"), 1);
  EXPECT_EQ(other.original_context, 8192);
}

TEST(EnginesOfLlama3, ParamsOfLlama4HaveTheirOwnDefaults) {
  const std::string params = R"({"dim": 5120, "n_heads": 40, "rope_theta": 5e5,
      "use_scaled_rope": true)";
  const LayerRope scout = only_layer(params + R"(, "nope_layer_interval": 4})");
  EXPECT_EQ(scout.spec.numbers.at("factor"), 16);
  EXPECT_EQ(scout.spec.numbers.at("high"), 1);
  EXPECT_FALSE(warns(scout, "the file does not give the factor, so"));
  EXPECT_EQ(only_layer(params + "}").spec.numbers.at("factor"), 8);
}

TEST(EnginesOfLlama3, AllButTransformersKeepBeforeTheyScale) {
  const std::string exchanged = scaled_llama(R"("rope_type": "llama3", "factor": 8.0,
      "low_freq_factor": 4.0, "high_freq_factor": 1.0, "original_max_position_embeddings": 1024)");
  const auto kept = [&](Engine engine) {
    return std::ranges::count(as(engine, exchanged).scaled.bands, Band::kept);
  };
  for (const Engine engine : {Engine::vllm, Engine::sglang}) {
    EXPECT_GT(kept(engine), kept(Engine::hf)) << name(engine);
    EXPECT_TRUE(warns(as(engine, exchanged), "which transformers divides")) << name(engine);
  }
}

// --- dynamic -------------------------------------------------------------------------------------

TEST(EnginesOfDynamic, VllmScalesByTheTrainedLengthAlone) {
  const std::string rule = R"("rope_type": "dynamic", "factor": 2.0)";
  const LayerRope plain = as(Engine::vllm, scaled_llama(rule), 65536);
  EXPECT_EQ(theta(plain), theta(only_layer(llama(R"("rope_theta": 10000.0)"))));
  EXPECT_TRUE(warns(plain, "scales nothing"));
  const std::string trained = scaled_llama(rule + R"(, "max_trained_positions": 1024)");
  const LayerRope scaled = as(Engine::vllm, trained);
  EXPECT_NEAR(theta(plain).back() / theta(scaled).back(), 2 * 4 - 1, 1e-12);
  EXPECT_EQ(theta(as(Engine::vllm, trained, 2048)), theta(scaled));
}

TEST(EnginesOfDynamic, SglangTakesTheFactorTimesAllPositions) {
  const std::string text = scaled_llama(R"("rope_type": "dynamic", "factor": 2.0)");
  EXPECT_EQ(theta(as(Engine::sglang, text)), theta(as(Engine::hf, text, 8192)));
  EXPECT_TRUE(warns(as(Engine::sglang, text), "SGLang computes the frequencies once, for 8192"));
}

TEST(EnginesOfDynamic, TransformersDependsOnTheLengthInBothVersions) {
  const std::string text = scaled_llama(R"("rope_type": "dynamic", "factor": 2.0)");
  for (const Engine engine : {Engine::hf, Engine::hf4}) {
    EXPECT_TRUE(warns(as(engine, text), "depends on the length of the input")) << name(engine);
    EXPECT_FALSE(warns(as(engine, text, 512), "depends on the length of the input"));
  }
}

// --- yarn ----------------------------------------------------------------------------------------

TEST(EnginesOfYarn, VllmAndSglangFollowTruncate) {
  const std::string text = yarn_of(R"(, "truncate": false)");
  for (const Engine engine : {Engine::vllm, Engine::sglang})
    EXPECT_EQ(theta(as(engine, text)), theta(as(Engine::hf, text))) << name(engine);
}

TEST(EnginesOfYarn, OfTheMagnitude) {
  const std::string one = yarn_of(R"(, "mscale": 0.5)");
  EXPECT_NEAR(factor_as(Engine::vllm, one), g(4, 1), kTolerance);
  EXPECT_NEAR(factor_as(Engine::sglang, one), g(4, 1), kTolerance);
  const std::string zero = yarn_of(R"(, "mscale": 0, "mscale_all_dim": 0.5)");
  EXPECT_NEAR(factor_as(Engine::vllm, zero), g(4, 1), kTolerance);
  EXPECT_NEAR(factor_as(Engine::sglang, zero), 1 / g(4, 0.5), kTolerance);
  const std::string both = yarn_of(R"(, "mscale": 1, "mscale_all_dim": 0.5)");
  for (const Engine engine : {Engine::hf, Engine::vllm, Engine::sglang})
    EXPECT_NEAR(factor_as(engine, both), g(4, 1) / g(4, 0.5), kTolerance) << name(engine);
  EXPECT_NEAR(factor_as(Engine::ggml, both), g(4, 1), kTolerance);
}

TEST(EnginesOfYarn, GgmlHasBetasOfItsOwn) {
  const std::string betas = yarn_of(R"(, "beta_fast": 16, "beta_slow": 2)");
  EXPECT_EQ(theta(as(Engine::ggml, betas)), theta(only_layer(yarn_of(""))));
  EXPECT_TRUE(warns(as(Engine::ggml, betas), "beta_fast: ggml does not read it: it is 32"));
  EXPECT_NE(theta(as(Engine::yarn, betas)), theta(only_layer(yarn_of(""))));
  const std::string ministral = R"({"model_type": "ministral3", "head_dim": 128, "rope_theta": 1e6,
      "max_position_embeddings": 262144, "rope_scaling": {"rope_type": "yarn", "factor": 16.0,
      "beta_fast": 16.0, "beta_slow": 2.0, "original_max_position_embeddings": 16384}})";
  EXPECT_EQ(theta(as(Engine::ggml, ministral)), theta(only_layer(ministral)));
}

/// ggml divides by max(0.001, high − low), so pairs up to low are kept and the others scaled;
/// transformers divides by high − low, whatever its sign.
TEST(EnginesOfYarn, GgmlMakesAStepOfARampThatEndsBeforeItBegins) {
  const auto of_original = [](const std::string& tokens) {
    return R"("rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": )" + tokens;
  };
  const std::vector<double> kept = theta(only_layer(scaled_llama(R"("rope_type": "default")")));
  std::vector<double> stepped = kept;
  for (std::size_t k = 1; k < stepped.size(); ++k) stepped[k] = kept[k] / 4;
  const std::string too_short = scaled_llama(of_original("4"));
  EXPECT_EQ(theta(as(Engine::ggml, too_short)), stepped);
  EXPECT_EQ(theta(only_layer(too_short)), kept);
  EXPECT_TRUE(warns(as(Engine::ggml, too_short), "ggml keeps the pairs up to 0 and scales the"));

  std::vector<double> scaled = kept;
  for (double& angle : scaled) angle /= 4;
  const std::string too_long = scaled_llama(of_original("1000000000000"));
  EXPECT_EQ(theta(as(Engine::ggml, too_long)), kept);
  EXPECT_EQ(theta(only_layer(too_long)), scaled);
}

TEST(EnginesOfYarn, ReadLatentAttentionByAClassOfItsOwn) {
  for (const Engine engine : {Engine::vllm, Engine::sglang}) {
    EXPECT_NEAR(factor_as(engine, latent("")), g(4, 1), kTolerance) << name(engine);
    EXPECT_NEAR(factor_as(engine, latent(R"(, "mscale": 0.5)")), g(4, 0.5), kTolerance);
    EXPECT_NEAR(factor_as(engine, latent(R"(, "mscale_all_dim": 0.5)")), g(4, 1) / g(4, 0.5),
                kTolerance);
    EXPECT_NEAR(factor_as(engine, latent(R"(, "attention_factor": 1.5)")), g(4, 1), kTolerance);
    const std::string exact = latent(R"(, "truncate": false)");
    EXPECT_EQ(theta(as(engine, exact)), theta(only_layer(latent("")))) << name(engine);
    EXPECT_NE(theta(as(engine, exact)), theta(only_layer(exact))) << name(engine);
  }
  EXPECT_NEAR(factor_as(Engine::sglang, latent(R"(, "attn_factor": 0.5)")), g(4, 1) / 2,
              kTolerance);
}

TEST(EnginesOfYarn, GgmlTakesMscaleToBeThatOfAllDimensions) {
  const std::string keys = R"(, "mscale": 1, "mscale_all_dim": 0.5)";
  EXPECT_EQ(factor_as(Engine::ggml, latent(keys)), 1);
  EXPECT_TRUE(warns(as(Engine::ggml, latent(keys)), "mscale: ggml does not read it: 0.5"));
  EXPECT_NEAR(factor_as(Engine::ggml, latent(keys, "mistral4")), g(4, 1) / g(4, 0.5), kTolerance);
  EXPECT_NEAR(factor_as(Engine::ggml, latent("")), g(4, 1), kTolerance);
  EXPECT_EQ(as(Engine::ggml, latent(R"(, "truncate": false)")).spec.numbers.at("truncate"), 1);
}

// --- longrope ------------------------------------------------------------------------------------

std::string longrope(const std::string& keys) {
  return R"({"model_type": "phi3", "head_dim": 4, "rope_theta": 1e4,
      "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
      "rope_scaling": {"type": "longrope", "short_factor": [1, 1], "long_factor": [1, 2])" +
         keys + "}}";
}

TEST(EnginesOfLongrope, TakeTheFactorOfTheLengths) {
  const double a = std::sqrt(1 + std::log(32) / std::log(4096));
  const std::string text = longrope(R"(, "factor": 8.0)");
  EXPECT_NE(factor_as(Engine::hf, text), a);
  for (const Engine engine :
       {Engine::hf4, Engine::ggml, Engine::vllm, Engine::sglang, Engine::longrope})
    EXPECT_NEAR(factor_as(engine, text), a, kTolerance) << name(engine);
  EXPECT_TRUE(warns(as(Engine::vllm, text), "factor: vLLM does not read it for longrope"));
  const std::string given = longrope(R"(, "attention_factor": 1.5)");
  EXPECT_EQ(factor_as(Engine::hf4, given), 1.5);
  for (const Engine engine : {Engine::ggml, Engine::vllm, Engine::sglang, Engine::longrope})
    EXPECT_NEAR(factor_as(engine, given), a, kTolerance) << name(engine);
}

TEST(EnginesOfLongrope, VllmAndSglangReadAMagnitudeForEachList) {
  const std::string text = longrope(R"(, "short_mscale": 1.5, "long_mscale": 1.25)");
  for (const Engine engine : {Engine::vllm, Engine::sglang}) {
    EXPECT_EQ(factor_as(engine, text), 1.5) << name(engine);
    EXPECT_EQ(as(engine, text, 8192).scaled.attention_factor, 1.25) << name(engine);
  }
  EXPECT_NE(factor_as(Engine::hf, text), 1.5);
}

TEST(EnginesOfLongrope, VllmServesTheOriginalLengthUnlessAskedForMore) {
  EXPECT_EQ(as(Engine::vllm, longrope("")).serves, 4096);
  EXPECT_EQ(as(Engine::vllm, longrope(""), 8192).serves, std::nullopt);
}

TEST(EnginesOfLongrope, AListThatIsMissingServesNoLength) {
  std::string text = longrope("");
  text.replace(text.find("\"long_factor\": ["), 16, "\"long_factor\": [1, 1, ");
  EXPECT_EQ(as(Engine::hf, text).serves, 4096);
}

TEST(EnginesOfLongrope, SglangChangesTheListByAPosition) {
  const double fast = theta(as(Engine::sglang, longrope(""), 4097)).at(1);
  EXPECT_EQ(fast, theta(as(Engine::hf, longrope(""), 4096)).at(1));
  EXPECT_EQ(theta(as(Engine::sglang, longrope(""), 4098)).at(1), fast / 2);
  EXPECT_EQ(theta(as(Engine::hf, longrope(""), 4097)).at(1), fast / 2);
}

// --- the rest ------------------------------------------------------------------------------------

TEST(EnginesOfProportional, VllmAndSglangDivideNothing) {
  const std::string text = llama(R"("rope_parameters": {"rope_type": "proportional",
      "rope_theta": 1e4, "partial_rotary_factor": 0.25, "factor": 8.0})");
  for (const Engine engine : {Engine::vllm, Engine::sglang}) {
    EXPECT_EQ(theta(as(engine, text)).at(0), 1) << name(engine);
    EXPECT_TRUE(warns(as(engine, text), "does not read it for proportional")) << name(engine);
  }
  EXPECT_EQ(theta(only_layer(text)).at(0), 0.125);
}

TEST(EnginesOfAnyRule, VllmAndSglangScaleNothingBesideDualChunks) {
  const std::string text = llama(R"("rope_theta": 1e4, "dual_chunk_attention_config":
      {"chunk_size": 262144}, "rope_scaling": {"rope_type": "linear", "factor": 2.0})");
  EXPECT_EQ(theta(only_layer(text)).at(0), 0.5);
  for (const Engine engine : {Engine::vllm, Engine::sglang}) {
    EXPECT_EQ(theta(as(engine, text)).at(0), 1) << name(engine);
    EXPECT_TRUE(warns(as(engine, text), "scales nothing with dual_chunk_attention_config"));
  }
}

TEST(EnginesOfAnyRule, VllmTurnsAPartOfAnyHead) {
  const std::string text = llama(R"("rope_theta": 1e4, "partial_rotary_factor": 0.5)");
  const std::size_t whole = only_layer(text).rotary_dim;
  EXPECT_EQ(as(Engine::vllm, text).rotary_dim, whole / 2);
  EXPECT_TRUE(warns(as(Engine::vllm, text), "is used"));
}

}  // namespace
}  // namespace rope::test
