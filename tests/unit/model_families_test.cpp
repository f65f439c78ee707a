// Models whose code reads keys of its own: what a file of each means, by the parts of real ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rope/model/families/family.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// θ_i = base^(−2i/r), in long double.
std::vector<double> series(long double base, std::size_t r) {
  std::vector<double> theta;
  for (std::size_t j = 0; j < r; j += 2)
    theta.push_back(static_cast<double>(
        std::pow(base, -static_cast<long double>(j) / static_cast<long double>(r))));
  return theta;
}

void has_series(const LayerRope& layer, long double base) {
  const std::vector<double> theta = series(base, layer.rotary_dim);
  ASSERT_EQ(layer.scaled.frequencies.theta.size(), theta.size());
  for (std::size_t k = 0; k < theta.size(); ++k)
    EXPECT_DOUBLE_EQ(layer.scaled.frequencies.theta[k], theta[k]) << "pair " << k;
}

TEST(Families, AreOfAFileThatSaysSo) {
  EXPECT_EQ(find_family(io::parse_json(R"({"model_type": "llama"})", "x")), nullptr);
  EXPECT_EQ(find_family(io::parse_json("[]", "x")), nullptr);
  EXPECT_EQ(find_family(io::parse_json(R"({"model_type": "yuan"})", "x")), &yuan_family);
}

TEST(Families, SayWhichUsualKeysTheirCodeDoesNotRead) {
  const std::string yuan = R"({"model_type": "yuan", "hidden_size": 2048,
    "num_attention_heads": 32, "rope_theta": 5e5})";
  warned(yuan, "x.json: rope_theta is ignored: the code of this model does not read it");
  EXPECT_EQ(only_layer(yuan).base, 10000);
}

// intel/intel-extension-for-pytorch 6d3ba89cf9, tests/cpu/hf_configs/yuan/config.json.
TEST(Families, YuanRotatesWholeHeads) {
  const std::string yuan = R"({"model_type": "yuan", "architectures": ["YuanForCausalLM"],
    "hidden_size": 2048, "num_attention_heads": 32, "num_hidden_layers": 1,
    "max_position_embeddings": 8192, "reset_position_ids": true)";
  const ModelRope model = read(yuan + "}");
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_EQ(layer.head_dim, 64U);
  EXPECT_EQ(layer.rotary_dim, 64U);
  EXPECT_EQ(layer.base, 10000);
  EXPECT_EQ(model.context, 8192);
  EXPECT_TRUE(warnings(yuan + "}").empty());
  const LayerRope wider = only_layer(yuan + R"(, "attention_projection_size": 4096})");
  EXPECT_EQ(wider.head_dim, 128U);
  EXPECT_EQ(wider.rotary_dim, 64U);
  refused(yuan + R"(, "attention_projection_size": 1024})",
          "x.json: attention_projection_size: expected at least hidden_size, found 1024");
  refused(yuan + R"(, "use_yarn": true})", "x.json: use_yarn: expected false, found true",
          "its own form of YaRN");
  refused(R"({"model_type": "yuan", "hidden_size": 100, "num_attention_heads": 3})",
          "x.json: hidden_size: expected a multiple of 3, num_attention_heads");
}

// chiuchris/mlxcel 2582f6efff, src/models/plamo2_tests.rs, whose values are those of plamo-2-1b.
TEST(Families, Plamo2AttendsInEverySecondLayerWithinAWindow) {
  const std::string plamo = R"({"model_type": "plamo2", "hidden_size": 2048,
    "hidden_size_per_head": 128, "mamba_enabled": true, "mamba_step": 2,
    "num_attention_heads": 16, "num_hidden_layers": 16, "num_key_value_heads": 1)";
  const ModelRope model = read(plamo + "}");
  ASSERT_EQ(model.layers.size(), 1U);
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_EQ(layer.rotary_dim, 128U);
  EXPECT_EQ(layer.base, 10000);
  EXPECT_EQ(layer.window, 2048);
  EXPECT_TRUE(model.all_warnings().empty());
  EXPECT_TRUE(notes_hold(model, "8 of 16 layers are attention layers and rotate: 1, 3, 5, 7 … 15"));
}

