// rope verify --input X --result Y and --cos C --sin S.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"
#include "rope/model/presets.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/verify/certify.hpp"

namespace rope::test {
namespace {

using Names = std::vector<std::string>;

class VerifyOutputTest : public CliTest {
 protected:
  VerifyOutputTest() {
    std::vector<float> x(5 * 2 * 8);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7F * static_cast<float>(i));
    write("x.npy", io::to_npy({5, 2, 8}, std::span<const float>(x)));
  }

  /// Makes y.npy under a policy, at positions 100 … 104.
  void make(const std::string& policy, const Names& more = {}) const {
    Names arguments = {"apply", "x.npy", "--start", "100", "--policy", policy, "-o", "y.npy"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }

  Outcome judge(const Names& more) const {
    Names arguments = {"verify", "--input", "x.npy", "--result", "y.npy", "--start", "100"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rope(arguments);
  }

  std::string refusal(const Names& arguments) const {
    Names all = {"verify"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome run = rope(all);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    const std::string prefix = "rope verify: ";
    EXPECT_TRUE(run.err.starts_with(prefix)) << run.err;
    return run.err.substr(prefix.size(), run.err.find('\n') - prefix.size());
  }
};

TEST_F(VerifyOutputTest, AcceptsWhatThePolicyAllowsAndNothingWorse) {
  make("float32");
  EXPECT_EQ(judge({"--policy", "float32"}).exit_code, 0);
  EXPECT_EQ(judge({"--policy", "float64-angle"}).exit_code, 1);
  make("float64-angle");
  EXPECT_EQ(judge({"--policy", "float64-angle"}).exit_code, 0);
  EXPECT_EQ(judge({"--policy", "float32"}).exit_code, 0);
  // All but the cast to float32 was done in double.
  make("exact");
  const Outcome exact = judge({"--policy", "exact", "--details"});
  EXPECT_EQ(exact.exit_code, 0) << exact.out;
  EXPECT_NE(exact.out.find("the cast to the type of the files is allowed"), std::string::npos);
  EXPECT_TRUE(
      exact.out.starts_with("PASS: All 40 pairs are within what exact allows; the closest "))
      << exact.out;
}

TEST_F(VerifyOutputTest, NamesThePlaceThatBreaksTheBound) {
  make("float32", {"--layout", "half"});
  const Outcome run = judge({"--policy", "float32"});
  EXPECT_EQ(run.exit_code, 1);
  const std::string text = flowing(run.out);
  EXPECT_TRUE(text.starts_with(
      "FAIL: 40 of 40 pairs are beyond what float32 allows; the worst relative to its "
      "limit is vector "))
      << text;
  EXPECT_NE(text.find("The first is vector 0 at position 100, pair 0 (dimensions 0, 1): found ("),
            std::string::npos)
      << text;
  // They were made in the other layout, and what asks for their convention can be copied.
  EXPECT_NE(run.out.find("They would pass with --layout half."), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n  rope diagnose x.npy y.npy --start 100\n"), std::string::npos)
      << run.out;
  EXPECT_EQ(rope({"diagnose", "--input", "x.npy", "--result", "y.npy"}).exit_code, 0);
  EXPECT_EQ(judge({"--policy", "float32", "--base", "500"}).out.find("They would pass"),
            std::string::npos);
  const io::Json document = io::parse_json(judge({"--policy", "float32", "--json"}).out, "out");
  EXPECT_EQ(document.at("schema"), "rope.verify/2");
  EXPECT_EQ(document.at("verdict"), "fail");
  EXPECT_EQ(document.at("outputs").at("first_violation").at("pair"), 0);
  EXPECT_EQ(document.at("outputs").at("pairs").size(), 4U);
  EXPECT_TRUE(document.at("tables").is_null());
  const Outcome file = judge({"--policy", "float32", "-o", "r.csv"});
  EXPECT_EQ(file.exit_code, 1);
  // A row per pair, and one per range of tokens, heads and dimensions: all of each fail.
  EXPECT_EQ(io::parse_csv(read("r.csv"), "r").rows(), 4U + 3U);
}

TEST_F(VerifyOutputTest, FindsTheAxisOfTheTokens) {
  // [heads, tokens, head_dim], where [tokens, heads, head_dim] is tried first.
  make("float32", {"--token-axis", "1"});
  const Outcome run = judge({});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(run.out.find("tokens along axis 1"), std::string::npos) << run.out;
  EXPECT_NE(flowing(run.out).find("With tokens along axis 0, they would fail: set the right axis"),
            std::string::npos)
      << run.out;
  EXPECT_EQ(judge({"--token-axis", "1"}).exit_code, 0);
  EXPECT_EQ(judge({"--token-axis", "0"}).exit_code, 1) << "what is stated is judged";
  EXPECT_EQ(judge({"--base", "500"}).exit_code, 1);
  // Positions that only one axis has as many of, and those of each row of a batch.
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", "100,101"}).exit_code, 0);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", "100,101,102"}).exit_code, 2);
  make("float32");
  EXPECT_EQ(judge({}).out.find("With tokens along axis"), std::string::npos) << "the first fits";
}

/// Vectors of x.npy as [rows, heads, tokens, dim], each row at positions of its own.
TEST_F(VerifyOutputTest, FindsTheTokensOfFourAxes) {
  std::vector<float> x(2 * 3 * 4 * 8);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7F * static_cast<float>(i));
  write("x.npy", io::to_npy({2, 3, 4, 8}, std::span<const float>(x)));
  make("float32", {"--token-axis", "2"});
  EXPECT_EQ(judge({}).exit_code, 0);
  make("float32", {"--token-axis", "1"});
  EXPECT_EQ(judge({}).exit_code, 0);
  std::string each, given;
  for (int row = 0; row < 2; ++row)
    for (int head = 0; head < 3; ++head)
      for (int token = 0; token < 4; ++token) {
        const std::string position = std::to_string(10 * row + token);
        each += (each.empty() ? "" : ",") + position;
        if (head == 0) given += (given.empty() ? "" : ",") + position;
      }
  ASSERT_EQ(rope({"apply", "x.npy", "--token-axis", "2", "--positions", each, "--policy", "float32",
                  "-o", "y.npy"})
                .exit_code,
            0);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", given}).exit_code, 0);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", given, "--token-axis", "2"}).exit_code,
            0);
}

