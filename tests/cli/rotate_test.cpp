// `rope rotate`: what it says, draws and refuses.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"

namespace rope::test {
namespace {

using RotateTest = CliTest;

TEST_F(RotateTest, ThePairsOfAHeadTurnAsFastAsTheyDo) {
  const nlohmann::json all = nlohmann::json::parse(
      rope({"rotate", "--pairs", "0,20,63", "--positions", "0:8", "--json"}).out);
  EXPECT_EQ(all["schema"], "rope.rotate/1");
  ASSERT_EQ(all["pairs"].size(), 3U);
  ASSERT_EQ(all["arrows"].size(), 27U);
  const nlohmann::json& last = all["arrows"][24];
  EXPECT_EQ(last["position"], 8);
  EXPECT_NEAR(last["turns"].get<double>(), 8 / 6.283185307179586, 1e-15);
  EXPECT_NEAR(last["q_x"].get<double>(), -0.14550003380861354, 2e-16);  // cos 8
  EXPECT_NEAR(last["q_y"].get<double>(), 0.9893582466233818, 2e-16);
  EXPECT_FALSE(all.contains("key"));
}

TEST_F(RotateTest, AMistakeIsNamedWithItsSizeAndTheExitTellsThatTheProgramDidItsWork) {
  const Outcome run = rope({"rotate", "--distance", "-3", "--break", "sign"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(run.out.starts_with("FAIL, as expected with --break sign: over 200 random cases "))
      << run.out;
  EXPECT_NE(flowing(run.out).find("If q is turned by −m, k by n, the angle is off by up to"),
            std::string::npos)
      << run.out;
  const nlohmann::json all = nlohmann::json::parse(
      rope({"rotate", "--break", "off-by-one", "--pairs", "0", "--json"}).out);
  EXPECT_EQ(all["verdict"], "fail");
  EXPECT_EQ(all["mistake"], "off-by-one");
  EXPECT_NEAR(all["pairs"][0]["off_by"].get<double>(), 1, 1e-15);
  EXPECT_EQ(all["distance"], -3);
}

TEST_F(RotateTest, AMistakeIsAsLargeAsInThePairWhereItIsLargest) {
  const auto largest = [&](const char* mistake) {
    double off_by = 0;
    const nlohmann::json all = nlohmann::json::parse(
        rope({"rotate", "--break", mistake, "--pairs", "0:63", "--json"}).out);
    EXPECT_EQ(all["pairs"].size(), 64U);
    for (const nlohmann::json& pair : all["pairs"])
      off_by = std::max(off_by, pair["off_by"].get<double>());
    return off_by;
  };
  for (const char* mistake : {"base", "bfloat16"}) {
    const nlohmann::json few =
        nlohmann::json::parse(rope({"rotate", "--break", mistake, "--json"}).out);
    EXPECT_EQ(few["off_by"], largest(mistake));
    bool drawn = false;
    for (const nlohmann::json& pair : few["pairs"])
      drawn = drawn || pair["pair"] == few["off_by_pair"];
    EXPECT_TRUE(drawn) << mistake;
  }
  EXPECT_NE(flowing(rope({"rotate", "--break", "base"}).out)
                .find("the angle is off by up to 0.647 rad (worst case: pair 6 out of 64, m = 8)"),
            std::string::npos);
  const nlohmann::json asked = nlohmann::json::parse(
      rope({"rotate", "--break", "base", "--pairs", "0,31,63", "--json"}).out);
  EXPECT_EQ(asked["pairs"][1]["pair"], 31);
  EXPECT_EQ(asked["off_by_pair"], 6);
}

TEST_F(RotateTest, RoundingThatIsAllowedIsNotTakenForNoMistake) {
  const std::string said = flowing(rope({"rotate", "--break", "bfloat16"}).out);
  EXPECT_TRUE(said.starts_with("Rounding to bfloat16 is allowed ")) << said;
  EXPECT_NE(said.find("So the verdict is PASS: nothing is wrong except the precision."),
            std::string::npos);
  EXPECT_NE(said.find("If θ_i, m, mθ_i, cos, sin and the rotation are rounded to bfloat16"),
            std::string::npos);
  const std::string far =
      flowing(rope({"rotate", "--break", "bfloat16", "--positions", "1000,100000"}).out);
  EXPECT_TRUE(far.starts_with("Rounding to bfloat16 is allowed ")) << far;
  EXPECT_NE(far.find("so much that no conclusion follows"), std::string::npos) << far;
  EXPECT_NE(rope({"rotate", "--help"}).out.find("exit with status 0"), std::string::npos);
}

TEST_F(RotateTest, AMistakeThatDoesNotShowIsSaidNotToShow) {
  const std::string said = flowing(rope({"rotate", "--break", "sign", "--positions", "0"}).out);
  EXPECT_NE(said.find("no angle is off at m = 0: the mistake does not show there."),
            std::string::npos)
      << said;
  EXPECT_NE(
      flowing(rope({"rotate", "--break", "sign"}).out).find("Correctly rotated, q and k keep"),
      std::string::npos);
}

TEST_F(RotateTest, APairWithoutALengthHasNoAngle) {
  const std::vector<std::string> one = {"rotate", "--query", "1,0,0,0", "--distance", "-3"};
  const Outcome run = rope(one);
  EXPECT_NE(run.out.find("–\n"), std::string::npos) << run.out;
  EXPECT_NE(flowing(run.out).find("in the only pair with an angle"), std::string::npos) << run.out;
  std::vector<std::string> as_json = one;
  as_json.emplace_back("--json");
  const nlohmann::json pairs = nlohmann::json::parse(rope(as_json).out)["pairs"];
  EXPECT_EQ(pairs[0]["angle"], -3.0);
  EXPECT_TRUE(pairs[1]["angle"].is_null());
  EXPECT_TRUE(pairs[1]["change"].is_null());
  EXPECT_NE(flowing(rope({"rotate", "--query", "0,0", "--distance", "-3"}).out)
                .find("there is no angle from R_m q to R_n k"),
            std::string::npos);
}

TEST_F(RotateTest, AReportHas24LinesByDefault) {
  for (const char* mistake : {"sign", "pairing", "base", "bfloat16", "off-by-one"}) {
    const std::string said = rope({"rotate", "--view", "clocks", "--break", mistake}).out;
    EXPECT_LE(std::ranges::count(said, '\n'), 24) << said;
  }
}

TEST_F(RotateTest, ClocksThatStandStillTellThatTheyShowOnePosition) {
  const Outcome run = rope({"rotate", "--view", "clocks", "--positions", "0,5,100", "-o", "x.svg"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(flowing(run.err).find("shows only the last position, m = 100"), std::string::npos)
      << run.err;
  EXPECT_EQ(rope({"rotate", "--view", "clocks", "--positions", "5", "-o", "x.svg"}).err, "");
}

TEST_F(RotateTest, ThePrimerTellsOfEachNumberWhatItIs) {
  const auto said = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"rotate", "--primer"});
    return flowing(rope(options).out);
  };
  const auto expect = [](const std::string& text, const char* words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  // |S − e^{iθ}|, not ||S| − 1|.
  expect(said({"taylor"}), "the sum ends 2.94 away from e^{iθ};");
  expect(said({"euler", "--angle", "100"}), "But 256 steps are too few here");
  expect(said({"euler", "--angle", "100"}), "much larger than θ²/2 = 5000");
  expect(said({"euler"}), "In 256 steps, (1 + iθ/n)ⁿ comes within 0.00196 of that point.");
  expect(said({"product", "--z", "-3,0", "--w", "-2,-1e-3"}), "180° + (−179.971°) = 0.0286479°");
  expect(said({"quarter-turn", "--z", "-1,0"}), "turns −1 by 90° into −i;");
  for (const char* topic : {"argument", "product", "reflection", "space", "exponentials"})
    EXPECT_EQ(said({topic}).find(" -"), std::string::npos) << "one minus sign: " << said({topic});
  expect(rope({"rotate", "--primer"}).err, "argument, conjugate, quarter-turn");
}

TEST_F(RotateTest, ModelsTurnWithTheirOwnFrequencies) {
  const nlohmann::json all = nlohmann::json::parse(
      rope({"rotate", "--model", "llama-3.1-8b", "--pairs", "63", "--json"}).out);
  EXPECT_EQ(all["rotary"]["scaling"]["rule"], "llama3");
  EXPECT_NE(rope({"rotate", "--model", "llama-3.1-8b"}).out.find("llama-3.1-8b"),
            std::string::npos);
}

TEST_F(RotateTest, AnswersBadInputWithOneMessage) {
  const auto refused = [&](std::vector<std::string> options, const std::string& message) {
    options.insert(options.begin(), "rotate");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_NE(flowing(run.err).find(message), std::string::npos) << run.err;
    EXPECT_TRUE(files().empty());
  };
  refused({"--pairs", "64"}, "--pairs: expected pairs from 0 to 63, got '64'");
  refused({"--pairs=-1"}, "--pairs: expected pairs from 0 to 63, got '-1'");
  refused({"--query", "1,2,3"}, "--query: expected an even number of numbers, got 3");
  refused({"--query", "1,nan", "--dim", "2"}, "--query: expected");
  refused({"--break", "everything"},
          "--break: expected sign, pairing, base, bfloat16 or off-by-one");
  refused({"--positions", "1e300"}, "--positions");
  refused({"--positions", "0:100", "-o", "x.png"}, "at most 64 circles in one picture, got 303");
  refused({"--positions", "0:5000", "-o", "x.gif"}, "at most 1000 frames");
  refused({"-o", "x.gif", "-o", "x.svg"}, "at most 64 circles in one picture, got 183");
  refused({"--pairs", "0:63,0:3", "-o", "x.png"}, "--pairs: expected at most 64 circles");
  refused({"--animate", "-o", "x.svg"},
          "--animate: expected a file that can be animated, .png or .gif, got 'x.svg'");
  refused({"--break", "pairing", "--layout", "half", "--dim", "2"},
          "2 dimensions are one pair in either layout.");
  refused({"--break", "base", "--dim", "2"}, "Pair 0 turns equally fast with every base.");
  refused({"--pace", "1", "-o", "x.gif"}, "--pace: expected an integer from 10 to 60000");
}

TEST_F(RotateTest, SmallestHeadPositionZeroAndFarPositionsWork) {
  for (const char* positions : {"0", "-7", "9007199254740992", "0,0,0"}) {
    const Outcome run = rope({"rotate", "--dim", "2", "--positions", positions, "-o", "x.csv"});
    EXPECT_EQ(run.exit_code, 0) << positions << run.err;
    EXPECT_EQ(read("x.csv").find("nan"), std::string::npos) << positions;
  }
}

TEST_F(RotateTest, AnAnimationIsWrittenWholeAndTheSameTwice) {
  const std::vector<std::string> options = {"rotate",  "--positions", "0:2", "--size",
                                            "400x300", "--animate",   "-o",  "a.png",
                                            "-o",      "a.gif",       "-o",  "a.svg"};
  ASSERT_EQ(rope(options).exit_code, 0);
  const std::string png = read("a.png"), gif = read("a.gif");
  EXPECT_NE(png.find("acTL"), std::string::npos);
  EXPECT_EQ(gif.substr(0, 6), "GIF89a");
  ASSERT_EQ(rope(options).exit_code, 0);
  EXPECT_EQ(read("a.png"), png);
  EXPECT_EQ(read("a.gif"), gif);
  EXPECT_EQ(read("a.svg").find("acTL"), std::string::npos);
}

TEST_F(RotateTest, AnAnimationThatNoNameTellsOfHasItsPositionsToo) {
  const Outcome run = rope({"rotate", "--pairs", "0", "--size", "320x240", "--format", "gif",
                            "--positions", "0:1", "-o", "-"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.substr(0, 6), "GIF89a");
}

TEST_F(RotateTest, KeysGoThroughMorePositionsThanOnePictureHolds) {
  Setting setting;
  setting.terminal_columns = 80;
  setting.environment["TERM"] = "xterm";
  setting.keys = "\x1B[Fq";  // to the end
  const Outcome run = rope({"rotate", "--show", "--positions", "0:500"}, setting);
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("m = 500"), std::string::npos);
}

TEST_F(RotateTest, SaysWhichPackageDrawsAnAnimation) {
  Setting setting;
  setting.environment["PATH"] = fake_program("nothing", "exit 0");
  const Outcome run = rope({"rotate", "-o", "a.gif"}, setting);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("gnuplot-nox"), std::string::npos) << run.err;
  EXPECT_TRUE(files().empty());
}

TEST_F(RotateTest, KeysStepThroughThePositionsAndLeaveTheTerminalAsItWas) {
  Setting setting;
  setting.terminal_columns = 80;
  setting.environment["TERM"] = "xterm";
  setting.keys = "\x1B[C\x1B[C\x1B[Dq";
  const Outcome run = rope({"rotate", "--show", "--quiet"}, setting);
  EXPECT_EQ(run.exit_code, 0);
  const std::size_t other = run.out.find("\x1B[?1049h"), first = run.out.find("\x1B[?1049l");
  ASSERT_NE(other, std::string::npos);
  ASSERT_NE(first, std::string::npos);
  const std::string seen = run.out.substr(other, first - other), left = run.out.substr(first);
  for (const char* m : {"m = 0", "m = 1", "m = 2"}) EXPECT_NE(seen.find(m), std::string::npos) << m;
  EXPECT_EQ(seen.find("m = 3"), std::string::npos);
  EXPECT_NE(left.find("m = 1"), std::string::npos) << "the last frame stays visible";
  EXPECT_NE(seen.find("q quits"), std::string::npos);
}

TEST_F(RotateTest, WithoutATerminalThePictureStandsStill) {
  const Outcome run = rope({"rotate", "--positions", "0:3", "--show", "--pace", "20"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out.find('\x1B'), std::string::npos);
  for (const char* m : {"m = 0", "m = 3"}) EXPECT_NE(run.out.find(m), std::string::npos) << m;
}

}  // namespace
}  // namespace rope::test
