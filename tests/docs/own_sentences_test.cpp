// What we say ourselves is checked as our numbers are: a sentence of a page, the lesson or the
// glossary that says every, never, only, alone, no, always or "at any length", or names who does
// what, is quoted by a row of data/claims/own, which says what it rests on (docs/claims.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "docs/text.hpp"

namespace {

namespace fs = std::filesystem;

using rope::test::content;
using rope::test::folded;

/// The paragraphs, items and tables of a Markdown page, each on one line; blocks of code are none.
std::vector<std::string> paragraphs_of(const std::string& page) {
  std::vector<std::string> all;
  std::string paragraph;
  bool code = false;
  const auto end = [&] {
    if (!paragraph.empty()) all.push_back(folded(paragraph));
    paragraph.clear();
  };
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    if (fence) code = !code;
    if (fence || code || line.empty() || line.starts_with("<!--")) {
      end();
      continue;
    }
    if (line.starts_with("- ") || line.starts_with("#")) end();
    paragraph += line + "\n";
  }
  end();
  return all;
}

/// The English sentences of a step or of terms that state something: a question, a wrong choice and
/// what people say are none of ours.
void add_statements(const nlohmann::json& value, std::vector<std::string>& all) {
  if (value.is_array())
    for (const nlohmann::json& element : value) add_statements(element, all);
  if (!value.is_object()) return;
  if (value.contains("en")) {
    const nlohmann::json& english = value["en"];
    if (english.is_string()) all.push_back(folded(english.get<std::string>()));
    return;
  }
  const bool wrong_choice = value.contains("text") && value.contains("thinks");
  for (const auto& [key, inner] : value.items())
    if (key != "question" && key != "ask" && key != "people_say" &&
        !(wrong_choice && key == "text"))
      add_statements(inner, all);
}

std::vector<std::string> statements_of(const std::string& file) {
  if (file.ends_with(".md")) return paragraphs_of(content(file));
  std::vector<std::string> all;
  add_statements(nlohmann::json::parse(content(file)), all);
  return all;
}

/// The text with what is no prose blanked: code and the addresses of links.
std::string prose(std::string text) {
  for (const std::regex& part : {std::regex("`[^`]*`"), std::regex("\\]\\([^)]*\\)")}) {
    std::smatch found;
    std::string rest;
    std::string::const_iterator from = text.cbegin();
    while (std::regex_search(from, text.cend(), found, part)) {
      rest.append(from, found[0].first).append(static_cast<std::size_t>(found.length()), ' ');
      from = found[0].second;
    }
    text = rest.append(from, text.cend());
  }
  return text;
}

/// A part of a text, from its first byte to behind its last.
struct Span {
  std::size_t begin, end;
};

/// The words that a sentence cannot have without a row.
std::vector<Span> claiming_words(const std::string& text) {
  static const std::regex words(
      "\\b([Ee]very|[Nn]ever|[Oo]nly|[Aa]lone|[Nn]o|[Aa]lways|[Aa]t any [a-z]+|"
      "transformers|Hugging Face|llama\\.cpp|vLLM|SGLang|ggml|llama-models|litgpt|Mesh-TF|"
      "Llama|LLaMA|Qwen|Mistral|Ministral|Gemma|Phi|DeepSeek|GPT-J|GPT-NeoX|gpt-oss|BLOOM|MPT|"
      "PaLM|ChatGLM|GLM|SmolLM\\d|Command R|Cohere|Kimi|InternLM|O[Ll][Mm]o|Vicuna|DistilBERT|"
      "fairseq|Whisper|Marian|tensor2tensor|OpenAI|Microsoft|Meta|Google|Su|Press|Peng|Chen|Men|"
      "Vaswani|RoFormer|bloc97|papers?|articles?|published)\\b");
  const std::string plain = prose(text);
  std::vector<Span> all;
  for (std::sregex_iterator it(plain.begin(), plain.end(), words), end; it != end; ++it)
    all.push_back({static_cast<std::size_t>(it->position()),
                   static_cast<std::size_t>(it->position() + it->length())});
  return all;
}

/// Where a quotation stands in a text: " … " in it stands for what lies between.
std::vector<Span> places_of(const std::string& quote, const std::string& text) {
  const std::size_t gap = quote.find(" … ");
  const std::string first = quote.substr(0, gap);
  const std::string last =
      gap == std::string::npos ? "" : quote.substr(gap + std::string_view(" … ").size());
  std::vector<Span> all;
  for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first, at + 1)) {
    const std::size_t behind = at + first.size();
    const std::size_t tail = text.find(last, behind);
    if (tail != std::string::npos) all.push_back({at, tail + last.size()});
  }
  return all;
}

/// A quotation of a row.
struct Quote {
  std::string id, file, words;
};

struct Ledger {
  std::vector<Quote> quotes;
  std::vector<std::pair<std::string, std::string>> tests;  ///< id and name
};

std::vector<std::string> list_of(const nlohmann::json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  return value.get<std::vector<std::string>>();
}

Ledger ledger() {
  Ledger all;
  const fs::path folder = fs::path(ROPE_SOURCE_DIR) / "data" / "claims" / "own";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const nlohmann::json rows = nlohmann::json::parse(content(entry.path()));
    for (const nlohmann::json& row : rows["claims"]) {
      const std::string id = row["id"];
      for (const auto& [file, quotes] : row["stands"].items())
        for (const std::string& words : list_of(quotes))
          all.quotes.push_back({id, file, folded(words)});
      if (row.contains("tests"))
        for (const std::string& test : list_of(row["tests"])) all.tests.emplace_back(id, test);
    }
  }
  return all;
}

