// Help, version, misspelt words.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/run.hpp"

namespace rope::test {
namespace {

class UsageTest : public CliTest {
 protected:
  const std::vector<std::string> kCommands = commands_in(rope({"-h"}).out);
};

/// The options that a text names, long or short.
std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> options;
  std::string words = text;
  for (char& c : words)
    if (std::string_view(",/()").find(c) != std::string_view::npos) c = ' ';
  std::istringstream stream(words);
  for (std::string word; stream >> word;) {
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    if (word[0] != '-' || word.size() <= dashes || std::islower(word[dashes]) == 0) continue;
    std::size_t end = dashes;
    while (end < word.size() && (std::isalnum(word[end]) != 0 || word[end] == '-')) ++end;
    if (dashes == 2 || end == 2) options.insert(word.substr(0, end));
  }
  return options;
}

/// Whether a line of the text begins with the option, behind its short name or not.
bool explains(const std::string& text, const std::string& option) {
  return std::ranges::any_of(lines_of(text), [&](const std::string& line) {
    if (!line.starts_with("  -")) return false;
    const std::size_t at = line.find(option);
    if (at != 2 && (at != 6 || line[3] == '-')) return false;
    const std::size_t end = at + option.size();
    return end == line.size() || line[end] == ' ' || line[end] == ',';
  });
}

/// The lines below "Examples:".
std::vector<std::string> examples_of(const std::string& help) {
  std::vector<std::string> examples;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    if (inside && line.empty()) break;
    if (inside) examples.push_back(line.substr(2));
    if (line == "Examples:") inside = true;
  }
  return examples;
}

/// The commands of the sources: each has a folder.
std::set<std::string> folders_of_commands() {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(ROPE_SOURCE_DIR + std::string("/apps/rope")))
    if (std::filesystem::exists(entry.path() / "command.cpp"))
      names.insert(entry.path().filename().string());
  return names;
}

TEST_F(UsageTest, WithoutArgumentsItListsTheCommands) {
  const Outcome run = rope({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, rope({"-h"}).out);
  EXPECT_EQ(run.err, "");
}

TEST_F(UsageTest, HelpNamesEveryCommandOnOneLineUnderItsPurpose) {
  const std::set<std::string> sources = folders_of_commands();
  for (const char* option : {"-h", "--help"}) {
    const Outcome run = rope({option}, {{{"LC_ALL", "C"}}, {}, false, false});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_TRUE(run.out.starts_with("New here? rope lesson 1\n")) << run.out;
    for (const std::string& line : lines_of(run.out)) EXPECT_LE(line.size(), 80U) << line;
    const std::vector<std::string> listed = commands_in(run.out);
    EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), sources);
    EXPECT_EQ(listed.size(), sources.size());
    for (const char* purpose : {"LEARN", "CHECK", "STUDY", "LOOK UP"})
      EXPECT_EQ(run.out.find("\n" + std::string(purpose) + " "),
                run.out.rfind("\n" + std::string(purpose) + " "));
  }
}

TEST_F(UsageTest, TheWholeHelpOfTheProgramHasExamplesThatRunAndTheExitStatus) {
  const std::string whole = rope({"--help"}).out;
  EXPECT_LE(lines_of(whole).size(), 34U) << whole;
  EXPECT_NE(whole.find("\nExit status: 0 every check held, 1 "), std::string::npos);
  const std::vector<std::string> examples = examples_of(whole);
  EXPECT_EQ(examples.size(), 5U);
  for (const std::string& example : examples) EXPECT_EQ(shell(example).exit_code, 0) << example;
}

