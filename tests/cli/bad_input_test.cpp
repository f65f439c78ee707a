// What a user can give wrong: one message, exit code 2, nothing left behind.

#include <algorithm>

#include "cli/run.hpp"

namespace rope::test {
namespace {

class BadInputTest : public CliTest {
 protected:
  /// Runs a command that must be refused with this first line.
  void refused(const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), message);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;  // what is wrong, what to do
    EXPECT_EQ(files(), std::vector<std::string>{});
  }
};

TEST_F(BadInputTest, DimThatIsNoEvenIntegerInRange) {
  const std::string expected = "rope decay: --dim: expected an even integer from 2 to 65536, got ";
  for (const char* dim : {"7", "0", "-2", "65538", "abc", "+", "", "8x", "2.5", "1e-2"})
    refused({"decay", "--dim", dim}, expected + "'" + dim + "'" + (*dim == 0 ? " (nothing)" : ""));
  refused({"decay", "--dim", "99999999999999999999"},
          expected + "'99999999999999999999' (beyond 64 bits)");
  refused({"decay", "--dim", "1e99"}, expected + "'1e99' (beyond 64 bits)");
  refused({"decay", "--dim", "010"}, expected + "'010' (a leading zero)");
  refused({"decay", "--dim", "0x10"}, expected + "'0x10' (only decimal digits are read)");
}

TEST_F(BadInputTest, BaseThatIsNoPositiveNumber) {
  const std::string expected = "rope decay: --base: expected a finite number above 0, got ";
  for (const char* base : {"0", "-1", "nan", "inf", "-inf", "abc", "1e4x", "", "0x10", "+-5"})
    refused({"decay", "--base", base}, expected + "'" + base + "'");
  refused({"decay", "--base", "1e400"}, expected + "'1e400' (too large for a 64-bit float)");
  refused({"decay", "--base", "1e-400"}, expected + "'1e-400' (too small for a 64-bit float)");
}

TEST_F(BadInputTest, Positions) {
  const std::string expected = "rope matrix: --positions: expected ";
  refused({"matrix", "--positions", "1,,2"},
          expected + "an integer or a range between commas, got nothing");
  refused({"matrix", "--positions", "1,2,"},
          expected + "an integer or a range between commas, got nothing");
  refused({"matrix", "--positions", ""},
          expected + "an integer or a range between commas, got nothing");
  refused({"matrix", "--positions", "1,0100"},
          expected + "an integer, got '0100' (a leading zero)");
  refused({"matrix", "--positions", "1,99999999999999999999"},
          expected + "an integer, got '99999999999999999999' (beyond 64 bits)");
  refused({"matrix", "--positions", "5:1"}, expected + "A <= B in A:B, got '5:1'");
  refused({"matrix", "--positions", "0:9:0"}, expected + "a positive STEP, got 0");
  refused({"matrix", "--positions", "0:9:-1"}, expected + "a positive STEP, got -1");
  refused({"matrix", "--positions", "0:"}, expected + "an integer, got '' in '0:' (nothing)");
  refused({"matrix", "--positions", "0:9:log5"}, expected + "1 <= A <= B in A:B:logN, got 0:9");
  refused({"matrix", "--positions", "1:9:log1"}, expected + "at least 2 values in A:B:logN, got 1");
  refused({"matrix", "--positions", "0:1:2:3"},
          expected + "A:B, A:B:STEP or A:B:logN, got '0:1:2:3'");
  refused({"matrix", "--positions", "nowhere"},
          expected + "integers, a range or an existing file, got 'nowhere'");
  refused({"decay", "--distances", "1:100000001"},
          "rope decay: --distances: expected at most 33554432 values, got more");
  refused({"decay", "--distances", "-9223372036854775808:9223372036854775807"},
          "rope decay: --distances: expected at most 33554432 values, got more");
}

TEST_F(BadInputTest, AStepThatLeadsAwayIsAnsweredWithOnesThatDoNot) {
  const auto remedy = [&](const std::string& list) {
    const std::string err = rope({"matrix", "--positions", list}).err;
    return err.substr(err.find('\n') + 1);
  };
  EXPECT_EQ(remedy("1:10:-1"), "A:B:STEP counts from A to B. Up: 1:10:1, down: 10:1:-1.\n");
  EXPECT_EQ(remedy("10:1:2"), "A:B:STEP counts from A to B. Up: 1:10:1, down: 10:1:-1.\n");
  EXPECT_EQ(remedy("-3:4:0"), "A:B:STEP counts from A to B. Up: -3:4:1, down: 4:-3:-1.\n");
}

