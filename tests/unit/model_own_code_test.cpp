// What the code of one model reads otherwise than others, and what of it is told.

#include <algorithm>
#include <string>

#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

std::string of_type(const std::string& type, const std::string& more = "") {
  return R"({"model_type": ")" + type + R"(", "hidden_size": 1024, "num_attention_heads": 16,
            "rope_theta": 1e4)" +
         (more.empty() ? "" : ", " + more) + "}";
}

TEST(Fractions, AreIgnoredByClassesThatTurnWholeHeads) {
  for (const char* type : {"llama", "mistral", "qwen2", "qwen3", "gemma", "olmo2", "mixtral",
                           "starcoder2", "cohere"}) {
    const std::string text = of_type(type, R"("head_dim": 128, "partial_rotary_factor": 0.5)");
    EXPECT_EQ(only_layer(text).rotary_dim, 128U) << type;
    warned(text, "partial_rotary_factor: 0.5 is ignored: without scaling the class of " +
                     std::string(type) + " turns whole heads in transformers v5");
    EXPECT_TRUE(
        warnings(of_type(type, R"("head_dim": 128, "partial_rotary_factor": 1.0)")).empty());
  }
  const std::string inner = of_type("qwen3", R"("head_dim": 128, "rope_parameters": {
      "rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5})");
  EXPECT_EQ(only_layer(inner).rotary_dim, 128U);
  warned(inner, "rope_parameters.partial_rotary_factor: 0.5 is ignored");
  for (const char* key : {R"("rotary_dim": 32)", R"("rotary_pct": 0.5)"}) {
    EXPECT_EQ(only_layer(of_type("llama", key)).rotary_dim, 64U);
    warned(of_type("llama", key), "is ignored: the class of llama reads no such key");
  }
  EXPECT_TRUE(warnings(of_type("llama", R"("rotary_dim": 64, "rotary_pct": 1.0)")).empty());
}

TEST(Fractions, OfOtherClassesAndOwnCodeCount) {
  for (const char* type : {"phi", "glm4_moe", "qwen3_next", "stablelm", "nemotron", "tomorrow"})
    EXPECT_EQ(read(of_type(type, R"("head_dim": 128, "partial_rotary_factor": 0.5)"))
                  .layers.front()
                  .rotary_dim,
              64U)
        << type;
  const std::string own =
      of_type("llama", R"("partial_rotary_factor": 0.5, "auto_map": {"A": "b"})");
  EXPECT_EQ(only_layer(own).rotary_dim, 32U);
  warned(own, "counts here, as the file brings code of its own");
  const std::string scaled = of_type("llama", R"("partial_rotary_factor": 0.5,
      "rope_scaling": {"rope_type": "linear", "factor": 2.0})");
  EXPECT_EQ(only_layer(scaled).rotary_dim, 32U);
  warned(scaled, "partial_rotary_factor: 0.5 with rope_type linear fails in transformers");
  const std::string minimax = of_type("minimax", R"("rotary_dim": 32)");
  EXPECT_EQ(only_layer(minimax).rotary_dim, 32U);
  warned(minimax, "rotary_dim: 32 counts here, as in the model's own code");
}

TEST(OwnCode, OfSharedModelTypesIsToldByTheClass) {
  // sgl-project/sglang-jax cddbf6f1: Grok-2 has the model_type of Microsoft's GIT.
  const ModelRope grok = read(R"({"model_type": "git", "architectures": ["Grok1ForCausalLM"],
      "hidden_size": 8192, "num_attention_heads": 64, "head_dim": 128, "rope_theta": 208533496,
      "max_position_embeddings": 131072})");
  EXPECT_EQ(grok.layers.front().rotary_dim, 128U);
  EXPECT_EQ(grok.layers.front().base, 208533496);
  EXPECT_EQ(grok.layers.front().layout, PairLayout::half);
  EXPECT_TRUE(grok.all_warnings().empty());
  unrotated(R"({"model_type": "git", "architectures": ["GitForCausalLM"]})", "the code of");
  // amazon-science/chronos-forecasting 95185d13: Chronos-2 has that of T5.
  const ModelRope chronos = read(R"({"model_type": "t5", "architectures": ["Chronos2Model"],
      "d_kv": 64, "d_model": 768, "num_heads": 12, "rope_theta": 20000.0})");
  EXPECT_EQ(chronos.layers.front().rotary_dim, 64U);
  EXPECT_EQ(chronos.layers.front().base, 20000);
  EXPECT_TRUE(chronos.all_warnings().empty());
  EXPECT_TRUE(notes_hold(chronos, "a group of series rotates nothing"));
  refused(R"({"model_type": "t5", "architectures": ["Chronos2Model"], "d_kv": 1e6})",
          "x.json: d_kv: expected at most 65536");
  unrotated(R"({"model_type": "t5", "architectures": ["ChronosBoltModelForForecasting"]})",
            "the code of");
}

