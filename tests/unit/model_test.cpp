// What the schemas say: every key, where it counts, and what counts more.
#include "rope/model/read_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <cmath>

#include "rope/model/presets.hpp"
#include "support/outcome.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

TEST(HuggingFace, OldAndNewSchemaSayTheSame) {
  const LayerRope older = only_layer(scaled_llama(R"("type": "linear", "factor": 2.0)"));
  const LayerRope newer = only_layer(
      llama(R"("rope_parameters": {"rope_type": "linear", "rope_theta": 10000.0, "factor": 2.0})"));
  EXPECT_EQ(older.spec, newer.spec);
  EXPECT_EQ(older.scaled.frequencies.theta, newer.scaled.frequencies.theta);
  EXPECT_EQ(older.scaled.frequencies.theta[0], 0.5);
  EXPECT_EQ(older.head_dim, 128U);
  EXPECT_EQ(older.rope_type, "linear");
  EXPECT_TRUE(older.warnings.empty());
  EXPECT_TRUE(newer.warnings.empty());
}

TEST(HuggingFace, HeadDimIsGivenOrTheQuotient) {
  EXPECT_EQ(only_layer(llama(R"("rope_theta": 1e4)")).head_dim, 128U);
  EXPECT_EQ(only_layer(llama(R"("rope_theta": 1e4, "head_dim": 64)")).head_dim, 64U);
  EXPECT_EQ(only_layer(llama(R"("rope_theta": 1e4, "head_dim": null)")).head_dim, 128U);
  EXPECT_EQ(only_layer(R"({"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64})")
                .head_dim,
            256U);
  EXPECT_EQ(
      only_layer(R"({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768,
                     "attn_config": {"rope_theta": 500000}})")
          .base,
      500000);
}

TEST(HuggingFace, SomeTypesHaveAHeadSizeOfTheirOwn) {
  // As published: no head_dim, no heads.
  const ModelRope model = read(R"({"model_type": "gemma3", "text_config": {
    "model_type": "gemma3_text", "hidden_size": 2560, "rope_theta": 1e6,
    "rope_local_base_freq": 1e4, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}})");
  EXPECT_EQ(layer_of(model, "full_attention").head_dim, 256U);
  ASSERT_EQ(model.all_warnings().size(), 1U);
  EXPECT_NE(model.all_warnings()[0].find("head_dim is missing, so 256, the default of gemma3_text"),
            std::string::npos);
}

TEST(HuggingFace, LatentAttentionRotatesItsOwnDimensions) {
  const std::string deepseek = R"({"model_type": "deepseek_v3", "hidden_size": 7168,
    "num_attention_heads": 128, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
    "rope_theta": 10000, "max_position_embeddings": 4096)";
  const LayerRope layer = only_layer(deepseek + "}");
  EXPECT_EQ(layer.head_dim, 64U);
  EXPECT_EQ(layer.rotary_dim, 64U);
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  EXPECT_TRUE(warnings(deepseek + "}").empty());
  EXPECT_TRUE(warnings(deepseek + R"(, "head_dim": 64})").empty());
  EXPECT_EQ(only_layer(deepseek + R"(, "head_dim": 56})").head_dim, 64U);
  EXPECT_TRUE(warnings(deepseek + R"(, "head_dim": 56})").empty()) << "as GLM-5.2's own file";
  EXPECT_EQ(only_layer(deepseek + R"(, "rope_interleave": false})").layout, PairLayout::half);
}

TEST(HuggingFace, LatentAttentionOfSizeZeroIsNone) {
  const LayerRope layer = only_layer(R"({"model_type": "deepseek_vl_v2", "language_config": {
      "model_type": "deepseek_v2", "hidden_size": 1280, "num_attention_heads": 10,
      "qk_nope_head_dim": 0, "qk_rope_head_dim": 0, "use_mla": false}})");
  EXPECT_EQ(layer.rotary_dim, 128U);
  EXPECT_EQ(layer.layout, PairLayout::half);
}

TEST(HuggingFace, KeysOfOneModelsOwnCodeCount) {
  const LayerRope hunyuan = only_layer(R"({"model_type": "hunyuan_v1_dense", "head_dim": 128,
      "rope_theta": 10000.0, "max_position_embeddings": 32768,
      "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32}})");
  EXPECT_EQ(hunyuan.rope_type, "dynamic");
  EXPECT_NEAR(hunyuan.base, 10000 * std::pow(1000.0, 128.0 / 126), 1e-8);
  EXPECT_TRUE(hunyuan.warnings.empty());
  const ModelRope mimo = read(R"({"model_type": "mimo_v2_flash", "head_dim": 192,
      "rope_theta": 5e6, "swa_rope_theta": 1e4, "partial_rotary_factor": 0.334})");
  EXPECT_EQ(layer_of(mimo, "full_attention").base, 5e6);
  EXPECT_EQ(layer_of(mimo, "sliding_attention").base, 1e4);
  EXPECT_EQ(layer_of(mimo, "sliding_attention").rotary_dim, 64U);
  const std::string phimoe = R"({"model_type": "phimoe", "head_dim": 4, "rope_theta": 1e4,
      "max_position_embeddings": 131072, "rope_scaling": {"type": "longrope",
      "short_factor": [1, 1], "long_factor": [1, 2], "short_mscale": 1.24, "long_mscale": 1.25,
      "original_max_position_embeddings": 4096}})";
  EXPECT_EQ(only_layer(phimoe).scaled.attention_factor, 1.24);
  EXPECT_EQ(only_layer(phimoe, {.seq_len = 5000}).scaled.attention_factor, 1.25);
}

