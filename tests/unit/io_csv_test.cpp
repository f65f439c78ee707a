#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "rope/error.hpp"
#include "rope/io/csv.hpp"
#include "support/outcome.hpp"

namespace rope::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string refusal(std::string_view text) {
  return test::refusal([&] { parse_csv(text, "t.csv"); });
}

TEST(Csv, WritesAHeaderAndOneLinePerRow) {
  const std::string text = to_csv({{"distance", std::vector<std::int64_t>{0, -7}},
                                   {"bound", std::vector<double>{1.0, 0.1}},
                                   {"label", std::vector<std::string>{"near", "far"}}});
  EXPECT_EQ(text, "distance,bound,label\n0,1,near\n-7,0.1,far\n");
}

TEST(Csv, WritesNothingForANanAndWordsForInfinities) {
  EXPECT_EQ(to_csv({{"x", std::vector<double>{kNan, kInfinity, -kInfinity, -0.0}},
                    {"y", std::vector<double>{100000.0, 1e-7, 1e300, 2.0}}}),
            "x,y\n,100000\ninf,1e-07\n-inf,1e+300\n-0,2\n");
}

TEST(Csv, QuotesAFieldThatHoldsACommaAQuoteOrALineEnd) {
  EXPECT_EQ(
      to_csv({{"a,b", std::vector<std::string>{"say \"no\"", "two\nlines", "return\r", "plain"}}}),
      "\"a,b\"\n\"say \"\"no\"\"\"\n\"two\nlines\"\n\"return\r\"\nplain\n");
}

TEST(Csv, WritesQuotesForTheEmptyCellOfAOneColumnTable) {
  const std::string text = to_csv({{"x", std::vector<double>{kNan, 1.0, kNan}}});
  EXPECT_EQ(text, "x\n\"\"\n1\n\"\"\n");
  EXPECT_EQ(parse_csv(text, "t.csv").rows(), 3U);
}

TEST(Csv, RefusesToWriteColumnsOfDifferentLengths) {
  EXPECT_THROW(to_csv({}), ShapeError);
  EXPECT_THROW(to_csv({{"a", std::vector<double>{1.0, 2.0}}, {"b", std::vector<std::int64_t>{1}}}),
               ShapeError);
}

TEST(Csv, ReadsBackEveryDoubleBitForBit) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> values{0.0,
                             -0.0,
                             Limits::denorm_min(),
                             -Limits::max(),
                             Limits::max(),
                             Limits::min(),
                             kInfinity,
                             -kInfinity,
                             0.1,
                             1.0 / 3.0,
                             9007199254740993.0,
                             5e-324};
  std::mt19937_64 random(20240607);
  while (values.size() < 100000) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isnan(value)) values.push_back(value);
  }
  const CsvTable table = parse_csv(to_csv({{"x", values}}), "t.csv");
  const std::vector<double> read = table.numbers(table.column("x"));
  ASSERT_EQ(read.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i]), std::bit_cast<std::uint64_t>(values[i]))
        << "row " << i << ", value " << values[i];
  }
}

TEST(Csv, ReadsBackTheLargestAndSmallestIntegers) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::vector<std::int64_t> values{Limits::min(), -1, 0, 9007199254740993, Limits::max()};
  EXPECT_EQ(parse_csv(to_csv({{"n", values}}), "t.csv").integers(0), values);
}

TEST(Csv, ReadsBackTextThatHoldsEveryKindOfSeparator) {
  const std::vector<std::string> cells{"", "a,b", "\"", "\"\"", "\r\n", "x\ny", " space ", "ü"};
  const CsvTable table = parse_csv(to_csv({{"first", cells}, {"second", cells}}), "t.csv");
  ASSERT_EQ(table.rows(), cells.size());
  for (std::size_t row = 0; row < cells.size(); ++row) {
    EXPECT_EQ(table.cell(row, 0), cells[row]);
    EXPECT_EQ(table.cell(row, 1), cells[row]);
  }
}

