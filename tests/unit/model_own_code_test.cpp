// What the code of one model reads otherwise than others, and what of it is told.

#include <algorithm>
#include <cmath>
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
    warned(text, "partial_rotary_factor: 0.5 is ignored: without scaling, the class of " +
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
    warned(of_type("llama", key), "is ignored: the class of llama does not read it");
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
  warned(own, "is used here because the file names code of its own");
  const std::string scaled = of_type("llama", R"("partial_rotary_factor": 0.5,
      "rope_scaling": {"rope_type": "linear", "factor": 2.0})");
  EXPECT_EQ(only_layer(scaled).rotary_dim, 32U);
  warned(scaled, "partial_rotary_factor: 0.5 with rope_type linear fails in transformers");
  for (const std::string& told : warnings(of_type("llama", R"("partial_rotary_factor": 0.5,
      "rope_scaling": {"rope_type": "linear", "factor": 2.0, "partial_rotary_factor": 0.25})")))
    EXPECT_TRUE(told.ends_with("leave it out") || told.ends_with("leave this key out"))
        << told;  // both fractions, so no remedy contradicts
  const std::string minimax = of_type("minimax", R"("rotary_dim": 32)");
  EXPECT_EQ(only_layer(minimax).rotary_dim, 32U);
  warned(minimax, "rotary_dim: 32 is used here, as in the model's own code");
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
  EXPECT_TRUE(notes_hold(chronos, "across a group of series does not"));
  refused(R"({"model_type": "t5", "architectures": ["Chronos2Model"], "d_kv": 1e6})",
          "x.json: d_kv: expected at most 65536");
  unrotated(R"({"model_type": "t5", "architectures": ["ChronosBoltModelForForecasting"]})",
            "the code of");
}

TEST(OwnCode, OfAnUnknownTypeIsReadByItsClass) {
  const auto of = [](const char* type, const char* architecture, const std::string& more = "") {
    return R"({"model_type": ")" + std::string(type) + R"(", "architectures": [")" + architecture +
           R"("], "hidden_size": 768, "num_attention_heads": 12)" + more + "}";
  };
  unrotated(of("gpt2-ja", "GPT2LMHeadModel"), "the code of model_type 'gpt2' rotates nothing");
  unrotated(of("bert-ja", "BertModel"), "the code of model_type 'bert' rotates nothing");
  EXPECT_TRUE(only_layer(of("bert-ja", "BertModel", R"(, "rope_theta": 1e4)")).rotates())
      << "its own code may bear the name";
  unrotated(R"({"dim": 768, "n_heads": 12, "n_layers": 6, "sinusoidal_pos_embds": true})",
            "the code of model_type 'distilbert' rotates nothing");
  const LayerRope openmoe = only_layer(R"({"architectures": ["OpenMoeForCausalLM"],
    "hidden_size": 768, "head_dim": 64, "num_attention_heads": 12})");
  EXPECT_EQ(openmoe.base, 10000);
  EXPECT_EQ(openmoe.layout, PairLayout::half);
  EXPECT_EQ(only_layer(R"({"model_type": "kimi_vl", "text_config": {"hidden_size": 128,
    "num_attention_heads": 4, "qk_rope_head_dim": 16, "rope_theta": 1e3}})")
                .layout,
            PairLayout::interleaved);
}

TEST(OwnCode, OfSingleClassesHasSizesOfItsOwn) {
  const std::string dit = R"({"model_type": "qwen2_5_omni_token2wav",
      "dit_config": {"model_type": "qwen2_5_omni_dit", "head_dim": 64}})";
  EXPECT_EQ(only_layer(dit).layout, PairLayout::interleaved);
  EXPECT_TRUE(notes_hold(read(dit), "only the first head of each layer rotates"));
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
  warned(zamba + R"(, "use_long_context": true})", "in transformers v4, raises the base to 82134");
}

TEST(OwnCode, OfOlmoTurnsItsRotationOff) {
  // allenai/OLMo, olmo/model.py: RotaryEmbedding only if config.rope
  unrotated(R"({"architectures": ["OLMoForCausalLM"], "model_type": "hf_olmo", "d_model": 128,
      "n_heads": 4, "max_sequence_length": 512, "alibi": false, "rope": false})",
            "x.json: rope is false");
}

