// --lang zh: reports in Chinese. Every sentence has its entry in data/words/reports.zh.json, every
// entry its sentence, and files for programs stay as they are.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/precision/policy.hpp"
#include "rope/verify/controls.hpp"
#include "support/chinese_signs.hpp"
#include "support/english_words.hpp"

namespace rope::test {
namespace {

/// Verdicts, views and notes that no example of a help text shows; x.npy and y.npy are the vectors
/// before and after.
constexpr auto kMoreReports = std::to_array<std::string_view>(
    {"verify --details --trials 50",
     "verify --dim 512 --details --case 7",
     "verify --policy bfloat16-positions --trials 200",
     "verify --policy float16-positions --trials 200 --details",
     "verify --policy float32 --require 1e-9 --trials 50 --details",
     "verify --policy float32 --require 1 --trials 50 --details",
     "verify --policy float32 --control base-nearly-right --trials 50",
     "verify --control no-rotation --trials 50 --details",
     "verify --case 3",
     "verify --max-position 0 --trials 50",
     "verify --axes 16,16 --trials 50",
     "verify --sections 8,12,12 --dim 64 --trials 50",
     "verify --scaling yarn:factor=4,original=2048 --trials 50 --details",
     "verify --frequencies 0.5 --query 1,2 --key 3,-1 --positions 5,2 --details",
     "verify --query 1,2,3,4 --key 3,-1,2,5 --positions 5,5",
     "verify --query 1,2,3,4 --key 1,2,3,4 --positions 5,2",
     "verify --query 0,0 --key 1,2 --positions 5,2",
     "verify --query 1e-310,2e-310 --key 3,1 --positions 5,2",
     "verify --precision 200",
     "verify --precision 24 --control wrong-sign",
     "verify --precision 24 --max-position 9000000000 --scaling yarn:factor=4,original=2048",
     "verify x.npy y.npy --details",
     "verify x.npy y.npy --base 500000",
     "verify x.npy y.npy --layout half",
     "verify x.npy y.npy --policy exact",
     "verify x.npy y.npy --start 1",
     "verify x.npy x.npy",
     "score --details --query ones --key same --positions 3,3",
     "score --query 0,0,1,1 --key 1,2,0,0 --positions 3,1",
     "score --scaling yarn:factor=4,original=2048",
     "score --view pairs --scaling yarn:factor=4,original=2048",
     "score --view pairs --dim 64 --rotary-dim 32 --details",
     "score --view pairs --dim 2",
     "score --view pairs --dim 6",
     "score --view curve --distances 5",
     "score --view curve --distances 1:9 --query ones --key opposite --key same",
     "score --view curve --frequencies 0,0 --distances 0:9",
     "score --view curve --query ones --key same --key opposite --key turned:1 --key turned:2 "
     "--key turned:3 --details",
     "score --view grid --encoding alibi --encoding learned --encoding transformer-xl",
     "score --view grid --encoding rope --encoding sinusoidal --encoding learned --encoding shaw",
     "rotate --positions 0",
     "rotate --pairs 7 --positions 12",
     "rotate --details",
     "rotate --distance 10 --pairs 0,1 --positions 0:2 --details",
     "rotate --distance 10 --positions 4",
     "rotate --query 1,2,0,0 --key 0,1,1,0 --pairs 1",
     "rotate --query 1,2,0,0 --key 0,0,1,0",
     "rotate --distance -3 --break pairing",
     "rotate --distance -3 --break base --positions 0",
     "rotate --distance -3 --break bfloat16",
     "rotate --distance -3 --break bfloat16 --positions 0,1000",
     "rotate --distance -3 --break off-by-one --query 1,0 --key 1,0",
     "rotate --break sign --key same --distance 0 --positions 0",
     "rotate --primer argument --details",
     "rotate --primer argument --z -1,2",
     "rotate --primer conjugate",
     "rotate --primer quarter-turn --details",
     "rotate --primer product",
     "rotate --primer euler --details",
     "rotate --primer euler --angle 50",
     "rotate --primer taylor --details",
     "rotate --primer exponentials",
     "rotate --primer half-turn --details",
     "rotate --primer addition",
     "rotate --primer space --details",
     "rotate --primer reflection",
     "rotate --primer orthogonal",
     "decay",
     "decay --details --distances 0:9",
     "decay --distances 5",
     "decay --distances 0:9 --random-pairs 0",
     "decay --distances 0:20000",
     "decay --distances 2000:1000:-1 --base 100",
     "decay --family linear",
     "decay --family quadratic",
     "decay --base 10000 --base 500000 --distances 0,5",
     "decay --model gemma-3-12b",
     "decay --model gemma-3-12b --details --distances 0:9",
     "decay --axes 32,32 --map",
     "wavelengths",
     "wavelengths --context 4096",
     "wavelengths --context 4096 --details",
     "wavelengths --context 100000000",
     "wavelengths --dim 4 --context 100",
     "wavelengths --dim 2",
     "wavelengths --frequencies 1,0.5,0",
     "wavelengths --base 10000 --base 500000",
     "wavelengths --model gemma-3-12b",
     "wavelengths --model gemma-3-12b --details",
     "wavelengths --model llama-3.1-8b",
     "wavelengths --axes 16,16",
     "matrix",
     "matrix --dim 4 --positions 0:12",
     "matrix --dim 4 --positions 0:8",
     "matrix --dim 64 --form pairs --positions 0:3 --details",
     "matrix --dim 4 --scaling yarn:factor=4,original=2048"});

constexpr std::array<std::string_view, 6> kCommands = {"verify", "score",       "rotate",
                                                       "decay",  "wavelengths", "matrix"};

/// The words that stay in a report: what one types, and names.
std::vector<std::string> left_in_english(std::string text) {
  static const std::regex typed(
      "(rope [a-z]+( [^ \n。；，]+\\.npy)*)|(--[a-z-]+( (TOL|[a-z0-9]+)\\b)?)|(-o FILE)|"
      "([xy]\\.npy)|([A-Za-z_0-9]+=[a-z0-9.]+)|([0-9]e[0-9-]+i)");
  text = std::regex_replace(text, typed, " ");
  std::vector<std::string> found;
  const auto names = std::to_array<std::string_view>(
      {"PASS",    "FAIL", "INCONCLUSIVE", "SELF-TEST", "FAILED", "exact", "double",
       "ulp",     "pow",  "rad",          "NaN",       "QR",     "tr",    "Re",
       "Im",      "yx",   "xy",           "libmvec",   "SLEEF",  "NumPy", "CUDA",
       "Hugging", "Face", "CPU",          "TF32",      "E4M3",   "e4m3",  "sign",
       "pairing", "base", "linear",       "inf",       "nan",    "bf16",  "ai",
       "QQ",      "Qx",   "Qy",           "PQ",        "SR",     "Rn"});
  for (const std::string& word : english_words(text)) {
    const bool known =
        std::ranges::find(names, word) != names.end() || find_control(word) || find_policy(word);
    if (!known) found.push_back(word);
  }
  return found;
}

class ChineseReports : public CliTest {
 protected:
  ChineseReports() {
    std::vector<double> x;
    for (int i = 0; i < 12 * 2 * 32; ++i) x.push_back((i * 7919 % 1000 - 500) / 500.0);
    write("x.npy", io::to_npy({12, 2, 32}, std::span<const double>(x)));
    EXPECT_EQ(
        rope({"apply", "x.npy", "--start", "0", "--token-axis", "0", "-o", "y.npy"}).exit_code, 0);
  }