TEST(Csv, ReadsAnEmptyCellAsNan) {
  const CsvTable table = parse_csv("x,y\n,1\n2,\n", "t.csv");
  EXPECT_TRUE(std::isnan(table.numbers(0)[0]));
  EXPECT_EQ(table.numbers(0)[1], 2.0);
  EXPECT_TRUE(std::isnan(table.numbers(1)[1]));
}

TEST(Csv, TakesCarriageReturnsAByteOrderMarkAndAMissingLastLineEnd) {
  const CsvTable table = parse_csv("\xEF\xBB\xBFx,y\r\n1,2\r\n3,4", "t.csv");
  EXPECT_EQ(table.header(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(table.integers(1), (std::vector<std::int64_t>{2, 4}));
}

TEST(Csv, IgnoresBlankLinesAtTheEndOnly) {
  EXPECT_EQ(parse_csv("x,y\n1,2\n\r\n\n", "t.csv").rows(), 1U);
  EXPECT_EQ(refusal("x,y\n\n1,2\n"), "t.csv: line 2: expected 2 cells as in the header, found 1");
}

TEST(Csv, ReadsAHeaderWithoutRows) { EXPECT_EQ(parse_csv("x,y\n", "t.csv").rows(), 0U); }

TEST(Csv, RefusesRaggedRowsWithTheLineTheyStartOn) {
  EXPECT_EQ(refusal("a,b\n\"1\n\n\",2\n3\n"),
            "t.csv: line 5: expected 2 cells as in the header, found 1");
  EXPECT_EQ(refusal("a,b\n1,2,\n"), "t.csv: line 2: expected 2 cells as in the header, found 3");
}

TEST(Csv, RefusesWhatIsNotCsv) {
  using std::string_literals::operator""s;
  EXPECT_EQ(refusal(""), "t.csv: line 1: expected a line that names the columns, found nothing");
  EXPECT_EQ(refusal("\n\n"), refusal(""));
  EXPECT_EQ(refusal("a\n1\n\0"s), "t.csv: line 3: expected text, found a NUL byte");
  EXPECT_EQ(refusal("a\n1\n\"2\n3\n"), "t.csv: line 3: a quote is opened but never closed");
  EXPECT_EQ(refusal("a\n1\"2\"\n"),
            "t.csv: line 2: expected a comma or the end of the line, found '\"'");
  EXPECT_EQ(refusal("a\n\"1\"2\n"),
            "t.csv: line 2: expected a comma or the end of the line, found '2'");
  EXPECT_EQ(refusal("a\n1\r2\n"),
            "t.csv: line 2: expected a comma or the end of the line, found a lone carriage return");
}

TEST(Csv, NamesLineAndColumnOfACellThatIsNoNumber) {
  const CsvTable table = parse_csv("m,theta\n0,1\n1,0.5x\n2,1e400\n", "t.csv");
  EXPECT_EQ(test::refusal([&] { table.numbers(1); }),
            "t.csv: line 3: column 2 ('theta'): expected a number in the range of a double, found "
            "'0.5x'");
  EXPECT_EQ(test::refusal([&] { table.integers(1); }),
            "t.csv: line 3: column 2 ('theta'): expected an integer of at most 64 bits, found "
            "'0.5x'");
  EXPECT_EQ(test::refusal([&] { parse_csv("n\n1\n9223372036854775808\n", "t.csv").integers(0); }),
            "t.csv: line 3: column 1 ('n'): expected an integer of at most 64 bits, found "
            "'9223372036854775808'");
}

TEST(Csv, RefusesNumbersThatAreOnlyPartlyNumbers) {
  for (const char* const cell : {"1e400", "1e-400", " 1", "1 ", "+1", "0x10", "1,5", "--1", "1e"}) {
    const CsvTable table = parse_csv("x\n\"" + std::string(cell) + "\"\n", "t.csv");
    EXPECT_THROW(table.numbers(0), Error) << cell;
  }
}

TEST(Csv, FindsAColumnByItsName) {
  const CsvTable table = parse_csv("a,b,a\n1,2,3\n", "t.csv");
  EXPECT_EQ(table.column("b"), 1U);
  EXPECT_THROW(table.column("c"), Error);
  EXPECT_THROW(table.column("a"), Error) << "two columns have this name";
}

}  // namespace
}  // namespace rope::io
