// Keys that the class of a model type does not read, and layer types that nothing is read of.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "rope/model/class_defaults.hpp"
#include "rope/model/known_models.hpp"
#include "rope/model/rope_keys.hpp"
#include "rope/model/typed_root.hpp"
#include "support/show.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

/// A key of single models with a value that does not say what holds without it.
struct Foreign {
  std::string_view key;
  std::string_view value;
};

constexpr auto kForeign = std::to_array<Foreign>({
    {"rope_interleave", ""},  // the layout that is not the class's
    {"rope_interleaved", ""},
    {"rotary_emb_interleaved", ""},
    {"attn_config", R"({"rope_theta": 500})"},
    {"compress_rope_theta", "500"},
    {"global_rope_theta", "500"},
    {"layer_rope_theta", "[500, 500, 0, 500, 500, 500, 500, 500]"},
    {"local_rope_theta", "500"},
    {"position_embedding_base", "500"},
    {"rope_base", "500"},
    {"rope_embedding_base", "500"},
    {"rope_freq_constant", "500"},
    {"rope_local_base_freq", "500"},
    {"rope_local_theta", "500"},
    {"rope_ratio", "500"},
    {"rope_scaling_factor", R"(4, "initial_context_length": 1024)"},
    {"rotary_base", "500"},
    {"rotary_emb_base", "500"},
    {"rotary_embedding_base", "500"},
    {"swa_rope_theta", "500"},
    {"use_dynamic_ntk", "true"},
    {"yarn_only_types", R"(["full_attention"])"},
    {"attention_head_dim", "4"},
    {"attention_qk_rope_dim", "4"},
    {"global_head_dim", "4"},
    {"kv_channels", "4"},
    {"partial_rotary_factors", "[0.5, 1, 1, 1, 1, 1, 1, 1]"},
    {"qk_rope_head_dim", "4"},
    {"rope_pct", "0.5"},
    {"rotary_dim", "4"},
    {"rotary_emb_fraction", "0"},
    {"rotary_pct", "0.5"},
    {"swa_head_dim", "4"},
    {"context_window_size", "99"},
    {"max_context_length", "99"},
    {"max_seq_len", "99"},
    {"max_seqlen", "99"},
    {"max_sequence_length", "99"},
    {"n_positions", "99"},
    {"seq_length", "99"},
    {"_sliding_window_pattern", "2"},
    {"sliding_window_pattern", R"("LG")"},
    {"attention_layer_idx", "[3]"},
    {"attention_layer_idxs", "[3]"},
    {"attention_layer_indices", "[3]"},
    {"attention_layers_idx", "[3]"},
    {"attn_layer_ids", "[3]"},
    {"attn_layer_idx", "[3]"},
    {"attn_layer_idxs", "[3]"},
    {"attn_layer_indices", "[3]"},
    {"attn_layer_period", "2"},
    {"attn_type_list", "[1, 0, 1, 1, 1, 1, 1, 1]"},
    {"attn_use_rope", R"(false, "mixer_types": ["softmax", "lightning-attn"])"},
    {"block_configs", R"([{"attention": {"no_op": true}}])"},
    {"block_types", R"(["mamba", "attention"])"},
    {"cross_attention_layers", "[3]"},
    {"full_attention_interval", "2"},
    {"full_attn_idxs", "[3]"},
    {"hybrid_layer_ids", "[3]"},
    {"hybrid_layer_pattern", "[1, 0, 1, 0, 1, 0, 1, 0]"},
    {"layers_block_type", R"(["mamba", "attention"])"},
    {"linear_attention_layers", "[3]"},
    {"linear_attn_layers", "[3]"},
    {"no_rope_layer_interval", "2"},
    {"no_rope_layers", "[0, 1, 1, 1, 1, 1, 1, 1]"},
    {"alibi", "true"},
    {"block_position_encoding", "true"},
    {"mla_use_nope", "true"},
    {"position_embedding_type", R"("alibi")"},
    {"position_embeddings_type", R"("none")"},
    {"position_encoding_2d", "true"},
    {"rope", "false"},
});

