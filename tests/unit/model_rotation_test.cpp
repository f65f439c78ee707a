// No report without a sign that the model rotates: what is made of defaults alone is not known.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "rope/model/known_models.hpp"
#include "support/outcome.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// Sizes of every spelling, so that nothing but the rotation can be missing.
std::string config(const std::string& type, const std::string& members = "") {
  return R"({"model_type": ")" + type +
         R"(", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 512)" +
         (members.empty() ? "" : ", " + members) + "}";
}

/// A file of a type that is not known, with these members.
std::string unknown(const std::string& members) { return config("brand_new", members); }

TEST(Rotation, IsNotMadeOfDefaultsForTypesThatAreNotKnown) {
  for (const char* type : {"some_model_of_tomorrow", "xlm_rotary", "bert_of_ours"}) {
    ASSERT_EQ(find_known_model(type), nullptr) << type;
    refused(config(type), "x.json: expected a key that shows a rotary embedding",
            "Nothing shows that this model rotates");
    refused(R"({"model_type": "outer", "text_config": )" + config(type) + "}",
            "x.json: text_config: expected a key that shows a rotary embedding");
  }
  for (const char* type :
       {"clip_text_model", "siglip_text_model", "siglip2", "vit", "wav2vec2", "gated_deltanet",
        "rwkv7", "hubert", "swin", "convnext", "deit", "beit", "xlm", "rembert", "inkling_text"}) {
    ASSERT_EQ(find_known_model(type), nullptr) << type;
    const std::string why = "the code of model_type '" + std::string(type) + "' rotates nothing";
    unrotated(config(type), why);
    unrotated(R"({"model_type": "outer", "text_config": )" + config(type) + "}", why);
  }
  refused(R"({"hidden_size": 768, "num_attention_heads": 12})",
          "x.json: expected a key that shows a rotary embedding, such as rope_theta or "
          "rope_parameters, because model_type is missing, found no such key");
}

TEST(Rotation, IsShownByEachOfItsKeys) {
  for (const char* member :
       {R"("rope_theta": 1e4)", R"("rope_scaling": null)",
        R"("rope_scaling": {"rope_type": "linear", "factor": 2.0})",
        R"("rope_parameters": {"rope_theta": 1e4})", R"("rotary_pct": 0.25)", R"("rotary_dim": 32)",
        R"("partial_rotary_factor": 0.5)", R"("rotary_emb_base": 1e4)",
        R"("global_rope_theta": 1e4, "local_rope_theta": 1e4)", R"("rope_ratio": 2)",
        R"("qk_rope_head_dim": 64)", R"("position_embedding_type": "rotary")",
        R"("position_embedding_type": "rope")", R"("position_embeddings_type": "rotary")",
        R"("use_rope": true)", R"("rotary": true)", R"("attn_config": {"rope_theta": 1e4})",
        R"("attn_config": {"rope": true, "rope_theta": 1e4})"})
    EXPECT_TRUE(read(unknown(member)).layers.front().rotates()) << member;
}

TEST(Rotation, IsDeniedByWhatSaysSoWhateverElseIsThere) {
  const std::string keys = R"(, "rope_theta": 1e4, "rope_scaling": null)";
  for (const char* member :
       {R"("mla_use_nope": true, "qk_rope_head_dim": 64)", R"("position_embedding_type": "nope")",
        R"("position_embedding_type": "none")", R"("position_embedding_type": "alibi")",
        R"("position_embedding_type": "learned_absolute")", R"("use_rope": false)",
        R"("use_mem_rope": false)", R"("rotary": false)", R"("use_alibi": true)",
        R"("alibi": true)", R"("block_position_encoding": true)"}) {
    unrotated(unknown(member), "x.json: ");
    unrotated(unknown(member + keys), "x.json: ");
  }
  for (const char* type : {"nemotron_h", "jamba", "kimi_linear"})
    unrotated(config(type, R"("rope_theta": 1e4, "partial_rotary_factor": 1.0)"),
              "the code of model_type");
}

