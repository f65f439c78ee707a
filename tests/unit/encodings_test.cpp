// Each position encoding by hand-computed values, its edges, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <tuple>

#include "rope/encodings/additive.hpp"
#include "rope/encodings/alibi.hpp"
#include "rope/encodings/encodings.hpp"
#include "rope/encodings/learned.hpp"
#include "rope/encodings/none.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/encodings/shaw.hpp"
#include "rope/encodings/sinusoidal.hpp"
#include "rope/encodings/t5.hpp"
#include "rope/encodings/transformer_xl.hpp"
#include "rope/encodings/xpos.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

constexpr double kUlps = 8 * kRoundoff;  // for values of a few roundings

EncodingContext small_context() {
  EncodingContext context;
  context.rotary = default_embedding(8, 10000);
  context.trained = 64;
  context.length = 256;
  context.heads = 4;
  return context;
}

Tokens tokens(std::vector<double> values, std::vector<std::int64_t> positions) {
  const auto rows = static_cast<Eigen::Index>(positions.size());
  RowMatrix vectors(rows,
                    static_cast<Eigen::Index>(values.size()) / std::max<Eigen::Index>(rows, 1));
  std::copy(values.begin(), values.end(), vectors.data());
  return {vectors, std::move(positions)};
}

TEST(Encodings, HaveNamesOfTheirOwnByWhichTheyAreFound) {
  std::set<std::string_view> names, titles;
  for (const EncodingEntry& entry : encodings()) {
    EXPECT_EQ(find_encoding(entry.name), &entry);
    names.insert(entry.name);
    titles.insert(entry.title);
  }
  EXPECT_EQ(names.size(), encodings().size());
  EXPECT_EQ(titles.size(), encodings().size());
  EXPECT_EQ(find_encoding("rotary"), nullptr);
}

TEST(Encodings, GiveAScoreForEveryQueryAndKeyAndRefuseWhatDoesNotFit) {
  for (const EncodingEntry& entry : encodings()) {
    const auto encoding = make_encoding(entry.name, small_context());
    const Tokens three{RowMatrix::Ones(3, 8), {0, 5, 63}}, two{RowMatrix::Ones(2, 8), {1, 2}};
    const RowMatrix scores = encoding->scores(three, two);
    EXPECT_EQ(scores.rows(), 3) << entry.name;
    EXPECT_EQ(scores.cols(), 2) << entry.name;
    EXPECT_TRUE(scores.allFinite()) << entry.name;
    const Tokens none{RowMatrix(0, 8), {}};
    EXPECT_EQ(encoding->scores(none, two).rows(), 0) << entry.name;
    EXPECT_EQ(encoding->scores(two, none).cols(), 0) << entry.name;
    EXPECT_THROW(encoding->scores({RowMatrix::Ones(1, 6), {0}}, two), ShapeError) << entry.name;
    EXPECT_THROW(encoding->scores(two, {RowMatrix::Ones(2, 8), {0}}), ShapeError) << entry.name;
    EXPECT_THROW(encoding->scores({RowMatrix::Ones(1, 8), {kMaxTokenPosition + 1}}, two),
                 DomainError)
        << entry.name;
    Tokens broken = two;
    broken.vectors(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(encoding->scores(broken, two)(0, 0))) << entry.name;
    EXPECT_THROW(encoding->unseen_share(64, 63), DomainError) << entry.name;
    EXPECT_THROW(encoding->unseen_share(0, 63), DomainError) << entry.name;
    EXPECT_EQ(encoding->unseen_share(64, 64), 0) << entry.name;
  }
}

TEST(Encodings, TellTheFarthestTokensApart) {
  const Tokens q{RowMatrix::Ones(1, 8), {-kMaxTokenPosition}};
  const Tokens k{RowMatrix::Ones(1, 8), {kMaxTokenPosition}};
  for (const EncodingEntry& entry : encodings()) {
    const auto encoding = make_encoding(entry.name, small_context());
    if (entry.name == "learned" || entry.name == "xpos") {
      EXPECT_THROW(encoding->scores(q, k), DomainError) << entry.name;
    } else {
      EXPECT_TRUE(encoding->scores(q, k).allFinite()) << entry.name;
      EXPECT_TRUE(encoding->scores(k, q).allFinite()) << entry.name;
    }
  }
}

TEST(Encodings, AreMadeForHeadsOfTwo) {
  EncodingContext context = small_context();
  context.rotary = default_embedding(2, 10000);
  for (const EncodingEntry& entry : encodings())
    EXPECT_TRUE(make_encoding(entry.name, context)
                    ->scores({RowMatrix::Ones(1, 2), {7}}, {RowMatrix::Ones(1, 2), {3}})
                    .allFinite())
        << entry.name;
}

