// rope verify: what it must never pass, what it calls things, and that it says what the library
// says.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"
#include "rope/model/presets.hpp"
#include "rope/verify/output_check.hpp"

namespace rope::test {
namespace {

using Names = std::vector<std::string>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::array kBad = {kNan, kInfinity, -kInfinity};

class VerifyTest : public CliTest {
 protected:
  int exit_code(Names arguments) const {
    arguments.insert(arguments.begin(), "verify");
    return rope(arguments).exit_code;
  }
  io::Json json(Names arguments) const {
    arguments.insert(arguments.begin(), "verify");
    arguments.emplace_back("--json");
    return io::parse_json(rope(arguments).out, "out");
  }
  template <typename Number>
  void write_npy(const std::string& name, const io::Shape& shape,
                 const std::vector<Number>& numbers) const {
    write(name, io::to_npy(shape, std::span<const Number>(numbers)));
  }
};

TEST_F(VerifyTest, NoNumberOfAnImplementationMayBeNanOrInfinite) {
  // Two tokens of two pairs and two dimensions that pass through, at positions 3 and 4.
  const std::vector<float> x = {1, 0.5, -2, 0.25, 1.5, -1, 0.75, 2, -0.5, 1, 3, 0.125};
  write_npy("x.npy", {2, 6}, x);
  for (const std::string layout : {"interleaved", "half"}) {
    const Names how = {"--rotary-dim", "4", "--layout", layout, "--start", "3", "--policy"};
    for (const std::string policy : {"float32", "exact", "bfloat16-store,store=f32"}) {
      Names made = {"apply", "x.npy", "--dtype", "f64", "-o", "y.npy"};
      made.insert(made.end(), how.begin(), how.end());
      made.push_back(policy);
      ASSERT_EQ(rope(made).exit_code, 0);
      const io::Tensor tensor = io::open_tensor(path("y.npy"));
      const std::vector<double> right = tensor.doubles();
      Names judged = {"--input", "x.npy", "--result", "bad.npy"};
      judged.insert(judged.end(), how.begin(), how.end());
      judged.push_back(policy);
      write_npy("bad.npy", {2, 6}, right);
      EXPECT_EQ(exit_code(judged), 0) << policy << " " << layout;
      for (std::size_t i = 0; i < right.size(); ++i) {
        std::vector<double> y = right;
        y[i] = static_cast<double>(kBad.at(i % kBad.size()));
        write_npy("bad.npy", {2, 6}, y);
        EXPECT_EQ(exit_code(judged), 1) << policy << " " << layout << " " << i;
        std::vector<float> narrow(y.begin(), y.end());
        write_npy("bad.npy", {2, 6}, narrow);
        EXPECT_EQ(exit_code(judged), 1) << "float32 " << policy << " " << layout << " " << i;
      }
    }
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<float> bad = x;
    bad[i] = kBad.at(i % kBad.size());
    write_npy("bad.npy", {2, 6}, bad);
    EXPECT_EQ(exit_code({"--input", "bad.npy", "--result", "x.npy"}), 2) << i;
  }
}

TEST_F(VerifyTest, NoEntryOfATableMayBeNanOrInfinite) {
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  std::vector<float> cos, sin;
  for (std::int64_t m = 0; m < 3; ++m)
    for (std::size_t k = 0; k < 2; ++k) {
      const RotationRow row = rotation_row(embedding, m);
      cos.push_back(static_cast<float>(row.cos[k]));
      sin.push_back(static_cast<float>(row.sin[k]));
    }
  const auto judge = [&](const std::vector<float>& c, const std::vector<float>& s) {
    write_npy("c.npy", {3, 2}, c);
    write_npy("s.npy", {3, 2}, s);
    return exit_code({"--cos", "c.npy", "--sin", "s.npy", "--dim", "4", "--policy", "float32"});
  };
  EXPECT_EQ(judge(cos, sin), 0);
  for (const float bad : kBad)
    for (std::size_t i = 0; i < cos.size(); ++i) {
      std::vector<float> c = cos, s = sin;
      c[i] = bad;
      EXPECT_EQ(judge(c, sin), 1) << "cos " << i << " " << bad;
      s[i] = bad;
      EXPECT_EQ(judge(cos, s), 1) << "sin " << i << " " << bad;
    }
}

TEST_F(VerifyTest, NoQueryKeyOrFrequencyMayBeNanOrInfinite) {
  for (const std::string bad : {"nan", "inf", "-inf"}) {
    const Names rest = {"--dim", "2", "--positions", "5,2"};
    for (const Names& given : {Names{"--query", bad + ",1", "--key", "1,1"},
                               {"--query", "1," + bad, "--key", "1,1"},
                               {"--query", "1,1", "--key", bad + ",1"},
                               {"--query", "1,1", "--key", "1," + bad}}) {
      Names all = given;
      all.insert(all.end(), rest.begin(), rest.end());
      EXPECT_EQ(exit_code(all), 2) << given[1] << given[3];
      all.insert(all.end(), {"--precision", "53"});
      EXPECT_EQ(exit_code(all), 2) << given[1] << given[3];
    }
    EXPECT_EQ(exit_code({"--frequencies", "1," + bad, "--trials", "1"}), 2) << bad;
  }
}

TEST_F(VerifyTest, WhatProvesNothingIsNoPass) {
  write_npy("z.npy", {4, 8}, std::vector<float>(32, 0));
  std::vector<float> first(32, 0);
  std::fill_n(first.begin(), 8, 1.0F);  // the token at position 0 alone
  write_npy("first.npy", {4, 8}, first);
  for (const std::string base : {"10000", "77"}) {
    EXPECT_EQ(exit_code({"--input", "z.npy", "--result", "z.npy", "--base", base}), 4);
    EXPECT_EQ(exit_code({"--input", "first.npy", "--result", "first.npy", "--base", base}), 4);
  }
  const io::Json document = json({"--input", "first.npy", "--result", "first.npy"});
  EXPECT_EQ(document.at("verdict"), "inconclusive");
  EXPECT_EQ(document.at("outputs").at("zero"), 12);
  EXPECT_EQ(document.at("outputs").at("pairs_not_tested").size(), 4U);
  const Names ten = {"--precision", "10", "--max-position", "1e7", "--trials", "30"};
  EXPECT_EQ(exit_code(ten), 4);
}

TEST_F(VerifyTest, SaysInItsFirstLineThatTheWrongSignGivesTheSame) {
  const auto of = [&](const Names& given, const char* more) {
    Names all = {"verify"};
    all.insert(all.end(), given.begin(), given.end());
    all.emplace_back(more);
    return rope(all);
  };
  const Names same = {"--query", "1,2", "--key", "1,2", "--positions", "7,7"};
  EXPECT_TRUE(
      flowing(of(same, "-q").out).ends_with("within rounding, but also with the wrong sign."));
  EXPECT_EQ(io::parse_json(of(same, "--json").out, "out").at("tells_sign"), false);
  EXPECT_NE(of(same, "--details").out.find("Take m ≠ n."), std::string::npos);
  const Names right = {"--query", "1,2", "--key", "2,1", "--positions", "7,5"};
  EXPECT_EQ(of(right, "-q").out.find("wrong sign"), std::string::npos);
  EXPECT_EQ(io::parse_json(of(right, "--json").out, "out").at("tells_sign"), true);
  // Nothing is proved by a vector whose score is always 0.
  for (const Names& zero : {Names{"--query", "0,0", "--key", "1,2", "--positions", "1,2"},
                            {"--query", "1,2", "--key", "0,0", "--positions", "1,2"}}) {
    const Outcome run = of(zero, "-q");
    EXPECT_EQ(run.exit_code, 4);
    EXPECT_NE(flowing(run.out).find("every score of a zero vector is 0"), std::string::npos);
  }
}

TEST_F(VerifyTest, ThePlantedSideIsCalledWhatItIs) {
  const Outcome run = rope({"verify", "--control", "wrong-sign", "--frequencies", "1", "--query",
                            "1,0", "--key", "0,1", "--positions", "1,0"});
  EXPECT_NE(run.out.find("qᵀR_{m−n}k (planted)  -0.84147"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("qᵀR_{n−m}k"), std::string::npos) << run.out;
  const auto shown = [&](const std::string& control) {
    const Outcome one = rope({"verify", "--control", control, "--trials", "1"});
    const std::size_t at = one.out.find("\n  ⟨");
    return one.out.substr(at + 3, one.out.find("  ", at + 3) - at - 3);
  };
  EXPECT_EQ(shown("negative-query"), "⟨R_{−m} q, R_n k⟩ (planted)");
  EXPECT_EQ(shown("off-by-one"), "⟨R_{m+1} q, R_n k⟩ (planted)");
  EXPECT_EQ(shown("base-mismatch"), "⟨R_m q, R'_n k⟩ (planted)");
  EXPECT_EQ(shown("base-mismatch-right"), "⟨R_m q, R_n k⟩");
}

TEST_F(VerifyTest, TheFirstLinesAreTheAnswer) {
  const auto report = [&](Names arguments) {
    arguments.insert(arguments.begin(), "verify");
    const std::string out = rope(arguments).out;
    EXPECT_LE(std::ranges::count(out, '\n'), 14) << out;
    return flowing(out);
  };
  const auto expect_start = [&](const Names& arguments, const std::string& start) {
    const std::string text = report(arguments);
    EXPECT_TRUE(text.starts_with(start)) << text;
    return text;
  };
  expect_start(
      {},
      "PASS: The score of q at position m and k at position n depends on n − m alone. Over 2000 "
      "random cases at positions up to ±131072, ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k differ by "
      "at most 3.4e-16·|q||k| (rounding limit 6.1e-15). All 20 planted mistakes were "
      "caught (--details lists them). ");
  expect_start({"--trials", "1"}, "PASS: ");
  expect_start({"--policy", "float32"},
               "PASS: Policy float32 stays within its rounding limits. Over 2000 random cases at "
               "positions up to ±131072, ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k differ by at most "
               "0.00032·|q||k| (rounding limit ");
  expect_start({"--policy", "float32", "--require", "1e-3"}, "FAIL: Not good enough: at m = ");
  expect_start({"--control", "wrong-sign", "--trials", "100"},
               "FAIL: As expected, the planted mistake wrong-sign was caught (the right side is "
               "rotated by m − "
               "n instead of n − m); in 85 of 100 cases the two sides differ by more than "
               "rounding, at worst by ");
  expect_start(
      {"--policy", "float32", "--max-position", "1e9", "--trials", "100"},
      "INCONCLUSIVE: Positions beyond 16777216 collide in float32. No check failed, but in 69 of "
      "100 cases nothing is proven: ");
  EXPECT_NE(report({"--policy", "bfloat16-frequencies", "--trials", "100"})
                .find("The identity still holds"),
            std::string::npos);
  const Names given = {"--query",     "1,2", "--key",         "3,-1",
                       "--positions", "5,2", "--frequencies", "0.5"};
  expect_start(given,
               "PASS: At m = 5, n = 2, ⟨R_m q, R_n k⟩ and qᵀR_{n−m}k agree within rounding. "
               "⟨R_m q, R_n k⟩ -6.91172770456 ");
  Names planted = given;
  planted.insert(planted.end(), {"--control", "wrong-sign"});
  const std::string caught = report(planted);
  EXPECT_NE(
      caught.find(
          "; in this case the two sides differ by more than rounding: by 14 (rounding limit "),
      std::string::npos)
      << caught;
  report({"--model", "gpt-oss", "--policy", "bfloat16-positions"});
  report({"--policy", "float16-positions", "--trials", "500"});
}

TEST_F(VerifyTest, ARowThatAnyRotationMeetsIsOpen) {
  const Names far = {"verify", "--policy", "float32", "--max-position", "1e9", "--trials", "100"};
  const std::string text = rope(far).out;
  for (const char* check : {"random q, k", "every q, k: cos and sin only", "against exact scores",
                            "cos and sin against true angles", "same score after shifting m, n"}) {
    const std::size_t row = text.find(std::string("\n  ") + check);
    ASSERT_NE(row, std::string::npos) << check << text;
    EXPECT_TRUE(text.substr(row + 1, text.find('\n', row + 1) - row - 1).ends_with("open"))
        << check << text;
  }
  Names file = far;
  file.insert(file.end(), {"-o", "v.csv"});
  EXPECT_EQ(rope(file).exit_code, 4);
  EXPECT_EQ(read("v.csv").find("identity,"), read("v.csv").find('\n') + 1);
  for (const char* check : {"identity", "certificate", "exact", "faithfulness", "shift"}) {
    const std::string csv = read("v.csv");
    const std::size_t row = csv.find(std::string("\n") + check + ",");
    EXPECT_TRUE(csv.substr(row + 1, csv.find('\n', row + 1) - row - 1).ends_with(",open"))
        << check << csv;
  }
}

// A rotation by the wrong position is off by its angle alone: it keeps every length.
TEST_F(VerifyTest, ARotationByOneTooFarKeepsLengths) {
  const io::Json document = json({"--control", "off-by-one", "--positions", "0,0", "--query", "1,2",
                                  "--key", "3,4", "--dim", "2"});
  EXPECT_EQ(document.at("verdict"), "fail");
  EXPECT_EQ(document.at("orthogonality").at("violations"), 0);
  EXPECT_GT(document.at("orthogonality").at("bound").get<double>(), 0);
}

TEST_F(VerifyTest, DetailsHoldEveryNumber) {
  const std::string text = flowing(rope({"verify", "--details", "--trials", "50"}).out);
  for (const char* words : {"cases 50, seed 42, positions -131072 to 131072", "as computed",
                            "The two sides where the ratio",
                            "Guaranteed for every q and k at these positions: an error of at most ",
                            "The first of these is attained on pair ",
                            "Statistical check, not a proof: the largest error is ",
                            "20 planted mistakes, each tested on random q and k at positions -1000 "
                            "to 1000: 20 rejected.",
                            "rejected by the identity", "rejected by true angles"})
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  EXPECT_EQ(text.find("--details"), std::string::npos) << "they are here";
}

TEST_F(VerifyTest, JsonHoldsTheWarningsAndTheCaseThatIsNotFinite) {
  EXPECT_TRUE(json({"--trials", "1"}).at("warnings").empty());
  const io::Json warned = json({"--model", "llama-3.1-8b", "--base", "5", "--trials", "1"});
  ASSERT_EQ(warned.at("warnings").size(), 1U);
  EXPECT_NE(std::string(warned.at("warnings").at(0)).find("--base 5 replaces"), std::string::npos);
  const io::Json document =
      json({"--policy", "float16-positions", "--max-position", "100000", "--case", "3"});
  EXPECT_EQ(document.at("verdict"), "fail");
  EXPECT_EQ(document.at("not_finite_cases"), 1);
  EXPECT_TRUE(document.at("identity").at("worst").is_null());
  EXPECT_EQ(document.at("first_not_finite").at("case"), 3);
  EXPECT_EQ(document.at("first_not_finite").at("stage"), "position");
}

TEST_F(VerifyTest, TakesAnEmbeddingOfAnySizeWithoutADenseMatrix) {
  const Outcome run = rope({"verify", "--dim", "2048", "--trials", "3", "--details"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("forms      elementwise and complex"), std::string::npos);
}

TEST_F(VerifyTest, OfFourAxesThatOfTheTokensIsFoundAndTold) {
  std::vector<float> x(std::size_t{2} * 3 * 4 * 8);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i));
  write_npy("x.npy", {2, 3, 4, 8}, x);
  ASSERT_EQ(rope({"apply", "x.npy", "--token-axis", "2", "-o", "y.npy"}).exit_code, 0);
  const Outcome found = rope({"verify", "--input", "x.npy", "--result", "y.npy"});
  EXPECT_EQ(found.exit_code, 0);
  EXPECT_NE(found.out.find("tokens along axis 2"), std::string::npos) << found.out;
  EXPECT_EQ(exit_code({"--input", "x.npy", "--result", "y.npy", "--token-axis", "2"}), 0);
  EXPECT_EQ(exit_code({"--input", "x.npy", "--result", "y.npy", "--token-axis", "1"}), 1);
}

/// x and what a kernel made of it, judged by the library and by the program.
struct Kernel {
  RotaryEmbedding embedding;
  std::int64_t start = 0;
  std::vector<float> x, y;
};

void expect_same(const io::Json& document, const Kernel& kernel, const std::string& what) {
  const std::size_t d = kernel.embedding.head_dim;
  OutputCheck check(*find_policy("float32"), kernel.embedding, Format::float32);
  std::vector<double> x(d), y(d);
  for (std::size_t t = 0; t < kernel.x.size() / d; ++t) {
    const auto at = static_cast<std::ptrdiff_t>(t * d), size = static_cast<std::ptrdiff_t>(d);
    std::copy_n(kernel.x.begin() + at, size, x.begin());
    std::copy_n(kernel.y.begin() + at, size, y.begin());
    check.add_vector(t, kernel.start + static_cast<std::int64_t>(t), x, y);
  }
  const OutputReport& report = check.report();
  EXPECT_EQ(report.verdict(kernel.embedding), Verdict::pass)
      << what << ": " << report.violations << ", ratio " << report.worst.ratio();
  EXPECT_EQ(document.at("verdict"), name(report.verdict(kernel.embedding))) << what;
  const io::Json& outputs = document.at("outputs");
  EXPECT_EQ(outputs.at("compared"), report.compared) << what;
  EXPECT_EQ(outputs.at("violations"), report.violations) << what;
  EXPECT_EQ(outputs.at("worst").at("error"), report.worst.error) << what;
  EXPECT_EQ(outputs.at("worst").at("bound"), report.worst.bound) << what;
}

/// Llama 3.1 as transformers computes it, every step in float32.
Kernel llama_kernel(std::size_t tokens) {
  constexpr std::size_t kDim = 128, kHalf = 64;
  constexpr float kTwoPi = 6.2831855F, kFactor = 8, kLow = 1, kHigh = 4, kOriginal = 8192;
  Kernel kernel;
  kernel.embedding = embedding_of(preset_model("llama-3.1-8b").layers.front());
  std::array<float, kHalf> theta{};
  for (std::size_t k = 0; k < kHalf; ++k) {
    const float plain = 1 / std::pow(500000.0F, static_cast<float>(2 * k) / float{kDim});
    const float wavelength = kTwoPi / plain;
    const float smooth = (kOriginal / wavelength - kLow) / (kHigh - kLow);
    theta.at(k) = wavelength > kOriginal / kLow ? plain / kFactor
                  : wavelength < kOriginal / kHigh
                      ? plain
                      : (1 - smooth) * plain / kFactor + smooth * plain;
  }
  for (std::size_t m = 0; m < tokens; ++m) {
    std::array<float, kDim> x{};
    for (std::size_t i = 0; i < kDim; ++i) x.at(i) = std::sin(static_cast<float>(m * kDim + i));
    kernel.x.insert(kernel.x.end(), x.begin(), x.end());
    for (std::size_t i = 0; i < kDim; ++i) {
      const float angle = static_cast<float>(m) * theta.at(i % kHalf);
      const float other = i < kHalf ? -x.at(i + kHalf) : x.at(i - kHalf);
      kernel.y.push_back(x.at(i) * std::cos(angle) + other * std::sin(angle));
    }
  }
  return kernel;
}

TEST_F(VerifyTest, TheLibraryAndTheProgramAgreeOnALlamaKernelInFloat32) {
  const Kernel kernel = llama_kernel(4096);
  write_npy("x.npy", {4096, 128}, kernel.x);
  write_npy("y.npy", {4096, 128}, kernel.y);
  expect_same(json({"--input", "x.npy", "--result", "y.npy", "--model", "llama-3.1-8b", "--policy",
                    "float32"}),
              kernel, "llama-3.1-8b");
}

TEST_F(VerifyTest, TheLibraryAndTheProgramAgreeOnEveryPresetOfOneKindOfLayer) {
  std::size_t judged = 0;
  for (const std::string& preset : preset_names()) {
    const ModelRope model = preset_model(preset);
    if (model.layers.size() != 1 || !model.layers.front().rotates()) continue;
    Kernel kernel;
    kernel.embedding = embedding_of(model.layers.front());
    kernel.start = 1000;
    const Pipeline pipeline(*find_policy("float32"), kernel.embedding);
    const std::size_t d = kernel.embedding.head_dim;
    std::vector<double> x(d), y(d);
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t i = 0; i < d; ++i)
        x[i] = static_cast<double>(std::sin(static_cast<float>(t * d + i)));
      RotationRow row;
      pipeline.table_row(kernel.start + static_cast<std::int64_t>(t), row);
      pipeline.rotate(RotationForm::elementwise, row, x, y);
      kernel.x.insert(kernel.x.end(), x.begin(), x.end());
      kernel.y.insert(kernel.y.end(), y.begin(), y.end());
    }
    write_npy("x.npy", {3, d}, kernel.x);
    write_npy("y.npy", {3, d}, kernel.y);
    expect_same(json({"--input", "x.npy", "--result", "y.npy", "--model", preset, "--start", "1000",
                      "--policy", "float32"}),
                kernel, preset);
    ++judged;
  }
  EXPECT_GT(judged, 40U);
}