TEST_F(BadInputTest, OptionsThatNeedAValueOrTakeNone) {
  refused({"decay", "--dim"}, "rope decay: --dim: expected a value, got none");
  refused({"decay", "--dim="}, "rope decay: --dim: expected a value, got none");
  refused({"decay", "--quiet=1"}, "rope decay: --quiet: expected no value, got '1'");
  refused({"decay", "8"}, "rope decay: unexpected argument '8'");
  refused({"decay", "--seed", "1", "--seed", "2"},
          "rope decay: --seed: expected once, given 2 times");
  refused({"matrix", "--dim", "4", "--dim", "8"},
          "rope matrix: --dim: expected once, given 2 times");
}

TEST_F(BadInputTest, RotaryOptionsThatDisagree) {
  refused({"decay", "--frequencies", "1,2", "--base", "3"},
          "rope decay: --frequencies: expected either frequencies or a base, got both");
  refused({"decay", "--frequencies", "1,,2"},
          "rope decay: --frequencies: expected a finite number of at least 0, got ''");
  refused({"decay", "--frequencies", "-1"},
          "rope decay: --frequencies: expected a finite number of at least 0, got '-1'");
  refused({"decay", "--frequencies", "1,2", "--dim", "2"},
          "rope decay: --dim: expected at least 4, twice the number of frequencies, got 2");
  refused({"decay", "--rotary-dim", "256"},
          "rope decay: --rotary-dim: expected an even integer from 2 to the head size 128, got "
          "'256'");
  refused({"decay", "--base", "5", "--base", "5.0"},
          "rope decay: --base: expected different values, got 5 twice");
  refused({"decay", "--family", "linear", "--base", "5"},
          "rope decay: --base: expected no --family with it, got both");
  refused({"decay", "--layout", "other"},
          "rope decay: --layout: expected interleaved or half, got 'other'");
}

TEST_F(BadInputTest, Outputs) {
  refused(
      {"decay", "-o", "x.foo"},
      "rope decay: -o: expected a name that ends in csv, json, png, svg, pdf, gp, md or tex, got "
      "'x.foo'");
  refused({"wavelengths", "-o", "x.npy"},
          "rope wavelengths: -o: expected a name that ends in csv, json, png, svg, pdf, gp, md or "
          "tex, got "
          "'x.npy'");
  refused({"decay", "-o", ""}, "rope decay: -o: expected the name of a file, got an empty name");
  refused({"decay", "-o", "", "--format", "csv"},
          "rope decay: -o: expected the name of a file, got an empty name");
  refused({"decay", "-o", "-"},
          "rope decay: -o: expected --format with a file that has no extension, got '-'");
  refused({"decay", "-o", "a.csv", "-o", "./a.csv"},
          "rope decay: -o: expected different files, got './a.csv' twice");
  refused({"decay", "--json", "-o", "-", "--format", "csv"},
          "rope decay: -o: expected different files, got '-' twice");
  refused({"decay", "-o", "a.csv", "--format", "png"},
          "rope decay: --format: expected a file that needs it, got none");
  refused({"decay", "--size", "5x5"},
          "rope decay: --size: expected WIDTHxHEIGHT in pixels, from 320x240 to 8000x8000, or on "
          "paper, from 2x1.5in to 26x26in, got "
          "'5x5'");
  refused({"decay", "--size", "400"},
          "rope decay: --size: expected WIDTHxHEIGHT in pixels, from 320x240 to 8000x8000, or on "
          "paper, from 2x1.5in to 26x26in, got "
          "'400'");
  refused({"decay", "--style", "pink"}, "rope decay: --style: expected light or dark, got 'pink'");
  refused({"decay", "--color", "pink"},
          "rope decay: --color: expected auto, always or never, got 'pink'");
  refused({"decay", "--cpu-level", "v9"},
          "rope decay: --cpu-level: expected auto, baseline, v3 or v4, got 'v9'");
  refused({"decay", "--show", "--json"},
          "rope decay: --show: expected the report on standard output, got another document there");
}

TEST_F(BadInputTest, DecayAndWavelengths) {
  refused({"decay", "--random-pairs", "1"},
          "rope decay: --random-pairs: expected 0 or an integer from 2 to 1000000, got '1'");
  refused({"decay", "--axis", "log", "--distances", "0"},
          "rope decay: --axis: expected a positive distance for a logarithmic axis, got none");
  refused({"decay", "--family", "cubic"},
          "rope decay: --family: expected geometric, linear or quadratic, got 'cubic'");
  refused({"wavelengths", "--context", "0"},
          "rope wavelengths: --context: expected an integer from 1 to 2^53, got '0'");
}

