// --json is one document on standard output and nothing else: of every command, in every way that
// it can answer or end early, and beside every other output.

#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

class JsonTest : public CliTest {
 protected:
  /// The command lines of a help's examples, without --json and what a shell does with them.
  std::vector<std::string> examples(const std::string& help) {
    const std::size_t start = help.find("Examples:\n") + 10;
    std::vector<std::string> found;
    for (std::string line : lines_of(help.substr(start, help.find("\n\n", start) - start))) {
      line = line.substr(0, line.find_first_of(";|>&"));
      while (line.find(" --json") != std::string::npos) line.erase(line.find(" --json"), 7);
      if (const std::size_t begin = line.find("rope "); begin != std::string::npos)
        found.push_back(line.substr(begin));
    }
    return found;
  }

  void expect_one_document(const std::string& line) {
    const Outcome run = shell(line + " --json");
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 4)
        << line << ": " << run.exit_code << '\n'
        << run.err;
    EXPECT_TRUE(nlohmann::json::accept(run.out)) << line << '\n' << run.out.substr(0, 300);
    EXPECT_TRUE(run.out.ends_with("}\n")) << line;
  }

  /// Of one that is refused, nothing arrives.
  void expect_refused(const std::string& line) {
    const Outcome run = shell(line);
    EXPECT_EQ(run.exit_code, 2) << line << '\n' << run.out.substr(0, 300);
    EXPECT_EQ(run.out, "") << line;
    EXPECT_EQ(lines_of(run.err).size(), 2U) << line << '\n' << run.err;
  }
};

TEST_F(JsonTest, IsOneDocumentInEveryExampleOfEveryCommand) {
  ASSERT_EQ(shell("rope apply --golden q_").exit_code, 0);  // which other examples read
  std::size_t commands = 0;
  const std::string all = rope({"--help"}).out;
  for (const std::string& command : commands_in(all)) {
    const std::string help = rope({command, "--help"}).out;
    if (help.find("--json") == std::string::npos) continue;
    ++commands;
    for (const std::string& example : examples(help))
      if (example.find("--golden") == std::string::npos) expect_one_document(example);
    if (help.find("--show") != std::string::npos)
      expect_refused(examples(help).front() + " --json --show");
  }
  EXPECT_GE(commands, 17U) << all;
}

TEST_F(JsonTest, IsOneDocumentOfEveryEarlyReturnAndBesideEveryOtherOutput) {
  shell("rope lesson 9 --exercise -o wiring.npy; rope matrix --dim 4 -o m.npy");
  const std::string rotated = "rope apply wiring.npy --layout half -o y.npy";
  ASSERT_EQ(shell(rotated).exit_code, 0);
  for (const char* line : {"rope lesson 5 -o p.png",
                           "rope lesson 5 -o folder/",
                           "rope lesson 5 -o p.svg -o folder",
                           "rope lesson 9 -o wiring.npy -o l.md -o p.png",
                           "rope lesson 5 --answer",
                           "rope lesson 5 --answer d",
                           "rope lesson 5 --answer a",
                           "rope lesson 2 --answer 7.02",
                           "rope lesson 2 --answer 1",
                           "rope lesson 9 --answer y.npy",
                           "rope lesson 5 --answer d -o p.png",
                           "rope lesson 5 --presenter",
                           "rope lesson 5 --exercise --answer",
                           "rope lesson all --pause",
                           "rope claims S0-35 -o c.png",
                           "rope claims S0-35 -o c.md -o c.svg",
                           "rope claims -o c.csv",
                           "rope precision --list",
                           "rope precision --list -o list.md",
                           "rope inspect --list",
                           "rope inspect --list llama",
                           "rope glossary",
                           "rope decay --map --axes 32,32 -o d.png",
                           "rope decay -o d.png -o d.csv",
                           "rope rotate --primer euler -o e.png",
                           "rope rotate --positions 0:3 --animate -o r.png",
                           "rope score --view grid -o g.png",
                           "rope verify --precision 24 --dim 4",
                           "rope verify --input wiring.npy --output y.npy "
                           "--layout half",
                           "rope apply wiring.npy -o z.npy",
                           "rope apply --vector 1,2 --explain",
                           "rope diagnose --input wiring.npy --result y.npy"})
    expect_one_document(line);
  for (const char* line :
       {"rope lesson 5 --json --show", "rope lesson --json -o p.png", "rope claims --json -o c.png",
        "rope lesson 5 --json -o -", "rope lesson 5 --json -o - --format png",
        "rope lesson 5 --answer e --json", "rope lesson 5 --json -o w.npy",
        "rope lesson 5 6 --answer d --json", "rope claims S9-99 --json",
        "rope apply --golden g_ --json"})
    expect_refused(line);
}

}  // namespace
}  // namespace rope::test