TEST(Rotation, OfSomeTypesIsAskedForByAKey) {
  for (const auto& [type, key] : {std::pair{"esm", "position_embedding_type"},
                                  std::pair{"granitemoehybrid", "position_embedding_type"},
                                  std::pair{"wav2vec2-conformer", "position_embeddings_type"}}) {
    unrotated(config(type), "x.json: " + std::string(key) + " is missing");
    unrotated(config(type, "\"" + std::string(key) + R"(": "absolute", "rope_theta": 1e4)"),
              "x.json: " + std::string(key) + " is 'absolute'");
    EXPECT_EQ(only_layer(config(type, "\"" + std::string(key) + R"(": "rotary")")).rotary_dim, 64U);
  }
  unrotated(config("zamba2", R"("rope_theta": 1e4)"), "x.json: use_mem_rope is not true");
  EXPECT_EQ(only_layer(config("zamba2", R"("use_mem_rope": true)")).head_dim, 128U);
  unrotated(config("olmo_hybrid", R"("rope_parameters": {"rope_theta": null})"),
            "x.json: rope_parameters is without a base");
  EXPECT_EQ(only_layer(config("olmo_hybrid", R"("rope_parameters": null)")).base, 1e4);
}

TEST(Rotation, OfATypeWithoutOneIsThatOfTheFilesOwnCode) {
  const std::string keys = R"("rotary_base": 500, "rotary_dim": 32)";
  const LayerRope gena =
      only_layer(config("bert", R"("position_embedding_type": "rotary", )" + keys));
  EXPECT_EQ(gena.rotary_dim, 32U);
  EXPECT_EQ(gena.base, 500);
  ASSERT_EQ(gena.layout, PairLayout::half);
  warned(config("bert", R"("position_embedding_type": "rotary", )" + keys),
         "the class of model_type 'bert' rotates nothing, and no other key");
  EXPECT_EQ(only_layer(config("bert", R"("auto_map": {"AutoModel": "own.py"}, )" + keys)).base,
            500);
  EXPECT_EQ(
      only_layer(config("gpt2", R"("position_embedding_type": "rope", "rope_base": 1e6)")).base,
      1e6);
  EXPECT_TRUE(warnings(config("bert", R"("rope_scaling": null)")).empty());
  for (const std::string& stray : {keys, std::string(R"("rope_theta": 1e4)")}) {
    unrotated(config("mamba", stray), "the code of model_type 'mamba'");
    warned(config("mamba", stray),
           ": ignored, because the code of model_type 'mamba' rotates nothing");
  }
}

TEST(Rotation, OfTypesThatBringTheirCodeIsAsItHasIt) {
  const LayerRope moss = only_layer(config("moss", R"("rotary_dim": 32)"));
  EXPECT_EQ(moss.layout, PairLayout::interleaved);
  EXPECT_EQ(moss.rotary_dim, 32U);
  EXPECT_EQ(only_layer(config("openelm", R"("rope_freq_constant": 500)")).base, 500);
  for (const char* type : {"minicpmv", "minicpmo", "phi4mm", "molmo", "PanguEmbedded"})
    EXPECT_TRUE(warnings(config(type, R"("rope_theta": 1e4)")).empty()) << type;
}

TEST(Rotation, ByKeysOfOtherCodeIsRefusedNotDenied) {
  refused(unknown(R"("rope": false, "yarn": true)"),
          "x.json: yarn: expected false, because rope is false");
  refused(config("nomic_bert", R"("rotary_emb_fraction": 0, "use_rotary_pos_emb": true)"),
          "x.json: use_rotary_pos_emb: expected a rotation by positions in a text");
  unrotated(config("nomic_bert", R"("rotary_emb_fraction": 0)"),
            "x.json: rotary_emb_fraction is 0");
  refused(config("abc", R"("attn": {"layers": [1, 3], "rope_theta": 1e4})"),
          "x.json: attn.layers: expected a model without attention");
  refused(R"({"model_type": "blip-2", "text_config": "facebook/opt-2.7b"})",
          "x.json: text_config: expected the parameters of the text model, found the name");
}

TEST(Rotation, OfTheTextModelIsFoundUnderOtherNames) {
  const std::string llama = R"({"model_type": "llama", "hidden_size": 2560,
      "num_attention_heads": 20, "rope_theta": 1e4, "max_position_embeddings": 4096})";
  EXPECT_EQ(
      only_layer(R"({"model_type": "llava_llama", "hidden_size": 2560, "llm_cfg": )" + llama + "}")
          .head_dim,
      128U);
  EXPECT_EQ(only_layer(R"({"model_type": "infimm", "language": )" + llama + "}").head_dim, 128U);
  unrotated(R"({"model_type": "florence2", "text_config": {"model_type": "florence2_language"}})",
            "the code of model_type 'florence2_language'");
}

