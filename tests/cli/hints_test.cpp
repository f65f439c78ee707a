// What is meant by what was typed otherwise: the second line of a refusal says what to type.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class HintsTest : public CliTest {
 protected:
  void hints(const Words& typed, const std::string& remedy) {
    const Outcome run = rope(typed);
    EXPECT_EQ(run.exit_code, 2) << typed[0];
    EXPECT_EQ(run.out, "") << typed[0];
    EXPECT_NE(flowing(run.err).find(remedy), std::string::npos) << run.err << "\nnot " << remedy;
  }
};

/// A line of the help that tells of an option with a value: "  -o, --output FILE  write …".
std::vector<std::pair<std::string, std::string>> options_with_values(const std::string& help) {
  std::vector<std::pair<std::string, std::string>> options;
  for (const std::string& line : lines_of(help)) {
    const std::size_t begin = line.find("--");
    if (!line.starts_with("  -") || begin == std::string::npos || begin > 6) continue;
    const std::size_t blank = line.find(' ', begin);
    if (blank == std::string::npos || blank + 1 >= line.size()) continue;
    const char next = line[blank + 1];  // a value is in capitals, or how one is written: WxH
    if (next < 'A' || next > 'Z') continue;
    options.emplace_back(line.substr(begin, blank - begin), line.substr(blank + 1));
  }
  return options;
}

TEST_F(HintsTest, NoOptionTakesAnotherOneForItsValue) {
  std::size_t tried = 0;
  for (const char* command :
       {"apply", "attention", "claims", "compare", "convert", "decay", "diagnose", "extend",
        "inspect", "matrix", "precision", "rotate", "score", "verify", "wavelengths"})
    for (const auto& [option, value] : options_with_values(rope({command, "--help"}).out)) {
      const Outcome run = rope({command, option, "--quiet"});
      EXPECT_EQ(run.exit_code, 2) << command << " " << option;
      EXPECT_NE(
          flowing(run.err).find(option + ": expected a value, got the option '--quiet' Write "),
          std::string::npos)
          << run.err;
      ++tried;
    }
  EXPECT_GT(tried, 100U);
  EXPECT_EQ(files(), Words{});
  hints({"apply", "--golden", "--dim", "64"},
        "--golden: expected a value, got the option '--dim' Write --golden PREFIX, or "
        "--golden=--dim if that is its value.");
  hints({"decay", "-o", "--json"},
        "-o: expected a value, got the option '--json' Write --output FILE, or --output=--json");
  hints({"decay", "--title", "--base=5"}, "got the option '--base=5'");
  hints({"verify", "--control", "-q"}, "--control: expected a value, got the option '-q'");
  // No option is a number.
  for (const char* number : {"--dim", "--base", "--trials", "--frequencies"})
    EXPECT_EQ(rope({"verify", number, "--json"}).err.find("if that is its value"),
              std::string::npos)
        << number;
  // What only looks like an option is a value.
  EXPECT_EQ(rope({"score", "--query", "1,2", "--key", "-3,1"}).exit_code, 0);
  EXPECT_EQ(rope({"rotate", "--distance", "-3"}).exit_code, 0);
  EXPECT_EQ(rope({"decay", "--title=--quiet", "-o", "d.gp"}).exit_code, 0);
  EXPECT_NE(read("d.gp").find("--quiet"), std::string::npos);
  EXPECT_EQ(rope({"decay", "-o", "-", "--format", "csv"}).exit_code, 0);
}