// Bases by layer, as in a test of a port to MLX.
TEST(Families, Plamo2HasABaseForLayersThatSeeAllAndOneForTheOthers) {
  const auto plamo = [](const std::string& members) {
    return R"({"model_type": "plamo2", "hidden_size_per_head": 16, "num_hidden_layers": 4,
      "rope_theta": 10000, "rope_local_theta": 1000000)" +
           members + "}";
  };
  const LayerRope windows = only_layer(plamo(""));
  EXPECT_EQ(windows.base, 1000000);
  warned(plamo(""), "rope_theta: 10000 is ignored: full_attention_idx lists no attention layer");
  const ModelRope both = read(plamo(R"(, "full_attention_idx": [1], "attention_window_size": 64)"));
  ASSERT_EQ(both.layers.size(), 2U);
  EXPECT_EQ(layer_of(both, "full_attention").base, 10000);
  EXPECT_FALSE(layer_of(both, "full_attention").window.has_value());
  EXPECT_EQ(layer_of(both, "sliding_attention").base, 1000000);
  EXPECT_EQ(layer_of(both, "sliding_attention").window, 64);
  const LayerRope all = only_layer(plamo(R"(, "full_attention_idx": [0, 1, 2, 3])"));
  EXPECT_EQ(all.base, 10000);
  EXPECT_FALSE(all.window.has_value());
  EXPECT_FALSE(notes_hold(read(plamo(R"(, "mamba_enabled": false)")), "are attention layers"));
  EXPECT_TRUE(
      notes_hold(read(plamo(R"(, "mamba_step": 8)")), "1 of 4 layers are attention layers"));
  refused(R"({"model_type": "plamo2", "num_hidden_layers": 4})",
          "x.json: hidden_size_per_head: expected the size of a head, found nothing");
  refused(R"({"model_type": "plamo2", "hidden_size_per_head": 16})",
          "x.json: num_hidden_layers: expected the number of layers");
}

// syncdoth/RetNet 2634bbf, configs/retnet-3b/config.json.
TEST(Families, RetNetRunsItsSeriesToTheLastPair) {
  const ModelRope model = read(R"({"model_type": "retnet", "decoder_embed_dim": 2560,
    "decoder_layers": 32, "decoder_retention_heads": 10, "decoder_value_embed_dim": 4280,
    "use_lm_decay": false})");
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  EXPECT_EQ(layer.head_dim, 256U);
  EXPECT_EQ(layer.rotary_dim, 256U);
  const std::vector<double>& theta = layer.scaled.frequencies.theta;
  ASSERT_EQ(theta.size(), 128U);
  EXPECT_EQ(theta.front(), 1);
  EXPECT_NEAR(theta.back(), 1e-4, 1e-19);
  for (std::size_t k = 0; k < theta.size(); ++k)  // 1 / 10000 ** linspace(0, 1, 128)
    EXPECT_NEAR(theta[k] / std::pow(10000.0, -static_cast<double>(k) / 127), 1, 2e-15) << k;
  EXPECT_TRUE(notes_hold(model, "the base 10000^(n/(n − 1)), 10752"));
  EXPECT_TRUE(notes_hold(model, "the scores also decay with distance"));
  refused(R"({"decoder_embed_dim": 6, "decoder_retention_heads": 3})",
          "x.json: decoder_embed_dim: expected heads with an even number of dimensions");
}

// Defaults of fla/models/retnet/configuration_retnet.py, fla-org/flash-linear-attention bc3b101d.
TEST(Families, RetNetOfFlashLinearAttentionHasTheUsualSeries) {
  const LayerRope layer = only_layer(R"({"model_type": "retnet", "hidden_size": 2048,
    "num_heads": 8, "expand_k": 1.0})");
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_EQ(layer.rotary_dim, 256U);
  has_series(layer, 10000);
  EXPECT_EQ(only_layer(R"({"model_type": "retnet", "expand_k": 0.5})").rotary_dim, 128U);
  const ModelRope hybrid = read(R"({"model_type": "retnet", "hidden_size": 2048, "num_heads": 8,
    "attn": {"layers": [1], "num_heads": 16, "rope_theta": 5e5}})");
  ASSERT_EQ(hybrid.layers.size(), 2U);
  EXPECT_EQ(layer_of(hybrid, "retention").rotary_dim, 256U);
  EXPECT_EQ(layer_of(hybrid, "layers 1").base, 5e5);
  refused(R"({"model_type": "retnet", "hidden_size": 10, "num_heads": 3})",
          "x.json: num_heads: expected a divisor of hidden_size times expand_k");
}

