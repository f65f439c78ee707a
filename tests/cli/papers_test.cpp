// What goes into a paper: pictures with a size on paper, titles, tables of LaTeX, tidy csv files,
// and the distances of somebody else's figure.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class PapersTest : public CliTest {
 protected:
  void expect_refused(const Words& words, const std::string& message) {
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 2) << words.back();
    EXPECT_NE(flowing(run.err).find(message), std::string::npos) << run.err;
  }

  /// Runs a program on lines of its language; skips the test where it is not there.
  std::string said_by(const std::string& program, const std::string& script) {
    write("script", script);
    const Outcome run = shell(program + " script");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  bool has(const std::string& command) {
    return shell(command + " > /dev/null 2>&1").exit_code == 0;
  }
};

/// Four bytes of a PNG as a number.
std::uint32_t png_number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8U | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST_F(PapersTest, PicturesHaveTheSizeOnPaperThatIsAskedFor) {
  ASSERT_EQ(
      rope({"wavelengths", "--size", "3.5x2.2in", "-o", "a.pdf", "-o", "a.png", "-o", "a.svg"})
          .exit_code,
      0);
  const std::string pdf = read("a.pdf"), png = read("a.png"), svg = read("a.svg");
  EXPECT_NE(pdf.find("/MediaBox [ 0 0 252 15"), std::string::npos);  // 3.5 and 2.2 times 72
  EXPECT_EQ(png_number(png, 16), 1050U);                             // 300 pixels an inch
  EXPECT_EQ(png_number(png, 20), 660U);
  const std::size_t density = png.find("pHYs");
  ASSERT_NE(density, std::string::npos);
  EXPECT_EQ(png_number(png, density + 4), 11811U);  // 300/0.0254
  EXPECT_EQ(png_number(png, density + 8), 11811U);
  EXPECT_EQ(png.at(density + 12), '\x01');
  EXPECT_NE(svg.find("width=\"3.5in\" height=\"2.2in\""), std::string::npos) << svg.substr(0, 200);
  // So has a picture that another command draws.
  ASSERT_EQ(rope({"lesson", "3", "-q", "--size", "3.5x2.2in", "-o", "step.png"}).exit_code, 0);
  EXPECT_EQ(png_number(read("step.png"), 16), 1050U);
  // One without such a size says nothing of it.
  ASSERT_EQ(rope({"decay", "--size", "640x480", "-o", "b.png", "-o", "b.svg"}).exit_code, 0);
  EXPECT_EQ(read("b.png").find("pHYs"), std::string::npos);
  EXPECT_NE(read("b.svg").find("width=\"640\" height=\"480\""), std::string::npos);
}

TEST_F(PapersTest, MillimetresAndCentimetresAreUnderstood) {
  const std::array<std::pair<const char*, std::array<std::uint32_t, 2>>, 3> sizes = {
      {{"85x60mm", {1004, 709}}, {"8.5x6cm", {1004, 709}}, {"4 x 3 in", {1200, 900}}}};
  for (const auto& [size, pixels] : sizes) {
    ASSERT_EQ(rope({"wavelengths", "--size", size, "-o", "a.png"}).exit_code, 0) << size;
    EXPECT_EQ(png_number(read("a.png"), 16), pixels[0]) << size;
    EXPECT_EQ(png_number(read("a.png"), 20), pixels[1]) << size;
  }
}

/// The points that labels of a script have on paper: gnuplot counts 0.75 of one a pixel, a PNG has
/// 300 pixels an inch, and the font of the whole is 24 parts where a label is 23.3.
double label_points(const std::string& script) {
  const std::string font = "font 'Inter,";
  return std::stod(script.substr(script.find(font) + font.size())) / 0.75 * 23.3 / 24 * 72 / 300;
}