TEST_F(VerifyOutputTest, FindsTheTokensWhereOneHeadIsNotRotated) {
  constexpr std::size_t kHeads = 4, kDim = 256, kVectors = 4 * 24 * kHeads;
  std::vector<float> x(kVectors * kDim);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7F * static_cast<float>(i));
  write("x.npy", io::to_npy({4, 24, kHeads, kDim}, std::span<const float>(x)));
  make("float32", {"--token-axis", "1"});
  const std::vector<double> rotated = io::open_tensor(path("y.npy")).doubles();
  std::vector<float> y(rotated.begin(), rotated.end());
  for (std::size_t v = 0; v < kVectors; v += kHeads)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(v * kDim), kDim,
                y.begin() + static_cast<std::ptrdiff_t>(v * kDim));
  for (const io::Shape& shape : {io::Shape{4, 24, kHeads * kDim}, {4, 24, kHeads, kDim}}) {
    write("x.npy", io::to_npy(shape, std::span<const float>(x)));
    write("y.npy", io::to_npy(shape, std::span<const float>(y)));
    const Outcome run = judge({"--dim", "256"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.out.find("tokens along axis 1"), std::string::npos) << run.out;
    EXPECT_NE(flowing(run.out).find("Head 0 fails; heads 1 … 3 are right."), std::string::npos)
        << run.out;
  }
}

/// [rows, tokens, heads, dim] as flash-attention holds it, where [rows, heads, tokens, dim] is
/// tried first: small positions of the wrong axis leave less difference than large ones of the
/// right one.
TEST_F(VerifyOutputTest, FindsTheTokensOfWhatIsWrong) {
  std::vector<float> x(40 * 8 * 16);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7F * static_cast<float>(i));
  for (const io::Shape& shape : {io::Shape{1, 40, 8, 16}, {8, 40, 16}}) {
    write("x.npy", io::to_npy(shape, std::span<const float>(x)));
    ASSERT_EQ(rope({"apply", "x.npy", "--layout", "half", "--token-axis", "1", "--policy",
                    "float32", "-o", "y.npy"})
                  .exit_code,
              0);
    const Outcome layout = rope({"verify", "x.npy", "y.npy", "--layout", "interleaved"});
    EXPECT_EQ(layout.exit_code, 1);
    const std::string text = flowing(layout.out);
    EXPECT_NE(text.find("They would pass with --layout half."), std::string::npos) << text;
    EXPECT_NE(text.find("token 0 is right"), std::string::npos) << text;
    EXPECT_NE(text.find("they would fail as well: set the right"), std::string::npos) << text;
    const Outcome base = rope({"verify", "x.npy", "y.npy", "--layout", "half", "--base", "500"});
    EXPECT_NE(flowing(base.out).find("tokens along axis 1;"), std::string::npos) << base.out;
  }
}

/// A factor near 1 has the direction of each pair, and is found by it.
TEST_F(VerifyOutputTest, OneFactorOfAllNumbersIsNoNoise) {
  std::vector<double> x(24 * 4 * 32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7 * static_cast<double>(i));
  write("x.npy", io::to_npy({24, 4, 32}, x));
  ASSERT_EQ(rope({"apply", "x.npy", "--policy", "float64", "-o", "y.npy"}).exit_code, 0);
  const std::vector<double> exact = io::open_tensor(path("y.npy")).doubles();
  for (const double factor : {1 + 1e-9, 1 + 1e-7, 1 - 1e-5, 1.138629}) {
    std::vector<double> y = exact;
    for (double& value : y) value *= factor;
    write("y.npy", io::to_npy({24, 4, 32}, y));
    const Outcome run = rope({"verify", "x.npy", "y.npy"});
    EXPECT_EQ(run.exit_code, 1) << factor << run.out;
    EXPECT_NE(flowing(run.out).find(fmt::format(
                  "They would pass with an attention factor of {:.10g} instead of 1.", factor)),
              std::string::npos)
        << run.out;
  }
}

