// What the class of a model type has where its config.json says nothing.

#include <gtest/gtest.h>

#include "rope/model/presets.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

std::string gpt_oss(const std::string& more) {
  return R"({"model_type": "gpt_oss", "head_dim": 64, "rope_theta": 150000,
            "max_position_embeddings": 131072)" +
         more + "}";
}

TEST(ClassDefaults, OfGptOssAreItsYarn) {
  const std::string missing =
      "rope_parameters is missing, so the default of gpt_oss is used, YaRN from 4096 tokens, "
      "factor 32";
  const LayerRope layer = only_layer(gpt_oss(""));
  EXPECT_EQ(layer.rope_type, "yarn");
  EXPECT_EQ(embedding_of(layer).frequencies.theta,
            embedding_of(preset_model("gpt-oss").layers.front()).frequencies.theta);
  EXPECT_NEAR(embedding_of(layer).attention_factor, 1.3465735903, 1e-10);
  warned(gpt_oss(""), missing + ": set it");
  const Strings null = warnings(gpt_oss(R"(, "rope_scaling": null)"));
  ASSERT_EQ(null.size(), 2U);
  EXPECT_NE(null[0].find(missing), std::string::npos) << null[0];
  EXPECT_NE(null[1].find("transformers 4 uses no scaling instead of yarn"), std::string::npos);
  EXPECT_EQ(only_layer(gpt_oss(R"(, "rope_parameters": {"rope_type": "default"})")).rope_type,
            "default");
  EXPECT_EQ(only_layer(gpt_oss(R"(, "rope_parameters": {})")).rope_type, "default")
      << "given, though empty";
  EXPECT_EQ(
      only_layer(gpt_oss(R"(, "rope_scaling": {"rope_type": "linear", "factor": 2})")).rope_type,
      "linear");
}

TEST(ClassDefaults, StandBesideNamesThatTheClassReadsAlone) {
  const auto of = [](const char* type, const std::string& sizes) {
    return R"({"model_type": ")" + std::string(type) + R"(", "rope_theta": 1e4, )" + sizes + "}";
  };
  const std::string foreign = of("llama", R"("n_head": 40, "hidden_dim": 5120)");
  EXPECT_EQ(only_layer(foreign).head_dim, 128U);
  warned(foreign,
         "x.json: hidden_dim: 5120 is read as hidden_size alongside n_head: transformers reads "
         "neither");
  EXPECT_EQ(only_layer(of("unheard", R"("n_heads": 8, "hidden_dim": 512)")).head_dim, 64U);
  const char* const expected = "x.json: expected head_dim, or hidden_size and num_attention_heads";
  for (const char* sizes : {R"("n_head": 40)", R"("n_embd": 5120)"})
    refused(of("llama", sizes), expected, "Give the whole config.json of a model");
  EXPECT_EQ(only_layer(of("llama", R"("n_heads": 40, "dim": 5120, "hidden_dim": 11008)")).head_dim,
            128U);
  EXPECT_EQ(only_layer(of("gptj", R"("n_head": 32)")).head_dim, 128U) << "its own name";
  EXPECT_EQ(only_layer(of("llama", R"("num_attention_heads": 16)")).head_dim, 256U);
  refused(of("llama", R"("num_attention_heads": 40)"),
          "x.json: expected a number of heads that divides the width, found 40 heads and a width "
          "of 4096; the class of llama supplies hidden_size 4096",
          "or head_dim");
}

std::string gemma4(const std::string& members) {
  return R"({"model_type": "gemma4_text", "head_dim": 256, "global_head_dim": 512)" + members + "}";
}

TEST(ClassDefaults, OfGemma4StandForAnEmptyObjectToo) {
  const ModelRope given = read(gemma4(""));
  const ModelRope empty = read(gemma4(R"(, "rope_parameters": {})"));
  ASSERT_EQ(empty.layers.size(), 2U);
  EXPECT_EQ(layer_of(empty, "full_attention").rope_type, "proportional");
  EXPECT_EQ(layer_of(empty, "sliding_attention").base, 1e4);
  EXPECT_EQ(layer_of(empty, "full_attention").scaled.frequencies.theta,
            layer_of(given, "full_attention").scaled.frequencies.theta);
  warned(gemma4(R"(, "rope_parameters": {})"), "rope_parameters is empty, so the default of");
}

