// Text of files that nobody vouches for reaches a terminal without what would steer it.

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/quote.hpp"

namespace rope::test {
namespace {

using HostileTextTest = CliTest;
using io::Json;

/// A title for the window, a colour, a new line of the report, a reversal, an 8-bit CSI.
const std::string kHostile =
    std::string("\x1b]0;evil\a\x1b[31m\nforged\r\x7f") + std::string(1, '\0') + "\u202e\u009b1m";

const std::vector<std::string> kConfigs = {
    R"({"model_type": "llama", "hidden_size": 32, "num_attention_heads": 4, "rope_theta": 10000.0,
        "max_position_embeddings": 64, "torch_dtype": "bfloat16", "rope_thetas": 1,
        "rope_scaling": {"type": "yarn", "factor": 4.0, "betafast": "3",
                         "original_max_position_embeddings": 16}})",
    R"({"model_type": "gemma3_text", "head_dim": 8, "hidden_size": 32, "num_attention_heads": 4,
        "layer_types": ["full_attention", "sliding_attention"], "max_position_embeddings": 64,
        "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0,
                                               "rope_theta": 10000.0},
                            "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}})",
    R"({"architectures": ["X"], "text_config": {"model_type": "qwen2", "hidden_size": 32,
        "num_attention_heads": 4, "max_position_embeddings": 64, "rope_theta": 100.0,
        "rope_scaling": {"rope_type": "longrope", "short_factor": [1, 1, 1, 1], "factor": "2",
                         "long_factor": [1, 1, 1, 1], "original_max_position_embeddings": 16}}})"};

/// Calls `use` with the document as often as it has strings, keys and numbers, each time with
/// another of them made hostile.
void at_every_place(const Json& document, const std::function<void(const Json&)>& use) {
  if (document.is_object()) {
    for (const auto& [key, value] : document.items()) {
      const std::string& name = key;
      Json changed = Json::object();
      for (const auto& [other, inner] : document.items())
        changed[other == name ? other + kHostile : other] = inner;
      use(changed);
      at_every_place(value, [&](const Json& inner) {
        Json whole = document;
        whole[name] = inner;
        use(whole);
      });
    }
  } else if (document.is_array()) {
    for (std::size_t i = 0; i < document.size(); ++i)
      at_every_place(document[i], [&](const Json& inner) {
        Json whole = document;
        whole[i] = inner;
        use(whole);
      });
  } else {
    use(document.is_string() ? Json(document.get<std::string>() + kHostile) : Json(kHostile));
  }
}

void expect_harmless(const Outcome& run, const std::string& of) {
  EXPECT_TRUE(run.exit_code >= 0 && run.exit_code <= 5) << run.exit_code;
  for (const std::string& text : {run.out, run.err}) {
    EXPECT_EQ(io::printable_lines(text), text) << of;
    EXPECT_FALSE(text.starts_with("forged") || text.find("\nforged") != std::string::npos) << of;
  }
}

TEST_F(HostileTextTest, OfEveryStringAndKeyOfAConfig) {
  std::size_t places = 0;
  for (const std::string& config : kConfigs)
    at_every_place(io::parse_json(config, "config"), [&](const Json& document) {
      ++places;
      write("c.json", document.dump());
      expect_harmless(rope({"inspect", "c.json"}), document.dump());
    });
  EXPECT_GT(places, 60U);
}

TEST_F(HostileTextTest, WhateverShowsTheModel) {
  Json config = io::parse_json(kConfigs[1], "config");
  config["model_type"] = "gemma3_text" + kHostile;
  Json types = Json::object();
  for (const auto& [key, value] : config["rope_parameters"].items()) types[key + kHostile] = value;
  config["rope_parameters"] = types;
  for (Json& type : config["layer_types"]) type = type.get<std::string>() + kHostile;
  write("c.json", config.dump());
  for (const std::vector<std::string>& line : {std::vector<std::string>{"inspect", "c.json"},
                                               {"inspect", "c.json", "c.json"},
                                               {"inspect", "c.json", "--json"},
                                               {"inspect", "c.json", "--show"},
                                               {"wavelengths", "--config", "c.json"},
                                               {"decay", "--config", "c.json", "--show"},
                                               {"inspect", "c.json", "-o", "-", "--format", "csv"},
                                               {"verify", "--config", "c.json"}})
    expect_harmless(rope(line), line.front());
}

TEST_F(HostileTextTest, OfTheKeysOfAGgufFile) {
  const std::string good =
      "general.architecture = llama\nllama.embedding_length = 32\nllama.attention.head_count = 4\n"
      "llama.context_length = 64\nllama.rope.freq_base = 100.0\nllama.rope.scaling.type = linear\n"
      "llama.rope.scaling.factor = 2.0\nllama.rope.scaling.factr = 2.0\n";
  for (std::size_t at = 0; at < good.size(); at += 3) {
    std::string keys = good;
    keys.insert(at, kHostile);
    write("keys.txt", keys);
    expect_harmless(rope({"inspect", "keys.txt"}), keys);
  }
}

TEST_F(HostileTextTest, OfNamesAndWords) {
  write("file" + std::string("\x1b[31m\nforged"), "not a tensor");
  const std::string name = "file\x1b[31m\nforged", word = "\x1b]0;evil\a\nforged\u202e\u009b1m";
  for (const std::vector<std::string>& line : {std::vector<std::string>{"apply", name},
                                               {"inspect", name},
                                               {"verify", "--input", name},
                                               {"extend", "--rule", word},
                                               {"extend", "--rule", "linear:" + word + "=1"},
                                               {"wavelengths", "--scaling", word},
                                               {"verify", "--policy", word},
                                               {word},
                                               {"inspect", word},
                                               {"wavelengths", word},
                                               {"wavelengths", "--" + word},
                                               {"wavelengths", "--dim", word},
                                               {"decay", "--distances", word},
                                               {"help", word}})
    expect_harmless(rope(line), line.front());
}

TEST_F(HostileTextTest, AMessageHasALimitWhateverItTellsOf) {
  const std::string longest(300000, 'k');
  write("c.json", R"({"model_type": "llama", "hidden_size": 32, "num_attention_heads": 4,
                      "rope_theta": 100.0, "rope_)" +
                      longest + R"(": 1})");
  std::string shape;
  for (int axis = 0; axis < 20000; ++axis) shape += "0, ";
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.resize(0xFEFE, ' ');
  const std::string length = "\xFE\xFE";
  write("axes.npy", "\x93NUMPY\x01" + std::string(1, '\0') + length + header);
  write("keys.txt",
        "general.architecture = " + longest + "\n" + longest + ".attention.key_length = 8\n");
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"inspect", "c.json"},
        {"inspect", "keys.txt"},
        {"apply", "axes.npy"},
        {"decay", "--distances", "axes.npy"},
        {"wavelengths", "--dim", longest.substr(0, 100000)}}) {
    const Outcome run = rope(line);
    EXPECT_LT(run.err.size(), 7000U) << line.front();
    EXPECT_LT(run.out.size(), 7000U) << line.front();
  }
}

}  // namespace
}  // namespace rope::test
