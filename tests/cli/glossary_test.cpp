// rope glossary: the terms of the output.

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "support/chinese_signs.hpp"

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
            "θ_i: how fast pair i turns\n\n"
            "    θ_i = b^(−2i/r)   radians per token\n\n"
            "Pair i turns by θ_i radians from one token to the next. Much code calls the list\n"
            "of these frequencies inv_freq; the rope_theta of config files is the base b.\n\n"
            "Also called: theta_i, theta, frequency, frequencies, inv_freq\n"
            "See also: base, λ_i, pair, scaling rule\n"
            "Try: rope wavelengths --dim 8\n");
  for (const char* name : {"THETA", "θ_i", "inv-freq", "Theta i"})
    EXPECT_EQ(rope({"glossary", name}).out, run.out) << name;
  EXPECT_EQ(rope({"glossary", "mean", "cosine"}).out, rope({"glossary", "Mean-Cosine"}).out);
  EXPECT_EQ(rope({"glossary", "lambda"}).out, rope({"glossary", "λ_i"}).out);
  EXPECT_EQ(rope({"glossary", "i"}).out, rope({"glossary", "pair"}).out);
  EXPECT_EQ(rope({"glossary", "k"}).out, rope({"glossary", "query and key"}).out);
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
  EXPECT_EQ(refused("θ_k"), "rope glossary: unknown term 'θ_k'\nDid you mean θ_i?\n");
  EXPECT_EQ(refused("negative"),
            "rope glossary: unknown term 'negative'\n"
            "Did you mean first negative distance or planted mistake?\n");
  EXPECT_EQ(refused("xyzzy"),
            "rope glossary: unknown term 'xyzzy'\nrope glossary lists the terms.\n");
  EXPECT_EQ(refused(""), "rope glossary: unknown term ''\nrope glossary lists the terms.\n");
}

TEST_F(GlossaryTest, EveryTermIsListedWithAFewWords) {
  for (const char* language : {"en", "zh"}) {
    const std::string list = "\n" + rope({"glossary", "--lang", language}).out;
    for (const io::Json& term : terms()) {
      const std::string name = term.at("term").at(language);
      EXPECT_NE(list.find("\n  " + name + "  "), std::string::npos) << name;
    }
  }
  EXPECT_EQ(rope({"glossary"}).out, rope({"glossary", "--lang", "en"}).out);
}

TEST_F(GlossaryTest, InTheListOfBothNamesTheColumnsStandUnderEachOther) {
  std::set<std::size_t> columns;
  for (const std::string& line : lines_in(rope({"glossary", "--lang", "zh"}).out)) {
    if (!line.starts_with("  ") || line.starts_with("   ")) continue;
    const std::size_t end = line.find("  ", 2), next = line.find_first_not_of(' ', end);
    columns.insert(columns_of(line.substr(0, next)));
  }
  EXPECT_EQ(columns.size(), 1U);
}

