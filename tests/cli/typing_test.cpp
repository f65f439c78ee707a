// What people type: numbers, words, names of models, files that are there.

#include <algorithm>
#include <filesystem>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class TypingTest : public CliTest {
 protected:
  void same(const Words& typed, const Words& plain) {
    const Outcome run = rope(typed);
    EXPECT_EQ(run.exit_code, 0) << typed.back() << ": " << run.err;
    EXPECT_EQ(run.out, rope(plain).out) << typed.back();
  }

  void refused(const Words& typed, const std::string& message, const std::string& remedy) {
    const Outcome run = rope(typed);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err, "rope " + typed[0] + ": " + message + "\n" + remedy + "\n");
  }
};

TEST_F(TypingTest, NumbersAreReadAsPeopleWriteThem) {
  same({"decay", "--json", "--base", "1e4, 1e6"}, {"decay", "--json", "--base", "1e4,1e6"});
  same({"decay", "--json", "--base", "10k,1M"}, {"decay", "--json", "--base", "10000,1000000"});
  same({"decay", "--json", "--base", "500_000"}, {"decay", "--json", "--base", "500000"});
  same({"matrix", "--dim", "4", "--positions", "1k, 2^12"},
       {"matrix", "--dim", "4", "--positions", "1024,4096"});
  same({"matrix", "--dim", " 4", "--positions", "1_000"},
       {"matrix", "--dim", "4", "--positions", "1000"});
  same({"verify", "--json", "--trials", "1k"}, {"verify", "--json", "--trials", "1000"});
  same({"wavelengths", "--json", "--scaling", "yarn:factor=4, original=32k"},
       {"wavelengths", "--json", "--scaling", "yarn:factor=4,original=32768"});
  same({"compare", "--json", "--encoding", "t5:max_distance=1_28"},
       {"compare", "--json", "--encoding", "t5:max_distance=128"});
  same({"decay", "--json", "--axes", "16, 24,24"}, {"decay", "--json", "--axes", "16,24,24"});
  same({"score", "--query", "1, 2", "--key", "3,-1k"},
       {"score", "--query", "1,2", "--key=3,-1000"});
}

TEST_F(TypingTest, CommasWithinANumberAreRefusedWithTheNumber) {
  const std::string base = "--base: expected numbers without commas inside them, got ";
  refused({"decay", "--base", "1,048,576"}, base + "'1,048,576'", "Did you mean 1048576?");
  refused({"decay", "--base", "500,000"}, base + "'500,000'", "Did you mean 500000?");
  refused({"decay", "--base", "10,000,500000"}, base + "'10,000,500000'",
          "Did you mean 10000,500000?");
  refused({"decay", "--base", "100,500"}, base + "'100,500'",
          "Did you mean 100500? Otherwise one by one: --base 100 --base 500.");
  refused({"verify", "--base", "500,000"}, base + "'500,000'", "Did you mean 500000?");
  refused({"verify", "--base", "100,500"},
          "--base: expected a finite number above 0, got '100,500'",
          "Only one number is accepted here; if this is one, write 100500.");
  same({"matrix", "--json", "--frequencies", "[1, 0.1]"},
       {"matrix", "--json", "--frequencies", "1,0.1"});
  refused({"matrix", "--frequencies", "1 0.1"},
          "--frequencies: expected numbers separated by commas, got '1 0.1'", "Write 1,0.1.");
  refused({"extend", "--to", "131,072"}, "--to: expected an integer from 1 to 2^24, got '131,072'",
          "Did you mean 131072?");
  refused({"extend", "--to", "131.072.000"},
          "--to: expected an integer from 1 to 2^24, got '131.072.000'", "Did you mean 131072000?");
  refused({"matrix", "--positions", "1,000"},
          "--positions: expected numbers without commas inside them, got '1,000'",
          "Did you mean 1000?");
  refused({"decay", "--scaling", "yarn:factor=4,original=32,768"},
          "--scaling: expected numbers without commas inside them, got "
          "'yarn:factor=4,original=32,768'",
          "Did you mean yarn:factor=4,original=32768?");
  refused({"decay", "--base", "1e4,", "1e6"}, "unexpected argument '1e6'",
          "Did you mean 1e4,1e6? A list is one word: write it without spaces, or in quotes.");
  EXPECT_EQ(rope({"decay", "--dim", "64,128", "--json"}).exit_code, 0);  // a list
}