TEST(Rotation, IsOfTheKeyThatTheClassReads) {
  const std::string rotary =
      R"("position_embeddings_type": "rotary", "rotary_embedding_base": 5000)";
  EXPECT_EQ(only_layer(config("wav2vec2-conformer", rotary)).base, 5000);
  EXPECT_TRUE(warnings(config("wav2vec2-bert", rotary)).empty());
  warned(config("wav2vec2-bert", R"("position_embeddings_type": "rotary", "rope_theta": 1e6)"),
         "reads rotary_embedding_base");
  warned(config("llama", R"("rotary_base": 5e5)"),
         "rotary_base is ignored: the class of llama does not read it");
  warned(config("llama", R"("rope_pct": 0.5)"), "rope_pct is ignored");
  EXPECT_EQ(only_layer(config("llama", R"("rope_pct": 0.5)")).rotary_dim, 64U);
  EXPECT_EQ(
      only_layer(config("stablelm_epoch", R"("rope_theta": 1e4, "rope_pct": 0.5)")).rotary_dim,
      32U);
  EXPECT_EQ(only_layer(config("bailing_moe_v2", R"("rope_theta": 1e4)")).rotary_dim, 32U);
  EXPECT_EQ(only_layer(config("ernie4_5", R"("head_dim": null)")).head_dim, 64U);
  EXPECT_EQ(only_layer(config("ernie4_5")).head_dim, 128U);
}

TEST(Rotation, IsThatOfTheClassWhereTheTypeSaysNothing) {
  const std::string sizes = R"("hidden_size": 512, "num_attention_heads": 8})";
  const ModelRope cohere = read(R"({"architectures": ["CohereForCausalLM"], )" + sizes);
  EXPECT_EQ(cohere.layers.front().layout, PairLayout::interleaved);
  EXPECT_EQ(cohere.layers.front().base, 5e5);
  EXPECT_EQ(cohere.notes.front(),
            "read as cohere, because architectures names 'CohereForCausalLM'");
  EXPECT_EQ(only_layer(R"({"architectures": ["GPTNeoXForCausalLM"], )" + sizes).rotary_dim, 16U);
  unrotated(R"({"architectures": ["BertForMaskedLM"], )" + sizes, "the code of model_type 'bert'");
  unrotated(R"({"architectures": ["XLMRobertaModel"], )" + sizes, "the code of model_type");
  refused(R"({"architectures": ["BrandNewForCausalLM"], )" + sizes,
          "x.json: expected a key that shows a rotary embedding");
}

TEST(Rotation, IsDeniedByAnotherKindOfPositionsUnlessRotaryKeysContradict) {
  for (const char* kind : {"absolute", "relative_key", "relative_key_query", "learned", "sincos"}) {
    const std::string member = R"("position_embedding_type": ")" + std::string(kind) + '"';
    unrotated(unknown(member), "x.json: position_embedding_type is '" + std::string(kind) + '\'');
    const Strings all = warnings(unknown(member + R"(, "global_rope_theta": 1.6e5,
      "local_rope_theta": 1e4)"));
    EXPECT_NE(all.front().find("check the model's code"), std::string::npos) << all.front();
    // The code of a known type rotates, whatever its class was made from, which BERT's kinds tell.
    const bool of_bert =
        std::string(kind) == "absolute" || std::string(kind).starts_with("relative");
    const Strings known = warnings(config("modernbert", member));
    EXPECT_EQ(std::ranges::count_if(known,
                                    [](const std::string& said) {
                                      return said.find("position_embedding_type is ignored") !=
                                             std::string::npos;
                                    }),
              of_bert ? 0 : 1)
        << kind;
  }
}

TEST(Rotation, KeysThatSoundRotaryAndAreNotKnownAreNamed) {
  for (const char* key : {"my_rope_theta", "my_rotary_base", "rope_only_types", "use_hf_rope",
                          "rope_wonder", "mrope_thing"}) {
    const std::string member = '"' + std::string(key) + "\": 1";
    refused(unknown(member),
            "x.json: expected a key that shows a rotary embedding, such as rope_theta or "
            "rope_parameters, because model_type 'brand_new' is not known, found no such key that "
            "rope knows, only '" +
                std::string(key) + "'");
    warned(llama(R"("rope_theta": 1e4, )" + member), "'" + std::string(key) + "' is not a key");
  }
  // Words that hold the letters by chance.
  for (const char* key : {"properties", "europe_weight", "hidden_dropout_prob", "denoprox"})
    EXPECT_TRUE(warnings(llama(R"("rope_theta": 1e4, ")" + std::string(key) + "\": 1")).empty());
  refused(unknown(R"("rope_tehta": 5e5)"), "x.json: expected a key that shows a rotary embedding");
  EXPECT_NE(test::refusal([] {
              read(unknown(R"("rope_tehta": 5e5)"));
            }).find("looks like a misspelling of rope_theta"),
            std::string::npos);
}

