// The words of a native writer: what commands print, and the pages, hold no sentence that is too
// long to read aloud and no word for which docs/voice.md has a better one.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
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

/// A text of a file that a person reads.
struct Text {
  std::string file, words;
};

/// Pages of derivations and of lists of fields, whose sentences may be long.
constexpr std::array<std::string_view, 3> kReferences = {"docs/accuracy.md", "docs/architecture.md",
                                                         "docs/commands.md"};

/// A word that is refused, and what to write.
struct Refused {
  std::string pattern;
  std::string_view instead;
};

const std::vector<Refused>& refused_words() {
  static const std::vector<Refused> words = {
      {"tells|told", "shows, reports, explains, distinguishes"},
      {"beside", "with, next to"},
      {"behind", "after"},
      {"left out", "omitted, missing, not shown"},
      {"rounding explains", "rounding alone could account for, rounding limit"},
      {"comes? round", "completes a turn"},
      {"makes? of|becomes? of", "does with, happens to"},
      {"of one size", "of the same length, of equal size"},
      {"(additions|flops|vectors?|parameters|numbers?|rotation|frames?|bytes|rows?|lines?|"
       "positions?) "
       "an? (token|pair|layer|head|row|line|case|column|axis)",
       "per"}};
  return words;
}

/// Where one of them stands for something else: the words around it.
constexpr std::array kNames = {
    R"(--beside)",                           // an option
    R"(rectangle \{\} behind fc)",           // gnuplot's own
    R"(whether rounding explains it)",       // the verdict, not a number
    R"(\{[a-z0-9_]+\})",                     // a number by its name
    R"(\b(tells?|told)( \S+){0,9} apart\b)"  // distinguishes
};

/// The string literals of a source, those that follow each other joined. Comments have none.
std::vector<std::string> literals_of(const std::string& source) {
  static const std::regex token(
      R"raw(//[^\n]*|'(?:[^'\\\n]|\\.)+'|#include[^\n]*|"((?:[^"\\\n]|\\.)*)"|[^\s"'/#]+|.)raw");
  std::vector<std::string> all;
  bool open = false;
  for (std::sregex_iterator it(source.begin(), source.end(), token), end; it != end; ++it) {
    const std::string found = it->str();
    if (found.starts_with("//")) continue;
    const bool literal = found.starts_with('"');
    if (literal && !open) all.emplace_back();
    if (literal) all.back() += (*it)[1].str();
    if (literal || found.find_first_not_of(" \n\t") != std::string::npos) open = literal;
  }
  return all;
}

/// The paragraphs, items and rows of a page, without code and the addresses of links.
std::vector<std::string> paragraphs_of(const std::string& page) {
  static const std::regex block(R"(\n(?=- |\d+\. |\|)|\n\s*\n)"), code("`[^`]*`"),
      address(R"(\]\([^)]*\))");
  std::string prose;
  bool inside = false;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const bool fence = line.starts_with("```");
    if (fence) inside = !inside;
    prose += fence || inside || line.starts_with("    ") || line.starts_with("<!--") ? "\n"
                                                                                     : line + "\n";
  }
  prose = std::regex_replace(std::regex_replace(prose, code, "X"), address, "]");
  const std::sregex_token_iterator begin(prose.begin(), prose.end(), block, -1), end;
  return {begin, end};
}

std::vector<Text> printed() {
  std::vector<Text> all;
  for (const std::string folder : {"apps/rope", "src/rope"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(ROPE_SOURCE_DIR) / folder)) {
      const std::string kind = entry.path().extension();
      if (kind != ".cpp" && kind != ".hpp") continue;
      for (std::string& literal : literals_of(content(entry.path())))
        if (literal.find(' ') != std::string::npos)
          all.push_back({fs::relative(entry.path(), ROPE_SOURCE_DIR), std::move(literal)});
    }
  return all;
}

/// The pages of docs, those of the five articles' claims and the rules of words themselves aside.
std::vector<Text> pages() {
  std::vector<fs::path> files = {"README.md", "CHANGELOG.md", "CONTRIBUTING.md"};
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(ROPE_SOURCE_DIR) / "docs"))
    if (const fs::path& page = entry.path(); page.extension() == ".md" &&
                                             page.filename() != "voice.md" &&
                                             page.stem().extension() != ".zh")
      files.push_back(fs::relative(page, ROPE_SOURCE_DIR));
  std::vector<Text> all;
  for (const fs::path& page : files)
    for (const std::string& paragraph : paragraphs_of(content(fs::path(ROPE_SOURCE_DIR) / page)))
      all.push_back({page, folded(paragraph)});
  return all;
}

/// The English of a JSON file in both languages.
void add_english(const nlohmann::json& node, const std::string& file, std::vector<Text>& all) {
  if (node.is_string()) all.push_back({file, node.get<std::string>()});
  if (!node.is_structured()) return;
  if (node.is_object() && node.contains("en")) return add_english(node["en"], file, all);
  for (const nlohmann::json& child : node)
    if (child.is_structured() || file == "apps/page/words/en.json") add_english(child, file, all);
}

std::vector<Text> taught() {
  std::vector<Text> all;
  std::vector<fs::path> files = {"apps/page/words/en.json"};
  for (const std::string folder : {"data/lesson", "data/glossary"})
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(ROPE_SOURCE_DIR) / folder))
      files.push_back(fs::relative(entry.path(), ROPE_SOURCE_DIR));
  for (const fs::path& file : files)
    add_english(nlohmann::json::parse(content(fs::path(ROPE_SOURCE_DIR) / file)), file, all);
  return all;
}