TEST_F(HintsTest, AnOptionOfOthersIsAnsweredWithOurs) {
  write("x.csv", "1,2\n3,4\n");
  for (const auto& [typed, remedy] : std::vector<std::pair<Words, std::string>>{
           {{"verify", "--tolerance", "1e-3"}, "Did you mean --require?"},
           {{"apply", "x.csv", "--offset", "100"}, "Did you mean --start?"},
           {{"decay", "--max-distance", "4096"}, "Did you mean --distances?"},
           {{"decay", "--context", "4096"}, "Did you mean --distances?"},
           {{"extend", "--factor", "4"}, "Did you mean --to?"},
           {{"attention", "--causal"}, "Did you mean --mask causal?"},
           {{"rotate", "--m", "5"}, "Did you mean --positions?"},
           {{"rotate", "--n", "2"}, "Did you mean --distance?"},
           {{"verify", "--n", "2"}, "Did you mean --positions?"},
           {{"precision", "--max-positions", "4096"}, "is --max-position N."},
           {{"verify", "--golden", "t_"}, "It is an option of rope apply."},
           {{"decay", "--search-base"}, "It is an option of rope extend."},
           {{"convert", "--input", "x.csv", "--from", "half"}, "Files need no option before them"},
           {{"precision", "--policy", "bf16-table"}, "Did you mean bfloat16-table?"},
           {{"verify", "--policy", "fp16-positions"}, "Did you mean float16-positions?"},
           {{"precision", "--policy", "f32-pairwise"}, "Did you mean float32-pairwise?"},
           {{"rotate", "--break", "wrong-sign"}, "Did you mean sign?"},
           {{"verify", "--control", "sign"}, "Did you mean wrong-sign or negative-query?"},
           {{"help", "scaling"}, "rope help rotary explains --scaling."},
           {{"help", "title"}, "rope help output explains --title."},
           {{"decay", "--nonsense"}, "The option --help lists all options."},
           {{"decay", "--preset", "llama-3.1-8b"}, "Did you mean --model?"},
           {{"decay", "--csv"}, "Did you mean -o FILE.csv?"},
           {{"decay", "--png"}, "Did you mean -o FILE.png?"},
           {{"decay", "--plot"}, "Did you mean -o FILE.png?"},
           {{"verify", "--save", "v.csv"}, "Did you mean -o FILE?"},
           {{"decay", "--no-color"}, "Did you mean --color never?"},
           {{"diagnose", "--before", "x.csv"}, "Did you mean --input?"},
           {{"diagnose", "--after", "x.csv"}, "Did you mean --result?"},
           {{"wavelengths", "-d", "64"}, "Did you mean --dim or --details?"},
           {{"wavelengths", "-m", "x"}, "Did you mean --max-positions or --model?"},
           {{"lesson", "--list"}, "rope lesson lists the steps."},
           {{"claims", "--list"}, "rope claims counts the statements; --article 000 lists"},
           {{"glossary", "--list"}, "rope glossary lists the terms."},
           {{"wavelengths", "--max-position", "4096"}, "Did you mean --context?"},
           {{"matrix", "--max-position", "4096"},
            "Did you mean --max-positions? --max-position is an option of rope verify or "
            "precision."},
           {{"VERIFY"}, "Did you mean verify?"},
           {{"Plot"}, "rope decay"},
           {{"--quiet", "matrix", "--dim", "4"},
            "Options follow the command: rope matrix --quiet --dim 4"},
           {{"--dim", "4"}, "Options follow the command: rope decay --dim 64."},
           {{"claims", "wrong"}, "Did you mean --verdict wrong?"},
           {{"claims", "S0"}, "Did you mean --article 000?"},
           {{"claims", "decay"}, "Did you mean --about decay?"},
           {{"verify", "—trials", "10"},
            "expected an option, got '—trials' That is a long dash: write --trials."},
           {{"verify", "–q"}, "write -q."},
           {{"verify", "−−trials=10"}, "write --trials."}})
    hints(typed, remedy);
  // Where --max-position does not exist, it is not what to type.
  hints({"matrix", "--max-positions", "4096"},
        "Only scaling rules depend on lengths: leave it out.");
  hints({"wavelengths", "--max-positions", "4096"},
        "leave it out; turns are counted over the N tokens of --context.");
}