TEST_F(PapersTest, LabelsHaveSixToEightPointsOnPaper) {
  const auto points = [&](const char* command, const char* size) {
    EXPECT_EQ(rope({command, "--size", size, "-o", "a.gp"}).exit_code, 0);
    return label_points(read("a.gp"));
  };
  EXPECT_NEAR(points("wavelengths", "2x1.6in"), 6, 0.1);
  EXPECT_NEAR(points("decay", "3.5x2.6in"), 6, 0.1);
  EXPECT_NEAR(points("wavelengths", "7x5in"), 8, 0.01);
  EXPECT_NEAR(points("decay", "60x40cm"), 8, 0.01);
  const double between = points("wavelengths", "5x3in");
  EXPECT_GT(between, 6.1);
  EXPECT_LT(between, 7.9);
}

/// A text of a script, in points from the lower left corner of the picture: as little as it takes.
struct Placed {
  std::string text;
  double points = 0, left = 0, right = 0, bottom = 0, top = 0;
};

/// The texts that stand at a place of their own: all but the numbers along the axes.
std::vector<Placed> placed_texts(const std::string& script, double width, double height) {
  static const std::regex label(
      R"(set label '(.*)' at screen ([\d.]+),([\d.]+) (left|center|right)( rotate by 90)? font '[^,]+,([\d.]+)')");
  static const std::regex markup(R"([{}^_\\]|/Inter\S* )");
  std::vector<Placed> all;
  for (const std::string& line : lines_of(script)) {
    std::smatch found;
    if (!std::regex_search(line, found, label)) continue;
    const std::string words = std::regex_replace(found[1].str(), markup, "");
    Placed text{found[1], std::stod(found[6]) / 0.75 * 72 / 300};
    const double length = 0.35 * text.points * static_cast<double>(columns_of(words));
    const double thick = 0.6 * text.points;
    const double x = std::stod(found[2]) * width * 72, y = std::stod(found[3]) * height * 72;
    const double before = found[4] == "left" ? 0 : found[4] == "center" ? 0.5 : 1;
    const bool upright = found[5].matched;
    text.left = x - (upright ? thick / 2 : before * length);
    text.right = text.left + (upright ? thick : length);
    text.bottom = y - (upright ? before * length : thick / 2);
    text.top = text.bottom + (upright ? length : thick);
    all.push_back(std::move(text));
  }
  return all;
}

void expect_readable(const std::string& script, double width, double height,
                     const std::string& what) {
  const std::vector<Placed> texts = placed_texts(script, width, height);
  ASSERT_FALSE(texts.empty()) << what;
  const std::size_t ticks = script.find("set tics");
  const double number = std::stod(script.substr(script.find("Inter,", ticks) + 6)) * 0.32;
  EXPECT_GT(number, 5.99) << what;
  EXPECT_LT(number, 8.01) << what;
  for (const Placed& a : texts) {
    EXPECT_GT(a.points, 5.99) << what << ": " << a.text;
    EXPECT_LT(a.points, 8.01) << what << ": " << a.text;
    EXPECT_FALSE(a.text.ends_with("…")) << what << ": " << a.text;
    EXPECT_GT(std::min(a.left, a.bottom), 0) << what << ": " << a.text;
    EXPECT_LT(a.right, 72 * width) << what << ": " << a.text;
    EXPECT_LT(a.top, 72 * height) << what << ": " << a.text;
    for (const Placed* b = &a + 1; b != texts.data() + texts.size(); ++b)
      EXPECT_FALSE(a.left < b->right && b->left < a.right && a.bottom < b->top && b->bottom < a.top)
          << what << ": " << a.text << " lies on " << b->text;
  }
}