TEST_F(TypingTest, WordsAreReadWhateverTheirSpelling) {
  const Words half = {"matrix", "--dim", "4", "--layout", "half"};
  for (const char* layout : {"HALF", "Half", "rotate_half", "rotate-half", "NeoX", "gpt_neox"})
    same({"matrix", "--dim", "4", "--layout", layout}, half);
  for (const char* layout : {"Interleaved", "GPT-J", "adjacent"})
    same({"matrix", "--dim", "4", "--layout", layout}, {"matrix", "--dim", "4"});
  same({"wavelengths", "--json", "--scaling", "Linear:factor=2"},
       {"wavelengths", "--json", "--scaling", "linear:factor=2"});
}

TEST_F(TypingTest, WordsOfOthersAreReadOrAnsweredWithOurs) {
  same({"inspect", "llama-2", "--engine", "vLLM"}, {"inspect", "llama-2", "--engine", "vllm"});
  same({"inspect", "llama-2", "--engine", "llama.cpp"}, {"inspect", "llama-2", "--engine", "ggml"});
  same({"glossary", "rope", "--lang", "cn"}, {"glossary", "rope", "--lang", "zh"});
  same({"wavelengths", "--json", "--scaling", "none"}, {"wavelengths", "--json"});
  same({"decay", "-hh"}, {"decay", "-h"});
  same({"decay", "-qh"}, {"decay", "-h"});
  same({"decay", "-help"}, {"decay", "--help"});
  refused({"verify", "--rope-freq-base", "5e5"}, "unknown option '--rope-freq-base'",
          "Did you mean --base? (llama.cpp's rope.freq_base).");
  refused({"verify", "--neox"}, "unknown option '--neox'",
          "Did you mean --layout half? (or --layout interleaved).");
  refused({"matrix", "--positions", "0,", "1,", "2"}, "unexpected argument '1,'",
          "Did you mean 0,1,2? A list is one word: write it without spaces, or in quotes.");
  refused({"claims", "--article", "5"}, "--article: expected 000, 001, 002, 003 or 004, got '5'",
          "See --help.");
  refused({"wavelengths", "--scaling", "rope_type=yarn"},
          "--scaling: expected a colon between a name and its parameters, got 'rope_type=yarn'",
          "Write RULE or RULE:key=value,…, for example yarn:factor=4,original=32768.");
  for (const auto& [typed, meant] :
       {std::pair("f32", "float32"), {"fp32", "float32"}, {"double", "float64"}})
    EXPECT_NE(rope({"verify", "--policy", typed}).err.find(std::string("Did you mean ") + meant),
              std::string::npos);
  EXPECT_NE(rope({"verify", "--control", "wrongsign"}).err.find("Did you mean wrong-sign?"),
            std::string::npos);
  const Outcome nothing = rope({"wavelengths", "--scaling", "yarn", "--max-positions", "4096"});
  EXPECT_NE(nothing.err.find("nothing is scaled"), std::string::npos) << nothing.err;
}

