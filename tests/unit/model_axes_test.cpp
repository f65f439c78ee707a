// Which pair turns by which axis, as configurations say it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "model_reading.hpp"
#include "rope/rotary/axes.hpp"

namespace rope {
namespace {

using test::only_layer;
using test::read;
using test::refused;
using test::unrotated;
using test::warned;
using test::warnings;

const char* const kQwen3Vl = R"({"model_type": "qwen3_vl",
  "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 4096, "num_attention_heads": 32,
    "head_dim": 128, "max_position_embeddings": 262144, "rope_theta": 5000000,
    "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20],
                     "rope_type": "default"}},
  "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1152, "num_heads": 16}})";

TEST(ModelAxes, Qwen3VlInterleavesItsSections) {
  const ModelRope model = read(kQwen3Vl);
  const RotaryEmbedding embedding = embedding_of(model.layers.front());
  EXPECT_EQ(embedding.axes.count(), 3U);
  EXPECT_EQ(embedding.axes.pairs_of(0), 24U);
  EXPECT_EQ(embedding.axes.of_pair[1], 1);
  EXPECT_EQ(embedding.axes.of_pair[61], 0);
  EXPECT_EQ(embedding.geometric_base(), 5000000);
  ASSERT_TRUE(model.vision.has_value());
  EXPECT_EQ(model.vision->head_dim, 72U);
  EXPECT_EQ(model.vision->axes.names, (std::vector<std::string>{"height", "width"}));
  EXPECT_EQ(model.vision->scaled.frequencies.theta[18], 1);
}

TEST(ModelAxes, Qwen3VlInterleavesItsSectionsUnasked) {
  std::string silent = kQwen3Vl;
  const std::string flag = R"("mrope_interleaved": true, )";
  silent.erase(silent.find(flag), flag.size());
  EXPECT_EQ(read(silent).layers.front().axes.of_pair[1], 1);
}

TEST(ModelAxes, SectionsThatTheFileLacksAreThoseOfTheClass) {
  const auto config = [](const std::string& type, const std::string& head) {
    return R"({"model_type": ")" + type + R"(", "head_dim": )" + head +
           R"(, "max_position_embeddings": 32768, "rope_theta": 1e7})";
  };
  for (const char* type : {"qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe_text"}) {
    const LayerRope layer = only_layer(config(type, "128"));
    EXPECT_EQ(layer.sections, (std::vector<std::int64_t>{24, 20, 20})) << type;
    EXPECT_EQ(layer.axes.of_pair[1], 1) << type;
  }
  const ModelRope qwen = read(config("qwen3_5_text", "256"));
  EXPECT_EQ(qwen.layers.front().sections, (std::vector<std::int64_t>{11, 11, 10}));
  EXPECT_NE(qwen.notes.front().find("from the class because"), std::string::npos)
      << qwen.notes.front();
  EXPECT_FALSE(only_layer(config("qwen3_vl_text", "64")).axes.several()) << "32 pairs, not 64";
  EXPECT_FALSE(only_layer(config("qwen3", "128")).axes.several());
}

TEST(ModelAxes, BailingsNamesForPositionsOnThreeAxesArePlainInText) {
  const auto config = [](const std::string& type, const std::string& rule) {
    return R"({"model_type": ")" + type + R"(", "head_dim": 128, "rope_theta": 6e5,
      "partial_rotary_factor": 1.0, "rope_scaling": {"type": ")" +
           rule + R"(", "factor": null}})";
  };
  EXPECT_EQ(only_layer(config("bailing_moe", "3D")).rope_type, "default");
  EXPECT_EQ(only_layer(config("bailing_moe_v2", "video_rope")).base, 6e5);
  refused(config("llama", "3D"), "x.json: rope_scaling.type: expected one of", "KeyError");
  refused(config("bailing_moe", "4D"), "x.json: rope_scaling.type: expected one of",
          "The model's own code may support it");
}