/// The text without the names that hold a refused word.
std::string without_names(std::string text) {
  static const std::vector<std::regex> names(std::begin(kNames), std::end(kNames));
  for (const std::regex& name : names) text = std::regex_replace(text, name, "X");
  return text;
}

/// What is refused in a text, with what to write.
std::vector<std::string> faults_of(const std::string& text) {
  static const auto patterns = [] {
    std::vector<std::pair<std::regex, std::string_view>> all;
    for (const Refused& word : refused_words())
      all.emplace_back(std::regex("\\b(" + word.pattern + ")\\b"), word.instead);
    return all;
  }();
  std::vector<std::string> faults;
  const std::string words = without_names(text);
  for (const auto& [pattern, instead] : patterns)
    if (std::smatch found; std::regex_search(words, found, pattern))
      faults.push_back("'" + found.str() + "': write " + std::string(instead));
  return faults;
}

/// The lines that give the pair index another letter than i: k is the key.
std::vector<std::string> lines_with_pair_k(const std::string& text) {
  static const std::regex pair_k(R"((θ|λ|\\theta|\\lambda)'?_\{?k|2k/[dr]|[Pp]air k\b|第 k 对)");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find('k') != std::string::npos && std::regex_search(line, pair_k))
      found.push_back(std::move(line));
  return found;
}

/// A file of claims without the articles' own words, whose letters are theirs.
std::string without_articles(const std::string& claims) {
  static const std::regex theirs(R"re("quote": .*|"says": \{[^}]*\})re");
  return std::regex_replace(claims, theirs, "");
}

/// The words of the longest sentence; ":" and ";" end one, too.
std::ptrdiff_t longest_sentence(const std::string& text) {
  static const std::regex end_of_sentence(R"([.?!:;]\**(?=\s|$)|\\n| \| )"), word(R"(\S+)");
  std::ptrdiff_t longest = 0;
  for (std::sregex_token_iterator it(text.begin(), text.end(), end_of_sentence, -1), end; it != end;
       ++it) {
    const std::string sentence = it->str();
    longest = std::max(longest,
                       std::distance(std::sregex_iterator(sentence.begin(), sentence.end(), word),
                                     std::sregex_iterator()));
  }
  return longest;
}

void expect_native(const std::vector<Text>& texts) {
  constexpr std::ptrdiff_t kMostWords = 30;
  EXPECT_GE(texts.size(), 100U);
  for (const auto& [file, words] : texts) {
    for (const std::string& fault : faults_of(words))
      ADD_FAILURE() << file << ": " << fault << ": " << words;
    if (std::ranges::find(kReferences, file) == std::end(kReferences)) {
      EXPECT_LE(longest_sentence(words), kMostWords) << file << ": " << words;
    }
  }
}

TEST(Wording, OfWhatIsPrintedIsNative) { expect_native(printed()); }

TEST(Wording, OfPagesIsNative) { expect_native(pages()); }

TEST(Wording, OfWhatIsTaughtIsNative) { expect_native(taught()); }

TEST(Wording, ThePairIndexIsI) {
  std::vector<fs::path> files = {"README.md", "README.zh.md"};
  for (const std::string folder :
       {"apps/page/src", "apps/page/words", "apps/rope", "data", "docs", "src"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(ROPE_SOURCE_DIR) / folder)) {
      const std::string kind = entry.path().extension();
      if (kind != ".md" && kind != ".json" && kind != ".js" && kind != ".cpp" && kind != ".hpp")
        continue;
      fs::path file = fs::relative(entry.path(), ROPE_SOURCE_DIR);
      if (file.parent_path() != "docs/sources") files.push_back(std::move(file));  // made of claims
    }
  EXPECT_GE(files.size(), 1000U);
  for (const fs::path& file : files) {
    const std::string text = content(fs::path(ROPE_SOURCE_DIR) / file);
    for (const std::string& line :
         lines_with_pair_k(file.parent_path() == "data/claims" ? without_articles(text) : text))
      ADD_FAILURE() << file << ": write θ_i, λ_i: " << line;
  }
}

TEST(Wording, IsFoundInLiteralsAndProseAlone) {
  EXPECT_EQ(literals_of("f(\"a \"  // \"no\"\n  \"b\", \"c\\\"d\"); '\"' #include \"x\""),
            (std::vector<std::string>{"a b", "c\\\"d"}));
  EXPECT_EQ(faults_of("It tells which, behind it: 5 flops a token."),
            (std::vector<std::string>{"'tells': write shows, reports, explains, distinguishes",
                                      "'behind': write after", "'flops a token': write per"}));
  EXPECT_TRUE(faults_of("--beside LAYOUT retold").empty());
  const std::string keys = "q_k, theta_k, e^{imθ_i}k";
  EXPECT_EQ(lines_with_pair_k("mθ_k\n" + keys + "\n\\lambda'_k\nθ_{k+1}\nPair k\n−2k/d"),
            (std::vector<std::string>{"mθ_k", "\\lambda'_k", "θ_{k+1}", "Pair k", "−2k/d"}));
  EXPECT_EQ(without_articles("\"quote\": \"θ_k\"\n\"says\": {\"en\": \"θ_k\"}, \"right\": \"θ_i\""),
            "\n, \"right\": \"θ_i\"");
  EXPECT_EQ(longest_sentence("One two. Three four five; six: seven"), 3);
  EXPECT_EQ(paragraphs_of("One `two`\n```\nthree\n```\n- four [five](six)\n- seven").size(), 3U);
}

}  // namespace