using test::expect_refused;

TEST(Encodings, DeclareWhatTheirParametersMeanAndAnyOfThemCanBeGiven) {
  for (const EncodingEntry& entry : encodings()) {
    const ParameterValues values = encoding_values({&entry, {}}, small_context());
    EXPECT_EQ(values.numbers.size(), entry.parameters.size()) << entry.name;
    for (const Parameter& parameter : entry.parameters) {
      EXPECT_FALSE(parameter.meaning.empty()) << entry.name << " " << parameter.name;
      EXPECT_TRUE(parameter.standard.has_value() != !parameter.otherwise.empty())
          << entry.name << " " << parameter.name << " has one default";
    }
    // What counts where nothing is given is within the ranges, and gives the same when it is given.
    check_parameters(entry.name, entry.parameters, values);
    const Tokens q{RowMatrix::Ones(1, 8), {40}}, k{RowMatrix::Ones(1, 8), {3}};
    EXPECT_EQ(make_encoding({&entry, values}, small_context())->scores(q, k)(0, 0),
              make_encoding(entry.name, small_context())->scores(q, k)(0, 0))
        << entry.name;
  }
}

TEST(Encodings, AreReadFromTheirTextAndWrittenAsIt) {
  const EncodingSpec spec = parse_encoding("t5:bidirectional=true,buckets=8");
  EXPECT_EQ(spec.entry, find_encoding("t5"));
  EXPECT_EQ(spec.given, (ParameterValues{{{"bidirectional", 1}, {"buckets", 8}}, {}}));
  EXPECT_EQ(encoding_text(spec), "t5:bidirectional=1,buckets=8");
  EXPECT_EQ(encoding_text(parse_encoding("sinusoidal:form=blocks-to-end")),
            "sinusoidal:form=blocks-to-end");
  expect_refused([] { parse_encoding("alibo"); },
                 "encoding: expected none, sinusoidal, learned, shaw, transformer-xl, t5, alibi, "
                 "rope, partial-rope, p-rope, xpos, rerope or leaky-rerope, got 'alibo'",
                 "Did you mean alibi?");
  expect_refused([] { parse_encoding("t5:bukets=8"); },
                 "encoding t5: expected buckets, max_distance or bidirectional, got "
                 "'bukets'",
                 "Did you mean buckets?");
  expect_refused([] { parse_encoding("t5:buckets=1"); },
                 "encoding t5: buckets: expected a whole number from 2 to 32768, got 1");
  expect_refused([] { parse_encoding("rope:factor=1"); },
                 "encoding rope: expected no parameters, got 'factor'");
}

TEST(Encodings, SayWhoseParameterDoesNotFitTheOthers) {
  const auto make = [](const char* text) { make_encoding(text, small_context()); };
  expect_refused([&] { make("alibi:head=4"); }, "encoding alibi: head: expected 0 to 3, got 4");
  expect_refused([&] { make("t5:buckets=3,bidirectional=true"); },
                 "encoding t5: buckets: expected 4 to 65537, got 3");
  expect_refused([&] { make("t5:max_distance=16"); },
                 "encoding t5: max_distance: expected more than 16, the number of distances with a "
                 "bucket of their own, and less than 2^62, got 16");
  // What is no parameter keeps its message.
  expect_refused([&] { make("shaw:clip=16777216"); },
                 "table: expected at most 4194304 rows of 8 learned numbers, got 33554433");
}

TEST(Encodings, TakeValuesThatDependOnOthersWhereNoneIsGiven) {
  const auto value = [](const char* text, const char* name, const EncodingContext& context) {
    return encoding_values(parse_encoding(text), context).number(name);
  };
  EncodingContext context = small_context();
  EXPECT_EQ(value("alibi", "head", context), 2);
  EXPECT_EQ(value("t5", "max_distance", context), 128);
  EXPECT_EQ(value("t5:buckets=600", "max_distance", context), 301);
  EXPECT_EQ(value("t5:buckets=600,bidirectional=true", "max_distance", context), 151);
  EXPECT_EQ(value("rerope", "window", context), 32);
  EXPECT_EQ(value("leaky-rerope", "leak", context), DistanceMap::fitting_leak(32, 64, 256));
  EXPECT_EQ(value("leaky-rerope:window=0", "leak", context), DistanceMap::fitting_leak(0, 64, 256));
  // A map has a window that shows, unless one is given, and the leak that the whole length needs.
  context.map_tokens = 16;
  EXPECT_EQ(value("rerope", "window", context), 4);
  EXPECT_EQ(value("rerope:window=9", "window", context), 9);
  EXPECT_EQ(value("leaky-rerope", "leak", context), DistanceMap::fitting_leak(32, 64, 256));
  context.map_tokens = 1000;
  EXPECT_EQ(value("rerope", "window", context), 32);
}