TEST(ModelAxes, GgufFilesHoldSectionsToo) {
  const auto keys = [](const std::string& arch, const std::string& sections) {
    return "llama_model_loader: - kv 0: general.architecture str = " + arch + "\nkv 1: " + arch +
           ".attention.key_length u32 = 128\nkv 2: " + arch +
           ".rope.freq_base f32 = 1e6\nkv 3: " + arch +
           ".rope.dimension_sections arr[i32,4] = " + sections + "\n";
  };
  const LayerRope qwen2 = only_layer(keys("qwen2vl", "[16, 24, 24, 0]"));
  EXPECT_EQ(qwen2.sections, (std::vector<std::int64_t>{16, 24, 24}));
  EXPECT_TRUE(std::ranges::is_sorted(qwen2.axes.of_pair));
  for (const char* arch : {"qwen3vl", "qwen3vlmoe", "qwen35", "qwen35moe"}) {
    const LayerRope layer = only_layer(keys(arch, "[24, 20, 20, 0]"));
    EXPECT_EQ(layer.axes.of_pair[1], 1) << arch;
    EXPECT_EQ(layer.layout, PairLayout::half) << arch;
    EXPECT_TRUE(warnings(keys(arch, "[24, 20, 20, 0]")).empty()) << arch;
  }
  EXPECT_NE(warnings(keys("qwen2vl", "[16, 24, ...")).front().find("is not a list of numbers"),
            std::string::npos);
  EXPECT_TRUE(warnings("general.architecture = qwen3next\nqwen3next.rope.freq_base = 1e7\n"
                       "qwen3next.attention.key_length = 256\n")
                  .empty());
}

TEST(ModelAxes, AGgufDumpWithoutItsArchitectureIsOfThatOfItsKeys) {
  const std::string part =
      "- kv 19: qwen2.embedding_length u32 = 3584\n- kv 20: qwen2.attention.head_count u32 = 28\n"
      "- kv 21: qwen2.rope.freq_base f32 = 1000000.0\n";
  EXPECT_EQ(only_layer(part).head_dim, 128U);
  warned(part, "general.architecture is missing, so 'qwen2', the prefix of the keys, is used");
}

TEST(ModelAxes, Qwen2VlHasItsSectionsOneBehindTheOther) {
  const LayerRope layer = only_layer(R"({"model_type": "qwen2_vl", "hidden_size": 8192,
    "num_attention_heads": 64, "max_position_embeddings": 32768, "rope_theta": 1000000.0,
    "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}})");
  EXPECT_TRUE(std::ranges::is_sorted(layer.axes.of_pair));
  EXPECT_EQ(layer.axes.pairs_of(2), 24U);
}

TEST(ModelAxes, SectionsThatDoNotAddUpMakeNoAxes) {
  const LayerRope layer = only_layer(R"({"model_type": "qwen2_vl", "hidden_size": 8192,
    "num_attention_heads": 64, "max_position_embeddings": 32768, "rope_theta": 1000000.0,
    "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 23]}})");
  EXPECT_FALSE(layer.axes.several());
}

TEST(ModelAxes, PixtralsVisionDealsOneSeriesOut) {
  const ModelRope model = read(R"({"model_type": "llava",
    "text_config": {"model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32,
      "head_dim": 128, "max_position_embeddings": 1024000, "rope_theta": 1000000000.0},
    "vision_config": {"model_type": "pixtral", "head_dim": 64, "hidden_size": 1024,
      "image_size": 1024, "patch_size": 16, "rope_theta": 10000.0}})");
  EXPECT_FALSE(model.layers.front().axes.several());
  ASSERT_TRUE(model.vision.has_value());
  const RotaryEmbedding vision = embedding_of(*model.vision);
  EXPECT_EQ(vision.head_dim, 64U);
  EXPECT_EQ(vision.layout, PairLayout::half);
  EXPECT_EQ(vision.frequencies.theta, [] {
    const std::vector<double> all = default_embedding(64, 10000).frequencies.theta;
    std::vector<double> dealt;
    for (std::size_t k = 0; k < 32; k += 2) dealt.push_back(all[k]);
    for (std::size_t k = 1; k < 32; k += 2) dealt.push_back(all[k]);
    return dealt;
  }());
}