TEST(HuggingFace, StepScalesTheLayersOfSomeTypes) {
  const std::string step = R"({"model_type": "step3p5", "head_dim": 8, "num_hidden_layers": 2,
      "num_nextn_predict_layers": 1, "max_position_embeddings": 262144,
      "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
      "rope_theta": [5000000, 10000, 10000], "partial_rotary_factors": [0.5, 1, 1],
      "rope_scaling": {"rope_type": "yarn", "factor": 2.0,
                       "original_max_position_embeddings": 131072})";
  for (const char* only : {"}", R"(, "yarn_only_types": ["full_attention"]})"}) {
    const ModelRope model = read(step + only);
    ASSERT_EQ(model.layers.size(), 2U);
    EXPECT_EQ(model.layers[0].rope_type, "yarn");
    EXPECT_EQ(model.layers[0].rotary_dim, 4U);
    EXPECT_EQ(model.layers[1].rope_type, "default");
    EXPECT_EQ(model.layers[1].base, 10000);
  }
}

TEST(HuggingFace, SomeTypesRotateInTheirWindowsAlone) {
  const auto model = [](const std::string& type, const std::string& more) {
    return read(R"({"model_type": ")" + type + R"(", "head_dim": 64)" + more + "}");
  };
  for (const char* type : {"exaone4", "exaone_moe", "afmoe", "cohere2", "cohere2_moe"}) {
    const ModelRope both = model(type, "");
    EXPECT_EQ(layer_of(both, "full_attention").rope_type, "none") << type;
    EXPECT_TRUE(layer_of(both, "sliding_attention").rotates()) << type;
    const ModelRope windows = model(type, R"(, "layer_types": ["sliding_attention"])");
    ASSERT_EQ(windows.layers.size(), 1U) << type;
    EXPECT_TRUE(windows.layers.front().rotates()) << type;
  }
  EXPECT_TRUE(model("exaone4", R"(, "sliding_window": null)").layers.front().rotates());
  EXPECT_FALSE(model("cohere2", R"(, "sliding_window": null)").layers.front().rotates());
  // EXAONE 4.5 of text and images, whose layers are EXAONE 4's.
  EXPECT_EQ(layer_of(read(R"({"model_type": "exaone4_5", "text_config": {"head_dim": 128}})"),
                     "full_attention")
                .rope_type,
            "none");
}

TEST(HuggingFace, LayersThatAClassLeavesUnrotatedAreTold) {
  const std::string muse = R"({"model_type": "muse_glimmer_text", "head_dim": 128)";
  EXPECT_NE(read(muse + "}").notes.back().find("counted from the last"), std::string::npos);
  const ModelRope given = read(muse + R"(, "layer_rope_theta": [10000.0, 0]})");
  EXPECT_EQ(given.layers.at(1).rope_type, "none");
  for (const std::string& note : given.notes)
    EXPECT_EQ(note.find("counted from the last"), std::string::npos);
}

TEST(HuggingFace, JsonIsReadAsPythonReadsIt) {
  const std::string file = R"({"model_type": "llama", "head_dim": 64, "limit": [0.0, Infinity],
      "other": [NaN, -Infinity], "word": "Infinity and \"NaN\"")";
  EXPECT_EQ(only_layer(file + "}").head_dim, 64U);
  refused(file + R"(, "rope_theta": Infinity})", "x.json: rope_theta: expected a number");
}

TEST(HuggingFace, TheTextModelHasManyNames) {
  const std::string qwen = R"({"model_type": "qwen2", "head_dim": 128, "rope_theta": 1e6})";
  for (const char* name : {"text_config", "language_config", "llm_config", "llm_cfg",
                           "decoder_config", "decoder", "model_config"})
    EXPECT_EQ(
        only_layer(R"({"model_type": "whole", ")" + std::string(name) + "\": " + qwen + "}").base,
        1e6)
        << name;
  // MLC's files.
  EXPECT_EQ(only_layer(R"({"model_type": "llama", "model_config": {"head_dim": 128,
      "position_embedding_base": 500000, "context_window_size": 8192}})")
                .base,
            5e5);
}

TEST(HuggingFace, TheRotatedSizeIsCutOff) {
  const auto rotated = [](const std::string& members) {
    return only_layer(phi(R"("rope_theta": 1e4, )" + members)).rotary_dim;
  };
  EXPECT_EQ(rotated(R"("head_dim": 90, "partial_rotary_factor": 0.7)"), 62U);  // 62.99…
  EXPECT_EQ(rotated(R"("head_dim": 64, "partial_rotary_factor": 0.4)"), 25U);
  EXPECT_EQ(rotated(R"("head_dim": 80, "partial_rotary_factor": 0.4)"), 32U);
  EXPECT_EQ(rotated(R"("rotary_dim": 64)"), 64U);
  for (const char* key : {"rotary_pct", "rotary_emb_fraction"})
    EXPECT_EQ(rotated(R"("auto_map": {"A": "b"}, ")" + std::string(key) + R"(": 0.25)"), 32U);
  EXPECT_EQ(only_layer(phi(R"("rope_parameters": {"rope_theta": 1e4,
                           "partial_rotary_factor": 0.25})"))
                .rotary_dim,
            32U);
}

