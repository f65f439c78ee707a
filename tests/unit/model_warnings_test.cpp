// What surprises gets one warning, which says what happens and what to write; what transformers
// refuses is refused.
#include <gtest/gtest.h>

#include "rope/model/presets.hpp"
#include "unit/model_reading.hpp"

namespace rope::test {
namespace {

const std::string kYarn = R"("rope_type": "yarn", "factor": 4.0,
  "original_max_position_embeddings": 1024)";

std::string yarn(const std::string& more) { return scaled_llama(kYarn + ", " + more); }

TEST(Warnings, AreNoneForACleanFile) {
  EXPECT_TRUE(warnings(llama(R"("rope_theta": 10000.0)")).empty());
  EXPECT_TRUE(warnings(yarn(R"("beta_fast": 32, "beta_slow": 1, "truncate": true)")).empty());
  EXPECT_TRUE(warnings(llama(R"("rope_theta": 10000.0, "vocab_size": 32000, "pad_token_id": null,
    "num_key_value_heads": 8, "hidden_act": "silu", "num_hidden_layers": 32, "v_head_dim": 128,
    "intermediate_size": 11008, "attention_bias": false, "sliding_window": null,
    "max_window_layers": 28, "torch_dtype": "bfloat16", "architectures": ["LlamaForCausalLM"])"))
                  .empty());
}

TEST(Warnings, OfTheLayout) {
  warned(R"({"head_dim": 64, "rope_theta": 1e4})", "model_type is missing");
  warned(R"({"head_dim": 64, "rope_theta": 1e4, "model_type": "tomorrow"})",
         "model_type 'tomorrow' is not known, and no other key states which dimensions form a "
         "pair: half is assumed");
}

TEST(Warnings, OfWhatCodeThatHoldsItsBaseIgnores) {
  for (const std::string type : {"clvp_encoder", "codegen", "gptj", "roformer"}) {
    const std::string sizes = R"({"model_type": ")" + type + R"(", "hidden_size": 768,
      "num_attention_heads": 12, "n_embd": 768, "n_head": 12, "rotary_dim": 64)";
    EXPECT_EQ(only_layer(sizes + R"(, "rope_theta": 5e5})").base, 1e4) << type;
    warned(sizes + R"(, "rope_theta": 5e5})",
           "rope_theta: 500000 is ignored: the code of " + type + " uses 10000");
  }
  const std::string esm = R"({"model_type": "esm", "position_embedding_type": "rotary",
    "hidden_size": 320, "num_attention_heads": 20)";
  const std::string scaled = esm + R"(, "rope_scaling": {"rope_type": "linear", "factor": 2}})";
  EXPECT_EQ(only_layer(scaled).spec.rule, "default");
  warned(scaled, "rope_scaling is ignored: the code of esm does not read it");
  EXPECT_TRUE(warnings(esm + R"(, "rope_theta": 10000})").empty());
}

TEST(Warnings, OfWhatIsMissing) {
  EXPECT_TRUE(warnings(llama("")).empty()) << "Llama 2's own file has no rope_theta";
  EXPECT_NE(warnings(llama(R"("rope_tehta": 5e5)")).back().find("rope_theta is missing, so 10000"),
            std::string::npos);
  warned(R"({"model_type": "gpt_neox", "head_dim": 96, "rotary_emb_base": 10000})",
         "rotary_pct is missing, so 0.25, the default of gpt_neox");
  EXPECT_EQ(only_layer(R"({"model_type": "mixtral", "head_dim": 128})").base, 1e6);
  warned(R"({"model_type": "gemma3_text", "head_dim": 256, "rope_theta": 1e6})",
         "rope_local_base_freq is missing, so 10000");
  warned(scaled_llama(R"("rope_type": "yarn", "factor": 4.0)"),
         "original_max_position_embeddings is missing, so max_position_embeddings, 4096, is used");
  warned(scaled_llama(R"("factor": 4.0)"),
         "rope_type is missing, so the type is default, and the keys of a rule (factor) are "
         "ignored: set rope_type");
}

TEST(Warnings, OfNumbersThatAreNone) {
  const std::string text = llama(R"("rope_theta": "500000")");
  warned(text,
         "rope_theta: '500000' is a string: it is read as 500000 here but fails elsewhere; write "
         "it without quotes");
  EXPECT_EQ(only_layer(text).base, 500000);
  warned(yarn(R"("attention_factor": 1)"), "warns that it is not a float: write 1.0");
}