TEST(ModelAxes, VisionModelsAreReadAlone) {
  const LayerRope dino = only_layer(R"({"model_type": "dinov3_vit", "hidden_size": 1024,
    "num_attention_heads": 16, "image_size": 224, "patch_size": 16, "rope_theta": 100.0})");
  EXPECT_EQ(dino.head_dim, 64U);
  EXPECT_DOUBLE_EQ(dino.scaled.frequencies.theta.front(), 2 * 3.141592653589793 / 14);
  const LayerRope llama4 = only_layer(R"({"model_type": "llama4_vision_model",
    "hidden_size": 1408, "num_attention_heads": 16, "rope_theta": 10000})");
  EXPECT_EQ(llama4.layout, PairLayout::interleaved);
  EXPECT_EQ(llama4.axes.names.front(), "width");
  const LayerRope gemma4 = only_layer(R"({"model_type": "gemma4_vision", "head_dim": 72,
    "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}})");
  EXPECT_TRUE(gemma4.axes.own_block);
  EXPECT_EQ(gemma4.base, 100);
}

TEST(ModelAxes, TheThinkerOfAnOmniModelSees) {
  const ModelRope omni = read(R"({"model_type": "qwen2_5_omni", "thinker_config": {
    "model_type": "qwen2_5_omni_thinker",
    "text_config": {"model_type": "qwen2_5_omni_text", "hidden_size": 3584,
      "num_attention_heads": 28, "max_position_embeddings": 32768, "rope_theta": 1e6},
    "vision_config": {"model_type": "qwen2_5_omni_vision_encoder", "hidden_size": 1280,
      "num_heads": 16}}})");
  ASSERT_TRUE(omni.vision.has_value());
  EXPECT_EQ(omni.vision->head_dim, 80U);
  EXPECT_EQ(omni.vision->axes.names, (std::vector<std::string>{"height", "width"}));
  EXPECT_EQ(only_layer(R"({"model_type": "qwen3_omni_moe_vision_encoder", "hidden_size": 1152,
    "num_heads": 16})")
                .head_dim,
            72U);
}

TEST(ModelAxes, PixtralMakesTheSizeOfItsHeads) {
  EXPECT_EQ(only_layer(R"({"model_type": "pixtral", "hidden_size": 256,
    "num_attention_heads": 16, "head_dim": 88})")
                .head_dim,
            16U);
}

TEST(ModelAxes, DiffusersNamesTheDimensionsOfEachAxis) {
  const LayerRope flux = only_layer(R"({"_class_name": "FluxTransformer2DModel",
    "attention_head_dim": 128, "axes_dims_rope": [16, 56, 56]})");
  EXPECT_EQ(flux.head_dim, 128U);
  EXPECT_EQ(flux.layout, PairLayout::interleaved);
  EXPECT_EQ(flux.axes.pairs_of(1), 28U);
  EXPECT_EQ(flux.scaled.frequencies.theta[8], 1);
  const LayerRope cog = only_layer(R"({"_class_name": "CogVideoXTransformer3DModel",
    "attention_head_dim": 64, "use_rotary_positional_embeddings": true})");
  EXPECT_EQ(cog.axes.pairs_of(0), 8U);
  EXPECT_EQ(cog.axes.pairs_of(2), 12U);
  const LayerRope wan = only_layer(R"({"_class_name": "WanTransformer3DModel",
    "attention_head_dim": 128})");
  EXPECT_EQ(wan.axes.pairs_of(0), 22U);
  EXPECT_EQ(wan.axes.pairs_of(1), 21U);
}

