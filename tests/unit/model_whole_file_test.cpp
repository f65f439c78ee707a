// A file is read as a whole: the parts that rotate beside the one shown, the layers that do not,
// what each version of transformers makes of it, the length it is served at, and keys that only
// some engine reads.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rope/model/presets.hpp"
#include "support/outcome.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

Strings warnings_of(const std::string& text, const std::string& said) {
  Strings found;
  for (const std::string& warning : warnings(text))
    if (warning.find(said) != std::string::npos) found.push_back(warning);
  return found;
}

// --- transformers 4 and 5 ------------------------------------------------------------------------

const std::string kBoth = ": to suit both versions, write ";

TEST(Versions, ABaseInTheParametersAloneIsNotReadByVersion4) {
  warned(llama(R"("rope_parameters": {"rope_type": "default", "rope_theta": 500000.0})"),
         "x.json: transformers 4 uses base 10000 instead of 500000" + kBoth +
             "rope_theta at the root, too");
  warned(llama(R"("rope_scaling": {"rope_type": "linear", "factor": 2, "rope_theta": 1e6})"),
         "transformers 4 uses base 10000 instead of 1000000" + kBoth + "rope_theta");
  warned(llama(R"("rope_parameters": {"rope_type": "linear", "factor": 2, "rope_theta": 10000})"),
         "transformers 4 uses no scaling instead of linear" + kBoth + "rope_scaling");
  warned(R"({"model_type": "phi", "hidden_size": 2048, "num_attention_heads": 32,
    "rope_parameters": {"rope_theta": 10000.0, "partial_rotary_factor": 0.25}})",
         "transformers 4 uses 32 rotated dimensions instead of 16" + kBoth +
             "partial_rotary_factor at the root, too");
  warned(R"({"model_type": "gemma3_text", "head_dim": 256, "num_hidden_layers": 2,
    "layer_types": ["sliding_attention", "full_attention"], "rope_parameters":
    {"full_attention": {"rope_type": "linear", "factor": 8, "rope_theta": 1e6},
     "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}})",
         "transformers 4 uses full_attention: no scaling instead of linear");
}

TEST(Versions, TheKeyToWriteIsTheOneThatTheOlderClassReads) {
  struct Case {
    std::string type, key;
    std::string before;  // what else the root holds
  };
  const std::string flat = R"("rope_parameters": {"rope_type": "default", "rope_theta": 77000.0})";
  const auto of_layer = [](const std::string& local, const std::string& full) {
    return R"("layer_types": ["sliding_attention", "full_attention"], "rope_parameters":
      {"sliding_attention": {"rope_type": "default", "rope_theta": )" +
           local + R"(}, "full_attention": {"rope_type": "default", "rope_theta": )" + full + "}}";
  };
  for (const Case& one :
       {Case{"llama", "rope_theta", flat}, Case{"gpt_neox", "rotary_emb_base", flat},
        Case{"wav2vec2-conformer", "rotary_embedding_base",
             R"("position_embeddings_type": "rotary", )" + flat},
        Case{"gemma3_text", "rope_local_base_freq",
             R"("rope_theta": 1e6, )" + of_layer("77000.0", "1e6")},
        Case{"gemma3_text", "rope_local_base_freq", of_layer("77000.0", "1e6")},
        Case{"gemma3", "rope_local_base_freq", of_layer("77000.0", "1e6")},
        Case{"llava", "rope_theta", flat},
        Case{"modernbert", "local_rope_theta", of_layer("77000.0", "160000.0")},
        Case{"modernbert", "global_rope_theta", of_layer("10000.0", "77000.0")}}) {
    const auto file = [&](const std::string& more) {
      return R"({"model_type": ")" + one.type + R"(", "hidden_size": 1024, "head_dim": 64,
        "num_attention_heads": 16, "num_hidden_layers": 2, )" +
             more + one.before + "}";
    };
    EXPECT_EQ(warnings_of(file(""), "instead of 77000" + kBoth + one.key + " at the root").size(),
              1U)
        << file("");
    // The remedy is tried.
    const std::string mended = file("\"" + one.key + "\": 77000.0, ");
    EXPECT_TRUE(warnings_of(mended, "instead of 77000").empty()) << mended;
    const auto bases = [&](const ReadOptions& options) {
      std::map<std::string, double> all;
      for (const LayerRope& layer : read(mended, options).layers) all[layer.name] = layer.base;
      return all;
    };
    EXPECT_EQ(bases({}), bases({{}, Engine::hf4})) << mended;
  }
}