TEST_F(TypingTest, WhatIsReadIsNotReplaced) {
  ASSERT_EQ(rope({"apply", "--golden", "g_", "--dim", "64", "--layout", "half"}).exit_code, 0);
  const std::string config =
      R"({"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2})";
  write("c.json", config);
  ASSERT_EQ(rope({"inspect", "llama-2", "-o", "answer.json"}).exit_code, 0);
  const std::string header = R"({"q":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                             R"("k":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})";
  std::string checkpoint(8, '\0');
  checkpoint[0] = static_cast<char>(header.size());
  write("m.safetensors", checkpoint + header + std::string(16, '\0'));
  checkpoint = read("m.safetensors");
  write("x.csv", "1,2\n3,4\n");
  write("f.json", "[1, 2]");
  const std::string x = read("g_x.npy"), positions = read("g_positions.npy");
  for (const Words& typed :
       {Words{"inspect", "c.json", "-o", "c.json"},
        {"inspect", "c.json", "-o", "a.csv", "-o", "./c.json"},
        {"wavelengths", "--config", "c.json", "-o", "c.json"},
        {"apply", "g_x.npy", "--positions", "g_positions.npy", "-o", "g_positions.npy"},
        {"apply", "g_x.npy", "-o", "g_x.npy"},
        {"apply", "g_x.npy", "-o", "./g_x.npy"},
        {"apply", "m.safetensors:q", "-o", "m.safetensors"},
        {"apply", "x.csv", "-o", "x.csv"},
        {"decay", "--dim", "4", "--scaling", "longrope:short=@f.json,long=1;2,original=8,factor=2",
         "-o", "f.json"}})
    refused(typed, "-o: expected a file other than those that are read, got '" + typed.back() + "'",
            "The answer would replace it: name another file.");
  EXPECT_EQ(read("c.json"), config);
  EXPECT_EQ(read("g_x.npy"), x);
  EXPECT_EQ(read("g_positions.npy"), positions);
  EXPECT_EQ(read("m.safetensors"), checkpoint);
  EXPECT_EQ(read("x.csv"), "1,2\n3,4\n");
  // Of --golden, which writes six files.
  for (const char* name : {"g_x.npy", "g_y.npy"}) {
    refused(
        {"apply", name, "--golden", "g_", "--policy", "bfloat16-store"},
        std::string("--golden: expected a file other than those that are read, got '") + name + "'",
        "The answer would replace it: name another file.");
    EXPECT_EQ(read("g_x.npy"), x);
  }
  EXPECT_EQ(rope({"apply", "g_x.npy", "--golden", "made/here/"}).exit_code, 0);
  EXPECT_NE(read("made/here/golden.json"), "");
  // An answer is no configuration, whatever keys it has.
  refused({"inspect", "answer.json"},
          "answer.json: expected a config.json, found output of rope (rope.inspect/1)",
          "Give the config.json that this output was made from.");
  refused({"inspect", "g_x.npy"}, "g_x.npy: expected a config.json, found binary data",
          "Give the config.json next to the weights of a model.");
  std::filesystem::create_directory(path("mine"));
  write("mine/notes.md", "my own");
  refused({"lesson", "--short", "-o", "mine/"},
          "-o: expected another folder, where no file would be lost, got 'mine/notes.md', which is "
          "not part of a handout",
          "Name a folder that is empty or does not exist.");
  EXPECT_EQ(read("mine/notes.md"), "my own");
}

TEST_F(TypingTest, TheVersionIsToldWhereverItIsAskedFor) {
  const std::string version = rope({"--version"}).out;
  for (const Words& typed : {Words{"-V"},
                             {"-v"},
                             {"version"},
                             {"decay", "--version"},
                             {"decay", "-V"},
                             {"decay", "-v"}}) {
    const Outcome run = rope(typed);
    EXPECT_EQ(run.exit_code, 0) << typed.back();
    EXPECT_EQ(run.out, version) << typed.back();
  }
}

TEST_F(TypingTest, TwoDashesEndTheOptions) {
  same({"inspect", "--", "llama-2"}, {"inspect", "llama-2"});
  same({"inspect", "--details", "--", "llama-2"}, {"inspect", "llama-2", "--details"});
  same({"matrix", "--dim", "4", "--"}, {"matrix", "--dim", "4"});
  EXPECT_EQ(rope({"inspect", "--", "--help"}).exit_code, 3);  // a file of that name
  EXPECT_EQ(rope({"decay", "--", "8"}).exit_code, 2);
  EXPECT_NE(rope({"decay", "--", "--dim", "8"}).err.find("put options before it"),
            std::string::npos);
}

TEST_F(TypingTest, AnOutputThatIsMisspeltIsAnsweredWithWhatToType) {
  refused({"decay", "-o=fig.png"}, "-o: expected a space before its value, got '-o=fig.png'",
          "Write -o fig.png.");
  refused({"decay", "-o", "a.csv,b.png"}, "-o: expected one file, got 'a.csv,b.png'",
          "Write -o a.csv -o b.png.");
  refused({"decay", "-o", "a.csv, b.png"}, "-o: expected one file, got 'a.csv, b.png'",
          "Write -o a.csv -o b.png.");
  EXPECT_EQ(files(), Words{});
  EXPECT_EQ(rope({"decay", "-o", "a,b.csv"}).exit_code, 0);
  EXPECT_EQ(files(), Words{"a,b.csv"});
}