/// The frequencies of axes that each have a series of their own, by the formula in long double.
std::vector<double> restarted_series(double base, const std::vector<std::size_t>& dims) {
  std::vector<double> theta;
  for (const std::size_t dim : dims)
    for (std::size_t j = 0; j < dim; j += 2)
      theta.push_back(static_cast<double>(
          std::pow(static_cast<long double>(base),
                   -static_cast<long double>(j) / static_cast<long double>(dim))));
  return theta;
}

TEST(ModelAxes, DiffusersTakesWhatAClassHasWhereItsFileIsSilent) {
  struct Class {
    const char* name;
    double base;
    std::size_t head_dim;
    std::vector<std::size_t> dims;
  };
  for (const Class& one :
       std::vector<Class>{{"FluxTransformer2DModel", 10000, 128, {16, 56, 56}},
                          {"Flux2Transformer2DModel", 2000, 128, {32, 32, 32, 32}},
                          {"QwenImageTransformer2DModel", 10000, 128, {16, 56, 56}},
                          {"HunyuanVideoTransformer3DModel", 256, 128, {16, 56, 56}},
                          {"HunyuanVideo15Transformer3DModel", 256, 128, {16, 56, 56}},
                          {"HunyuanVideoTransformer3DModelPacked", 256, 128, {16, 56, 56}},
                          {"HunyuanImageTransformer2DModel", 256, 128, {64, 64}},
                          {"ChromaTransformer2DModel", 10000, 128, {16, 56, 56}},
                          {"ZImageTransformer2DModel", 256, 128, {32, 48, 48}},
                          {"Lumina2Transformer2DModel", 10000, 96, {32, 32, 32}},
                          {"EasyAnimateTransformer3DModel", 10000, 64, {16, 24, 24}},
                          {"SanaVideoTransformer3DModel", 10000, 112, {40, 36, 36}},
                          {"SkyReelsV2Transformer3DModel", 10000, 128, {44, 42, 42}},
                          {"WanTransformer3DModel", 10000, 128, {44, 42, 42}}}) {
    const LayerRope layer = only_layer(std::string(R"({"_class_name": ")") + one.name + "\"}");
    EXPECT_EQ(layer.base, one.base) << one.name;
    EXPECT_EQ(layer.head_dim, one.head_dim) << one.name;
    const std::vector<double> theta = restarted_series(one.base, one.dims);
    ASSERT_EQ(layer.scaled.frequencies.pairs(), theta.size()) << one.name;
    for (std::size_t k = 0; k < theta.size(); ++k)
      EXPECT_DOUBLE_EQ(layer.scaled.frequencies.theta[k], theta[k]) << one.name << " pair " << k;
  }
}

TEST(ModelAxes, DiffusersFileCountsBeforeItsClass) {
  const LayerRope layer = only_layer(R"({"_class_name": "HunyuanVideoTransformer3DModel",
    "attention_head_dim": 96, "rope_axes_dim": [32, 32, 32], "rope_theta": 512})");
  EXPECT_EQ(layer.base, 512);
  EXPECT_EQ(layer.axes.pairs_of(0), 16U);
  EXPECT_EQ(layer.axes.names.front(), "time");
}

TEST(ModelAxes, DiffusersThatCannotBeIsRefused) {
  refused(R"({"_class_name": "UnknownTransformer2DModel", "attention_head_dim": 8})",
          "x.json: _class_name: expected a transformer whose axes are known", "--axes D,D");
  refused(R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [15, 57]})",
          "x.json: axes_dims_rope: expected even numbers", "For example [16, 56, 56].");
  refused(R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 48, 48]})",
          "x.json: attention_head_dim: expected 112 (the sum of the axis sizes), found 128",
          "add up");
  refused(R"({"_class_name": "HiDreamImageTransformer2DModel"})",
          "x.json: axes_dims_rope: expected the dimensions of each axis, because the defaults of "
          "the class cover too few axes, found nothing");
}