TEST_F(VerifyOutputTest, FailsAlongTheAxisThatMayCountTokensAndNotAlongOneOfLength1) {
  // [batch, heads, tokens, head_dim]: with tokens along axis 0 all would stand at position 0, where
  // fewer pairs are wrong.
  std::vector<double> x(std::size_t{4} * 24 * 16);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(1 + 0.7 * static_cast<double>(i)) * (1 + static_cast<double>(i % 5));
  write("x.npy", io::to_npy({1, 4, 24, 16}, x));
  const std::vector<std::string> made = {"apply",  "x.npy",    "--token-axis", "2",  "--base",
                                         "500000", "--layout", "half",         "-o", "y.npy"};
  ASSERT_EQ(rope(made).exit_code, 0);
  const Outcome run = rope({"verify", "x.npy", "y.npy"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("\nNot stated, so assumed: layout interleaved, base 10000, positions 0, "
                         "1, 2 ….\nTokens 1 … 23 fail; token 0 is right.\n"),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("tokens along axis 2"), std::string::npos) << run.out;
  // What is stated is not assumed.
  const Outcome stated =
      rope({"verify", "x.npy", "y.npy", "--base", "10000", "--layout", "half", "--start", "0"});
  EXPECT_EQ(stated.exit_code, 1);
  EXPECT_EQ(stated.out.find("Not stated"), std::string::npos) << stated.out;
  const Outcome model =
      rope({"verify", "x.npy", "y.npy", "--model", "llama-3.1-8b", "--dim", "16"});
  EXPECT_NE(model.out.find("\nNot stated, so assumed: positions 0, 1, 2 ….\n"), std::string::npos)
      << model.out;
}

TEST_F(VerifyOutputTest, TakesOneTokenForATokenAndNotItsHeads) {
  write("x.npy", io::to_npy({1, 4, 8}, std::vector<double>(32, 1)));
  make("float64", {"--token-axis", "0"});
  EXPECT_EQ(judge({}).exit_code, 0);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", "100"}).exit_code, 0);
  // At position 0 nothing turns: neither proof nor blame.
  write("y.npy", io::to_npy({1, 4, 8}, std::vector<double>(32, 1)));
  const Outcome still = rope({"verify", "x.npy", "y.npy"});
  EXPECT_EQ(still.exit_code, 4) << still.out;
  EXPECT_NE(
      flowing(still.out).find("With tokens along axis 1, the result is the input, never rotated"),
      std::string::npos)
      << still.out;
}

TEST_F(VerifyOutputTest, DoesNotCertifyHeadsThatWereTakenForTokens) {
  std::vector<double> x(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7 * static_cast<double>(i));
  write("x.npy", io::to_npy({1, 4, 8}, x));
  make("float64", {"--token-axis", "1"});
  const Outcome open = rope({"verify", "x.npy", "y.npy", "--start", "100"});
  EXPECT_EQ(open.exit_code, 4) << open.out;
  EXPECT_NE(flowing(open.out).find("if it runs over the heads of one token"), std::string::npos);
  EXPECT_NE(flowing(open.out).find("With tokens along axis 0, they would fail"), std::string::npos);
  // What says which axis counts the tokens settles it.
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--start", "100", "--token-axis", "1"}).exit_code, 0);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--start", "100", "--token-axis", "0"}).exit_code, 1);
  EXPECT_EQ(rope({"verify", "x.npy", "y.npy", "--positions", "100,101,102,103"}).exit_code, 0);
}