TEST(OwnCode, OfTorchchatHasOtherNamesForMetasKeys) {
  // torchchat/model_params/Meta-Llama-3.1-8B.json, Granite-3.0-2B-Instruct.json, Mistral-7B.json
  const LayerRope llama = only_layer(R"({"block_size": 131072, "dim": 4096, "n_heads": 32,
      "n_local_heads": 8, "n_layers": 32, "rope_base": 500000.0, "vocab_size": 128256,
      "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
      "original_max_position_embeddings": 8192}})");
  EXPECT_EQ(llama.rope_type, "llama3");
  EXPECT_EQ(llama.base, 500000);
  EXPECT_EQ(llama.layout, PairLayout::interleaved);
  const std::string small = R"({"dim": 2048, "n_heads": 32, "n_local_heads": 8)";
  EXPECT_EQ(only_layer(small + R"(, "rope_base": 1e6, "rope_scaling": null})").base, 1e6);
  EXPECT_EQ(only_layer(small + R"(, "rope_theta": 5e5, "rope_scaling": {"factor": 32.0,
      "low_freq_factor": 1.0, "high_freq_factor": 4.0,
      "original_max_position_embeddings": 8192}})")
                .spec.numbers.at("factor"),
            32);
  EXPECT_EQ(read(small + R"(, "block_size": 8192, "rope_base": 1e4})").context, 8192);
  warned(small + "}", "rope_base is missing, so 10000 is used");
}

TEST(OwnCode, OfVllmAndSglangRaisesTheBaseByAlphaOfAnyModel) {
  const std::string llama = R"({"model_type": "llama", "head_dim": 128, "rope_theta": 10000,
      "max_position_embeddings": 262144,
      "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0}})";
  EXPECT_EQ(only_layer(llama).base, 10000);
  EXPECT_NE(read(llama).layers.at(0).warnings.at(0).find(
                "'alpha': vLLM and SGLang use it to raise the base"),
            std::string::npos);
  for (const Engine engine : {Engine::vllm, Engine::sglang})
    EXPECT_NEAR(only_layer(llama, {std::nullopt, engine}).base, 1e4 * std::pow(1000, 128.0 / 126),
                1e-6);
}

TEST(OwnCode, OfPixtralIsReadByItsTextModel) {
  const LayerRope layer = only_layer(R"({"model_type": "pixtral",
      "text_config": {"model_type": "mistral", "head_dim": 128, "rope_theta": 1e9},
      "vision_config": {"model_type": "pixtral", "head_dim": 64, "hidden_size": 1024,
      "image_size": 1024, "patch_size": 16}})");
  EXPECT_EQ(layer.base, 1e9);
  EXPECT_EQ(layer.rotary_dim, 128U);
}

TEST(OwnCode, OfVersion4HasTheRuleOfItsClassBesideKeysThatItDoesNotRead) {
  const std::string oss = of_type("gpt_oss", R"("head_dim": 64, "rope_parameters": {
      "rope_type": "yarn", "rope_theta": 150000.0, "factor": 32.0, "beta_fast": 32.0,
      "beta_slow": 1.0, "truncate": false, "original_max_position_embeddings": 4096})");
  for (const std::string& warning : read(oss).warnings)
    EXPECT_EQ(warning.find("transformers 4 uses"), std::string::npos) << warning;
  const ModelRope older = read_model(oss, "x.json", {std::nullopt, Engine::hf4});
  EXPECT_EQ(older.layers.at(0).rope_type, "yarn");
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
  EXPECT_TRUE(notes_hold(read(of_type("ttt")), "positions restart after every"));
}

TEST(OwnCode, OfMiniCpmSalaSwitchesByMixer) {
  const std::string sala = of_type("minicpm_sala", R"("attn_use_rope": false,
      "lightning_use_rope": true, "mixer_types": ["minicpm4", "lightning-attn", "lightning-attn"])");
  EXPECT_TRUE(
      notes_hold(read(sala), "1 of 3 layers rotate nothing (NoPE): attn_use_rope is false"));
  warned(sala, "no other key states which dimensions form a pair");
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
    EXPECT_TRUE(notes_hold(read(text), "4 sections assign the dimensions to axes of an image"));
    EXPECT_TRUE(warnings(text).empty());
  }
}

TEST(OwnCode, OfVersionsThatReadABaseIsTold) {
  const std::string esm = R"({"model_type": "esm", "hidden_size": 320, "num_attention_heads": 20,
      "position_embedding_type": "rotary", "rope_theta": )";
  EXPECT_EQ(only_layer(esm + "5000.0}").base, 5000);
  warned(esm + "5000.0}", "rope_theta: 5000 is used by transformers v5, while the code of v4 uses");
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
    told(quoted + "false", std::string(key) + "' is not a key that rope knows");
    EXPECT_EQ(warnings(of_type("mymodel", quoted + "true")).size(), 1U) << key;
  }
  told(R"("rope_dim": 32)", "is not a key that rope knows");
  told(R"("rope_ratio": 4)", "rope_ratio: 4 is ignored in favour of rope_theta");
  told(R"("rope_type": "yarn")", "'rope_type' is ignored here");
  told(R"("seq_len_interpolation_factor": 4.0)", "is not a key that rope knows");
  for (const char* key : {"position_encoding", "position_encoding_type", "pos_embed"})
    told("\"" + std::string(key) + R"(": "learned")", "'learned' may mean that nothing rotates");
}