TEST(Versions, NoKeyIsAskedForThatIsThereAlready) {
  const std::string stated = llama(R"("original_max_position_embeddings": 1024, "rope_scaling":
      {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096},
      "rope_theta": 10000.0)");
  EXPECT_FALSE(warnings_of(stated, "transformers 4 uses other frequencies").empty());
  EXPECT_TRUE(warnings_of(stated, kBoth).empty()) << stated;
  const std::string part = R"({"model_type": "gpt_neox", "hidden_size": 2048,
      "num_attention_heads": 32, "rotary_emb_base": 10000, "rope_parameters": {"rope_type":
      "default", "rope_theta": 10000.0, "partial_rotary_factor": 1.0})";
  warned(part + "}", kBoth + "rotary_pct at the root");
  EXPECT_TRUE(warnings_of(part + R"(, "rotary_pct": 1.0})", "transformers 4").empty());
}

TEST(LayerTypes, OneObjectForAllIsToldWhereTheClassHasOneForEach) {
  const auto file = [](const std::string& type, const std::string& key) {
    return R"({"model_type": ")" + type + R"(", "hidden_size": 2048, "num_attention_heads": 16,
      "head_dim": 128, "num_hidden_layers": 4, ")" +
           key + R"(": {"rope_type": "linear",
      "factor": 8, "rope_theta": 500000.0}})";
  };
  const std::string said = " reads one object for each layer type, and ignores this one or fails";
  const auto told = [&](const std::string& type, const std::string& key) {
    return warnings_of(file(type, key), key + " is used here, though the class of " + type + said)
        .size();
  };
  for (const std::string type : {"olmo3", "gemma3_text", "modernbert", "gemma4_text"})
    EXPECT_EQ(told(type, "rope_parameters"), 1U) << type;
  EXPECT_EQ(told("gemma4_text", "rope_scaling"), 1U);
  for (const std::string type : {"olmo3", "gemma3_text", "modernbert"})
    EXPECT_EQ(told(type, "rope_scaling"), 0U) << type;
  EXPECT_EQ(told("llama", "rope_parameters"), 0U);
}

TEST(LayerTypes, OneObjectForEachIsToldWhereTheClassHasOneForAll) {
  const std::string said =
      " reads one object for all layers, and ignores these objects or fails: write one object";
  const auto file = [](const std::string& type, const std::string& parameters) {
    return R"({"model_type": ")" + type + R"(", "hidden_size": 2048, "num_attention_heads": 16,
      "head_dim": 128, "num_hidden_layers": 2, "rope_parameters": {)" +
           parameters + "}";
  };
  const std::string one = R"("rope_type": "default", "rope_theta": 10000.0)";
  const std::string each = R"("full_attention": {)" + one + "}, \"sliding_attention\": ";
  const std::string types = R"(, "layer_types": ["full_attention", "sliding_attention"]})";
  const auto told = [&](const std::string& text) { return warnings_of(text, said).size(); };
  for (const std::string type : {"llama", "qwen2", "mistral", "phi3", "gemma2", "cohere2"}) {
    for (const std::string& sliding : {"{" + one + "}", std::string("null")})
      for (const std::string& end : {types, std::string("}")})
        EXPECT_EQ(told(file(type, each + sliding) + end), 1U) << type << sliding << end;
    EXPECT_EQ(told(file(type, one) + types), 0U) << type;
    EXPECT_EQ(told(file(type, each + "null") + R"(, "auto_map": {"A": "b"}})"), 0U) << type;
  }
  for (const std::string type : {"gemma3_text", "modernbert", "olmo3", "laguna", "brand_new"})
    EXPECT_EQ(told(file(type, each + "{" + one + "}") + types), 0U) << type;
}

TEST(Versions, BaseAndParametersOfARuleAreTold) {
  const auto file = [](const std::string& root) {
    return R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64,
      "head_dim": 64, "num_hidden_layers": 4, )" +
           root + R"("rope_parameters": {"rope_type": "yarn", "factor": 4.0, "rope_theta": 77000.0,
      "original_max_position_embeddings": 2048}})";
  };
  warned(file(""), "transformers 4 uses base 150000 instead of 77000, other parameters for yarn" +
                       kBoth + "rope_theta and rope_scaling, each at the root");
  const std::string mended = file(R"("rope_theta": 77000.0, "rope_scaling": {"rope_type": "yarn",
      "factor": 4.0, "original_max_position_embeddings": 2048}, )");
  EXPECT_TRUE(warnings_of(mended, "transformers 4").empty());
  const auto theta = [](const std::string& text, Engine engine) {
    return only_layer(text, {{}, engine}).scaled.frequencies.theta;
  };
  EXPECT_EQ(theta(mended, Engine::hf), theta(file(""), Engine::hf));
  EXPECT_EQ(theta(mended, Engine::hf4), theta(file(""), Engine::hf));
}

