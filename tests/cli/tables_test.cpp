// .md and .tex files hold what the report says, word by word: both are read back to plain text by a
// reader that shares nothing with the writer.

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "cli/run.hpp"

namespace rope::test {
namespace {

constexpr int kUnfolded = 4000;  // columns that no table needs

using Spellings = std::vector<std::pair<std::string, std::string>>;

std::string replaced(std::string text, const Spellings& spellings) {
  for (const auto& [from, to] : spellings)
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

constexpr std::array<std::string_view, 4> kToldOfFiles = {"wrote ", "replaced ", "已写入 ",
                                                          "已替换 "};

/// What the program said, without the names of the files it wrote.
std::string report_of(const std::string& out) {
  std::string text;
  for (const std::string& line : lines_of(replaced(out, {{"\r", ""}})))
    if (std::ranges::none_of(kToldOfFiles,
                             [&](std::string_view begin) { return line.starts_with(begin); }))
      text += line + "\n";
  return text;
}

/// A table of Markdown with one blank between cells, a paragraph as it is.
std::string read_markdown(const std::string& markdown) {
  std::string text;
  std::size_t columns = 0;  // of the table that is being read
  for (const std::string& line : lines_of(markdown)) {
    const bool row = line.starts_with("| ");
    const bool rule = line.starts_with("|:") || line.starts_with("|-");
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        text += line[++i];
      } else if (line.substr(i, 6) == "&nbsp;") {
        text += ' ';
        i += 5;
      } else if (line[i] == '|' && (row || rule)) {
        ++bars;
        text += ' ';
      } else if (!rule) {
        EXPECT_EQ(std::string("|*`<>[#~$").find(line[i]), std::string::npos) << line;
        text += line[i];
      }
    }
    if (row || rule) {
      EXPECT_TRUE(columns == 0 || bars == columns) << line;
    }
    columns = row || rule ? bars : 0;
    text += '\n';
  }
  return text;
}

/// What a command of LaTeX prints.
const std::map<std::string, std::string> kCommandsOfLatex = {
    {"theta", "θ"},
    {"lambda", "λ"},
    {"Delta", "Δ"},
    {"varphi", "φ"},
    {"pi", "π"},
    {"alpha", "α"},
    {"beta", "β"},
    {"gamma", "γ"},
    {"zeta", "ζ"},
    {"omega", "ω"},
    {"sigma", "σ"},
    {"rho", "ρ"},
    {"Sigma", "Σ"},
    {"delta", "δ"},
    {"cdot", "·"},
    {"times", "×"},
    {"div", "÷"},
    {"pm", "±"},
    {"surd", "√"},
    {"infty", "∞"},
    {"le", "≤"},
    {"ge", "≥"},
    {"ne", "≠"},
    {"approx", "≈"},
    {"ll", "≪"},
    {"to", "→"},
    {"leftarrow", "←"},
    {"langle", "⟨"},
    {"rangle", "⟩"},
    {"dots", "…"},
    {"circ", "°"},
    {"mathsf", ""},
    {"textbackslash", "\\"},
    {"in", "∈"},
    {"angle", "∠"},
    {"textasciicircum", "^"},
    {"hline", ""},
    {"mapsto", "↦"},
    {"odot", "⊙"},
    {"otimes", "⊗"},
    {"textasciitilde", "~"},
    {"varepsilon", "ε"},
    {"lfloor", "⌊"},
    {"rfloor", "⌋"},
};

/// LaTeX as text without blanks and braces, and whether it is well formed: dollars in pairs, none
/// empty, braces too, every row with the columns of its table, no sign that means something else.
std::string read_latex(const std::string& latex) {
  std::string text;
  bool formula = false;
  int depth = 0;
  std::size_t ands = 0, columns = 0;
  for (std::size_t i = 0; i < latex.size(); ++i) {
    const char c = latex[i];
    const std::string place = latex.substr(i > 40 ? i - 40 : 0, 80);
    if (c == '\\') {
      std::size_t end = i + 1;
      while (end < latex.size() && std::isalpha(static_cast<unsigned char>(latex[end])) != 0) ++end;
      const std::string name = latex.substr(i + 1, end - i - 1);
      if (name == "begin" || name == "end") {
        std::smatch groups;
        const std::string rest = latex.substr(i);
        static const std::regex kGroups(
            R"(^\\(?:begin|end)\{(\w+)\}(?:\{((?:[lr]|p\{0\.5\\linewidth\})+)\})?)");
        EXPECT_TRUE(std::regex_search(rest, groups, kGroups)) << place;
        const std::string columns_text =
            std::regex_replace(groups[2].str(), std::regex(R"(p\{[^}]*\})"), "p");
        if (!columns_text.empty()) columns = columns_text.size();
        i += static_cast<std::size_t>(groups.length(0)) - 1;
      } else if (name == "char") {
        EXPECT_EQ(latex.substr(end, 2), "96");
        text += '`';
        i = end + 1;
      } else if (!name.empty()) {
        const auto known = kCommandsOfLatex.find(name);
        EXPECT_TRUE(known != kCommandsOfLatex.end()) << place;
        if (known != kCommandsOfLatex.end()) text += known->second;
        i = end - 1;
      } else if (latex[i + 1] == '\\') {
        EXPECT_EQ(ands + 1, columns) << place;
        const std::size_t next = std::min(latex.find_first_not_of(" \n", i + 2), latex.size() - 1);
        EXPECT_TRUE(latex[next] != '[' && latex[next] != '*') << place;  // a part of \\ itself
        ands = 0;
        ++i;
      } else {
        text += latex[i + 1] == '|' ? "‖" : std::string(1, latex[i + 1]);
        ++i;
      }
    } else if (c == '$') {
      EXPECT_NE(latex[i + 1], '$') << place;
      formula = !formula;
    } else if (c == '{' || c == '}') {
      depth += c == '{' ? 1 : -1;
      EXPECT_GE(depth, 0) << place;
    } else if (c == '&') {
      ++ands;
    } else if (c != ' ' && c != '\n' && c != '~') {
      EXPECT_EQ(std::string("%#").find(c), std::string::npos) << place;
      if (!formula) {
        EXPECT_EQ(std::string("_^<>|").find(c), std::string::npos) << place;
      }
      text += c;
    }
    EXPECT_FALSE(formula && c == '\n') << place;
  }
  EXPECT_EQ(depth, 0);
  return text;
}

/// A tabular of LaTeX, line by line and cell by cell.
struct Tabular {
  std::string columns;  // as \begin{tabular} names them
  std::vector<std::vector<std::string>> headings, rows;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  const std::string row = line.substr(0, line.size() - std::string(R"( \\)").size());
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 3)
    cells.push_back(row.substr(from, (to = row.find(" & ", from)) - from));
  return cells;
}