TEST(HuggingFace, AnOddSizeHasTheFrequenciesOfTransformers) {
  const LayerRope layer =
      only_layer(phi(R"("rope_theta": 1e4, "head_dim": 64, "partial_rotary_factor": 0.4)"));
  ASSERT_EQ(layer.scaled.frequencies.pairs(), 13U);
  EXPECT_NEAR(layer.scaled.frequencies.theta[12], std::pow(1e4, -24.0 / 25), 1e-18);
  EXPECT_THROW(embedding_of(layer), ShapeError);
}

TEST(HuggingFace, TheBaseHasManyNames) {
  const auto base = [](const std::string& model_type, const std::string& member) {
    return only_layer(R"({"model_type": ")" + model_type + R"(", "head_dim": 64, )" + member + "}")
        .base;
  };
  EXPECT_EQ(base("llama", R"("rope_theta": 500000.0)"), 500000);
  EXPECT_EQ(base("gpt_neox", R"("rotary_pct": 0.25, "rotary_emb_base": 25000)"), 25000);
  EXPECT_EQ(base("chatglm", R"("rope_ratio": 500)"), 5000000);
  EXPECT_EQ(base("chatglm", R"("seq_length": 8192)"), 10000);
  EXPECT_EQ(base("llama", R"("rope_parameters": {"rope_theta": 2e6})"), 2e6);
}

TEST(HuggingFace, ChatGlmRotatesHalfOfEachHead) {
  const LayerRope layer = only_layer(R"({"model_type": "chatglm", "kv_channels": 128})");
  EXPECT_EQ(layer.head_dim, 128U);
  EXPECT_EQ(layer.rotary_dim, 64U);
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
}

TEST(HuggingFace, WhatTheParametersHoldCountsMoreThanTheRoot) {
  const ModelRope model = read(phi(R"("rope_theta": 500000.0, "partial_rotary_factor": 0.5,
    "rope_parameters": {"rope_theta": 10000.0, "partial_rotary_factor": 0.25})"));
  EXPECT_EQ(model.layers[0].base, 10000);
  EXPECT_EQ(model.layers[0].rotary_dim, 32U);
  ASSERT_GE(model.all_warnings().size(), 2U);
  EXPECT_NE(
      model.layers[0].warnings[0].find("10000 is used by transformers v5, but rope_theta 500"),
      std::string::npos);
}

TEST(HuggingFace, EveryRuleButDefaultTakesTheFractionOfTheRoot) {
  const auto rotated = [](const std::string& type, const std::string& root,
                          const std::string& rule) {
    return only_layer(R"({"model_type": ")" + type + R"(", "hidden_size": 2560,
      "num_attention_heads": 32, "max_position_embeddings": 8192, "rope_theta": 1e4)" +
                      root + R"(, "rope_parameters": {"rope_theta": 1e4,
      "partial_rotary_factor": 0.5, "rope_type": )" +
                      rule + "}}")
        .rotary_dim;
  };
  const std::string yarn = R"("yarn", "factor": 4.0, "original_max_position_embeddings": 2048)";
  const std::string quarter = R"(, "partial_rotary_factor": 0.25)";
  for (const std::string& rule : {yarn, std::string(R"("linear", "factor": 2.0)")}) {
    EXPECT_EQ(rotated("phi", quarter, rule), 20U);
    EXPECT_EQ(rotated("brand_new", quarter, rule), 20U);
    EXPECT_EQ(rotated("stablelm", "", rule), 20U);  // its class sets 0.25
    EXPECT_EQ(rotated("brand_new", "", rule), 40U);
    EXPECT_EQ(rotated("gpt_neox", R"(, "rotary_pct": 0.25)", rule), 40U);
    EXPECT_EQ(rotated("gpt_neox", quarter, rule), 20U);
  }
  EXPECT_EQ(rotated("phi", quarter, R"("default")"), 40U);
  EXPECT_EQ(rotated("stablelm", "", R"("default")"), 40U);
  const Strings all = warnings(phi(quarter.substr(2) + R"(, "rope_theta": 1e4,
      "rope_parameters": {"rope_theta": 1e4, "partial_rotary_factor": 0.5, "rope_type": )" +
                                   yarn + "}"));
  EXPECT_TRUE(std::ranges::any_of(all, [](const std::string& warning) {
    return warning.find("0.5 is ignored by rope_type yarn, which uses 0.25") != std::string::npos;
  }));
}

TEST(HuggingFace, RopeScalingReplacesRopeParametersAsAWhole) {
  const std::string both = llama(R"("rope_theta": 500000.0,
    "rope_scaling": {"rope_type": "linear", "factor": 2.0},
    "rope_parameters": {"rope_type": "linear", "rope_theta": 1e6, "factor": 4.0})");
  const LayerRope layer = only_layer(both);
  EXPECT_EQ(layer.spec.numbers.at("factor"), 2);
  EXPECT_EQ(layer.base, 500000);
  warned(both, "rope_scaling takes precedence, and rope_parameters is ignored as a whole");
  // An empty one replaces nothing.
  for (const char* empty : {"null", "{}"}) {
    const std::string text = llama(R"("rope_scaling": )" + std::string(empty) + R"(,
      "rope_parameters": {"rope_type": "linear", "rope_theta": 1e6, "factor": 4.0})");
    EXPECT_EQ(only_layer(text).base, 1e6);
    warned(text, "transformers 4 uses base 10000 instead of 1000000, no scaling instead of linear");
  }
}