TEST(Encodings, AreWhatTheirParametersSay) {
  const EncodingContext context = small_context();
  const Tokens q = tokens({1, 0, 0, 0, 0, 0, 0, 0}, {40}), k{q.vectors, {3}};
  const auto score = [&](std::string_view text) {
    return make_encoding(text, context)->scores(q, k)(0, 0);
  };
  EXPECT_EQ(score("alibi:head=1,bias=key"),
            AlibiEncoding(8, 4, 1, AlibiBias::key).scores(q, k)(0, 0));
  EXPECT_EQ(score("alibi:bias=key-from-last"),
            AlibiEncoding(8, 4, 2, AlibiBias::key_from_last).scores(q, k)(0, 0));
  EXPECT_EQ(score("rerope:window=5"), ReRopeEncoding(context.rotary, {5}).scores(q, k)(0, 0));
  EXPECT_EQ(score("leaky-rerope:window=5,leak=2"),
            ReRopeEncoding(context.rotary, {5, 2}).scores(q, k)(0, 0));
  EXPECT_EQ(score("xpos:scale_base=64,gamma=1"),
            XPosEncoding(context.rotary, 64, 1).scores(q, k)(0, 0));
  const Tokens far{q.vectors, {4095}}, there{q.vectors, {4095}};  // 4096 is 64 squared
  EXPECT_EQ(make_encoding("rerope:log_n=true", context)->scores(far, there)(0, 0),
            2 * make_encoding("rerope", context)->scores(far, there)(0, 0));
  EXPECT_EQ(make_encoding("shaw:clip=3", context)->cost({1, 1, 64}).parameters, 7 * 8);
  const auto theta = [&](std::string_view text) {
    return std::get<std::vector<double>>(make_encoding(text, context)->numbers({})[0].values);
  };
  EXPECT_EQ(theta("p-rope:share=0.5"), (std::vector<double>{1, 0.1, 0, 0}));
  EXPECT_EQ(theta("partial-rope:share=0.75"), geometric_frequencies(10000, 6).theta);
  EXPECT_EQ(theta("partial-rope"), geometric_frequencies(10000, 4).theta);
  EXPECT_EQ(theta("partial-rope:share=0"), std::vector<double>{1});
  const std::vector<std::int64_t> at = {7};
  const auto row = [&](std::string_view text) {
    return std::get<std::vector<double>>(make_encoding(text, context)->numbers(at)[1].values);
  };
  EXPECT_EQ(row("sinusoidal:form=blocks-to-end"),
            SinusoidalTable(8, 10000, SinusoidalForm::blocks_to_end).row(7));
}

TEST(Encodings, TellWhereTheirNumbersAreAndWhatIsWorthTelling) {
  const auto made = [](std::string_view text) { return make_encoding(text, small_context()); };
  for (const char* text : {"t5", "shaw", "alibi"})
    EXPECT_TRUE(made(text)->number_places().both_ways) << text;
  for (const char* text : {"alibi:bias=key", "rope", "learned", "rerope"})
    EXPECT_FALSE(made(text)->number_places().both_ways) << text;
  for (const char* text : {"sinusoidal", "learned", "transformer-xl"})
    EXPECT_EQ(made(text)->number_places().each, 8U) << text;
  EXPECT_EQ(made("t5")->number_places().each, 1U);
  EXPECT_EQ(made("rerope:window=8")->caption(), "w = 8");
  EXPECT_EQ(made("rope")->caption(), "");
  const std::vector<std::int64_t> shifts = {0, 10};
  EXPECT_EQ(made("alibi:head=0")->remark(4, shifts),
            "slopes 0.25 to 0.003906 for 4 heads, here 0.25 for head 0; with equal contents, 99 % "
            "of the weight lies within 19 to 1179 tokens");
  // cos 4, cos 0.4, cos 0.04 and cos 0.004, of 4.
  const std::string sinusoidal = made("sinusoidal")->remark(4, shifts);
  EXPECT_TRUE(sinusoidal.starts_with("p_m·p_n by itself is relative (spread ")) << sinusoidal;
  EXPECT_TRUE(
      sinusoidal.ends_with(") and equals 0.5667 of p_m·p_m at a distance of 4 tokens; with W_Q, "
                           "W_K and the contents, the score is no longer relative"))
      << sinusoidal;
  EXPECT_EQ(made("learned")->remark(4, shifts), "");
  EXPECT_EQ(rounded_text(0.84089641525, 4), "0.8409");
}