TEST_F(VerifyOutputTest, SplitsHeadsThatArePackedInTheLastAxis) {
  make("float32");
  write("flat_x.npy", read("x.npy"));
  std::vector<float> x(5 * 16), y(5 * 16);
  const auto flatten = [&](const std::string& from, const std::string& to) {
    const std::vector<float> numbers = io::npy_tensor(read(from), from).floats();
    write(to, io::to_npy({5, 16}, std::span<const float>(numbers)));
  };
  flatten("x.npy", "flat_x.npy");
  flatten("y.npy", "flat_y.npy");
  const auto flat = [&](const Names& more) {
    Names all = {"verify", "flat_x.npy", "flat_y.npy", "--start", "100"};
    all.insert(all.end(), more.begin(), more.end());
    return rope(all);
  };
  const Outcome run = flat({"--dim", "8"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_NE(flowing(run.out).find("2 heads of 8 in the last axis"), std::string::npos) << run.out;
  EXPECT_EQ(flat({}).exit_code, 1) << "no head size is stated";
  EXPECT_EQ(flat({"--dim", "6"}).exit_code, 2);
}

TEST_F(VerifyOutputTest, SaysWhichRowsHeadsTokensAndDimensionsFail) {
  make("float32");
  std::vector<float> y = io::npy_tensor(read("y.npy"), "y").floats();
  for (std::size_t t = 0; t < 5; ++t)
    for (std::size_t i = 0; i < 8; ++i) y[(t * 2 + 1) * 8 + i] = 0;
  write("y.npy", io::to_npy({5, 2, 8}, std::span<const float>(y)));
  const Outcome zero = judge({});
  EXPECT_EQ(zero.exit_code, 1);
  for (const char* sentence :
       {"Head 1 is all zeros.", "All other numbers are right.", "Head 1 fails; head 0 is right.",
        "Every token and dimension fails."})
    EXPECT_NE(flowing(zero.out).find(sentence), std::string::npos) << sentence << zero.out;
  const io::Json json = io::parse_json(judge({"--json"}).out, "out");
  EXPECT_EQ(json.at("places").at("all_unrotated"), true);
  EXPECT_EQ(json.at("places").at("unrotated").at(0).at("kind"), "zero");
  const io::Json& heads = json.at("places").at("axes").at(1);
  EXPECT_EQ(heads.at("axis"), "heads");
  EXPECT_EQ(heads.at("failing").dump(), "[[1,1]]");
  EXPECT_EQ(heads.at("right").dump(), "[[0,0]]");
  EXPECT_EQ(judge({"-o", "r.csv"}).exit_code, 1);
  EXPECT_NE(read("r.csv").find("heads,1,1,FAIL\n"), std::string::npos) << read("r.csv");
  EXPECT_NE(read("r.csv").find("heads,0,0,ok\n"), std::string::npos) << read("r.csv");
}

TEST_F(VerifyOutputTest, JudgesByWhatTheOutputsHold) {
  make("float32");
  const Outcome single = judge({});
  EXPECT_EQ(single.exit_code, 0);
  EXPECT_NE(flowing(single.out).find("policy float32, as the result holds float32 numbers."),
            std::string::npos)
      << single.out;
  EXPECT_EQ(judge({"--policy", "exact"}).exit_code, 1) << "what is stated is what is judged";
  make("ggml");
  EXPECT_EQ(judge({}).exit_code, 0);
  // bfloat16 in a file of float32, as NumPy keeps it.
  ASSERT_EQ(rope({"apply", "x.npy", "--positions", "0,0,0,0,0", "--dtype", "bf16", "-o", "b.npy"})
                .exit_code,
            0);
  const std::vector<double> narrow = io::npy_tensor(read("b.npy"), "b", {true}).doubles();
  write("x.npy", io::to_npy({5, 2, 8}, narrow));
  const auto make_wide = [&](const char* policy, const Names& more) {
    make(policy, more);
    const std::vector<double> y = io::npy_tensor(read("y.npy"), "y", {true}).doubles();
    write("y.npy", io::to_npy({5, 2, 8}, y));
  };
  for (const char* policy : {"bfloat16-store", "bfloat16-table"}) {
    make_wide(policy, {"--layout", "half"});
    EXPECT_NE(judge({}).out.find("They would pass with --layout half."), std::string::npos)
        << "whichever of them fails by fewest numbers";
    make_wide(policy, {});
    const Outcome run = judge({});
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_NE(flowing(run.out).find("as the result holds bfloat16 numbers"), std::string::npos)
        << run.out;
    const io::Json json = io::parse_json(judge({"--json"}).out, "out");
    EXPECT_EQ(json.at("numbers_of"), "bf16");
    EXPECT_EQ(json.at("policy_stated"), false);
  }
}

TEST_F(VerifyOutputTest, JudgesAnInputThatTheKernelCastFirst) {
  std::vector<double> x(5 * 2 * 8);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7 * static_cast<double>(i));
  std::vector<float> narrow(x.begin(), x.end());
  write("x.npy", io::to_npy({5, 2, 8}, std::span<const float>(narrow)));
  make("float32");
  write("x.npy", io::to_npy({5, 2, 8}, x));
  const Outcome run = judge({});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_NE(flowing(run.out).find("float32 numbers and the input is cast to that type"),
            std::string::npos)
      << run.out;
}

TEST_F(VerifyOutputTest, HintsAtAnotherOffsetAndAtTheOtherDirection) {
  make("float32");
  const auto from = [&](const char* start) {
    return rope({"verify", "x.npy", "y.npy", "--start", start});
  };
  EXPECT_NE(from("99").out.find("They would pass if every position were 1 higher"),
            std::string::npos);
  EXPECT_NE(from("102").out.find("They would pass if every position were 2 lower"),
            std::string::npos);
  EXPECT_EQ(from("110").out.find("They would pass"), std::string::npos);
  EXPECT_EQ(
      io::parse_json(rope({"verify", "x.npy", "y.npy", "--start", "101", "--json"}).out, "out")
          .at("would_pass")
          .at("position_shift"),
      -1);
  const Outcome back = rope({"verify", "y.npy", "x.npy", "--start", "100"});
  EXPECT_EQ(back.exit_code, 1);
  EXPECT_NE(flowing(back.out).find("They would pass if turned clockwise"), std::string::npos)
      << back.out;
}

TEST_F(VerifyOutputTest, KeepsAllThatWasStatedInTheCommandItSuggests) {
  make("float32");
  write("p.npy", io::to_npy({5}, std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  const Outcome run = rope({"verify", "x.npy", "y.npy", "--dim", "8", "--base", "500", "--layout",
                            "half", "--positions", "p.npy", "--policy", "float32"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.out.find("\n  rope diagnose x.npy y.npy --dim 8 --base 500 --layout half "
                         "--positions p.npy\n"),
            std::string::npos)
      << run.out;
}

TEST_F(VerifyOutputTest, FoldsACommandThatIsLongerThanALine) {
  make("float32");
  const std::string name(56, 'n');  // the first line ends in column 80
  write(name, read("y.npy"));
  const Outcome run = rope({"verify", "x.npy", name, "--base", "500", "--layout", "half"});
  EXPECT_NE(
      run.out.find("\n  rope diagnose x.npy " + name + " \\\n      --base 500 --layout half\n"),
      std::string::npos)
      << run.out;
}

TEST_F(VerifyOutputTest, NoiseOfTwoRunsProvesNoFault) {
  std::vector<double> x(5 * 2 * 64);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(1.7 * static_cast<double>(i)) +
           0.3 * std::sin(0.37 * static_cast<double>(i * i % 977));
  write("x.npy", io::to_npy({5, 2, 64}, x));
  make("float64");
  std::vector<double> y = io::npy_tensor(read("y.npy"), "y").doubles();
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] += 1e-3 * std::sin(1e5 * std::sin(static_cast<double>(i + 1)));
  write("y.npy", io::to_npy({5, 2, 64}, y));
  const Outcome run = judge({});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(
      flowing(run.out).find(
          "INCONCLUSIVE: The result differs from the exact rotation by 0.097 % of its length, "),
      std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find("FAIL:"), std::string::npos);
  EXPECT_EQ(run.out.find("They would pass"), std::string::npos);
  // A stated policy is asked of: that noise is beyond it is so.
  const Outcome stated = judge({"--policy", "float64"});
  EXPECT_EQ(stated.exit_code, 1);
  EXPECT_NE(flowing(stated.out).find("input and result may come from different runs"),
            std::string::npos)
      << stated.out;
  EXPECT_EQ(judge({"--base", "9990"}).exit_code, 1) << "and a wrong base is no noise";
}

TEST_F(VerifyOutputTest, NoiseOfOneTokenIsNoFailureOfItsHeads) {
  struct Case {
    io::Shape shape;
    std::string tokens;  // their axis, of length 1
  };
  for (const Case& one : {Case{{1, 8, 1, 64}, "2"}, {{4, 1, 2, 64}, "1"}, {{1, 8, 64}, "0"}}) {
    std::vector<double> x(std::size_t{8} * 64);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = std::sin(1.7 * static_cast<double>(i)) +
             0.3 * std::sin(0.37 * static_cast<double>(i * i % 977));
    write("x.npy", io::to_npy(one.shape, x));
    make("float64", {"--token-axis", one.tokens});
    std::vector<double> y = io::npy_tensor(read("y.npy"), "y").doubles();
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] += 1e-3 * std::sin(1e5 * std::sin(static_cast<double>(i + 1)));
    write("y.npy", io::to_npy(one.shape, y));
    const Outcome run = judge({});
    EXPECT_EQ(run.exit_code, 4) << one.tokens << run.out;
    EXPECT_TRUE(run.out.starts_with("INCONCLUSIVE: ")) << run.out;
  }
}

// One pair that noise took just beyond its bound is within it by many a factor, too.
TEST_F(VerifyOutputTest, NoiseOfOneVectorIsNoFactor) {
  std::vector<double> x(128), y(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7 * static_cast<double>(i + 1));
  write("x.npy", io::to_npy({1, 128}, x));
  make("float64");
  const std::vector<double> exact = io::npy_tensor(read("y.npy"), "y").doubles();
  std::size_t inconclusive = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    RandomStream(seed, 0).fill_normal(y);
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = round_to(Format::bfloat16, exact[i] * (1 + 4.5e-3 * y[i]));
    write("y.npy", io::to_npy({1, 128}, y));
    const Outcome run = judge({});
    EXPECT_NE(run.exit_code, 1) << seed << run.out;
    if (run.exit_code == 4) ++inconclusive;
  }
  EXPECT_GT(inconclusive, 0U);
}

TEST_F(VerifyOutputTest, APolicyThatCannotHoldThePositionsSaysSoFirst) {
  const Outcome run = rope({"verify", "--policy", "bfloat16-positions", "--trials", "50"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_TRUE(flowing(run.out).starts_with(
      "INCONCLUSIVE: Positions beyond 256 collide in bfloat16. No check failed, but in "))
      << run.out;
  const Outcome near =
      rope({"verify", "--policy", "bfloat16-positions", "--trials", "50", "--max-position", "200"});
  EXPECT_EQ(near.out.find("collide"), std::string::npos) << near.out;
  EXPECT_EQ(rope({"verify", "--policy", "float32", "--trials", "50"}).out.find("collide"),
            std::string::npos);
}

TEST_F(VerifyOutputTest, FindsAShiftOfOnePosition) {
  make("bfloat16-store", {"--dtype", "bf16"});
  // bfloat16 takes bfloat16 numbers, which x.npy does not hold.
  EXPECT_EQ(judge({"--policy", "bfloat16-store"}).exit_code, 2);
  ASSERT_EQ(shell("rope apply x.npy --lengths 1,1,1,1,1 --dtype bf16 -o cast.npy && mv cast.npy "
                  "x.npy")
                .exit_code,
            0);
  make("bfloat16-store");
  EXPECT_EQ(judge({"--policy", "bfloat16-store"}).exit_code, 0);
  EXPECT_EQ(rope({"verify", "--input", "x.npy", "--result", "y.npy", "--start", "101", "--policy",
                  "bfloat16-store"})
                .exit_code,
            1);
}

TEST_F(VerifyOutputTest, IsInconclusiveWhereAnyTurnIsWithinTheBound) {
  ASSERT_EQ(rope({"apply", "x.npy", "--start", "1000000007", "--policy", "float32", "-o", "y.npy"})
                .exit_code,
            0);
  const Outcome run = rope({"verify", "--input", "x.npy", "--result", "y.npy", "--start",
                            "1000000007", "--policy", "float32"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_TRUE(
      flowing(run.out).starts_with("INCONCLUSIVE: Positions beyond 16777216 collide in float32. "
                                   "Nothing is beyond what float32 allows, but "))
      << run.out;
}

TEST_F(VerifyOutputTest, JudgesTables) {
  const RotaryEmbedding embedding = default_embedding(8, 10000, PairLayout::half);
  std::vector<float> cos, sin, wide_cos, wide_sin;
  for (std::int64_t m = 0; m < 6; ++m) {
    const RotationRow row = rotation_row(embedding, m);
    for (std::size_t i = 0; i < 8; ++i) {
      if (i < 4) cos.push_back(static_cast<float>(row.cos[i]));
      if (i < 4) sin.push_back(static_cast<float>(row.sin[i]));
      wide_cos.push_back(static_cast<float>(row.cos[i % 4]));
      wide_sin.push_back(static_cast<float>(row.sin[i % 4]));
    }
  }
  write("cos.npy", io::to_npy({6, 4}, std::span<const float>(cos)));
  write("sin.npy", io::to_npy({6, 4}, std::span<const float>(sin)));
  write("wide_cos.npy", io::to_npy({1, 6, 8}, std::span<const float>(wide_cos)));
  write("wide_sin.npy", io::to_npy({1, 6, 8}, std::span<const float>(wide_sin)));
  const auto tables = [&](const std::string& c, const std::string& s, const Names& more) {
    Names arguments = {"verify", "--cos", c, "--sin", s, "--layout", "half"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rope(arguments).exit_code;
  };
  EXPECT_EQ(tables("cos.npy", "sin.npy", {"--dim", "8"}), 0);
  EXPECT_EQ(tables("wide_cos.npy", "wide_sin.npy", {"--dim", "8"}), 0);
  EXPECT_EQ(tables("wide_cos.npy", "wide_sin.npy", {"--dim", "8", "--layout", "interleaved"}), 2);
  EXPECT_EQ(tables("sin.npy", "cos.npy", {"--dim", "8"}), 1);
  EXPECT_EQ(tables("cos.npy", "sin.npy", {"--dim", "8", "--start", "1"}), 1);
  EXPECT_EQ(tables("cos.npy", "sin.npy", {"--dim", "8", "--base", "10001"}), 1);
  EXPECT_EQ(refusal({"--cos", "cos.npy", "--sin", "sin.npy"}),
            "--cos: expected --dim or a model, for tables without vectors, got none");
  EXPECT_EQ(refusal({"--cos", "cos.npy", "--sin", "sin.npy", "--dim", "64"}),
            "cos.npy: vector 0: expected tables of 32 or 64 columns, got 4 and 4");
  EXPECT_EQ(refusal({"--cos", "cos.npy", "--sin", "wide_sin.npy", "--dim", "8"}),
            "--sin: expected shape (6, 4) as in --cos, got (1, 6, 8)");
}

/// Tables in float64 of which every number is off by as many units in the last place.
void write_tables_off_by(double ulp,
                         const std::function<void(const std::string&, const std::string&)>& write) {
  const RotaryEmbedding embedding = default_embedding(8, 10000, PairLayout::half);
  std::vector<double> cos, sin;
  for (std::int64_t m = 1; m <= 100; ++m) {
    const RotationRow row = rotation_row(embedding, m);
    for (std::size_t k = 0; k < 4; ++k) {
      cos.push_back(row.cos[k] + ulp * (std::nextafter(row.cos[k], 2) - row.cos[k]));
      sin.push_back(row.sin[k] + ulp * (std::nextafter(row.sin[k], 2) - row.sin[k]));
    }
  }
  write("cos.npy", io::to_npy({100, 4}, cos));
  write("sin.npy", io::to_npy({100, 4}, sin));
}

TEST_F(VerifyOutputTest, TellsCosAndSinOfAVectorLibraryFromAWrongTable) {
  const Names judge = {"verify", "--cos",    "cos.npy", "--sin",   "sin.npy", "--dim",
                       "8",      "--policy", "float64", "--start", "1"};
  const auto outcome = [&](const Names& more) {
    Names arguments = judge;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rope(arguments);
  };
  const auto sufficient = [&](const Names& more) {
    Names arguments = more;
    arguments.emplace_back("--json");
    return io::parse_json(outcome(arguments).out, "out").at("sufficient_libm_ulp");
  };
  const auto off_by = [&](double ulp) {
    write_tables_off_by(
        ulp, [&](const std::string& name, const std::string& bytes) { write(name, bytes); });
  };
  off_by(3);
  const Outcome run = outcome({});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_TRUE(run.out.starts_with("INCONCLUSIVE: ")) << run.out;
  EXPECT_EQ(run.out.find("rope diagnose"), std::string::npos);
  const double ulp = sufficient({}).get<double>();
  EXPECT_NE(flowing(run.out).find(fmt::format("judge them with --libm-ulp {}.", ulp)),
            std::string::npos)
      << run.out;
  EXPECT_EQ(outcome({"--libm-ulp", fmt::format("{}", ulp)}).exit_code, 0);
  EXPECT_EQ(outcome({"--libm-ulp", fmt::format("{}", ulp - 1)}).exit_code, 4) << "it is the least";
  EXPECT_TRUE(sufficient({"--base", "10001"}).is_null()) << "a wrong table";
  EXPECT_NE(outcome({"--base", "10001"}).out.find("rope diagnose"), std::string::npos);
  EXPECT_TRUE(sufficient({"--libm-ulp", "4"}).is_null()) << "it passes";
  off_by(20);
  EXPECT_EQ(outcome({}).exit_code, 1);
  EXPECT_TRUE(sufficient({}).is_null()) << "no library is as wrong";
  EXPECT_TRUE(sufficient({"--libm-ulp", "10"}).is_null()) << "it fails with more than any promises";
}

TEST_F(VerifyOutputTest, TellsTheSameOfVectors) {
  make("exact");
  std::vector<double> x(5 * 2 * 8), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : 0;
  const RotaryEmbedding embedding = default_embedding(8, 10000);
  for (std::size_t i = 0; i < x.size(); i += 2) {
    const RotationRow row = rotation_row(embedding, 100 + static_cast<std::int64_t>(i / 16));
    y[i] = row.cos[i % 8 / 2] * (1 + 5 * 0x1p-53);
    y[i + 1] = row.sin[i % 8 / 2];
  }
  write("x.npy", io::to_npy({5, 2, 8}, x));
  write("y.npy", io::to_npy({5, 2, 8}, y));
  const Outcome run = judge({"--policy", "float64"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_NE(flowing(run.out).find("judge them with --libm-ulp "), std::string::npos) << run.out;
  const io::Json json = io::parse_json(judge({"--policy", "float64", "--json"}).out, "out");
  EXPECT_EQ(json.at("verdict"), "inconclusive");
  EXPECT_EQ(
      judge({"--policy", "float64", "--libm-ulp", json.at("sufficient_libm_ulp").dump()}).exit_code,
      0);
}

TEST_F(VerifyOutputTest, TakesAnOutputThatIsATensorForWhatWasMade) {
  make("float32");
  const Outcome by_result = rope({"verify", "--input", "x.npy", "--result", "y.npy", "--layout",
                                  "half", "--policy", "float32", "--json"});
  const std::string before = read("y.npy");
  const Outcome by_output = rope({"verify", "--input", "x.npy", "--output", "y.npy", "--layout",
                                  "half", "--policy", "float32", "--json"});
  EXPECT_EQ(by_output.out, by_result.out);
  EXPECT_EQ(by_output.exit_code, by_result.exit_code);
  EXPECT_EQ(read("y.npy"), before) << "it is read, not written";
}

TEST_F(VerifyOutputTest, IsATestOfAJunitReport) {
  make("float32");
  const auto report = [&](const Outcome& run, int exit_code) {
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    return read("r.xml");
  };
  const auto holds = [](const std::string& xml, const std::string& text) {
    EXPECT_NE(xml.find(text), std::string::npos) << xml;
  };
  holds(report(judge({"-o", "r.xml"}), 0), R"(tests="1" failures="0" skipped="0")");
  const std::string wrong = report(judge({"--base", "500000", "-o", "r.xml"}), 1);
  holds(wrong, R"(tests="1" failures="1" skipped="0")");
  holds(wrong, "<failure message=\"");
  holds(wrong, "beyond what float32 allows");
  const std::string whole = report(rope({"verify", "--trials", "10", "-o", "r.xml"}), 0);
  holds(whole, R"(name="identity"/>)");
  holds(whole, R"(name="control:wrong-sign"/>)");
  const std::string broken =
      report(rope({"verify", "--trials", "10", "--control", "wrong-sign", "-o", "r.xml"}), 1);
  EXPECT_EQ(broken.find(R"(failures="0")"), std::string::npos) << broken;
  const std::string strict = report(
      rope({"verify", "--trials", "50", "--policy", "float32", "--require", "1e-3", "-o", "r.xml"}),
      1);
  EXPECT_EQ(strict.find(R"(failures="0")"), std::string::npos) << strict;
  holds(report(rope({"verify", "--trials", "5", "--precision", "64", "-o", "r.xml"}), 0),
        R"(tests="1" failures="0" skipped="0")");
  const std::string axes =
      report(rope({"verify", "--trials", "10", "--sections", "24,20,20", "-o", "r.xml"}), 0);
  holds(axes, R"(name="axes:identity"/>)");
  holds(axes, R"(name="axes:control:)");
}

TEST_F(VerifyOutputTest, RefusesWhatIsWrongInOneLineAndSaysWhatToDo) {
  make("float32");
  write("z.npy", io::to_npy({5, 8}, std::vector<double>(40)));
  std::vector<double> infinite(80);
  infinite[9] = HUGE_VAL;
  write("inf.npy", io::to_npy({5, 2, 8}, infinite));
  EXPECT_EQ(refusal({"--input", "x.npy"}), "--input: expected --result with it, got none");
  EXPECT_EQ(refusal({"--result", "y.npy"}), "--result: expected --input with it, got none");
  EXPECT_EQ(refusal({"--cos", "y.npy"}), "--cos: expected --sin with it, got none");
  EXPECT_EQ(refusal({"--input", "x.npy", "--result", "y.npy", "--output", "z.npy"}),
            "--result: expected one tensor, got 2");
  write("none.npy", io::to_npy({0, 8}, std::vector<double>()));
  EXPECT_EQ(refusal({"--input", "none.npy", "--result", "none.npy"}),
            "--input: expected at least one vector, got (0, 8)");
  EXPECT_EQ(refusal({"--input", "x.npy", "--result", "z.npy"}),
            "z.npy: expected the shape of x.npy, (5, 2, 8), got (5, 8)");
  EXPECT_EQ(refusal({"--input", "inf.npy", "--result", "y.npy"}),
            "inf.npy: vector 1: expected finite numbers up to 2^1000, found inf in dimension 1");
  EXPECT_EQ(refusal({"--input", "x.npy", "--result", "y.npy", "--policy", "bfloat16-table"})
                .substr(0, 63),
            "x.npy: vector 0: expected numbers representable in bf16, the po");
  EXPECT_EQ(refusal({"--input", "x.npy", "--result", "y.npy", "--trials", "5"}),
            "--trials: cannot be used with --input: the outputs of an implementation are judged");
  EXPECT_EQ(refusal({"--input", "x.npy", "-o", "nodir/y.json"}),
            "--input: expected --result with it, got none");
  EXPECT_EQ(refusal({"x.npy"}), "X Y: expected two files, or --input and --result, got one file");
  EXPECT_EQ(refusal({"x.npy", "y.npy", "--input", "x.npy"}),
            "X Y: expected two files, or --input and --result, got both forms");
  EXPECT_EQ(refusal({"x.npy", "y.npy", "--trials", "5"}),
            "--trials: expected no files with it, got X and Y");
  EXPECT_EQ(refusal({"--start", "5"}), "--start: expected --input or --cos with it, got neither");
}

/// The kernel of a float32 implementation: angles and tables as most code makes them.
std::vector<float> rotated(const RotaryEmbedding& embedding, const std::vector<float>& x,
                           const std::vector<std::int64_t>& positions) {
  std::vector<float> y = x;
  const auto factor = static_cast<float>(embedding.attention_factor);
  for (std::size_t t = 0; t < positions.size(); ++t)
    for (std::size_t k = 0; k < embedding.pairs(); ++k) {
      const float angle =
          static_cast<float>(positions[t]) * static_cast<float>(embedding.frequencies.theta[k]);
      const float c = std::cos(angle) * factor, s = std::sin(angle) * factor;
      const auto [i, j] = embedding.dimensions(k);
      const std::size_t row = t * embedding.head_dim;
      y[row + i] = x[row + i] * c - x[row + j] * s;
      y[row + j] = x[row + i] * s + x[row + j] * c;
    }
  return y;
}

TEST_F(VerifyOutputTest, IsTheJudgementOfTheLibraryForEveryPreset) {
  const std::vector<std::int64_t> positions = {5, 6, 7, 8};
  std::size_t judged = 0, passed = 0;
  for (const std::string& preset : preset_names()) {
    const ModelRope model = preset_model(preset);
    if (model.layers.size() != 1 || model.layers.front().rotary_dim % 2 != 0) continue;
    SCOPED_TRACE(preset);
    const RotaryEmbedding embedding = embedding_of(model.layers.front());
    std::vector<float> x(positions.size() * embedding.head_dim);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.7F * static_cast<float>(i + 1));
    std::vector<float> y = rotated(embedding, x, positions);
    if (judged % 3 == 2) y[embedding.head_dim + 1] *= 1.0001F;
    const Certification library = certify(embedding, parse_policy("float32"), x, y, positions);
    write("x.npy", io::to_npy({4, embedding.head_dim}, std::span<const float>(x)));
    write("y.npy", io::to_npy({4, embedding.head_dim}, std::span<const float>(y)));
    const Outcome run = rope({"verify", "--input", "x.npy", "--result", "y.npy", "--start", "5",
                              "--policy", "float32", "--model", preset, "--json"});
    const io::Json program = io::parse_json(run.out, "out");
    EXPECT_EQ(program.at("verdict"), name(library.verdict));
    EXPECT_EQ(program.at("rule_roundings"), library.hypotheses.rule_roundings);
    EXPECT_EQ(program.at("outputs").at("compared"), library.report.compared);
    EXPECT_EQ(program.at("outputs").at("violations"), library.report.violations);
    EXPECT_EQ(program.at("outputs").at("worst").at("ratio"), library.report.worst.ratio());
    EXPECT_EQ(program.at("sufficient_libm_ulp").is_null(),
              !library.sufficient_libm_ulp.has_value());
    EXPECT_EQ(library.verdict == Verdict::fail, judged % 3 == 2);
    passed += library.report.passed() ? 1U : 0U;
    ++judged;
  }
  EXPECT_GT(judged, 60U);
  EXPECT_GT(passed, 40U);
}

}  // namespace
}  // namespace rope::test