/// A picture of every command and view that draws one, or the size that the program asks for.
TEST_F(PapersTest, EveryPictureIsReadableOnPaperOrItsSizeIsRefused) {
  const std::vector<Words> all = {
      {"decay"},
      {"decay", "--base", "10000", "--base", "500000", "--distances", "1:131072:log400"},
      {"extend"},
      {"extend", "--view", "fans"},
      {"precision"},
      {"precision", "--view", "pairs", "--policy", "float32"},
      {"wavelengths"},
      {"wavelengths", "--context", "4096", "--base", "500", "--base", "10000"},
      {"inspect", "llama-3.1-8b"},
      {"inspect", "gemma-3-27b"},
      {"score"},
      {"score", "--view", "curve"},
      {"score", "--view", "pairs"},
      {"score", "--view", "grid"},
      {"compare"},
      {"compare", "--encoding", "alibi"},
      {"attention"},
      {"attention", "--view", "values"},
      {"attention", "--view", "entropy"},
      {"rotate"},
      {"rotate", "--view", "clocks"},
      {"matrix", "--dim", "8"},
      {"rotate", "--primer", "euler"}};
  constexpr std::array<std::array<double, 2>, 2> kSizes = {{{3.3, 2.4}, {7, 3}}};
  std::size_t refused = 0;
  for (const Words& command : all)
    for (const auto& [wide, tall] : kSizes) {
      Words words = command;
      words.insert(words.end(), {"-q", "-o", "a.gp", "--size", fmt::format("{}x{}in", wide, tall)});
      const std::string what = fmt::format("{}", fmt::join(words, " "));
      double width = wide, height = tall;
      Outcome run = rope(words);
      if (run.exit_code == 2) {
        ++refused;
        static const std::regex remedy(R"(\nGive --size ([\d.]+)x([\d.]+)in)");
        std::smatch size;
        ASSERT_TRUE(std::regex_search(run.err, size, remedy)) << what << ": " << run.err;
        width = std::stod(size[1]);
        height = std::stod(size[2]);
        EXPECT_GE(width, wide);
        EXPECT_GE(height, tall);
        if (run.err.find("--title") != std::string::npos) {
          Words untitled = words;
          untitled.insert(untitled.end(), {"--title", ""});
          EXPECT_EQ(rope(untitled).exit_code, 0) << what << ": " << run.err;
        }
        words.back() = fmt::format("{}x{}in", width, height);
        run = rope(words);
      }
      ASSERT_EQ(run.exit_code, 0) << what << ": " << run.err;
      expect_readable(read("a.gp"), width, height, what);
    }
  EXPECT_GT(refused, 0U);
}

TEST_F(PapersTest, ASizeWithoutRoomForWordsWritesNothing) {
  expect_refused({"decay", "-o", "a.csv", "-o", "a.png", "--size", "2x1.5in"},
                 "where 3 panels with 6-point text have room, got 2x1.5in Give --size");
  EXPECT_TRUE(files().empty());
  Words many = {"wavelengths", "-o", "a.png", "--size", "3.5x2.2in"};
  for (int i = 0; i < 64; ++i) many.insert(many.end(), {"--base", std::to_string(500 + i)});
  expect_refused(many, "--size: expected at least ");
}

TEST_F(PapersTest, ASizeThatIsNoneIsRefused) {
  const std::string expected =
      "--size: expected WIDTHxHEIGHT in pixels, from 320x240 to 8000x8000, or on paper, from "
      "2x1.5in to 26x26in, got '";
  for (const char* size : {"3.5x2.2", "1x1in", "27x3in", "85mm", "x60mm", "85x60pt", "nanx60mm",
                           "-85x60mm", "1e9x2in", "640", "85mmx60mm", ""})
    expect_refused({"decay", "-o", "a.png", "--size", size}, expected + size);
  expect_refused({"decay", "-o", "a.png", "--size", "12"},
                 "For example --size 1600x1000, 3.5x2.2in or 85x60mm.");
}

TEST_F(PapersTest, ATitleStandsAloneAbovePanels) {
  ASSERT_EQ(rope({"decay", "-o", "usual.gp"}).exit_code, 0);
  EXPECT_NE(read("usual.gp").find("layout interleaved"), std::string::npos);
  ASSERT_EQ(rope({"decay", "--title", "Figure 3", "-o", "own.gp"}).exit_code, 0);
  EXPECT_NE(read("own.gp").find("Figure 3"), std::string::npos);
  for (const char* words : {"layout interleaved", "Decay with distance", "head_dim"})
    EXPECT_EQ(read("own.gp").find(words), std::string::npos) << words;
  ASSERT_EQ(rope({"extend", "--title", "", "-o", "none.gp"}).exit_code, 0);
  for (const char* words : {"layout interleaved", "tokens to"})
    EXPECT_EQ(read("none.gp").find(words), std::string::npos) << words;
}

