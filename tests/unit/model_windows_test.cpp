// The tokens that the layers of a model see: its turns and its negative cosine count within them.
#include <gtest/gtest.h>

#include "rope/model/presets.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

using Tokens = std::optional<std::int64_t>;

/// A config of this type with more members, 512 tokens of context.
std::string windowed(const std::string& type, const std::string& members) {
  return R"({"model_type": ")" + type +
         R"(", "hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 512, )"
         R"("rope_theta": 1e4, )" +
         members + "}";
}

Tokens window(const std::string& type, const std::string& members) {
  return only_layer(windowed(type, members)).window;
}

TEST(Window, IsThatOfEveryLayerOrOfNone) {
  EXPECT_EQ(window("mistral", R"("sliding_window": 128)"), 128);
  EXPECT_EQ(window("phi3", R"("sliding_window": 128)"), 128);
  EXPECT_EQ(window("mistral", R"("sliding_window": null)"), Tokens());
  EXPECT_EQ(window("mistral", R"("sliding_window": -1)"), Tokens());
  EXPECT_EQ(window("mistral", R"("sliding_window": 0)"), Tokens());
  EXPECT_EQ(window("mistral", R"("sliding_window": "128")"), 128) << "in quotes, as any number";
  // Every other layer, those from one on, or none.
  EXPECT_EQ(window("gemma2", R"("sliding_window": 128)"), Tokens());
  EXPECT_EQ(window("qwen2", R"("sliding_window": 128)"), Tokens());
  EXPECT_EQ(window("mistral", R"("sliding_window": 128, "use_sliding_window": false)"), Tokens());
  EXPECT_EQ(window("mistral", R"("sliding_window": 128,
                   "layer_types": ["sliding_attention", "full_attention"])"),
            Tokens());
  EXPECT_EQ(window("qwen3", R"("sliding_window": 128,
                   "layer_types": ["sliding_attention", "sliding_attention"])"),
            128);
}

TEST(Window, OfLlama4IsItsChunk) {
  EXPECT_EQ(window("llama4_text", R"("attention_chunk_size": 64)"), 64);
  EXPECT_EQ(window("llama4_text", R"("sliding_window": 64)"), Tokens());
}

TEST(Window, IsThatOfTheLayersThatSlide) {
  const ModelRope model = preset_model("gemma-3-27b");
  EXPECT_EQ(layer_of(model, "full_attention").window, Tokens());
  EXPECT_EQ(layer_of(model, "sliding_attention").window, 1024);
  EXPECT_EQ(model.reach(layer_of(model, "full_attention")), 131072);
  EXPECT_EQ(model.reach(layer_of(model, "sliding_attention")), 1024);
  const ModelRope dump = read(
      "general.architecture = gemma3\ngemma3.context_length = 4096\n"
      "gemma3.attention.key_length = 256\ngemma3.attention.sliding_window = 512\n"
      "gemma3.rope.freq_base = 1000000.0\n");
  EXPECT_EQ(layer_of(dump, "full_attention").window, Tokens());
  EXPECT_EQ(layer_of(dump, "sliding_attention").window, 512);
  const ModelRope all = read(
      "general.architecture = gemma3\ngemma3.context_length = 4096\n"
      "gemma3.attention.key_length = 256\ngemma3.attention.sliding_window = 0\n");
  EXPECT_EQ(layer_of(all, "sliding_attention").window, Tokens());
}

TEST(Window, LongerThanTheContextDoesNotCount) {
  ModelRope model = read(windowed("mistral", R"("sliding_window": 2048)"));
  EXPECT_EQ(model.layers.front().window, 2048);
  EXPECT_EQ(model.reach(model.layers.front()), 512);
  model.context.reset();
  EXPECT_EQ(model.reach(model.layers.front()), 2048);
}

}  // namespace
}  // namespace rope::test