TEST(Versions, OfALargerModelThatVersion4HasNotNothingIsTold) {
  for (const std::string type : {"pe_audio", "lighton_ocr", "glm46v", "kimi_vl", "exaone4_5"}) {
    const std::string file = R"({"model_type": ")" + type + R"(", "hidden_size": 2048,
      "num_attention_heads": 16, "head_dim": 128, "rope_parameters": {"rope_type": "default",
      "rope_theta": 77000.0})";
    EXPECT_TRUE(warnings_of(file + "}", "transformers 4").empty()) << type;
    refused(file + "}", "x.json: model_type: expected a type that transformers 4 supports", "",
            {{}, Engine::hf4});
    const std::string own = file + R"(, "auto_map": {"A": "b"}})";
    EXPECT_FALSE(read(own, {{}, Engine::hf4}).layers.empty()) << type;
  }
}

TEST(Versions, NoNumberIsAskedForThatOfAllLayersIsNone) {
  const auto olmo3 = [](const std::string& sliding) {
    return R"({"model_type": "olmo3", "hidden_size": 4096, "num_attention_heads": 32,
      "num_hidden_layers": 4, "rope_theta": 8e6, "rope_parameters": {
      "full_attention": {"rope_type": "default", "rope_theta": 8e6},
      "sliding_attention": {"rope_type": "default", "rope_theta": )" +
           sliding + "}}}";
  };
  warned(olmo3("5e5"), "rope_theta 8000000 at the root is used by older code");
  EXPECT_TRUE(warnings_of(olmo3("5e5"), "write the same number").empty());
  EXPECT_TRUE(warnings(olmo3("8e6")).empty());
}

TEST(Versions, AClassMayHaveAnotherBaseInVersion4) {
  const auto bare = [](const std::string& type) {
    return R"({"model_type": ")" + type + R"(", "hidden_size": 4096, "num_attention_heads": 64,
      "head_dim": 64, "partial_rotary_factor": 0.5})";
  };
  warned(bare("persimmon"), "transformers 4 uses base 25000 instead of 10000");
  EXPECT_EQ(warnings_of(bare("cohere"), "base 10000 instead of 500000").size(), 1U);
  EXPECT_EQ(warnings_of(bare("qwen3_vl_text"), "base 5000000 instead of 500000").size(), 1U);
}

TEST(Versions, WhatBothReadAlikeIsNotToldOf) {
  for (const std::string& text :
       {llama(R"("rope_theta": 500000.0)"),
        llama(R"("rope_theta": 500000.0, "rope_parameters": {"rope_type": "default",
              "rope_theta": 500000.0})"),
        llama(R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000.0})"),
        // Version 4 has no such class.
        std::string(R"({"model_type": "qwen3_5_text", "head_dim": 256, "num_hidden_layers": 4,
          "rope_parameters": {"rope_type": "default", "rope_theta": 1e7,
          "partial_rotary_factor": 0.25}})")})
    EXPECT_TRUE(warnings_of(text, "transformers 4").empty()) << text;
}

TEST(Versions, Version4IsAnEngine) {
  const std::string text = llama(R"("rope_parameters": {"rope_theta": 500000.0})");
  EXPECT_EQ(only_layer(text, {{}, Engine::hf4}).base, 10000);
  refused(R"({"model_type": "qwen3_5_text", "head_dim": 256})",
          "x.json: model_type: expected a type that transformers 4 supports, found 'qwen3_5_text'",
          "Version 5 introduced this type", {{}, Engine::hf4});
}

TEST(Versions, AFractionOfTheClassIsNoneOfTheRoot) {
  for (const std::string type : {"phi", "stablelm", "gpt_neox", "nemotron", "glm4", "qwen3_next",
                                 "bailing_moe_v2", "persimmon", "minimax_m3"})
    EXPECT_TRUE(warnings_of(R"({"model_type": ")" + type + R"(", "hidden_size": 4096,
      "num_attention_heads": 32, "head_dim": 128, "num_hidden_layers": 4, "rope_parameters":
      {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.75}})",
                            "at the root is ignored")
                    .empty())
        << type;
  EXPECT_EQ(warnings_of(phi(R"("partial_rotary_factor": 0.5, "rope_parameters":
    {"rope_theta": 10000.0, "partial_rotary_factor": 0.25})"),
                        "partial_rotary_factor 0.5 at the root is ignored")
                .size(),
            1U);
}

// --- one type, two architectures -----------------------------------------------------------------

std::string baichuan(const std::string& members) {
  return R"({"model_type": "baichuan", "num_attention_heads": 16, )" + members + "}";
}

