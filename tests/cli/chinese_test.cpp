// --lang zh: the words of every picture in Chinese, and what becomes of them without a font.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "support/english_words.hpp"

namespace rope::test {
namespace {

/// Views and notes that neither an example of a help text nor a statement of an article draws.
constexpr auto kMorePictures = std::to_array<std::string_view>(
    {"rope rotate --view clocks --positions 100 --pairs 0,5",
     "rope rotate --pairs 7",
     "rope rotate --distance 10 --pairs 0,1,2,3,4,5",
     "rope rotate --distance 10 --pairs 0,1,2,3 --positions 3",
     "rope rotate --distance -3 --break pairing",
     "rope rotate --distance -3 --break base",
     "rope rotate --distance -3 --break bfloat16 --positions 0,1000",
     "rope rotate --distance -3 --break off-by-one",
     "rope rotate --primer euler",
     "rope rotate --primer exponentials",
     "rope rotate --primer taylor",
     "rope matrix --dim 64 --positions 5 --form pairs",
     "rope attention --mask causal",
     "rope score",
     "rope score --view pairs --dim 64 --rotary-dim 32",
     "rope score --view curve --query 1,2,3,4,5,6 --key 1,2,3,4,5,7 --dim 6",
     "rope score --view sides --query 1,2 --key 3,-1",
     "rope score --view grid --encoding learned",
     "rope decay --family quadratic",
     "rope decay --distances 0:200000",
     "rope decay --distances -2:4096 --axis log",
     "rope decay --model llama-2 --model llama-3",
     "rope decay --base 10000 --base 500000 --dim 64 --dim 128 --distances 0:64",
     "rope wavelengths --frequencies 1,0.1,0,0",
     "rope wavelengths --frequencies 1,0.1,0",
     "rope wavelengths --model gemma-3-12b",
     "rope precision --max-position 4095",
     "rope precision --policy float32 --against exact --max-position 65536",
     "rope precision --policy float32 --against both --max-position 65536",
     "rope precision --policy float32 --against identity --max-position 65536",
     "rope precision --policy float32 --against identity --max-position 4095 --view pairs",
     "rope precision --policy float32 --against exact --max-position 4095 --view pairs",
     "rope inspect gpt-oss",
     "rope inspect llama-2 llama-3",
     "rope inspect gemma-3-12b",
     "rope extend --model llama-3.1-8b --view fans",
     "rope compare",
     "rope compare --encoding none",
     "rope compare --encoding t5:buckets=8,alibi:head=0",
     "rope compare --encoding partial-rope,p-rope,xpos"});

/// The texts that a script of gnuplot places: all but the labels of ticks.
std::vector<std::string> placed_texts(const std::string& script) {
  std::vector<std::string> texts;
  std::istringstream lines(script);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kBegin = "set label '", kEnd = "' at screen ";
    const std::size_t end = line.find(kEnd);
    if (line.starts_with(kBegin) && end != std::string::npos && end > kBegin.size())
      texts.push_back(line.substr(kBegin.size(), end - kBegin.size()));
  }
  return texts;
}

class ChinesePictures : public CliTest {
 protected:
  /// The pictures of the examples of all commands, of the statements of articles, and more.
  std::set<std::string> commands() const {
    std::set<std::string> all(kMorePictures.begin(), kMorePictures.end());
    const std::filesystem::path golden(ROPE_GOLDEN_DIR);
    for (const auto& entry : std::filesystem::directory_iterator(golden / "../../../data/claims")) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      std::ostringstream text;
      text << file.rdbuf();
      const io::Json article = io::parse_json(text.str(), entry.path().string());
      for (const io::Json& row : article.at("claims"))
        if (row.contains("picture")) all.insert(row.at("picture").get<std::string>());
    }
    for (const std::string name : {"rotate", "matrix", "score", "decay", "wavelengths", "precision",
                                   "inspect", "extend", "compare", "attention"})
      for (const std::string& line : lines_of(rope({name, "--help"}).out))
        if (line.starts_with("  rope " + name)) all.insert(line.substr(2));
    return all;
  }

  /// Runs a line of shell on a machine with a font for every character. Whether this one has a
  /// Chinese font does not matter: the words that are looked at stand in a script of gnuplot.
  Outcome with_every_font(const std::string& line) const {
    return shell("PATH=" + fake_program("fc-list", "echo 'False 20-2ffff'") + ":$PATH; " + line);
  }

  /// The script of a command's picture, whatever the command writes otherwise.
  Outcome script_of(std::string command) const {
    for (const std::string option : {" -o ", " --format "})
      while (command.find(option) != std::string::npos) {
        const std::size_t at = command.find(option);
        command.erase(at, command.find(' ', at + option.size()) - at);
      }
    const std::size_t moves = command.find(" --animate");
    if (moves != std::string::npos)
      command.replace(moves, std::string_view(" --animate").size(), " --pairs 0");
    return with_every_font(command +
                           " --lang zh --size 8000x2500 --quiet -o picture.gp && cat picture.gp");
  }
};

TEST_F(ChinesePictures, HaveNoEnglishWord) {
  std::size_t seen = 0;
  for (const std::string& command : commands()) {
    const Outcome run = script_of(command);
    EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.err;
    const std::vector<std::string> texts = placed_texts(run.out);
    EXPECT_FALSE(texts.empty()) << command;
    seen += texts.size();
    for (const std::string& text : texts)
      EXPECT_EQ(english_words(text), std::vector<std::string>()) << command << "\n" << text;
  }
  EXPECT_GT(seen, 1000U);
}