Tabular tabular_of(const std::string& latex) {
  static const std::string kBegin = "\\begin{tabular}{";
  Tabular table;
  std::size_t rules = 0;
  for (const std::string& line : lines_of(latex)) {
    if (line.starts_with(kBegin))
      table.columns = line.substr(kBegin.size(), line.size() - kBegin.size() - 1);
    if (line == "\\hline" && ++rules == 2) std::swap(table.headings, table.rows);
    if (line.ends_with(R"( \\)")) table.rows.push_back(cells_of(line));
  }
  if (rules == 2) std::swap(table.headings, table.rows);  // one without headings
  return table;
}

/// Whether the other is what did not fit the page below this table, and joins it if so.
bool join_page_below(Tabular& table, const Tabular& other) {
  constexpr std::size_t kPage = 45;
  if (table.rows.size() % kPage != 0 || other.headings != table.headings ||
      other.columns.size() != table.columns.size())
    return false;
  table.rows.insert(table.rows.end(), other.rows.begin(), other.rows.end());
  return true;
}

/// Whether the other is what did not fit the line beside this table, and joins it if so: it begins
/// with the same column, which names the rows.
bool join_columns_beside(Tabular& table, const Tabular& other) {
  const auto same = [](const auto& left, const auto& right) {
    return std::ranges::equal(left, right,
                              [](const auto& a, const auto& b) { return a.front() == b.front(); });
  };
  if (!same(table.headings, other.headings) || !same(table.rows, other.rows)) return false;
  table.columns += std::regex_replace(other.columns, std::regex(R"(^(p\{[^}]*\}|.))"), "");
  for (auto [mine, others] :
       {std::pair(&table.headings, &other.headings), {&table.rows, &other.rows}})
    for (std::size_t i = 0; i < mine->size(); ++i)
      (*mine)[i].insert((*mine)[i].end(), (*others)[i].begin() + 1, (*others)[i].end());
  return true;
}