/// Keys of a root that are read of every type, and those that name a part or a size of it.
constexpr auto kOfAll = std::to_array<std::string_view>({"rope_theta",
                                                         "rope_scaling",
                                                         "rope_parameters",
                                                         "partial_rotary_factor",
                                                         "qk_nope_head_dim",
                                                         "original_max_position_embeddings",
                                                         "layer_types",
                                                         "head_dim",
                                                         "hidden_size",
                                                         "num_attention_heads",
                                                         "max_position_embeddings",
                                                         "num_hidden_layers",
                                                         "model_type",
                                                         "use_mem_rope",
                                                         "use_long_context",
                                                         "projection_dim",
                                                         "n_embd",
                                                         "d_model",
                                                         "n_head",
                                                         "n_heads",
                                                         "llm_cfg",
                                                         "decoder_config",
                                                         "vlm_config",
                                                         "text_config",
                                                         "language_config",
                                                         "llm_config"});

std::string small(const std::string& type, const std::string& members = "") {
  std::string more;
  if (type == "esm") more = R"(, "position_embedding_type": "rotary")";
  if (type == "granitemoehybrid") more = R"(, "position_embedding_type": "rope")";
  if (type.starts_with("wav2vec2")) more = R"(, "position_embeddings_type": "rotary")";
  if (type == "zamba2") more = R"(, "use_mem_rope": true)";
  return R"({"model_type": ")" + type + R"(", "hidden_size": 96, "num_attention_heads": 12,
    "head_dim": 8, "num_hidden_layers": 8)" +
         more + members + "}";
}

/// All that is read, but the warnings.
std::string reading(const ModelRope& model) {
  std::string text = model.context ? std::to_string(*model.context) : "no context";
  for (const std::string& note : model.notes) text += "; " + note;
  for (const LayerRope& layer : model.layers) {
    text += "; " + layer.name + " " + layer.rope_type + " " + std::string(name(layer.layout)) +
            " " + std::to_string(layer.head_dim) + " " + show(layer.scaled.attention_factor);
    for (const double theta : layer.scaled.frequencies.theta) text += " " + show(theta);
    for (const std::size_t number : layer.layers) text += " #" + std::to_string(number);
  }
  return text;
}

bool tells(const Strings& all, const std::string& text) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(text) != std::string::npos; });
}

std::string member(const Foreign& foreign, const ModelRope& plain) {
  const bool half = plain.layers.front().layout == PairLayout::half;
  const std::string_view other = half ? "true" : "false";
  return ", \"" + std::string(foreign.key) +
         "\": " + std::string(foreign.value.empty() ? other : foreign.value);
}

TEST(ForeignKeys, AreIgnoredWithAWarningInEveryTypeWhoseClassDoesNotReadThem) {
  std::size_t types = 0;
  for (const KnownModel& known : known_models()) {
    if (known.hidden_size == 0) continue;
    ++types;
    const std::string type(known.model_type);
    const ModelRope plain = read(small(type));
    const std::string expected = reading(plain);
    for (const Foreign& foreign : kForeign) {
      if (class_reads(foreign.key, type)) continue;
      const ModelRope model = read(small(type, member(foreign, plain)));
      EXPECT_EQ(reading(model), expected) << type << " " << foreign.key;
      EXPECT_TRUE(tells(model.all_warnings(), "x.json: " + std::string(foreign.key) +
                                                  " is ignored: the class of " + type +
                                                  " does not read it"))
          << type << " " << foreign.key;
    }
  }
  EXPECT_GE(types, 170U);
}

TEST(ForeignKeys, AreAllOfThoseThatOnlySomeTypesRead) {
  for (const std::string_view key : root_keys())
    EXPECT_NE(std::ranges::count(kForeign, key, &Foreign::key), std::ranges::count(kOfAll, key))
        << key << ": of which types is it?";
  for (const Foreign& foreign : kForeign)
    EXPECT_FALSE(class_reads(foreign.key, "llama")) << foreign.key;
}

TEST(ForeignKeys, CountWhereOtherCodeReadsThem) {
  for (const Foreign& foreign : kForeign) {
    const std::string text = member(foreign, read(small("llama")));
    for (
        const std::string& own :
        {small("yi", text), small("llama", text + R"(, "auto_map": {"AutoModel": "x.Y"})"),
         R"({"model_type": "llama", "model_config": {"hidden_size": 96, "num_attention_heads": 12)" +
             text + "}}",
         small("my_model", text + R"(, "architectures": ["LlamaForCausalLM"])")})
      try {
        EXPECT_FALSE(tells(warnings(own), "does not read this key")) << own;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("position_encoding_2d"), std::string::npos) << own;
      }
  }
  EXPECT_EQ(read(small("yi", R"(, "rope_interleave": true)")).layers.front().layout,
            PairLayout::interleaved);
  EXPECT_EQ(read(small("deepseek_v3", R"(, "rope_interleave": false)")).layers.front().layout,
            PairLayout::half);
}