TEST(HuggingFace, RopeTypeCountsMoreThanType) {
  const std::string text =
      scaled_llama(R"("type": "dynamic", "rope_type": "linear", "factor": 2.0)");
  EXPECT_EQ(only_layer(text).rope_type, "linear");
  warned(text, "'linear' takes precedence, and type 'dynamic' is ignored");
}

TEST(HuggingFace, TheOriginalLengthOfTheRootCountsMost) {
  const std::string yarn = R"("rope_type": "yarn", "factor": 4.0)";
  const auto original = [&](const std::string& root, const std::string& own) {
    return only_layer(
               llama(R"("rope_theta": 1e4)" + root + R"(, "rope_scaling": {)" + yarn + own + "}"))
        .original_context;
  };
  EXPECT_EQ(original("", R"(, "original_max_position_embeddings": 1024)"), 1024);
  EXPECT_EQ(original(R"(, "original_max_position_embeddings": 2048)",
                     R"(, "original_max_position_embeddings": 1024)"),
            2048);
  EXPECT_EQ(original("", ""), 4096);  // max_position_embeddings
}

TEST(HuggingFace, Phi3CallsLongropeSuAndYarn) {
  const std::string lists = R"("short_factor": [1.0, 1.5], "long_factor": [2.0, 3.0])";
  const auto phi = [&](const std::string& type, const std::string& model_type) {
    return R"({"model_type": ")" + model_type + R"(", "head_dim": 4, "rope_theta": 1e4,
      "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
      "rope_scaling": {"type": ")" +
           type + R"(", )" + lists + "}}";
  };
  for (const char* type : {"su", "yarn", "longrope"}) {
    const LayerRope layer = only_layer(phi(type, "phi3"));
    EXPECT_EQ(layer.rope_type, "longrope") << type;
    EXPECT_NEAR(layer.scaled.attention_factor, 1.1902380714238083, 1e-15);
    EXPECT_NEAR(layer.scaled.frequencies.theta[1], 0.01 / 1.5, 1e-18);
    ReadOptions longer;
    longer.seq_len = 4097;
    EXPECT_NEAR(only_layer(phi(type, "phi3"), longer).scaled.frequencies.theta[1], 0.01 / 3, 1e-18);
    longer.seq_len = 4096;
    EXPECT_NEAR(only_layer(phi(type, "phi3"), longer).scaled.frequencies.theta[1], 0.01 / 1.5,
                1e-18);
  }
  for (const char* other : {"llama", "phi", "phimoe"})
    refused(phi("su", other), "x.json: rope_scaling.type: expected one of default, linear",
            "write longrope");
  EXPECT_EQ(only_layer(phi("su", "phi4_multimodal")).rope_type, "longrope");
  EXPECT_EQ(only_layer(R"({"model_type": "phi", "head_dim": 64, "rope_theta": 1e4,
      "max_position_embeddings": 8192, "rope_scaling": {"type": "yarn", "factor": 4.0,
      "original_max_position_embeddings": 2048}})")
                .rope_type,
            "yarn");
}

TEST(HuggingFace, MropeIsDefaultWithSections) {
  const std::string text = R"({"model_type": "qwen2_vl", "hidden_size": 1536,
    "num_attention_heads": 12, "max_position_embeddings": 32768, "rope_theta": 1000000.0,
    "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})";
  const ModelRope model = read(text);
  EXPECT_EQ(model.layers[0].rope_type, "default");
  EXPECT_EQ(model.layers[0].sections, (std::vector<std::int64_t>{16, 24, 24}));
  EXPECT_NE(model.notes.at(0).find("16 + 24 + 24"), std::string::npos);
  EXPECT_TRUE(model.all_warnings().empty());
}

TEST(HuggingFace, TextPartsOfMultimodalModelsAreFound) {
  const ModelRope model = read(R"({"model_type": "gemma3", "text_config": {
    "model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0, "max_position_embeddings": 131072,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0}}, "vision_config": {}})");
  EXPECT_EQ(model.model_type, "gemma3_text");
  EXPECT_NE(model.notes.at(0).find("text_config"), std::string::npos);
  EXPECT_EQ(layer_of(model, "full_attention").scaled.frequencies.theta[0], 0.125);
  EXPECT_EQ(layer_of(model, "full_attention").base, 1e6);
  EXPECT_EQ(layer_of(model, "sliding_attention").scaled.frequencies.theta[0], 1);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 1e4);
}

TEST(HuggingFace, ModernBertHasAGlobalAndALocalBase) {
  const ModelRope model = read(R"({"model_type": "modernbert", "head_dim": 64,
    "max_position_embeddings": 8192, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
    "local_attention": 128})");
  EXPECT_EQ(layer_of(model, "full_attention").base, 160000);
  EXPECT_FALSE(layer_of(model, "full_attention").window);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 10000);
  EXPECT_EQ(layer_of(model, "sliding_attention").window, 128);
  EXPECT_TRUE(model.all_warnings().empty());
}

