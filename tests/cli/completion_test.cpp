// rope completion: the scripts of shells.

#include <algorithm>
#include <sstream>

#include "cli/run.hpp"
#include "rope/model/presets.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class CompletionTest : public CliTest {
 protected:
  /// What bash offers for the last of the words.
  Words offered(const Words& words) const {
    std::string line = "bash -c 'source <(rope completion bash); COMP_WORDS=(";
    for (const std::string& word : words) line += "\"" + word + "\" ";
    const Outcome run =
        shell(line +
              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
              "$(complete -p rope | cut -d\" \" -f3); "
              "[[ ${#COMPREPLY[@]} = 0 ]] || printf \"%s\\n\" \"${COMPREPLY[@]}\"'");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    Words result;
    std::istringstream stream(run.out);
    for (std::string word; std::getline(stream, word);) result.push_back(word);
    return result;
  }
};

/// The commands and each one's options, as the help texts name them.
Words words_after(const std::string& text, const std::string& mark) {
  Words words;
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; ++at) {
    const std::size_t begin = at + mark.size();
    words.push_back(text.substr(begin, text.find_first_of(" ,\n[=", begin) - begin));
  }
  return words;
}

TEST_F(CompletionTest, BashCompletesCommandsAndOptions) {
  EXPECT_EQ(offered({"rope", "ver"}), Words{"verify"});
  EXPECT_EQ(offered({"rope", "decay", "--ba"}), Words{"--base"});
  EXPECT_EQ(offered({"rope", "--ver"}), Words{"--version"});
  EXPECT_EQ(offered({"rope", "matrix", "--random"}), Words{});
  EXPECT_EQ(offered({"rope", "decay", "--random"}), Words{"--random-pairs"});
}

TEST_F(CompletionTest, BashCompletesTheWordsThatAnOptionTakes) {
  const Words layouts = {"interleaved", "half"};
  EXPECT_EQ(offered({"rope", "decay", "--layout", ""}), layouts);
  EXPECT_EQ(offered({"rope", "decay", "--layout", "="}), layouts);
  EXPECT_EQ(offered({"rope", "decay", "--layout", "=", "ha"}), Words{"half"});
  EXPECT_EQ(offered({"rope", "matrix", "--form", ""}), (Words{"dense", "pairs"}));
  EXPECT_EQ(offered({"rope", "apply", "--form", "e"}), Words{"elementwise"});
  EXPECT_EQ(offered({"rope", "decay", "--model", ""}), preset_names());
  EXPECT_EQ(offered({"rope", "verify", "--control", "wrong-s"}), Words{"wrong-sign"});
  EXPECT_EQ(offered({"rope", "verify", "--policy", "tf"}), Words{"tf32"});
  EXPECT_EQ(offered({"rope", "extend", "--rule", "lla"}), Words{"llama3"});
  EXPECT_EQ(offered({"rope", "compare", "--encoding", "ali"}), Words{"alibi"});
  EXPECT_EQ(offered({"rope", "inspect", "--engine", "gg"}), Words{"ggml"});
  EXPECT_EQ(offered({"rope", "decay", "--dim", ""}), Words{});
}

TEST_F(CompletionTest, BashCompletesFilesAndOperands) {
  write("q one.npy", "");
  write("layout.txt", "");
  for (const Words& before :
       {Words{"rope", "decay", "-o"}, Words{"rope", "decay", "--output"},
        Words{"rope", "verify", "--input"}, Words{"rope", "verify", "--cos"},
        Words{"rope", "decay", "--config"}, Words{"rope", "apply"}, Words{"rope", "inspect"}}) {
    Words words = before;
    words.emplace_back("q o");
    EXPECT_EQ(offered(words), Words{"q one.npy"}) << before.back();
  }
  EXPECT_EQ(offered({"rope", "inspect", "gpt-o"}), Words{"gpt-oss"});
  EXPECT_EQ(offered({"rope", "decay", "lay"}), Words{});
  EXPECT_EQ(offered({"rope", "compare", "leak"}), Words{"leaky-rerope"});
  EXPECT_EQ(offered({"rope", "help", "rota"}), (Words{"rotary", "rotate"}));
  EXPECT_EQ(offered({"rope", "help", "dec"}), Words{"decay"});
  EXPECT_EQ(offered({"rope", "completion", ""}), (Words{"bash", "zsh", "fish"}));
  EXPECT_EQ(offered({"rope", "glossary", "certif"}), Words{"certificate"});
}

/// zsh and fish need not be there: their scripts name every command, option and word.
TEST_F(CompletionTest, ZshAndFishNameEveryCommandAndOption) {
  const std::string zsh = rope({"completion", "zsh"}).out, fish = rope({"completion", "fish"}).out;
  const Words commands = commands_in(rope({"-h"}).out);
  ASSERT_GE(commands.size(), 14U);
  for (const std::string& command : commands) {
    EXPECT_NE(zsh.find("\n      '" + command + ":"), std::string::npos) << command;
    EXPECT_NE(fish.find("complete -c rope -n __fish_use_subcommand -a " + command + " -d '"),
              std::string::npos)
        << command;
    const std::size_t begin = zsh.find("\n    " + command + ")\n      _arguments \\\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string own = zsh.substr(begin, zsh.find(" ;;\n", begin) - begin);
    const std::string help = rope({command, "--help"}).out;
    for (const std::string& option : words_after(help.substr(0, help.find("\nExamples:")), " --")) {
      const auto named = [&](const char* before, const char* after) {
        return own.find(before + ("--" + option) + after) != std::string::npos;
      };
      // 'where the value of another is meant' is no option of this command
      if (help.find("\n  --" + option) == std::string::npos) continue;
      EXPECT_TRUE(named("'", "[") || named("'", "=[") || named("*", "=[") || named(",", "}") ||
                  named(",", "=}"))
          << command << " " << option;
      bool found = false;
      for (std::size_t at = 0;
           !found && (at = fish.find(" -l " + option + " ", at)) != std::string::npos; ++at) {
        const std::size_t line = fish.rfind('\n', at) + 1;
        found = (" " + fish.substr(line, at - line)).find(" " + command) != std::string::npos;
      }
      EXPECT_TRUE(found) << command << " " << option;
    }
  }
  for (const std::string& script : {zsh, fish})
    for (const char* words : {"interleaved half", "llama-3.1-8b ", "bash zsh fish", "linear ntk "})
      EXPECT_NE(script.find(words), std::string::npos) << words;
  EXPECT_NE(zsh.find("'*'{-o,--output=}'[write FILE in the format of its extension]:FILE:_files'"),
            std::string::npos);
  EXPECT_NE(fish.find(" -s o -l output -r -F "), std::string::npos);
}

/// A quote in a description would end it early.
TEST_F(CompletionTest, QuotesAreClosedOnEveryLine) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    std::istringstream script(rope({"completion", shell}).out);
    for (std::string line; std::getline(script, line);) {
      if (line.starts_with('#')) continue;
      for (std::size_t at = 0; (at = line.find("\\'")) != std::string::npos;) line.erase(at, 2);
      EXPECT_EQ(std::ranges::count(line, '\'') % 2, 0) << shell << ": " << line;
    }
  }
}

TEST_F(CompletionTest, AnotherShellIsRefused) {
  const Outcome run = rope({"completion", "zhs"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "rope completion: SHELL: expected bash, zsh or fish, got 'zhs'\n"
            "Did you mean zsh?\n");
  EXPECT_EQ(rope({"completion"}).err,
            "rope completion: SHELL: expected bash, zsh or fish, got none\n"
            "For example: source <(rope completion bash)\n");
}

}  // namespace
}  // namespace rope::test
