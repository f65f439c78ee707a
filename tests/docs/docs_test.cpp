// The examples in README.md, README.zh.md and docs/ are run and print what the pages say.
//
// A ```console block holds commands (lines that start with "$ ") and what they print on standard
// output. A line "…" stands for any number of lines. Commands run in order in a folder of their
// page's own and must succeed; one that is meant to fail is written `command; echo "exit $?"`.
// ROPE_UPDATE_GOLDEN=1 writes what was printed into the pages, save where "…" was written.

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Example {
  std::string command;
  std::vector<std::string> expected;
  std::size_t begin = 0, end = 0;  // the lines of the page that hold the expected output
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return lines_of(text.str());
}

std::vector<Example> examples_of(const std::vector<std::string>& page) {
  std::vector<Example> examples;
  bool inside = false;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i].starts_with("```")) {
      inside = page[i] == "```console";
    } else if (inside && page[i].starts_with("$ ")) {
      examples.push_back({page[i].substr(2), {}, i + 1, i + 1});
    } else if (inside && !examples.empty()) {
      examples.back().expected.push_back(page[i]);
      examples.back().end = i + 1;
    }
  }
  return examples;
}

/// Does `actual` read as `expected`, where "…" stands for any number of lines?
bool matches(const std::vector<std::string>& expected, std::size_t e,
             const std::vector<std::string>& actual, std::size_t a) {
  if (e == expected.size()) return a == actual.size();
  if (expected[e] == "…") {
    for (std::size_t skip = a; skip <= actual.size(); ++skip)
      if (matches(expected, e + 1, actual, skip)) return true;
    return false;
  }
  return a < actual.size() && actual[a] == expected[e] && matches(expected, e + 1, actual, a + 1);
}

struct Output {
  int status;
  std::vector<std::string> lines;
};

/// A folder with an fc-list that names a font for every character. Readers who draw Chinese words
/// have installed a font that has them; a machine that runs the tests may have none.
class EveryFont {
 public:
  EveryFont()
      : folder_(fs::temp_directory_path() / ("rope_docs_fonts_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "fc-list") << "#!/bin/sh\necho 'False 20-2ffff'\n";
    fs::permissions(folder_ / "fc-list", fs::perms::owner_all);
  }
  ~EveryFont() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  EveryFont(const EveryFont&) = delete;
  EveryFont& operator=(const EveryFont&) = delete;

  std::string folder() const { return folder_.string(); }

 private:
  fs::path folder_;
};

Output run(const std::string& command, const fs::path& folder) {
  const EveryFont fonts;
  // The pages show what a UTF-8 terminal shows.
  const std::string shell = "cd '" + folder.string() +
                            "' && export LC_ALL=C.UTF-8 PATH='" ROPE_PROGRAM_FOLDER "':'" +
                            fonts.folder() + "':$PATH && " + command;
  std::FILE* pipe = popen(shell.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), n);
  return {pclose(pipe), lines_of(text)};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Whether a command prints what is not for a screen: a document, messages in one line (those of a
/// terminal are broken between words), or the content of a file.
bool prints_long_lines(const std::string& command) {
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"--json", "-o -", "2>&1", "cat ", "head -"},
      [&](std::string_view part) { return command.find(part) != std::string::npos; });
}

/// The columns that a line takes in a terminal, two for a Chinese character.
std::size_t columns_of(const std::string& line) {
  std::size_t columns = 0;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) columns += byte >= 0xE3U && byte <= 0xEFU ? 2 : 1;
  }
  return columns;
}

class Page : public testing::TestWithParam<std::string> {};