TEST_F(PapersTest, TheLegendSaysWhichCurvesLieOnAnother) {
  ASSERT_EQ(rope({"decay", "--base", "10000", "--base", "10000.01", "--base", "500", "-o", "a.gp"})
                .exit_code,
            0);
  const std::string script = read("a.gp");
  EXPECT_NE(script.find("base=10000.01 (lies on base=10000)"), std::string::npos)
      << script.substr(0, 3000);
  EXPECT_EQ(script.find("base=500 (lies"), std::string::npos);
  ASSERT_EQ(rope({"decay", "--base", "10000", "--base", "10000.01", "--lang", "zh", "-o", "zh.gp"})
                .exit_code,
            0);
  EXPECT_NE(read("zh.gp").find("（与 底数 10000 重合）"), std::string::npos);
}

TEST_F(PapersTest, TablesOfLatexAreFloatsWithoutHints) {
  for (const Words& words : {Words{"decay"},
                             {"extend"},
                             {"precision"},
                             {"compare"},
                             {"verify"},
                             {"wavelengths"},
                             {"score", "--view", "curve"},
                             {"decay", "--model", "gemma-3-27b"},
                             {"inspect", "llama-3.1-8b"}}) {
    Words line = words;
    line.insert(line.end(), {"-o", "a.tex"});
    ASSERT_EQ(rope(line).exit_code, 0) << words[0];
    const std::string tex = read("a.tex");
    for (const char* hint : {"-{}-details", "-{}-json", "-{}-view", "-{}-engine"})
      EXPECT_EQ(tex.find(hint), std::string::npos) << words[0] << hint;
    EXPECT_NE(tex.find("\\begin{table}[htbp]\n\\centering\n\\caption["), std::string::npos) << tex;
    EXPECT_NE(tex.find("\\label{tab:rope-" + words[0] + "}\n"), std::string::npos) << tex;
  }
}

TEST_F(PapersTest, CaptionsSayWhatTheTablesHoldAndOfWhat) {
  for (const auto& [command, caption] : std::vector<std::pair<std::string, std::string>>{
           {"decay",
            "[Decay with distance]{Decay with distance: head\\_dim 128, base 10000, layout "
            "interleaved}"},
           {"attention",
            "[Attention weights of each query]{Attention weights of each query: RoPE}"},
           {"wavelengths", "[Frequencies of the pairs]{Frequencies of the pairs: head\\_dim 128,"},
           {"score",
            "[Both sides of the score]{Both sides of the score. The score of q at m = 5"}}) {
    ASSERT_EQ(rope({command, "-o", "a.tex"}).exit_code, 0);
    EXPECT_NE(read("a.tex").find("\\caption" + caption), std::string::npos) << read("a.tex");
  }
  ASSERT_EQ(rope({"decay", "--base", "10000", "--base", "500000", "-o", "b.tex"}).exit_code, 0);
  EXPECT_NE(read("b.tex").find("\\label{tab:rope-decay}\n"), std::string::npos);
  EXPECT_NE(read("b.tex").find("\\label{tab:rope-decay-2}\n"), std::string::npos);
}

TEST_F(PapersTest, TidyFilesHoldTheNumbersOfTheWideOnes) {
  const Words decay = {"decay", "--base", "10000", "--base", "500000", "--distances", "0,1,5"};
  Words wide = decay, tidy = decay;
  wide.insert(wide.end(), {"-o", "wide.csv"});
  tidy.insert(tidy.end(), {"--tidy", "-o", "tidy.csv"});
  ASSERT_EQ(rope(wide).exit_code, 0);
  ASSERT_EQ(rope(tidy).exit_code, 0);
  const Words lines = lines_of(read("tidy.csv"));
  ASSERT_EQ(lines.size(), 7U) << read("tidy.csv");
  EXPECT_EQ(lines[0], "curve,distance,bound,mean_cosine,log_law,random_mean,random_deviation");
  EXPECT_TRUE(lines[1].starts_with("base=10000,0,32.5,1,,")) << lines[1];
  EXPECT_TRUE(lines[6].starts_with("base=500000,5,")) << lines[6];
  const std::string cell = lines[6].substr(14, lines[6].find(',', 14) - 14);  // its bound
  EXPECT_NE(read("wide.csv").find("," + cell + ","), std::string::npos) << cell;
}