TEST(Rotation, OfArchitecturesInGgufFilesNeedsASignToo) {
  const auto keys = [](const std::string& arch, const std::string& more) {
    return "general.architecture = " + arch + "\n" + arch + ".embedding_length = 768\n" + arch +
           ".attention.head_count = 12\n" + more;
  };
  for (const char* arch : {"tomorrow", "of-next-year"}) {
    refused(keys(arch, ""), "x.json: expected a key that shows a rotary embedding, such as " +
                                std::string(arch) + ".rope.freq_base");
    EXPECT_TRUE(
        read(keys(arch, std::string(arch) + ".rope.freq_base = 10000\n")).layers.front().rotates());
  }
  EXPECT_TRUE(read(keys("gemma", "")).layers.front().rotates());
}

TEST(Rotation, InGgufFilesMayHideInTensorsThatAreNotListed) {
  const std::string sizes =
      "general.architecture = llama\nllama.embedding_length = 4096\n"
      "llama.attention.head_count = 32\nllama.rope.freq_base = 500000\n";
  warned(sizes + "llama.context_length = 131072\n", "files of Llama 3.1 and later");
  EXPECT_TRUE(warnings(sizes + "llama.context_length = 8192\n").empty());
  const std::string phi =
      "general.architecture = phi3\nphi3.embedding_length = 3072\n"
      "phi3.attention.head_count = 24\nphi3.rope.freq_base = 10000\n"
      "phi3.context_length = 131072\n";
  EXPECT_TRUE(warnings(phi).empty());
  EXPECT_NE(warnings(phi + "phi3.rope.scaling.original_context_length = 4096\n")
                .front()
                .find("LongRoPE's divisors in tensors"),
            std::string::npos);
  const ModelRope gemma = read(
      "general.architecture = gemma3\ngemma3.attention.key_length = 256\n"
      "gemma3.rope.freq_base = 1000000\n");
  EXPECT_EQ(layer_of(gemma, "full_attention").base, 1e6);
  EXPECT_EQ(layer_of(gemma, "sliding_attention").base, 1e4);
}

TEST(Rotation, OfOllamasJsonIsThatOfTheKeys) {
  const std::string keys = R"({"general.architecture": "qwen2", "qwen2.embedding_length": 3584,
      "qwen2.attention.head_count": 28, "qwen2.rope.freq_base": 1e6, "tokenizer.x": null})";
  for (const std::string& text : {keys, R"({"license": "", "model_info": )" + keys + "}"}) {
    const LayerRope layer = only_layer(text);
    EXPECT_EQ(layer.head_dim, 128U);
    EXPECT_EQ(layer.base, 1e6);
    EXPECT_EQ(layer.layout, PairLayout::half);
  }
}

// --- params.json -------------------------------------------------------------------------------

std::string params(const std::string& members) {
  return R"({"dim": 4096, "n_heads": 32)" + (members.empty() ? "" : ", " + members) + "}";
}

TEST(Params, OfLlamaAreThoseWithLlamasKeys) {
  const ModelRope llama2 =
      read(params(R"("multiple_of": 256, "n_layers": 32, "norm_eps": 1e-5, "vocab_size": -1)"));
  EXPECT_EQ(llama2.model_type, "llama");
  EXPECT_EQ(llama2.layers.front().layout, PairLayout::interleaved);
  const std::string strange = R"("img_id": 5, "channel_size": 3)";
  refused(params(strange), "x.json: expected the params.json of a Llama model, or rope_theta");
  const ModelRope other = read(params(strange + R"(, "rope_theta": 5e5)"));
  EXPECT_EQ(other.model_type, "");
  ASSERT_EQ(other.warnings.size(), 1U);
  std::string many = R"("rope_theta": 5e5)";
  for (int i = 0; i < 20; ++i) many += ", \"key_" + std::to_string(i) + "\": 1";
  EXPECT_NE(read(params(many)).warnings[0].find("'key_7' and 12 more: not among the keys"),
            std::string::npos);
  EXPECT_NE(other.warnings[0].find("'img_id', 'channel_size'"), std::string::npos);
}