TEST(HuggingFace, NestedParametersGiveOneEmbeddingALayerType) {
  const std::string head = R"({"model_type": "olmo3", "head_dim": 128,
    "max_position_embeddings": 65536, "layer_types": ["sliding_attention", "full_attention"],
    "num_hidden_layers": 2, "rope_parameters": {)";
  const ModelRope model = read(head + R"(
    "full_attention": {"rope_type": "yarn", "rope_theta": 500000.0, "factor": 8.0,
                       "original_max_position_embeddings": 8192},
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}})");
  EXPECT_EQ(layer_of(model, "full_attention").rope_type, "yarn");
  EXPECT_NEAR(layer_of(model, "full_attention").scaled.attention_factor, 1.2079441541679836, 1e-15);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 10000);
  EXPECT_EQ(model.all_warnings(),
            Strings{"x.json: transformers 4 uses full_attention: no scaling instead of yarn, "
                    "sliding_attention: base 500000 instead of 10000"});
  const std::string without_full = R"("full_attention": null,
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})";
  const ModelRope filled = read(head + without_full + "}");  // by the class
  EXPECT_EQ(layer_of(filled, "full_attention").base, 500000);
  EXPECT_TRUE(filled.all_warnings().front().ends_with(
      "full_attention is missing or null, so the class of olmo3 uses rope_type default for these "
      "layers: set it"));
  const ModelRope nope = read(yi(R"("layer_types": ["sliding_attention", "full_attention"],
    "rope_parameters": {)" + without_full));
  EXPECT_FALSE(layer_of(nope, "full_attention").rotates());
  EXPECT_THROW(embedding_of(layer_of(nope, "full_attention")), ShapeError);
}

TEST(HuggingFace, Olmo3ScalesItsFullLayersAlone) {
  const ModelRope model = read(R"({"model_type": "olmo3", "head_dim": 128, "rope_theta": 750000,
    "max_position_embeddings": 65536, "rope_scaling": {"rope_type": "yarn", "factor": 8.0,
    "original_max_position_embeddings": 8192}})");
  EXPECT_EQ(layer_of(model, "full_attention").rope_type, "yarn");
  EXPECT_EQ(layer_of(model, "sliding_attention").rope_type, "default");
  EXPECT_EQ(layer_of(model, "full_attention").base, 750000);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 750000);
}

TEST(HuggingFace, DeepSeekV4ScalesItsCompressedLayersAlone) {
  const ModelRope model = read(R"({"model_type": "deepseek_v4", "head_dim": 512,
    "qk_rope_head_dim": 64, "rope_theta": 10000, "compress_rope_theta": 160000,
    "max_position_embeddings": 1048576, "rope_scaling": {"type": "yarn", "factor": 16,
    "original_max_position_embeddings": 65536}})");
  EXPECT_EQ(layer_of(model, "main").rope_type, "default");
  EXPECT_EQ(layer_of(model, "main").base, 10000);
  EXPECT_EQ(layer_of(model, "compress").base, 160000);
  EXPECT_EQ(layer_of(model, "compress").rotary_dim, 64U);
  EXPECT_EQ(layer_of(model, "compress").head_dim, 64U) << "the last dimensions of 512, cut out";
  EXPECT_TRUE(notes_hold(model, "outputs are turned back: the last 64 of 512 dimensions"));
  EXPECT_EQ(layer_of(model, "compress").scaled.attention_factor, 1);
  EXPECT_TRUE(std::ranges::any_of(
      model.notes, [](const std::string& note) { return note.starts_with("values rotate too"); }));
}

TEST(HuggingFace, LayersWithoutRotationAreNamed) {
  EXPECT_EQ(read(yi(R"("rope_theta": 1e4, "num_hidden_layers": 4,
                       "no_rope_layers": [1, 1, 1, 0])"))
                .notes.at(0),
            "1 of 4 layers rotate nothing (NoPE): 3");
  EXPECT_EQ(read(yi(R"("rope_theta": 1e4, "no_rope_layer_interval": 4)")).notes.at(0),
            "every 4th layer rotates nothing (NoPE)");
  const ModelRope cohere = read(R"({"model_type": "cohere2", "head_dim": 128, "rope_theta": 5e4})");
  EXPECT_FALSE(layer_of(cohere, "full_attention").rotates());
  EXPECT_TRUE(layer_of(cohere, "sliding_attention").rotates());
}

TEST(HuggingFace, LayersOfLinearAttentionAreNamed) {
  const std::string kinds = R"("layer_types": ["conv", "linear_attention", "full_attention"])";
  EXPECT_EQ(read(llama(R"("rope_theta": 1e4, )" + kinds)).notes.at(0),
            "2 of 3 layers rotate nothing: those of type conv, linear_attention");
  const std::string next = R"({"model_type": "qwen3_next", "head_dim": 256, "rope_theta": 1e7,
      "partial_rotary_factor": 0.25)";
  EXPECT_EQ(
      read(next + R"(, "full_attention_interval": 3})").notes.at(0),
      "only every 3rd layer rotates; the others use linear attention, which has no positions");
  EXPECT_TRUE(read(next + R"(, "layer_types": ["full_attention"]})").notes.empty());
}