TEST_F(BadInputTest, AMatrixTooLargeForMemory) {
  refused({"matrix", "--dim", "8192", "--json"},
          "rope matrix: --dim: expected at most 4096 for a dense matrix, got 8192");
  refused(
      {"matrix", "--dim", "4096", "--positions", "0:99", "-o", "m.npy"},
      "rope matrix: --positions: expected at most 2 values in this answer, which fill 1 GiB, got "
      "100");
  // One alone is too large for JSON, not for CSV.
  refused({"matrix", "--dim", "4096", "--positions", "5", "--json"},
          "rope matrix: --json: expected an answer that fills at most 1 GiB, got 1.4 GiB for a "
          "single value of --positions");
  EXPECT_NE(rope({"matrix", "--dim", "4096", "--json"}).err.find("CSV takes less: -o FILE.csv"),
            std::string::npos);
}

TEST_F(BadInputTest, ALongListWhoseAnswerDoesNotFitInMemory) {
  const std::string fills = " values in this answer, which fill 1 GiB, got 10000001";
  const auto refused_all = [&](const std::vector<std::string>& line, const std::string& option,
                               const char* most) {
    refused(line, "rope " + line[0] + ": " + option + ": expected at most " + most + fills);
  };
  refused_all({"rotate", "--positions", "0:10000000"}, "--positions", "2097152");
  refused_all({"rotate", "--positions", "0:10000000", "--dim", "4", "-o", "o.csv"}, "--positions",
              "1040447");
  refused_all({"decay", "--distances", "0:10000000", "-o", "o.csv"}, "--distances", "2520520");
  refused_all({"decay", "--distances", "0:10000000", "--json"}, "--distances", "2209345");
  refused_all({"score", "--view", "curve", "--distances", "0:10000000", "--json"}, "--distances",
              "3016128");
  refused_all({"matrix", "--positions", "0:10000000", "--dim", "2", "--form", "pairs", "--json"},
              "--positions", "236924");
}

TEST_F(BadInputTest, APictureOfTooManyMatricesIsRefusedBeforeAnythingIsWritten) {
  for (const char* picture : {"--output=m.png", "-om.gp", "--show"}) {
    refused({"matrix", "--dim", "4", "--positions", "0:64", "-o", "m.csv", picture},
            "rope matrix: --positions: expected at most 64 matrices in a picture, got 65");
    refused({"matrix", "--dim", "1026", "-o", "m.csv", picture},
            "rope matrix: --dim: expected at most 1024 for a picture of the matrix, got 1026");
  }
}

TEST_F(BadInputTest, SurprisingBasesAreOnlyWarnedOf) {
  const Outcome one = rope({"decay", "--base", "1", "-o", "-", "--format", "csv"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.err,
            "rope decay: warning: --base: with base 1, every θ_i is 1, so all pairs turn alike\n");
  const Outcome below = rope({"decay", "--base", "0.5", "-o", "-", "--format", "csv"});
  EXPECT_EQ(below.exit_code, 0);
  EXPECT_NE(below.err.find("warning: --base: with a base below 1"), std::string::npos);
  EXPECT_EQ(rope({"decay", "--quiet", "--base", "1", "-o", "-", "--format", "csv"}).err, one.err);
}

TEST_F(BadInputTest, PositionFilesThatHoldSomethingElse) {
  write("words.txt", "1 2\nthree\n");
  const Outcome words = rope({"matrix", "--positions", "words.txt"});
  EXPECT_EQ(words.exit_code, 2);
  EXPECT_EQ(words.err.substr(0, words.err.find('\n')),
            "rope matrix: --positions: expected integers in 'words.txt', line 2, got 'three'");
  write("empty.txt", "# nothing\n");
  EXPECT_EQ(rope({"matrix", "--positions", "empty.txt"}).exit_code, 2);
  EXPECT_EQ(rope({"matrix", "--dim", "4", "-o", "m.npy"}).exit_code, 0);
  const Outcome npy = rope({"matrix", "--positions", "m.npy"});
  EXPECT_EQ(npy.exit_code, 2);
  EXPECT_EQ(npy.err.substr(0, npy.err.find('\n')),
            "rope matrix: --positions: expected an array of integers in 'm.npy', got float64 of "
            "shape (4, 4)");
}

}  // namespace
}  // namespace rope::test