TEST(Params, AreNoFileOfAnotherLibrary) {
  const std::string sizes = R"(, "dim": 768, "n_heads": 12, "n_layers": 6})";
  unrotated(R"({"model_type": "distilbert")" + sizes, "the code of model_type 'distilbert'");
  unrotated(R"({"architectures": ["DistilBertForMaskedLM"])" + sizes,
            "the code of model_type 'distilbert'");
  refused(R"({"_class_name": "BrandNewTransformer2DModel", "rope_theta": 256.0)" + sizes,
          "x.json: _class_name: expected a transformer whose axes are known");
  const LayerRope typed =
      only_layer(R"({"model_type": "llama", "norm_eps": 1e-5, "rope_theta": 5e5)" + sizes);
  EXPECT_EQ(typed.layout, PairLayout::interleaved);
  EXPECT_EQ(typed.base, 5e5);
  const std::string perception = R"("rope_theta": 1e4, "head_dim": 128)" + sizes;
  refused(R"({"model_type": "falcon_perception", )" + perception,
          "x.json: model_type: expected a rotation by positions in a text");
  refused(R"({"spatial_patch_size": 16, )" + perception,
          "x.json: spatial_patch_size: expected the params.json of a text model");
}

TEST(Params, WithRotaryKeysOfOtherCodeAreRefusedByName) {
  for (const char* key : {"local_rope_theta", "rope_head_dim", "compress_rope_theta", "yarn",
                          "short_factor", "beta_fast", "original_seq_len", "rope_factor",
                          "original_max_position_embeddings", "rotary_wonder"})
    refused(params(R"("rope_theta": 1e4, ")" + std::string(key) + "\": 1"),
            "x.json: expected only the rotary keys of Llama's params.json, found '" +
                std::string(key) + "'");
  refused(params(R"("qk_rope_head_dim": 64, "compress_rope_theta": 16e4)"),
          "x.json: expected only the rotary keys of DeepSeek's inference code");
}