TEST(Sinusoidal, ProductsOfItsRowsSpreadByRoundingAlone) {
  const std::vector<std::int64_t> shifts = {0, 1, 1000};
  const double spread = SinusoidalTable(8, 10000).spread(5, shifts);
  EXPECT_GT(spread, 0);
  EXPECT_LE(spread, 16 * kRoundoff * 4);
}

TEST(Sinusoidal, OddSizesHaveOneSineMoreOrAColumnOfZeros) {
  EXPECT_EQ(SinusoidalTable(1, 10000).row(0), std::vector<double>{0});
  EXPECT_EQ(SinusoidalTable(3, 10000).row(0), (std::vector<double>{0, 1, 0}));
  using Form = SinusoidalForm;
  EXPECT_EQ(SinusoidalTable(3, 10000, Form::blocks).row(0), (std::vector<double>{0, 0, 1}));
  const std::vector<double> row = SinusoidalTable(3, 10000, Form::blocks_to_end).row(1);
  EXPECT_NEAR(row[0], std::sin(1.0), kUlps);
  EXPECT_NEAR(row[1], std::cos(1.0), kUlps);
  EXPECT_EQ(row[2], 0);
  const SinusoidalTable to_end(6, 10000, Form::blocks_to_end);
  ASSERT_EQ(to_end.frequencies().pairs(), 3U);
  EXPECT_EQ(to_end.frequencies().theta, (std::vector<double>{1, 0.01, 0.0001}));
}

TEST(Sinusoidal, RefusesWhatHasNoTable) {
  EXPECT_THROW(SinusoidalTable(0, 10000), ShapeError);
  EXPECT_THROW(SinusoidalTable(1, 10000, SinusoidalForm::blocks_to_end), ShapeError);
  EXPECT_THROW(SinusoidalTable(8, 0), DomainError);
  EXPECT_THROW(SinusoidalTable(8, std::nan("")), DomainError);
}

TEST(Learned, HasNothingBeyondItsRows) {
  const LearnedTable table(RowMatrix::Identity(3, 4));
  EXPECT_EQ(table.row(2), (std::vector<double>{0, 0, 1, 0}));
  EXPECT_THROW(table.row(3), DomainError);
  EXPECT_THROW(table.row(-1), DomainError);
  EXPECT_EQ(table.unseen_share(3, 3), 0);
  EXPECT_EQ(table.unseen_share(3, 4), 1);
  EXPECT_THROW(LearnedTable(RowMatrix(0, 4)), ShapeError);
}

TEST(Additive, IsWorkedOutByHand) {
  // Rows (1, 2) and (3, 5); W_Q doubles, W_K swaps. q + W_Q p_0 = (3, 4), k + W_K p_1 = (6, 3).
  const auto table = std::make_shared<LearnedTable>(tokens({1, 2, 3, 5}, {0, 1}).vectors);
  const RowMatrix twice = 2 * RowMatrix::Identity(2, 2);
  const RowMatrix swap = tokens({0, 1, 1, 0}, {0, 1}).vectors;
  const AdditiveEncoding encoding(table, twice, swap);
  const Tokens q = tokens({1, 0}, {0}), k = tokens({1, 0}, {1});
  EXPECT_NEAR(encoding.scores(q, k)(0, 0), 30 / std::sqrt(2.0), 30 * kUlps);
  const FourTerms terms = encoding.terms(q, k);
  EXPECT_NEAR(terms.content_content(0, 0), 1 / std::sqrt(2.0), kUlps);
  EXPECT_NEAR(terms.content_position(0, 0), 5 / std::sqrt(2.0), 5 * kUlps);
  EXPECT_NEAR(terms.position_content(0, 0), 2 / std::sqrt(2.0), 2 * kUlps);
  EXPECT_NEAR(terms.position_position(0, 0), 22 / std::sqrt(2.0), 22 * kUlps);
  EXPECT_THROW(AdditiveEncoding(table, twice, RowMatrix::Ones(2, 3)), ShapeError);
}