  /// The examples of the help texts that run by themselves, and more.
  std::set<std::string> commands() const {
    std::set<std::string> all(kMoreReports.begin(), kMoreReports.end());
    for (const std::string_view name : kCommands)
      for (const std::string& line : lines_of(rope({std::string(name), "--help"}).out))
        if (line.starts_with("  rope " + std::string(name)) && line.find(';') == std::string::npos)
          all.insert(line.substr(7));
    return all;
  }

  /// What a command prints; nothing is drawn.
  Outcome report(std::string command, const std::string& options) const {
    for (const std::string option : {" -o ", " --animate"})
      while (command.find(option) != std::string::npos) {
        const std::size_t at = command.find(option);
        command.erase(at, command.find(' ', at + option.size()) - at);
      }
    return shell("rope " + command + " --lang zh " + options);
  }
};

TEST_F(ChineseReports, HaveNoEnglishWordAndFitTheScreen) {
  const std::set<std::string> all = commands();
  EXPECT_GT(all.size(), 100U);
  for (const std::string& command : all) {
    const Outcome run = report(command, "-o nothing.json");
    EXPECT_LT(run.exit_code, 2 + (command.starts_with("verify") ? 3 : 0)) << command << run.err;
    EXPECT_NE(run.out.find("已"), std::string::npos) << command << "\n" << run.out << run.err;
    std::string text = run.out.substr(0, run.out.find("已"));
    EXPECT_EQ(left_in_english(text), std::vector<std::string>()) << command << "\n" << text;
    for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), 80U) << line;
  }
}

TEST_F(ChineseReports, HaveChinesePunctuation) {
  for (const std::string& command : commands())
    for (const std::string& line : lines_of(report(command, "-o - --format md").out)) {
      if (line.starts_with("|") || line.starts_with("<!--")) continue;
      EXPECT_EQ(wrong_signs(line), "") << command << "\n" << line;
    }
}