TEST(ForeignKeys, ThatSayWhatHoldsWithoutThemAreLeftAlone) {
  for (const char* member :
       {R"("rope_interleaved": false)", R"("alibi": false)", R"("rope": true)",
        R"("no_rope_layers": [1, 1])", R"("attn_type_list": [1, 1])", R"("rope_ratio": 1)",
        R"("attention_head_dim": 8)", R"("seq_length": 4096)", R"("attn_config": {"clip_qkv": 8})",
        R"("position_embedding_type": "absolute")", R"("position_embedding_type": "rope")",
        R"("attn_layer_indices": [])", R"("mla_use_nope": null)"})
    EXPECT_TRUE(
        warnings(small("llama", R"(, "max_position_embeddings": 4096, )" + std::string(member)))
            .empty())
        << member;
  warned(small("llama", R"(, "position_embedding_type": "rope_gptj")"),
         "position_embedding_type is ignored: the class of llama does not read it");
}

TEST(ForeignKeys, AreListsWhereAClassReadsANumber) {
  for (const std::string key : {"rope_theta", "partial_rotary_factor"}) {
    const std::string list = ", \"" + key + R"(": [0.5, 1, 0.5, 1, 1, 1, 1, 1])";
    EXPECT_TRUE(tells(warnings(small("llama", list)), key + ": this list is read as one number"));
    EXPECT_FALSE(tells(warnings(small("yi", list)), "this list is read"));
    EXPECT_FALSE(tells(warnings(small("step3p5", list)), "this list is read"));
  }
}

TEST(ForeignKeys, OfSizesCountAndAreTold) {
  for (const KnownModel& known : known_models()) {
    const std::string type(known.model_type);
    if (known.hidden_size == 0 || known.head_dim != 0 || type == "zamba2" || type == "moonshine" ||
        type == "gptj" || type == "codegen" || type == "dbrx")
      continue;
    for (const char* heads : {"n_head", "n_heads", "num_heads", "decoder_num_attention_heads"}) {
      std::string text = small(type, ", \"" + std::string(heads) + "\": 6");
      for (const std::string_view usual : {R"("num_attention_heads": 12,)", R"("head_dim": 8,)"})
        text.replace(text.find(usual), usual.size(), "");
      EXPECT_TRUE(tells(warnings(text), std::string(heads) + " is read as num_attention_heads, " +
                                            "though the class of " + type +
                                            " does not read this key"))
          << text;
    }
  }
}

// --- layer types ---------------------------------------------------------------------------------

TEST(LayerTypes, OfWhichNothingIsReadAreTold) {
  for (const KnownModel& known : known_models()) {
    if (known.hidden_size == 0) continue;
    const std::string type(known.model_type);
    const ModelRope plain = read(small(type));
    const std::string& first = plain.layers.front().name;
    if (first.empty() || first.starts_with("layers ")) continue;
    const std::string types = R"(, "layer_types": [")" + first + R"(", "slidng_attention"])";
    EXPECT_TRUE(tells(warnings(small(type, types)), "slidng_attention")) << type;
  }
}