TEST_F(UsageTest, TheShortHelpFitsOnAScreenAndSaysWhereTheRestIs) {
  std::vector<std::vector<std::string>> questions = {{"-h"}};
  for (const std::string& command : kCommands) questions.push_back({command, "-h"});
  for (const std::vector<std::string>& question : questions) {
    const Outcome run = rope(question, {{{"LC_ALL", "C"}}, {}, false, false});
    EXPECT_EQ(run.exit_code, 0);
    const std::vector<std::string> lines = lines_of(run.out);
    EXPECT_LE(lines.size(), 24U) << run.out;
    for (const std::string& line : lines) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_TRUE(question.size() == 1 || !line.starts_with("   "))
          << "an entry of two lines: " << line;
    }
    EXPECT_NE(run.out.find("--help"), std::string::npos);
    if (question.size() == 2) {
      EXPECT_EQ(examples_of(run.out).size(), 2U) << question.front();
    }
  }
}

TEST_F(UsageTest, TheShortHelpNamesOptionsOfTheWholeOne) {
  for (const std::string& command : kCommands) {
    const std::set<std::string> whole = options_in(rope({command, "--help"}).out);
    for (const std::string& line : lines_of(rope({command, "-h"}).out)) {
      if (!line.starts_with("  --")) continue;
      const std::string option = line.substr(2, line.find(' ', 2) - 2);
      EXPECT_EQ(whole.count(option), 1U) << command << " " << option;
    }
  }
}

TEST_F(UsageTest, EveryOptionIsExplainedByItsCommandOrWithTheSharedOnesAndInTheManualPage) {
  const std::string shared = rope({"help", "options"}).out;
  std::string man = rope({"--man"}).out;
  std::erase(man, '\\');
  for (const std::string& command : kCommands) {
    const std::string help = rope({command, "--help"}).out;
    const std::set<std::string> options = options_in(help.substr(0, help.find("\nExamples:")));
    EXPECT_GE(options.size(), 6U) << command;  // the general ones, long and short
    for (const std::string& option : options) {
      EXPECT_TRUE(explains(help, option) || explains(shared, option)) << command << " " << option;
      EXPECT_NE(man.find("fB" + option + "fR"), std::string::npos) << command << " " << option;
    }
  }
}