TEST(Shaw, CutsDistancesAndAddsTheirKeys) {
  // c = 1: keys 10, 20, 30 for distances −1, 0, 1.
  const ShawEncoding encoding(tokens({10, 20, 30}, {0, 1, 2}).vectors);
  const RowMatrix scores = encoding.scores(tokens({1}, {5}), tokens({0, 0, 0, 0}, {3, 4, 5, 9}));
  EXPECT_EQ(scores(0, 0), 10);  // −2 is cut to −1
  EXPECT_EQ(scores(0, 1), 10);
  EXPECT_EQ(scores(0, 2), 20);
  EXPECT_EQ(scores(0, 3), 30);
  EXPECT_THROW(ShawEncoding(RowMatrix::Ones(2, 4)), ShapeError);
  EXPECT_EQ(ShawEncoding(RowMatrix::Ones(9, 4)).unseen_share(5, 8), 0);
  EXPECT_EQ(ShawEncoding(RowMatrix::Ones(11, 4)).unseen_share(5, 8), 1);
}

TEST(TransformerXl, IsWorkedOutByHand) {
  // One pair, W_R = I: p_2 = (sin 2, cos 2) for the query at 5 and the key at 3.
  const auto table = std::make_shared<SinusoidalTable>(2, 10000, SinusoidalForm::blocks);
  const TransformerXlEncoding encoding(table, RowMatrix::Identity(2, 2), {1, 0}, {0, 10});
  const Tokens q = tokens({2, 3}, {5}), k = tokens({7, 11}, {3});
  const double expected =
      (3 * 7 + 3 * 11 + 2 * std::sin(2.0) + 13 * std::cos(2.0)) / std::sqrt(2.0);
  EXPECT_NEAR(encoding.scores(q, k)(0, 0), expected, 60 * kUlps);
  const FourTerms terms = encoding.terms(q, k);
  EXPECT_NEAR(terms.content_content(0, 0), 47 / std::sqrt(2.0), 47 * kUlps);
  EXPECT_NEAR(terms.content_position(0, 0),
              (2 * std::sin(2.0) + 3 * std::cos(2.0)) / std::sqrt(2.0), 3 * kUlps);
  EXPECT_NEAR(terms.position_content(0, 0), 7 / std::sqrt(2.0), 7 * kUlps);
  EXPECT_NEAR(terms.position_position(0, 0), 10 * std::cos(2.0) / std::sqrt(2.0), 10 * kUlps);
  EXPECT_THROW(TransformerXlEncoding(table, RowMatrix::Identity(2, 2), {1}, {0, 1}), ShapeError);
}

TEST(T5, HasTheBucketsOfThePaper) {
  const T5Buckets causal(32, 128, false);
  EXPECT_EQ(causal.bucket(3), 0);  // keys after the query
  for (const auto& [distance, bucket] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 0}, {15, 15}, {16, 16}, {32, 21}, {64, 26}, {112, 30}, {113, 31}, {1 << 30, 31}})
    EXPECT_EQ(causal.bucket(-distance), bucket) << distance;
  const T5Buckets both(32, 128, true);
  EXPECT_EQ(both.bucket(1), 17);
  EXPECT_EQ(both.bucket(-1), 1);
  EXPECT_EQ(both.bucket(std::numeric_limits<std::int64_t>::min()), 15);
  EXPECT_EQ(both.bucket(std::numeric_limits<std::int64_t>::max()), 31);
  // Where (r/8)^8 is a power of 16: 16, 32 and 64 begin a bucket exactly.
  for (const std::int64_t r : {16, 32, 64}) EXPECT_EQ(both.bucket(-r), both.bucket(1 - r) + 1);
}

TEST(T5, TakesTheSmallestAndOddCounts) {
  const T5Buckets two(2, 5, false);
  EXPECT_EQ(two.bucket(0), 0);
  EXPECT_EQ(two.bucket(-1), 1);
  const T5Buckets odd(7, 20, false);  // 3 alone, then 3 + ⌊4·ln(r/3)/ln(20/3)⌋
  EXPECT_EQ(odd.first_distances(), (std::vector<std::int64_t>{0, 1, 2, 3, 5, 8, 13}));
  const T5Buckets both(9, 20, true);  // 4 each way, the ninth is never used
  EXPECT_EQ(both.bucket(1000), 7);
  // Buckets too narrow to hold a distance stay empty; the last that begins there counts.
  const T5Buckets crowded(32, 17, false);
  EXPECT_EQ(crowded.bucket(-16), 16);
  EXPECT_EQ(crowded.bucket(-17), 31);
  EXPECT_THROW(T5Buckets(1, 128, false), DomainError);
  EXPECT_THROW(T5Buckets(3, 128, true), DomainError);
  EXPECT_THROW(T5Buckets(0, 128, false), DomainError);
  EXPECT_THROW(T5Buckets(32, 16, false), DomainError);
  EXPECT_THROW(T5Buckets(70000, 1 << 20, false), DomainError);
}