TEST(Params, OfExecuTorchPairHalvesAndRotateAPart) {
  const LayerRope phi =
      only_layer(params(R"("rope_theta": 1e4, "use_hf_rope": true, "partial_rotary_factor": 0.75,
                           "use_scaled_rope": false, "attention_qkv_bias": false)"));
  EXPECT_EQ(phi.layout, PairLayout::half);
  EXPECT_EQ(phi.rotary_dim, 96U);
  EXPECT_TRUE(phi.warnings.empty());
  EXPECT_EQ(only_layer(params(R"("rope_freq_base": 1e6, "use_hf_rope": false)")).base, 1e6);
  const LayerRope codegen =
      only_layer(params(R"("use_hf_rope": true, "partial_rotary_factor": 0.5, "bos_idx": 1)"));
  EXPECT_EQ(codegen.base, 1e4);
  EXPECT_EQ(codegen.rotary_dim, 64U);
  EXPECT_EQ(read(params(R"("use_hf_rope": false, "no_rope_layer_interval": 4)")).notes.back(),
            "one layer in every 4 rotates nothing (NoPE), according to no_rope_layer_interval");
  EXPECT_EQ(only_layer(params(R"("rope_theta": 5e5, "use_scaled_rope": true,
                                 "rope_scale_factor": 32)"))
                .spec.numbers.at("factor"),
            32);
}

TEST(Params, OfExecuTorchHaveWindowsAndLongRopeToo) {
  const ModelRope gemma = read(params(R"("head_dim": 256, "use_hf_rope": true, "rope_theta": 1e6,
      "local_rope_theta": 1e4, "sliding_window": 512, "layer_types": ["sliding_attention"])"));
  EXPECT_EQ(layer_of(gemma, "full_attention").base, 1e6);
  EXPECT_EQ(layer_of(gemma, "sliding_attention").base, 1e4);
  EXPECT_EQ(layer_of(gemma, "sliding_attention").window, 512);
  EXPECT_TRUE(gemma.all_warnings().empty());
  const std::string factors = "[" + std::string("1.0, 2.0, 4.0, 8.0") + "]";
  const LayerRope phi = only_layer(
      R"({"dim": 32, "n_heads": 4, "use_hf_rope": true, "rope_theta": 1e4,
          "max_position_embeddings": 131072, "original_max_position_embeddings": 4096,
          "rope_scaling_short_factor": [1.0, 1.0, 1.0, 1.0],
          "rope_scaling_long_factor": )" +
          factors + "}",
      {.seq_len = 131072});
  EXPECT_EQ(phi.rope_type, "longrope");
  EXPECT_NEAR(phi.scaled.frequencies.theta[3], 1e-3 / 8, 1e-18);
  EXPECT_NEAR(phi.scaled.attention_factor, std::sqrt(1 + std::log(32) / std::log(4096)), 1e-12);
}

TEST(Params, OfMixtralHaveItsBase) {
  warned(params(R"("moe": {"num_experts": 8})"), "rope_theta is missing, so 1000000, Mixtral's");
  EXPECT_EQ(only_layer(params(R"("moe": {"num_experts": 8})")).base, 1e6);
  EXPECT_EQ(only_layer(params("")).base, 1e4);
}

TEST(Params, OfDeepSeekV4AreThoseOfItsConfig) {
  const ModelRope own = read(R"({"dim": 4096, "n_heads": 64, "head_dim": 512, "rope_head_dim": 64,
      "rope_theta": 10000, "compress_rope_theta": 160000, "original_seq_len": 65536,
      "rope_factor": 16, "beta_fast": 32, "beta_slow": 1, "compress_ratios": [0, 4, 128]})");
  const ModelRope config = read(R"({"model_type": "deepseek_v4", "head_dim": 512,
      "qk_rope_head_dim": 64, "rope_theta": 10000, "compress_rope_theta": 160000,
      "max_position_embeddings": 1048576, "rope_scaling": {"type": "yarn", "factor": 16,
      "beta_fast": 32, "beta_slow": 1, "original_max_position_embeddings": 65536}})");
  EXPECT_EQ(own.context, 1048576);
  for (const char* name : {"main", "compress"}) {
    EXPECT_EQ(layer_of(own, name).scaled.frequencies.theta,
              layer_of(config, name).scaled.frequencies.theta);
    EXPECT_EQ(layer_of(own, name).rotary_dim, 64U);
  }
}

/// Its config_671B.json says little more than qk_rope_head_dim; config_16B.json also mscale. The
/// preset of the same model is read from the other file that DeepSeek publishes.
TEST(Params, OfDeepSeeksInferenceCodeAgreeWithItsConfig) {
  const std::string sizes = R"({"dim": 7168, "n_heads": 128, "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64, "v_head_dim": 128, "n_layers": 61, "score_func": "sigmoid")";
  const LayerRope config = only_layer(R"({"model_type": "deepseek_v3", "qk_rope_head_dim": 64,
    "max_position_embeddings": 163840, "rope_theta": 10000, "rope_scaling": {"type": "yarn",
    "factor": 40, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 4096}})");
  const std::string written = R"(, "rope_theta": 10000, "rope_factor": 40, "beta_fast": 32,
    "beta_slow": 1, "original_seq_len": 4096, "max_seq_len": 16384, "mscale": 1.0})";
  for (const std::string& text : {sizes + "}", sizes + written}) {
    const LayerRope layer = only_layer(text);
    EXPECT_EQ(layer.scaled.frequencies.theta, config.scaled.frequencies.theta) << text;
    EXPECT_EQ(layer.scaled.attention_factor, 1);
    EXPECT_EQ(layer.softmax_factor, config.softmax_factor);
    EXPECT_EQ(layer.head_dim, 64U);
    EXPECT_EQ(layer.layout, PairLayout::interleaved);
  }
  EXPECT_TRUE(warnings(sizes + written).empty());
  warned(sizes + "}", "the defaults of DeepSeek's inference code are used: rope_theta 10000");
  const double magnitude = 0.1 * 0.707 * std::log(40) + 1;
  EXPECT_EQ(only_layer(sizes + R"(, "mscale": 0.707})").softmax_factor, magnitude * magnitude);
  const LayerRope plain = only_layer(sizes + R"(, "max_seq_len": 4096})");
  EXPECT_EQ(plain.rope_type, "default");
  EXPECT_EQ(plain.softmax_factor, 1);
}

