// Positions on several axes, as a user types them.

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class AxesTest : public CliTest {
 protected:
  io::Json document(Words words, int exit_code = 0) const {
    words.emplace_back("--json");
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    return io::parse_json(run.out, "standard output");
  }

  /// Runs rope, which must refuse what it was given.
  void refused(const Words& words, const std::string& message, const std::string& remedy) const {
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(flowing(run.err).find(message), std::string::npos) << run.err;
    EXPECT_NE(flowing(run.err).find(remedy), std::string::npos) << run.err;
  }

  void write_integers(const std::string& name, const io::Shape& shape,
                      const std::vector<std::int64_t>& values) const {
    write(name, io::to_npy(shape, values));
  }
};

/// x of `tokens` vectors of 1, 2, 3 …, turned by the formula: angle(token, pair), half layout.
template <typename Angle>
std::vector<double> turned(std::size_t tokens, std::size_t pairs, Angle angle) {
  std::vector<double> y(tokens * 2 * pairs);
  for (std::size_t token = 0; token < tokens; ++token)
    for (std::size_t k = 0; k < pairs; ++k) {
      const std::size_t at = token * 2 * pairs + k;
      const double first = 1 + static_cast<double>(at), second = first + static_cast<double>(pairs);
      const double phi = angle(token, k);
      y[at] = first * std::cos(phi) - second * std::sin(phi);
      y[at + pairs] = first * std::sin(phi) + second * std::cos(phi);
    }
  return y;
}

std::vector<double> counting(std::size_t count) {
  std::vector<double> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = 1 + static_cast<double>(i);
  return x;
}