TEST(T5, AddsItsBiasAndKnowsWhichBucketsTrainingMet) {
  const T5Encoding encoding(2, T5Buckets(4, 8, false), {0.5, 1, 2, 4});
  EXPECT_EQ(encoding.scores(tokens({1, 2}, {9}), tokens({3, 4}, {8}))(0, 0), 11 + 1);
  // Buckets begin at 0, 1, 2 and 4.
  EXPECT_EQ(encoding.unseen_share(5, 100), 0);
  EXPECT_EQ(encoding.unseen_share(4, 8), 1);
  EXPECT_EQ(encoding.unseen_share(3, 6), 2.0 / 3);
  EXPECT_THROW(T5Encoding(2, T5Buckets(4, 8, false), {1, 2}), ShapeError);
}

TEST(Alibi, HasPowersOfTwoAndFillsOtherCountsFromTwiceAsMany) {
  EXPECT_EQ(alibi_slopes(1), std::vector<double>{0x1p-8});
  EXPECT_EQ(alibi_slopes(8),
            (std::vector<double>{0.5, 0.25, 0.125, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7, 0x1p-8}));
  const std::vector<double> twelve = alibi_slopes(12);
  ASSERT_EQ(twelve.size(), 12U);
  EXPECT_EQ(twelve[7], 0x1p-8);
  EXPECT_EQ(twelve[8], std::sqrt(0.5));      // 2^(−1/2)
  EXPECT_EQ(twelve[9], std::sqrt(0.5) / 2);  // 2^(−3/2)
  EXPECT_EQ(twelve[11], std::sqrt(0.5) / 8);
  EXPECT_EQ(alibi_slopes(3), (std::vector<double>{0x1p-4, 0x1p-8, 0x1p-2}));
  EXPECT_EQ(alibi_slopes(65536).size(), 65536U);
  EXPECT_THROW(alibi_slopes(0), DomainError);
  EXPECT_THROW(alibi_slopes(65537), DomainError);
  EXPECT_THROW(AlibiEncoding(4, 8, 8), DomainError);
}

TEST(Alibi, SeesNinetyNineOfAHundredWithinTheseWindows) {
  EXPECT_EQ(alibi_window(0.5, 0.99), 10);
  EXPECT_EQ(alibi_window(1.0 / 16, 0.99), 74);
  EXPECT_EQ(alibi_window(1.0 / 256, 0.99), 1179);
  EXPECT_EQ(alibi_window(100, 0.5), 1);
  EXPECT_THROW(alibi_window(0, 0.99), DomainError);
  EXPECT_THROW(alibi_window(0.5, 1), DomainError);
}

TEST(Alibi, AddsTheBiasOfEachConvention) {
  const Tokens q = tokens({0, 0}, {4}), k = tokens({0, 0, 0, 0}, {3, 6});
  EXPECT_EQ(AlibiEncoding(2, 8, 0).scores(q, k)(0, 0), -0.5);
  EXPECT_EQ(AlibiEncoding(2, 8, 0).scores(q, k)(0, 1), -1);
  EXPECT_EQ(AlibiEncoding(2, 8, 0, AlibiBias::key).scores(q, k)(0, 0), 1.5);
  EXPECT_EQ(AlibiEncoding(2, 8, 0, AlibiBias::key_from_last).scores(q, k)(0, 0), -1.5);
  EXPECT_EQ(AlibiEncoding(2, 8, 0, AlibiBias::key_from_last).scores(q, k)(0, 1), 0);
}

TEST(Rope, OfOnePairTurnsByTheDistance) {
  const RopeEncoding encoding(default_embedding(2, 10000));
  const double score = encoding.scores(tokens({1, 0}, {10}), tokens({0, 1}, {7}))(0, 0);
  EXPECT_NEAR(score, std::sin(3.0) / std::sqrt(2.0), kUlps);  // qᵀR_{−3}k
}

TEST(Rope, FastestFrequenciesStopTheSlowPairs) {
  const Frequencies half = fastest_frequencies(10000, 8, 0.5);
  EXPECT_EQ(half.theta, (std::vector<double>{1, 0.1, 0, 0}));
  EXPECT_EQ(fastest_frequencies(10000, 8, 0).theta, std::vector<double>(4, 0));
  EXPECT_EQ(fastest_frequencies(10000, 8, 1).theta, geometric_frequencies(10000, 8).theta);
  EXPECT_THROW(fastest_frequencies(10000, 8, 1.5), DomainError);
  EXPECT_THROW(fastest_frequencies(10000, 7, 0.5), ShapeError);
}