// --- Gemma 4 -----------------------------------------------------------------------------------

constexpr const char* kGemma4 = R"("layer_types": ["sliding_attention", "full_attention"],
  "rope_parameters": {
    "full_attention": {"partial_rotary_factor": 0.25, "rope_theta": 1e6,
                       "rope_type": "proportional"},
    "sliding_attention": {"rope_theta": 1e4, "rope_type": "default"}})";

TEST(Gemma4, HasLargerHeadsInFullAttention) {
  const std::string given = R"({"model_type": "gemma4_text", "head_dim": 256, )";
  for (const std::string& text :
       {given + R"("global_head_dim": 512, )" + kGemma4 + "}", given + kGemma4 + "}",
        std::string(R"({"model_type": "gemma4_text", "hidden_size": 2304})")}) {
    const ModelRope model = read(text);
    ASSERT_EQ(model.layers.size(), 2U) << text;
    const LayerRope& full = layer_of(model, "full_attention");
    EXPECT_EQ(full.head_dim, 512U);
    const std::vector<double>& theta = full.scaled.frequencies.theta;
    ASSERT_EQ(theta.size(), 256U);
    // 1e6^(-2i/512) for the 64 pairs that turn, by another route.
    for (std::size_t k = 0; k < theta.size(); ++k) {
      if (k < 64)
        EXPECT_NEAR(theta[k], std::pow(10.0, -6 * static_cast<double>(k) / 256), 1e-15) << k;
      else
        EXPECT_EQ(theta[k], 0) << k;
    }
    const LayerRope& window = layer_of(model, "sliding_attention");
    EXPECT_EQ(window.head_dim, 256U);
    EXPECT_EQ(window.base, 1e4);
    EXPECT_EQ(window.scaled.frequencies.pairs(), 128U);
  }
  warned(given + kGemma4 + "}", "global_head_dim is missing, so 512");
  EXPECT_TRUE(warnings(given + R"("global_head_dim": 512, )" + kGemma4 + "}").empty());
}

TEST(Gemma4, KeepsItsHeadsWhereTheFileSaysThatTheyAreAlike) {
  const ModelRope model = read(
      std::string(R"({"model_type": "gemma4_text", "head_dim": 256, "global_head_dim": null, )") +
      kGemma4 + "}");
  EXPECT_EQ(layer_of(model, "full_attention").head_dim, 256U);
}

TEST(Rotation, OfAnImageIsNotShownAsThatOfAText) {
  for (const char* type : {"glm4v_vision", "sam2_video"})
    refused(config(type, R"("rope_theta": 1e4)"),
            "x.json: model_type: expected a rotation by positions in a text",
            "give the whole config.json");
  for (const char* type : {"pixtral", "dinov3_vit", "llama4_vision_model"})
    refused(R"({"text_config": )" + config(type, R"("rope_theta": 1e4)") + "}",
            "x.json: text_config.model_type: expected a rotation by positions in a text",
            "give the whole config.json");
}

TEST(Rotation, OverPatchesIsNotShownAsThatOfAText) {
  const std::string patches = R"("rope_theta": 100.0, "patch_size": 16)";
  for (const char* type : {"dinov3", "idefics3", "brand_new"})
    refused(config(type, patches), "x.json: patch_size: expected a text model",
            "give the whole config.json");
  EXPECT_TRUE(read(unknown(patches + R"(, "vocab_size": 100)")).layers.front().rotates());
  EXPECT_TRUE(read(config("llama", patches)).layers.front().rotates());
}

TEST(Rotation, OverTwoPositionsATokenIsNotShownAsOverOne) {
  refused(
      config("glm_of_others", R"("position_encoding_2d": true, "max_sequence_length": 2048)"),
      "x.json: position_encoding_2d: expected one position per token, found true, which means two",
      "Each position turns half of each head, which");
}

TEST(Rotation, OfBaichuanIsThatOfItsSize) {
  const auto of_size = [](const std::string& hidden, const std::string& heads) {
    return R"({"model_type": "baichuan", "hidden_size": )" + hidden +
           R"(, "num_attention_heads": )" + heads + R"(, "max_position_embeddings": 4096})";
  };
  EXPECT_TRUE(read(of_size("4096", "32")).layers.front().rotates());
  unrotated(of_size("5120", "40"), "x.json: hidden_size is 5120, as in Baichuan 13B");
}

}  // namespace
}  // namespace rope::test