TEST(OwnCode, OfSingleClassesHasSizesOfItsOwn) {
  const std::string dit = R"({"model_type": "qwen2_5_omni_token2wav",
      "dit_config": {"model_type": "qwen2_5_omni_dit", "head_dim": 64}})";
  EXPECT_EQ(only_layer(dit).layout, PairLayout::interleaved);
  EXPECT_TRUE(notes_hold(read(dit), "the first head of each layer rotates alone"));
  const std::string clvp = R"({"model_type": "clvp_encoder", "hidden_size": 768,
      "num_attention_heads": 12, "projection_dim": )";
  EXPECT_EQ(only_layer(clvp + "768}").rotary_dim, 32U);
  EXPECT_EQ(only_layer(clvp + "1152}").rotary_dim, 48U);
  EXPECT_TRUE(notes_hold(read(clvp + "768}"), "the values are rotated"));
  unrotated(clvp + R"(768, "use_rotary_embedding": false})",
            "x.json: use_rotary_embedding is false");
}

TEST(OwnCode, OfParlerRotatesByItsSwitchAlone) {
  // huggingface/parler-tts d108732c
  const std::string parler = of_type("parler_tts_decoder", R"("rope_embeddings": )");
  EXPECT_EQ(only_layer(parler.substr(0, parler.size() - 1) + "true}").rotary_dim, 64U);
  unrotated(parler.substr(0, parler.size() - 1) + "false}", "x.json: rope_embeddings is not true");
  unrotated(of_type("parler_tts_decoder"), "x.json: rope_embeddings is not true");
}

TEST(OwnCode, HasLengthsOfOtherNames) {
  EXPECT_EQ(read(R"({"architectures": ["OLMoForCausalLM"], "model_type": "hf_olmo", "d_model": 4096,
      "n_heads": 32, "max_sequence_length": 4096, "rope": true})")
                .context,
            4096);
  const std::string zamba = R"({"model_type": "zamba2", "hidden_size": 2560, "rope_theta": 10000,
      "num_attention_heads": 32, "use_mem_rope": true, "max_position_embeddings": 4096)";
  EXPECT_EQ(read(zamba + "}").context, 4096);
  EXPECT_EQ(read(zamba + R"(, "use_long_context": true})").context, 16384);
  // 10000·8^(160/158)
  warned(zamba + R"(, "use_long_context": true})", "in v4 raises the base to 82134");
}

TEST(OwnCode, OfMptHandsItsRuleToTransformers) {
  const auto mpt = [](const std::string& rule) {
    return R"({"model_type": "mpt", "d_model": 2048, "n_heads": 16, "max_seq_len": 4096,
        "attn_config": {"rope": true, "rope_theta": 10000, "rope_impl": "hf",
        "rope_hf_config": {"type": ")" +
           rule + R"(", "factor": 2.0}}})";
  };
  EXPECT_EQ(only_layer(mpt("linear")).rope_type, "linear");
  EXPECT_EQ(only_layer(mpt("no_scaling")).rope_type, "default");
}

TEST(OwnCode, OfSomeTypesPairsNeighbours) {
  for (const char* type : {"huginn_raven", "neobert", "ttt"}) {
    EXPECT_EQ(only_layer(of_type(type)).layout, PairLayout::interleaved) << type;
    EXPECT_TRUE(warnings(of_type(type)).empty()) << type;
    unrotated(of_type(type, R"("rope": false)"), "x.json: rope is false");
  }
  EXPECT_TRUE(notes_hold(read(of_type("ttt")), "positions start anew"));
}

TEST(OwnCode, OfMiniCpmSalaSwitchesByMixer) {
  const std::string sala = of_type("minicpm_sala", R"("attn_use_rope": false,
      "lightning_use_rope": true, "mixer_types": ["minicpm4", "lightning-attn", "lightning-attn"])");
  EXPECT_TRUE(
      notes_hold(read(sala), "1 of 3 layers rotate nothing (NoPE): attn_use_rope is false"));
  warned(sala, "no other key tells which dimensions form a pair");
}

