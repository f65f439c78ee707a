// rope inspect: what it answers, and what it refuses.

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

class InspectTest : public CliTest {
 protected:
  io::Json json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "inspect");
    arguments.emplace_back("--json");
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return io::parse_json(run.out, "standard output");
  }
};

constexpr const char* kConfig = R"({"model_type": "llama", "hidden_size": 4096,
  "num_attention_heads": 32, "max_position_embeddings": 4096, "rope_theta": 10000.0})";

TEST_F(InspectTest, EndsWith1OnRequestWhereItWarns) {
  write("good.json", kConfig);
  std::string misspelt = kConfig;
  misspelt.replace(misspelt.find("rope_theta"), 10, "rope_teta_");
  write("bad.json", misspelt);
  EXPECT_EQ(rope({"inspect", "good.json", "--strict"}).exit_code, 0);
  EXPECT_EQ(rope({"inspect", "bad.json"}).exit_code, 0);
  const Outcome strict = rope({"inspect", "bad.json", "--strict", "--json"});
  EXPECT_EQ(strict.exit_code, 1) << strict.err;
  EXPECT_EQ(io::parse_json(strict.out, "out").at("schema"), "rope.inspect/1") << "and answers";
  EXPECT_EQ(rope({"inspect", "good.json", "bad.json", "--strict"}).exit_code, 1);
}

TEST_F(InspectTest, GivesTheFieldsThatProgramsRelyOn) {
  const io::Json model = json({"gpt-oss"});
  EXPECT_EQ(model.at("schema"), "rope.inspect/1");
  EXPECT_EQ(model.at("rope_type"), "yarn");
  EXPECT_EQ(model.at("head_dim"), 64);
  EXPECT_EQ(model.at("rotary_dim"), 64);
  EXPECT_EQ(model.at("base"), 150000.0);
  EXPECT_EQ(model.at("layout"), "half");
  EXPECT_NEAR(model.at("attention_factor").get<double>(), 1.3465735902799727, 1e-15);
  EXPECT_EQ(model.at("inv_freq").size(), 32U);
  EXPECT_EQ(model.at("context"), 131072);
  EXPECT_EQ(model.at("original_context"), 4096);
  EXPECT_EQ(model.at("warnings").size(), 0U);
  EXPECT_EQ(model.at("first_negative").at("distance"), 64255);
  EXPECT_NEAR(model.at("facts").at("ramp_low").get<double>(), 8.092779115512, 1e-12);
}

TEST_F(InspectTest, CountsTurnsWithinTheLengthThatTheFrequenciesServe) {
  const io::Json unasked = json({"phi-4-mini"}),
                 short_one = json({"phi-4-mini", "--seq-len", "4096"});
  const io::Json long_one = json({"phi-4-mini", "--seq-len", "131072"});
  EXPECT_EQ(unasked.at("inv_freq"), short_one.at("inv_freq"));
  EXPECT_NE(unasked.at("inv_freq"), long_one.at("inv_freq"));
  EXPECT_EQ(unasked.at("incomplete_pairs"), short_one.at("incomplete_pairs"));
  EXPECT_NE(unasked.at("incomplete_pairs"), io::Json::array());
  EXPECT_EQ(flowing(rope({"inspect", "phi-4-mini", "-q"}).out),
            "phi-4-mini rotates 96 of the 128 dimensions of each head (half layout: pairs (i, "
            "i+48)) with "
            "base 10000, frequencies scaled by longrope for up to 4096 of its 131072 tokens.");
  const auto waves = [&](const char* length) {
    std::vector<std::string> words = {"wavelengths", "--model", "phi-4-mini", "-q"};
    if (length != nullptr) words.insert(words.end(), {"--seq-len", length});
    return rope(words).out;
  };
  EXPECT_EQ(waves(nullptr), waves("4096"));
  EXPECT_NE(waves(nullptr), waves("131072"));
}

TEST_F(InspectTest, GivesEachLayerTypeTheSameFields) {
  const io::Json model = json({"gemma-3-12b"});
  EXPECT_FALSE(model.contains("inv_freq"));
  const io::Json& types = model.at("layer_types");
  EXPECT_EQ(types.size(), 2U);
  EXPECT_EQ(types.at("full_attention").at("rope_type"), "linear");
  EXPECT_EQ(types.at("full_attention").at("base"), 1e6);
  EXPECT_EQ(types.at("sliding_attention").at("base"), 1e4);
  for (const auto& [name, layer] : types.items())
    for (const char* field :
         {"rope_type", "head_dim", "rotary_dim", "base", "layout", "attention_factor", "inv_freq",
          "context", "original_context", "window", "incomplete_pairs", "warnings"})
      EXPECT_TRUE(layer.contains(field)) << name << " " << field;
}

