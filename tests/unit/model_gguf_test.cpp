// What llama.cpp's code has for an architecture and no key of a GGUF file says.

#include <algorithm>
#include <string>

#include "rope/model/presets.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// The keys of a model of this architecture, 128 dimensions a head, and more of them.
std::string keys(const std::string& arch, const std::string& more = "") {
  std::string text = "general.architecture = " + arch + "\n" + arch +
                     ".attention.key_length = 128\n" + arch + ".rope.freq_base = 10000\n";
  if (!more.empty()) text += arch + "." + more + "\n";
  return text;
}

bool notes_begin(const ModelRope& model, const std::string& text) {
  return std::ranges::any_of(model.notes,
                             [&](const std::string& note) { return note.starts_with(text); });
}

TEST(GgufArchitectures, OfWhichEvery4thLayerRotatesNothing) {
  for (const char* arch : {"smollm3", "llama4"}) {
    EXPECT_TRUE(only_layer(keys(arch)).rotates());
    EXPECT_TRUE(notes_begin(read(keys(arch)), "every 4th layer rotates nothing")) << arch;
  }
  EXPECT_TRUE(read(keys("llama4", "attention.sliding_window = 0")).notes.empty());
  EXPECT_TRUE(notes_begin(read(keys("smallthinker", "attention.sliding_window = 4096")),
                          "the first of every 4 layers rotates nothing"));
  EXPECT_TRUE(read(keys("smallthinker")).notes.empty());
}

TEST(GgufArchitectures, ThatRotateInWindowsOnly) {
  for (const char* arch : {"cohere2", "cohere2moe", "afmoe", "exaone-moe"}) {
    const ModelRope model = read(keys(arch, "attention.sliding_window = 4096"));
    ASSERT_EQ(model.layers.size(), 2U) << arch;
    EXPECT_FALSE(layer_of(model, "full_attention").rotates());
    EXPECT_TRUE(layer_of(model, "sliding_attention").rotates());
    EXPECT_EQ(layer_of(model, "sliding_attention").window, 4096);
    EXPECT_TRUE(notes_begin(model, "the layers of type full_attention, every 4th, rotate nothing"))
        << arch;
  }
  EXPECT_TRUE(only_layer(keys("exaone4", "block_count = 30")).rotates());
  EXPECT_EQ(read(keys("exaone4", "block_count = 64")).layers.size(), 2U);
}

// llama-context.cpp: never scale if the scaling type is none. Without a type it is linear.
TEST(GgufArchitectures, ScaleByAFactorUnlessTheTypeIsNone) {
  const std::string factor = "rope.scaling.factor = 4";
  EXPECT_EQ(only_layer(keys("llama", factor)).rope_type, "linear");
  EXPECT_EQ(only_layer(keys("llama", "rope.scaling.type = linear\nllama." + factor)).rope_type,
            "linear");
  EXPECT_EQ(only_layer(keys("llama", "rope.scaling.type = none\nllama." + factor)).rope_type,
            "default");
}

TEST(GgufArchitectures, WhoseLoaderReadsTheEndsOfYarnsRamp) {
  const auto yarn = [](const std::string& arch, const std::string& betas) {
    return keys(arch, "rope.scaling.type = yarn\n" + arch + ".rope.scaling.factor = 4\n" + arch +
                          ".rope.scaling.original_context_length = 4096" + betas);
  };
  const auto with_betas = [&](const std::string& arch) {
    return yarn(arch, "\n" + arch + ".rope.scaling.yarn_beta_fast = 16\n" + arch +
                          ".rope.scaling.yarn_beta_slow = 2");
  };
  const auto frequencies = [](const std::string& text) {
    return only_layer(text).scaled.frequencies.theta;
  };
  for (const std::string arch : {"deepseek4", "grok", "laguna", "mistral3"})
    EXPECT_NE(frequencies(with_betas(arch)), frequencies(yarn(arch, ""))) << arch;
  EXPECT_EQ(frequencies(yarn("grok", "")),
            frequencies(yarn("grok", "\ngrok.rope.scaling.yarn_beta_fast = 8")));
  for (const std::string arch : {"llama", "qwen2", "deepseek2", "gpt-oss"}) {
    EXPECT_EQ(frequencies(with_betas(arch)), frequencies(yarn(arch, ""))) << arch;
    const Strings all = warnings(with_betas(arch));
    ASSERT_FALSE(all.empty()) << arch;
    EXPECT_NE(all[0].find("yarn_beta_fast: llama.cpp does not read it for " + arch),
              std::string::npos)
        << all[0];
  }
}