TEST(Baichuan, IsToldApartByItsKeysAtEverySize) {
  for (const std::string width : {"512", "2048", "5120"})
    unrotated(baichuan(R"("model_max_length": 4096, "hidden_size": )" + width),
              "x.json: model_max_length is present without max_position_embeddings");
  EXPECT_TRUE(only_layer(baichuan(R"("hidden_size": 4096, "max_position_embeddings": 4096,
    "model_max_length": 4096)"))
                  .rotates());
  EXPECT_TRUE(only_layer(baichuan(R"("hidden_size": 2048, "rope_theta": 10000.0)")).rotates());
  EXPECT_TRUE(warnings(baichuan(R"("hidden_size": 2048, "model_max_length": 4096,
    "architectures": ["BaiChuanForCausalLM"])"))
                  .empty());
}

TEST(Baichuan, IsWarnedOfWhereItsKeysDoNotTell) {
  warned(baichuan(R"("hidden_size": 2048)"), "this file does not show which: RoPE is assumed");
  warned(baichuan(R"("hidden_size": 2048, "max_position_embeddings": 4096)"),
         "has a key of 7B, max_position_embeddings, and another width: RoPE is assumed");
  EXPECT_EQ(warnings_of(baichuan(R"("hidden_size": 4096, "model_max_length": 4096)"),
                        "has the keys of 13B and the width of 7B: ALiBi is assumed")
                .size(),
            1U);
}

// --- parts ---------------------------------------------------------------------------------------

TEST(Parts, AllThatRotateAreNamed) {
  const std::string part = R"({"hidden_size": 512, "num_attention_heads": 8, "rope_theta": 1e4})";
  const ModelRope model = read(R"({"model_type": "csm", "hidden_size": 2048,
    "num_attention_heads": 32, "rope_theta": 5e5,
    "codec_config": {"model_type": "mimi"},
    "depth_decoder_config": {"model_type": "csm_depth_decoder_model"}, "inner": {"code2wav_config": )" +
                               part + R"(},
    "encoder_config": {"model_type": "bert", "hidden_size": 512}, "quantization_config": {},
    "vision_config": {"model_type": "glm4v_vision"}})");
  EXPECT_EQ(model.others, (Strings{"codec_config", "depth_decoder_config", "inner.code2wav_config",
                                   "vision_config"}));
  EXPECT_TRUE(notes_hold(model, "other parts that rotate: codec_config, depth_decoder_config, "));
}

TEST(Parts, TheOnesShownAreNotNamedAgain) {
  const std::string qwen = R"({"model_type": "qwen2_5_vl", "vision_config": {"model_type":
    "qwen2_5_vl"}, "text_config": {"model_type": "qwen2_5_vl_text", "hidden_size": 3584,
    "num_attention_heads": 28}})";
  ASSERT_TRUE(read(qwen).vision);
  EXPECT_TRUE(read(qwen).others.empty());
  EXPECT_TRUE(read(llama("")).others.empty());
  EXPECT_EQ(read(R"({"model_type": "qwen2_5_omni", "thinker_config": {"text_config":
    {"model_type": "qwen2_5_omni_text"}}, "talker_config": {"model_type": "qwen2_5_omni_talker"},
    "token2wav_config": {"model_type": "qwen2_5_omni_token2wav", "dit_config":
    {"model_type": "qwen2_5_omni_dit"}}})")
                .others,
            (Strings{"talker_config", "token2wav_config.dit_config"}));
}

TEST(Parts, ThatNameNoTypeAreOfTheClassThatTheWholeMakes) {
  const auto others = [](const std::string& whole, const std::string& vision) {
    return read(R"({"model_type": ")" + whole + R"(", "vision_config": )" + vision +
                R"(, "text_config": {"model_type": "llama", "rope_theta": 1e4}})")
        .others;
  };
  const Strings vision = {"vision_config"};
  for (const char* whole : {"kimi_k25", "kimi_k3", "glm4v", "glm4v_moe"}) {
    EXPECT_EQ(others(whole, R"({"vt_num_attention_heads": 16})"), vision) << whole;
    EXPECT_EQ(others(whole, R"({"model_type": ""})"), vision) << whole;
    EXPECT_EQ(others(whole, R"({"model_type": ")" + std::string(whole) + R"("})"), vision) << whole;
    EXPECT_TRUE(others(whole, R"({"model_type": "clip_vision_model"})").empty()) << whole;
  }
  EXPECT_EQ(others("bailingmm", R"({"model_type": "qwen2_5_vit"})"), vision);
  EXPECT_EQ(others("step3p7", R"({"model_type": "perception_encoder"})"), vision);
  EXPECT_TRUE(
      others("step3p7", R"({"model_type": "perception_encoder", "use_rope2d": false})").empty());
  EXPECT_TRUE(others("lfm2_vl", R"({"hidden_size": 64})").empty());
}

// --- layers --------------------------------------------------------------------------------------