TEST_F(ChineseReports, LeaveFilesForProgramsAsTheyAre) {
  for (const std::string command :
       {"verify --trials 20 --control wrong-sign", "verify x.npy y.npy --base 500000", "score",
        "score --view curve --query ones --key same --key opposite",
        "rotate --distance 3 --break sign", "decay --distances 0:9", "wavelengths --context 4096",
        "matrix --dim 4"})
    for (const std::string format : {"json", "csv"}) {
      const std::string end = " -o - --format " + format;
      EXPECT_EQ(shell("rope " + command + " --lang zh" + end).out,
                shell("rope " + command + end).out);
    }
}

TEST_F(ChineseReports, AreEnglishWhereTheLocaleHasNoSuchCharacters) {
  const Setting ascii{{{"LC_ALL", "C"}}, {}, false, false};
  const std::vector<std::string> words = {"verify", "--trials", "20"};
  std::vector<std::string> chinese = words;
  chinese.insert(chinese.end(), {"--lang", "zh"});
  EXPECT_EQ(rope(chinese, ascii).out, rope(words, ascii).out);
  EXPECT_NE(rope(chinese).out, rope(words).out);
}

/// A text in quotes in a source, with those that follow it directly.
struct Literal {
  std::string text;
  bool said;  ///< as the sentence of said()
};

/// Where a literal in quotes ends, its text decoded.
std::size_t read_literal(const std::string& source, std::size_t at, std::string& text) {
  for (++at; at < source.size() && source[at] != '"'; ++at) {
    if (source[at] != '\\') {
      text += source[at];
      continue;
    }
    ++at;
    text += source[at] == 'n' ? '\n' : source[at];
  }
  return at + 1;
}

std::vector<Literal> literals_of(const std::string& source) {
  static const std::regex said("\\bsaid\\(\\s*[\\w.()]+\\s*,\\s*$");
  std::vector<Literal> all;
  std::size_t end = std::string::npos;  // of the last literal
  for (std::size_t at = 0; at < source.size();) {
    if (source.compare(at, 2, "//") == 0) {
      at = std::min(source.find('\n', at), source.size());
    } else if (source[at] == '\'' && at + 2 < source.size() && source[at + 1] != '\\' &&
               source[at + 2] == '\'') {
      at += 3;
    } else if (source.compare(at, 3, "R\"(") == 0) {
      at = source.find(")\"", at) + 2;
    } else if (source[at] == '"' && (at == 0 || source[at - 1] != '\'')) {
      const bool follows = end != std::string::npos && source.find_first_not_of(" \n", end) == at;
      if (!follows) {
        const std::size_t begin = at < 80 ? 0 : at - 80;
        all.push_back({"", std::regex_search(source.substr(begin, at - begin), said)});
      }
      at = end = read_literal(source, at, all.back().text);
    } else {
      ++at;
    }
  }
  return all;
}

io::Json entries() {
  std::ifstream file(std::filesystem::path(ROPE_GOLDEN_DIR) /
                     "../../../data/words/reports.zh.json");
  std::ostringstream text;
  text << file.rdbuf();
  return io::parse_json(text.str(), "reports.zh.json", io::RepeatedKeys::refused);
}

TEST(ChineseSentences, AreThoseOfTheProgramAllOfThem) {
  const io::Json table = entries();
  std::set<std::string> literals;
  std::size_t sentences = 0;
  for (const char* const folder : {"apps/rope", "src/rope"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(ROPE_GOLDEN_DIR) / "../../.." / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      std::ostringstream text;
      text << file.rdbuf();
      for (const Literal& literal : literals_of(text.str())) {
        literals.insert(literal.text);
        sentences += literal.said ? 1 : 0;
        EXPECT_TRUE(!literal.said || table.contains(literal.text))
            << entry.path() << ": " << literal.text;
      }
    }
  EXPECT_GT(sentences, 250U);
  for (const auto& [english, chinese] : table.items())
    EXPECT_TRUE(literals.contains(english)) << "no source says: " << english;
}

/// The places of values in a sentence with how they are written: "1 .3g" of {1:.3g}, in order.
std::multiset<std::string> places_of(const std::string& sentence) {
  static const std::regex place("\\{\\{|\\}\\}|\\{(\\d?)(?::([^}]*))?\\}");
  std::multiset<std::string> places;
  int next = 0;
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), place), end; at != end; ++at) {
    if ((*at)[0] == "{{" || (*at)[0] == "}}") continue;
    const std::string number = (*at)[1].length() > 0 ? (*at)[1].str() : std::to_string(next++);
    places.insert(number + " " + (*at)[2].str());
  }
  return places;
}

TEST(ChineseSentences, HaveTheValuesOfTheEnglishOnes) {
  EXPECT_EQ(places_of("a {} {:.3g} {{n−m}}"), places_of("{1:.3g} {{n−m}} {0}"));
  EXPECT_NE(places_of("a {} {:.3g}"), places_of("{1} {0:.3g}"));
  const io::Json table = entries();
  for (const auto& [english, chinese] : table.items())
    EXPECT_EQ(places_of(english), places_of(chinese.get<std::string>())) << english;
}

}  // namespace
}  // namespace rope::test