TEST(ReRope, MapsDistancesBeyondTheWindow) {
  const DistanceMap rerope{512};
  EXPECT_EQ(rerope(5000), 512);
  EXPECT_EQ(rerope(-5000), -512);
  EXPECT_EQ(rerope(512), 512);
  EXPECT_EQ(rerope(-511), -511);
  EXPECT_EQ(rerope(std::numeric_limits<std::int64_t>::min()), -512);
  // 2048 tokens to 8192: a fifth of what lies beyond 512.
  const DistanceMap leaky{512, 5};
  EXPECT_EQ(leaky(512), 512);
  EXPECT_EQ(leaky(517), 513);
  EXPECT_EQ(leaky(5000), 1409.6);
  EXPECT_EQ(leaky(8192), 2048);
  EXPECT_EQ(leaky(-8192), -2048);
  EXPECT_EQ(DistanceMap::fitting_leak(512, 2049, 8193), 5);
  EXPECT_EQ(DistanceMap::fitting_leak(512, 2048, 2048), 1);
  // The smallest double that keeps the last distance within training, also where the quotient is
  // rounded down: (16 − 8)/(15 − 8) = 8/7 is.
  for (const auto& [window, trained, length] :
       {std::tuple(8, 16, 17), std::tuple(1024, 2048, 2049), std::tuple(256, 512, 1024),
        std::tuple(1024, 2048, 8192), std::tuple(500, 1000, 3000),
        std::tuple(2048, 4096, 131072)}) {
    const double leak = DistanceMap::fitting_leak(window, trained, length);
    const auto keeps = [w = window, t = trained, l = length](double tried) {
      return ExactReal(tried) * (t - 1 - w) >= l - 1 - w;
    };
    EXPECT_TRUE(keeps(leak)) << length;
    EXPECT_FALSE(keeps(std::nextafter(leak, 0))) << length;
    const ReRopeEncoding fitting(default_embedding(8, 10000), {window, leak});
    EXPECT_EQ(fitting.unseen_share(trained, length), 0) << length;
    const ReRopeEncoding less(default_embedding(8, 10000), {window, std::nextafter(leak, 1)});
    EXPECT_EQ(less.unseen_share(trained, length), 1.0 / (length - trained)) << length;
  }
  EXPECT_TRUE(std::isinf(DistanceMap::fitting_leak(2047, 2048, 8192)));
}

TEST(ReRope, OfOnePairTurnsByTheMappedDistance) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  const Tokens q = tokens({1, 0}, {100}), k = tokens({0, 1}, {10});
  const double cut = ReRopeEncoding(embedding, {8}).scores(q, k)(0, 0);
  EXPECT_NEAR(cut, std::sin(8.0) / std::sqrt(2.0), kUlps);
  const double leaky = ReRopeEncoding(embedding, {8, 16}).scores(q, k)(0, 0);
  EXPECT_NEAR(leaky, std::sin(8 + 82 / 16.0) / std::sqrt(2.0), kUlps);
  const double ahead =
      ReRopeEncoding(embedding, {8, 16}).scores(tokens({1, 0}, {10}), tokens({0, 1}, {100}))(0, 0);
  EXPECT_EQ(ahead, -leaky);
  // A leak of 1 is RoPE; so is a window beyond all distances.
  const double rope = RopeEncoding(embedding).scores(q, k)(0, 0);
  EXPECT_NEAR(ReRopeEncoding(embedding, {8, 1}).scores(q, k)(0, 0), rope, kUlps);
  EXPECT_NEAR(ReRopeEncoding(embedding, {1000}).scores(q, k)(0, 0), rope, kUlps);
}

TEST(ReRope, FastPairsKeepTheirWholeTurnsBetweenTokens) {
  // θ = 7 and θ = 7 − 2π agree at whole positions and at no half one.
  RotaryEmbedding embedding = default_embedding(2, 10000);
  embedding.frequencies = given_frequencies(std::vector<double>{7});
  const ReRopeEncoding encoding(embedding, {0, 2});
  const double score = encoding.scores(tokens({1, 0}, {0}), tokens({1, 0}, {1}))(0, 0);
  EXPECT_NEAR(score, std::cos(3.5) / std::sqrt(2.0), kUlps);
}