TEST(HuggingFace, ListsGiveLayersOfTheirOwn) {
  const ModelRope model = read(yi(R"("num_hidden_layers": 4,
    "layer_rope_theta": [10000.0, 0, 10000.0, 500000.0])"));
  ASSERT_EQ(model.layers.size(), 3U);
  EXPECT_EQ(model.layers[0].name, "layers 0, 2");
  EXPECT_EQ(model.layers[0].base, 10000);
  EXPECT_FALSE(model.layers[1].rotates());
  EXPECT_EQ(model.layers[2].base, 500000);
  const ModelRope partial = read(yi(R"("rope_theta": [1e4, 1e6],
    "partial_rotary_factors": [1.0, 0.5])"));
  ASSERT_EQ(partial.layers.size(), 2U);
  EXPECT_EQ(partial.layers[1].rotary_dim, 64U);
  EXPECT_EQ(partial.layers[1].base, 1e6);
}

TEST(HuggingFace, DynamicFollowsTheLengthAtHand) {
  const std::string text = scaled_llama(R"("rope_type": "dynamic", "factor": 2.0)");
  ReadOptions options;
  options.seq_len = 8192;
  const LayerRope layer = only_layer(text, options);
  EXPECT_TRUE(layer.warnings.empty());
  // b' = b·(2·2 − 1)^(128/126)
  EXPECT_NEAR(layer.scaled.frequencies.theta[63],
              std::pow(1e4 * std::pow(3.0, 128.0 / 126), -126.0 / 128), 1e-17);
}

TEST(HuggingFace, ProportionalTurnsAFractionOfThePairs) {
  const LayerRope layer = only_layer(llama(R"("rope_parameters": {"rope_type": "proportional",
    "rope_theta": 1e4, "partial_rotary_factor": 0.25})"));
  EXPECT_EQ(layer.rotary_dim, 128U);
  EXPECT_EQ(std::ranges::count(layer.scaled.bands, Band::off), 48);
  EXPECT_NEAR(layer.scaled.frequencies.theta[15], 1.1548e-1, 1e-5);
}

TEST(MetaParams, PairNeighbours) {
  const ModelRope model = read(R"({"dim": 4096, "n_heads": 32, "n_layers": 32,
    "rope_theta": 500000.0, "use_scaled_rope": true, "rope_scaling_factor": 8})");
  EXPECT_EQ(model.schema, "params.json");
  EXPECT_EQ(model.layers[0].layout, PairLayout::interleaved);
  EXPECT_EQ(model.layers[0].head_dim, 128U);
  EXPECT_TRUE(model.all_warnings().empty());
  const ModelRope preset = preset_model("llama-3.1-8b");
  EXPECT_EQ(model.layers[0].scaled.frequencies.theta, preset.layers[0].scaled.frequencies.theta);
  warned(R"({"dim": 4096, "n_heads": 32})", "rope_theta is missing, so 10000, Llama 2's");
  warned(R"({"dim": 2048, "n_heads": 32, "rope_theta": 5e5, "use_scaled_rope": true})",
         "Llama 3.2 1B and 3B need 32");
  refused(R"({"dim": 4096, "n_heads": 33})", "x.json: dim: expected a multiple of n_heads");
}

// As gguf-dump prints them, and as llama.cpp does.
constexpr const char* kGgufDump = R"(* Loading: model.gguf
     11: UINT32     |        1 | llama.context_length = 131072
      1: STRING     |        1 | general.architecture = 'llama'
     12: UINT32     |        1 | llama.embedding_length = 2048
     13: UINT32     |        1 | llama.attention.head_count = 32
     14: FLOAT32    |        1 | llama.rope.freq_base = 500000.0
     15: UINT32     |        1 | llama.rope.dimension_count = 64
     16: [STRING]   |     9999 | tokenizer.ggml.tokens = ['a', 'b = c', ...]
)";

TEST(GgufKeys, AreRead) {
  const ModelRope model = read(kGgufDump);
  EXPECT_EQ(model.schema, "GGUF keys");
  EXPECT_EQ(model.layers[0].layout, PairLayout::interleaved);
  EXPECT_EQ(model.layers[0].head_dim, 64U);
  EXPECT_EQ(model.layers[0].base, 500000);
  EXPECT_EQ(model.context, 131072);
  warned(kGgufDump, "files of Llama 3.1 and later hold a divisor for every pair");
  const ModelRope loader = read(R"(
llama_model_loader: - kv   0:                       general.architecture str              = qwen2
llama_model_loader: - kv   1:                     qwen2.embedding_length u32              = 3584
llama_model_loader: - kv   2:                 qwen2.attention.head_count u32              = 28
llama_model_loader: - kv   3:                       qwen2.rope.freq_base f32              = 1000000.000000
llama_model_loader: - kv   4:                    qwen2.rope.scaling.type str              = yarn
llama_model_loader: - kv   5:                  qwen2.rope.scaling.factor f32              = 4.000000
llama_model_loader: - kv   6: qwen2.rope.scaling.original_context_length u32              = 32768
)");
  EXPECT_EQ(loader.layers[0].layout, PairLayout::half);
  EXPECT_EQ(loader.layers[0].rope_type, "yarn");
  EXPECT_NEAR(loader.layers[0].scaled.attention_factor, 1.138629436111989, 1e-15);
}

TEST(GgufKeys, OfWindowLayersGiveTwo) {
  const ModelRope model =
      read(std::string(kGgufDump) + "x = y\nllama.rope.freq_base_swa = 10000\n");
  EXPECT_EQ(layer_of(model, "full_attention").base, 500000);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 10000);
}

TEST(GgufKeys, ThatHideNumbersInTensorsAreToldOf) {
  warned(std::string(kGgufDump) + "  1:  32 |  32, 1, 1, 1 | F32 | rope_freqs.weight\n",
         "rope_freqs.weight holds a divisor for every pair");
  refused(std::string(kGgufDump) + "llama.rope.scaling.type = longrope\n",
          "x.json: llama.rope.scaling.type: expected none, linear or yarn, found 'longrope'",
          "config.json");
  EXPECT_NE(warnings(std::string(kGgufDump) + "llama.rope.freq_bas = 10000\n")
                .front()
                .find("did you mean llama.rope.freq_base?"),
            std::string::npos);
  refused(std::string(kGgufDump) + "llama.rope.scaling.type = yran\n",
          "x.json: llama.rope.scaling.type: expected none, linear, yarn or longrope");
}