TEST_F(InspectTest, TakesAModelAsOtherCommandsDo) {
  EXPECT_EQ(rope({"inspect", "--model", "gpt-oss"}).out, rope({"inspect", "gpt-oss"}).out);
  EXPECT_EQ(rope({"inspect", "qwen2.5-7b", "--model", "qwen2.5-7b-yarn"}).out,
            rope({"inspect", "qwen2.5-7b", "qwen2.5-7b-yarn"}).out);
  const Outcome three = rope({"inspect", "gpt-oss", "--model", "llama-2", "--model", "phi-2"});
  EXPECT_EQ(three.exit_code, 2);
  EXPECT_NE(three.err.find("at most two models"), std::string::npos) << three.err;
}

TEST_F(InspectTest, ReadsAFileAFolderAndStandardInput) {
  write("config.json", kConfig);
  const Outcome file = rope({"inspect", "config.json"});
  EXPECT_EQ(file.exit_code, 0) << file.err;
  EXPECT_EQ(file.err, "");
  EXPECT_NE(file.out.find("first negative at distance 1707"), std::string::npos) << file.out;
  const Outcome details = rope({"inspect", "config.json", "--details"});
  EXPECT_NE(flowing(details.out).find("(the curve crosses zero at 1706.0578)"), std::string::npos)
      << details.out;
  const Outcome folder = rope({"inspect", "."});
  EXPECT_EQ(folder.exit_code, 0) << folder.err;
  EXPECT_EQ(folder.out.substr(folder.out.find("  never")),
            file.out.substr(file.out.find("  never")));
  const Outcome input = shell("rope inspect - < config.json");
  EXPECT_EQ(input.exit_code, 0) << input.err;
  EXPECT_EQ(files(), std::vector<std::string>{"config.json"});
}

TEST_F(InspectTest, PutsWarningsOnStandardErrorAndIntoTheDocument) {
  std::string text = kConfig;
  text.insert(1, "\"rope_tehta\": 5e5, ");
  write("config.json", text);
  const Outcome run = rope({"inspect", "config.json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(
      run.err,
      "rope inspect: warning: config.json: 'rope_tehta' is not a known key and is ignored: did "
      "you mean rope_theta?\n");
  EXPECT_EQ(rope({"inspect", "config.json", "--quiet"}).err, run.err);
  EXPECT_EQ(json({"config.json"}).at("warnings").size(), 1U);
}

TEST_F(InspectTest, ALayoutIsSaidToBeAssumedWhereItIs) {
  write("m.json", R"({"model_type": "mymodel", "hidden_size": 64, "num_attention_heads": 1,
                      "rope_theta": 10000.0})");
  write("g.json", R"({"general.architecture": "mine", "mine.embedding_length": 64,
                      "mine.attention.head_count": 1, "mine.rope.freq_base": 10000.0})");
  for (const char* file : {"m.json", "g.json"}) {
    const auto warned = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.end(), {"--config", file, "-q"});
      return flowing(rope(arguments).err);
    };
    const std::string inspected = warned({"inspect"});
    EXPECT_NE(inspected.find("half is assumed"), std::string::npos) << inspected;
    EXPECT_EQ(inspected.find("--layout"), std::string::npos) << inspected;
    EXPECT_NE(warned({"matrix"}).find("half is assumed"), std::string::npos);
    EXPECT_NE(warned({"matrix"}).find("; --layout sets it"), std::string::npos);
    EXPECT_EQ(warned({"matrix", "--layout", "half"}).find("assumed"), std::string::npos);
  }
}