TEST_P(Page, ShowsWhatTheProgramPrints) {
  const fs::path path = fs::path(ROPE_SOURCE_DIR) / GetParam();
  std::vector<std::string> page = read_lines(path);
  ASSERT_FALSE(page.empty());
  const fs::path folder = fs::temp_directory_path() /
                          ("rope_docs_" + path.stem().string() + "_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::vector<Example> examples = examples_of(page);
  std::vector<Output> outputs;
  for (const Example& example : examples) {
    outputs.push_back(run(example.command, folder));
    EXPECT_EQ(outputs.back().status, 0) << example.command;
    if (prints_long_lines(example.command)) continue;
    for (const std::string& line : outputs.back().lines)
      EXPECT_LE(columns_of(line), 80U) << example.command << "\n" << line;
  }
  fs::remove_all(folder);
  if (std::getenv("ROPE_UPDATE_GOLDEN") != nullptr) {
    for (std::size_t i = examples.size(); i-- > 0;) {
      const Example& example = examples[i];
      if (std::ranges::find(example.expected, "…") != example.expected.end()) continue;
      const auto at = [&](std::size_t line) { return page.begin() + static_cast<long>(line); };
      page.erase(at(example.begin), at(example.end));
      page.insert(at(example.begin), outputs[i].lines.begin(), outputs[i].lines.end());
    }
    std::ofstream(path) << joined(page);
    return;
  }
  for (std::size_t i = 0; i < examples.size(); ++i)
    EXPECT_TRUE(matches(examples[i].expected, 0, outputs[i].lines, 0))
        << "$ " << examples[i].command << "\nthe page says:\n"
        << joined(examples[i].expected) << "the program prints:\n"
        << joined(outputs[i].lines);
}

/// Both pages have the same subjects; the Chinese one may show more, and in Chinese.
TEST(ReadMe, ShowsInChineseWhatItShowsInEnglish) {
  const auto page = [](const char* name) { return read_lines(fs::path(ROPE_SOURCE_DIR) / name); };
  const auto headings = [](const std::vector<std::string>& lines) {
    return std::ranges::count_if(lines,
                                 [](const std::string& line) { return line.starts_with("## "); });
  };
  const std::vector<std::string> english = page("README.md"), chinese = page("README.zh.md");
  EXPECT_EQ(headings(english), headings(chinese));
  const std::vector<Example> shown = examples_of(chinese);
  auto from = shown.begin();
  for (const Example& example : examples_of(english)) {
    from = std::find_if(from, shown.end(), [&](const Example& one) {
      return one.command == example.command || one.command == example.command + " --lang zh";
    });
    ASSERT_NE(from, shown.end()) << example.command << " does not stand there, or not in its place";
    ++from;
  }
}

TEST(Citation, NamesTheVersionOfTheProgram) {
  const std::vector<std::string> citation = read_lines(fs::path(ROPE_SOURCE_DIR) / "CITATION.cff");
  const std::vector<std::string> said = run("rope --version", ".").lines;  // rope 0.2.0
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(std::ranges::count(citation, "version: " + said[0].substr(said[0].find(' ') + 1)), 1);
}

/// A program stands in a page as it is in its file: below the line "<!-- examples/NAME -->", in a
/// ```cpp block. tests/install compiles and runs the files.
TEST(Programs, StandInTheLibrarysPageAsTheyAreInTheirFiles) {
  const fs::path root = ROPE_SOURCE_DIR;
  const std::vector<std::string> page = read_lines(root / "docs" / "library.md");
  std::vector<std::string> shown, files;
  for (std::size_t i = 0; i + 1 < page.size(); ++i) {
    if (!page[i].starts_with("<!-- examples/")) continue;
    shown.push_back(page[i].substr(5, page[i].size() - 5 - 4));
    ASSERT_EQ(page[i + 1], "```cpp") << shown.back();
    const auto begin = page.begin() + static_cast<long>(i) + 2;
    const auto end = std::find(begin, page.end(), "```");
    EXPECT_EQ(joined({begin, end}), joined(read_lines(root / shown.back()))) << shown.back();
    EXPECT_LE(end - begin, 25) << shown.back();
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "examples"))
    if (entry.path().extension() == ".cpp")
      files.push_back("examples/" + entry.path().filename().string());
  std::ranges::sort(shown);
  std::ranges::sort(files);
  EXPECT_EQ(shown, files);
}

/// The way of an option in docs/architecture.md: rows "| 1 | `Type::function` | file | …".
TEST(LifeOfAnOption, NamesFunctionsThatStandInTheirFilesAndNoneTwice) {
  const fs::path root = ROPE_SOURCE_DIR;
  std::set<std::string> visited;
  for (const std::string& line : read_lines(root / "docs" / "architecture.md")) {
    if (!line.starts_with("| ") || line.size() < 3 || std::isdigit(line[2]) == 0) continue;
    const std::size_t begin = line.find('`') + 1, end = line.find('`', begin);
    const std::string function = line.substr(begin, end - begin);
    const std::size_t file = end + 4;
    const std::string path = line.substr(file, line.find(' ', file) - file);
    const std::size_t colons = function.rfind("::");
    const std::string name = colons == std::string::npos ? function : function.substr(colons + 2);
    EXPECT_NE(joined(read_lines(root / path)).find(name + "("), std::string::npos) << line;
    EXPECT_TRUE(visited.insert(function).second) << line;
  }
  EXPECT_GE(visited.size(), 2U);
  EXPECT_LE(visited.size(), 12U);
}

INSTANTIATE_TEST_SUITE_P(Docs, Page,
                         testing::Values("README.md", "README.zh.md", "docs/theory.md",
                                         "docs/conventions.md", "docs/accuracy.md",
                                         "docs/commands.md", "docs/diagnose.md",
                                         "docs/encodings.md", "docs/formats.md", "docs/models.md",
                                         "docs/scaling.md"));

TEST(Matching, AnEllipsisStandsForAnyLinesAndNothingElseDoes) {
  EXPECT_TRUE(matches({"a", "…", "c"}, 0, {"a", "b", "b", "c"}, 0));
  EXPECT_TRUE(matches({"…"}, 0, {}, 0));
  EXPECT_FALSE(matches({"a", "…", "c"}, 0, {"a", "b"}, 0));
  EXPECT_FALSE(matches({"a"}, 0, {"b"}, 0));
  EXPECT_FALSE(matches({"a"}, 0, {"a", "b"}, 0));
  EXPECT_FALSE(matches({}, 0, {"a"}, 0));
}

TEST(Examples, AreFoundInConsoleBlocksOnly) {
  const std::vector<Example> examples =
      examples_of({"```sh", "$ no", "```", "```console", "$ yes", "out", "$ two", "```", "text"});
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].command, "yes");
  EXPECT_EQ(examples[0].expected, std::vector<std::string>{"out"});
  EXPECT_TRUE(examples[1].expected.empty());
}

}  // namespace