TEST(Refusals, OfOtherFilesThatHoldAModelType) {
  refused(R"({"model_type": "llama", "kv_cache": {"scaling_factor": {}}})",
          "x.json: expected a config.json, found the scales for a cache");
  refused(R"({"model_type": "llama", "layer_templates": {}})",
          "x.json: expected a config.json, found mergekit's list");
}

TEST(OwnCode, OfGteStretchesByItsNtk) {
  // Alibaba-NLP/new-impl, modeling.py: base times factor, and θ_i divided by factor^(2/d).
  const std::string text = of_type("new", R"("position_embedding_type": "rope",
      "rope_scaling": {"type": "ntk", "factor": 2.0})");
  const LayerRope layer = only_layer(text);
  EXPECT_EQ(layer.rope_type, "ntk");
  EXPECT_EQ(layer.layout, PairLayout::half);
  ASSERT_EQ(layer.scaled.frequencies.theta.size(), 32U);
  EXPECT_NEAR(layer.scaled.frequencies.theta[0], 0.97857206208770013, 1e-15);
  EXPECT_NEAR(layer.scaled.frequencies.theta[31], 6.6676071608166198e-05, 1e-19);
  EXPECT_TRUE(warnings(text).empty());
  unrotated(of_type("new", R"("position_embedding_type": "absolute")"),
            "x.json: position_embedding_type is 'absolute'");
  refused(of_type("tomorrow", R"("rope_scaling": {"type": "ntk", "factor": 2.0})"),
          "x.json: rope_scaling.type: expected one of");
}

TEST(OwnCode, OfGptOssAndPlamo3HasItsYarnAtTheRoot) {
  // The original config.json of gpt-oss-20b.
  const ModelRope oss = read(R"({"num_hidden_layers": 24, "hidden_size": 2880, "head_dim": 64,
      "num_attention_heads": 64, "sliding_window": 128, "initial_context_length": 4096,
      "rope_theta": 150000.0, "rope_scaling_factor": 32.0, "rope_ntk_alpha": 1.0,
      "rope_ntk_beta": 32.0})");
  EXPECT_EQ(oss.model_type, "gpt_oss");
  EXPECT_EQ(oss.layers.front().rope_type, "yarn");
  EXPECT_EQ(oss.layers.front().original_context, 4096);
  EXPECT_EQ(oss.layers.front().layout, PairLayout::half);
  EXPECT_TRUE(oss.all_warnings().empty());
  const ModelRope plain = read(of_type("gpt_oss", R"("head_dim": 64,
      "rope_parameters": {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 32.0,
      "truncate": false, "original_max_position_embeddings": 4096})"));
  const ModelRope same = read(of_type("gpt_oss", R"("head_dim": 64,
      "rope_scaling_factor": 32.0, "initial_context_length": 4096)"));
  EXPECT_EQ(same.layers.front().scaled.frequencies.theta,
            plain.layers.front().scaled.frequencies.theta);
  const std::string plamo = of_type("plamo3", R"("rope_local_theta": 5000)");
  EXPECT_EQ(layer_of(read(plamo), "full_attention").base, 10000);
  EXPECT_EQ(layer_of(read(plamo), "sliding_attention").base, 5000);
  EXPECT_TRUE(warnings(plamo).front().ends_with("half is assumed, as in most models"));
  EXPECT_TRUE(warnings(plamo).back().ends_with(
      "layer_types is missing, so the report cannot show which layers use which base: write it"));
}

TEST(OwnCode, OfFlashAttentionRotatesGpt2) {
  const LayerRope layer = only_layer(R"({"model_type": "gpt2", "n_embd": 1024, "n_head": 16,
      "rotary_emb_fraction": 0.5, "rotary_emb_base": 5000, "rotary_emb_interleaved": true})");
  EXPECT_EQ(layer.rotary_dim, 32U);
  EXPECT_EQ(layer.base, 5000);
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  unrotated(R"({"model_type": "gpt2", "n_embd": 1024, "n_head": 16, "rotary_emb_fraction": 0})",
            "x.json: rotary_emb_fraction is 0");
}