// The parts of files and of scripts/convert_cosmos_to_diffusers.py at huggingface/diffusers
// 58eb52c080 that matter.
TEST(ModelAxes, CosmosRaisesTheBaseOfEachAxisByItself) {
  const auto cosmos = [](const std::string& scale) {
    return R"({"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128,
      "max_size": [128, 240, 240], "patch_size": [1, 2, 2])" +
           scale + "}";
  };
  struct Scale {
    std::string text;
    std::array<double, 3> factors;
  };
  for (const Scale& one :
       {Scale{"", {2, 1, 1}}, Scale{R"(, "rope_scale": [2.0, 2.0, 2.0])", {2, 2, 2}},
        Scale{R"(, "rope_scale": [1.0, 4.0, 4.0])", {1, 4, 4}},
        Scale{R"(, "rope_scale": [0.8333333333333334, 2, 2])", {20. / 24, 2, 2}},
        Scale{R"(, "rope_scale": [1.0, 3.0, 3.0])", {1, 3, 3}}}) {
    const LayerRope layer = only_layer(cosmos(one.text));
    EXPECT_EQ(layer.layout, PairLayout::half) << one.text;
    EXPECT_EQ(layer.rotary_dim, 128U) << one.text;
    EXPECT_EQ(layer.base, 10000) << one.text;
    EXPECT_EQ(layer.axes.names, (std::vector<std::string>{"time", "height", "width"}));
    constexpr std::array<std::size_t, 3> kDims = {44, 42, 42};
    std::size_t k = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(layer.axes.pairs_of(axis), kDims[axis] / 2);
      const auto d = static_cast<long double>(kDims[axis]);
      const long double base =
          10000 * std::pow(static_cast<long double>(one.factors[axis]), d / (d - 2));
      for (std::size_t j = 0; j < kDims[axis]; j += 2, ++k)
        EXPECT_DOUBLE_EQ(layer.scaled.frequencies.theta[k],
                         static_cast<double>(std::pow(base, -static_cast<long double>(j) / d)))
            << one.text << " pair " << k;
    }
  }
}

TEST(ModelAxes, CosmosTellsWhatItsFactorsMake) {
  const ModelRope model = read(R"({"_class_name": "CosmosTransformer3DModel",
    "rope_scale": [1.0, 4.0, 4.0]})");
  ASSERT_EQ(model.notes.size(), 2U);
  EXPECT_TRUE(
      model.notes.front().starts_with("rope_scale, NTK-aware scaling per axis: a base of about "
                                      "42871 for height, 42871 for width, "))
      << model.notes.front();
  EXPECT_NE(model.notes.back().find("24f/n"), std::string::npos);
  const std::string none =
      R"({"_class_name": "CosmosTransformer3DModel", "rope_scale": [1, 1, 1]})";
  EXPECT_EQ(read(none).notes.size(), 1U);
  for (const char* scale : {"[1.0, 3.0]", "[1.0, 0.0, 1.0]", "[1.0, -3.0, 1.0]"})
    refused(
        R"({"_class_name": "CosmosTransformer3DModel", "rope_scale": )" + std::string(scale) + "}",
        "x.json: rope_scale: expected a number above 0 for each axis", "[1.0, 3.0, 3.0]");
  refused(R"({"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 8,
            "rope_scale": [1, 2, 2]})",
          "axes: expected more than 2 dimensions for an axis with an NTK-aware base", "d/(d − 2)");
}

// Tixell/Tixell 89a09a455f, transformer/config.json (Mochi); ByteDance-Seed/VeOmni d9774494f5,
// configs/model_configs/ltx2_3/ltx2_3_av.json.
TEST(ModelAxes, WhatNoEmbeddingOfOneHeadCanSayIsRefusedWithTheReason) {
  refused(
      R"({"_class_name": "MochiTransformer3DModel", "attention_head_dim": 128,
            "num_attention_heads": 24})",
      "x.json: _class_name: expected frequencies that follow from a configuration file, found "
      "'MochiTransformer3DModel', which has frequencies for each head and axis among its weights",
      "Read pos_frequencies from the checkpoint");
  for (const std::string name : {"LTXVideoTransformer3DModel", "LTX2VideoTransformer3DModel"})
    refused(
        R"({"_class_name": ")" + name + R"(", "attention_head_dim": 64})",
        "x.json: _class_name: expected heads that all rotate alike, by integer positions, found '" +
            name + "', which has one series of frequencies across all heads, with fractions of a",
        "--frequencies");
  refused(R"({"_class_name": "LTXVideoTransformerModel", "model_type": "LTXVideoTransformerModel",
            "attention_head_dim": 128, "rope_type": "split"})",
          "x.json: _class_name: expected heads that all rotate alike");
}