TEST(Engines, ReadTheSameFileDifferently) {
  const auto as = [](Engine engine, const char* name) {
    return preset_model(name, {std::nullopt, engine});
  };
  const LayerRope hf = as(Engine::hf, "gpt-oss").layers[0];
  const LayerRope ggml = as(Engine::ggml, "gpt-oss").layers[0];
  EXPECT_EQ(ggml.spec.numbers.at("truncate"), 1);
  EXPECT_NE(hf.scaled.frequencies.theta, ggml.scaled.frequencies.theta);
  EXPECT_NEAR(ggml.scaled.attention_factor, hf.scaled.attention_factor, 1e-15);
  EXPECT_EQ(as(Engine::ggml, "llama-3.1-8b").layers[0].layout, PairLayout::interleaved);
  EXPECT_EQ(as(Engine::ggml, "internlm2.5-7b").layers[0].spec.rule, "default");
  const LayerRope paper = as(Engine::yarn_paper, "qwen2.5-7b-yarn").layers[0];
  EXPECT_EQ(paper.spec.rule, "yarn-paper");
  double largest = 0;
  const LayerRope code = as(Engine::hf, "qwen2.5-7b-yarn").layers[0];
  for (std::size_t k = 0; k < 64; ++k)
    largest =
        std::max(largest, code.scaled.frequencies.theta[k] / paper.scaled.frequencies.theta[k]);
  EXPECT_NEAR(largest, 1.71, 0.005);  // models differ from the paper by up to 71 %
  EXPECT_EQ(engine_of("ggml"), Engine::ggml);
  EXPECT_EQ(engine_of("yarn-paper"), Engine::yarn_paper);
  EXPECT_EQ(engine_of("llama"), std::nullopt);
}

TEST(Engines, MultiplyOrReplaceTheAttentionFactor) {
  const std::string text = scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
    "original_max_position_embeddings": 1024, "attention_factor": 1.25)");
  EXPECT_EQ(only_layer(text).scaled.attention_factor, 1.25);
  EXPECT_NEAR(only_layer(text, {std::nullopt, Engine::ggml}).scaled.attention_factor,
              1.138629436111989, 1e-15);
  EXPECT_EQ(only_layer(text, {std::nullopt, Engine::vllm}).scaled.attention_factor, 1.25);
  const std::string attn = scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
    "original_max_position_embeddings": 1024, "attn_factor": 0.5)");
  const auto attn_factor = [&](Engine engine) {
    return only_layer(attn, {std::nullopt, engine}).scaled.attention_factor;
  };
  EXPECT_NEAR(attn_factor(Engine::yarn), 1.138629436111989, 1e-15);  // its class alone has one
  EXPECT_NEAR(attn_factor(Engine::sglang), 1.138629436111989 / 2, 1e-15);
  EXPECT_NEAR(attn_factor(Engine::ggml), 1.138629436111989, 1e-15);
  EXPECT_NEAR(only_layer(text, {std::nullopt, Engine::sglang}).scaled.attention_factor,
              1.138629436111989, 1e-15)
      << "attention_factor";
}

TEST(Engines, LeaveTheLengthOfDeepSeekV4AsItIs) {
  const std::string flat = R"({"model_type": "deepseek_v4", "head_dim": 512,
    "qk_rope_head_dim": 64, "rope_theta": 10000, "compress_rope_theta": 160000,
    "max_position_embeddings": 1048576, "rope_scaling": {"type": "yarn", "factor": 16,
    "original_max_position_embeddings": 65536)";
  for (const Engine engine : {Engine::hf, Engine::ggml, Engine::vllm, Engine::sglang}) {
    const ModelRope model = read(flat + "}}", {std::nullopt, engine});
    EXPECT_EQ(layer_of(model, "compress").scaled.attention_factor, 1);
    for (const std::string& warning : model.all_warnings())
      EXPECT_EQ(warning.find("attention_factor"), std::string::npos) << warning;
  }
  const ModelRope given =
      read(flat + R"(, "attention_factor": 1.25}})", {std::nullopt, Engine::vllm});
  EXPECT_EQ(layer_of(given, "compress").scaled.attention_factor, 1);
  ASSERT_FALSE(given.all_warnings().empty());
  EXPECT_NE(given.all_warnings().back().find("DeepSeek-V4 does not read it"), std::string::npos);
  const std::string ministral = R"({"model_type": "ministral3", "head_dim": 128,
    "max_position_embeddings": 262144, "rope_parameters": {"rope_type": "yarn", "factor": 16.0,
    "rope_theta": 1e6, "mscale": 1.0, "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 16384}})";
  EXPECT_EQ(only_layer(ministral, {std::nullopt, Engine::ggml}).scaled.attention_factor, 1);
}

TEST(Engines, OfVllmChoosesTheListOfLongropeOnce) {
  const auto phi = [](const char* type, const char* root, const char* rule) {
    return R"({"model_type": ")" + std::string(type) + R"(", "head_dim": 4, "rope_theta": 1e4,
      "max_position_embeddings": 131072)" +
           root + R"(, "rope_scaling": {"type": "longrope", "short_factor": [1, 1],
      "long_factor": [1, 2], "original_max_position_embeddings": 4096)" +
           rule + "}}";
  };
  const ReadOptions vllm = {std::nullopt, Engine::vllm};
  const char* const root = R"(, "original_max_position_embeddings": 4096)";
  const double slow = only_layer(phi("phi3", root, "")).scaled.frequencies.theta.at(1);
  const LayerRope at_root = only_layer(phi("phi3", root, ""), vllm);
  EXPECT_EQ(at_root.scaled.frequencies.theta.at(1), slow);
  EXPECT_NE(at_root.warnings.back().find("chooses the list once"), std::string::npos);
  EXPECT_EQ(only_layer(phi("phi3", "", ""), vllm).scaled.frequencies.theta.at(1), slow);
  EXPECT_EQ(only_layer(phi("minicpm", "", ""), vllm).scaled.frequencies.theta.at(1), slow / 2)
      << "without that length it starts with all positions";
  const char* const mscales = R"(, "short_mscale": 1.24, "long_mscale": 1.25)";
  EXPECT_EQ(only_layer(phi("phimoe", root, mscales), vllm).scaled.attention_factor, 1.24);
  const char* const factor = R"(, "attention_factor": 1.3)";
  EXPECT_NE(only_layer(phi("phi3", root, factor), vllm).scaled.attention_factor, 1.3);
}