TEST_F(PapersTest, EveryCommandWithCurvesIsTidy) {
  const std::array<std::pair<Words, std::string>, 7> all = {
      {{{"decay"}, "curve,distance,bound,"},
       {{"extend"}, "curve,pair,theta,reach,unseen\n"},
       {{"precision", "--policy", "float32,bfloat16-table"}, "curve,position,"},
       {{"wavelengths", "--base", "10000", "--base", "500000"}, "curve,pair,theta,"},
       {{"compare"}, "curve,distance,added,added_shifted\n"},
       {{"inspect", "gemma-3-27b"}, "curve,pair,"},
       {{"score", "--view", "curve"}, "curve,distance,score,cosine\n"}}};
  for (const auto& [words, header] : all) {
    Words line = words;
    line.insert(line.end(), {"--tidy", "-o", "a.csv"});
    ASSERT_EQ(rope(line).exit_code, 0) << words[0];
    EXPECT_TRUE(read("a.csv").starts_with(header)) << words[0] << read("a.csv").substr(0, 200);
    EXPECT_EQ(lines_of(read("a.csv"))[0].find('['), std::string::npos) << words[0];
  }
  // What nobody named is replaced by what is tidy, and the other way round.
  ASSERT_EQ(rope({"wavelengths"}).exit_code, 0);
  ASSERT_EQ(rope({"wavelengths", "--tidy"}).exit_code, 0);
  EXPECT_TRUE(read("wavelengths.csv").starts_with("curve,pair,"));
  ASSERT_EQ(rope({"wavelengths"}).err, "");
  EXPECT_TRUE(read("wavelengths.csv").starts_with("pair,"));
  expect_refused({"decay", "--tidy", "--json"}, "--tidy: expected a csv file with it, got none");
  expect_refused({"score", "--tidy", "-o", "a.csv"}, "--tidy: expected --view curve with it");
}

constexpr const char* kPython = R"(
import csv, math
rows = list(csv.DictReader(open('tidy.csv')))
try:
    import pandas
    frame = pandas.read_csv('tidy.csv')
    assert len(frame) == len(rows) and frame['mean_cosine'].dtype == float
    means = frame.groupby('curve')['mean_cosine'].mean().to_dict()
    reader = 'pandas'
except ImportError:
    means = {}
    for row in rows:
        means.setdefault(row['curve'], []).append(float(row['mean_cosine']))
    means = {curve: sum(all) / len(all) for curve, all in means.items()}
    reader = 'csv'
for curve, base in ('base=10000', 1e4), ('base=500000', 5e5):
    right = sum(math.cos(d * base ** (-2 * k / 128)) for d in range(257) for k in range(64))
    assert abs(means[curve] - right / 64 / 257) < 1e-12, (curve, means[curve])
print(reader, len(rows), sorted(means))
)";

TEST_F(PapersTest, PythonReadsTidyFiles) {
  if (!has("python3 -c 1")) GTEST_SKIP() << "no python3 on this machine";
  ASSERT_EQ(
      rope({"decay", "--base", "10000", "--base", "500000", "--tidy", "-o", "tidy.csv"}).exit_code,
      0);
  const std::string said = said_by("python3", kPython);
  EXPECT_TRUE(said == "pandas 514 ['base=10000', 'base=500000']\n" ||
              said == "csv 514 ['base=10000', 'base=500000']\n")
      << said;
}

TEST_F(PapersTest, RReadsTidyFiles) {
  if (!has("Rscript --version")) GTEST_SKIP() << "no Rscript on this machine";
  ASSERT_EQ(
      rope({"decay", "--base", "10000", "--base", "500000", "--tidy", "-o", "tidy.csv"}).exit_code,
      0);
  EXPECT_EQ(said_by("Rscript",
                    "t <- read.csv('tidy.csv')\n"
                    "stopifnot(is.numeric(t$mean_cosine), is.numeric(t$distance))\n"
                    "cat(nrow(t), nlevels(factor(t$curve)), '\\n')\n"),
            "514 2 \n");
}