// HiDream's numbers in tests/models/transformers/test_models_transformer_hidream.py there.
TEST(ModelAxes, HiDreamNamesItsThreeAxes) {
  const LayerRope layer = only_layer(R"({"_class_name": "HiDreamImageTransformer2DModel",
    "attention_head_dim": 8, "num_attention_heads": 4, "axes_dims_rope": [4, 2, 2]})");
  EXPECT_EQ(layer.layout, PairLayout::interleaved);
  EXPECT_EQ(layer.rotary_dim, 8U);
  EXPECT_EQ(layer.base, 10000);
  EXPECT_EQ(layer.axes.pairs_of(0), 2U);
  EXPECT_EQ(layer.axes.names, (std::vector<std::string>{"index", "height", "width"}));
}

TEST(ModelAxes, DiffusersGivesTheWidthOfAllHeadsInSomeFiles) {
  const LayerRope image = only_layer(R"({"_class_name": "ZImageTransformer2DModel", "dim": 3840,
    "n_heads": 30, "axes_dims": [32, 48, 48], "rope_theta": 256.0})");
  EXPECT_EQ(image.head_dim, 128U);
  EXPECT_EQ(image.axes.pairs_of(1), 24U);
  const LayerRope lumina = only_layer(R"({"_class_name": "Lumina2Transformer2DModel",
    "hidden_size": 2304, "num_attention_heads": 24, "axes_dim_rope": [32, 32, 32]})");
  EXPECT_EQ(lumina.head_dim, 96U);
  const LayerRope wan = only_layer(
      R"({"_class_name": "WanModel", "model_type": "i2v", "dim": 5120, "num_heads": 40})");
  EXPECT_EQ(wan.axes.pairs_of(0), 22U);
}

TEST(ModelAxes, DiffusersClassesWithoutRotationAreAnswered) {
  for (const char* name : {"SD3Transformer2DModel", "AuraFlowTransformer2DModel"})
    unrotated(R"({"_class_name": ")" + std::string(name) + R"(", "attention_head_dim": 64})",
              "the code of '" + std::string(name) + "' rotates nothing");
  unrotated(R"({"_class_name": "CogVideoXTransformer3DModel"})",
            "x.json: use_rotary_positional_embeddings is not true");
  unrotated(R"({"attention_head_dim": 64, "use_rotary_positional_embeddings": false})",
            "x.json: use_rotary_positional_embeddings is not true");
  EXPECT_EQ(only_layer(R"({"attention_head_dim": 64, "use_rotary_positional_embeddings": true})")
                .axes.pairs_of(2),
            12U);
}

TEST(ModelAxes, StableAudioTurnsHalfOfEachHeadAlongOneAxis) {
  const LayerRope layer =
      only_layer(R"({"_class_name": "StableAudioDiTModel", "attention_head_dim": 64})");
  EXPECT_EQ(layer.rotary_dim, 32U);
  EXPECT_EQ(layer.layout, PairLayout::half);
  EXPECT_FALSE(layer.axes.several());
}

TEST(ModelAxes, VisionPartsAreKnownByTheirLaterTypeToo) {
  const LayerRope layer = only_layer(R"({"model_type": "qwen3_vl_vision", "hidden_size": 1152,
    "num_heads": 16})");
  EXPECT_EQ(layer.head_dim, 72U);
  EXPECT_EQ(layer.axes.names, (std::vector<std::string>{"height", "width"}));
}

}  // namespace
}  // namespace rope
