// rope apply, as a user types it.

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/safetensors.hpp"
#include "rope/io/tensor.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope::test {
namespace {

using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

class ApplyTest : public CliTest {
 protected:
  /// Writes an array of 1, 2, 3 …
  void write_counting(const std::string& name, const io::Shape& shape) const {
    write(name, io::to_npy(shape, counting(shape)));
  }
  static Numbers counting(const io::Shape& shape) {
    Numbers values(*io::element_count(shape));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + static_cast<double>(i);
    return values;
  }
  Numbers numbers(const std::string& name) const {
    return io::npy_tensor(read(name), name).doubles();
  }

  /// Runs rope apply, which must refuse: its message and its remedy, without their prefix.
  std::string refusal(const Names& arguments, int exit_code = 2) const {
    Names all = {"apply"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome run = rope(all);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    const std::string prefix = "rope apply: ";
    EXPECT_TRUE(run.err.starts_with(prefix)) << run.err;
    return run.err.substr(std::min(prefix.size(), run.err.size()),
                          run.err.find('\n') - prefix.size());
  }
};

/// Each vector rotated alone.
Numbers rotated(const RotaryEmbedding& embedding, const Numbers& x,
                const std::vector<std::int64_t>& position_of_vector) {
  Numbers y(x.size());
  const std::size_t d = embedding.head_dim;
  for (std::size_t v = 0; v < position_of_vector.size(); ++v)
    rotate_elementwise(embedding, rotation_row(embedding, position_of_vector[v]),
                       std::span(x).subspan(v * d, d), std::span(y).subspan(v * d, d));
  return y;
}

TEST_F(ApplyTest, RotatesAFileByThePositionsOfItsTokens) {
  write_counting("x.npy", {3, 2, 8});
  const Outcome run = rope({"apply", "x.npy", "--positions", "5,-2,100", "--layout", "half",
                            "--base", "500000", "-o", "y.npy"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.ends_with("wrote y.npy\n")) << run.out;
  const RotaryEmbedding embedding = default_embedding(8, 500000, PairLayout::half);
  EXPECT_EQ(numbers("y.npy"), rotated(embedding, counting({3, 2, 8}), {5, 5, -2, -2, 100, 100}));
  EXPECT_EQ(io::npy_tensor(read("y.npy"), "y").shape(), (io::Shape{3, 2, 8}));
}

TEST_F(ApplyTest, CountsFromAStartAlongAnyAxisAndInPackedSequences) {
  write_counting("x.npy", {2, 3, 4});
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const auto expect = [&](const Names& options, const std::vector<std::int64_t>& positions) {
    Names arguments = {"apply", "x.npy", "-o", "y.npy"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(rope(arguments).exit_code, 0);
    EXPECT_EQ(numbers("y.npy"), rotated(embedding, counting({2, 3, 4}), positions));
  };
  expect({}, {0, 0, 0, 1, 1, 1});
  expect({"--start", "7"}, {7, 7, 7, 8, 8, 8});
  expect({"--token-axis", "1"}, {0, 1, 2, 0, 1, 2});
  expect({"--token-axis", "-2", "--start", "-1"}, {-1, 0, 1, -1, 0, 1});
  expect({"--token-axis", "1", "--lengths", "2,1"}, {0, 1, 0, 0, 1, 0});
  expect({"--token-axis", "1", "--lengths", "1,2", "--start", "5"}, {5, 5, 6, 5, 5, 6});
  expect({"--token-axis", "1", "--positions", "9,8,7"}, {9, 8, 7, 9, 8, 7});
  expect({"--token-axis", "1", "--positions", "1:6"}, {1, 2, 3, 4, 5, 6});
}

TEST_F(ApplyTest, RefusesToGuessTheTokensOfMoreThanThreeAxes) {
  const auto refused = [&](const io::Shape& shape, const std::string& remedy) {
    write_counting("x.npy", shape);
    for (const Names& arguments :
         {Names{"apply", "x.npy", "-o", "y.npy"}, Names{"apply", "x.npy", "--golden", "g_"}}) {
      const Outcome run = rope(arguments);
      EXPECT_EQ(run.exit_code, 2) << arguments[0];
      EXPECT_NE(run.err.find("x.npy: expected --token-axis with a tensor of "), std::string::npos)
          << run.err;
      EXPECT_NE(run.err.find(remedy), std::string::npos) << run.err;
      EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
      EXPECT_EQ(run.err.find("\\x0a"), std::string::npos) << run.err;
      EXPECT_EQ(files(), Names{"x.npy"});
    }
  };
  refused({1, 2, 3, 4}, "It looks like [batch, heads, tokens, head_dim]: use --token-axis 2");
  refused({3, 1, 2, 4}, "--token-axis 2");
  refused({1, 1, 2, 3, 4}, "[..., tokens, head_dim], use --token-axis -2");
  refused({1, 1, 1, 2, 3, 4}, "--token-axis -2");
}

TEST_F(ApplyTest, TakesAnAxisOfFourThatIsNamed) {
  write_counting("x.npy", {1, 2, 3, 4});
  const RotaryEmbedding embedding = default_embedding(4, 10000);
  const auto expect = [&](const char* axis, const std::vector<std::int64_t>& positions) {
    EXPECT_EQ(rope({"apply", "x.npy", "--token-axis", axis, "-o", "y.npy"}).exit_code, 0);
    EXPECT_EQ(numbers("y.npy"), rotated(embedding, counting({1, 2, 3, 4}), positions)) << axis;
  };
  expect("2", {0, 1, 2, 0, 1, 2});
  expect("-2", {0, 1, 2, 0, 1, 2});
  expect("1", {0, 0, 0, 1, 1, 1});
  expect("0", {0, 0, 0, 0, 0, 0});
}

TEST_F(ApplyTest, TheInverseGivesTheVectorsBackWithAFactorToo) {
  write_counting("x.npy", {4, 8});
  const Names yarn = {"--scaling", "yarn:factor=8,original=64", "--start", "1000"};
  const auto with = [&](Names arguments) {
    arguments.insert(arguments.end(), yarn.begin(), yarn.end());
    return rope(arguments);
  };
  EXPECT_EQ(with({"apply", "x.npy", "-o", "y.npy"}).exit_code, 0);
  const Outcome back = with({"apply", "y.npy", "--inverse", "-o", "z.npy"});
  EXPECT_EQ(back.exit_code, 0);
  EXPECT_NE(back.out.find("R_m^-1 = R_-m / A^2: cos and sin times 1/A = 0.827853"),
            std::string::npos)
      << back.out;
  const Numbers x = counting({4, 8}), y = numbers("y.npy"), z = numbers("z.npy");
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(z[i], x[i], 4e-14);
    EXPECT_NE(y[i], x[i]);
  }
}

TEST_F(ApplyTest, TheThreeFormsAgree) {
  write_counting("x.npy", {5, 6});
  Numbers first;
  for (const char* form : {"elementwise", "matrix", "complex"}) {
    ASSERT_EQ(rope({"apply", "x.npy", "--form", form, "-o", "y.npy"}).exit_code, 0);
    const Numbers y = numbers("y.npy");
    if (first.empty()) first = y;
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], first[i], 1e-14) << form;
  }
}

TEST_F(ApplyTest, KeepsTheTypeOfTheInputAndWritesAnother) {
  const auto type_of = [&](const std::string& file) {
    return io::npy_tensor(read(file), "y").type();
  };
  const std::vector<float> single{1.5F, -2.25F, 3, 4};
  write("x32.npy", io::to_npy({1, 4}, std::span<const float>(single)));
  const std::string bf16_bits("\x80\x3f\x00\xc0\x40\x40\x80\x40", 8);  // 1, -2, 3, 4
  write("xv.npy", io::npy_header(io::ElementType::bfloat16, {1, 4}) + bf16_bits);
  write("xu.npy", io::npy_header(io::ElementType::uint16, {1, 4}) + bf16_bits);
  ASSERT_EQ(rope({"apply", "x32.npy", "--start", "3", "-o", "y.npy"}).exit_code, 0);
  EXPECT_EQ(type_of("y.npy"), io::ElementType::float32);
  const Numbers exact = rotated(default_embedding(4, 10000), {1.5, -2.25, 3, 4}, {3});
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(numbers("y.npy")[i], static_cast<double>(static_cast<float>(exact[i])));
  ASSERT_EQ(rope({"apply", "x32.npy", "--dtype", "f64", "-o", "y.npy"}).exit_code, 0);
  EXPECT_EQ(type_of("y.npy"), io::ElementType::float64);
  ASSERT_EQ(rope({"apply", "x32.npy", "--dtype", "f16", "-o", "y.npy"}).exit_code, 0);
  EXPECT_EQ(type_of("y.npy"), io::ElementType::float16);
  ASSERT_EQ(rope({"apply", "xv.npy", "-o", "y.npy"}).exit_code, 0);
  EXPECT_EQ(type_of("y.npy"), io::ElementType::bfloat16);
  EXPECT_EQ(read("y.npy"), read("xv.npy"));  // position 0
  EXPECT_EQ(refusal({"xu.npy", "-o", "z.npy"}),
            "xu.npy: expected floating-point numbers, found uint16");
  ASSERT_EQ(rope({"apply", "xu.npy", "--bfloat16", "-o", "z.npy"}).exit_code, 0);
  EXPECT_EQ(read("z.npy"), read("xu.npy"));  // the bits as integers again
}

TEST_F(ApplyTest, ReadsAndWritesSafetensorsAndCsv) {
  write_counting("x.npy", {2, 4});
  const Numbers expected = rotated(default_embedding(4, 10000), counting({2, 4}), {0, 1});
  ASSERT_EQ(
      rope({"apply", "x.npy", "-o", "y.safetensors", "-o", "y.csv", "-o", "y.json"}).exit_code, 0);
  EXPECT_EQ(io::open_tensor(path("y.safetensors")).doubles(), expected);
  EXPECT_EQ(io::open_tensor(path("y.csv")).doubles(), expected);
  const io::Json document = io::parse_json(read("y.json"), "y.json");
  EXPECT_EQ(document.at("schema"), "rope.apply/2");
  EXPECT_EQ(document.at("y").at(1).at(2), expected[6]);
  EXPECT_EQ(document.at("position"), (std::vector<int>{0, 1}));
  // Back again from each of them.
  for (const char* file : {"y.safetensors", "y.csv", "y.safetensors:tensor"}) {
    ASSERT_EQ(rope({"apply", file, "--inverse", "-o", "z.npy"}).exit_code, 0) << file;
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(numbers("z.npy")[i], 1 + static_cast<double>(i), 4e-15) << file;
  }
}

TEST_F(ApplyTest, NamesNaNInCsvSoThatItReadsBack) {
  write("x.csv", "1,nan,3,4\ninf,6,7,8\n");
  ASSERT_EQ(rope({"apply", "x.csv", "-o", "y.csv"}).exit_code, 0);
  EXPECT_NE(read("y.csv").find("nan"), std::string::npos);
  EXPECT_EQ(rope({"apply", "y.csv", "--inverse", "-o", "z.csv"}).exit_code, 0);
}

TEST_F(ApplyTest, RunsInAPipe) {
  write_counting("x.npy", {3, 4});
  ASSERT_EQ(rope({"apply", "x.npy", "--start", "9", "-o", "y.npy"}).exit_code, 0);
  const Outcome pipe = shell("cat x.npy | rope apply - --start 9 -o - --format npy > z.npy");
  EXPECT_EQ(pipe.exit_code, 0) << pipe.err;
  EXPECT_EQ(read("z.npy"), read("y.npy"));
  EXPECT_EQ(files(), (Names{"x.npy", "y.npy", "z.npy"}));
}

TEST_F(ApplyTest, EmulatesAPolicyAndSaysWhatItRounded) {
  write("x.csv", "1,0.1\n0.5,2\n");
  const Outcome run =
      rope({"apply", "x.csv", "--start", "7", "--policy", "bfloat16-table", "-o", "y.npy"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err,
            "rope apply: warning: x.csv: rounded 1 of 4 numbers to bf16, the policy's input "
            "format\n");
  for (const double value : numbers("y.npy"))
    EXPECT_EQ(value, std::ldexp(std::round(std::ldexp(value, 12)), -12)) << "few bits";
}

TEST_F(ApplyTest, LengthDependentScalingTakesTheLargestPositionAsTransformersDoes) {
  write_counting("x.npy", {2, 8});
  const Names dynamic = {"apply",  "x.npy",     "--positions",
                         "5,9999", "--scaling", "dynamic:factor=2,original=4096",
                         "-o",     "y.npy"};
  const Outcome run = rope(dynamic);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("--seq-len: taken as 10000, the largest position + 1"), std::string::npos)
      << run.err;
  Names named = dynamic;
  named.insert(named.end(), {"--seq-len", "10000"});
  const std::string taken = read("y.npy");
  EXPECT_EQ(rope(named).err, "");
  EXPECT_EQ(read("y.npy"), taken);
  named.back() = "4096";
  EXPECT_EQ(rope(named).exit_code, 0);
  EXPECT_NE(read("y.npy"), taken);
  // Other rules do not need it.
  EXPECT_EQ(rope({"apply", "x.npy", "--scaling", "linear:factor=2", "-o", "y.npy"}).err, "");
}

TEST_F(ApplyTest, AModelSaysAllButThePositions) {
  write_counting("x.npy", {1, 64});
  EXPECT_EQ(rope({"apply", "x.npy", "--model", "gpt-oss", "--start", "3", "-o", "y.npy"}).exit_code,
            0);
  EXPECT_EQ(refusal({"x.npy", "--model", "llama-3.1-8b"}),
            "x.npy: expected a last axis of 128, the head size of the embedding, found shape (1, "
            "64)");
}

TEST_F(ApplyTest, ExplainsEveryPair) {
  const Outcome run = rope({"apply", "--vector", "1,2,3,4,5", "--rotary-dim", "4", "--dim", "5"});
  EXPECT_EQ(run.exit_code, 2);
  const Outcome board =
      rope({"apply", "--vector", "1,2,3,4,5,6", "--rotary-dim", "4", "--start", "3", "--explain"});
  EXPECT_EQ(board.exit_code, 0);
  for (const char* part :
       {"x' = x cos φ − y sin φ", "-0.989992",
        "pair 0: x' = 1 · (-0.989992) − 2 · 0.14112 = -1.27223", "dimensions 4 … 5 pass through"})
    EXPECT_NE(board.out.find(part), std::string::npos) << part << board.out;
  const Outcome json = rope({"apply", "--vector", "1,2", "--start", "3", "--explain", "--json"});
  const io::Json document = io::parse_json(json.out, "out");
  const io::Json& pair = document.at("pairs").at(0);
  EXPECT_EQ(pair.at("before"), (Numbers{1, 2}));
  EXPECT_EQ(pair.at("after"), document.at("y").at(0));
  EXPECT_EQ(pair.at("angle"), 3.0);
}

TEST_F(ApplyTest, EveryFormAndTheInverseStandOnTheBoard) {
  const auto board = [&](const Names& options) {
    Names arguments = {"apply", "--vector", "1,2", "--start", "3", "--explain"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return rope(arguments).out;
  };
  EXPECT_NE(board({"--form", "matrix"}).find("[cos φ  −sin φ; sin φ  cos φ]"), std::string::npos);
  EXPECT_NE(board({"--form", "complex"}).find("(x + iy)(cos φ + i sin φ)"), std::string::npos);
  EXPECT_NE(board({"--inverse"}).find("the opposite turn"), std::string::npos);
}

// As transformers does: a rule that depends on the length gets the largest position + 1.
TEST_F(ApplyTest, WritesTestVectorsOfARuleThatDependsOnTheLength) {
  const Names rule = {"--layout", "half", "--scaling", "dynamic:factor=4,original=100"};
  const auto with_rule = [&](Names words) {
    words.insert(words.end(), rule.begin(), rule.end());
    return rope(words);
  };
  ASSERT_EQ(with_rule({"apply", "--golden", "g_", "--dim", "8", "--positions", "200"}).exit_code,
            0);
  EXPECT_EQ(with_rule({"verify", "--input", "g_x.npy", "--result", "g_y.npy", "--positions", "200",
                       "--seq-len", "201"})
                .exit_code,
            0);
}

TEST_F(ApplyTest, WritesTestVectorsThatTheVerdictAccepts) {
  ASSERT_EQ(shell("mkdir golden").exit_code, 0);
  const Outcome run = rope(
      {"apply", "--golden", "golden", "--dim", "8", "--layout", "half", "--policy", "float32"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* file :
       {"x.npy", "positions.npy", "y.npy", "bound.npy", "vectors.csv", "golden.json"})
    EXPECT_NE(run.out.find(std::string("wrote golden/") + file), std::string::npos);
  const Numbers x = numbers("golden/x.npy"), y = numbers("golden/y.npy"),
                bound = numbers("golden/bound.npy");
  const std::vector<std::int64_t> positions =
      io::npy_tensor(read("golden/positions.npy"), "p").integers();
  ASSERT_EQ(positions.size() * 2 * 8, x.size());
  std::vector<std::int64_t> of_vectors;
  for (const std::int64_t position : positions) of_vectors.insert(of_vectors.end(), 2, position);
  const Numbers own = rotated(default_embedding(8, 10000, PairLayout::half), x, of_vectors);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(std::abs(own[i] - y[i]), 1e-15 * 8);
    EXPECT_GT(bound[i], 0);
    EXPECT_EQ(x[i], static_cast<double>(static_cast<float>(x[i])));
  }
  EXPECT_EQ(rope({"verify", "--input", "golden/x.npy", "--result", "golden/y.npy", "--positions",
                  "golden/positions.npy", "--layout", "half"})
                .exit_code,
            0);
  EXPECT_NE(read("golden/vectors.csv").find("0x1."), std::string::npos);
  EXPECT_EQ(io::parse_json(read("golden/golden.json"), "g").at("schema"), "rope.golden/2");
  // The same seed, the same bytes; given vectors, a prefix.
  ASSERT_EQ(rope({"apply", "golden/x.npy", "--positions", "0:11", "--golden", "own_"}).exit_code,
            0);
  EXPECT_EQ(numbers("own_x.npy"), x);
}

TEST_F(ApplyTest, TestVectorsReplaceNoFileOfOthers) {
  write_counting("x.npy", {3, 4});
  write("y.npy", "mine");
  const std::string x = read("x.npy");
  const Outcome refused = rope({"apply", "--golden", "./", "--dim", "8"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(flowing(refused.err)
                .find("--golden: expected unused file names, or those of test vectors "
                      "written by rope, got './x.npy' and './y.npy' Choose another prefix"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(read("x.npy"), x);
  EXPECT_EQ(read("y.npy"), "mine");
  EXPECT_EQ(files(), (std::vector<std::string>{"x.npy", "y.npy"}));
  // Its own it replaces, and writes the same bytes over the same; but not an array put among them.
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "8"}).exit_code, 0);
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "16", "--positions", "0:3"}).exit_code, 0);
  ASSERT_EQ(shell("rm g_golden.json").exit_code, 0);
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "16", "--positions", "0:3"}).exit_code, 0);
  write("g_x.npy", x);
  EXPECT_EQ(rope({"apply", "--golden", "g_", "--dim", "8"}).exit_code, 2);
  EXPECT_EQ(read("g_x.npy"), x);
}