TEST(OwnCode, OfSomeTypesHasNoRotaryKeyAtAll) {
  struct Row {
    const char* type;
    const char* more;
    PairLayout layout;
    std::size_t rotary_dim;
  };
  for (const Row& row :
       {Row{"idefics", "", PairLayout::half, 64}, Row{"AMPLIFY", "", PairLayout::interleaved, 64},
        Row{"RefinedWebModel", R"(, "alibi": false)", PairLayout::half, 64},
        Row{"progen", R"(, "rotary_dim": 32)", PairLayout::interleaved, 32}}) {
    const std::string text = std::string(R"({"model_type": ")") + row.type +
                             R"(", "hidden_size": 1024, "num_attention_heads": 16)" + row.more +
                             "}";
    EXPECT_EQ(only_layer(text).layout, row.layout) << row.type;
    EXPECT_EQ(only_layer(text).rotary_dim, row.rotary_dim) << row.type;
    EXPECT_EQ(only_layer(text).base, 10000) << row.type;
    EXPECT_TRUE(warnings(text).empty()) << row.type;
  }
}

TEST(OwnCode, OfADecoderCountsBesideSizesOfTheWhole) {
  const std::string text = R"({"model_type": "t5gemma", "hidden_size": 32,
      "num_attention_heads": 4, "decoder": {"model_type": "t5_gemma_module", "head_dim": 8,
      "hidden_size": 32, "num_attention_heads": 4, "rope_theta": 5000.0,
      "max_position_embeddings": 512}})";
  EXPECT_EQ(only_layer(text).head_dim, 8U);
  EXPECT_EQ(only_layer(text).base, 5000);
  EXPECT_EQ(read(text).context, 512);
  EXPECT_TRUE(warnings(text).empty());
  const std::string moonshine = R"({"model_type": "moonshine", "hidden_size": 32,
      "decoder_num_attention_heads": 2, "partial_rotary_factor": 0.9, "rope_theta": 1e4})";
  EXPECT_EQ(only_layer(moonshine).head_dim, 16U);
  EXPECT_EQ(only_layer(moonshine).rotary_dim, 14U);
  EXPECT_TRUE(warnings(moonshine).empty());
  EXPECT_EQ(only_layer(of_type("pangu_ultra_moe", R"("attention_qk_rope_dim": 32)")).head_dim, 32U);
}

TEST(OwnCode, OfClassesIsNotBlamedForWhatTheyWrite) {
  const ModelRope laguna = read(of_type("laguna", R"("head_dim": 128,
      "num_hidden_layers": 1, "layer_types": ["full_attention"],
      "rope_parameters": {"rope_type": "default",
      "full_attention": {"rope_theta": 5e5, "partial_rotary_factor": 0.5},
      "sliding_attention": {"rope_theta": 1e4}})"));
  EXPECT_EQ(laguna.layers.size(), 1U);
  EXPECT_TRUE(laguna.all_warnings().empty());
  const std::string v4 = of_type("deepseek_v4", R"("compress_rope_theta": 160000.0,
      "head_dim": 512, "max_position_embeddings": 4096, "rope_parameters": {
      "main": {"rope_theta": 1e4, "partial_rotary_factor": 0.125},
      "compress": {"rope_theta": 160000.0, "partial_rotary_factor": 0.125}})");
  EXPECT_EQ(layer_of(read(v4), "compress").base, 160000);
  EXPECT_TRUE(warnings(v4).empty());
  EXPECT_TRUE(warnings(of_type("qwen2_vl", R"("rope_scaling": {"type": "mrope",
      "rope_type": "default", "mrope_section": [8, 12, 12]})"))
                  .empty());
  warned(of_type("qwen3_vl_text", R"("head_dim": 8, "rope_scaling": {"rope_type": "default",
      "mrope_section": [16, 8, 8]})"),
         "some pairs of an image's tokens turn by time");
}

TEST(OwnCode, OfGemma4HasTheSizesOfItsLayersApart) {
  const std::string text = of_type("gemma4_text", R"("head_dim": 16, "num_hidden_layers": 2,
      "layer_types": ["sliding_attention", "full_attention"],
      "per_layer_config": {"1": {"head_dim": 32}}, "rope_parameters": {
      "full_attention": {"rope_type": "default", "rope_theta": 1e6},
      "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}})");
  const ModelRope model = read(text);
  EXPECT_EQ(layer_of(model, "full_attention").head_dim, 32U);
  EXPECT_EQ(layer_of(model, "sliding_attention").head_dim, 16U);
}

TEST(OwnCode, OfImagesIsNotDeniedByATextPart) {
  refused(R"({"model_type": "sam3", "text_config": {"model_type": "clip_text_model"}})",
          "x.json: text_config.model_type: expected a rotation by positions in a text");
  unrotated(R"({"model_type": "internvl_vision", "hidden_size": 32, "num_attention_heads": 4,
      "patch_size": 14})",
            "the code of model_type 'internvl_vision' rotates nothing");
}

}  // namespace
}  // namespace rope::test