TEST(ReRope, LogNMultipliesTheQueryBeyondTraining) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  const ReRopeEncoding plain(embedding, {8}), log_n(embedding, {8}, 16);
  const auto ratio = [&](std::int64_t m) {
    const Tokens q = tokens({1, 0}, {m}), k = tokens({1, 0}, {m});
    return log_n.scores(q, k)(0, 0) / plain.scores(q, k)(0, 0);
  };
  EXPECT_EQ(ratio(0), 1);
  EXPECT_EQ(ratio(15), 1);
  EXPECT_NEAR(ratio(255), 2, kUlps);
  EXPECT_THROW(ratio(-1), DomainError);
  EXPECT_THROW(ReRopeEncoding(embedding, {8}, 1), DomainError);
  EXPECT_THROW(ReRopeEncoding(embedding, {-1}), DomainError);
  EXPECT_THROW(ReRopeEncoding(embedding, {8, 0.5}), DomainError);
  EXPECT_THROW(ReRopeEncoding(embedding, {8, std::nan("")}), DomainError);
}

TEST(ReRope, KnowsWhichDistancesTrainingMet) {
  const RotaryEmbedding embedding = default_embedding(2, 10000);
  EXPECT_EQ(ReRopeEncoding(embedding, {8}).unseen_share(16, 64), 0);
  EXPECT_EQ(ReRopeEncoding(embedding, {100}).unseen_share(16, 64), 1);
  // 8 + (Δ − 8)/4 ≤ 15 up to Δ = 36: 27 of the 48 new distances are beyond.
  EXPECT_EQ(ReRopeEncoding(embedding, {8, 4}).unseen_share(16, 64), 27.0 / 48);
}

TEST(XPos, OfOnePairFallsByItsFactor) {
  const XPosEncoding encoding(default_embedding(2, 10000));
  // ζ_0 = 0.4/1.4, 512 tokens apart, the key before the query.
  const double score = encoding.scores(tokens({1, 0}, {612}), tokens({1, 0}, {100}))(0, 0);
  EXPECT_NEAR(score, 0.4 / 1.4 * std::cos(512.0) / std::sqrt(2.0), kUlps);
  const double grown = encoding.scores(tokens({1, 0}, {100}), tokens({1, 0}, {612}))(0, 0);
  EXPECT_NEAR(grown, 1.4 / 0.4 * std::cos(512.0) / std::sqrt(2.0), 4 * kUlps);
  EXPECT_THROW(encoding.scores(tokens({1, 0}, {0}), tokens({1, 0}, {10'000'000})), DomainError);
  EXPECT_THROW(XPosEncoding(default_embedding(2, 10000), 0), DomainError);
  EXPECT_THROW(XPosEncoding(default_embedding(2, 10000), 512, 0), DomainError);
}

TEST(Costs, AreThoseOfThePublishedModels) {
  const ModelShape llama{32, 32, 2048};
  const RopeEncoding rope(default_embedding(128, 10000));
  EXPECT_EQ(rope.cost(llama).flops, 24576);  // 6 · 4096
  EXPECT_NEAR(rope.cost(llama).flops / (8.0 * 4096 * 4096), 0.00018310546875, 0);
  EXPECT_EQ(rope.cost({32, 32, 4096}).table_bytes, 2097152);  // cos and sin, 4096 × 64
  EXPECT_EQ(rope.cost(llama).parameters, 0);
  const ModelShape t5_base{12, 12, 512};
  EXPECT_EQ(
      T5Encoding(64, T5Buckets(32, 128, true), std::vector<double>(32)).cost(t5_base).parameters,
      384);
  // BERT: 512 positions of 768 columns.
  const RowMatrix w = RowMatrix::Identity(64, 64);
  const AdditiveEncoding bert(std::make_shared<LearnedTable>(RowMatrix::Ones(4, 64)), w, w);
  EXPECT_EQ(bert.cost(t5_base).parameters, 393216);
  EXPECT_EQ(AlibiEncoding(64, 12, 0).cost(t5_base).parameters, 0);
  // One addition of d_model numbers, once: RoPE in 32 layers is 192 times that.
  const AdditiveEncoding additive(std::make_shared<SinusoidalTable>(128, 10000),
                                  RowMatrix::Identity(128, 128), RowMatrix::Identity(128, 128));
  EXPECT_EQ(rope.cost(llama).flops * 32 / (additive.cost(llama).flops * 32), 192);
}

TEST(Vectors, AreAddedInOrderAndChecked) {
  EXPECT_EQ(dot(std::vector<double>{0x1p53, 1, -0x1p53}, std::vector<double>{1, 1, 1}), 0);
  EXPECT_EQ(norm(std::vector<double>{3, 4}), 5);
  EXPECT_THROW(dot(std::vector<double>{1}, std::vector<double>{1, 2}), ShapeError);
  EXPECT_EQ(random_matrix(3, 4, 1, 7, 1), random_matrix(3, 4, 1, 7, 1));
  EXPECT_NE(random_matrix(3, 4, 1, 7, 1), random_matrix(3, 4, 1, 7, 2));
}

}  // namespace
}  // namespace rope