TEST(Warnings, OfYarn) {
  warned(scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
                         "original_max_position_embeddings": 2048)"),
         "factor: 4 times original_max_position_embeddings, 2048, makes 8192 tokens, which is used "
         "as the context, though max_position_embeddings is 4096: write 8192 there");
  warned(scaled_llama(R"("rope_type": "yarn", "factor": 2.0,
                         "original_max_position_embeddings": 1024)"),
         "factor: 2 is used, though 4096 positions divided by original_max_position_embeddings, "
         "1024, give 4: correct one of the three");
  warned(
      scaled_llama(R"("rope_type": "yarn", "factor": null,
                         "original_max_position_embeddings": 1024)"),
      "factor is null, so max_position_embeddings divided by original_max_position_embeddings, 4");
  warned(yarn(R"("beta_fast": 1, "beta_slow": 32)"), "swap them");
  warned(yarn(R"("mscale": 1.0)"), "mscale is ignored without mscale_all_dim");
  warned(yarn(R"("mscale": 1.0, "mscale_all_dim": 1.0, "attention_factor": 1.5)"),
         "attention_factor takes precedence, so mscale and mscale_all_dim are ignored");
  warned(yarn(R"("attn_factor": 0.87)"),
         "'attn_factor' is ignored by transformers, which reads "
         "attention_factor: write that");
}

TEST(Warnings, OfFactors) {
  warned(scaled_llama(R"("rope_type": "linear", "factor": 0.5)"),
         "factor: 0.5 is below 1, so the pairs turn faster and the context shrinks");
  warned(scaled_llama(R"("rope_type": "dynamic", "factor": 2.0)"), "--seq-len N shows those for N");
  warned(scaled_llama(R"("rope_type": "linear", "factor": 2.0, "beta_fast": 32)"),
         "'beta_fast' is not a key of rope_type linear and is ignored");
}

TEST(Warnings, OfLlama3) {
  const auto llama3 = [](const std::string& low, const std::string& high,
                         const std::string& original) {
    return scaled_llama(R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": )" + low +
                        R"(, "high_freq_factor": )" + high +
                        R"(, "original_max_position_embeddings": )" + original);
  };
  EXPECT_TRUE(warnings(llama3("1.0", "4.0", "1024")).empty());
  warned(llama3("4.0", "1.0", "1024"),
         "high_freq_factor 1 is not above low_freq_factor 4, so no pair is blended");
  warned(llama3("1.0", "1.0", "1024"), "high_freq_factor 1 is not above low_freq_factor 1");
  warned(llama3("1.0", "4.0", "4096"), "is not below max_position_embeddings 4096");
}

TEST(Warnings, OfTheSize) {
  warned(
      R"({"model_type": "phi", "head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.4})",
      "partial_rotary_factor 0.4 of head_dim 64 gives 25 rotated dimensions, an odd number: 13 "
      "frequencies");
  warned(yi(R"("head_dim": 64, "rope_theta": 1e4, "partial_rotary_factor": 0.5,
             "rotary_dim": 16)"),
         "rotary_dim: 16 is used here, though partial_rotary_factor gives 32");
  warned(R"({"model_type": "phi", "hidden_size": 100, "num_attention_heads": 3,
             "rope_theta": 1e4, "head_dim": null, "partial_rotary_factor": 0.97})",
         "100 is not a multiple of 3, the number of heads");
  warned(llama(R"("rope_theta": 1)"), "is 1, so all pairs turn at the same rate");
}