TEST(Schedules, ByEverySpelling) {
  const auto file = [](const std::string& members) {
    return R"({"model_type": "tomorrow", "hidden_size": 256, "num_attention_heads": 4,
      "rope_theta": 10000.0, "rope_interleaved": false, "num_hidden_layers": 8, )" +
           members + "}";
  };
  struct Case {
    std::string members, note;
    std::vector<std::size_t> attending;
  };
  for (const Case& one : std::vector<Case>{
           {R"("attn_layer_indices": [3, 7])", "6 of 8 layers rotate nothing", {3, 7}},
           {R"("attn_layer_idxs": [1])", "7 of 8 layers rotate nothing", {1}},
           {R"("full_attn_idxs": [2, 5])",
            "6 of 8 layers rotate nothing, those with convol",
            {2, 5}},
           {R"("cross_attention_layers": [0, 4])",
            "2 of 8 layers rotate nothing, those with cross-attention, according to "
            "cross_attention_layers: 0, "
            "4",
            {1, 2, 3, 5, 6, 7}},
           {R"("attn_type_list": [0, 0, 0, 1, 0, 0, 0, 1])",
            "6 of 8 layers rotate nothing, those with lightning attention",
            {3, 7}},
           {R"("full_attention_interval": 4)", "6 of 8 layers rotate nothing", {3, 7}},
           {R"("attn_layer_period": 4, "attn_layer_offset": 1)", "6 of 8 layers", {1, 5}},
           {R"("attn_layer_period": 4, "attn_layer_offset": 0)", "6 of 8 layers", {0, 4}},
           {R"("layer_types": ["mamba", "attention", "kda", "attention", "mamba", "attention",
               "mamba", "attention"])",
            "4 of 8 layers rotate nothing: those of type mamba, kda",
            {1, 3, 5, 7}},
           {R"("block_types": ["recurrent", "recurrent", "attention"])",
            "6 of 8 layers rotate nothing: those of type recurrent",
            {2, 5}},
       }) {
    const ModelRope model = read(file(one.members));
    EXPECT_TRUE(notes_hold(model, one.note)) << one.members;
    EXPECT_EQ(model.layers.front().layers, one.attending) << one.members;
  }
  EXPECT_TRUE(notes_hold(read(file(R"("block_configs": [{"attention": {"no_op": true}},
    {"attention": {"n_heads_in_group": 8}}, {"attention": {"replace_with_linear": true}}])")),
                         "2 of 3 layers rotate nothing because they have no attention"));
  for (const std::string broken :
       {R"("attn_layer_indices": [])", R"("attn_layer_indices": "all")",
        R"("attn_layer_indices": [-1])", R"("full_attention_interval": 0)",
        R"("attn_type_list": [1, 1, 1, 1])", R"("num_layers": [2, 2], "n_layer": "all")",
        R"("cross_attention_layers": [99])"})
    EXPECT_TRUE(read(file(broken)).layers.front().layers.empty()) << broken;
}

TEST(Schedules, EveryKindOfLayersHasItsNumbers) {
  using Numbers = std::vector<std::size_t>;
  const std::string gemma = R"({"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6,
    "rope_local_base_freq": 1e4, "num_hidden_layers": 8)";
  const ModelRope usual = read(gemma + "}");
  EXPECT_EQ(layer_of(usual, "full_attention").layers, Numbers{5});
  EXPECT_EQ(layer_of(usual, "sliding_attention").layers, (Numbers{0, 1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(layer_of(read(gemma + R"(, "sliding_window_pattern": 4})"), "full_attention").layers,
            (Numbers{3, 7}));
  const ModelRope deep = read(R"({"model_type": "deepseek_v4", "num_hidden_layers": 4,
    "rope_theta": 1e4, "compress_rope_theta": 1.6e5, "compress_ratios": [0, 4, 128, 0, 4]})");
  EXPECT_EQ(layer_of(deep, "main").layers, (Numbers{0, 3}));
  EXPECT_EQ(layer_of(deep, "compress").layers, (Numbers{1, 2}));
  const std::string every = R"({"model_type": "deepseek_v4", "num_hidden_layers": 3,
    "rope_theta": 1e4, "compress_rope_theta": 1.6e5, "compress_ratios": [128, 4, 128, 0])";
  for (const char* parameters : {"}", R"(, "rope_parameters": {"main": {"rope_theta": 1e4},
                                 "compress": {"rope_theta": 1.6e5}}})"}) {
    const ModelRope deeper = read(every + parameters);
    ASSERT_EQ(deeper.layers.size(), 1U);
    EXPECT_EQ(layer_of(deeper, "compress").layers, (Numbers{0, 1, 2}));
    EXPECT_TRUE(notes_hold(deeper, "no layer has a 0 in compress_ratios: base 10000"));
  }
  const ModelRope modern =
      read(R"({"model_type": "modernbert", "num_hidden_layers": 5, "hidden_size": 768,
    "num_attention_heads": 12, "global_rope_theta": 1.6e5, "local_rope_theta": 1e4})");
  EXPECT_EQ(layer_of(modern, "full_attention").layers, (Numbers{0, 3}));
}

// --- the length that is served -------------------------------------------------------------------