/// The sentence around a word.
std::string sentence_around(const std::string& text, Span word) {
  const std::size_t before = text.rfind(". ", word.begin);
  const std::size_t begin = before == std::string::npos ? 0 : before + 2;
  return text.substr(begin, text.find(". ", word.end) - begin);
}

/// The sentences of a text that have a claiming word which no quotation covers.
std::set<std::string> unquoted(const std::string& text, const std::vector<std::string>& quotes) {
  std::vector<Span> covered;
  for (const std::string& quote : quotes)
    for (const Span& place : places_of(quote, text)) covered.push_back(place);
  std::set<std::string> sentences;
  for (const Span& word : claiming_words(text))
    if (std::ranges::none_of(covered, [&](const Span& place) {
          return place.begin <= word.begin && word.end <= place.end;
        }))
      sentences.insert(sentence_around(text, word));
  return sentences;
}

/// The pages that hold sentences of our own.
std::vector<std::string> our_files() {
  std::vector<std::string> files = {"README.md",       "docs/theory.md",    "docs/conventions.md",
                                    "docs/scaling.md", "docs/encodings.md", "docs/models.md",
                                    "docs/lesson.md"};
  for (const std::string folder : {"data/lesson", "data/glossary"})
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(ROPE_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".json")
        files.push_back(folder + "/" + entry.path().filename().string());
  std::ranges::sort(files);
  return files;
}

class OurFile : public testing::TestWithParam<std::string> {};

TEST_P(OurFile, HasARowForEverySentenceThatClaims) {
  std::vector<std::string> quotes;
  for (const Quote& quote : ledger().quotes)
    if (quote.file == GetParam()) quotes.push_back(quote.words);
  for (const std::string& text : statements_of(GetParam()))
    for (const std::string& sentence : unquoted(text, quotes))
      ADD_FAILURE() << GetParam() << " says, and no row of data/claims/own quotes it: " << sentence;
}

INSTANTIATE_TEST_SUITE_P(Docs, OurFile, testing::ValuesIn(our_files()), [](const auto& file) {
  std::string name = file.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(OwnRows, QuoteWhatStandsThere) {
  for (const Quote& quote : ledger().quotes) {
    const std::vector<std::string> texts = statements_of(quote.file);
    EXPECT_TRUE(std::ranges::any_of(
        texts, [&](const std::string& text) { return !places_of(quote.words, text).empty(); }))
        << quote.id << ": " << quote.file << " does not say: " << quote.words;
  }
}

TEST(OwnRows, NameTestsThatThereAre) {
  std::set<std::string> known;
  static const std::regex test(R"(TEST(?:_F|_P)?\((\w+),\s*(\w+)\))");
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(ROPE_SOURCE_DIR) / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = content(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), test), end; it != end; ++it)
      known.insert((*it)[1].str() + "." + (*it)[2].str());
  }
  for (const auto& [id, name] : ledger().tests)
    EXPECT_TRUE(known.contains(name)) << id << ": no test is called " << name;
}

TEST(ClaimingWords, AreFoundInProseAndInNoCode) {
  EXPECT_EQ(claiming_words("Every θ, `--no-pause` and [never](only.md).").size(), 2U);
  EXPECT_EQ(claiming_words("at any length vLLM rounds").size(), 2U);
  EXPECT_TRUE(claiming_words("everything nowhere lonely Sum").empty());
}

TEST(Unquoted, IsASentenceWhoseWordNoQuotationCovers) {
  const std::string text = "It never turns. No pair is new at any length, and no other.";
  EXPECT_EQ(unquoted(text, {}).size(), 2U);
  EXPECT_EQ(unquoted(text, {"It never turns"}),
            std::set<std::string>{"No pair is new at any length, and no other."});
  EXPECT_EQ(unquoted(text, {"never", "No pair … no other"}), std::set<std::string>{});
  EXPECT_EQ(unquoted(text, {"It never", "No pair is new"}).size(), 1U)
      << "the other words are bare";
}

TEST(Statements, LeaveOutQuestionsAndWrongChoices) {
  std::vector<std::string> all;
  add_statements(nlohmann::json::parse(R"({"question": {"zh": "", "en": "q"}, "choices": [
      {"text": {"zh": "", "en": "wrong"}, "thinks": {"zh": "", "en": "why"}},
      {"text": {"zh": "", "en": "right"}, "right": true}]})"),
                 all);
  EXPECT_EQ(all, (std::vector<std::string>{"why", "right"}));
}

/// The page replaces parts of a step's notes by words of its own, and quotes those parts; where the
/// lesson no longer says them, the page cannot be built.
TEST(PageWords, QuoteTheLessonAsItReads) {
  const fs::path root = ROPE_SOURCE_DIR;
  std::size_t quoted = 0;
  for (const std::string language : {"en", "zh"}) {
    const nlohmann::json words =
        nlohmann::json::parse(content(root / "apps" / "page" / "words" / (language + ".json")));
    for (const fs::directory_entry& entry : fs::directory_iterator(root / "data" / "lesson")) {
      const std::string scene = entry.path().stem().string().substr(3);  // of "07-far-tokens"
      if (!words["scenes"].contains(scene)) continue;
      const nlohmann::json step = nlohmann::json::parse(content(entry.path()));
      const nlohmann::json& own = words["scenes"][scene];
      for (const nlohmann::json& note : own.value("notesHere", nlohmann::json::array())) {
        ++quoted;
        EXPECT_NE(step["presenter"][language].get<std::string>().find(note[0]), std::string::npos)
            << language << " " << scene << ": " << note[0];
      }
      if (!own.contains("brokeShown")) continue;
      ++quoted;
      EXPECT_NE(step["break"]["text"][language].get<std::string>().find(own["brokeShown"]),
                std::string::npos)
          << language << " " << scene;
    }
  }
  EXPECT_GT(quoted, 0U);
}

}  // namespace