TEST(GgufArchitectures, WhoseLayersWithAWindowTurnOtherwise) {
  for (const std::string arch : {"gemma-embedding", "laguna"}) {
    const ModelRope model =
        read("general.architecture = " + arch + "\n" + arch + ".rope.freq_base = 1000000\n" + arch +
             ".attention.key_length = 256\n" + arch + ".attention.sliding_window = 512\n");
    EXPECT_EQ(layer_of(model, "full_attention").base, 1000000) << arch;
    EXPECT_EQ(layer_of(model, "sliding_attention").base, 10000) << arch;
  }
  const std::string yarn =
      "rope.scaling.type = yarn\nolmo2.rope.scaling.factor = 8\n"
      "olmo2.rope.scaling.original_context_length = 8192";
  EXPECT_EQ(only_layer(keys("olmo2", yarn)).rope_type, "yarn") << "OLMo 2 has no window";
  const ModelRope olmo3 = read(keys("olmo2", yarn + "\nolmo2.attention.sliding_window = 4096"));
  EXPECT_EQ(layer_of(olmo3, "full_attention").rope_type, "yarn");
  EXPECT_EQ(layer_of(olmo3, "sliding_attention").rope_type, "default");
  EXPECT_EQ(layer_of(olmo3, "sliding_attention").window, 4096);
}

TEST(GgufArchitectures, HaveTheirOwnAttentionFactorOfYarn) {
  const std::string yarn =
      "rope.scaling.type = yarn\nllama.rope.scaling.factor = 4\n"
      "llama.rope.scaling.original_context_length = 4096";
  const std::string written = keys("llama", yarn + "\nllama.rope.scaling.yarn_attn_factor = 0.5");
  const double own = only_layer(keys("llama", yarn)).scaled.attention_factor;
  EXPECT_EQ(only_layer(written).scaled.attention_factor, own);
  warned(written, "yarn_attn_factor 0.5 is ignored: llama.cpp overwrites it with its own");
  EXPECT_EQ(only_layer(keys("llama", yarn + "\nllama.rope.scaling.attn_factor = 0.5"))
                .scaled.attention_factor,
            own / 2);
}

TEST(GgufArchitectures, OfDeepSeekScaleTheSoftmaxAndNotCosAndSin) {
  const auto yarn = [](const std::string& arch, const std::string& more) {
    return keys(arch, "rope.scaling.type = yarn\n" + arch + ".rope.scaling.factor = 40\n" + arch +
                          ".rope.scaling.original_context_length = 4096\n" + arch + "." + more);
  };
  const LayerRope v3 = only_layer(yarn("deepseek2", "rope.scaling.yarn_log_multiplier = 0.1"));
  EXPECT_EQ(v3.scaled.attention_factor, 1);
  EXPECT_NEAR(v3.softmax_factor, preset_model("deepseek-v3", {}).layers.front().softmax_factor,
              1e-15);
  const LayerRope v2 = only_layer(yarn("deepseek2", "rope.scaling.yarn_log_multiplier = 0.0707"));
  EXPECT_EQ(v2.scaled.attention_factor, 1);
  EXPECT_NEAR(v2.softmax_factor, preset_model("deepseek-v2", {}).layers.front().softmax_factor,
              1e-15);
  // Ministral 3: mscale 1 over mscale_all_dim 1.
  const LayerRope mistral = only_layer(yarn("mistral3", "rope.scaling.yarn_log_multiplier = 1"));
  EXPECT_EQ(mistral.scaled.attention_factor, 1);
  EXPECT_EQ(mistral.softmax_factor, 1);
}