TEST_F(InspectTest, ATextModelThatRotatesNothingIsToldFromItsVisionPart) {
  write("kimi.json", R"({"model_type": "kimi_k3", "vision_config": {"vt_hidden_size": 1024},
    "text_config": {"model_type": "kimi_linear", "mla_use_nope": true}})");
  const Outcome run = rope({"inspect", "kimi.json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("rotates nothing in its text model."), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("Other parts that rotate: vision_config."), std::string::npos) << run.out;
}

TEST_F(InspectTest, PrintsTheBandsOfLlama) {
  EXPECT_NE(rope({"inspect", "llama-3.2-1b"}).out.find("15 kept, 3 blended, 14 scaled"),
            std::string::npos);
  EXPECT_NE(rope({"inspect", "Llama-3.1-8B"}).out.find("29 kept, 6 blended, 29 scaled"),
            std::string::npos);
}

TEST_F(InspectTest, PrintsTheRampOfGptOssInFull) {
  const std::string out = flowing(rope({"inspect", "gpt-oss", "--details"}).out);
  EXPECT_NE(out.find("ramp_low 8.092779115512, ramp_high 17.398024501589"), std::string::npos)
      << out;
  EXPECT_NE(out.find("1.34657359028"), std::string::npos) << out;
}

TEST_F(InspectTest, FollowsTheLength) {
  const auto second = [&](const std::string& length) {
    return json({"internlm2.5-7b", "--seq-len", length}).at("inv_freq").at(1).get<double>();
  };
  EXPECT_EQ(second("1"), second("32768"));
  EXPECT_LT(second("65536"), second("32768"));
}

TEST_F(InspectTest, ReadsAsOtherEnginesDo) {
  EXPECT_EQ(json({"llama-3.1-8b", "--engine", "ggml"}).at("layout"), "interleaved");
  const Outcome run = rope({"inspect", "gpt-oss", "--engine", "ggml"});
  EXPECT_NE(run.err.find("ggml rounds the ends of the ramp regardless"), std::string::npos);
  EXPECT_EQ(rope({"inspect", "gpt-oss", "--engine", "lama"}).exit_code, 2);
}

TEST_F(InspectTest, ComparesTwoPairByPair) {
  const Outcome run = rope({"inspect", "llama-2", "llama-1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("The frequencies of all 64 pairs are the same."), std::string::npos);
  EXPECT_NE(run.out.find("context"), std::string::npos);
  const io::Json document = json({"qwen2.5-7b", "qwen2.5-7b-yarn"});
  EXPECT_EQ(document.at("models").size(), 2U);
  const io::Json& pairs = document.at("differences").at(0).at("pairs");
  EXPECT_EQ(pairs.at(0).at("ratio"), 1.0);
  EXPECT_EQ(pairs.at(63).at("ratio"), 0.25);
  const Outcome layers = rope({"inspect", "llama-3", "gemma-3-1b"});
  EXPECT_EQ(layers.exit_code, 0) << layers.err;
  EXPECT_NE(layers.out.find("sliding_attention"), std::string::npos);
}

TEST_F(InspectTest, WritesTablesAndPictures) {
  const Outcome run =
      rope({"inspect", "gemma-3-12b", "-o", "g.csv", "-o", "g.svg", "-o", "g.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const io::CsvTable table = io::parse_csv(read("g.csv"), "g.csv");
  EXPECT_EQ(table.rows(), 128U);
  EXPECT_EQ(table.numbers(table.column("theta[full_attention]")).at(0), 0.125);
  EXPECT_EQ(table.cell(0, table.column("band[full_attention]")), "scaled");
  EXPECT_EQ(rope({"inspect", "llama-3.1-8b", "-o", "l.svg"}).exit_code, 0);
  EXPECT_NE(read("l.svg").find("blended"), std::string::npos);
  EXPECT_EQ(rope({"inspect", "llama-2", "llama-3", "-o", "two.csv"}).exit_code, 0);
  EXPECT_NE(read("two.csv").find("theta[llama-3]"), std::string::npos);
}

TEST_F(InspectTest, ListsThePresets) {
  const Outcome run = rope({"inspect", "--list"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_GE(std::ranges::count(run.out, '\n'), 46);
  const Outcome document = rope({"inspect", "--list", "--json"});
  EXPECT_GE(io::parse_json(document.out, "list").at("presets").size(), 45U);
  const Outcome gemma = rope({"inspect", "--list", "Gemma-3"});
  EXPECT_EQ(std::ranges::count(gemma.out, '\n'), 4);
  EXPECT_NE(gemma.out.find("1000000, 10000  linear"), std::string::npos) << gemma.out;
  EXPECT_NE(rope({"inspect", "--list", "llama-3.1-70b"}).out.find("llama-3.1-8b"),
            std::string::npos);
  EXPECT_EQ(rope({"inspect", "--list", "no-such"}).exit_code, 2);
}

TEST_F(InspectTest, FindsAPresetAsPeopleAndHubsWriteIt) {
  const auto taken = [&](const char* word, const std::string& preset) {
    const Outcome run = rope({"inspect", word});
    EXPECT_EQ(run.exit_code, 0) << word << run.err;
    EXPECT_EQ(run.out.substr(0, preset.size() + 1), preset + " ") << word;
    EXPECT_NE(run.err.find(std::string(word) + " is taken as the preset " + preset + " ("),
              std::string::npos)
        << run.err;
  };
  taken("meta-llama/Llama-3.1-8B", "llama-3.1-8b");
  taken("meta-llama/Meta-Llama-3.1-405B-Instruct", "llama-3.1-8b");
  taken("llama-3.1-70b", "llama-3.1-8b");
  taken("openai/gpt-oss-20b", "gpt-oss");
  taken("google/gemma-3-4b-it", "gemma-3-12b");
  taken("tinyllama", "tinyllama-1.1b");
  taken("llama3", "llama-3");
  taken("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b");
  taken("yi", "yi-34b");
  taken("kimi", "kimi-k2");
  taken("llama3.1:8b", "llama-3.1-8b");  // as Ollama writes it
  taken("unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "llama-3.1-8b");
  taken("TheBloke/Llama-2-7B-Chat-GGUF", "llama-2");
  EXPECT_EQ(rope({"inspect", "Llama-3.1-8B"}).err.find("is taken"), std::string::npos);
  EXPECT_TRUE(rope({"inspect", "qwen3:8b"}).out.starts_with("qwen3-8b "));
}

TEST_F(InspectTest, AWordForSeveralPresetsListsThemAndTakesNone) {
  const auto listed = [&](const char* word, const std::string& names) {
    const Outcome run = rope({"inspect", word});
    EXPECT_EQ(run.exit_code, 2) << word;
    EXPECT_NE(run.err.find("Choose one: " + names + ";"), std::string::npos) << run.err;
  };
  listed("gemma-3", "gemma-3-12b, gemma-3-1b or gemma-3-27b");
  listed("gemma2", "gemma-2-27b, gemma-2-9b or gemma-7b");  // which is gemma-2b, too
  listed("mistral-7b", "mistral-7b-v0.1 or mistral-7b-v0.3");
  listed("phi3", "phi-3-mini-4k or phi-3-vision-128k");
  listed("llama4", "llama-4-maverick or llama-4-scout");
  // One or two letters tell nothing, unless they are a whole word of the name.
  EXPECT_EQ(rope({"inspect", "ll"}).err.find("Choose one"), std::string::npos);
}

TEST_F(InspectTest, AWordThatMeansSeveralPresetsOrNoneIsNotGuessed) {
  const auto refused = [&](const char* word, const std::string& remedy) {
    const Outcome run = rope({"inspect", word});
    EXPECT_EQ(run.exit_code, 2) << word;
    EXPECT_NE(run.err.find("\n" + remedy), std::string::npos) << run.err;
  };
  refused("gemma-3", "Choose one: gemma-3-12b, gemma-3-1b or gemma-3-27b; ");
  refused("mistral-7b", "Choose one: mistral-7b-v0.1 or mistral-7b-v0.3; ");
  refused("meta-llama/Llama-9",
          "No preset is known to match that model. Give the model's own config.json; to fetch it, "
          "run ");
  refused("xx", "rope inspect --list shows all of them.");
  std::filesystem::create_directory(path("gpt-oss"));  // a file of that name goes before all
  EXPECT_EQ(rope({"inspect", "gpt-oss"}).exit_code, 3);
}

TEST_F(InspectTest, AModelSetsTheOptionsOfOtherCommands) {
  const Outcome run = rope({"wavelengths", "--model", "gpt-oss", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const io::Json document = io::parse_json(run.out, "standard output");
  EXPECT_EQ(document.at("pairs").size(), 32U);
  EXPECT_EQ(document.at("rotary").at("base"), 150000.0);
  EXPECT_EQ(document.at("rotary").at("layout"), "half");
  EXPECT_EQ(document.at("rotary").at("scaling").at("rule"), "yarn");
  EXPECT_NEAR(document.at("attention_factor").get<double>(), 1.3465735902799727, 1e-15);
  const io::Json inspected = json({"gpt-oss"});
  for (std::size_t k = 0; k < 32; ++k)
    EXPECT_EQ(document.at("pairs")[k].at("theta"), inspected.at("inv_freq")[k]);
  write("config.json", kConfig);
  for (const char* command : {"matrix", "decay", "precision"}) {
    std::vector<std::string> words = {command, "--config", "config.json", "--json"};
    if (std::string(command) == "precision")
      words.insert(words.end(),
                   {"--policy", "float32", "--max-position", "1000", "--exhaustive", "0"});
    const Outcome one = rope(words);
    EXPECT_EQ(one.exit_code, 0) << command << one.err;
    EXPECT_EQ(one.err, "") << command;
  }
  const Outcome verified = rope({"verify", "--model", "llama-3.2-1b", "--trials", "50"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("llama3"), std::string::npos) << verified.out;
}

TEST_F(InspectTest, AnOptionBesideAModelOverridesItAndSaysSo) {
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"wavelengths", "--json", "--model", "llama-3.1-8b"};
    words.insert(words.end(), more.begin(), more.end());
    return rope(words);
  };
  const Outcome base = run({"--base", "10000"});
  EXPECT_EQ(base.err,
            "rope wavelengths: warning: --base 10000 replaces base 500000 of llama-3.1-8b\n");
  EXPECT_EQ(io::parse_json(base.out, "out").at("rotary").at("base"), 10000.0);
  EXPECT_EQ(io::parse_json(base.out, "out").at("rotary").at("scaling").at("rule"), "llama3");
  const Outcome plain = run({"--scaling", "default"});
  EXPECT_EQ(plain.err,
            "rope wavelengths: warning: --scaling default replaces llama3 of llama-3.1-8b\n");
  EXPECT_EQ(io::parse_json(plain.out, "out").at("rotary").at("scaling").at("rule"), "default");
  const Outcome layout = run({"--layout", "interleaved"});
  EXPECT_EQ(layout.err,
            "rope wavelengths: warning: --layout interleaved replaces half of llama-3.1-8b\n");
  EXPECT_EQ(io::parse_json(layout.out, "out").at("rotary").at("layout"), "interleaved");
  EXPECT_EQ(run({"--sections", "24,20,20"}).err,
            "rope wavelengths: warning: --sections replaces the single axis of llama-3.1-8b\n");
  const Outcome dim = run({"--dim", "64"});
  EXPECT_EQ(io::parse_json(dim.out, "out").at("pairs").size(), 32U);
  EXPECT_EQ(run({"--base", "500000", "--dim", "128", "--layout", "half"}).err, "")
      << "nothing is replaced by itself";
  EXPECT_EQ(run({"--base", "1e4", "--base", "1e5"}).exit_code, 2);
  EXPECT_EQ(run({"--frequencies", "1"}).exit_code, 2);
}

TEST_F(InspectTest, SeveralModelsAreLaidOverEachOther) {
  const Outcome two = rope({"decay", "--model", "llama-2", "--model", "gemma-3-1b", "--distances",
                            "0:10", "--random-pairs", "0", "-o", "x.csv"});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  const std::string header = read("x.csv").substr(0, read("x.csv").find('\n'));
  for (const char* label : {"bound[llama-2]", "bound[gemma-3-1b full_attention]",
                            "bound[gemma-3-1b sliding_attention]"})
    EXPECT_NE(header.find(label), std::string::npos) << header;
  const Outcome one = rope({"matrix", "--model", "gemma-3-1b", "--form", "pairs"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_NE(one.err.find("gemma-3-1b has layers of 2 kinds: its full_attention layers are used"),
            std::string::npos)
      << one.err;
  EXPECT_EQ(rope({"decay", "--model", "llama-2", "--model", "Llama-2"}).exit_code, 2);
  EXPECT_EQ(rope({"decay", "--model", "lama-2"}).err,
            "rope decay: --model: expected the name of a preset, got 'lama-2'\nDid you mean "
            "llama-2? rope inspect --list shows all of them.\n");
}

TEST_F(InspectTest, RefusesWhatIsNoModel) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& err) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 2) << err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, err);
  };
  refused({"inspect"},
          "rope inspect: expected a file or the name of a preset, got nothing\n"
          "For example rope inspect config.json; rope inspect --list shows the presets.\n");
  refused({"inspect", "lama-2"},
          "rope inspect: expected a file or the name of a preset, got 'lama-2'\nDid you mean "
          "llama-2? rope inspect --list shows all of them.\n");
  refused({"inspect", "a", "b", "c"},
          "rope inspect: unexpected argument 'c'\n"
          "At most 2 can be given: FILE|PRESET [FILE|PRESET].\n");
  write("x.json", "{\"head_dim\": 64");
  const Outcome run = rope({"inspect", "x.json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
  EXPECT_EQ(rope({"inspect", "gone.json"}).exit_code, 3);
  write("binary.json", std::string("\0\xff\xfe{", 4));
  EXPECT_EQ(rope({"inspect", "binary.json"}).exit_code, 2);
  write("large.json", std::string(5U << 20, '['));
  EXPECT_EQ(rope({"inspect", "large.json"}).exit_code, 2);
  write("deep.json", std::string(1U << 20, '['));
  EXPECT_EQ(rope({"inspect", "deep.json"}).exit_code, 2);
}

TEST_F(InspectTest, OfTwoModelsTheDifferenceComesFirst) {
  write("a.json", kConfig);
  write("b.json", R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 64,
                     "rope_theta": 10000.0})");
  write("bert.json", R"({"model_type": "bert", "hidden_size": 768, "num_attention_heads": 12,
                        "max_position_embeddings": 512})");
  const auto answer = [&](const char* a, const char* b) {
    const Outcome whole = rope({"inspect", a, b}), quiet = rope({"inspect", a, b, "-q"});
    EXPECT_EQ(quiet.exit_code, 0) << quiet.err;
    EXPECT_TRUE(whole.out.starts_with(quiet.out)) << whole.out;
    return flowing(quiet.out);
  };
  EXPECT_EQ(answer("a.json", "a.json"), "The frequencies of all 64 pairs are the same.");
  EXPECT_EQ(answer("a.json", "bert.json"), "a.json rotates 64 pairs; bert.json rotates nothing.");
  EXPECT_EQ(answer("bert.json", "bert.json"), "Neither of the two rotates anything.");
  EXPECT_EQ(answer("a.json", "b.json"),
            "a.json rotates 64 pairs; b.json rotates 32 pairs. The frequencies of 31 of 32 pairs "
            "differ: i = 1 … 31.");
  EXPECT_EQ(flowing(rope({"inspect", "a.json", "bert.json"}).out).find("base 10000 10000"),
            std::string::npos);
  EXPECT_NE(flowing(rope({"inspect", "a.json", "bert.json"}).out).find(" base 10000 - "),
            std::string::npos);
  EXPECT_EQ(lines_of(answer("gemma-3-12b", "gemma-3-1b")).size(), 1U);
}

TEST_F(InspectTest, WhatDependsOnTheLengthIsCountedThere) {
  write("dynamic.json", R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
    "max_position_embeddings": 4096, "rope_scaling": {"type": "dynamic", "factor": 2.0}})");
  const std::string said = flowing(rope({"inspect", "dynamic.json", "--seq-len", "16k"}).out);
  EXPECT_NE(said.find("base 10000, frequencies scaled by dynamic at 16384 tokens."),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("within 16384 tokens"), std::string::npos) << said;
  EXPECT_EQ(said.find("4096 tokens"), std::string::npos) << said;
  EXPECT_NE(flowing(rope({"inspect", "dynamic.json"}).out).find("for 4096 tokens"),
            std::string::npos);
  const io::Json at = json({"dynamic.json", "--seq-len", "16k"});
  EXPECT_EQ(at.at("context"), 4096);
  const auto turns = [&](std::size_t k) { return 16384 / at.at("wavelength").at(k).get<double>(); };
  for (std::size_t k = 0; k < 64; ++k) {
    const auto& never = at.at("incomplete_pairs");
    EXPECT_EQ(std::find(never.begin(), never.end(), k) != never.end(), turns(k) < 1) << k;
  }
  EXPECT_NE(flowing(rope({"wavelengths", "--config", "dynamic.json", "--seq-len", "16k"}).out)
                .find("within 16384 tokens"),
            std::string::npos);
}

}  // namespace
}  // namespace rope::test