// What a message says to type is taken.
TEST_F(HintsTest, AScalingRuleIsAnsweredWithAWholeOne) {
  write("short.json", "[1, 1]");
  const std::string json = R"({"rope_type": "yarn", "factor": 8.0, "beta_fast": 16})";
  for (const auto& [typed, whole] : std::vector<std::pair<std::string, std::string>>{
           {"yarn:4", "yarn:factor=4,original=32768"},
           {"yarn=2.5", "yarn:factor=2.5,original=32768"},
           {"llama3:8", "llama3:factor=8,low=1,high=4,original=8192"},
           {"llama3:factor=16,original=4096", "llama3:factor=16,low=1,high=4,original=4096"},
           {"yarn:factor=4", "yarn:factor=4,original=32768"},
           {"yarn", "yarn:factor=4,original=32768"},
           {"dynamic:2", "dynamic:factor=2,original=4096"},
           {"truncation:low=1e-5", "truncation:low=1e-05,high=1e-2,value=1e-3"},
           {json, "yarn:factor=8,original=32768,beta_fast=16"}}) {
    hints({"wavelengths", "--scaling", typed}, whole);
    EXPECT_EQ(
        rope({"wavelengths", "--scaling", whole, "-q", "-o", "-", "--format", "csv"}).exit_code, 0)
        << whole;
  }
  hints({"wavelengths", "--scaling", "llama3:factor=8"}, "expected low and high too");
  hints({"wavelengths", "--scaling", "yarn:factor=4"}, ", or --max-positions N");
  EXPECT_EQ(
      rope({"decay", "--scaling", "yarn:factor=4", "--max-positions", "4096", "--json"}).exit_code,
      0);
}

TEST_F(HintsTest, WhatIsIgnoredIsRefused) {
  for (const auto& [typed, remedy] : std::vector<std::pair<Words, std::string>>{
           {{"rotate", "--primer", "euler", "--base", "500"}, "cannot be used with --primer"},
           {{"rotate", "--primer", "euler", "--layout", "half"}, "cannot be used with --primer"},
           {{"rotate", "--primer", "euler", "--seed", "1"}, "cannot be used with --primer"},
           {{"rotate", "--pairs", "0", "--animate"}, "--animate: expected a picture with it"},
           {{"rotate", "--pairs", "0", "--times", "3"}, "--times: expected an animated picture"},
           {{"rotate", "--pairs", "0", "--pace", "50", "-o", "r.svg"},
            "--pace: expected an animated picture"},
           {{"rotate", "--pairs", "0", "--title", "x"}, "--title: expected a picture with it"},
           {{"decay", "--json", "--size", "800x600"}, "--size: expected a picture with it"},
           {{"decay", "--style", "dark", "-o", "d.csv"}, "--style: expected a picture with it"},
           {{"extend", "--lang", "zh", "-o", "d.csv"}, "--lang: expected a picture with it"},
           {{"rotate", "--primer", "argument", "--angle", "90"},
            "--angle: expected --z with --primer argument"},
           {{"rotate", "--primer", "argument", "--z", "3+4i"}, "Write --z 3,4."},
           {{"rotate", "--primer", "argument", "--z", "1-i"}, "Write --z 1,-1."},
           {{"verify", "--query", "1,2", "--key", "random", "--positions", "5,2"},
            "--key: expected numbers, a file, ones, same, opposite or turned:N, got 'random'"},
           {{"verify", "--input", "x.npy", "--result", "y.npy", "--require", "1e-3"},
            "--policy allows"},
           {{"precision", "--policy", "tf32,tf32"}, "different policies, got tf32 twice"},
           {{"extend", "--rule", "yarn,yarn"}, "different rules, got yarn twice"},
           {{"extend", "--window", "0"},
            "--window: expected an integer from 1 to 16777215, got '0'"},
           {{"decay", "--axes", "32,33"}, "--axes: expected even numbers of dimensions"}})
    hints(typed, remedy);
  EXPECT_EQ(files(), Words{});
  EXPECT_EQ(rope({"claims", "S0-35", "--lang", "zh"}).exit_code, 0);  // the report is in Chinese
}