TEST(ServedLength, IsThatOfYarnWhereItIsMore) {
  const auto yarn = [](const std::string& factor) {
    return scaled_llama(R"("rope_type": "yarn", "original_max_position_embeddings": 4096,
      "factor": )" + factor);
  };
  EXPECT_EQ(read(yarn("4.0")).context, 16384);
  warned(yarn("4.0"),
         "factor: 4 times original_max_position_embeddings, 4096, makes 16384 tokens, which is "
         "used as the context, though max_position_embeddings is 4096: write 16384 there");
  EXPECT_EQ(read(yarn("1.0")).context, 4096);
  EXPECT_EQ(preset_model("qwen2.5-7b-yarn").context, 131072);
  EXPECT_EQ(preset_model("qwen3-8b-yarn", {{}, Engine::vllm}).context, 131072);
  EXPECT_EQ(read(yarn("4.0"), {{}, Engine::sglang}).context, 4096);
  EXPECT_EQ(preset_model("deepseek-v3").context, 163840);
  // Of other rules a file does not tell whether its length is that before or after.
  const std::string linear = scaled_llama(R"("rope_type": "linear", "factor": 4.0)");
  EXPECT_EQ(read(linear).context, 4096);
  EXPECT_EQ(read(linear, {{}, Engine::vllm}).context, 16384);
  EXPECT_EQ(read(linear, {{}, Engine::sglang}).context, 16384);
  EXPECT_EQ(read("general.architecture = qwen2\nqwen2.context_length = 32768\n"
                 "qwen2.attention.key_length = 128\nqwen2.rope.freq_base = 1000000\n"
                 "qwen2.rope.scaling.type = yarn\nqwen2.rope.scaling.factor = 4\n"
                 "qwen2.rope.scaling.original_context_length = 32768\n")
                .context,
            131072);
}

// --- keys that some engine reads -----------------------------------------------------------------

TEST(EngineKeys, AreNamedWithWhatTheyChange) {
  warned(scaled_llama(R"("rope_type": "default", "fope_init_factor": 0.5, "fope_sep_head": true,
    "num_inv_freq": null)"),
         "rope_scaling.'fope_init_factor', 'fope_sep_head': vLLM, SGLang and InternS1 Pro's code "
         "mix cos and sin of several frequencies");
  warned(llama(R"("rope_theta": 1e4, "dual_chunk_attention_config": {"chunk_size": 262144})"),
         "'dual_chunk_attention_config': vLLM and SGLang use it to attend in chunks");
  warned(llama(R"("rope_theta": 1e4, "rope_global_base_freq": 1e6)"),
         "'rope_global_base_freq': mlx-vlm uses it as the base of global layers");
  warned(llama(R"("rope_theta": 1e4, "nope_layer_interval": 3)"),
         "'nope_layer_interval': Meta's code for Llama 4 leaves one in every nope_layer_interval "
         "layers unrotated");
  EXPECT_TRUE(warnings(llama(R"("rope_theta": 1e4, "nope_layer_interval": 4)")).empty());
  const std::string evo = R"({"model_type": "yi", "hidden_size": 256, "num_attention_heads": 2,
    "max_seqlen": 8192, "rope_theta": 1e4})";
  EXPECT_TRUE(warnings(evo).empty());
  EXPECT_EQ(read(evo).context, 8192);
}

// --- files that say everything -------------------------------------------------------------------

TEST(OwnFiles, OfStripedHyenaAreRead) {
  const std::string sizes = R"({"model_type": "stripedhyena", "hidden_size": 4096,
    "num_attention_heads": 32, "num_layers": 32, "attn_layer_idxs": [8, 16, 24],
    "max_seqlen": 131072, "rotary_emb_base": 10000, "rotary_emb_scaling_factor": 16,
    "use_interpolated_rotary_pos_emb": )";
  const ModelRope model = read(sizes + "true}");
  EXPECT_EQ(model.layers.front().spec.rule, "linear");
  EXPECT_EQ(model.layers.front().spec.numbers.at("factor"), 16);
  EXPECT_EQ(model.layers.front().head_dim, 128U);
  EXPECT_EQ(model.context, 131072);
  EXPECT_TRUE(notes_hold(model, "29 of 32 layers rotate nothing"));
  EXPECT_TRUE(model.all_warnings().empty());
  warned(sizes + "false}", "rotary_emb_scaling_factor: 16 is ignored");
}

TEST(OwnFiles, OfMambaWithAttentionAreRead) {
  const ModelRope model = read(R"({"d_model": 2560, "n_layer": 64, "attn_layer_idx": [9, 18, 27],
    "attn_cfg": {"head_dim": 128, "num_heads": 30, "rotary_emb_dim": 64}})");
  EXPECT_EQ(model.layers.front().rotary_dim, 64U);
  EXPECT_EQ(model.layers.front().head_dim, 128U);
  EXPECT_TRUE(notes_hold(model, "61 of 64 layers rotate nothing"));
  unrotated(R"({"d_model": 2560, "attn_cfg": {"num_heads": 30, "rotary_emb_dim": 0}})",
            "x.json: attn_cfg.rotary_emb_dim is 0");
  refused(R"({"d_model": 2560, "attn_cfg": {"rotary_emb_dim": 64}})",
          "x.json: attn_cfg.head_dim: expected the size of a head");
  refused(R"({"d_model": 64, "attn_cfg": {"num_heads": 2, "rotary_emb_dim": 64}})",
          "x.json: attn_cfg.rotary_emb_dim: expected at most head_dim, 32");
}