std::string text_of(const Tabular& table) {
  const auto lines = [](const std::vector<std::vector<std::string>>& rows) {
    std::string text;
    for (const std::vector<std::string>& row : rows) {
      for (const std::string& cell : row) text += (&cell == &row.front() ? "" : " & ") + cell;
      text += " \\\\\n";
    }
    return text;
  };
  return "\\begin{tabular}{" + table.columns + "}\n\\hline\n" +
         (table.headings.empty() ? "" : lines(table.headings) + "\\hline\n") + lines(table.rows) +
         "\\hline\n\\end{tabular}\n";
}

/// What stands in the report above a table: its caption behind what the table holds; nothing of a
/// table that goes on.
std::string caption_of(const std::string& table) {
  static const std::regex kCaption(
      R"(\\caption(?:\[(.+)\]\{\1(?:: |\. |。)?(.*)|\{(.*))\}\n\\label\{tab:rope-[a-z0-9-]+\}\n)");
  std::smatch match;
  if (!std::regex_search(table, match, kCaption)) {
    EXPECT_NE(table.find("\\centering\nTable~\\ref{tab:rope-"), std::string::npos) << table;
    return {};
  }
  const std::string holds = match[1].str(), above = match[2].str() + match[3].str();
  EXPECT_FALSE(holds.empty() && above.empty()) << table;  // it says something
  for (const char* setting : {"head\\_dim", "rope "})     // and not how it was made alone
    EXPECT_FALSE(holds.empty() && above.starts_with(setting)) << table;
  return above.empty() ? std::string() : above + "\n";
}

/// LaTeX whose tables are whole again, however many pages and lines they were given, each behind
/// its caption; no label stands twice.
std::string with_whole_tables(const std::string& latex) {
  static const std::string kBegin = "\\begin{table}[htbp]\n", kEnd = "\\end{table}\n";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at; (at = latex.find(kBegin, from)) != std::string::npos;) {
    text += latex.substr(from, at - from);
    text += caption_of(latex.substr(at, latex.find(kEnd, at) - at));
    std::vector<Tabular> blocks;  // side by side, each with its pages
    do {
      const std::size_t end = latex.find(kEnd, at) + kEnd.size();
      const Tabular next = tabular_of(latex.substr(at, end - at));
      if (blocks.empty() || !join_page_below(blocks.back(), next)) blocks.push_back(next);
      from = at = end;
    } while (latex.compare(at, kBegin.size(), kBegin) == 0 &&
             latex.compare(at + kBegin.size(), 16, "\\centering\nTable") == 0);
    for (std::size_t i = 0; i < blocks.size();) {
      Tabular whole = blocks[i++];
      while (i < blocks.size() && join_columns_beside(whole, blocks[i])) ++i;
      text += text_of(whole);
    }
  }
  return text + latex.substr(from);
}