TEST(ClassDefaults, OfGemma4TurnWholeHeadsByDefault) {
  const ModelRope flat = read(gemma4(R"(, "partial_rotary_factor": 0.25, "rope_theta": 1e6)"));
  EXPECT_EQ(layer_of(flat, "sliding_attention").rotary_dim, 256U);
  EXPECT_EQ(layer_of(flat, "full_attention").spec.numbers.at("partial"), 0.25);
  ASSERT_EQ(flat.all_warnings().size(), 1U) << flat.all_warnings().back();
  const std::string untyped = gemma4(R"(, "rope_parameters": {
      "full_attention": {"partial_rotary_factor": 0.25, "rope_theta": 1e6},
      "sliding_attention": {"rope_theta": 1e4}})");
  EXPECT_EQ(layer_of(read(untyped), "full_attention").rotary_dim, 512U);
  warned(untyped, "partial_rotary_factor: 0.25 is ignored by rope_type default");
}

TEST(ClassDefaults, OfLayerTypesThatTheModelHasNotAreLeftOut) {
  const ModelRope gemma = read(gemma4(R"(, "layer_types": ["full_attention"])"));
  EXPECT_EQ(gemma.layers.size(), 1U);
  EXPECT_EQ(gemma.all_warnings().size(), 1U);
  const std::string zaya = R"({"model_type": "zaya", "head_dim": 128, "rope_theta": 5e6,
      "partial_rotary_factor": 0.5, "rope_scaling": false)";
  EXPECT_EQ(only_layer(zaya + "}").base, 5e6);
  EXPECT_EQ(only_layer(zaya + "}").rotary_dim, 64U);
  warned(zaya + "}", "rope_parameters is missing, so the default of zaya is used");
  EXPECT_EQ(read(zaya + R"(, "layer_types": ["hybrid", "hybrid_sliding"]})").layers.size(), 2U);
  for (const char* type : {"laguna", "mellum"})
    EXPECT_EQ(only_layer(R"({"model_type": ")" + std::string(type) + R"(", "head_dim": 128})").base,
              5e5);
}

TEST(ClassDefaults, OfARuleCountMoreThanTypeAlone) {
  const auto gemma3 = [](const std::string& name) {
    return R"({"model_type": "gemma3_text", "head_dim": 256, "max_position_embeddings": 32768,
      "rope_theta": 1e6, "rope_local_base_freq": 1e4, "rope_scaling": {"factor": 8.0, ")" +
           name + R"(": "linear"}})";
  };
  EXPECT_EQ(layer_of(read(gemma3("rope_type")), "full_attention").rope_type, "linear");
  EXPECT_EQ(layer_of(read(gemma3("type")), "full_attention").rope_type, "default");
  const Strings all = warnings(gemma3("type"));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_NE(all[0].find("rope_scaling.type: 'linear' is ignored by transformers v5"),
            std::string::npos);
  EXPECT_NE(all[1].find("transformers 4 uses full_attention: linear instead of no scaling: to "
                        "suit both versions, write rope_type"),
            std::string::npos);
}

TEST(ClassDefaults, OfWholesMayDifferFromThoseOfTheTextModel) {
  const auto bare = [](const std::string& type) {
    return read(R"({"model_type": ")" + type + R"("})");
  };
  EXPECT_EQ(bare("got_ocr2").layers.front().head_dim, 64U);
  EXPECT_EQ(bare("got_ocr2").layers.front().base, 1e6);
  EXPECT_EQ(bare("mistral3").layers.front().head_dim, 128U);
  EXPECT_EQ(bare("mistral3").layers.front().base, 1e9);
  EXPECT_EQ(bare("lighton_ocr").context, 40960);
  EXPECT_EQ(bare("qwen3_asr").context, 65536);
  EXPECT_EQ(bare("idefics2").context, 32768);
  EXPECT_EQ(bare("glmasr").context, 8192);
  EXPECT_EQ(bare("llava").context, 2048);  // as Llama's
  // Voxtral completes a text_config that is there, others take it as it is.
  const ModelRope voxtral = read(R"({"model_type": "voxtral", "text_config": {"model_type": "llama",
      "rope_theta": 5e6}})");
  EXPECT_EQ(voxtral.layers.front().base, 5e6);
  EXPECT_EQ(voxtral.context, 131072);
  EXPECT_NE(voxtral.all_warnings().front().find("128, the default of the larger model, is used"),
            std::string::npos);
  const ModelRope mistral3 =
      read(R"({"model_type": "mistral3", "text_config": {"model_type": "mistral"}})");
  EXPECT_EQ(mistral3.layers.front().base, 1e4);
}