TEST_F(VerifyTest, AdvisesASizeOfVectorsThatWorks) {
  const auto advice = [&](Names more) {
    more.insert(more.begin(), {"verify", "--positions", "1,2"});
    const Outcome run = rope(more);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return run.err.substr(run.err.find('\n') + 1);
  };
  EXPECT_EQ(advice({"--query", "1,2,3", "--key", "1,2,3"}),
            "Dimensions are rotated in pairs: give one more number, or one fewer.\n");
  EXPECT_EQ(advice({"--query", "1,2,3,0", "--key", "1,2,3,0", "--dim", "2"}),
            "Give --dim 4 if that is the size of your vectors.\n");
  EXPECT_EQ(advice({"--query", "1,2", "--key", "1,2", "--frequencies", "1,0.5"}),
            "Give 4 numbers, one for each dimension of the head.\n");
  EXPECT_EQ(advice({"--query", "1,2", "--key", "1,2", "--model", "llama-2"}),
            "Give 128 numbers, one for each dimension of the head.\n");
  EXPECT_EQ(advice({"--query", "1,2,3,0", "--key", "1,2", "--dim", "4"}),
            "q and k must have the same length: give --key as many numbers as --query.\n");
  EXPECT_EQ(advice({"--query", "ones", "--key", "random"}),
            "Without vectors of your own, q and k are random: leave out --query and --key.\n");
  for (const Names& size : {Names{}, Names{"--dim", "4"}}) {
    Names words = {"verify", "--positions", "1,2", "--query", "1,2,3,0", "--key", "turned:3"};
    words.insert(words.end(), size.begin(), size.end());
    EXPECT_EQ(rope(words).exit_code, 0);
  }
}

}  // namespace
}  // namespace rope::test