/// A report as `read_latex` reads it: powers and indices written out, no braces, no blanks.
std::string as_latex_reads(const std::string& report) {
  static const std::regex kPower(R"((\d)e([+-])0*(\d+))");
  std::string text = std::regex_replace(report, kPower, "$1×10^$2$3");
  text = replaced(
      text, {{"×10^+", "×10^"}, {"−", "-"},   {"⁻¹", "^-1"}, {"²", "^2"}, {"³", "^3"}, {"⁴", "^4"},
             {"ⁿ", "^n"},       {"ᵀ", "^T"},  {"°", "^°"},   {"₂", "_2"}, {"₁", "_1"}, {"₀", "_0"},
             {"–", "--"},       {"—", "---"}, {"“", "``"},   {"”", "''"}, {"«", "``"}, {"»", "''"},
             {"‘", "`"},        {"’", "'"},   {"✓", "√"},    {"✗", "×"},  {"{", ""},   {"}", ""},
             {" ", ""},         {"\n", ""}});
  return text;
}

std::string without_braces(const std::string& text) {
  return replaced(text, {{"{", ""}, {"}", ""}});
}

/// What is left of the first text where the two part, and of the second; both empty if they do not.
std::pair<std::string, std::string> parting(const std::string& a, const std::string& b) {
  const auto [left, right] = std::ranges::mismatch(a, b);
  const auto rest = [](const std::string& text, auto from) {
    return text.substr(static_cast<std::size_t>(from - text.begin()), 60);
  };
  return {rest(a, left), rest(b, right)};
}

const std::pair<std::string, std::string> kNowhere;

/// The report without what it says of the program: which options show more.
std::string without_hints(std::string report) {
  static const std::vector<std::regex> kHints = {
      std::regex(R"(;\s+(see\s+)?--details((\s+(lists|shows))\s+all(\s+\d+)?)?(?=\.))"),
      std::regex(R"(;\s+--details\s+shows\s+θ_i[^.]*)"),
      std::regex(R"(\s+\(--(details|json)[^)]*\)|\s+\(--engine\s+NAME\))"),
      std::regex(R"((^|\s+)--(details|view\s+pairs)[^.]*\.)"),
  };
  for (const std::regex& one : kHints) report = std::regex_replace(report, one, "");
  return report;
}

class TablesTest : public CliTest {
 protected:
  /// The file below the comment that says where it comes from.
  std::string read_report(const std::string& name) const {
    const std::string text = read(name);
    EXPECT_TRUE(text.starts_with(name.ends_with(".md") ? "<!-- rope " : "% rope ")) << text;
    return text.substr(text.find('\n') + (name.ends_with(".md") ? 2 : 1));
  }

  /// Runs the line with both files, and compares what they and standard output say.
  void expect_the_report_in_files(const std::string& line) {
    Setting wide;
    wide.terminal_columns = kUnfolded;
    const Outcome run = shell(line + " -o report.md -o report.tex 2> messages", wide);
    const std::string report = without_hints(report_of(run.out));
    EXPECT_NE(report, "") << line << run.out;
    const std::string tex = read_report("report.tex");
    EXPECT_EQ(tex.find("-{}-details"), std::string::npos) << tex;
    EXPECT_EQ(tex.find("-{}-json"), std::string::npos) << tex;
    if (!line.starts_with("rope claims")) {  // its .md files are its own
      const std::string blank =
          line.find("--lang zh") == std::string::npos ? " " : "";  // Chinese lines break anywhere
      const auto words = [&](const std::string& text) {
        return replaced(flowing(text), {{" ", blank}});
      };
      EXPECT_EQ(parting(words(read_markdown(read_report("report.md"))), words(report)), kNowhere)
          << line;
    }
    if (!line.starts_with("rope matrix")) {  // so are its .tex files
      EXPECT_EQ(parting(without_braces(read_latex(with_whole_tables(tex))), as_latex_reads(report)),
                kNowhere)
          << line;
    }
  }
};

