// What is written: formats, whole files, the same bytes, values that read back.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"
#include "rope/io/tensor.hpp"
#include "rope/rotary/cpu_level.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope::test {
namespace {

using FilesTest = CliTest;
using Names = std::vector<std::string>;

TEST_F(FilesTest, DecayAndWavelengthsWriteATableAndAPictureByDefault) {
  const Outcome decay = rope({"decay", "--base", "10000", "--dim", "128"});
  EXPECT_EQ(decay.exit_code, 0);
  EXPECT_TRUE(decay.out.ends_with("wrote decay.csv\nwrote decay.png\n")) << decay.out;
  EXPECT_EQ(decay.err, "");
  const Outcome wavelengths = rope({"wavelengths"});
  EXPECT_EQ(wavelengths.exit_code, 0);
  EXPECT_TRUE(wavelengths.out.ends_with("wrote wavelengths.csv\nwrote wavelengths.png\n"));
  EXPECT_EQ(files(), (Names{"decay.csv", "decay.png", "wavelengths.csv", "wavelengths.png"}));
}

TEST_F(FilesTest, TheEndingDecidesTheFormat) {
  const Outcome run =
      rope({"matrix", "--dim", "4", "-o", "m.csv", "-o", "m.npy", "-o", "m.json", "-o", "m.tex",
            "-o", "m.png", "-o", "m.SVG", "-o", "m.pdf", "-o", "m.gp"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(read("m.csv").starts_with("position,row,c0,c1,c2,c3\n"));
  EXPECT_TRUE(read("m.npy").starts_with("\x93NUMPY"));
  EXPECT_TRUE(read("m.json").starts_with("{\n"));
  EXPECT_NE(read("m.tex").find("\\begin{bmatrix}"), std::string::npos);
  EXPECT_TRUE(read("m.png").starts_with("\x89PNG"));
  EXPECT_NE(read("m.SVG").find("<svg"), std::string::npos);
  EXPECT_TRUE(read("m.pdf").starts_with("%PDF-"));
  EXPECT_NE(read("m.gp").find("plot"), std::string::npos);
}

TEST_F(FilesTest, FormatDecidesWhereTheNameDoesNot) {
  const Outcome run =
      rope({"decay", "-o", "table", "-o", "t.csv", "-o", "run.dat", "--format", "csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read("table"), read("t.csv"));
  EXPECT_EQ(read("run.dat"), read("t.csv"));
  const Outcome out = rope({"decay", "-o", "-", "--format", "csv"});
  EXPECT_EQ(out.out, read("t.csv"));  // and nothing else
}

TEST_F(FilesTest, JsonIsOneDocumentAndNothingElse) {
  for (const Names& arguments : {Names{"decay", "--json"}, Names{"wavelengths", "--json"},
                                 Names{"matrix", "--json", "--dim", "4"}}) {
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    const io::Json document = io::parse_json(run.out, "out");
    EXPECT_EQ(document.at("schema"), "rope." + arguments[0] + "/2");
    EXPECT_EQ(rope({arguments[0], "-o", "x.json", arguments.back() == "4" ? "--dim=4" : "--quiet"})
                  .exit_code,
              0);
    EXPECT_EQ(run.out, read("x.json"));
  }
  EXPECT_EQ(files(), Names{"x.json"});
}

TEST_F(FilesTest, TheSameBytesTwice) {
  for (const char* format : {"csv", "json", "png", "svg", "pdf", "gp"}) {
    const std::string name = std::string("x.") + format;
    ASSERT_EQ(rope({"decay", "--base", "100", "--base", "1e4", "-o", name}).exit_code, 0);
    const std::string first = read(name);
    ASSERT_EQ(rope({"decay", "--base", "100", "--base", "1e4", "-o", name}).exit_code, 0);
    EXPECT_EQ(first, read(name)) << format;
  }
}

TEST_F(FilesTest, TheSameBytesAtEveryCpuLevel) {
  for (const CpuLevel level : {CpuLevel::baseline, CpuLevel::v3, CpuLevel::v4}) {
    const std::string wanted(name(level));
    const Outcome run =
        rope({"decay", "--distances", "0:4000:3,1000000007", "--dim", "130", "--cpu-level", wanted,
              "-o", wanted + ".csv", "-o", wanted + ".json"});
    if (level > best_cpu_level()) {
      EXPECT_EQ(run.exit_code, 2) << wanted;
      EXPECT_NE(run.err.find("expected a level of this machine"), std::string::npos) << run.err;
      continue;
    }
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read(wanted + ".csv"), read("baseline.csv")) << wanted;
    EXPECT_EQ(read(wanted + ".json"), read("baseline.json")) << wanted;
  }
}

TEST_F(FilesTest, CsvAndJsonHoldTheSameDoubles) {
  ASSERT_EQ(rope({"decay", "--distances", "0:300:7", "-o", "d.csv", "-o", "d.json"}).exit_code, 0);
  const io::CsvTable table = io::parse_csv(read("d.csv"), "d.csv");
  const io::Json curve = io::parse_json(read("d.json"), "d.json").at("curves").at(0);
  EXPECT_EQ(table.header(), (Names{"distance", "bound", "mean_cosine", "log_law", "random_mean",
                                   "random_deviation"}));
  EXPECT_EQ(table.integers(0), curve.at("distance").get<std::vector<std::int64_t>>());
  for (const char* name : {"bound", "mean_cosine", "random_mean", "random_deviation"})
    EXPECT_EQ(table.numbers(table.column(name)), curve.at(name).get<std::vector<double>>()) << name;
  EXPECT_TRUE(curve.at("log_law").at(0).is_null());  // undefined at distance 0
  EXPECT_TRUE(std::isnan(table.numbers(table.column("log_law")).at(0)));
  EXPECT_EQ(table.numbers(table.column("log_law")).at(1), curve.at("log_law").at(1).get<double>());
}

TEST_F(FilesTest, NpyAndCsvHoldTheMatrixOfTheLibrary) {
  ASSERT_EQ(rope({"matrix", "--dim", "6", "--layout", "half", "--positions", "-3,1000003", "-o",
                  "m.npy", "-o", "m.csv"})
                .exit_code,
            0);
  const RotaryEmbedding embedding = default_embedding(6, 10000, PairLayout::half);
  const io::Tensor array = io::npy_tensor(read("m.npy"), "m.npy");
  EXPECT_EQ(array.shape(), (std::vector<std::size_t>{2, 6, 6}));
  const std::vector<double> values = array.doubles();
  const io::CsvTable table = io::parse_csv(read("m.csv"), "m.csv");
  std::size_t next = 0;
  for (const std::int64_t position : {-3, 1000003}) {
    const Eigen::MatrixXd matrix = rotation_matrix(embedding, position);
    for (Eigen::Index row = 0; row < 6; ++row) {
      const std::size_t line = next / 6;
      EXPECT_EQ(table.integers(0).at(line), position);
      EXPECT_EQ(table.integers(1).at(line), row);
      for (Eigen::Index column = 0; column < 6; ++column, ++next) {
        EXPECT_EQ(values.at(next), matrix(row, column));
        EXPECT_EQ(table.numbers(static_cast<std::size_t>(column) + 2).at(line),
                  matrix(row, column));
      }
    }
  }
}

TEST_F(FilesTest, OneMatrixHasTwoDimensions) {
  ASSERT_EQ(rope({"matrix", "--dim", "4", "-o", "m.npy"}).exit_code, 0);
  EXPECT_EQ(io::npy_tensor(read("m.npy"), "m").shape(), (std::vector<std::size_t>{4, 4}));
  ASSERT_EQ(rope({"matrix", "--dim", "4", "--form", "pairs", "--positions", "0:2", "-o", "p.npy"})
                .exit_code,
            0);
  EXPECT_EQ(io::npy_tensor(read("p.npy"), "p").shape(), (std::vector<std::size_t>{3, 2, 2}));
}

TEST_F(FilesTest, SeveralCurvesAreLabelledByWhatTellsThemApart) {
  const auto header = [&](const Names& options) {
    Names arguments = {"decay", "--random-pairs", "0", "--distances", "1", "-o", "x.csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(rope(arguments).exit_code, 0);
    return read("x.csv").substr(0, read("x.csv").find('\n'));
  };
  EXPECT_EQ(header({"--base", "10000", "--base", "500000"}),
            "distance,bound[base=10000],mean_cosine[base=10000],log_law[base=10000],"
            "bound[base=500000],mean_cosine[base=500000],log_law[base=500000]");
  EXPECT_EQ(header({"--dim", "64", "--dim", "128"}),
            "distance,bound[dim=64],mean_cosine[dim=64],log_law[dim=64],"
            "bound[dim=128],mean_cosine[dim=128],log_law[dim=128]");
  EXPECT_EQ(header({"--dim", "64", "--dim", "128", "--base", "1", "--base", "2"}),
            "distance,bound[base=1 dim=64],mean_cosine[base=1 dim=64],"
            "bound[base=2 dim=64],mean_cosine[base=2 dim=64],log_law[base=2 dim=64],"
            "bound[base=1 dim=128],mean_cosine[base=1 dim=128],"
            "bound[base=2 dim=128],mean_cosine[base=2 dim=128],log_law[base=2 dim=128]");
}

TEST_F(FilesTest, PositionsHaveOneGrammar) {
  const auto distances = [&](const std::string& list) {
    const Outcome run = rope({"decay", "--distances", list, "-o", "-", "--format", "csv"});
    EXPECT_EQ(run.exit_code, 0) << list << run.err;
    return io::parse_csv(run.out, list).integers(0);
  };
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(distances("5,2"), (Integers{5, 2}));
  EXPECT_EQ(distances("-5,2"), (Integers{-5, 2}));
  EXPECT_EQ(distances("1e3,+4,-0"), (Integers{1000, 4, 0}));
  EXPECT_EQ(distances("0:3"), (Integers{0, 1, 2, 3}));
  EXPECT_EQ(distances("0:7:3,9"), (Integers{0, 3, 6, 9}));
  EXPECT_EQ(distances("6:0:-3"), (Integers{6, 3, 0}));
  EXPECT_EQ(distances("4:4"), (Integers{4}));
  EXPECT_EQ(distances("1:1000:log4"), (Integers{1, 10, 100, 1000}));
  EXPECT_EQ(distances("1:3:log9"), (Integers{1, 2, 3}));
  EXPECT_EQ(distances("-9223372036854775808:9223372036854775807:9223372036854775807"),
            (Integers{INT64_MIN, -1, INT64_MAX - 1}));
  write("list.txt", "# two\n7, 8\t-9\n");
  EXPECT_EQ(distances("list.txt"), (Integers{7, 8, -9}));
  const std::vector<std::int64_t> stored = {3, 1, 4};
  write("list.npy", io::to_npy({3}, std::span<const std::int64_t>(stored)));
  EXPECT_EQ(distances("list.npy"), stored);
  write("5", "6");
  EXPECT_EQ(distances("5"), (Integers{5}));
  EXPECT_EQ(distances("./5"), (Integers{6}));
}

TEST_F(FilesTest, ASymbolicLinkToAnOutputIsTheSameFile) {
  write("a.csv", "");
  ASSERT_EQ(shell("ln -s a.csv b.csv").exit_code, 0);
  EXPECT_EQ(rope({"decay", "-o", "a.csv", "-o", "b.csv"}).exit_code, 2);
  EXPECT_EQ(read("a.csv"), "");
}

TEST_F(FilesTest, AnOlderFileOfThatNameIsSaidToBeReplaced) {
  write("x.csv", "older");
  const Outcome run = rope({"wavelengths", "-o", "x.csv", "-o", "new.csv"});
  EXPECT_TRUE(run.out.ends_with("\nreplaced x.csv\nwrote new.csv\n")) << run.out;
  // An empty file holds nothing that could be lost; a device is not replaced.
  write("empty.csv", "");
  EXPECT_TRUE(rope({"wavelengths", "-o", "empty.csv"}).out.ends_with("\nwrote empty.csv\n"));
  const Outcome device = rope({"wavelengths", "-o", "/dev/null", "--format", "csv"});
  EXPECT_TRUE(device.out.ends_with("\nwrote /dev/null\n")) << device.out;
}

}  // namespace
}  // namespace rope::test