// fla-org/flame e11e7be, configs/samba_1B.json.
TEST(Families, SambaRotatesInItsLayersOfAttention) {
  const ModelRope model = read(R"({"model_type": "samba", "hidden_size": 2304,
    "num_hidden_layers": 18, "max_position_embeddings": 2048,
    "attn": {"layers": [1, 3, 5, 7, 9, 11, 13, 15, 17], "num_heads": 18, "num_kv_heads": 18,
             "qkv_bias": false, "rope_theta": 10000.0, "window_size": 2048}})");
  ASSERT_EQ(model.layers.size(), 1U);
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_EQ(layer.rotary_dim, 128U);
  EXPECT_EQ(layer.base, 10000);
  EXPECT_EQ(layer.window, 2048);
  EXPECT_EQ(model.context, 2048);
  EXPECT_TRUE(notes_hold(model, "9 of 18 layers use full attention and rotate: 1, 3, 5, 7"));
  const std::string silent = R"({"model_type": "samba", "hidden_size": 2304)";
  EXPECT_EQ(only_layer(silent + "}").rotary_dim, 128U);
  warned(silent + "}", "x.json: attn is missing, so the default of samba is used");
  unrotated(silent + R"(, "attn": null})", "x.json: attn names no layers");
}

TEST(Families, LinearAttentionIsMixedWithLayersThatRotate) {
  const auto gla = [](const std::string& attn) {
    return R"({"model_type": "gla", "hidden_size": 1024, "num_hidden_layers": 24, "attn": )" +
           attn + "}";
  };
  EXPECT_EQ(only_layer(gla(R"({"layers": [3], "num_heads": 16})")).base, 10000);
  const ModelRope two = read(gla(R"([{"layers": [3], "num_heads": 16, "rope_theta": 1e6},
    {"layers": [7, 11], "num_heads": 8, "window_size": 512}])"));
  ASSERT_EQ(two.layers.size(), 2U);
  EXPECT_EQ(layer_of(two, "layers 3").rotary_dim, 64U);
  EXPECT_EQ(layer_of(two, "layers 3").base, 1e6);
  EXPECT_EQ(layer_of(two, "layers 7, 11").rotary_dim, 128U);
  EXPECT_EQ(layer_of(two, "layers 7, 11").window, 512);
  unrotated(gla("null"), "the code of model_type 'gla' rotates nothing");
  unrotated(gla(R"({"layers": [], "num_heads": 16})"), "x.json: attn names no layers");
  refused(gla(R"({"layers": [3]})"),
          "x.json: attn.num_heads: expected the number of heads in these layers");
  refused(gla(R"({"layers": [-1], "num_heads": 16})"),
          "x.json: attn.layers: expected layer numbers");
  refused(gla(R"({"layers": [3], "num_heads": 4096})"), "x.json: hidden_size: expected at least");
  refused(gla("3"), "x.json: attn: expected an object, a list of objects or null, found 3");
  refused(gla("[3]"), "x.json: attn[0]: expected an object, found 3");
}