TEST(OwnFiles, OfHunyuanImage3AreRead) {
  const ModelRope model = read(R"({"model_type": "hunyuan_image_3_moe", "attention_head_dim": 128,
    "max_position_embeddings": 22800, "rope_theta": 10000.0, "rope_type": "2d",
    "rope_scaling": {"type": "custom", "factor": 1.0, "alpha": 1.0}})");
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.sections, (std::vector<std::int64_t>{32, 32}));
  EXPECT_EQ(layer.axes.of_pair[0], 0);
  EXPECT_EQ(layer.axes.of_pair[1], 1);
  EXPECT_EQ(layer.axes.names, (Strings{"height", "width"}));
  EXPECT_TRUE(model.all_warnings().empty());
}

TEST(OwnFiles, OfMistralWithYarnAreRead) {
  const auto params = [](const std::string& more) {
    return R"({"dim": 3072, "n_layers": 26, "head_dim": 128, "n_heads": 32, "n_kv_heads": 8,
      "rope_theta": 1000000.0, "norm_eps": 1e-05, "max_position_embeddings": 131072, )" +
           more + R"("yarn": {"original_max_position_embeddings": 16384, "factor": 16,
      "apply_scale": false, "beta": 30, "alpha": 2}})";
  };
  const ModelRope model = read(params(R"("qk_rope_head_dim": null, )"));
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.spec.numbers.at("beta_fast"), 30);
  EXPECT_EQ(layer.spec.numbers.at("beta_slow"), 2);
  EXPECT_EQ(layer.scaled.attention_factor, 1);
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  EXPECT_EQ(layer.head_dim, 128U);
  EXPECT_EQ(model.context, 262144);
  EXPECT_EQ(read(params(R"("qk_rope_head_dim": 64, )")).layers.front().head_dim, 64U);
}

TEST(OwnFiles, ANullKeyIsNone) {
  EXPECT_TRUE(read(R"({"dim": 4096, "n_layers": 32, "n_heads": 32, "norm_eps": 1e-5,
    "rope_theta": 1e4, "yarn": null, "rope_factor": null})")
                  .layers.front()
                  .rotates());
}

std::string transformer(const std::string& name, const std::string& members) {
  return R"({"_class_name": ")" + name + "\"" + (members.empty() ? "" : ", " + members) + "}";
}

std::vector<std::size_t> pairs_of(const LayerRope& layer) {
  std::vector<std::size_t> pairs;
  for (std::size_t axis = 0; axis < layer.axes.count(); ++axis)
    pairs.push_back(layer.axes.pairs_of(axis));
  return pairs;
}

