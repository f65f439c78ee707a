// What fits a terminal: lines, words and what is coloured.

#include <algorithm>
#include <sstream>

#include "cli/run.hpp"

namespace rope::test {
namespace {

class TerminalTest : public CliTest, public testing::WithParamInterface<const char*> {};

TEST_P(TerminalTest, EveryLineFits) {
  for (const int columns : {80, 100}) {
    Setting setting;
    setting.terminal_columns = columns;
    setting.environment["TERM"] = "xterm";
    const Outcome run = shell(std::string("rope ") + GetParam(), setting);
    EXPECT_FALSE(run.out.empty());
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(columns_of(line), static_cast<std::size_t>(columns)) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Reports, TerminalTest,
    testing::Values(
        "decay", "wavelengths", "wavelengths --model gpt-oss", "decay --model gemma-3-27b",
        "decay --base 0.5 --dim 7", "verify", "verify --details", "verify --policy float32",
        "verify --model gpt-oss --policy bfloat16-positions",
        "verify --control mixed-layouts --trials 50 --details",
        "verify --policy float16-positions --max-position 1e15",
        "verify --control off-by-one --max-position 1e15",
        "verify --precision 40 --max-position 1e15 --trials 30",
        "verify --precision 300 --control wrong-sign",
        "verify --dim 2 --query 1,2 --key 3,4 --positions 5,2",
        "apply --golden g_ --dim 64 >x; rope verify --input g_x.npy --result g_y.npy --positions "
        "g_positions.npy --base 500",
        "apply --golden g_ --dim 64 >x; rope diagnose g_x.npy g_y.npy --layout half --base 500",
        "apply --golden g_ --dim 64 >x; rope diagnose g_x.npy g_y.npy --details",
        "apply --golden g_ --dim 64 >x; rope diagnose g_x.npy g_bound.npy",
        "apply --golden g_ --policy angle=f32,table=bf16",
        "apply --vector 1,2,3,4 --start 12345678 --explain",
        "apply --vector 1,2,3,4 --start 3 --model gpt-oss --dim 4 --policy bfloat16-table "
        "--explain",
        "apply --vector 1,2,3,4,5,6,7,8,9,10,11,12 --start -7",
        "apply --vector 1,2,3,4 -o q.npy >x; rope convert q.npy --from half --to interleaved "
        "--axis 1 -o y.npy",
        "precision -o x.csv", "precision --details --policy all -o x.csv --max-position 1000",
        "precision --policy float32,ggml --max-position 1e12 --exhaustive 100 --details -o x.csv",
        "extend", "extend --model phi-4-mini -o x.csv",
        "extend --model llama-3.1-8b --details -o x.csv", "compare", "compare --details -o x.csv",
        "compare t5:buckets=8 t5", "", "-h", "--help", "help options", "glossary", "glossary yarn",
        "glossary --lang zh", "glossary 判定", "matrix --details", "matrix --dim 8 --positions 3,5",
        "score", "score --details --positions -123456,7", "score --view pairs --details",
        "score --view curve --key same --key turned:50 --key opposite", "score --view grid",
        "score --view grid --encoding transformer-xl,t5,learned --show",
        "score --view curve --show", "score --model gpt-oss --view pairs --show",
        "attention --details", "attention --mask causal --text 'one two three four five six seven'",
        "attention --text 'a rose is a rose is a rose is a rose' --show",
        "attention --view shuffle --encoding rope,alibi --details",
        "attention --view repeat --encoding none,rope,t5,sinusoidal,learned",
        "attention --view values --encoding rope,sinusoidal",
        "attention --view entropy --lengths 16,64 --encoding rope,alibi --details",
        "inspect gpt-oss --details", "inspect --list", "inspect llama-2 gemma-3-12b",
        "decay --base=-1", "decay --bse 3", "wavelengths --model gpt-oss-20b --show",
        "extend --show", "completion perl", "plot"));

using NarrowTest = CliTest;

TEST_F(NarrowTest, DifferencesStayWhole) {
  for (const int columns : {40, 60, 70, 80, 90, 100}) {
    Setting setting;
    setting.terminal_columns = columns;
    for (const char* command : {"rope verify --control wrong-sign --trials 20",
                                "rope score --view curve --query ones --key turned:50 "
                                "--distances -1000:1000 -o peak.csv"})
      for (const std::string& line : lines_of(shell(command, setting).out)) {
        const std::string words = line.substr(0, line.find_last_not_of("\r ") + 1);
        EXPECT_FALSE(words.ends_with("−")) << line;
        EXPECT_FALSE(words.starts_with("− ")) << line;
      }
  }
}

TEST_F(NarrowTest, SentencesBreakBetweenWordsAndTablesFold) {
  Setting setting;
  setting.terminal_columns = 40;
  const Outcome run = rope({"decay", "-o", "x.csv"}, setting);
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), 40U) << line;
  // The first column stands before the columns that found no place beside it.
  const std::size_t first = run.out.find("(tokens)");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(run.out.find("(tokens)", first + 1), std::string::npos) << run.out;
}

}  // namespace
}  // namespace rope::test