TEST(ClassDefaults, OfVersionsThatDisagreeAreTold) {
  warned(R"({"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768,
      "attn_config": {"rope_theta": 5e5}})",
         "attn_config.rope_theta: 500000 is used here, as in v4, but transformers v5 reads only "
         "rope_theta at the root and uses 10000");
  warned(R"({"model_type": "recurrent_gemma", "hidden_size": 2560, "num_attention_heads": 10,
      "partial_rotary_factor": 0.5})",
         "partial_rotary_factor: 0.5 is ignored by transformers 5.16 for recurrent_gemma");
  const std::string recurrent = R"({"model_type": "recurrent_gemma", "hidden_size": 2560,
      "num_attention_heads": 10, "rope_scaling": {"rope_type": "linear", "factor": 2.0}})";
  refused(recurrent, "x.json: rope_scaling.rope_type: expected default, found linear",
          "the class of recurrent_gemma supports no scaling rule");
  for (const std::string type : {"phi3", "phi4_multimodal"})
    for (const std::string rule : {"linear", "dynamic"})
      refused(R"({"hidden_size": 3072, "num_attention_heads": 32, "max_position_embeddings": 4096,
          "model_type": ")" +
                  type + R"(", "rope_scaling": {"factor": 2.0, "rope_type": ")" + rule + "\"}}",
              "x.json: rope_scaling.rope_type: expected default or longrope, found " + rule,
              "the class of " + type + " supports no other");
  EXPECT_EQ(only_layer(recurrent, {{}, Engine::hf4}).rope_type, "default");
  const auto zamba2 = [](const std::string& size) {
    return R"({"model_type": "zamba2", "use_mem_rope": true, "hidden_size": 2560,
        "num_attention_heads": 32, )" +
           size + "}";
  };
  EXPECT_TRUE(warnings(zamba2(R"("attention_head_dim": 160)")).empty());
  for (const std::string key : {"head_dim", "attention_head_dim"})
    warned(zamba2("\"" + key + "\": 64"),
           key + ": 64 is ignored: the class of zamba2 uses 160, twice hidden_size divided by");
  warned(R"({"model_type": "minimax_m2", "head_dim": 128, "rope_theta": 5e6, "rotary_dim": 64})",
         "rotary_dim: 64 is used here");
}

std::string within(const std::string& part) {
  return R"({"model_type": "llava", "text_config": {)" + part + "}}";
}

TEST(ClassDefaults, OfATextModelInALargerOneAreItsSizes) {
  const std::string llava =
      within(R"("model_type": "llama", "max_position_embeddings": 4096, "rope_theta": 1e4)");
  EXPECT_EQ(only_layer(llava).head_dim, 128U);
  warned(llava,
         "text_config: missing sizes are taken from the class of llama, as in transformers "
         "(hidden_size 4096, num_attention_heads 32): set them");
  const std::string phi3 = within(R"("model_type": "phi3", "rope_theta": 1e4)");
  EXPECT_EQ(only_layer(phi3).head_dim, 96U);
  EXPECT_EQ(read(phi3).context, 4096);
  warned(phi3, "(hidden_size 3072, num_attention_heads 32)");
  const std::string half = within(R"("model_type": "qwen2", "rope_theta": 1e6,
      "max_position_embeddings": 32768, "hidden_size": 1024)");
  EXPECT_EQ(only_layer(half).head_dim, 32U);
  warned(half, "(num_attention_heads 32)");
}

TEST(ClassDefaults, AreNotGuessed) {
  refused(within(R"("model_type": "brand_new", "rope_theta": 1e4)"),
          "x.json: text_config: expected head_dim, or hidden_size and num_attention_heads");
  refused(R"({"model_type": "internlm2", "rope_theta": 1e4})",
          "x.json: expected head_dim, or hidden_size and num_attention_heads",
          "Give the whole config.json of a model: these keys determine the size of a head");
}

TEST(ClassDefaults, OfAWholeFileAreItsSizesToo) {
  warned(R"({"model_type": "starcoder2", "rope_theta": 1e4})",
         "(hidden_size 3072, num_attention_heads 24): set them");
  EXPECT_EQ(only_layer(R"({"model_type": "llava"})").head_dim, 128U);
  EXPECT_EQ(only_layer(R"({"model_type": "gptj"})").rotary_dim, 64U);
  EXPECT_EQ(only_layer(R"({"model_type": "gptj", "rotary_dim": null})").rotary_dim, 256U);
  EXPECT_EQ(only_layer(R"({"model_type": "mistral4", "rope_parameters": {"rope_theta": 1e4}})")
                .rotary_dim,
            64U);
}

// --- rope_scaling over the parameters of the class -----------------------------------------------

std::string laid(const std::string& type, const std::string& scaling,
                 const std::string& parameters) {
  return R"({"model_type": ")" + type + R"(", "head_dim": 128, "num_hidden_layers": 2,
      "max_position_embeddings": 131072, "layer_types": ["sliding_attention", "full_attention"],
      "rope_scaling": )" +
         scaling + parameters + "}";
}