TEST(Transformers, MoreClassesAreRead) {
  using Pairs = std::vector<std::size_t>;
  const LayerRope cog = only_layer(transformer("CogView4Transformer2DModel",
                                               R"("attention_head_dim": 128,
                                               "rope_axes_dim": [256, 256])"));
  EXPECT_EQ(cog.layout, PairLayout::half);
  EXPECT_EQ(pairs_of(cog), (Pairs{32, 32}));
  EXPECT_EQ(pairs_of(only_layer(
                transformer("Kandinsky5Transformer3DModel", R"("axes_dims": [32, 48, 48])"))),
            (Pairs{16, 24, 24}));
  EXPECT_EQ(pairs_of(only_layer(transformer("PRXTransformer2DModel",
                                            R"("axes_dim": [32, 32], "hidden_size": 1792,
                                            "num_heads": 28)"))),
            (Pairs{16, 16}));
  EXPECT_EQ(only_layer(transformer("BriaFiboTransformer2DModel", R"("rope_theta": 5000)")).base,
            5000);
  EXPECT_EQ(pairs_of(only_layer(
                transformer("QwenImage21Transformer2DModel", R"("axes_dims_rope": [16, 56, 56])"))),
            (Pairs{8, 28, 28}));
  const LayerRope ace = only_layer(transformer("AceStepTransformer1DModel", ""));
  EXPECT_EQ(ace.base, 1e6);
  EXPECT_EQ(ace.head_dim, 128U);
  const LayerRope omni = only_layer(transformer("OmniGenTransformer2DModel",
                                                R"("hidden_size": 128, "num_attention_heads": 32,
      "rope_base": 20000, "rope_scaling": {"type": "su", "short_factor": [1, 1],
      "long_factor": [2, 3]})"));
  EXPECT_EQ(omni.spec.rule, "longrope");
  EXPECT_EQ(omni.base, 20000);
}

TEST(Transformers, ThatATrainerRenamedAreRead) {
  for (const auto& [name, known] : std::vector<std::pair<std::string, std::string>>{
           {"FluxModel", "FluxTransformer2DModel"},
           {"WanModel2_2", "WanModel"},
           {"HunyuanVideoModel", "HunyuanVideoTransformer3DModel"}}) {
    const ModelRope model = read(transformer(name, R"("model_type": "renamed",
      "architectures": ["Renamed"], "attention_head_dim": 128)"));
    EXPECT_TRUE(model.layers.front().axes.several()) << name;
    EXPECT_TRUE(notes_hold(model, "read as " + known)) << name;
  }
}

TEST(Transformers, OfUnknownClassesAreRefusedWithTheirOwnAxes) {
  refused(transformer("NewTransformer2DModel", R"("axes_dim": [20, 22, 22])"),
          "x.json: _class_name: expected a transformer whose axes are known, found "
          "'NewTransformer2DModel'",
          "--axes 20,22,22 (from axes_dim) gives");
  refused(transformer("NewTransformer2DModel",
                      R"("model_type": "new", "architectures": ["New"], "axes_dim": [32, 32])"),
          "x.json: _class_name", "--axes 32,32 (from axes_dim) gives");
  refused(transformer("NewTransformer2DModel", R"("axes_dim": "many")"), "x.json: _class_name",
          "--axes D,D");
  refused(transformer("NewTransformer2DModel", R"("model_type": "new_one")"),
          "x.json: expected a key that shows a rotary embedding, such as rope_theta or "
          "rope_parameters, because _class_name 'NewTransformer2DModel' is not known");
}

TEST(Transformers, WithoutANameAreKnownByAKeyThatTheirClassAloneHas) {
  const std::string axes = R"({"attention_head_dim": 8, "axes_dims_rope": [4, 2, 2],
    "rope_theta": 1000.0)";
  const LayerRope krea = only_layer(axes + R"(, "num_layerwise_text_blocks": 1})");
  EXPECT_EQ(krea.axes.names.at(0), "index");
  EXPECT_EQ(krea.base, 1000);
  refused(axes + "}",
          "x.json: _class_name: expected a transformer whose axes are known, found nothing",
          "--axes 4,2,2 (from axes_dims_rope) gives");
}

// --- texts that are so ---------------------------------------------------------------------------

TEST(Texts, NameTheKeyThatGivesTheBase) {
  warned(R"({"model_type": "gemma3n_text", "head_dim": 32, "rope_theta": 1e3,
    "rope_local_base_freq": 1.0})",
         "x.json: rope_local_base_freq is 1, so all pairs turn at the same rate");
  refused(R"({"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 4,
    "rotary_pct": 1.0, "rotary_emb_base": 0})",
          "x.json: rotary_emb_base: expected a number above 0, found 0");
}

TEST(Texts, ShortenNumbersOfLayersToWhatCanBeTold) {
  const auto blocks = [](const std::vector<int>& without) {
    std::string list;
    for (int i = 0; i < 80; ++i)
      list += std::string(i == 0 ? "" : ", ") + R"({"attention": {"no_op": )" +
              (std::ranges::count(without, i) > 0 ? "true}}" : "false}}");
    return read(yi(R"("rope_theta": 1e4, "block_configs": [)" + list + "]"));
  };
  EXPECT_TRUE(notes_hold(blocks({6, 7, 11, 42, 43, 44, 70}), ": 6, 7, 11, 42, …, 70"));
  EXPECT_TRUE(notes_hold(blocks({3, 7, 11, 15, 19, 23, 27}), ": 3, 7, 11, 15 … 27"));
}

TEST(Texts, SayOnlyWhatTheFileShows) {
  refused(R"({"model_type": "janussiglip_encoder", "patch_size": 16, "image_size": 384})",
          "x.json: patch_size: expected a text model",
          "No key shows whether this model rotates: some models add a position");
  refused(R"({"model_type": "tomorrow", "attention_config": {"rotary_emb_size": 64}})",
          "x.json: expected a key that shows a rotary embedding",
          "Nothing shows that this model rotates");
  EXPECT_NE(test::refusal([] {
              read(R"({"model_type": "tomorrow", "attention_config": {"rotary_emb_size": 64}})");
            }).find("'attention_config.rotary_emb_size'"),
            std::string::npos);
  EXPECT_TRUE(notes_hold(read(R"({"model_type": "wav2vec2-conformer", "hidden_size": 1024,
    "num_attention_heads": 16, "position_embeddings_type": "rotary"})"),
                         "a score depends on both positions, not only on their distance"));
}

}  // namespace
}  // namespace rope::test
