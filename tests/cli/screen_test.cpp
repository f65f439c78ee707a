// What stands on a screen of 24 lines and 80 columns: every kind of layers of every preset, side by
// side; more with --details.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/model/presets.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

constexpr std::ptrdiff_t kLines = 24;
constexpr std::size_t kColumns = 80;

class ScreenTest : public CliTest {
 protected:
  /// What a command says of a preset, without the files that it wrote.
  std::string report(Words arguments) {
    arguments.insert(arguments.end(), {"-o", "x.csv"});
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string text;
    for (const std::string& line : lines_of(run.out))
      if (!line.starts_with("wrote ") && !line.starts_with("replaced ")) text += line + "\n";
    return text;
  }

  static void expect_a_screen(const std::string& text) {
    EXPECT_LE(std::ranges::count(text, '\n'), kLines) << text;
    for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), kColumns) << line;
  }
};

TEST_F(ScreenTest, HoldsEveryPlainCommandWithTheFilesItWrites) {
  for (const char* command : {"rotate", "matrix", "verify", "decay", "wavelengths", "score",
                              "compare", "attention", "extend", "precision", "claims", "lesson"}) {
    const Outcome run = rope({command});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    expect_a_screen(run.out);
  }
}

TEST_F(ScreenTest, HoldsEveryPreset) {
  for (const std::string_view preset : preset_names()) {
    const std::string name(preset);
    expect_a_screen(report({"inspect", name}));
    const ModelRope model = preset_model(name);
    if (std::ranges::none_of(model.layers, &LayerRope::rotates)) continue;
    expect_a_screen(report({"wavelengths", "--model", name}));
    if (model.layers.size() > 1) expect_a_screen(report({"decay", "--model", name}));
  }
}

TEST_F(ScreenTest, HoldsEveryKindOfLayersInOneTable) {
  const std::string both = flowing(report({"wavelengths", "--model", "gemma-3-27b"}));
  EXPECT_NE(both.find("λ_i sliding_attention"), std::string::npos) << both;
  EXPECT_NE(both.find("λ_i full_attention"), std::string::npos) << both;
  EXPECT_NE(both.find("--details shows θ_i and every pair of each kind."), std::string::npos)
      << both;
  // Where the second kind alone has pairs that never complete a turn, its rows are there as well.
  const std::string second = report({"wavelengths", "--model", "deepseek-v4"});
  EXPECT_NE(second.find("pairs 25 … 31"), std::string::npos) << second;
  EXPECT_NE(second.find("\n    25  "), std::string::npos) << second;
  const std::string cosines = flowing(report({"decay", "--model", "gemma-3-27b"}));
  EXPECT_NE(cosines.find("mean cosine, sliding_attention"), std::string::npos) << cosines;
  EXPECT_NE(cosines.find("mean cosine, full_attention"), std::string::npos) << cosines;
  EXPECT_NE(cosines.find("first negative at distance 1707, beyond its window of 1024 tokens"),
            std::string::npos)
      << cosines;
  EXPECT_NE(both.find("28 of 64 pairs never complete a turn within 1024 tokens"), std::string::npos)
      << both;
  const std::string inspected = flowing(report({"inspect", "gemma-3-27b"}));
  EXPECT_NE(inspected.find("λ_i sliding_attention"), std::string::npos) << inspected;
}

TEST_F(ScreenTest, ShowsEveryPairAndDistanceOfAKindWithDetails) {
  const auto lines = [&](const Words& arguments) {
    return std::ranges::count(report(arguments), '\n');
  };
  for (const Words& arguments :
       {Words{"wavelengths", "--model", "gemma-3-27b"}, Words{"inspect", "gemma-3-27b"}}) {
    Words details = arguments;
    details.emplace_back("--details");
    EXPECT_GE(lines(details), 2 * 64) << arguments.front();
  }
  const std::string decay = report({"decay", "--model", "gemma-3-27b", "--details"});
  EXPECT_NE(decay.find("f(Δ)"), std::string::npos) << decay;
}

TEST_F(ScreenTest, NamesTheFirstNegativeOfEveryKind) {
  Words arguments = {"decay",          "--model", "gemma-3-27b", "--distances", "0:3000",
                     "--random-pairs", "0",       "-o",          "x.csv"};
  const std::string text = rope(arguments).out;
  arguments.emplace_back("--json");
  const io::Json document = io::parse_json(rope(arguments).out, "out");
  std::size_t found = 0;
  for (const io::Json& curve : document.at("curves")) {
    const auto cosines = curve.at("mean_cosine").get<std::vector<double>>();
    const auto negative = std::ranges::find_if(cosines, [](double value) { return value < 0; });
    if (negative == cosines.end()) continue;
    ++found;
    const std::string distance = " " + std::to_string(negative - cosines.begin()) + "  ";
    EXPECT_NE(text.find(distance), std::string::npos) << distance << text;
  }
  EXPECT_GE(found, 1U) << text;
}

}  // namespace
}  // namespace rope::test