TEST_F(UsageTest, OptionsThatCommandsShareAreExplainedOnce) {
  const Outcome all = rope({"help", "options"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_EQ(all.out, rope({"help", "rotary"}).out + "\n" + rope({"help", "output"}).out + "\n" +
                         rope({"help", "general"}).out);
  for (const char* text : {"--base B              base b", "--json                print one JSON",
                           "--cpu-level LEVEL     auto", "repeated in decay and wavelengths)"})
    EXPECT_NE(all.out.find(text), std::string::npos) << text;
  // A command that tells one otherwise tells it itself, and the page says so.
  EXPECT_NE(flowing(all.out).find("; compare differs: see COMMAND --help"), std::string::npos);
  EXPECT_NE(rope({"compare", "--help"}).out.find("\n  --dim N  "), std::string::npos);
  const std::string decay = rope({"decay", "--help"}).out;
  EXPECT_NE(decay.find("Rotary embedding (rope help rotary):\n  --dim N, --base B, "),
            std::string::npos);
  EXPECT_NE(decay.find("\n  may be repeated here: --dim, --base, --scaling, --model, --config\n"),
            std::string::npos);
  EXPECT_EQ(rope({"verify", "--help"}).out.find("may be repeated here"), std::string::npos);
}

TEST_F(UsageTest, ParametersOfEncodingsAreListedOnceWithTheirDefaults) {
  const Outcome list = rope({"help", "encodings"});
  EXPECT_EQ(list.exit_code, 0);
  std::string man = rope({"--man"}).out;
  std::erase(man, '\\');
  std::size_t parameters = 0;
  for (const std::string& line : lines_of(list.out)) {
    if (!line.starts_with("  ") || line[2] == ' ') continue;
    ++parameters;
    const std::string form = line.substr(2, line.find_first_of(" =", 2) - 2);
    const std::size_t at = man.find("fB--encoding " + form + "=");
    EXPECT_NE(at, std::string::npos) << form;
    EXPECT_EQ(at, man.rfind("fB--encoding " + form + "=")) << form;
  }
  EXPECT_GE(parameters, 16U) << list.out;
  EXPECT_NE(list.out.find("(default: 16)"), std::string::npos);
  for (const char* command : {"score", "compare", "attention"}) {
    const std::string help = rope({command, "--help"}).out;
    EXPECT_EQ(help.find("t5:max_distance=N"), std::string::npos) << help;
    EXPECT_NE(flowing(help).find("rope help encodings"), std::string::npos) << help;
  }
}

TEST_F(UsageTest, TheWordOfAnotherProgramGetsTheCommandToType) {
  for (const char* word :
       {"plot",    "draw",    "show",     "view",  "visualize", "visualise", "list",       "ls",
        "models",  "presets", "policies", "model", "config",    "demo",      "tutorial",   "encode",
        "explain", "define",  "check",    "test",  "prove",     "scale",     "completions"}) {
    const Outcome run = rope({word});
    EXPECT_EQ(run.exit_code, 2) << word;
    const std::vector<std::string> lines = lines_of(run.err);
    ASSERT_EQ(lines.size(), 2U) << run.err;
    EXPECT_EQ(lines[0], "rope: unknown command '" + std::string(word) + "'");
    EXPECT_LE(lines[1].size(), 80U) << lines[1];
    const std::size_t colon = lines[1].find(": rope ");
    ASSERT_NE(colon, std::string::npos) << lines[1];
    EXPECT_EQ(shell(lines[1].substr(colon + 2)).exit_code, 0) << lines[1];
  }
  EXPECT_EQ(rope({"plot"}).err,
            "rope: unknown command 'plot'\n"
            "Most commands draw with -o FILE.png or --show: rope decay --show\n");
}

TEST_F(UsageTest, VersionIsOneLine) {
  for (const char* option : {"-V", "--version"}) {
    const Outcome run = rope({option});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.out, "rope " ROPE_VERSION "\n");
  }
}

/// The names of schemas in the sources: "rope.verify/2".
std::set<std::string> schemas_of_the_sources() {
  static const std::regex schema("\"(rope\\.[a-z.-]+/[0-9]+)\"");
  std::set<std::string> found;
  for (const char* folder : {"/src", "/apps/rope"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(ROPE_SOURCE_DIR + std::string(folder))) {
      if (entry.path().extension() != ".cpp" || entry.path().filename() == "version.cpp") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const std::string source = text.str();
      for (std::sregex_iterator it(source.begin(), source.end(), schema), end; it != end; ++it)
        found.insert((*it)[1]);
    }
  return found;
}

TEST_F(UsageTest, TheVersionNamesEverySchemaThatIsWritten) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--version", "--json"},
                                                {"version", "--json"},
                                                {"decay", "--json", "-V"}}) {
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 0);
    const nlohmann::json document = nlohmann::json::parse(run.out);
    EXPECT_EQ(document.at("schema"), "rope.version/1");
    EXPECT_EQ(document.at("version"), ROPE_VERSION);
    std::set<std::string> expected = schemas_of_the_sources();
    expected.insert("rope.version/1");
    EXPECT_EQ(document.at("schemas").get<std::set<std::string>>(), expected);
    EXPECT_EQ(document.at("schemas").size(), expected.size());
  }
}

TEST_F(UsageTest, EveryHelpFits80ColumnsAndHasTwoExamples) {
  for (const std::string& command : kCommands) {
    const Outcome run = rope({command, "--help"}, {{{"LC_ALL", "C"}}, {}, false, false});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_GE(examples_of(run.out).size(), 2U) << command;
    for (const std::string& line : lines_of(run.out)) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
  }
}

TEST_F(UsageTest, EveryExampleOfTheHelpRuns) {
  for (const std::string& command : kCommands) {
    for (const std::string& example : examples_of(rope({command, "--help"}).out)) {
      const Outcome run = shell(example);
      EXPECT_EQ(run.exit_code, 0) << example << "\n" << run.err;
      EXPECT_NE(run.out, "") << example;
      EXPECT_EQ(run.err, "") << example;
    }
  }
}