TEST(LayerTypes, ThatTheClassMakesAreComparedWithTheObjects) {
  for (const KnownModel& known : known_models()) {
    const auto types = layer_types_of_class(known.model_type);
    if (types.empty()) continue;
    const std::string type(known.model_type);
    const Strings all = warnings(small(type, R"(, "global_head_dim": 8,
        "rope_parameters": {"slidng": {"rope_theta": 5e5, "partial_rotary_factor": 1}})"));
    EXPECT_TRUE(tells(all, "'slidng' is not a layer type of the class of " + type)) << type;
    for (const std::string_view name : types)
      EXPECT_TRUE(tells(all, "rope_parameters." + std::string(name) + " is missing")) << type;
  }
}

TEST(LayerTypes, ThatAreMissingAreThoseOfTheClassWithItsBases) {
  for (const auto& [type, global, local] :
       {std::tuple{"gemma3_text", "rope_theta", "rope_local_base_freq"},
        std::tuple{"gemma3n_text", "rope_theta", "rope_local_base_freq"},
        std::tuple{"modernbert", "global_rope_theta", "local_rope_theta"}}) {
    const std::string bases = ", \"" + std::string(global) + "\": 700, \"" + local + "\": 70, ";
    for (const char* object : {R"("rope_type": "default")", ""}) {
      const std::string sliding =
          std::string(object).empty() ? "null" : "{" + std::string(object) + "}";
      const ModelRope model = read(small(type, bases + R"("rope_parameters": {"full_attention": {},
        "sliding_attention": )" + sliding + "}"));
      EXPECT_EQ(layer_of(model, "full_attention").base, 700) << type;
      EXPECT_EQ(layer_of(model, "sliding_attention").base, 70) << type;
      EXPECT_TRUE(layer_of(model, "sliding_attention").rotates()) << type;
    }
  }
}

TEST(LayerTypes, OfTheClassWithoutLayersAreNotBlamed) {
  for (const char* type : {"gemma3_text", "modernbert", "olmo3", "gemma4_text"})
    for (const char* sliding : {R"(, "sliding_attention": {"rope_theta": 1e4})", ""})
      EXPECT_FALSE(tells(warnings(small(type, R"(, "layer_types": ["full_attention"],
          "global_head_dim": 8, "rope_parameters": {"full_attention": {"rope_theta": 1e6})" +
                                                  std::string(sliding) + "}")),
                         "sliding_attention"))
          << type << sliding;
}

TEST(LayerTypes, OfDeepSeekV4AreReadTogether) {
  const std::string bases = R"(, "rope_theta": 700, "compress_rope_theta": 7000, )";
  const ModelRope one =
      read(small("deepseek_v4", bases + R"("rope_parameters": {"main": {"rope_theta": 5}})"));
  EXPECT_EQ(layer_of(one, "main").base, 700);
  EXPECT_EQ(layer_of(one, "compress").base, 7000);
  EXPECT_TRUE(tells(one.all_warnings(), "rope_parameters.'main' is ignored: transformers reads"));
  const ModelRope both = read(small("deepseek_v4", bases + R"("rope_parameters": {
    "main": {"rope_theta": 50}, "compress": {"rope_theta": 60}})"));
  EXPECT_EQ(layer_of(both, "main").base, 50);
  EXPECT_EQ(layer_of(both, "compress").base, 60);
  EXPECT_TRUE(tells(both.all_warnings(), "60 is used by transformers v5, but compress_rope_theta"));
}

TEST(LayerTypes, HaveTheirBasesInTheirObjectsAlone) {
  EXPECT_TRUE(tells(warnings(small("deepseek_v4", R"(, "rope_parameters": {"rope_theta": 5000})")),
                    "rope_parameters.rope_theta: 5000 is ignored: the class of deepseek_v4 reads"));
  for (const KnownModel& known : known_models()) {
    const auto parameters = find_class_parameters(known.model_type);
    if (!parameters || !is_by_layer_type(*parameters)) continue;
    const std::string type(known.model_type);
    const std::string heads = R"(, "global_head_dim": 8)";
    const Strings all = warnings(small(type, heads + R"(, "rope_theta": 5000)"));
    EXPECT_TRUE(tells(all, "rope_theta: 5000 is ignored: the class of " + type)) << type;
  }
}

TEST(LayerTypes, OfATypeThatIsNotKnownAreAskedFor) {
  const std::string two = R"(, "rope_theta": 1e4, "swa_rope_theta": 500)";
  EXPECT_TRUE(tells(warnings(small("tomorrow", two)),
                    "the report cannot show which layers use which base"));
  EXPECT_FALSE(tells(warnings(small("tomorrow", two + R"(, "sliding_window_pattern": 2)")),
                     "which layers are of which base"));
}

TEST(Keys, OfEnginesAtTheRootAreNamed) {
  for (const char* member : {R"("use_fope": true)", R"("apply_yarn_scaling": false)"})
    EXPECT_EQ(warnings(small("llama", ", " + std::string(member))).size(), 1U) << member;
  for (const char* member : {R"("use_fope": false)", R"("apply_yarn_scaling": true)"})
    EXPECT_TRUE(warnings(small("llama", ", " + std::string(member))).empty()) << member;
}

TEST(Rules, WithAFactorBelowOneSayWhatItDoes) {
  const auto of = [](const std::string& rule) {
    return small("llama", R"(, "rope_scaling": {"rope_type": ")" + rule + R"(", "factor": 0.5})");
  };
  EXPECT_TRUE(
      tells(warnings(of("dynamic")), "the pairs slow down by less than the growth in length"));
  EXPECT_TRUE(tells(warnings(of("linear")), "the pairs turn faster and the context shrinks"));
}

}  // namespace
}  // namespace rope::test