/// The article's function of its figure: |S_1| + … + |S_64| over 64, S_j the sum of the first j
/// terms e^{imθ_i}, at numpy.linspace(0, 256, 1000).
double article_bound(double m) {
  double sum = 0, real = 0, imaginary = 0;
  for (int k = 0; k < 64; ++k) {
    const double angle = m * std::pow(10000.0, -2.0 * k / 128);
    real += std::cos(angle);
    imaginary += std::sin(angle);
    sum += std::hypot(real, imaginary);
  }
  return sum / 64;
}

TEST_F(PapersTest, DistancesMayBeThoseOfAFigureBetweenWholeTokens) {
  ASSERT_EQ(rope({"decay", "--distances", "0:256:lin1000", "-o", "a.csv"}).exit_code, 0);
  const Words lines = lines_of(read("a.csv"));
  ASSERT_EQ(lines.size(), 1001U);
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::string& line = lines[i + 1];
    std::size_t end = 0;
    const double distance = std::stod(line, &end);
    const double bound = std::stod(line.substr(end + 1));
    const double m = static_cast<double>(i) * (256.0 / 999);  // as NumPy does it
    EXPECT_NEAR(distance, i == 999 ? 256 : m, 1e-13) << i;
    EXPECT_NEAR(bound, article_bound(m), 1e-12) << i;
  }
}

TEST_F(PapersTest, WholeDistancesStayWholeHoweverTheyAreWritten) {
  ASSERT_EQ(rope({"decay", "--distances", "0:256:lin257", "-o", "a.csv"}).exit_code, 0);
  ASSERT_EQ(rope({"decay", "--distances", "0:256", "-o", "b.csv"}).exit_code, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  const Outcome half = rope({"decay", "--distances", "-1:1:lin5", "-o", "c.csv"});
  EXPECT_NE(flowing(half.out).find("from 0.97 at distance -1 to"), std::string::npos) << half.out;
  EXPECT_TRUE(lines_of(read("c.csv"))[2].starts_with("-0.5,")) << read("c.csv");
  const Outcome fine = rope({"decay", "--distances", "1:4096:lin100", "-o", "d.csv"});
  EXPECT_NE(
      flowing(fine.out).find("of whole distances, first negative at 1707, which no row shows"),
      std::string::npos)
      << "a row between shows a negative one before: " << fine.out;
}

TEST_F(PapersTest, DistancesThatCannotBeAreRefused) {
  const auto refused = [&](const char* list, const std::string& message) {
    expect_refused({"decay", "--distances", list, "-o", "a.csv"}, message);
  };
  refused("256:0:lin10", "--distances: expected A < B in A:B:linN, both within ±");
  refused("0:256:lin1", "--distances: expected at least 2 values in A:B:linN, got 1");
  refused("0.5,1.5", "--distances: expected integers or A:B:linN, got '0.5,1.5'");
  refused("0:256:linx", "--distances: expected an integer, got 'x' in '0:256:linx'");
  refused("0:9007199254740992:lin3", "--distances: expected A < B in A:B:linN, both within ±");
  refused("0:1:lin99999999", "--distances: expected at most 33554432 values");
  expect_refused({"decay", "--map", "--axes", "32,32", "--distances", "0:4:lin9"},
                 "--distances: expected integer distances with --map");
  expect_refused({"decay", "--frequencies", "7,1", "--distances", "0:4:lin9", "-o", "a.csv"},
                 "--distances: expected frequencies below 2π for distances between whole tokens");
}

TEST_F(PapersTest, ExtendsToMillionsOfTokens) {
  for (const char* length : {"1M", "2M", "16M"})
    ASSERT_EQ(rope({"extend", "--to", length, "-o", "a.csv", "-o", "a.json"}).exit_code, 0)
        << length;
}

}  // namespace
}  // namespace rope::test