TEST(Presets, OfAPathThereIsNone) {
  for (const char* word : {"./llama-2", "../llama-2", "/llama-2", "~/llama-2", "llama-2/",
                           "a/b/llama-2", "llama-2.json", "llama-2.gguf", "a\\llama-2", "-", ""}) {
    EXPECT_EQ(model_word(word), ModelWord::path) << word;
    EXPECT_FALSE(match_preset(word).name) << word;
    EXPECT_TRUE(match_preset(word).candidates.empty()) << word;
  }
  for (const char* word : {"llama-2", "qwen2.5", "phi-1.5", "mistral-7b-v0.3", "gpt oss", "a.v2"})
    EXPECT_EQ(model_word(word), ModelWord::name) << word;
}

TEST(Presets, OfAHubNameAreThatOfItsOwnConfiguration) {
  for (const std::string& name : preset_names())
    for (const std::string& hub : preset(name).hub) {
      EXPECT_EQ(model_word(hub), ModelWord::hub) << hub;
      EXPECT_EQ(match_preset(hub).name, name) << hub;
      EXPECT_EQ(match_preset("https://huggingface.co/" + hub).name, name) << hub;
      EXPECT_EQ(match_preset("TheBloke" + hub.substr(hub.find('/')) + "-AWQ").name, name) << hub;
      EXPECT_FALSE(match_preset("someone" + hub.substr(hub.find('/'))).name) << hub;
      EXPECT_FALSE(match_preset(hub + "-finetune").name) << hub;
      EXPECT_TRUE(match_preset(hub + "x").candidates.empty()) << hub;
    }
  EXPECT_EQ(hub_name("https://huggingface.co/a/b/blob/main/config.json"), "a/b");
  EXPECT_EQ(hub_name("hf.co/a/b?x"), "a/b");
  EXPECT_EQ(hub_name("a/b"), "a/b");
}

/// What is said of a word that preset_model refuses.
std::string refused_preset(std::string_view word) {
  const test::Outcome result = test::outcome([&] { preset_model(word); });
  return result.what + ". " + result.remedy;
}

TEST(Presets, AreReadByTheirHubNames) {
  for (const char* const word :
       {"meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-70B-Instruct", "Llama-3.1-8B",
        "https://huggingface.co/meta-llama/Llama-3.1-8B/blob/main/config.json", "llama-3.1-8b"}) {
    const ModelRope model = preset_model(word);
    EXPECT_EQ(model.name, "llama-3.1-8b") << word;
    EXPECT_EQ(model.layers.front().base, 500000) << word;
  }
}

TEST(Presets, AWordThatMeansNoneIsRefusedWithWhatMayBeMeant) {
  EXPECT_EQ(refused_preset("lama-3.1-8b"),
            "preset: expected the name of a published model, got 'lama-3.1-8b'. Did you mean "
            "llama-3.1-8b? preset_names() lists all presets.");
  EXPECT_EQ(refused_preset("qwen").find(
                "preset: expected the name of a published model, got 'qwen'. Choose one: "),
            0)
      << refused_preset("qwen");
  EXPECT_EQ(refused_preset("xyzzy"),
            "preset: expected the name of a published model, got 'xyzzy'. preset_names() lists all "
            "presets.");
  const std::string hub = refused_preset("nobody/No-Such-Model-7B");
  EXPECT_NE(hub.find("huggingface-cli download nobody/No-Such-Model-7B config.json"),
            std::string::npos)
      << hub;
  EXPECT_EQ(refused_preset("./config.json"),
            "preset: expected the name of a published model, got './config.json'. To read a file, "
            "pass its text to read_model.");
}

TEST(Presets, AreFoundWhateverTheCase) {
  EXPECT_EQ(find_preset("Llama-3.1-8B"), "llama-3.1-8b");
  EXPECT_EQ(find_preset("gpt oss"), "gpt-oss");
  EXPECT_EQ(find_preset("gpt-os"), std::nullopt);
  EXPECT_GE(preset_names().size(), 45U);
  for (const std::string& name : preset_names()) {
    EXPECT_NE(preset(name).title, "") << name;
    EXPECT_NE(preset(name).source, "") << name;
  }
}

}  // namespace
}  // namespace rope::test
