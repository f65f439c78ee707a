// rope glossary: the terms of the output.

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

class GlossaryTest : public CliTest {
 protected:
  /// The terms of the document.
  std::vector<io::Json> terms() const {
    return io::parse_json(rope({"glossary", "--json"}).out, "glossary").at("terms");
  }
};

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t length_of(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// As the glossary reads a word, by another way: only letters, digits and signs that are no ASCII.
std::string bare(const std::string& name) {
  std::string result;
  for (const char c : name)
    if (c < 0 || std::isalnum(c) != 0 || std::string("()/<").find(c) != std::string::npos)
      result += static_cast<char>(c < 0 ? c : std::tolower(c));
  return result;
}

TEST_F(GlossaryTest, ExplainsATermByNameOrAliasInAnyCase) {
  const Outcome run = rope({"glossary", "theta"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "θ_k: how fast pair k turns\n\n"
            "    θ_k = b^(−2k/r)   radians per token\n\n"
            "Pair k turns by θ_k radians from one token to the next. Code calls the list of\n"
            "them inv_freq; what config files call rope_theta is the base b.\n\n"
            "Also called: theta_k, theta, frequency, frequencies, inv_freq\n"
            "See also: base, λ_k, pair, scaling rule\n"
            "Try: rope wavelengths --dim 8\n");
  for (const char* name : {"THETA", "θ_k", "inv-freq", "Theta k"})
    EXPECT_EQ(rope({"glossary", name}).out, run.out) << name;
  EXPECT_EQ(rope({"glossary", "mean", "cosine"}).out, rope({"glossary", "Mean-Cosine"}).out);
  EXPECT_EQ(rope({"glossary", "lambda"}).out, rope({"glossary", "λ_k"}).out);
  EXPECT_EQ(rope({"glossary", "delta"}).out, rope({"glossary", "Δ"}).out);
  EXPECT_EQ(rope({"glossary", "R"}).out, rope({"glossary", "rotation", "matrix"}).out);
  EXPECT_EQ(rope({"glossary", "r"}).out, rope({"glossary", "rotated", "dimensions"}).out);
}

TEST_F(GlossaryTest, AnUnknownTermGetsTheLikelyOnes) {
  const auto refused = [&](const std::string& word) {
    const Outcome run = rope({"glossary", word});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(refused("certifcate"),
            "rope glossary: unknown term 'certifcate'\nDid you mean certificate?\n");
  EXPECT_EQ(refused("bass"), "rope glossary: unknown term 'bass'\nDid you mean base?\n");
  EXPECT_EQ(refused("negative"),
            "rope glossary: unknown term 'negative'\n"
            "Did you mean first negative distance or planted mistake?\n");
  EXPECT_EQ(refused("xyzzy"),
            "rope glossary: unknown term 'xyzzy'\nrope glossary lists the terms.\n");
  EXPECT_EQ(refused(""), "rope glossary: unknown term ''\nrope glossary lists the terms.\n");
}

TEST_F(GlossaryTest, EveryTermIsListedWithAFewWords) {
  const std::string list = rope({"glossary"}).out;
  for (const io::Json& term : terms()) {
    const std::string name = term.at("term");
    EXPECT_NE(("\n" + list).find("\n  " + name + "  "), std::string::npos) << name;
    EXPECT_FALSE(term.at("summary").get<std::string>().empty()) << name;
  }
}

TEST_F(GlossaryTest, EveryTextFits80ColumnsAndIsSpeltInAsciiWhereItMustBe) {
  std::vector<std::vector<std::string>> questions = {{"glossary"}};
  for (const io::Json& term : terms()) questions.push_back({"glossary", term.at("term")});
  for (const auto& question : questions) {
    for (const std::string& line : lines_in(rope(question).out))
      EXPECT_LE(length_of(line), 80U) << line;
    for (const std::string& line : lines_in(rope(question, {{{"LC_ALL", "C"}}, {}, {}, {}}).out)) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
  }
}

TEST_F(GlossaryTest, EveryTermHasTwoSentences) {
  for (const io::Json& term : terms()) {
    const std::string text = term.at("explanation");
    EXPECT_TRUE(text.ends_with('.')) << text;
    std::size_t ends = 1;
    for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos; ++at) ++ends;
    EXPECT_EQ(ends, 2U) << text;
  }
}

TEST_F(GlossaryTest, NoNameMeansTwoTerms) {
  std::set<std::string> exact, known;
  for (const io::Json& term : terms()) {
    std::vector<std::string> names = term.at("aliases");
    names.insert(names.begin(), term.at("term"));
    for (const std::string& name : names) {
      EXPECT_TRUE(exact.insert(name).second) << name;
      EXPECT_TRUE(known.insert(bare(name)).second || name == "r" || name == "R") << name;
    }
  }
}

TEST_F(GlossaryTest, EveryRelatedTermExists) {
  std::set<std::string> names;
  for (const io::Json& term : terms()) names.insert(term.at("term"));
  for (const io::Json& term : terms()) {
    EXPECT_FALSE(term.at("related").empty()) << term.at("term");
    for (const io::Json& related : term.at("related")) {
      EXPECT_EQ(names.count(related), 1U) << related;
      EXPECT_NE(related, term.at("term"));
    }
  }
}

TEST_F(GlossaryTest, EveryCommandToTryRuns) {
  std::set<std::string> commands;
  for (const io::Json& term : terms()) commands.insert(term.at("command"));
  for (const std::string& command : commands) {
    const Outcome run = shell(command);
    EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.err;
    EXPECT_NE(run.out, "") << command;
  }
}

TEST_F(GlossaryTest, EveryTermThatAHelpNamesIsThereHoweverItIsSpelt) {
  std::set<std::string> named;
  std::size_t commands = 0;
  for (const char* locale : {"C", "C.UTF-8"}) {
    const Setting setting = {{{"LC_ALL", locale}}, {}, false, false};
    for (const std::string& line : lines_in(rope({"-h"}).out)) {
      if (!line.starts_with("  ")) continue;
      std::string help = rope({"help", line.substr(2, line.find(' ', 2) - 2)}, setting).out;
      std::ranges::replace(help, '\n', ' ');
      const std::size_t begin = help.find(" Terms: "), end = help.find(" (rope glossary TERM)");
      if (begin == std::string::npos) continue;
      ++commands;
      std::istringstream list(help.substr(begin + 7, end - begin - 7));
      for (std::string name; std::getline(list, name, ',');) named.insert(name.substr(1));
    }
  }
  EXPECT_EQ(commands, 2 * 16U);
  EXPECT_GE(named.size(), 50U);
  for (const std::string& name : named) EXPECT_EQ(rope({"glossary", name}).exit_code, 0) << name;
}

}  // namespace
}  // namespace rope::test