TEST(GgufArchitectures, OfDeepSeekV4HaveABaseForCompressedLayers) {
  const ModelRope model = read(keys("deepseek4",
                                    "rope.scaling.type = yarn\ndeepseek4.rope.scaling.factor = 16\n"
                                    "deepseek4.rope.scaling.original_context_length = 65536\n"
                                    "deepseek4.attention.compress_rope_freq_base = 160000"));
  EXPECT_EQ(layer_of(model, "main").base, 10000);
  EXPECT_EQ(layer_of(model, "main").rope_type, "default");
  EXPECT_EQ(layer_of(model, "compress").base, 160000);
  EXPECT_EQ(layer_of(model, "compress").rope_type, "yarn");
  EXPECT_EQ(layer_of(model, "compress").scaled.attention_factor, 1);
}

TEST(GgufArchitectures, AreReadAsLlamaCppReadsThemWhateverTheEngine) {
  const ModelRope model = read_model(keys("llama"), "x.json", {{}, Engine::gpt_oss});
  ASSERT_EQ(model.all_warnings().size(), 1U);
  EXPECT_NE(model.all_warnings().front().find("regardless of --engine"), std::string::npos);
}

TEST(GgufArchitectures, WithoutARotation) {
  for (const char* arch : {"kimi-linear", "nemotron_h", "nemotron_h_moe", "gpt2", "mamba", "t5",
                           "bert", "clip", "starcoder"})
    unrotated(keys(arch), "llama.cpp's code for general.architecture");
  for (const char* arch : {"granite", "granitemoe", "granitehybrid"}) {
    unrotated(keys(arch, "rope.scaling.finetuned = False"),
              std::string(arch) + ".rope.scaling.finetuned is false");
    EXPECT_TRUE(only_layer(keys(arch, "rope.scaling.finetuned = True")).rotates());
  }
  EXPECT_TRUE(only_layer(keys("llama", "rope.scaling.finetuned = False")).rotates());
  unrotated(keys("baichuan", "block_count = 40"), "baichuan.block_count is 40");
  EXPECT_TRUE(only_layer(keys("baichuan", "block_count = 32")).rotates());
}

TEST(GgufArchitectures, HaveTheLayoutOfLlamaCpp) {
  for (const char* arch : {"mistral4", "deepseek2-ocr", "deepseek32", "granitehybrid", "glm4"}) {
    EXPECT_EQ(only_layer(keys(arch)).layout, PairLayout::interleaved) << arch;
    EXPECT_TRUE(warnings(keys(arch)).empty()) << arch;
  }
  for (const char* arch : {"hunyuan_vl", "mellum", "laguna"}) {
    EXPECT_EQ(only_layer(keys(arch)).layout, PairLayout::half) << arch;
    EXPECT_TRUE(warnings(keys(arch)).empty()) << arch;
  }
  // GLM-4.1V, whose weights the conversion permutes.
  EXPECT_EQ(only_layer(keys("glm4", "rope.dimension_sections = [16, 24, 24, 0]")).layout,
            PairLayout::half);
}

TEST(GgufArchitectures, StandInTheJsonOfGgufDumpWithTheirTypes) {
  const auto dump = [](const std::string& tensors) {
    return R"({"metadata": {"general.architecture": {"index": 1, "type": "STRING",
        "value": "llama"}, "llama.attention.key_length": {"type": "UINT32", "value": 128},
        "llama.context_length": {"value": 131072},
        "llama.rope.freq_base": {"type": "FLOAT32", "value": 500000.0}}, "tensors": {)" +
           tensors + "}}";
  };
  EXPECT_EQ(only_layer(dump("")).rotary_dim, 128U);
  EXPECT_EQ(only_layer(dump("")).base, 5e5);
  warned(dump(R"("rope_freqs.weight": {})"), "rope_freqs.weight holds a divisor for every pair");
  refused("  Model\n    architecture        llama\n    parameters          8.0B\n",
          "x.json: expected a config.json, found the output of ollama show", "/api/show");
}

}  // namespace
}  // namespace rope::test