TEST_F(TypingTest, APathThatIsMissingIsNoPreset) {
  for (const char* path :
       {"./llama-3.1-8b", "../llama-2", "/models/llama-2", "~/models/Llama-3.1-8B", "llama-2/",
        "a/b/llama-2", "llama-2.json", "llama-2.gguf", "C:\\models\\llama-2", "llama-2.pt"}) {
    const Outcome run = rope({"inspect", path});
    EXPECT_EQ(run.exit_code, 3) << path;
    EXPECT_NE(run.err.find("cannot read"), std::string::npos) << run.err;
    const Outcome model = rope({"matrix", "--model", path});
    EXPECT_EQ(model.exit_code, 2) << path;
    EXPECT_NE(model.err.find("--model: expected the name of a preset"), std::string::npos);
    EXPECT_NE(model.err.find("A file needs --config before it"), std::string::npos) << model.err;
    EXPECT_NE(rope({"matrix", "--config", path}).exit_code, 0) << path;
  }
  std::filesystem::create_directory(path("llama-2"));
  const Outcome empty = rope({"inspect", "llama-2"});
  EXPECT_EQ(empty.exit_code, 3);
  EXPECT_NE(empty.err.find("no config.json in that folder"), std::string::npos) << empty.err;
}

TEST_F(TypingTest, AHubNameIsThatOfItsOwnConfigurationOrOfNone) {
  const auto taken = [&](const char* word, const std::string& preset) {
    const Outcome run = rope({"inspect", word, "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(run.out.starts_with(preset + " ")) << word << ": " << run.out;
  };
  taken("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3");
  taken("mistralai/Mistral-7B-Instruct-v0.1", "mistral-7b-v0.1");
  taken("Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3");
  taken("mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b");
  taken("Mixtral-8x7B-v0.1", "mixtral-8x7b");
  taken("MistralAI/mixtral-8x7b-instruct-v0.1", "mixtral-8x7b");
  taken("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama-3.1-8b");
  taken("Qwen/Qwen2.5-7B-Instruct-AWQ", "qwen2.5-7b");
  taken("https://huggingface.co/google/gemma-2-9b-it/blob/main/config.json", "gemma-2-9b");
  taken("hf.co/unsloth/Llama-3.2-1B-Instruct-GGUF", "llama-3.2-1b");
  for (const char* word :
       {"someone/llama-3.1-8b", "models/Llama-3.1-8B", "Qwen/Qwen2.5-VL-7B-Instruct",
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "microsoft/Phi-3-mini-128k-instruct",
        "01-ai/Yi-34B-200K", "meta-llama/Llama-9", "Qwen/Qwen2.5-7B"}) {
    const Outcome run = rope({"inspect", word});
    EXPECT_EQ(run.exit_code, 2) << word;
    EXPECT_NE(run.err.find(std::string("download ") + word + " config.json"), std::string::npos)
        << run.err;
    EXPECT_EQ(run.err.find("Did you mean"), std::string::npos) << run.err;
    EXPECT_EQ(rope({"matrix", "--model", word}).exit_code, 2) << word;
  }
  for (const char* word : {"Qwen2.5-VL-7B", "mistral-7b-v0.4", "llama-3.4-8b", "phi-3-mini-12k"})
    EXPECT_EQ(rope({"inspect", word}).err.find("Did you mean"), std::string::npos) << word;
  EXPECT_EQ(rope({"matrix", "--config", "llama-2"}).err,
            "rope matrix: --config: expected a file, found none called 'llama-2'\nA preset needs "
            "--model before it: --model llama-2.\n");
}

TEST_F(TypingTest, QuietLeavesTheAnswerAndTheWarnings) {
  for (const Words& typed : {Words{"decay"},
                             {"wavelengths"},
                             {"extend"},
                             {"precision"},
                             {"compare", "rope", "alibi"},
                             {"matrix"},
                             {"inspect", "llama-2"},
                             {"verify", "--trials", "50"},
                             {"rotate"},
                             {"attention"},
                             {"score"},
                             {"score", "--view", "curve"},
                             {"apply", "--vector", "1,2"},
                             {"apply", "--golden", "g_"},
                             {"verify", "--trials", "9", "--details"}}) {
    Words loud = typed, quiet = typed;
    quiet.emplace_back("--quiet");
    const Outcome whole = rope(loud), brief = rope(quiet);
    EXPECT_EQ(brief.exit_code, whole.exit_code) << typed[0];
    EXPECT_EQ(brief.err, whole.err) << typed[0];
    EXPECT_FALSE(brief.out.empty()) << typed[0];
    EXPECT_LE(std::ranges::count(brief.out, '\n'), 6) << typed[0] << "\n" << brief.out;
    EXPECT_EQ(brief.out.find("wrote"), std::string::npos) << brief.out;
    EXPECT_EQ(brief.out.find("  "), std::string::npos) << "no table: " << brief.out;
    if (std::ranges::count(typed, "--details") == 0) {
      EXPECT_TRUE(whole.out.starts_with(brief.out)) << typed[0] << "\n" << brief.out;
    }
  }
  // Of several that were asked about, a sentence each.
  write("c.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1})");
  for (const Words& several : {Words{"decay", "--base", "10000,500000"},
                               {"decay", "--model", "llama-2", "--config", "c.json"},
                               {"decay", "--dim", "64,128"},
                               {"wavelengths", "--base", "10000,500000"},
                               {"wavelengths", "--model", "gemma-3-1b"}}) {
    Words quiet = several;
    quiet.emplace_back("-q");
    const std::string out = rope(quiet).out;
    EXPECT_EQ(std::ranges::count(flowing(out), '.') > 1, true) << out;
    EXPECT_EQ(out.find("  "), std::string::npos) << out;
    const std::size_t second = out.find(": ", out.find(": ") + 1);
    EXPECT_NE(second, std::string::npos) << several[0] << several[1] << "\n" << out;
  }
  const Outcome warned = rope({"decay", "--base", "1", "-q"});
  EXPECT_NE(warned.err.find("warning: --base: with base 1"), std::string::npos) << warned.err;
  EXPECT_EQ(rope({"inspect", "--list", "-q"}).out, rope({"inspect", "--list"}).out);
  EXPECT_EQ(rope({"glossary", "bound", "-q"}).out, rope({"glossary", "bound"}).out);
  EXPECT_EQ(rope({"matrix", "--json", "-q"}).out, rope({"matrix", "--json"}).out);
  ASSERT_EQ(rope({"matrix", "--dim", "4", "-o", "whole.md"}).exit_code, 0);
  ASSERT_EQ(rope({"matrix", "--dim", "4", "-o", "quiet.md", "-q"}).exit_code, 0);
  EXPECT_EQ(read("whole.md"), read("quiet.md"));  // files hold what they always hold
}

const Words kDrawers = {"decay", "wavelengths", "precision", "extend", "compare"};

TEST_F(TypingTest, AFileOfSomebodyElseStaysAsItIs) {
  for (const std::string& command : kDrawers) {
    const std::string csv = command + ".csv", png = command + ".png";
    for (const char* theirs :
         {"mine\n1\n", "distance,note\n1,2\n", "pair,theta,mine\n", "\xff\x00"}) {
      write(csv, theirs);
      write(png, "\x89PNG\r\n\x1a\nmine");
      const Outcome run = rope({command});
      EXPECT_EQ(run.exit_code, 0) << command;
      EXPECT_EQ(read(csv), theirs) << command;
      EXPECT_EQ(read(png), "\x89PNG\r\n\x1a\nmine") << command;
      EXPECT_EQ(run.out.find("wrote"), std::string::npos) << run.out;
      EXPECT_EQ(run.out.find("replaced"), std::string::npos) << run.out;
      for (const std::string& file : {csv, png})
        EXPECT_NE(
            run.err.find(
                file + " already exists, but not in the form that rope writes, so it is kept; -o " +
                file + " replaces it"),
            std::string::npos)
            << run.err;
    }
    EXPECT_EQ(rope({command, "-o", csv}).exit_code, 0);
    EXPECT_NE(read(csv).substr(0, 4), "mine");
  }
}

TEST_F(TypingTest, AFileThatItWroteIsReplacedWhateverTheOptionsWere) {
  const std::vector<std::pair<std::string, std::vector<Words>>> kOptions = {
      {"decay",
       {{},
        {"--base", "1e4,1e5"},
        {"--family", "linear"},
        {"--random-pairs", "0"},
        {"--axes", "32,32", "--map"},
        {"--model", "gemma-3-1b"}}},
      {"wavelengths", {{}, {"--context", "4096"}, {"--dim", "8,16"}, {"--axes", "8,8"}}},
      {"precision", {{}, {"--policy", "float32"}, {"--against", "exact", "--policy", "tf32"}}},
      {"extend", {{}, {"--view", "fans"}, {"--rule", "yarn"}}},
      {"compare", {{}, {"--encoding", "rope"}}}};
  for (const auto& [command, options] : kOptions) {
    bool first = true;
    for (std::size_t round = 0; round < 2; ++round)
      for (const Words& more : options) {
        Words words = {command};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome run = rope(words);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        const std::string done = first ? "wrote " : "replaced ";
        EXPECT_TRUE(run.out.ends_with(done + command + ".csv\n" + done + command + ".png\n"))
            << command << " " << (more.empty() ? "" : more[0]) << "\n"
            << run.err;
        first = false;
      }
  }
  write("decay.csv", "");
  EXPECT_NE(rope({"decay"}).out.find("wrote decay.csv"), std::string::npos);
}

TEST_F(TypingTest, TheAnswerComesBeforeWhatCannotBeWritten) {
  for (const std::string& command : kDrawers) {
    std::filesystem::create_directory(path(command + ".csv"));
    const Outcome run = rope({command});
    EXPECT_EQ(run.exit_code, 3) << command;
    EXPECT_GT(std::ranges::count(run.out, '\n'), 5) << command << run.out;
    EXPECT_NE(run.err.find("cannot write '" + command + ".csv'"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("The answer is complete without this file;"), std::string::npos)
        << run.err;
    EXPECT_TRUE(run.out.ends_with("wrote " + command + ".png\n")) << run.out;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
  }
}

TEST_F(TypingTest, AMatrixIsFoldedBetweenItsBlocks) {
  const auto parts = [](const std::string& text) {
    Words labels;
    for (const std::string& line : lines_of(text))
      if (line.starts_with("  columns ")) labels.push_back(line.substr(10));
    return labels;
  };
  const Outcome run = rope({"matrix", "--dim", "8", "--positions", "3"});
  EXPECT_EQ(parts(run.out), (Words{"0, 1, 2, 3, 4, 5 of 8", "6, 7 of 8"})) << run.out;
  const Outcome half = rope({"matrix", "--dim", "8", "--positions", "3", "--layout", "half"});
  EXPECT_EQ(parts(half.out), (Words{"0, 1, 2, 4, 5, 6 of 8", "3, 7 of 8"})) << half.out;
  EXPECT_EQ(parts(rope({"matrix", "--dim", "4"}).out), Words{});
  for (const std::string& line : lines_of(run.out)) EXPECT_LE(columns_of(line), 80U) << line;
  for (const char* dim : {"2", "4", "6", "8"})
    for (const int columns : {20, 40, 60, 80, 100, 120}) {
      Setting setting;
      setting.terminal_columns = columns;
      const Outcome narrow = rope({"matrix", "--dim", dim, "--positions", "12345"}, setting);
      for (const std::string& part : parts(narrow.out))
        EXPECT_EQ(std::ranges::count(part, ',') % 2, 1) << part;  // pairs: 0, 1 …
    }
}

TEST_F(TypingTest, ABoundOfAFewSmallestDoublesIsCountedInThem) {
  const Outcome run = rope({"verify", "--query", "1e-320,0", "--key", "1,2", "--positions", "3,5"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("·2^−1074\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("2^−1074 = 4.94e-324"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("e-322"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace rope::test