TEST(Warnings, OfLayerTypes) {
  const auto nested = [](const std::string& types, const std::string& parameters,
                         const std::string& model = "yi") {
    return R"({"model_type": ")" + model + R"(", "head_dim": 64, "max_position_embeddings": 4096)" +
           types + R"(, "rope_parameters": {)" + parameters + "}}";
  };
  const std::string full = R"("full_attention": {"rope_type": "default", "rope_theta": 1e4})";
  const std::string types = R"(, "layer_types": ["full_attention"])";
  EXPECT_TRUE(warnings(nested(types, full)).empty());
  warned(nested("", full),
         "layer_types is missing, so transformers takes rope_parameters as the "
         "parameters of all layers");
  const std::string both = full + R"(, "sliding_attention": {"rope_theta": 5e5})";
  warned(nested("", both, "olmo3"), "transformers 4 uses");  // its class makes layer_types
  warned(nested(types, full + R"(, "rope_theta": 1e4)"),
         "'rope_theta' is ignored because each layer type has an object of its own");
  warned(nested(types, full + R"(, "ful_attention": {"rope_theta": 1e4})"),
         "'ful_attention' is not a name in layer_types (full_attention)");
  warned(nested(R"(, "layer_types": ["full_attention", "sliding_attention"])", full),
         "sliding_attention is missing, though layer_types names it");
  warned(nested(types + R"(, "num_hidden_layers": 3)", full), "layer_types names 1 layers, but");
  warned(yi(R"("rope_theta": 1e4, "num_hidden_layers": 4, "no_rope_layers": [1, 0])"),
         "no_rope_layers has 2 numbers, but num_hidden_layers is 4");
  warned(yi(R"("num_hidden_layers": 4, "layer_rope_theta": [1e4, 1e4])"),
         "layer_rope_theta has 2 numbers, but num_hidden_layers is 4");
  warned(yi(R"("num_hidden_layers": 2, "layer_rope_theta": [1e4, 1e4],
    "partial_rotary_factors": [1.0])"),
         "partial_rotary_factors has 1 numbers, but layer_rope_theta has 2");
}

TEST(Warnings, OfSections) {
  warned(llama(R"("rope_theta": 1e4, "rope_scaling": {"type": "mrope",
                  "mrope_section": [16, 24, 23]})"),
         "mrope_section adds up to 63, not to the number of pairs, 64");
}

TEST(Warnings, OfLongrope) {
  const auto longrope = [](const std::string& shorts, const std::string& longs,
                           const std::string& more) {
    return R"({"model_type": "phi3", "head_dim": 4, "rope_theta": 1e4,
      "max_position_embeddings": 8192, "original_max_position_embeddings": 4096,
      "rope_scaling": {"rope_type": "longrope", "short_factor": )" +
           shorts + R"(, "long_factor": )" + longs + more + "}}";
  };
  ReadOptions within;
  within.seq_len = 100;
  warned(longrope("[1, 1]", "[1, 2]", R"(, "factor": 2.0)"), "two sets of frequencies");
  EXPECT_TRUE(warnings(longrope("[1, 1]", "[1, 2]", R"(, "factor": 2.0)"), within).empty());
  EXPECT_TRUE(warnings(longrope("[1, 1]", "[1, 2]", ""), within).empty());
  warned(longrope("[1, 1]", "[1, 2]", R"(, "factor": 4.0)"), "factor: 4 is used by transformers v5",
         within);
  // The list at hand must fit; the other is warned of.
  warned(longrope("[1, 1]", "[1, 2, 3]", R"(, "factor": 2.0)"),
         "long_factor has 3 numbers instead of 2", within);
  refused(longrope("[1, 1, 1]", "[1, 2]", R"(, "factor": 2.0)"),
          "x.json: rope_scaling.short_factor: expected 2 numbers, one for each pair, found 3");
  refused(longrope("[1, \"a\"]", "[1, 2]", ""),
          "x.json: rope_scaling.short_factor: expected a list of numbers, found 'a' at index 1");
  refused(longrope("3", "[1, 2]", ""), "x.json: rope_scaling.short_factor: expected a list");
}

TEST(Refusals, OfTypes) {
  refused(scaled_llama(R"("rope_type": "ntk", "factor": 8.0)"),
          "x.json: rope_scaling.rope_type: expected one of default, linear, dynamic, yarn, "
          "longrope, llama3, proportional, found 'ntk'",
          "KeyError");
  refused(scaled_llama(R"("type": "yran", "factor": 8.0)"), "x.json: rope_scaling.type: expected",
          "Did you mean yarn?");
  refused(scaled_llama(R"("rope_type": 5)"),
          "x.json: rope_scaling.rope_type: expected a string, found 5");
  for (const char* value : {"[1]", "\"yarn\"", "5", "true"})
    refused(llama(R"("rope_theta": 1e4, "rope_scaling": )" + std::string(value)),
            "x.json: rope_scaling: expected an object or null, found ", "rope_type");
}