TEST_F(TablesTest, HoldTheReportOfEveryExampleOfEveryCommand) {
  const std::vector<std::string> commands = commands_in(rope({"--help"}).out);
  EXPECT_GE(commands.size(), 18U);
  std::size_t examples = 0;
  for (const std::string& command : commands) {
    const std::string help = rope({command, "--help"}).out;
    if (help.find("--output") == std::string::npos) continue;
    const std::size_t start = help.find("Examples:\n") + 10;
    for (const std::string& example :
         lines_of(help.substr(start, help.find("\n\n", start) - start))) {
      // Each run of rope in the line; pictures were drawn by other tests.
      static const std::regex kRun(R"(rope (?:"[^"]*"|[^;&])+)"), kPicture(R"( -o \S+\.(png|svg))");
      for (std::sregex_iterator run(example.begin(), example.end(), kRun), end; run != end; ++run) {
        std::string line = std::regex_replace(run->str(), kPicture, "");
        line = replaced(line, {{" --json", ""}, {" --animate", ""}});
        if (line.find("--golden") != std::string::npos) {
          EXPECT_EQ(shell(line).exit_code, 0) << line;
          continue;
        }
        ++examples;
        expect_the_report_in_files(line);
        if (help.find("--details") != std::string::npos)
          expect_the_report_in_files(line + " --details");
      }
    }
  }
  EXPECT_GE(examples, 50U);
}

TEST_F(TablesTest, HoldListsToo) {
  expect_the_report_in_files("rope inspect --list");
  expect_the_report_in_files("rope precision --list");
  EXPECT_EQ(rope({"precision", "--list", "-o", "list.csv"}).err,
            "rope precision: -o: expected a name that ends in md or tex, got 'list.csv'\nUse one "
            "of these extensions, or give --format.\n");
}

TEST_F(TablesTest, ShowSignsOfMarkupAsText) {
  for (const std::string& name :
       {std::string("a|b&c%d_e$f{g}h#i~j^k*l<m>n`o[p]"), std::string("--b_c"), std::string("[x]"),
        std::string("*"), std::string("1. _x_"), std::string("&nbsp;"), std::string("x_1"),
        std::string("a_{b}"), std::string("$$"), std::string("%")}) {
    ASSERT_EQ(rope({"apply", "--vector", "1,2,3,4", "-o", "./" + name + ".npy"}).exit_code, 0);
    expect_the_report_in_files("rope apply './" + name + ".npy'");
  }
  // As a word by itself, at the beginning of a cell.
  for (const char* word : {"|", "*", "[1]", "1.", "-", "+", "#", "_a_", "a_b", "a_{b}", "$",
                           "&", "~", "^",   "\\", "{", "}", "%", "`",   "<b>", "--"})
    expect_the_report_in_files(std::string("rope attention --text 'dog ") + word + " man' --dim 4");
}

TEST_F(TablesTest, AreTheSameWhateverTheTerminal) {
  const std::vector<std::string> plain = {"extend", "--details", "-o", "a.md", "-o", "a.tex"};
  EXPECT_EQ(rope(plain).exit_code, 0);
  Setting narrow;
  narrow.environment = {{"LC_ALL", "C"}};
  narrow.terminal_columns = 40;
  EXPECT_EQ(rope({"extend", "--details", "--color", "always", "-o", "b.md", "-o", "b.tex"}, narrow)
                .exit_code,
            0);
  EXPECT_EQ(read("a.md"), read("b.md"));
  EXPECT_EQ(read("a.tex"), read("b.tex"));
  EXPECT_EQ(rope({"extend", "--details", "-o", "-", "--format", "md"}).out, read("a.md"));
}

