// No key of the schema can be misspelt by one letter without a word about it.
#include "rope/model/rope_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// Every word that one letter dropped, doubled, changed or swapped makes of `word`.
Strings slips(const std::string& word) {
  Strings all;
  for (std::size_t i = 0; i < word.size(); ++i) {
    all.push_back(word.substr(0, i) + word.substr(i + 1));
    all.push_back(word.substr(0, i) + word[i] + word.substr(i));
    std::string changed = word;
    changed[i] = word[i] == 'x' ? 'q' : 'x';
    all.push_back(changed);
    if (i + 1 < word.size() && word[i] != word[i + 1]) {
      std::string swapped = word;
      std::swap(swapped[i], swapped[i + 1]);
      all.push_back(swapped);
    }
  }
  return all;
}

template <typename Words>
bool holds(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

/// Whether reading says anything that names `wrong`: a warning, or the reason of a refusal.
bool noticed(const std::string& text, const std::string& wrong) {
  try {
    for (const std::string& warning : warnings(text))
      if (warning.find("'" + wrong + "'") != std::string::npos) return true;
  } catch (const Error& error) {
    return std::string(error.what()).find("'" + wrong + "'") != std::string::npos;
  }
  return false;
}

TEST(Keys, OfTheRootMisspeltByOneLetterAreNoticed) {
  const std::string rest = R"({"model_type": "llama", "head_dim": 2, "rope_theta": 1e4)";
  std::size_t tried = 0;
  for (const std::string_view key : root_keys())
    for (const std::string& wrong : slips(std::string(key))) {
      if (holds(root_keys(), wrong)) continue;
      ++tried;
      EXPECT_TRUE(noticed(rest + ", \"" + wrong + "\": 1}", wrong)) << wrong << " for " << key;
    }
  EXPECT_GT(tried, 1500U);
}

TEST(Keys, OfTheParametersMisspeltByOneLetterAreNoticed) {
  std::size_t tried = 0;
  for (const char* type : {"linear", "yarn", "llama3", "longrope", "dynamic", "proportional"})
    for (const std::string_view key : all_rule_keys())
      for (const std::string& wrong : slips(std::string(key))) {
        if (holds(all_rule_keys(), wrong)) continue;
        ++tried;
        const std::string text =
            R"({"model_type": "llama", "head_dim": 4, "rope_theta": 1e4,
                "max_position_embeddings": 4096, "rope_scaling": {"rope_type": ")" +
            std::string(type) + R"(", "factor": 2.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "short_factor": [1, 1], "long_factor": [1, 1], ")" +
            wrong + "\": 1}}";
        EXPECT_TRUE(noticed(text, wrong)) << wrong << " for " << key;
      }
  EXPECT_GT(tried, 3000U);
}

TEST(Keys, MisspeltGetTheLikelyOne) {
  warned(llama(R"("rope_theta": 1e4, "rope_scalling": {"rope_type": "linear", "factor": 2.0})"),
         "'rope_scalling' is not a known key and is ignored: did you mean rope_scaling?");
  warned(llama(R"("rope_theta": 1e4, "rope_tehta": 5e5)"), "did you mean rope_theta?");
  warned(scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
                         "original_max_position_embeddings": 1024, "beta_fats": 16)"),
         "rope_scaling.'beta_fats' is not a known key and is ignored: did you mean beta_fast?");
  warned(llama(R"("rope_theta": 1e4, "low_freq_factor": 4.0)"), "belongs in rope_parameters");
  warned(llama(R"("rope_theta": 1e4, "rope_wonder": 4.0)"), "is not a key that rope knows");
  warned(scaled_llama(R"("rope_type": "linear", "factor": 2.0, "wonder": 1)"),
         "'wonder' is not a known key and is ignored: leave it out");
}

TEST(Keys, OfOtherClassesAreIgnoredInTypesWithAClass) {
  const auto of = [](const std::string& type, const std::string& members) {
    return R"({"model_type": ")" + type + R"(", "hidden_size": 4096, "num_attention_heads": 32,
        "rope_theta": 2e4, "max_position_embeddings": 4096, )" +
           members + "}";
  };
  for (const char* key : {"rotary_emb_base", "global_rope_theta", "local_rope_theta",
                          "rope_local_base_freq", "rope_local_theta", "rotary_base"}) {
    const std::string member = "\"" + std::string(key) + R"(": 160000)";
    EXPECT_EQ(only_layer(of("llama", member)).base, 2e4) << key;
    warned(of("llama", member),
           std::string(key) + " is ignored: the class of llama does not read it");
  }
  EXPECT_EQ(only_layer(of("brand_new", R"("rotary_emb_base": 160000)")).base, 160000);
  EXPECT_EQ(only_layer(of("llama", R"("rotary_emb_base": 160000, "auto_map": {"A": "b"})")).base,
            160000);
  EXPECT_EQ(read(of("brand_new", R"("global_rope_theta": 160000)")).layers.size(), 2U);
  for (const char* key : {"kv_channels", "qk_rope_head_dim"}) {
    const std::string member = "\"" + std::string(key) + R"(": 64)";
    EXPECT_EQ(only_layer(of("llama", member)).head_dim, 128U) << key;
    warned(of("llama", member),
           std::string(key) + " is ignored: the class of llama does not read it");
    EXPECT_EQ(only_layer(of("brand_new", member)).head_dim, 64U) << key;
  }
  EXPECT_TRUE(warnings(of("llama", R"("kv_channels": 128, "qk_rope_head_dim": 0)")).empty());
  EXPECT_EQ(only_layer(of("jetmoe", R"("kv_channels": 64)")).head_dim, 64U);
  EXPECT_EQ(only_layer(of("deepseek_v3", R"("qk_rope_head_dim": 32)")).head_dim, 32U);
  EXPECT_EQ(only_layer(of("phi", R"("rotary_pct": 0.25)")).rotary_dim, 64U);
}