TEST_F(ChinesePictures, StandBesideTheEnglishReportsOfCommandsThatHaveNoOther) {
  for (const std::string command :
       {"attention", "compare --details", "extend --from 2048 --to 8192 --details",
        "inspect llama-2 --details", "precision --max-position 100 --details"})
    EXPECT_EQ(with_every_font("rope " + command + " --lang zh -o zh.gp | sed s/zh.gp/en.gp/").out,
              with_every_font("rope " + command + " -o en.gp").out)
        << command;
}

TEST_F(ChinesePictures, OfADiagnosisHaveNoEnglishWord) {
  std::vector<double> x;
  for (int i = 0; i < 40 * 16; ++i) x.push_back((i * 7919 % 1000 - 500) / 500.0);
  write("x.npy", io::to_npy({40, 16}, std::span<const double>(x)));
  for (const std::string layout : {"interleaved", "half"}) {
    const Outcome run = with_every_font(
        "rope apply x.npy --start 0 --layout " + layout +
        " -o y.npy --quiet > report && rope diagnose --input x.npy --result y.npy --lang zh "
        "--size 4000x2000 --quiet -o picture.gp > report && cat picture.gp");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::vector<std::string> texts = placed_texts(run.out);
    EXPECT_EQ(texts.size(), 5U);
    for (const std::string& text : texts)
      EXPECT_EQ(english_words(text), std::vector<std::string>()) << text;
  }
}

TEST_F(ChinesePictures, AreToldFromHalfEnglishOnes) {
  EXPECT_EQ(english_words("上界 f(Δ)，head_dim 128，q·W_K p_n，e^{iθ}"),
            std::vector<std::string>());
  EXPECT_EQ(english_words("余弦均值 of 第 3 pair"), (std::vector<std::string>{"of", "pair"}));
  const Outcome run = shell("rope decay --quiet -o picture.gp && cat picture.gp");
  EXPECT_TRUE(std::ranges::any_of(
      placed_texts(run.out), [](const std::string& text) { return !english_words(text).empty(); }));
}

TEST_F(ChinesePictures, AreDrawnWhereAFontHasTheirCharacters) {
  const bool has_one = !shell("fc-list :charset=65cb family").out.empty();
  const Outcome run = rope({"wavelengths", "--lang", "zh", "-o", "w.png"});
  EXPECT_EQ(run.exit_code, has_one ? 0 : 3) << run.err;
  if (has_one) {
    EXPECT_TRUE(read("w.png").starts_with("\x89PNG"));
  } else {
    EXPECT_NE(run.err.find("Install the package fonts-noto-cjk"), std::string::npos) << run.err;
  }
}

TEST_F(ChinesePictures, WithoutAFontAreAMessage) {
  write("fonts.conf", "<?xml version=\"1.0\"?><fontconfig></fontconfig>");
  const Setting no_font = {{{"FONTCONFIG_FILE", path("fonts.conf")}}, {}, false, false};
  for (const std::string format : {"png", "pdf", "gp"}) {
    const Outcome run = rope({"wavelengths", "--lang", "zh", "-o", "w." + format}, no_font);
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_EQ(run.err,
              "rope wavelengths: no installed font has Chinese characters, such as 旋 (U+65CB)\n"
              "Install the package fonts-noto-cjk, or draw with --lang en.\n");
  }
  EXPECT_EQ(files(), std::vector<std::string>{"fonts.conf"});
  EXPECT_EQ(rope({"wavelengths", "-o", "w.gp"}, no_font).exit_code, 0);
  const Outcome title = rope({"wavelengths", "--title", "波长", "-o", "t.png"}, no_font);
  EXPECT_EQ(title.exit_code, 0);
  EXPECT_NE(
      flowing(title.err).find("no installed font has 波 (U+6CE2), 长 (U+957F); drawn as \uFFFD; "
                              "install a font that has them, for example fonts-noto-cjk"),
      std::string::npos)
      << title.err;
}

TEST_F(ChinesePictures, KeepTheTitleThatIsGiven) {
  ASSERT_EQ(rope({"decay", "--lang", "zh", "--title", "mean cosine", "-o", "d.svg"}).exit_code, 0);
  const std::string svg = read("d.svg");
  EXPECT_NE(svg.find("<title>mean cosine</title>"), std::string::npos);
  EXPECT_NE(svg.find("余弦均值"), std::string::npos);
  EXPECT_NE(svg.find("xml:lang=\"zh-CN\""), std::string::npos);
}

TEST_F(ChinesePictures, AreDrawnOfStatementsInTheLanguageOfTheReport) {
  ASSERT_EQ(rope({"claims", "S0-35", "--lang", "zh", "-o", "c.svg"}).exit_code, 0);
  EXPECT_NE(read("c.svg").find("波长"), std::string::npos);
  ASSERT_EQ(rope({"claims", "S0-35", "-o", "c.svg"}).exit_code, 0);
  EXPECT_EQ(read("c.svg").find("波长"), std::string::npos);
}

TEST_F(ChinesePictures, StandInATerminalThatHasTheirCharacters) {
  const std::vector<std::string> show = {"decay", "--distances", "0:64", "--lang", "zh", "--show"};
  EXPECT_NE(rope(show).out.find("余弦均值"), std::string::npos);
  const Outcome plain = rope(show, {{{"LC_ALL", "C"}}, {}, false, false});
  EXPECT_EQ(plain.out.find("??"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("mean cosine"), std::string::npos);
}

}  // namespace
}  // namespace rope::test