// kyutai-labs/moshi e6a55d2, configs/moshi_7b_202409.json and moshi_dev_2b.json.
TEST(Families, MoshiRotatesOverTimeInPairsOfNeighbours) {
  const auto moshi = [](const std::string& members, const std::string& dep_q = "8") {
    return R"({"dim": 4096, "text_card": 32000, "n_q": 16, "dep_q": )" + dep_q + R"(, "card": 2048,
      "num_heads": 32, "num_layers": 32, "context": 3000, "depformer_dim": 1024,
      "depformer_num_heads": 16, "depformer_context": 8, "delays": [0, 0, 1])" +
           members + "}";
  };
  const ModelRope model = read(moshi(R"(, "max_period": 10000, "positional_embedding": "rope",
    "depformer_max_period": 10000, "depformer_pos_emb": "none")"));
  ASSERT_EQ(model.layers.size(), 1U);
  const LayerRope& layer = model.layers.front();
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  EXPECT_EQ(layer.rotary_dim, 128U);
  EXPECT_EQ(layer.base, 10000);
  EXPECT_EQ(layer.window, 3000);
  EXPECT_TRUE(notes_hold(model, "rotates nothing: depformer_pos_emb is 'none'"));
  EXPECT_TRUE(model.all_warnings().empty());
  const LayerRope longer = only_layer(moshi(R"(, "max_period": 100000,
    "positional_embedding": "rope_concat")",
                                            "0"));
  EXPECT_EQ(longer.base, 100000);
  EXPECT_EQ(longer.layout, PairLayout::half);
  const ModelRope both = read(moshi(R"(, "max_period": 50000, "positional_embedding": "sin_rope",
    "depformer_pos_emb": "rope")"));
  EXPECT_EQ(layer_of(both, "time").base, 50000);
  EXPECT_EQ(layer_of(both, "depth").base, 50000);
  EXPECT_EQ(layer_of(both, "depth").rotary_dim, 64U);
  unrotated(moshi(R"(, "positional_embedding": "sin")"), "x.json: positional_embedding is 'sin'");
  refused(moshi(R"(, "positional_embedding": "alibi")"),
          "x.json: positional_embedding: expected sin, rope, sin_rope, rope_concat or none");
}

// ServiceNow/Fast-LLM 7d61a1b, fast_llm_external_models/tests/test_apriel2/conftest.py.
TEST(Families, Apriel2RotatesInItsMixersOfAttention) {
  const std::string attention = R"("type": "attention", "heads": 4, "head_groups": 2,
    "head_size": 16)";
  const auto tiny = [](const std::string& mixer) {
    return R"({"model_type": "apriel2", "hidden_size": 64, "vocab_size": 100,
      "decoder": {"type": "fixed", "num_blocks": 2, "block": {"mixer": {)" +
           mixer + R"(}, "mlp": {"type": "mlp", "intermediate_size": 256}}}})";
  };
  const LayerRope layer =
      only_layer(tiny(attention + R"(, "rotary": {"type": "mistral_1d", "theta": 250000.0})"));
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_EQ(layer.rotary_dim, 16U);
  EXPECT_EQ(layer.base, 250000);
  const std::string needed =
      "x.json: decoder.block.mixer.rotary: expected the type mistral_1d and its theta, which the "
      "code of Apriel 2 needs, found ";
  refused(tiny(attention + R"(, "rope_theta": 10000.0)"), needed + "nothing");
  refused(tiny(attention + R"(, "rotary": {"type": "default", "theta": 10000.0})"), needed);
  refused(tiny(attention + R"(, "rotary": {"type": "mistral_1d"})"), needed);
  refused(tiny(R"("type": "attention", "rotary": {"type": "mistral_1d", "theta": 1e4})"),
          "x.json: decoder.block.mixer.head_size: expected the size of a head");
  refused(tiny(R"("type": "perceiver")"), "x.json: decoder.block.mixer.type: expected attention");
  unrotated(tiny(R"("type": "mamba", "d_inner": 128)"),
            "no mixer of decoder is an attention mixer");
  refused(R"({"model_type": "apriel2"})", "x.json: decoder: expected an object, found nothing");
}

TEST(Families, Apriel2ShowsEachMixerOfAStochasticOne) {
  const ModelRope model = read(R"({"model_type": "apriel2_text", "hidden_size": 64,
    "vision_encoder": {"hidden_size": 128}, "decoder": {"type": "pattern", "num_blocks": 2,
    "pattern": ["attn", "stoch"], "blocks": {
      "attn": {"mixer": {"type": "attention", "heads": 4, "head_size": 16,
                         "rotary": {"type": "mistral_1d", "theta": 10000.0}}},
      "stoch": {"mixer": {"type": "stochastic", "main_mixer_name": "attention", "mixers": {
        "attention": {"type": "attention", "heads": 4, "head_size": 16, "window_size": 4096,
                      "rotary": {"type": "mistral_1d", "theta": 250000.0}},
        "mamba": {"type": "mamba", "d_inner": 128}}}}}}})");
  ASSERT_EQ(model.layers.size(), 2U);
  EXPECT_EQ(layer_of(model, "attn").base, 10000);
  EXPECT_EQ(layer_of(model, "stoch.attention").base, 250000);
  EXPECT_EQ(layer_of(model, "stoch.attention").window, 4096);
  EXPECT_TRUE(notes_hold(model, "mixers that rotate nothing: stoch.mamba"));
  EXPECT_TRUE(
      notes_hold(model, "of the mixers in stoch, 'attention' is the one used outside training"));
  EXPECT_TRUE(notes_hold(model, "vision_encoder is not shown"));
  refused(R"({"model_type": "apriel2", "decoder": {"type": "pattern", "blocks": {"a": {}}}})",
          "x.json: decoder.pattern: expected the names of blocks in order, found nothing");
}

