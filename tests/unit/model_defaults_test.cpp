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
      "rope_parameters is missing, so the default of gpt_oss is taken, YaRN from 4096 tokens by 32";
  const LayerRope layer = only_layer(gpt_oss(""));
  EXPECT_EQ(layer.rope_type, "yarn");
  EXPECT_EQ(embedding_of(layer).frequencies.theta,
            embedding_of(preset_model("gpt-oss").layers.front()).frequencies.theta);
  EXPECT_NEAR(embedding_of(layer).attention_factor, 1.3465735903, 1e-10);
  warned(gpt_oss(""), missing + ": write it");
  warned(gpt_oss(R"(, "rope_scaling": null)"),
         missing + ", where v4 takes a rope_scaling of null for none");
  EXPECT_EQ(only_layer(gpt_oss(R"(, "rope_parameters": {"rope_type": "default"})")).rope_type,
            "default");
  EXPECT_EQ(only_layer(gpt_oss(R"(, "rope_parameters": {})")).rope_type, "default")
      << "given, though empty";
  EXPECT_EQ(
      only_layer(gpt_oss(R"(, "rope_scaling": {"rope_type": "linear", "factor": 2})")).rope_type,
      "linear");
}

std::string within(const std::string& part) {
  return R"({"model_type": "llava", "text_config": {)" + part + "}}";
}

TEST(ClassDefaults, OfATextModelInALargerOneAreItsSizes) {
  const std::string llava =
      within(R"("model_type": "llama", "max_position_embeddings": 4096, "rope_theta": 1e4)");
  EXPECT_EQ(only_layer(llava).head_dim, 128U);
  warned(llava,
         "text_config: what is missing is taken from the class of llama, as transformers takes it "
         "(hidden_size 4096, num_attention_heads 32): write it");
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
          "Give the config.json of a model, whole");
}

TEST(ClassDefaults, OfAWholeFileAreItsSizesToo) {
  warned(R"({"model_type": "starcoder2", "rope_theta": 1e4})",
         "(hidden_size 3072, num_attention_heads 24): write it");
  EXPECT_EQ(only_layer(R"({"model_type": "llava"})").head_dim, 128U);
  EXPECT_EQ(only_layer(R"({"model_type": "gptj"})").rotary_dim, 64U);
  EXPECT_EQ(only_layer(R"({"model_type": "gptj", "rotary_dim": null})").rotary_dim, 256U);
  EXPECT_EQ(only_layer(R"({"model_type": "mistral4", "rope_parameters": {"rope_theta": 1e4}})")
                .rotary_dim,
            64U);
}

TEST(ClassDefaults, OfQwen3MoeAreNoSizeOfAHead) {
  EXPECT_EQ(only_layer(R"({"model_type": "qwen3_moe", "rope_theta": 1e6, "hidden_size": 2048,
      "num_attention_heads": 32, "max_position_embeddings": 32768})")
                .head_dim,
            64U);
}

}  // namespace
}  // namespace rope::test