TEST(Keys, OfGptNeoXForTheFractionIsRotaryPctAlone) {
  const auto rotated = [](const std::string& members) {
    return only_layer(R"({"model_type": "gpt_neox", "head_dim": 128, "rotary_emb_base": 1e4, )" +
                      members + "}")
        .rotary_dim;
  };
  EXPECT_EQ(rotated(R"("rotary_pct": 0.75)"), 96U);
  EXPECT_EQ(rotated(R"("partial_rotary_factor": 0.5)"), 32U);
  EXPECT_EQ(rotated(R"("partial_rotary_factor": 0.5, "rotary_pct": 0.75)"), 96U);
  EXPECT_EQ(rotated(R"("rotary_pct": 0.75, "rope_parameters": {"rope_theta": 1e4,
      "partial_rotary_factor": 0.5})"),
            64U);
  warned(R"({"model_type": "gpt_neox", "head_dim": 128, "rotary_emb_base": 1e4,
      "partial_rotary_factor": 0.5, "rotary_pct": 0.75})",
         "partial_rotary_factor: 0.5 is ignored by rope_type default: gpt_neox reads rotary_pct");
}

TEST(Keys, OfOneModelAlone) {
  const std::string qwen = R"({"model_type": "qwen", "hidden_size": 4096, "num_attention_heads": 32,
      "rotary_emb_base": 10000, "max_position_embeddings": 32768)";
  EXPECT_EQ(read(qwen + R"(, "seq_length": 8192})").context, 8192);
  EXPECT_EQ(read(qwen + "}").context, 32768);
  EXPECT_EQ(only_layer(R"({"model_type": "zamba2", "hidden_size": 2560, "num_attention_heads": 32,
      "attention_head_dim": 160, "use_mem_rope": true, "rope_theta": 10000, "max_position_embeddings": 4096})")
                .head_dim,
            160U);
  EXPECT_EQ(only_layer(R"({"hidden_size": 2560, "num_attention_heads": 32,
      "attention_head_dim": 160, "rope_theta": 10000, "max_position_embeddings": 4096})")
                .head_dim,
            160U);
  warned(scaled_llama(R"("rope_type": "yarn", "factor": 16.0, "llama_4_scaling_beta": 0.1,
      "original_max_position_embeddings": 256)"),
         "'llama_4_scaling_beta' scales the queries as their position grows");
}

}  // namespace
}  // namespace rope::test