// Tele-AI/Telechat 9faf3bc, models/12B-V2/config.json and models/7B/config.json.
TEST(Families, TelechatRaisesItsBaseByTheLength) {
  const auto telechat = [](const std::string& members) {
    return R"({"model_type": "telechat", "n_head": 32, "seq_length": 8192,
      "training_seqlen": 8192, "logn": false, )" +
           members + "}";
  };
  const std::string large = telechat(R"("hidden_size": 5120, "n_layer": 38)");
  const LayerRope of_12b = only_layer(large);
  EXPECT_EQ(of_12b.layout, PairLayout::half);
  EXPECT_EQ(of_12b.rotary_dim, 160U);
  EXPECT_EQ(of_12b.rope_type, "default");
  EXPECT_EQ(of_12b.scaled.attention_factor, 1);
  has_series(of_12b, 10000);
  const LayerRope of_7b = only_layer(telechat(R"("hidden_size": 4096, "n_layer": 30)"));
  EXPECT_EQ(of_7b.rotary_dim, 128U);
  EXPECT_EQ(of_7b.rope_type, "ntk");
  EXPECT_EQ(of_7b.base, 10000);
  has_series(of_7b, 10000 * std::pow(3.0L, 128.0L / 126));
  const LayerRope longer = only_layer(large, {.seq_len = 20000});
  has_series(longer, 10000 * std::pow(7.0L, 160.0L / 158));
  EXPECT_DOUBLE_EQ(longer.scaled.attention_factor, 0.1 * std::log(20000.0 / 8192) + 1);
  EXPECT_EQ(only_layer(large, {.seq_len = 100}).rope_type, "default");
  const std::string second = telechat(R"("hidden_size": 2048, "base_seqlen": 8192)");
  has_series(only_layer(second), 10000);
  refused(telechat(R"("hidden_size": 2048)"),
          "x.json: base_seqlen: expected the length up to which the base is not raised, found "
          "nothing",
          "get_ntk_alpha");
}