const std::string kTwoBases = R"(, "rope_parameters":
    {"full_attention": {"rope_type": "default", "rope_theta": 2e6},
     "sliding_attention": {"rope_type": "default", "rope_theta": 2e4}})";

TEST(LaidOver, WhatRopeScalingNamesCountsAndTheRestStays) {
  const std::string linear = R"({"rope_type": "linear", "factor": 8.0})";
  for (const std::string type :
       {"gemma3_text", "gemma3n_text", "olmo3", "modernbert", "modernbert-decoder"}) {
    const ModelRope model = read(laid(type, linear, kTwoBases));
    ASSERT_EQ(model.layers.size(), 2U) << type;
    EXPECT_EQ(layer_of(model, "full_attention").base, 2e6) << type;
    EXPECT_EQ(layer_of(model, "sliding_attention").base, 2e4) << type;
    EXPECT_EQ(layer_of(model, "full_attention").rope_type, "linear") << type;
    EXPECT_EQ(layer_of(model, "sliding_attention").rope_type,
              type.starts_with("modernbert") ? "linear" : "default")
        << type;
    const Strings all = model.all_warnings();
    EXPECT_EQ(
        std::ranges::count_if(
            all,
            [](const std::string& warning) {
              return warning.find("rope_scaling overrides the same keys in rope_parameters") !=
                     std::string::npos;
            }),
        1)
        << type;
  }
  const LayerRope other =
      layer_of(read(laid("gemma3_text",
                         R"({"rope_type": "linear", "factor": 8, "rope_theta": 3e6})", kTwoBases)),
               "full_attention");
  EXPECT_EQ(other.base, 3e6);
  const ModelRope untyped =
      read(laid("gemma3_text", R"({"type": "linear", "factor": 8.0})", kTwoBases));
  EXPECT_EQ(layer_of(untyped, "full_attention").rope_type, "default");
  // Of one object for all layers transformers finds no full_attention, and fails.
  EXPECT_EQ(
      layer_of(read(laid("gemma3_text", linear,
                         R"(, "rope_parameters": {"rope_type": "default", "rope_theta": 2e6})")),
               "full_attention")
          .base,
      1e6);
}

TEST(LaidOver, ModernBertScalesItsLocalLayersToo) {
  const ModelRope model = read(laid("modernbert", R"({"rope_type": "linear", "factor": 8.0})", ""));
  EXPECT_EQ(layer_of(model, "full_attention").scaled.frequencies.theta[0], 0.125);
  EXPECT_EQ(layer_of(model, "sliding_attention").scaled.frequencies.theta[0], 0.125);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 10000);
  const ModelRope gemma =
      read(laid("gemma3_text", R"({"rope_type": "linear", "factor": 8.0})", ""));
  EXPECT_EQ(layer_of(gemma, "sliding_attention").scaled.frequencies.theta[0], 1);
}

TEST(LaidOver, TruncateStandsInNoObjectOfALayerType) {
  const std::string yarn = R"("rope_type": "yarn", "rope_theta": 5e5, "factor": 8.0,
      "original_max_position_embeddings": 8192)";
  const auto nested = [&](const std::string& more) {
    return R"({"model_type": "olmo3", "head_dim": 128, "num_hidden_layers": 2,
        "max_position_embeddings": 65536, "layer_types": ["sliding_attention", "full_attention"],
        "rope_parameters": {"sliding_attention": {"rope_type": "default", "rope_theta": 5e5},
        "full_attention": {)" +
           yarn + more + "}}}";
  };
  const auto theta = [](const std::string& text, Engine engine = Engine::hf) {
    return layer_of(read(text, {{}, engine}), "full_attention").scaled.frequencies.theta;
  };
  const std::string exact = R"(, "truncate": false)";
  EXPECT_EQ(theta(nested(exact)), theta(nested("")));
  EXPECT_NE(theta(nested(exact), Engine::vllm), theta(nested("")));
  const std::string flat = laid("olmo3", "{" + yarn + exact + "}", "");
  EXPECT_EQ(theta(flat), theta(laid("olmo3", "{" + yarn + "}", "")));
  EXPECT_NE(theta(flat), theta(flat, Engine::hf4));
  const Strings all = warnings(nested(exact));
  EXPECT_TRUE(std::ranges::any_of(all, [](const std::string& warning) {
    return warning.find("full_attention.truncate: false is ignored") != std::string::npos;
  }));
}

TEST(ClassDefaults, OfQwen3MoeAreNoSizeOfAHead) {
  EXPECT_EQ(only_layer(R"({"model_type": "qwen3_moe", "rope_theta": 1e6, "hidden_size": 2048,
      "num_attention_heads": 32, "max_position_embeddings": 32768})")
                .head_dim,
            64U);
}

}  // namespace
}  // namespace rope::test