TEST_F(GlossaryTest, ATermIsFoundByItsChineseNamesToo) {
  const Outcome run = rope({"glossary", "base", "--lang", "zh"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "底数（base）：各个频率都是它的幂\n\n"
            "    θ_i = b^(−2i/r)\n\n"
            "底数越大，除第 0 对以外各对都转得越慢。RoFormer 取 10000，Llama 3 取 500000，\n"
            "Qwen2.5-1M 取 10000000；配置文件里多半叫 rope_theta。\n\n"
            "又称：基数、底、底数 b、b、rope_theta\n"
            "参见：频率、更大的底数、临界底数、最小底数\n"
            "亲自看：rope wavelengths --base 10000 --base 500000\n");
  for (const char* name : {"底数", "基数", "底数 b", "底数B"})
    EXPECT_EQ(rope({"glossary", name}).out, run.out) << name;
  EXPECT_EQ(rope({"glossary", "底数", "--lang", "en"}).out, rope({"glossary", "base"}).out);
  EXPECT_EQ(rope({"glossary", "bfloat16"}).out, rope({"glossary", "BF16", "--lang", "en"}).out);
  EXPECT_EQ(rope({"glossary", "余弦"}).err,
            "rope glossary: unknown term '余弦'\nDid you mean 余弦均值 or 正弦编码?\n");
}

TEST_F(GlossaryTest, EveryTextFits80ColumnsAndIsSpeltInAsciiWhereItMustBe) {
  std::vector<std::vector<std::string>> questions = {{"glossary"}};
  for (const io::Json& term : terms()) questions.push_back({"glossary", term.at("term").at("en")});
  for (auto question : questions) {
    for (const std::string& line : lines_in(rope(question).out))
      EXPECT_LE(columns_of(line), 80U) << line;
    for (const std::string& line : lines_in(rope(question, {{{"LC_ALL", "C"}}, {}, {}, {}}).out)) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
    question.insert(question.end(), {"--lang", "zh"});
    for (const std::string& line : lines_in(rope(question).out)) {
      EXPECT_LE(columns_of(line), 80U) << line;
      const std::u32string text = characters(line);
      if (text.empty()) continue;
      EXPECT_EQ(std::u32string_view(U"，。、；：？！）》」").find(text.front()),
                std::u32string::npos)
          << line;
      EXPECT_EQ(std::u32string_view(U"（《「").find(text.back()), std::u32string::npos) << line;
    }
  }
}

/// How often a text holds a part.
std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

TEST_F(GlossaryTest, EveryTermHasTwoSentencesInBothLanguages) {
  for (const io::Json& term : terms()) {
    const std::string english = term.at("explanation").at("en");
    const std::string chinese = term.at("explanation").at("zh");
    EXPECT_TRUE(english.ends_with('.')) << english;
    EXPECT_EQ(count_of(". ", english), 1U) << english;
    EXPECT_TRUE(chinese.ends_with("。")) << chinese;
    EXPECT_EQ(count_of("。", chinese), 2U) << chinese;
    for (const char* field : {"term", "summary"})
      for (const char* language : {"zh", "en"})
        EXPECT_NE(term.at(field).at(language), "") << english;
    EXPECT_FALSE(term.at("aliases").at("zh").empty()) << english;
    EXPECT_EQ(term.at("formula").at("zh").empty(), term.at("formula").at("en").empty());
  }
}

TEST_F(GlossaryTest, ChineseTextsHaveFullWidthPunctuationAndBlanksBesideLettersAndDigits) {
  for (const io::Json& term : terms()) {
    for (const char* field : {"term", "summary", "formula", "explanation"}) {
      const std::string text = term.at(field).at("zh");
      EXPECT_EQ(wrong_signs(text), "") << text;
    }
    for (const std::string name : term.at("aliases").at("zh")) EXPECT_EQ(wrong_signs(name), "");
  }
  EXPECT_EQ(wrong_signs("底数 b 越大，频率（θ_i）越小。"), "");
  for (const char* text :
       {"底数, 频率", "底数,频率", "底数b", "第0 对", "底数 b， 频率", "频率 (θ_i)对"})
    EXPECT_NE(wrong_signs(text), "") << text;
}

TEST_F(GlossaryTest, NoNameMeansTwoTerms) {
  std::set<std::string> exact, known;
  for (const io::Json& term : terms()) {
    std::set<std::string> names;  // a name may be the same in both languages
    for (const char* language : {"zh", "en"}) {
      names.insert(term.at("term").at(language));
      for (const std::string name : term.at("aliases").at(language))
        EXPECT_TRUE(names.insert(name).second) << name;
    }
    std::set<std::string> bare_names;
    for (const std::string& name : names) {
      EXPECT_TRUE(exact.insert(name).second) << name;
      if (name != "r" && name != "R") bare_names.insert(bare(name));
    }
    for (const std::string& name : bare_names) EXPECT_TRUE(known.insert(name).second) << name;
  }
}

TEST_F(GlossaryTest, EveryRelatedTermExistsAndAppearsByTheNameOfItsLanguage) {
  std::map<std::string, std::string> chinese;
  for (const io::Json& term : terms()) chinese[term.at("term").at("en")] = term.at("term").at("zh");
  for (const io::Json& term : terms()) {
    const std::string name = term.at("term").at("en");
    EXPECT_FALSE(term.at("related").empty()) << name;
    std::string list;
    for (const std::string related : term.at("related")) {
      ASSERT_EQ(chinese.count(related), 1U) << related;
      EXPECT_NE(related, name);
      list += (list.empty() ? "参见：" : "、") + chinese[related];
    }
    std::string answer = rope({"glossary", name, "--lang", "zh"}).out;
    std::erase(answer, '\n');
    std::erase(answer, ' ');
    std::erase(list, ' ');
    EXPECT_NE(answer.find(list), std::string::npos) << list;
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
    for (const std::string& command : commands_in(rope({"-h"}).out)) {
      std::string help = rope({"help", command}, setting).out;
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