// greensheng/chatglm-6b 8b7d335, config.json.
TEST(Families, ChatGlm6bTurnsEachHalfOfAHeadByAPositionOfItsOwn) {
  const std::string glm = R"({"model_type": "chatglm", "hidden_size": 4096,
    "inner_hidden_size": 16384, "max_sequence_length": 2048, "num_attention_heads": 32,
    "num_layers": 28)";
  for (const std::string& text : {glm + R"(, "position_encoding_2d": true})", glm + "}"}) {
    const ModelRope model = read(text);
    const LayerRope& layer = model.layers.front();
    EXPECT_EQ(layer.layout, PairLayout::half);
    EXPECT_EQ(layer.head_dim, 128U);
    EXPECT_EQ(layer.rotary_dim, 128U);
    EXPECT_EQ(layer.base, 10000);
    EXPECT_EQ(model.context, 2048);
    EXPECT_EQ(layer.axes.names, (std::vector<std::string>{"prompt", "block"}));
    EXPECT_EQ(layer.axes.pairs_of(0), 32U);
    EXPECT_EQ(layer.axes.pairs_of(1), 32U);
    const RotaryEmbedding embedding = embedding_of(layer);
    EXPECT_EQ(embedding.dimensions(0).second, 32U) << "halves within the block of an axis";
    EXPECT_EQ(embedding.dimensions(32).first, 64U);
    EXPECT_EQ(embedding.dimensions(32).second, 96U);
    const std::vector<double> theta = series(10000, 64);
    for (std::size_t k = 0; k < 64; ++k)
      EXPECT_DOUBLE_EQ(layer.scaled.frequencies.theta[k], theta[k % 32]) << k;
    EXPECT_TRUE(notes_hold(model, "each token has two positions"));
  }
  const LayerRope line = only_layer(glm + R"(, "position_encoding_2d": false})");
  EXPECT_FALSE(line.axes.several());
  EXPECT_EQ(line.rotary_dim, 128U);
  EXPECT_EQ(line.layout, PairLayout::half);
  refused(R"({"model_type": "chatglm", "hidden_size": 12, "num_attention_heads": 2,
            "position_encoding_2d": true})",
          "x.json: hidden_size: expected heads with a multiple of 4 dimensions");
}

// baaivision/EVA 5623d08, EVA-CLIP/rei/eva_clip/model_configs.
TEST(Families, Eva02LaysItsPatchesOnThePlacesOfItsPretraining) {
  struct Eva {
    std::string vision;
    double unit;
    std::string note;
  };
  for (const Eva& eva :
       {Eva{R"("image_size": 224, "width": 768, "head_width": 64, "patch_size": 16,
               "eva_model_name": "eva-clip-b-16-X", "rope": true, "pt_hw_seq_len": 16,
               "intp_freq": true)",
            16.0 / 14, "14 patches are spread over 16 places, so θ_i is 16/14 of its usual value"},
        Eva{R"("image_size": 336, "width": 1024, "head_width": 64, "patch_size": 14,
               "eva_model_name": "eva-clip-l-14-336", "rope": true, "pt_hw_seq_len": 16,
               "intp_freq": true)",
            16.0 / 24, "24 patches are spread over 16 places"},
        Eva{R"("image_size": 224, "width": 1024, "head_width": 64, "patch_size": 14,
               "eva_model_name": "eva-clip-l-14", "rope": true, "pt_hw_seq_len": 16,
               "intp_freq": true)",
            1, "the class token"}}) {
    const ModelRope model = read(R"({"embed_dim": 512, "vision_cfg": {)" + eva.vision +
                                 R"(}, "text_cfg": {"context_length": 77, "width": 512}})");
    const LayerRope& layer = model.layers.front();
    EXPECT_EQ(layer.layout, PairLayout::interleaved);
    EXPECT_EQ(layer.rotary_dim, 64U);
    EXPECT_EQ(layer.base, 10000);
    EXPECT_EQ(layer.axes.names, (std::vector<std::string>{"height", "width"}));
    EXPECT_EQ(layer.axes.pairs_of(1), 16U);
    const std::vector<double> theta = series(10000, 32);
    for (std::size_t k = 0; k < 32; ++k)
      EXPECT_NEAR(layer.scaled.frequencies.theta[k] / (eva.unit * theta[k % 16]), 1, 5e-16) << k;
    EXPECT_TRUE(notes_hold(model, eva.note));
  }
  unrotated(R"({"vision_cfg": {"eva_model_name": "eva-clip-4b-14-x", "width": 1792,
            "head_width": 112, "image_size": 224, "patch_size": 14}})",
            "x.json: vision_cfg.rope is not true");
  refused(R"({"vision_cfg": {"eva_model_name": "e", "rope": true, "width": 32}})",
          "x.json: vision_cfg.head_width: expected at most width");
  refused(R"({"vision_cfg": {"eva_model_name": "e", "rope": true, "image_size": 8}})",
          "x.json: vision_cfg.patch_size: expected at most image_size");
}