TEST(Refusals, OfMissingParameters) {
  for (const char* type : {"linear", "dynamic", "yarn", "llama3"})
    refused(scaled_llama(R"("rope_type": ")" + std::string(type) + "\""),
            "x.json: rope_scaling.factor: expected the factor by which the context grows with "
            "rope_type " +
                std::string(type) + ", found nothing",
            "add factor");
  refused(scaled_llama(R"("rope_type": "linear", "fctor": 2.0)"),
          "x.json: rope_scaling.factor: expected the factor by which the context grows with "
          "rope_type linear, found nothing; 'fctor' looks like a misspelling of factor");
  refused(scaled_llama(R"("rope_type": "llama3", "factor": 8.0, "high_freq_factor": 4.0)"),
          "x.json: rope_scaling.low_freq_factor: expected");
  refused(scaled_llama(R"("rope_type": "longrope", "long_factor": [1.0])"),
          "x.json: rope_scaling.short_factor: expected");
  refused(R"({"model_type": "internlm2", "head_dim": 64, "rope_theta": 1e4, "rope_scaling":
             {"rope_type": "dynamic", "factor": 2.0}})",
          "max_position_embeddings: expected a number of positions for rope_type dynamic");
}

TEST(Refusals, OfValues) {
  refused(llama(R"("rope_theta": "abc")"), "x.json: rope_theta: expected a number, found 'abc'");
  refused(llama(R"("rope_theta": true)"), "x.json: rope_theta: expected a number, found true");
  refused(llama(R"("rope_theta": {})"), "x.json: rope_theta: expected a number, found an object");
  refused(llama(R"("rope_theta": 0)"), "x.json: rope_theta: expected a number above 0, found 0");
  refused(llama(R"("rope_theta": -1)"), "x.json: rope_theta: expected a number above 0, found -1");
  refused(scaled_llama(R"("rope_type": "linear", "factor": 0)"),
          "x.json: rope_scaling: scaling linear: factor: expected a finite number above 0, got 0");
  refused(scaled_llama(R"("rope_type": "linear", "factor": null)"),
          "x.json: rope_scaling.factor: expected a number, found null");
  refused(yarn(R"("attention_factor": -1.0)"),
          "x.json: rope_scaling.attention_factor: expected a number above 0, found -1");
  refused(yarn(R"("truncate": "no")"),
          "x.json: rope_scaling.truncate: expected true or false, found 'no'");
  refused(scaled_llama(R"("rope_type": "yarn", "factor": 4.0,
                          "original_max_position_embeddings": 1024.5)"),
          "x.json: rope_scaling.original_max_position_embeddings: expected a whole number");
  for (const char* factor : {"0", "-0.5", "1.5", "0.001"})
    refused(R"({"model_type": "phi", "head_dim": 64, "rope_theta": 1e4,
               "partial_rotary_factor": )" +
                std::string(factor) + "}",
            "x.json: partial_rotary_factor: expected a number above 0 and at most 1");
  refused(R"({"model_type": "gptj", "head_dim": 64, "rotary_dim": 128})",
          "x.json: rotary_dim: expected at most head_dim, 64, found 128");
}

TEST(Warnings, AreNotGivenOfWhatChangesNothing) {
  for (const char* member :
       {R"("use_mrope": false)", R"("modal_type": "text")", R"("moe_interleave": true)",
        R"("use_rotary_pos_emb": true)", R"("rotary_emb_scale_base": null)",
        R"("rope_position_scale": 1.0)", R"("rotary_scaling_factor": 1.0)", R"("rope": true)",
        R"("original_rope": true)", R"("indexer_rope_interleave": true)"})
    EXPECT_TRUE(warnings(llama(R"("rope_theta": 1e4, )" + std::string(member))).empty()) << member;
  for (const char* member :
       {R"("use_mrope": true)", R"("rope_position_scale": 2.0)", R"("use_rope_everywhere": false)"})
    warned(llama(R"("rope_theta": 1e4, )" + std::string(member)), "is not a key that rope knows");
  EXPECT_TRUE(warnings(scaled_llama(R"("rope_type": "default", "interleaved": true)")).empty());
}

TEST(Warnings, DoNotBlameAFileForTheLengthOfItsClass) {
  const auto olmo = [](const std::string& more) {
    return R"({"model_type": "olmo2", "head_dim": 128, "rope_theta": 5e5)" + more +
           R"(, "rope_scaling": {"rope_type": "yarn", "factor": 8.0,
           "original_max_position_embeddings": 8192}})";
  };
  EXPECT_TRUE(warnings(olmo("")).empty());
  warned(olmo(R"(, "max_position_embeddings": 131072)"), "correct one of the three");
}

TEST(Warnings, NameTheTextPartOfAWholeAsItIs) {
  const std::string odd = R"({"text_config": {"model_type": "llama", "head_dim": 73,
      "rope_theta": 1e4}})";
  warned(odd, "x.json: text_config: there are 73 rotated dimensions");
}