TEST_F(AxesTest, ApplyTurnsEachPairByThePositionOnItsAxis) {
  write("x.npy", io::to_npy({5, 8}, counting(40)));
  const std::vector<std::int64_t> places = {0, 3, 7, 1, 0, 2, 9, 9, 9, 4, 5, 6, 2, 0, 1};
  write_integers("tokens.npy", {5, 3}, places);
  std::vector<std::int64_t> by_axis(15);
  for (std::size_t i = 0; i < 15; ++i) by_axis[i % 3 * 5 + i / 3] = places[i];
  write_integers("axes.npy", {3, 5}, by_axis);
  write_integers("batch.npy", {3, 1, 5}, by_axis);
  const std::array<std::size_t, 4> axis = {0, 1, 1, 2};
  const std::vector<double> expected = turned(5, 4, [&](std::size_t token, std::size_t k) {
    return static_cast<double>(places[token * 3 + axis[k]]) *
           std::pow(10000.0, -static_cast<double>(k) / 4);
  });
  for (const char* file : {"tokens.npy", "axes.npy", "batch.npy"}) {
    const Outcome run = rope({"apply", "x.npy", "--layout", "half", "--sections", "1,2,1",
                              "--axis-positions", file, "-o", "y.npy"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::vector<double> y = io::npy_tensor(read("y.npy"), "y").doubles();
    ASSERT_EQ(y.size(), 40U);
    // Angles of up to 9 rad within 2 ulp, cos and sin, two products and a sum.
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_LE(std::abs(y[i] - expected[i]), (18 + 4) * 0x1p-52 * 90) << file << " " << i;
  }
}

TEST_F(AxesTest, ApplyRefusesPositionsThatItWouldHaveToGuess) {
  write("x.npy", io::to_npy({3, 8}, counting(24)));
  write_integers("p.npy", {3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  const Words apply = {"apply", "x.npy", "--sections", "1,2,1", "--axis-positions", "p.npy"};
  refused(apply, "--axis-order for positions that fit 3 tokens in either order", "axes-first");
  Words said = apply;
  said.insert(said.end(), {"--axis-order", "axes-first", "-o", "y.npy"});
  EXPECT_EQ(rope(said).exit_code, 0);
  refused({"apply", "x.npy", "--axis-positions", "p.npy", "--axis-order", "axes-first"},
          "--axis-positions: expected an embedding with several axes, got", "--sections or --axes");
  refused({"apply", "x.npy", "--axes", "4,4", "--axis-positions", "p.npy", "--axis-order",
           "axes-first"},
          "--axis-positions: expected positions on 2 axes (height, width), as the embedding has, "
          "got 3 axes",
          "section of 0");
  write("f.npy", io::to_npy({3, 3}, counting(9)));
  refused({"apply", "x.npy", "--sections", "1,2,1", "--axis-positions", "f.npy"},
          "expected an array of integers", "astype");
  refused({"apply", "x.npy", "--sections", "1,2,1", "--axis-positions", "p.npy", "--start", "3"},
          "each sets the positions of the tokens", "");
}

TEST_F(AxesTest, VerifyJudgesOutputsAtThePositionsOnTheirAxes) {
  write("x.npy", io::to_npy({5, 8}, counting(40)));
  write_integers("p.npy", {5, 2}, {0, 3, 1, 0, 2, 9, 9, 4, 5, 6});
  write_integers("wrong.npy", {5, 2}, {3, 0, 0, 1, 9, 2, 4, 9, 6, 5});
  ASSERT_EQ(rope({"apply", "x.npy", "--axes", "4,4", "--axis-positions", "p.npy", "-o", "y.npy"})
                .exit_code,
            0);
  const Words verify = {"verify", "--input", "x.npy",    "--result", "y.npy",
                        "--axes", "4,4",     "--policy", "float64",  "--axis-positions"};
  Words right = verify, wrong = verify;
  right.emplace_back("p.npy");
  wrong.emplace_back("wrong.npy");
  EXPECT_EQ(document(right).at("verdict"), "pass");
  EXPECT_EQ(document(wrong, 1).at("verdict"), "fail");
}

TEST_F(AxesTest, VerifyChecksTheIdentityAndAShiftAlongEachAxis) {
  const io::Json report =
      document({"verify", "--sections", "2,3,3", "--dim", "16", "--trials", "200"});
  const io::Json& axes = report.at("axes");
  EXPECT_EQ(axes.at("cases"), 200);
  EXPECT_EQ(axes.at("violations"), 0);
  EXPECT_EQ(axes.at("shift_violations"), 0);
  EXPECT_EQ(axes.at("shift").size(), 3U);
  ASSERT_EQ(axes.at("mistakes").size(), 5U);
  for (const io::Json& mistake : axes.at("mistakes")) EXPECT_EQ(mistake.at("caught"), true);
  EXPECT_FALSE(document({"verify", "--dim", "16", "--trials", "50"}).contains("axes"));
}

TEST_F(AxesTest, WhatCannotBeIsRefused) {
  refused({"wavelengths", "--sections", "16,24,23"},
          "--sections: expected 2 to 4 numbers of pairs that add up to 64, got 16 + 24 + 23",
          "16,24,24 for 64 pairs");
  refused({"wavelengths", "--sections", "64"}, "--sections: expected 2 to 4 numbers", "");
  refused({"wavelengths", "--sections", "16,24,24:sorted"},
          "--sections: expected interleaved or time-last after the colon, got 'sorted'",
          "24,20,20:interleaved");
  refused({"wavelengths", "--axes", "15,17"}, "--axes: expected", "");
  refused({"wavelengths", "--axes", "32,64:dealt"}, "--axes: expected", "");
  refused({"wavelengths", "--axes", "16,56,56", "--scaling", "linear:factor=2"}, "--axes",
          "--sections");
  refused({"wavelengths", "--axes", "16,56,56", "--model", "llama-3.1-8b"}, "--axes",
          "leave --axes out");
  refused({"wavelengths", "--axes", "16,56,56", "--sections", "1,2"}, "--sections", "");
  refused({"extend", "--axes", "16,56,56"},
          "--axes: expected one series of frequencies over all pairs, got one for each of 3 axes",
          "--sections");
  write("x.npy", io::to_npy({3, 8}, counting(24)));
  write_integers("p.npy", {3, 3}, {0, 0, 0, 1, 1, 2, 1, 2, 1});
  refused({"diagnose", "x.npy", "x.npy", "--axis-positions", "p.npy"},
          "--axis-positions: p.npy: expected --axis-order for positions that fit 3 tokens in "
          "either order",
          "tokens-first");
  write("rows.npy", io::to_npy({1, 3, 5, 8}, counting(120)));
  for (const char* command : {"diagnose", "verify"})
    refused({command, "rows.npy", "rows.npy", "--sections", "1,2,1", "--axis-positions", "p.npy"},
            "expected --axis-order for positions that fit 3 tokens in either order",
            "tokens-first");
  write_integers("p.npy", {5, 3}, std::vector<std::int64_t>(15));
  refused({"diagnose", "x.npy", "x.npy", "--axis-positions", "p.npy"},
          "expected positions for 3 tokens on 2 to 4 axes, found shape (5, 3)", "[axes, tokens]");
  refused({"diagnose", "--cos", "x.npy", "--sin", "x.npy", "--axis-positions", "p.npy"},
          "expected positions for 3 tokens on 2 to 4 axes, found shape (5, 3)", "[axes, tokens]");
  refused({"decay", "--map"}, "--map: expected an embedding with several axes", "--axes 32,32");
}

TEST_F(AxesTest, EmbeddingsSayWhichPairTurnsByWhichAxis) {
  const io::Json flux = document({"wavelengths", "--axes", "4,6,6"}).at("rotary");
  EXPECT_EQ(flux.at("head_dim"), 16);
  EXPECT_EQ(flux.at("axes").at("names"), (Words{"time", "height", "width"}));
  EXPECT_EQ(flux.at("axes").at("of_pair"), (std::vector<int>{0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(flux.at("axes").at("own_series"), true);
  ASSERT_EQ(rope({"wavelengths", "--axes", "4,6,6", "-o", "w.csv"}).exit_code, 0);
  EXPECT_EQ(lines_of(read("w.csv")).front(), "pair,theta,wavelength,turns,axis");
}

// An image of 3 × 4 patches in a text, turned by the formula of Qwen2-VL.
TEST_F(AxesTest, DiagnoseFindsTheSectionsOfAnImage) {
  constexpr std::size_t kTokens = 18;
  std::array<std::vector<std::int64_t>, 3> places;
  for (std::int64_t t = 0; t < 18; ++t) {
    const bool image = t >= 3 && t < 15;
    const std::int64_t text = t < 3 ? t : t - 15 + 7;
    places[0].push_back(image ? 3 : text);
    places[1].push_back(image ? 3 + (t - 3) / 4 : text);
    places[2].push_back(image ? 3 + (t - 3) % 4 : text);
  }
  const auto axis_of = [](std::size_t k) { return k < 16 ? 0U : k < 40 ? 1U : 2U; };
  write("x.npy", io::to_npy({kTokens, 128}, counting(kTokens * 128)));
  write("y.npy", io::to_npy({kTokens, 128}, turned(kTokens, 64, [&](std::size_t t, std::size_t k) {
                              return static_cast<double>(places[axis_of(k)][t]) *
                                     std::pow(1e6, -static_cast<double>(k) / 64);
                            })));
  std::vector<std::int64_t> by_axis, by_token;
  for (const std::vector<std::int64_t>& axis : places)
    by_axis.insert(by_axis.end(), axis.begin(), axis.end());
  for (std::size_t t = 0; t < kTokens; ++t)
    for (const std::vector<std::int64_t>& axis : places) by_token.push_back(axis[t]);
  write_integers("hf.npy", {3, 1, kTokens}, by_axis);
  write_integers("p.npy", {kTokens, 3}, by_token);

  for (const Words& given :
       {Words{}, Words{"--axis-positions", "hf.npy"}, Words{"--axis-positions", "p.npy"},
        Words{"--sections", "16,24,24", "--base", "1000000", "--layout", "half"}}) {
    Words words = {"diagnose", "x.npy", "y.npy"};
    words.insert(words.end(), given.begin(), given.end());
    const io::Json found = document(words);
    EXPECT_EQ(found.at("verdict"), "unique");
    const io::Json& e = found.at("explanations").at(0);
    EXPECT_EQ(e.at("base"), 1e6);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(e.at("axes").at(axis).at("positions"), places[axis]);
      EXPECT_EQ(e.at("axes").at(axis).at("pairs").size(), axis == 0 ? 16U : 24U);
    }
    const bool file = !given.empty() && given.front() == "--axis-positions";
    EXPECT_EQ(e.at("position_offset").is_null(), !file);
  }
  const Outcome stated = rope({"diagnose", "x.npy", "y.npy", "--sections", "16,24,24", "--base",
                               "1000000", "--layout", "half", "--axis-positions", "p.npy"});
  EXPECT_TRUE(
      flowing(stated.out)
          .starts_with("What you state fits: half layout (i, i+64), base 1000000, sections 16, 24, "
                       "24 by time, height, "
                       "width, positions as given, and nothing else does."))
      << stated.out;
  EXPECT_NE(stated.out.find("    height turns pairs 16 … 39: positions 0 to 9\n"),
            std::string::npos)
      << stated.out;
  const Outcome other =
      rope({"diagnose", "x.npy", "y.npy", "--base", "1000000", "--layout", "half"});
  EXPECT_NE(flowing(other.out).find("set \"mrope_section\": [16, 24, 24], "), std::string::npos)
      << other.out;
  ASSERT_EQ(rope({"diagnose", "x.npy", "y.npy", "-o", "e.csv"}).exit_code, 0);
  const std::vector<std::string> errors = lines_of(read("e.csv"));
  ASSERT_EQ(errors.size(), 1 + kTokens * 64);
  for (std::size_t i = 1; i < errors.size(); ++i)
    EXPECT_LT(std::stod(errors[i].substr(errors[i].rfind(',') + 1)), 1e-9) << errors[i];
}

TEST_F(AxesTest, VectorsThatFailAreNotTriedAlongAnotherAxisOfTokens) {
  write("x.npy", io::to_npy({5, 2, 16}, counting(5 * 2 * 16)));
  write_integers("p.npy", {5, 3}, {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 2, 2});
  const Outcome run = rope({"verify", "--input", "x.npy", "--result", "x.npy", "--sections",
                            "2,3,3", "--axis-positions", "p.npy"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_NE(run.out.find("FAIL"), std::string::npos) << run.out;
}

TEST_F(AxesTest, ADecayMapHoldsBothAxes) {
  const io::Json map = document({"decay", "--axes", "8,8", "--map", "--distances", "-2:2"});
  EXPECT_EQ(map.at("schema"), "rope.decay-map/1");
  EXPECT_EQ(map.at("rows"), "height");
  EXPECT_EQ(map.at("mean_cosine").at(2).at(2), 1);
  const double row = map.at("mean_cosine").at(2).at(3).get<double>();
  EXPECT_EQ(row, map.at("mean_cosine").at(1).at(2).get<double>());
  // (4 + Σ cos θ_j)/8 with θ = 1, 1/10, 1/100, 1/1000.
  EXPECT_LE(std::abs(row - (4 + std::cos(1) + std::cos(.1) + std::cos(.01) + std::cos(.001)) / 8),
            10 * 0x1p-53);
  ASSERT_EQ(
      rope({"decay", "--axes", "8,8", "--map", "-o", "m.csv", "--distances", "-1:1"}).exit_code, 0);
  EXPECT_EQ(lines_of(read("m.csv")).size(), 10U);
}

TEST_F(AxesTest, InspectReadsTheAxesOfAModelAndOfItsVision) {
  write("config.json", R"({"model_type": "qwen3_vl",
    "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 4096, "num_attention_heads": 32,
      "head_dim": 128, "max_position_embeddings": 262144, "rope_theta": 5000000,
      "rope_scaling": {"mrope_interleaved": true, "mrope_section": [24, 20, 20],
                       "rope_type": "default"}},
    "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1152, "num_heads": 16}})");
  const io::Json model = document({"inspect", "config.json"});
  EXPECT_EQ(model.at("axes").at("pairs"), (std::vector<int>{24, 20, 20}));
  EXPECT_EQ(model.at("vision").at("head_dim"), 72);
  EXPECT_TRUE(model.at("vision").at("context").is_null()) << "tokens of text";
  EXPECT_EQ(model.at("vision").at("axes").at("pairs"), (std::vector<int>{18, 18}));
  const std::string said = flowing(rope({"inspect", "config.json"}).out);
  EXPECT_NE(said.find("interleaved sections of 24 + 20 + 20 pairs (time, height, width)"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("Its vision part rotates 72 of the 72 dimensions"), std::string::npos)
      << said;
  // The axes of a model go where its other options go.
  EXPECT_EQ(
      document({"wavelengths", "--config", "config.json"}).at("rotary").at("axes").at("pairs"),
      (std::vector<int>{24, 20, 20}));
}

}  // namespace
}  // namespace rope::test