TEST_F(HintsTest, AWordTooManyIsAnsweredWithWhereItBelongs) {
  write("x.csv", "1,2\n3,4\n");
  write("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1})");
  write("b.json", read("config.json"));
  const std::string quoted = "Did you mean --text \"the dog bites the man\"?";
  for (const auto& [typed, remedy] : std::vector<std::pair<Words, std::string>>{
           {{"attention", "--text", "the", "dog", "bites", "the", "man"}, quoted},
           {{"attention", "the", "dog", "bites", "the", "man", "-q"}, quoted},
           {{"attention", "the dog bites the man"}, quoted},
           {{"decay", "--title", "my", "curve", "-o", "d.gp"}, "--title \"my curve\"?"},
           {{"wavelengths", "config.json"}, "Did you mean --config config.json?"},
           {{"decay", "curve.png"}, "Did you mean -o curve.png?"},
           {{"apply", "x.csv", "y.npy"}, "Did you mean -o y.npy?"},
           {{"verify", "--query", "1", "2", "--key", "3", "-1"},
            "--query: expected numbers separated by commas, got '1 2' Write --query 1,2."},
           {{"verify", "--key", "3", "-1"}, "Write --key 3,-1."},
           {{"matrix", "--positions", "3", "-4", "5"}, "Write --positions 3,-4,5."},
           {{"compare", "--range", "-5", "5"}, "Write --range -5,5."},
           {{"decay", "--config", "config.json,b.json"},
            "Write --config config.json --config b.json."},
           {{"apply", "--vector", "1,2,3"},
            "--vector: expected an even number of numbers, got 3 Dimensions are rotated in pairs"},
           {{"apply", "--vector", "1,2,3,4", "--dim", "8"},
            "--vector: expected 8 numbers, as --dim requires, got 4"},
           {{"apply", "--vector", "1,2,3,4", "--positions", "1,2"}, "There is one vector"},
           {{"apply", "x.csv", "--positions", "1,2,3,5"}, "a position for each of the 2 vectors"},
           {{"apply", "x.csv", "--positions", "5:7"}, "A:B includes both ends: 5:6 is 2"},
           {{"claims", "--find", "xyzzy"}, "rope claims without options counts all statements."},
           {{"decay", "-o", "-"}, "Add --format csv, json"}})
    hints(typed, remedy);
  EXPECT_EQ(files(), (Words{"b.json", "config.json", "x.csv"}));
}

TEST_F(HintsTest, OtherSpellingsAreTaken) {
  write("x.csv", "1,2\n3,4\n");
  write("config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1})");
  const auto same = [&](const Words& typed, const Words& plain) {
    const Outcome run = rope(typed);
    EXPECT_EQ(run.exit_code, rope(plain).exit_code) << typed.back() << ": " << run.err;
    EXPECT_EQ(run.out, rope(plain).out) << typed.back();
  };
  for (const auto& [theirs, ours] :
       std::vector<std::pair<std::string, std::string>>{{"float32", "f32"},
                                                        {"fp32", "f32"},
                                                        {"single", "f32"},
                                                        {"float64", "f64"},
                                                        {"double", "f64"},
                                                        {"float16", "f16"},
                                                        {"half", "f16"},
                                                        {"bfloat16", "bf16"}}) {
    ASSERT_EQ(rope({"apply", "x.csv", "--dtype", theirs, "-o", "theirs.npy"}).exit_code, 0);
    ASSERT_EQ(rope({"apply", "x.csv", "--dtype", ours, "-o", "ours.npy"}).exit_code, 0);
    EXPECT_EQ(read("theirs.npy"), read("ours.npy")) << theirs;
  }
  same({"inspect", "--config", "config.json"}, {"inspect", "config.json"});
  same({"compare", "NoPE", "--json"}, {"compare", "none", "--json"});
  same({"attention", "--encoding", "nope"}, {"attention", "--encoding", "none"});
  for (const char* format : {"half", "fp16", "single", "fp32", "double", "fp64", "bfloat16"})
    EXPECT_NE(
        rope({"verify", "--policy", std::string("table=") + format, "--trials", "5"}).exit_code, 2)
        << format;
  same({"claims", "s0-35"}, {"claims", "S0-35"});
  same({"claims", "S0-35,S0-36"}, {"claims", "S0-35", "S0-36"});
  same({"claims", "--article", "0"}, {"claims", "--article", "000"});
  same({"lesson", "two wirings"}, {"lesson", "9"});
  same({"--help", "decay"}, {"help", "decay"});
  same({"-h", "decay"}, {"decay", "-h"});
  same({"rotate", "--break", "negative-query"}, {"rotate", "--break", "sign"});
}

}  // namespace
}  // namespace rope::test