TEST_F(ApplyTest, SaysWhatIsWrittenBehindAPolicy) {
  const auto arithmetic = [&](const std::string& type, const std::string& policy) {
    return flowing(
        rope({"apply", "--vector", "1,2", "--start", "3", "--dtype", type, "--policy", policy})
            .out);
  };
  EXPECT_NE(arithmetic("f16", "float32").find("sum f32, then rounded to float16"),
            std::string::npos);
  EXPECT_NE(arithmetic("f16", "bfloat16-table").find("then rounded to float16"), std::string::npos);
  EXPECT_EQ(arithmetic("f64", "float32").find("then rounded"), std::string::npos);
  EXPECT_EQ(arithmetic("f32", "bfloat16-table").find("then rounded"), std::string::npos);
}

TEST_F(ApplyTest, QuietTellsEveryVector) {
  const Outcome run = rope({"apply", "--vector", "1,2", "--vector", "3,4", "-q"});
  EXPECT_NE(run.out.find("m = 0: (1, 2)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("m = 1: ("), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("arithmetic"), std::string::npos) << run.out;
}

TEST_F(ApplyTest, SaysWhatAFileIsThatHoldsNoTensor) {
  const auto found = [&](const std::string& bytes) {
    write("x.bin", bytes);
    return flowing(rope({"apply", "x.bin", "-o", "y.npy"}).err);
  };
  EXPECT_NE(found("\x1f\x8b\x08").find("found a gzip file Unpack it first"), std::string::npos);
  EXPECT_NE(found("PK\x03\x04").find("found a zip archive"), std::string::npos);
  EXPECT_NE(found("%PDF-1.7").find("found a PDF"), std::string::npos);
  EXPECT_NE(found("{\"a\": 1}").find("found text"), std::string::npos);
  EXPECT_NE(found("\x01\x02").find("found bytes of another kind"), std::string::npos);
  EXPECT_NE(flowing(shell("echo 1,2 | rope apply - -o y.npy").err)
                .find("standard input: expected a .npy file, found text Standard input is read "
                      "only as a .npy file"),
            std::string::npos);
}

TEST_F(ApplyTest, SaysThatNothingIsWritten) {
  write_counting("x.npy", {20, 4});
  const Outcome run = rope({"apply", "x.npy"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "rope apply: warning: nothing is written: name a file with -o\n");
}

TEST_F(ApplyTest, RefusesWhatIsWrongInOneLineAndSaysWhatToDo) {
  write_counting("x.npy", {3, 4});
  write_counting("odd.npy", {3, 5});
  write("i.npy", io::to_npy({2}, std::span<const std::int64_t>(std::vector<std::int64_t>{1, 2})));
  write("bad.npy", "no array");
  EXPECT_EQ(refusal({}), "X: expected a file or --vector, got neither");
  EXPECT_EQ(refusal({"x.npy", "--vector", "1,2"}), "X: expected a file or --vector, got both");
  EXPECT_EQ(refusal({"--vector", "1,2", "--vector", "1"}),
            "--vector: expected 2 numbers, as in the first vector, got 1");
  EXPECT_EQ(refusal({"odd.npy"}),
            "odd.npy: expected a last axis of even length, the head size, found shape (3, 5)");
  EXPECT_EQ(refusal({"x.npy", "--dim", "8"}),
            "x.npy: expected a last axis of 8, the head size of the embedding, found shape (3, 4)");
  EXPECT_EQ(refusal({"i.npy"}), "i.npy: expected floating-point numbers, found int64");
  EXPECT_EQ(refusal({"x.npy", "--positions", "1,2"}),
            "--positions: expected 3, one per token, got 2");
  EXPECT_EQ(refusal({"x.npy", "--lengths", "1,1"}),
            "--lengths: expected a sum of 3, the number of tokens, got 2");
  EXPECT_EQ(refusal({"x.npy", "--positions", "1,2,3", "--start", "1"}),
            "--start: cannot be used with --positions: each sets the positions of the tokens");
  EXPECT_EQ(refusal({"x.npy", "--token-axis", "1"}),
            "x.npy: expected a token axis before the last axis of shape (3, 4), found axis 1");
  EXPECT_EQ(
      refusal({"x.npy", "--start", "9223372036854775806"}),
      "--start: expected 3 positions up to 2^63 - 1, got 9223372036854775806 as the first one");
  EXPECT_EQ(refusal({"x.npy", "--dtype", "f8"}),
            "--dtype: expected f64, f32, f16 or bf16, got 'f8'");
  EXPECT_EQ(refusal({"x.npy", "--form", "quaternion"}),
            "--form: expected elementwise, matrix or complex, got 'quaternion'");
  EXPECT_EQ(refusal({"x.npy", "--form", "matrix", "--policy", "float32"}),
            "--form: expected no --policy with it, got both");
  EXPECT_EQ(refusal({"x.npy", "--seed", "1"}), "--seed: expected --golden with it, got none");
  EXPECT_EQ(refusal({"x.npy", "-o", "y.png"}),
            "-o: expected a name that ends in npy, safetensors, csv, json, md or tex, got 'y.png'");
  EXPECT_EQ(refusal({"--golden", "g", "-o", "y.npy"}),
            "--output: cannot be used with --golden: the files of --golden have names and formats "
            "of their own");
  EXPECT_EQ(refusal({"--golden", "g", "--start", "1"}),
            "--start: expected vectors with it, got none");
  EXPECT_NE(refusal({"bad.npy"}).find("expected the first bytes of a .npy file, found "),
            std::string::npos);
  EXPECT_NE(refusal({"missing.npy"}, 3).find("No such file"), std::string::npos);
  EXPECT_NE(refusal({"x.npy", "-o", "nowhere/y.npy"}, 3).find("nowhere"), std::string::npos);
  EXPECT_EQ(files(), (Names{"bad.npy", "i.npy", "odd.npy", "x.npy"}));
}

TEST_F(ApplyTest, ExplainsOnlyWhatFitsABoard) {
  write_counting("x.npy", {100, 128});
  EXPECT_EQ(refusal({"x.npy", "--explain"}),
            "--explain: expected at most 512 pairs in total, got 100 vectors with 64 pairs each");
}

TEST_F(ApplyTest, AFailureLeavesTheOldFile) {
  write_counting("x.npy", {100, 4});
  write("y.npy", "old");
  // Cut short behind the header: found when it is opened.
  write("cut.npy", read("x.npy").substr(0, 1000));
  EXPECT_NE(refusal({"cut.npy", "-o", "y.npy"}).find("found 872 bytes of data"), std::string::npos);
  const Outcome limited =
      shell("ulimit -f 1; rope apply x.npy -o y.npy");  // blocks of 512 or 1024 bytes
  EXPECT_EQ(limited.exit_code, 3) << limited.err;
  EXPECT_EQ(read("y.npy"), "old");
  const Outcome full = rope({"apply", "x.npy", "-o", "/dev/full", "--format", "npy"});
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_EQ(files(), (Names{"cut.npy", "x.npy", "y.npy"}));
}

TEST_F(ApplyTest, VectorsThatHoldNoNumberAreCounted) {
  write("x.csv", "1,2,3,4\nnan,2,3,4\n1,inf,nan,4\n1,2,3,4\n");
  const Outcome run = rope({"apply", "x.csv", "-o", "y.npy"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(flowing(run.err),
            "rope apply: warning: x.csv: a NaN or an infinity in 2 of 4 vectors, before and "
            "after the rotation");
}

}  // namespace
}  // namespace rope::test
