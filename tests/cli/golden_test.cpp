// Whole outputs, compared with files. ROPE_UPDATE_GOLDEN=1 rewrites them: read the difference.

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli/run.hpp"

namespace rope::test {
namespace {

class GoldenTest : public CliTest {
 protected:
  void expect_output(const std::string& name, const std::vector<std::string>& arguments) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string golden = std::string(ROPE_GOLDEN_DIR) + "/" + name + ".txt";
    if (std::getenv("ROPE_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(golden) << run.out;
      return;
    }
    std::ostringstream expected;
    expected << std::ifstream(golden).rdbuf();
    EXPECT_EQ(run.out, expected.str()) << golden;
  }
};

TEST_F(GoldenTest, Help) {
  expect_output("help", {"--help"});
  expect_output("help_brief", {"-h"});
  expect_output("help_verify_brief", {"verify", "-h"});
  expect_output("help_options", {"help", "options"});
  expect_output("help_encodings", {"help", "encodings"});
  for (const char* command : {"matrix", "apply", "convert", "score", "verify", "diagnose",
                              "precision", "decay", "wavelengths", "inspect", "extend", "compare",
                              "attention", "lesson", "glossary", "help", "completion"})
    expect_output(std::string("help_") + command, {command, "--help"});
}

TEST_F(GoldenTest, Lesson) {
  expect_output("lesson", {"lesson"});
  for (int step = 1; step <= 16; ++step)
    for (const char* language : {"en", "zh"}) {
      const std::string number = std::to_string(step);
      const std::string name = "lesson_" + std::string(2 - number.size(), '0') + number;
      expect_output(name + "_" + language, {"lesson", number, "--lang", language});
      expect_output(name + "_answer_" + language,
                    {"lesson", number, "--answer", "--lang", language});
    }
}

TEST_F(GoldenTest, Matrix) {
  expect_output("matrix", {"matrix", "--dim", "4", "--positions", "5,2"});
  expect_output("matrix_pairs", {"matrix", "--dim", "64", "--positions", "-1000"});
  expect_output("matrix_json", {"matrix", "--dim", "4", "--json"});
  expect_output("matrix_tex", {"matrix", "--dim", "4", "-o", "-", "--format", "tex"});
  expect_output("matrix_tex_corners", {"matrix", "--dim", "32", "-o", "-", "--format", "tex"});
  expect_output("matrix_tex_pairs",
                {"matrix", "--dim", "4", "--form", "pairs", "-o", "-", "--format", "tex"});
}

TEST_F(GoldenTest, Apply) {
  expect_output("apply", {"apply", "--vector", "1,2,3,4", "--start", "3"});
  expect_output("apply_explain", {"apply", "--vector", "1,2,3,4", "--start", "-3", "--scaling",
                                  "yarn:factor=4,original=16", "--layout", "half", "--explain"});
  expect_output("apply_json", {"apply", "--vector", "1,2", "--start", "3", "--explain", "--json"});
}

TEST_F(GoldenTest, Score) {
  expect_output("score", {"score", "--frequencies", "0.5", "--query", "1,2", "--key", "3,-1",
                          "--positions", "5,2"});
  expect_output("score_pairs", {"score", "--view", "pairs"});
  expect_output("score_grid", {"score", "--view", "grid", "--dim", "8"});
  expect_output("score_json", {"score", "--frequencies", "0.5", "--query", "1,2", "--key", "3,-1",
                               "--positions", "5,2", "--json"});
}

TEST_F(GoldenTest, Decay) {
  expect_output("decay", {"decay", "-o", "x.csv"});
  expect_output("decay_two", {"decay", "--base", "10000", "--base", "500000", "--distances",
                              "0,1,1000", "--random-pairs", "0", "-o", "x.csv"});
}

TEST_F(GoldenTest, Wavelengths) {
  expect_output("wavelengths", {"wavelengths", "--context", "4096", "-o", "x.csv"});
  expect_output("wavelengths_json", {"wavelengths", "--dim", "4", "--context", "100", "--json"});
}

TEST_F(GoldenTest, Inspect) {
  expect_output("inspect", {"inspect", "gpt-oss"});
  expect_output("inspect_two", {"inspect", "qwen2.5-7b", "qwen2.5-7b-yarn"});
  expect_output("inspect_layers", {"inspect", "gemma-3-12b"});
}

TEST_F(GoldenTest, Attention) {
  expect_output("attention", {"attention", "--text", "the dog bites the man"});
  expect_output("attention_causal", {"attention", "--mask", "causal"});
  expect_output("attention_long", {"attention", "--text", "a rose is a rose is a rose is a rose"});
  expect_output("attention_shuffle",
                {"attention", "--view", "shuffle", "--encoding", "rope,alibi"});
  expect_output("attention_repeat", {"attention", "--view", "repeat"});
  expect_output("attention_values", {"attention", "--view", "values"});
  expect_output("attention_entropy",
                {"attention", "--view", "entropy", "--lengths", "200,2000", "--queries", "30"});
  expect_output("attention_json", {"attention", "--text", "dog bites", "--dim", "4", "--json"});
}

}  // namespace
}  // namespace rope::test