// PaddlePaddle/PaddleMIX 6afaf05de0, tests/models/test_cogvlm.py, with the sizes of its class; the
// class of CogVLM 2 is that of Niky-san/cogvlm2_surce 29bac8a, configuration_cogvlm.py.
// mlfoundations/open_lm 9bb92ef1, open_lm/model_configs.
TEST(Families, OpenLmRotatesByItsKindOfPositions) {
  const auto of = [](const std::string& more) {
    return R"({"hidden_dim": 4096, "n_layers": 32, "n_heads": 32, "seq_len": 2048,
      "vocab_size": 50432, "post_embed_norm": false)" +
           more + "}";
  };
  const auto kind = [&](const char* name) {
    return of(R"(, "positional_embedding_type": ")" + std::string(name) + '"');
  };
  EXPECT_EQ(only_layer(of("")).layout, PairLayout::half);
  EXPECT_TRUE(notes_hold(read(of("")), "rotary, open_lm's default, is used"));
  EXPECT_EQ(only_layer(kind("rotary")).layout, PairLayout::half);
  EXPECT_EQ(only_layer(kind("llama_rotary")).layout, PairLayout::interleaved);
  has_series(only_layer(kind("llama_rotary")), 10000);
  EXPECT_EQ(only_layer(of("")).head_dim, 128U);
  EXPECT_EQ(read(of("")).context, 2048);
  unrotated(kind("none"), "x.json: positional_embedding_type is 'none'");
  unrotated(kind("head_rotary"),
            "x.json: positional_embedding_type is 'head_rotary', which turns "
            "each head by the head's number");
  refused(kind("alibi"), "x.json: positional_embedding_type: expected rotary",
          "accepts only these");
  warned(R"({"hidden_dim": 488, "n_heads": 12, "post_embed_norm": false})",
         "the model's code truncates the quotient to 40");
  refused(R"({"hidden_dim": 8, "n_heads": 12, "post_embed_norm": false})", "x.json: hidden_dim");
}

TEST(Families, CogVlmHoldsTheBaseOfTheModelItIsMadeFrom) {
  const std::string cog = R"(, "hidden_size": 4096, "num_attention_heads": 32,
    "max_position_embeddings": 2048, "template_version": "chat",
    "vision_config": {"hidden_size": 1792, "image_size": 490, "num_heads": 16, "patch_size": 14})";
  for (const char* type : {R"({"model_type": "cogvlm")", R"({"model_type": "cogagent")",
                           R"({"architectures": ["CogVLMForCausalLM"])"}) {
    const LayerRope layer = only_layer(type + cog + "}");
    EXPECT_EQ(layer.layout, PairLayout::half) << type;
    EXPECT_EQ(layer.rotary_dim, 128U) << type;
    EXPECT_EQ(layer.base, 10000) << type;
    EXPECT_TRUE(warnings(type + cog + "}").empty()) << type;
  }
  const std::string second =
      R"({"architectures": ["CogVLMForCausalLM"], "num_multi_query_heads": 8)" + cog + "}";
  EXPECT_EQ(only_layer(second).base, 500000);
  EXPECT_TRUE(warnings(second).empty());
}