TEST(OwnCode, OfHunYuanVlDealsDimensionsOut) {
  const auto hunyuan = [](const std::string& type, const std::string& key) {
    return of_type("hunyuan_vl", R"("head_dim": 128, "rope_scaling": {"type": ")" + type +
                                     R"(", "alpha": 1000.0, "factor": 1.0, ")" + key +
                                     R"(": [16, 16, 16, 16]})");
  };
  for (const std::string& text :
       {hunyuan("xdrope", "xdrope_section"), hunyuan("dynamic", "mrope_section")}) {
    const LayerRope layer = only_layer(text);
    EXPECT_NEAR(layer.base, 11158839.925, 1e-3);  // 1e4·1000^(128/126)
    EXPECT_EQ(layer.rope_type, "dynamic");
    EXPECT_FALSE(layer.axes.several());
    EXPECT_TRUE(notes_hold(read(text), "4 sections deal the dimensions out to axes of an image"));
    EXPECT_TRUE(warnings(text).empty());
  }
}

TEST(OwnCode, OfVersionsThatReadABaseIsTold) {
  const std::string esm = R"({"model_type": "esm", "hidden_size": 320, "num_attention_heads": 20,
      "position_embedding_type": "rotary", "rope_theta": )";
  EXPECT_EQ(only_layer(esm + "5000.0}").base, 5000);
  warned(esm + "5000.0}", "rope_theta: 5000 counts in transformers v5, and the code of v4 holds");
  EXPECT_TRUE(warnings(esm + "10000.0}").empty());
  const ModelRope chatglm = read(R"({"model_type": "chatglm", "kv_channels": 128,
      "rope_theta": 5e5, "rope_ratio": 500})");
  EXPECT_EQ(chatglm.layers.front().base, 5e6);
}

TEST(OwnCode, OfRetrieversWrapsAModelOfTextAndImages) {
  const std::string wrapped = R"({"model_type": "colqwen2", "vlm_config": {"model_type": "qwen2_vl",
      "text_config": {"model_type": "qwen2_vl_text", "hidden_size": 1536,
      "num_attention_heads": 12, "rope_theta": 1000000.0}}})";
  EXPECT_EQ(only_layer(wrapped).rotary_dim, 128U);
  EXPECT_EQ(only_layer(wrapped).base, 1e6);
  EXPECT_TRUE(warnings(wrapped).empty());
}

TEST(OwnCode, OfTensorRtNamesTheLayoutInTheKindOfPositions) {
  const auto tensorrt = [](const std::string& kind) {
    return R"({"architecture": "GPTJForCausalLM", "hidden_size": 4096, "num_attention_heads": 16,
        "rotary_base": 10000.0, "rotary_dim": 64, "position_embedding_type": ")" +
           kind + R"("})";
  };
  EXPECT_EQ(only_layer(tensorrt("rope_gptj")).layout, PairLayout::interleaved);
  EXPECT_TRUE(warnings(tensorrt("rope_gptj")).empty());
  EXPECT_EQ(only_layer(tensorrt("rope_gpt_neox")).layout, PairLayout::half);
  EXPECT_TRUE(warnings(tensorrt("rope_gpt_neox")).empty());
}

TEST(Keys, ThatMayTurnTheRotationOffAreTold) {
  const auto told = [](const std::string& member, const std::string& what) {
    const Strings all = warnings(of_type("mymodel", member));
    EXPECT_TRUE(std::ranges::any_of(all, [&](const std::string& one) {
      return one.find(what) != std::string::npos;
    })) << member;
  };
  for (const char* key : {"rope_embeddings", "apply_rope", "rotary_embedding", "enable_rope",
                          "with_rope", "attn_use_rope"}) {
    const std::string quoted = "\"" + std::string(key) + "\": ";
    told(quoted + "false", std::string(key) + "' is no key that is known here");
    EXPECT_EQ(warnings(of_type("mymodel", quoted + "true")).size(), 1U) << key;
  }
  told(R"("rope_dim": 32)", "is no key that is known here");
  told(R"("rope_ratio": 4)", "rope_ratio: 4 is ignored beside rope_theta");
  told(R"("rope_type": "yarn")", "'rope_type' is ignored here");
  told(R"("seq_len_interpolation_factor": 4.0)", "is no key that is known here");
  for (const char* key : {"position_encoding", "position_encoding_type", "pos_embed"})
    told("\"" + std::string(key) + R"(": "learned")", "'learned' may say that nothing rotates");
}

TEST(Refusals, OfOtherFilesThatHoldAModelType) {
  refused(R"({"model_type": "llama", "kv_cache": {"scaling_factor": {}}})",
          "x.json: expected a config.json, found the scales of a cache");
  refused(R"({"model_type": "llama", "layer_templates": {}})",
          "x.json: expected a config.json, found mergekit's list");
}

}  // namespace
}  // namespace rope::test