TEST_F(UsageTest, AMisspeltCommandGetsTheLikelyOne) {
  const Outcome run = rope({"decoy"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "rope: unknown command 'decoy'\nDid you mean decay?\n");
  EXPECT_EQ(rope({"wavelength"}).err,
            "rope: unknown command 'wavelength'\nDid you mean wavelengths?\n");
  EXPECT_EQ(rope({"xyzzy"}).err,
            "rope: unknown command 'xyzzy'\nrope --help lists the commands.\n");
}

TEST_F(UsageTest, AMisspeltOptionGetsTheLikelyOne) {
  const Outcome run = rope({"decay", "--dimm", "8"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "rope decay: unknown option '--dimm'\nDid you mean --dim?\n");
  EXPECT_EQ(rope({"matrix", "--pos", "8"}).err,
            "rope matrix: unknown option '--pos'\nDid you mean --positions?\n");
  EXPECT_EQ(rope({"decay", "--zzzzzz"}).err,
            "rope decay: unknown option '--zzzzzz'\nThe option --help lists all options.\n");
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(UsageTest, AMisspeltChoiceGetsTheLikelyOne) {
  const auto meant = [&](const std::vector<std::string>& arguments, const std::string& word) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 2) << word;
    EXPECT_TRUE(run.err.ends_with("\nDid you mean " + word + "?\n")) << run.err;
  };
  meant({"matrix", "--form", "dens"}, "dense");
  meant({"matrix", "--layout", "hal"}, "half");
  meant({"decay", "--layout", "interleave"}, "interleaved");
  meant({"decay", "--family", "linaer"}, "linear");
  meant({"decay", "--axis", "lgo"}, "log");
  meant({"decay", "--style", "drak"}, "dark");
  meant({"wavelengths", "-o", "-", "--format", "jsn"}, "json");
  meant({"decay", "--color", "alwyas"}, "always");
  meant({"decay", "--cpu-level", "base"}, "baseline");
  EXPECT_EQ(rope({"decay", "--family", "cubic"}).err,
            "rope decay: --family: expected geometric, linear or quadratic, got 'cubic'\n"
            "See --help.\n");
  EXPECT_EQ(rope({"decay", "--layout", "other"}).err,
            "rope decay: --layout: expected interleaved or half, got 'other'\n"
            "See --help.\n");
}

TEST_F(UsageTest, CommasStandForRepetition) {
  const auto same = [&](std::vector<std::string> one, std::vector<std::string> other) {
    const Outcome a = rope(one), b = rope(other);
    EXPECT_EQ(a.exit_code, 0) << a.err;
    EXPECT_EQ(a.out, b.out) << one.at(1);
    EXPECT_NE(a.out, "");
  };
  same({"decay", "--base", "1e4,1e6", "--dim", "8,16", "--distances", "1,2", "--json"},
       {"decay", "--base", "1e4", "--base", "1e6", "--dim", "8", "--dim", "16", "--distances",
        "1,2", "--json"});
  same({"wavelengths", "--scaling", "yarn:factor=4,original=64,linear:factor=2", "--json"},
       {"wavelengths", "--scaling", "yarn:factor=4,original=64", "--scaling", "linear:factor=2",
        "--json"});
  same({"wavelengths", "--model", "llama-2,gpt-oss", "--json"},
       {"wavelengths", "--model", "llama-2", "--model", "gpt-oss", "--json"});
  same({"compare", "rope", "t5:buckets=8,max_distance=64", "--tokens", "4", "--json"},
       {"compare", "--encoding", "rope,t5:buckets=8,max_distance=64", "--tokens", "4", "--json"});
  EXPECT_EQ(rope({"verify", "--base", "1e4,1e6"}).exit_code, 2);
  EXPECT_EQ(rope({"decay", "--base", "1e4,"}).exit_code, 2);
}

TEST_F(UsageTest, LengthsAreReadAsPeopleWriteThem) {
  const auto context = [&](const char* text) {
    return rope({"wavelengths", "--dim", "8", "--context", text, "--json"}).out;
  };
  EXPECT_EQ(context("4k"), context("4096"));
  const auto same = [&](std::vector<std::string> words) {
    words.emplace_back("--json");
    std::vector<std::string> plain = words;
    for (std::string& word : plain)
      if (const std::size_t at = word.find("1k"); at != std::string::npos)
        word.replace(at, 2, "1024");
    EXPECT_EQ(rope(words).out, rope(plain).out);
  };
  same({"rotate", "--query", "1,2", "--key", "3,4", "--distance", "1k"});
  same({"attention", "--view", "values", "--shift", "1k"});
  same({"compare", "--encoding", "alibi", "--range", "1k,1030"});
  for (const char* encoding : {"rerope:window=1k", "t5:max_distance=1k", "shaw:clip=1k"})
    same({"compare", "--encoding", encoding, "--positions", "0:4"});
  EXPECT_EQ(context("1M"), context("1048576"));
  EXPECT_EQ(rope({"decay", "--distances", "1:4k:log9", "--json"}).out,
            rope({"decay", "--distances", "1:4096:log9", "--json"}).out);
  for (const char* text : {"k", "4kk", "0.3k", "9007199254740992k", "4g"})
    EXPECT_EQ(rope({"wavelengths", "--context", text}).exit_code, 2) << text;
}

TEST_F(UsageTest, ANumberBeyondItsRangeIsRefusedOnBothSides) {
  for (const char* text : {"0.49", "1024.5"})
    EXPECT_EQ(rope({"verify", "--trials", "1", "--libm-ulp", text}).err,
              "rope verify: --libm-ulp: expected a number from 0.5 to 1024, got '" +
                  std::string(text) + "'\nSee --help.\n");
  EXPECT_EQ(rope({"verify", "--trials", "1", "--libm-ulp", "1024"}).exit_code, 0);
}

TEST_F(UsageTest, AFormatThatIsNoPolicyIsAnsweredByThoseThatUseIt) {
  const std::string err = rope({"verify", "--policy", "bf16"}).err;
  EXPECT_NE(err.find("\nbf16 is a format, not a pipeline. Say which stages use it: "
                     "bfloat16-store, bfloat16-table,"),
            std::string::npos)
      << err;
  const Outcome list = rope({"precision", "--list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.out.find("bfloat16-table "), std::string::npos);
  EXPECT_GE(lines_of(list.out).size(), 20U);
}

TEST_F(UsageTest, HelpIsACommandToo) {
  EXPECT_EQ(rope({"help"}).out, rope({"--help"}).out);
  for (const std::string& command : kCommands)
    EXPECT_EQ(rope({"help", command}).out, rope({command, "--help"}).out);
  EXPECT_EQ(rope({"help"}).exit_code, 0);
  const Outcome unknown = rope({"help", "decoy"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "rope help: unknown command 'decoy'\nDid you mean decay?\n");
  EXPECT_EQ(rope({"help", "decay", "x"}).exit_code, 2);
  EXPECT_EQ(rope({"hepl"}).err, "rope: unknown command 'hepl'\nDid you mean help?\n");
}

TEST_F(UsageTest, AMisspeltOptionOfTheProgramGetsTheLikelyOne) {
  for (const auto& [typed, meant] :
       {std::pair{"--verison", "--version"}, {"--hepl", "--help"}, {"--ver", "--version"}}) {
    const Outcome run = rope({typed});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "rope: expected a command, got '" + std::string(typed) + "'\nDid you mean " +
                           meant + "?\n");
  }
}

TEST_F(UsageTest, ThetaIsTheBase) {
  for (const char* option : {"--theta", "--rope-theta", "--rope_theta", "--theta=5"}) {
    const Outcome run = rope({"decay", option, "5"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("Did you mean --base? (config files call the base rope_theta)"),
              std::string::npos)
        << run.err;
  }
}

TEST_F(UsageTest, AnOptionBeforeTheCommandIsExplained) {
  const Outcome run = rope({"--dim", "8", "decay"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope: expected a command, got '--dim'");
}

}  // namespace
}  // namespace rope::test