TEST_F(TablesTest, AlignNumbersAndNeedNoPackage) {
  EXPECT_EQ(rope({"glossary", "-o", "a.md", "-o", "a.tex"}).exit_code, 0);
  EXPECT_TRUE(read_report("a.md").starts_with("|  |  |\n|:---|:---|\n")) << read("a.md");
  EXPECT_EQ(rope({"matrix", "--dim", "2", "-o", "a.md"}).exit_code, 0);
  EXPECT_NE(read("a.md").find("|---:|---:|\n| 0.540302 | -0.841471 |\n"), std::string::npos)
      << read("a.md");
  EXPECT_EQ(rope({"score", "--view", "pairs", "--dim", "4", "-o", "a.tex"}).exit_code, 0);
  EXPECT_NE(
      read("a.tex").find("\\begin{tabular}{rrrrr}\n\\hline\npair i & $\\theta_{i}$ (rad/token)"),
      std::string::npos)
      << read("a.tex");
}

TEST_F(TablesTest, FitThePageOfLatex) {
  EXPECT_EQ(rope({"precision", "--details", "--policy", "all", "--max-position", "1000", "-o",
                  "wide.tex"})
                .exit_code,
            0);
  EXPECT_EQ(rope({"decay", "--details", "-o", "long.tex"}).exit_code, 0);
  for (const char* file : {"wide.tex", "long.tex"}) {
    std::size_t tables = 0, rows = 0, widest = 0;
    for (const std::string& line : lines_of(read(file))) {
      if (line.starts_with("\\begin{tabular}")) ++tables, rows = 0;
      if (!line.ends_with(" \\\\")) continue;
      EXPECT_LE(++rows, 46U) << file;  // 45 and their heading
      // Texts longer than that are broken into lines.
      static const std::regex kCommand(R"(\\[A-Za-z]+ ?)"), kMarks(R"([\\${} ])");
      std::istringstream cells(line);
      std::size_t width = 0;
      for (std::string cell; std::getline(cells, cell, '&');) {
        cell = std::regex_replace(std::regex_replace(cell, kCommand, "x"), kMarks, "");
        width += 2 + std::min<std::size_t>(columns_of(cell), 50);
      }
      widest = std::max(widest, width);
    }
    EXPECT_GE(tables, 2U) << file;
    EXPECT_LE(widest, 80U) << file;
  }
}

TEST_F(TablesTest, BearTheSentenceAboveThemNotTheNotesOfTheTableBefore) {
  EXPECT_EQ(rope({"extend", "--details", "-o", "a.tex"}).exit_code, 0);
  const std::string text = read("a.tex");
  std::vector<std::string> captions;
  for (const std::string& line : lines_of(text))
    if (line.starts_with("\\caption")) captions.push_back(line);
  ASSERT_EQ(captions.size(), 2U) << text;
  EXPECT_NE(captions[0].find("head\\_dim 128"), std::string::npos) << captions[0];
  EXPECT_EQ(captions[1], "\\caption[Frequencies of each rule]{Frequencies of each rule}");
  EXPECT_NE(text.find("\nReach: turns in"), std::string::npos) << "the notes stand below the first";
}

TEST_F(TablesTest, HaveAllRowsWithDetails) {
  EXPECT_EQ(rope({"decay", "-o", "few.md"}).exit_code, 0);
  EXPECT_EQ(rope({"decay", "--details", "-o", "all.md"}).exit_code, 0);
  const auto rows = [](const std::string& text) {
    return std::ranges::count_if(lines_of(text),
                                 [](const std::string& line) { return line.starts_with("| "); });
  };
  EXPECT_LE(rows(read("few.md")), 14);
  EXPECT_EQ(rows(read("all.md")), 258);  // the heading, and distances 0 … 256
}

TEST_F(TablesTest, GoToABadPlaceLikeAnyFile) {
  const Outcome csv = rope({"decay", "-o", "nowhere/x.csv"});
  for (const char* ending : {"md", "tex"}) {
    const Outcome run = rope({"decay", "-o", std::string("nowhere/x.") + ending});
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_EQ(run.err, replaced(csv.err, {{"x.csv", std::string("x.") + ending}}));
  }
}

}  // namespace
}  // namespace rope::test