TEST(Families, TypesThatOtherCodeHasNamesForAreKnown) {
  // chiuchris/mlxcel 2582f6efff, src/models/minimax_m3_tests.rs
  const std::string minimax = R"({"model_type": "minimax_m3", "hidden_size": 6144,
    "num_attention_heads": 64, "head_dim": 128, "max_position_embeddings": 1048576)";
  const std::string given =
      minimax + R"(, "rope_theta": 5000000, "rotary_dim": 64, "partial_rotary_factor": 0.5})";
  EXPECT_EQ(only_layer(given).layout, PairLayout::half);
  EXPECT_EQ(only_layer(given).rotary_dim, 64U);
  EXPECT_TRUE(warnings(given).empty());
  EXPECT_EQ(only_layer(minimax + "}").base, 5000000);
  // Blaizzy/mlx-vlm 9b13f522, mlx_vlm/tests/test_minimax_m3.py: an empty text_config says nothing
  EXPECT_EQ(only_layer(R"({"model_type": "minimax_m3", "hidden_size": 32, "head_dim": 8,
    "num_attention_heads": 4, "text_config": {}})")
                .rotary_dim,
            4U);
  EXPECT_EQ(only_layer(R"({"model_type": "llava", "hidden_size": 32, "num_attention_heads": 4,
    "text_config": {}})")
                .head_dim,
            128U);
  EXPECT_EQ(only_layer(minimax + "}").rotary_dim, 64U);
  // ml-explore/mlx-lm d78bf58e, tests/test_models.py
  const LayerRope lille = only_layer(R"({"model_type": "lille-130m", "block_size": 128,
    "n_layer": 4, "n_head": 4, "n_kv_heads": 4, "n_embd": 128, "rope_theta": 1000})");
  EXPECT_EQ(lille.layout, PairLayout::interleaved);
  EXPECT_EQ(lille.rotary_dim, 32U);
  EXPECT_EQ(lille.base, 1000);
  // the file of LongCat-Flash-Lite, as others hold it, with the rule of its class
  const std::string longcat = R"({"model_type": "longcat_flash_ngram", "hidden_size": 3072,
    "num_attention_heads": 32, "max_position_embeddings": 327680, "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128, "rope_theta": 5000000.0)";
  EXPECT_EQ(only_layer(longcat + "}").layout, PairLayout::interleaved);
  EXPECT_EQ(only_layer(longcat + "}").rotary_dim, 64U);
  EXPECT_EQ(only_layer(longcat + "}").base, 5000000);
  const LayerRope scaled = only_layer(longcat + R"(, "rope_scaling": {"rope_type": "yarn",
    "factor": 10, "mscale": 1, "mscale_all_dim": 1, "original_max_position_embeddings": 32768}})");
  EXPECT_NEAR(scaled.softmax_factor, std::pow(0.1 * std::log(10.0) + 1, 2), 1e-15);
  // Nanbeige4.2-3B's config.json
  const std::string nanbeige = R"({"model_type": "nanbeige", "hidden_size": 3072,
    "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128, "kv_channels": 128,
    "max_position_embeddings": 262144, "rope_theta": 70000000, "rope_scaling": null,
    "num_loops": 2})";
  EXPECT_EQ(only_layer(nanbeige).layout, PairLayout::half);
  EXPECT_EQ(only_layer(nanbeige).rotary_dim, 128U);
  EXPECT_EQ(only_layer(nanbeige).base, 70000000);
  EXPECT_TRUE(warnings(nanbeige).empty());
}

// ml-explore/mlx-lm d78bf58e, tests/test_models.py.
TEST(Families, MimosOwnKeysCountAndWhereTransformersDiffersIsTold) {
  const auto mimo = [](const std::string& members) {
    return R"({"model_type": "mimo_v2_flash", "hidden_size": 512, "num_attention_heads": 4,
      "max_position_embeddings": 1000, "head_dim": 128, )" +
           members + "}";
  };
  const std::string other = mimo(R"("rope_theta": 1000.0, "swa_rope_theta": 2000.0,
    "swa_head_dim": 64, "partial_rotary_factor": 0.5)");
  const ModelRope model = read(other);
  EXPECT_EQ(layer_of(model, "full_attention").base, 1000);
  EXPECT_EQ(layer_of(model, "full_attention").rotary_dim, 64U);
  EXPECT_EQ(layer_of(model, "sliding_attention").base, 2000);
  EXPECT_EQ(layer_of(model, "sliding_attention").head_dim, 64U);
  EXPECT_EQ(layer_of(model, "sliding_attention").rotary_dim, 32U);
  const Strings all = warnings(other);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(
      all[0].starts_with("x.json: rope_theta: 1000 is used here, as in the model's own code, but "
                         "transformers v5 does not read this key at the root and uses 5000000"))
      << all[0];
  EXPECT_NE(all[1].find("swa_rope_theta: 2000"), std::string::npos);
  EXPECT_NE(all[2].find("partial_rotary_factor: 0.5"), std::string::npos);
  EXPECT_TRUE(warnings(mimo(R"("rope_theta": 5e6, "swa_rope_theta": 1e4, "swa_head_dim": 128,
                            "partial_rotary_factor": 0.334)"))
                  .empty());
}

}  // namespace
}  // namespace rope::test