TEST(Refusals, OfSizes) {
  refused("{}", "x.json: expected a key that shows a rotary embedding");
  refused(R"({"rope_theta": 1e4})",
          "x.json: expected head_dim, or hidden_size and num_attention_heads, found no "
          "hidden_size");
  refused(
      R"({"hidden_sise": 64, "num_attention_heads": 2, "rope_theta": 1e4})",
      "x.json: expected head_dim, or hidden_size and num_attention_heads, found no hidden_size; "
      "'hidden_sise' looks like a misspelling of hidden_size");
  refused(llama(R"("head_dim": 0)"), "x.json: head_dim: expected a whole number from 1");
  refused(llama(R"("head_dim": 1e9)"), "x.json: head_dim: expected a head of at most 65536");
  refused(R"({"hidden_size": 2, "num_attention_heads": 4, "rope_theta": 1e4})",
          "x.json: hidden_size: expected at ");
  refused(scaled_llama(R"("rope_type": "yarn", "factor": 4.0, "partial_rotary_factor": 0.2)"),
          "x.json: rope_scaling: scaling yarn: rotary_dim: expected an even integer");
  refused(R"({"model_type": "llama", "head_dim": 2, "max_position_embeddings": 64,
              "rope_theta": 1e4, "rope_scaling": {"rope_type": "dynamic", "factor": 2.0}})",
          "x.json: rope_scaling: scaling dynamic: rotary_dim: expected a size other than 2");
}

TEST(Refusals, OfCountlessKindsOfLayers) {
  std::string bases = "1.5";
  for (int i = 0; i < 20000; ++i) bases += ", " + std::to_string(i + 2);
  refused(yi(R"("layer_rope_theta": [)" + bases + "]"),
          "x.json: expected at most 64 kinds of layer, found more");
}

TEST(Refusals, OfModelsThatDoNotRotate) {
  unrotated(R"({"model_type": "gpt2", "n_embd": 768, "n_head": 12})",
            "the code of model_type 'gpt2' rotates nothing");
  unrotated(
      R"({"model_type": "falcon", "hidden_size": 64, "num_attention_heads": 1, "alibi": true})",
      "x.json: alibi is true: ALiBi");
  refused(llama(R"("rope_theta": 1e4, "rope_scaling": {"type": "mrope",
                   "mrope_section": [1e300, 1]})"),
          "x.json: rope_scaling.mrope_section: expected numbers of pairs");
}

TEST(Refusals, OfFilesThatAreNone) {
  refused("", "x.json: expected a config.json, found nothing");
  refused(" \n", "x.json: expected a config.json, found nothing");
  refused("[]", "x.json: expected a JSON object, found a list of length 0");
  refused("5", "x.json: expected a JSON object, found 5");
  refused("{", "x.json: line 1, column 2: expected valid JSON");
  refused(R"({"head_dim": 64)", "x.json: line 1, column 16: expected valid JSON");
  refused("not json", "x.json: line 1, column 2: expected valid JSON");
  refused("{\"a\": \"\xff\"}", "x.json: line 1, column 8: expected valid JSON");
  refused("GGUF\x03", "x.json: expected a GGUF file, found a truncated one", "config.json");
  refused(std::string(100, '['), "x.json: line 1, column 65: expected at most 64 levels");
  refused(std::string(kMaxModelFile + 1, ' '), "x.json: expected at most 4 MiB, found more");
  refused(llama(R"("rope_theta": 1e4, "rope_theta": 5e5)"),
          "x.json: expected one value for 'rope_theta', found 10000.0 and 500000.0",
          "Remove one of them");
  refused(R"({"head_dim": 1e999})", "x.json: line 1, column 14: expected a number in the range");
}

TEST(Refusals, OfEveryBeginningOfAFileAndEveryByteChanged) {
  const std::string whole = R"({"model_type": "llama", "head_dim": 4, "rope_theta": 1e4,
    "max_position_embeddings": 4096, "rope_scaling": {)" +
                            kYarn + R"(, "truncate": false}})";
  std::size_t read_anyway = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      read(text);
      ++read_anyway;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  };
  for (std::size_t length = 0; length < whole.size(); ++length) attempt(whole.substr(0, length));
  EXPECT_EQ(read_anyway, 0U);
  for (std::size_t place = 0; place < whole.size(); ++place)
    for (const char byte : {'\0', '"', '{', '}', '[', '9', '\xff', '-'}) {
      std::string changed = whole;
      changed[place] = byte;
      attempt(changed);
    }
}

}  // namespace
}  // namespace rope::test
