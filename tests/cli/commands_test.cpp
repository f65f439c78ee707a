// What the commands answer.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using CommandsTest = CliTest;
using Names = std::vector<std::string>;

Setting in_locale(const std::string& locale) { return {{{"LC_ALL", locale}}, {}, false, false}; }

TEST_F(CommandsTest, DecayGivesTheKnownBounds) {
  ASSERT_EQ(rope({"decay", "--base", "10000", "--dim", "128"}).exit_code, 0);
  const io::CsvTable table = io::parse_csv(read("decay.csv"), "decay.csv");
  ASSERT_EQ(table.rows(), 257U);  // every distance from 0 to 256
  const std::vector<double> bound = table.numbers(table.column("bound"));
  EXPECT_EQ(bound[0], 32.5);
  EXPECT_NEAR(bound[1], 31.538166, 5e-7);
  EXPECT_NEAR(bound[256], 6.543097, 5e-7);
  EXPECT_EQ(table.numbers(table.column("mean_cosine")).at(0), 1.0);
}

TEST_F(CommandsTest, DecaySaysWhatItsNumbersAreNot) {
  const Outcome run = rope({"decay", "--distances", "0:4000", "-o", "x.csv"});
  EXPECT_NE(run.out.find("an upper bound on the score, not the score itself"), std::string::npos);
  EXPECT_NE(run.out.find("Scores of random q and k do not decay"), std::string::npos);
  EXPECT_NE(flowing(run.out).find("(first negative at distance 1707)."), std::string::npos)
      << run.out;
}

TEST_F(CommandsTest, DecayFindsTheSameFirstNegativeDistanceWhateverTheGrid) {
  for (const char* model : {"llama-2", "llama-3", "llama-3.1-8b", "gpt-oss", "qwen2.5-7b"}) {
    const Outcome inspected = rope({"inspect", model, "--json"});
    const auto distance = io::parse_json(inspected.out, "inspect")
                              .at("first_negative")
                              .at("distance")
                              .get<std::int64_t>();
    const std::string end = std::to_string(distance), before = std::to_string(distance - 1);
    for (const std::string& grid :
         Names{"0:" + end, "1:131072:log100", "1:131072:log300", "1:131072:log500", "0:131072:997",
               "131072", "-131072,0,1", end + ":131072:7,131072"}) {
      const Outcome run =
          rope({"decay", "--model", model, "--distances=" + grid, "--random-pairs", "0", "--json"});
      const io::Json curve = io::parse_json(run.out, "decay").at("curves").at(0);
      EXPECT_EQ(curve.at("first_negative").at("distance"), distance) << model << " " << grid;
    }
    // One token less, and it lies beyond.
    const Outcome run =
        rope({"decay", "--model", model, "--distances", "1:" + before + ":log9", "-o", "x.csv"});
    EXPECT_NE(flowing(run.out).find("(first negative at distance " + end + ", beyond the table"),
              std::string::npos)
        << run.out;
  }
  const Outcome far = rope({"decay", "--base", "1e12", "--distances", "1:1e8:log9", "-o", "x.csv"});
  EXPECT_NE(flowing(far.out).find(
                "never negative up to distance 1048576; greater distances were not searched)."),
            std::string::npos)
      << far.out;
}

TEST_F(CommandsTest, PrecisionShowsWhatIsConsistentAndWhatIsRight) {
  const Outcome run =
      rope({"precision", "--dim", "32", "--policy", "bfloat16-frequencies", "--policy", "tf32",
            "--max-position", "1024", "--details", "-o", "x.csv", "-o", "x.json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(flowing(run.out).find("It first exceeds 0.001 with bfloat16-frequencies at position "),
            std::string::npos)
      << run.out;
  for (const char* policy : {"bfloat16-frequencies", "tf32"})
    EXPECT_NE(run.out.find(std::string(policy) + " turns by the wrong angles"), std::string::npos)
        << run.out;
  EXPECT_EQ(run.out.find("≥ 1"), std::string::npos) << run.out;
  const io::Json document = io::parse_json(read("x.json"), "x.json");
  EXPECT_EQ(document.at("against"), "both");
  for (const io::Json& policy : document.at("policies")) {
    // Both hold the identity this far, and both turn by the wrong angles.
    EXPECT_LT(policy.at("worst").back(), 1e-6);
    EXPECT_GT(policy.at("exact").at("worst").back(), 0.1);
    EXPECT_EQ(policy.at("largest").back(), true);
  }
  const io::CsvTable table = io::parse_csv(read("x.csv"), "x.csv");
  EXPECT_GT(table.numbers(table.column("worst_exact[tf32]")).back(), 0.1);
  EXPECT_EQ(rope({"precision", "--against", "itself"}).exit_code, 2);
}

TEST_F(CommandsTest, PrecisionSaysFirstHowLargeTheErrorIs) {
  const auto answer = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"precision", "-o", "x.csv", "--dim", "16"});
    const Outcome run = rope(more);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out.find("wrong angles"), std::string::npos) << run.out;
    return run.out.substr(0, run.out.find("head_dim"));
  };
  const std::string float32 = flowing(answer({"--policy", "float32"}));
  const io::CsvTable table = io::parse_csv(read("x.csv"), "x.csv");
  EXPECT_EQ(table.numbers(table.column("position")).back(), 131072);
  const Outcome json = rope({"precision", "--dim", "16", "--policy", "float32", "--json"});
  const io::Json exact = io::parse_json(json.out, "out").at("policies").at(0).at("exact");
  EXPECT_EQ(exact.at("first").at(0).at("exact"), true);
  EXPECT_EQ(float32,
            fmt::format("For q and k of length 1, the largest error of a score is {:.3g} with "
                        "float32, from cos and sin only, up to position "
                        "131072. It first exceeds 0.001 with float32 at position {}.",
                        exact.at("worst").back().get<double>(),
                        exact.at("first").at(0).at("position").get<int>()));
  EXPECT_EQ(flowing(answer({"--policy", "float64,exact"})).find("exceeds"), std::string::npos);
  EXPECT_EQ(
      flowing(answer({"--policy", "bfloat16-table", "--max-position", "1024"})),
      "For q and k of length 1, the largest error of a score is 0.00551 with bfloat16-table, from "
      "cos and sin only, up to position 1024. It first exceeds 0.001 with bfloat16-table "
      "at position 1. Rotating and summing can add 0.0224 with bfloat16-table at any position.");
  // Where the positions are few the arithmetic is most of the error.
  const std::string near = flowing(answer({"--policy", "float32", "--max-position", "1"}));
  EXPECT_NE(near.find("Rotating and summing can add "), std::string::npos) << near;
  // Each with its own number, in every format of the answer.
  const std::string two = flowing(answer({"--policy", "bfloat16-store,bfloat16-table", "-q"}));
  EXPECT_NE(
      two.find(
          "can add 0.00783 with bfloat16-store and 0.0224 with bfloat16-table at any position."),
      std::string::npos)
      << two;
  const std::string one = flowing(
      answer({"--policy", "bfloat16-table,bfloat16-positions", "--max-position", "64", "-q"}));
  EXPECT_NE(one.find("can add 0.0224 with bfloat16-table and bfloat16-positions at any position."),
            std::string::npos)
      << one;
  const Outcome both =
      rope({"precision", "--dim", "16", "--policy", "float64,bfloat16-table", "--json"});
  const io::Json policies = io::parse_json(both.out, "out").at("policies");
  EXPECT_LT(policies.at(0).at("evaluation").get<double>(), 1e-14);
  EXPECT_NEAR(policies.at(1).at("evaluation").get<double>(), 0.0224, 5e-5);
  // What stores scores in 8 bits stays within no thousandth of them, whatever its cos and sin.
  EXPECT_EQ(rope({"verify", "--dim", "16", "--policy", "float8-store", "--require", "1e-3",
                  "--trials", "200"})
                .exit_code,
            1);
  for (const char* against : {"both", "identity"}) {
    const std::string coarse = flowing(
        answer({"--policy", "float8-store", "--max-position", "1000", "--against", against, "-q"}));
    EXPECT_NE(coarse.find("e-05 with float8-store, from cos and sin only"), std::string::npos)
        << coarse;
    EXPECT_NE(coarse.find("Rotating and summing can add 0.1"), std::string::npos) << coarse;
  }
  const std::string all = answer({"--policy", "all", "--max-position", "2", "--against", "exact"});
  EXPECT_NE(flowing(all).find(" of 20 policies, it stays within 0.001: "), std::string::npos)
      << all;
  EXPECT_NE(flowing(all).find(" ranges from less than 7.11e-15 with exact to "), std::string::npos)
      << all;
  const std::string details =
      flowing(rope({"precision", "--policy", "bfloat16-store", "--details", "-o", "x.csv"}).out);
  EXPECT_NE(details.find("from errors of cos and sin only, 0 ≤ m ≤ n ≤ N:"), std::string::npos)
      << details;
}

TEST_F(CommandsTest, PrecisionOfAPairThatNeverTurnsHasNoNumberThatIsNone) {
  for (const char* frequencies : {"0", "0,1", "1,0", "1e-300"}) {
    const Outcome run =
        rope({"precision", "--frequencies", frequencies, "--policy", "float32", "--policy", "ggml",
              "--policy", "bfloat16-positions", "--max-position", "1000", "-o", "x.csv"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out.find("NaN"), std::string::npos) << run.out;
    EXPECT_EQ(read("x.csv").find("nan"), std::string::npos);
  }
}

TEST_F(CommandsTest, DecayPrintsDistancesFromAllOverTheList) {
  const auto printed = [&](const std::string& list) {
    const Outcome run = rope({"decay", "--random-pairs", "0", "--distances", list, "-o", "x.csv"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::istringstream lines(run.out);
    std::vector<std::int64_t> distances;
    std::string line;
    while (std::getline(lines, line) && !line.starts_with("  Δ")) {
    }
    while (std::getline(lines, line) && line.starts_with("  "))
      distances.push_back(std::stoll(line));
    return distances;
  };
  using Integers = std::vector<std::int64_t>;
  EXPECT_EQ(printed("0:256"), (Integers{0, 1, 4, 16, 64, 256}));
  EXPECT_EQ(printed("1:300"), (Integers{1, 4, 16, 64, 256, 300}));
  EXPECT_EQ(printed("0:12"), (Integers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}));
  EXPECT_EQ(printed("-100:100"), (Integers{-100, -82, -64, -46, -28, -10, 9, 27, 45, 63, 81, 100}));
  EXPECT_EQ(printed("1000:0:-100,7"),
            (Integers{1000, 900, 800, 700, 600, 500, 400, 300, 200, 100, 0, 7}));
  EXPECT_EQ(printed("5"), (Integers{5}));
  const Integers spread = printed("1:131072:log400");
  ASSERT_EQ(spread.size(), 13U);  // 1707, where the mean cosine is negative, is one of them
  EXPECT_EQ(spread.front(), 1);
  EXPECT_EQ(spread.back(), 131072);
  for (std::size_t i = 1; i < spread.size(); ++i) {
    EXPECT_GT(spread[i], spread[i - 1]);
    if (i > 3) {
      EXPECT_LT(spread[i], 4 * spread[i - 1]) << "a gap";
    }
  }
}

TEST_F(CommandsTest, DecayMeasuresRandomPairsOnlyWhereItIsQuick) {
  const auto has_random = [&](const Names& options) {
    Names arguments = {"decay", "-o", "x.csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(rope(arguments).exit_code, 0);
    return read("x.csv").substr(0, read("x.csv").find('\n')).find("random_mean") !=
           std::string::npos;
  };
  EXPECT_TRUE(has_random({"--distances", "0:4095"}));
  EXPECT_FALSE(has_random({"--distances", "0:4096"}));
  EXPECT_FALSE(has_random({"--random-pairs", "0"}));
  EXPECT_TRUE(has_random({"--distances", "0:5000", "--random-pairs", "2"}));
  const auto notes = [&](const Names& options) {
    Names arguments = {"decay", "-o", "x.csv", "--distances", "0:4096"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string out = rope(arguments).out;
    return flowing(out).find(
               "Random q and k are measured only for up to 4096 distances, unless --random-pairs "
               "is given.") != std::string::npos;
  };
  EXPECT_TRUE(notes({}));
  EXPECT_FALSE(notes({"--random-pairs", "0"}));
}

TEST_F(CommandsTest, DecayReportsTheDeviationsOfAllItsCurves) {
  ASSERT_EQ(rope({"decay", "--dim", "2", "--dim", "64", "-o", "x.csv"}).exit_code, 0);
  const io::CsvTable table = io::parse_csv(read("x.csv"), "x.csv");
  double low = 9, high = 0;
  for (const char* column : {"random_deviation[dim=2]", "random_deviation[dim=64]"}) {
    for (const double deviation : table.numbers(table.column(column))) {
      low = std::min(low, deviation);
      high = std::max(high, deviation);
    }
  }
  const std::string out = rope({"decay", "--dim", "2", "--dim", "64", "-o", "x.csv"}).out;
  EXPECT_NE(flowing(out).find(fmt::format("stays between {:.2f} and {:.2f}", low, high)),
            std::string::npos)
      << out;
}

TEST_F(CommandsTest, DecayDependsOnTheSeedOnlyInItsRandomPairs) {
  ASSERT_EQ(rope({"decay", "--seed", "1", "-o", "a.csv"}).exit_code, 0);
  ASSERT_EQ(rope({"decay", "--seed", "2", "-o", "b.csv"}).exit_code, 0);
  const io::CsvTable a = io::parse_csv(read("a.csv"), "a"), b = io::parse_csv(read("b.csv"), "b");
  EXPECT_EQ(a.numbers(1), b.numbers(1));
  EXPECT_NE(a.numbers(a.column("random_mean")), b.numbers(b.column("random_mean")));
}

TEST_F(CommandsTest, DecayOfTheOtherFamilies) {
  const Outcome run = rope({"decay", "--family", "linear", "--dim", "8", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const io::Json curve = io::parse_json(run.out, "out").at("curves").at(0);
  EXPECT_EQ(curve.at("family"), "linear");
  EXPECT_TRUE(curve.at("base").is_null());
  EXPECT_FALSE(curve.contains("log_law"));
  // θ = 0, 1/4, 1/2, 3/4: the mean cosine at 1 is the mean of their cosines.
  const double expected = (1 + std::cos(0.25) + std::cos(0.5) + std::cos(0.75)) / 4;
  EXPECT_NEAR(curve.at("mean_cosine").at(1).get<double>(), expected, 2e-15);
}

TEST_F(CommandsTest, HeadingsAndCaptionsSayWhereTheFrequenciesComeFrom) {
  const auto both = [&](Names arguments, const std::string& description) {
    arguments.insert(arguments.end(), {"-o", "x.gp"});
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find(description), std::string::npos) << run.out;
    EXPECT_NE(read("x.gp").find("'" + description + "'"), std::string::npos) << description;
  };
  both({"decay", "--family", "linear", "--dim", "6"},
       "head_dim 6, linear family, layout interleaved");
  both({"decay", "--family", "quadratic", "--dim", "8", "--rotary-dim", "6"},
       "head_dim 8, rotary_dim 6, quadratic family, layout interleaved");
  both({"decay", "--frequencies", "1,0.5,1e-3"},
       "head_dim 6, frequencies 1, 0.5, 0.001, layout interleaved");
  both({"wavelengths", "--frequencies", "1,2,3,4,5", "--dim", "12", "--layout", "half"},
       "head_dim 12, rotary_dim 10, 5 given frequencies, layout half");
  both({"matrix", "--frequencies", "1,0.5"}, "head_dim 4, frequencies 1, 0.5, layout interleaved");
}

TEST_F(CommandsTest, CaptionsOfSeveralCurvesSayWhatTheyShare) {
  const auto caption = [&](Names arguments, const std::string& description) {
    arguments.insert(arguments.end(), {"-o", "x.gp"});
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(read("x.gp").find("'" + description + "'"), std::string::npos) << description;
  };
  for (const char* command : {"decay", "wavelengths"}) {
    caption({command, "--base", "100", "--base", "1e4", "--dim", "64"},
            "head_dim 64, layout interleaved");
    caption({command, "--dim", "32", "--dim", "64", "--layout", "half"}, "base 10000, layout half");
    caption({command, "--dim", "32", "--dim", "64", "--base", "1e4", "--base", "5e5"},
            "layout interleaved");
  }
  caption({"decay", "--family", "linear", "--dim", "32", "--dim", "64"},
          "linear family, layout interleaved");
}

TEST_F(CommandsTest, DecayPicturesSayWhatTheirCurvesAre) {
  const auto script = [&](Names arguments) {
    arguments.insert(arguments.begin(), "decay");
    arguments.insert(arguments.end(), {"-o", "x.gp"});
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read("x.gp");
  };
  const auto count = [](const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  };
  const std::string one = script({});
  EXPECT_EQ(count(one, "'mean cosine'"), 2U);  // axis and legend
  EXPECT_EQ(count(one, "'score/√r'"), 1U) << "random pairs have a panel of their own";
  EXPECT_EQ(count(one, "'bound f(Δ)'"), 1U);
  EXPECT_EQ(count(script({"--relative"}), "'bound f(Δ)/f(0)'"), 1U);
  EXPECT_EQ(count(script({"--dim", "64", "--dim", "128"}), "'bound f(Δ)/f(0)'"), 1U);
  EXPECT_NE(one.find("set yrange [0:"), std::string::npos);  // the bound, from 0 on
  EXPECT_EQ(count(one, " dt 3 lc rgb"), 2U);                 // the law
  EXPECT_EQ(count(script({"--random-pairs", "0"}), "'score/√r'"), 0U);
  Names ten;
  for (int i = 1; i <= 10; ++i) ten.insert(ten.end(), {"--base", std::to_string(i) + "0000"});
  for (const Names& bases : {Names{"--base", "1e4", "--base", "5e5", "--base", "1e6"}, ten}) {
    const std::string several = script(bases);
    const std::size_t curves = bases.size() / 2;
    EXPECT_EQ(count(several, "'log law of each'"), 1U);
    EXPECT_EQ(count(several, "standard deviation of 256 samples, base=10000'"), 1U);
    EXPECT_EQ(count(several, "'base="), curves) << "in the legend";
    EXPECT_EQ(count(several, " dt 3 lc rgb"), curves + 1) << "the laws, and their legend";
    EXPECT_EQ(count(several, "with lines lw"), 3 * curves + 1) << "and the random mean";
  }
  EXPECT_EQ(count(script({"--axis", "log"}), "; without Δ = 0, which has no logarithm'"), 1U);
  EXPECT_EQ(count(script({"--axis", "log", "--distances", "-3:3"}), "; without Δ ≤ 0"), 1U);
  EXPECT_EQ(count(script({"--axis", "log", "--distances", "1:3"}), "logarithm'"), 0U);
}

TEST_F(CommandsTest, WavelengthsCountsThePairsThatNeverTurn) {
  const Outcome run = rope({"wavelengths", "--dim", "128", "--context", "4096", "-o", "w.csv"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(
      run.out.find("18 of 64 pairs never complete a turn within 4096 tokens: pairs 46 … 63.\n"),
      std::string::npos)
      << run.out;
  const io::CsvTable table = io::parse_csv(read("w.csv"), "w.csv");
  EXPECT_EQ(table.header(), (Names{"pair", "theta", "wavelength", "turns"}));
  const std::vector<double> wavelength = table.numbers(2), turns = table.numbers(3);
  EXPECT_NEAR(wavelength[0], 6.283185, 5e-7);
  EXPECT_NEAR(wavelength[63], 54410, 0.5);
  EXPECT_EQ(std::ranges::count_if(turns, [](double t) { return t < 1; }), 18);
  EXPECT_EQ(turns[5], 4096 / wavelength[5]);
}

TEST_F(CommandsTest, PairsThatAnEmbeddingLacksAreEmptyCells) {
  const Outcome run =
      rope({"wavelengths", "--dim", "2", "--dim", "4", "-o", "-", "--format", "csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\n1,,,,0.01,"), std::string::npos) << run.out;
}

TEST_F(CommandsTest, DecayHasItsDocumentedFieldsAndNoOthers) {
  const io::Json document =
      io::parse_json(rope({"decay", "--json", "--distances", "0:4"}).out, "out");
  std::string names;
  for (const auto& field : document.at("curves").at(0).items()) names += field.key() + " ";
  EXPECT_EQ(names,
            "label base dim family rotary first_negative distance bound mean_cosine log_law "
            "random_mean random_deviation ");
}

TEST_F(CommandsTest, WavelengthsHasItsDocumentedFields) {
  const auto document = [&](const Names& options) {
    Names arguments = {"wavelengths", "--json", "--dim", "4"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return io::parse_json(rope(arguments).out, "out");
  };
  const io::Json plain = document({});
  EXPECT_EQ(plain.at("attention_factor"), 1.0);
  EXPECT_EQ(plain.at("rotary").dump(),
            R"({"head_dim":4,"rotary_dim":4,"base":10000.0,"layout":"interleaved",)"
            R"("attention_factor":1.0,"scaling":{"rule":"default"},)"
            R"("max_positions":null,"seq_len":null})");
  ASSERT_EQ(plain.at("pairs").size(), 2U);
  EXPECT_EQ(plain.at("pairs").at(1).at("theta"), 0.01);
  EXPECT_TRUE(plain.at("pairs").at(0).at("turns").is_null());
  EXPECT_EQ(document({"--context", "100"}).at("pairs").at(0).at("turns"), 100 / 6.283185307179586);
  const io::Json several = document({"--base", "100", "--base", "10000"});
  EXPECT_EQ(several.at("embeddings").size(), 2U);
  EXPECT_EQ(several.at("embeddings").at(1).at("label"), "base=10000");
  EXPECT_EQ(several.at("pairs"), several.at("embeddings").at(0).at("pairs"));
}

TEST_F(CommandsTest, APairThatDoesNotTurnHasNoWavelength) {
  const Outcome run = rope({"wavelengths", "--frequencies", "0,0.5", "--context", "100", "-o",
                            "w.csv", "-o", "w.json", "-o", "w.png"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 of 2 pairs never completes a turn within 100 tokens: pair 0."),
            std::string::npos);
  EXPECT_NE(read("w.csv").find("0,0,inf,0\n"), std::string::npos) << read("w.csv");
  EXPECT_TRUE(io::parse_json(read("w.json"), "w").at("pairs").at(0).at("wavelength").is_null());
}

TEST_F(CommandsTest, MatrixChecksItsProperties) {
  const Outcome run = rope({"matrix", "--dim", "128", "--positions", "5,1000000,-7", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const io::Json checks = io::parse_json(run.out, "out").at("checks");
  ASSERT_EQ(checks.size(), 4U);
  for (const io::Json& check : checks) {
    EXPECT_TRUE(check.at("passed").get<bool>()) << check;
    EXPECT_GT(check.at("value").get<double>(), 0.0) << check;
    EXPECT_LE(check.at("value").get<double>(), check.at("bound").get<double>()) << check;
    EXPECT_LT(check.at("bound").get<double>(), 1e-13) << check;
  }
  EXPECT_EQ(checks.at(3).at("name"), "composition");
}

TEST_F(CommandsTest, TablesPrintNoNegativeZeroAndFilesKeepIt) {
  for (const Names& form : {Names{"--form", "dense"}, Names{"--form", "pairs"}}) {
    Names arguments = {"matrix", "--dim", "4", "--positions", "0", "-o", "m.tex", "-o", "m.npy"};
    arguments.insert(arguments.end(), form.begin(), form.end());
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out.find("-0 "), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("-0\n"), std::string::npos) << run.out;
    EXPECT_EQ(read("m.tex").find("-0"), std::string::npos) << read("m.tex");
  }
  const Outcome csv =
      rope({"matrix", "--dim", "2", "--positions", "0", "-o", "-", "--format", "csv"});
  EXPECT_EQ(csv.out, "position,row,c0,c1\n0,0,1,-0\n0,1,0,1\n");  // the bits of the library
}

TEST_F(CommandsTest, PicturesCountPairsAndTokensInIntegers) {
  for (const Names& arguments :
       {Names{"wavelengths", "--dim", "4"}, Names{"wavelengths", "--dim", "2"},
        Names{"matrix", "--dim", "4", "--form", "pairs"}, Names{"decay", "--distances", "5"},
        Names{"decay", "--distances", "0:3"}, Names{"decay", "--distances", "1:3:log3"}}) {
    Names all = arguments;
    all.insert(all.end(), {"-o", "x.gp"});
    ASSERT_EQ(rope(all).exit_code, 0);
    const std::string script = read("x.gp");
    const std::size_t begin = script.find("set xtics (");
    const std::string ticks = script.substr(begin, script.find('\n', begin) - begin);
    EXPECT_EQ(ticks.find('.'), std::string::npos) << arguments.back() << ": " << ticks;
  }
}

TEST_F(CommandsTest, ATableNeverLeavesOutOneRowAlone) {
  const Outcome run = rope({"wavelengths", "--dim", "22"});  // 11 pairs
  EXPECT_NE(run.out.find("\n    10 "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n     5 "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("Showing "), std::string::npos) << run.out;
  EXPECT_NE(rope({"wavelengths", "--dim", "24"}).out.find("Showing 10 of 12 pairs"),
            std::string::npos);
  EXPECT_EQ(rope({"wavelengths", "--dim", "24", "--details"}).out.find("Showing "),
            std::string::npos);
}

TEST_F(CommandsTest, ATableShowsTheRowsAtWhichSomethingHappens) {
  // Pair 46 is the first that never completes a turn.
  const Outcome run = rope({"wavelengths", "--context", "4096"});
  for (const char* pair : {"\n     0 ", "\n    45 ", "\n    46 ", "\n    63 "})
    EXPECT_NE(run.out.find(pair), std::string::npos) << run.out;
  // Pairs 29 … 34 are blended.
  const Outcome bands = rope({"inspect", "llama-3.1-8b"});
  for (const char* pair : {"\n    28 ", "\n    29 ", "\n    35 "})
    EXPECT_NE(bands.out.find(pair), std::string::npos) << bands.out;
}

TEST_F(CommandsTest, MatrixOfALargeHeadShowsPairsAndSaysHowToGetTheRest) {
  const Outcome run = rope({"matrix", "--dim", "128"});
  EXPECT_NE(run.out.find("Showing 10 of 64 pairs; --details shows all.\n"), std::string::npos)
      << run.out;
  const std::string why =
      "A matrix with d above 8 is shown as pairs; -o FILE writes the whole matrix.\n";
  EXPECT_NE(run.out.find(why), std::string::npos) << run.out;
  EXPECT_EQ(rope({"matrix", "--dim", "128", "--form", "pairs"}).out.find(why), std::string::npos);
  EXPECT_EQ(rope({"matrix", "--dim", "8"}).out.find(why), std::string::npos);
  const Outcome all = rope({"matrix", "--form", "pairs", "-o", "-", "--format", "csv"});
  EXPECT_EQ(io::parse_csv(all.out, "out").rows(), 64U);
}

TEST_F(CommandsTest, WithoutUtf8EverythingIsAscii) {
  for (const Names& arguments :
       {Names{"matrix", "--dim", "4", "--positions", "5,2"}, Names{"decay", "-o", "x.csv"},
        Names{"wavelengths", "--context", "4096", "-o", "x.csv"}, Names{"decay", "--base", "1"},
        Names{"decay", "--frequencies", "1", "--base", "1"}, Names{"attention", "--details"},
        Names{"attention", "--view", "shuffle"}, Names{"attention", "--view", "repeat"},
        Names{"attention", "--view", "values"},
        Names{"attention", "--view", "entropy", "--lengths", "16"}}) {
    const Outcome run = rope(arguments, in_locale("C"));
    const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 128; };
    EXPECT_TRUE(std::ranges::all_of(run.out, ascii)) << run.out;
    EXPECT_TRUE(std::ranges::all_of(run.err, ascii)) << run.err;
  }
  EXPECT_NE(rope({"wavelengths", "-o", "x.csv"}, in_locale("C")).out.find("theta_i (rad/token)"),
            std::string::npos);
}

TEST_F(CommandsTest, ColourIsForTerminalsUnlessAskedFor) {
  const auto coloured = [](const Outcome& run) {
    return run.out.find('\033') != std::string::npos;
  };
  EXPECT_FALSE(coloured(rope({"matrix", "--dim", "4"})));
  EXPECT_TRUE(coloured(rope({"matrix", "--dim", "4", "--color", "always"})));
  EXPECT_FALSE(coloured(rope({"matrix", "--dim", "4", "--color", "always", "--json"})));
}

TEST_F(CommandsTest, ShowDrawsIntoTheAnswerAndWritesNoFile) {
  const Outcome run = rope({"decay", "--show"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("⣀"), std::string::npos) << run.out;  // braille dots
  EXPECT_EQ(files(), Names{});
  const Outcome ascii = rope({"decay", "--show"}, in_locale("C"));
  EXPECT_TRUE(std::ranges::all_of(ascii.out, [](char c) {
    return static_cast<unsigned char>(c) < 128;
  })) << ascii.out;
}

TEST_F(CommandsTest, PicturesFollowTheirOptions) {
  const auto script = [&](Names arguments) {
    arguments.insert(arguments.end(), {"-o", "x.gp"});
    const Outcome run = rope(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return read("x.gp");
  };
  const auto holds = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const std::string plain = script({"decay"});
  EXPECT_TRUE(holds(plain, "size 1600,1000"));
  EXPECT_TRUE(holds(plain, "bound f(Δ)"));
  EXPECT_FALSE(holds(plain, "\nset logscale x"));
  for (const char* const other : {"wavelengths", "matrix", "compare", "extend", "score"})
    EXPECT_TRUE(holds(script({other}), "size 1600,1000")) << other << ", as its help says";
  EXPECT_TRUE(holds(script({"attention"}), "size 1600,820")) << "as two squares need";
  EXPECT_TRUE(holds(script({"attention", "--size", "800x500"}), "size 800,500"));
  EXPECT_TRUE(holds(script({"precision", "--max-position", "64"}), "size 1600,1000"));
  EXPECT_TRUE(
      holds(script({"compare", "--encoding", "rope", "--encoding", "alibi"}), "size 1600,1000"));
  EXPECT_TRUE(holds(script({"decay", "--size", "800x600"}), "size 800,600"));
  EXPECT_TRUE(holds(script({"decay", "--title", "My own"}), "My own"));
  EXPECT_TRUE(holds(script({"decay", "--axis", "log"}), "\nset logscale x"));
  EXPECT_TRUE(holds(script({"decay", "--distances", "1:100:log9"}), "\nset logscale x"));
  EXPECT_FALSE(holds(script({"decay", "--distances", "1:100:log9", "--axis", "linear"}),
                     "\nset logscale x"));
  EXPECT_NE(script({"decay", "--style", "dark"}), plain);
  const auto drawing = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_EQ(drawing(script({"decay", "--style", "light"})), drawing(plain));
  EXPECT_TRUE(holds(script({"wavelengths", "--context", "4096"}), "context 4096"));
  EXPECT_FALSE(holds(script({"wavelengths"}), "context"));
  // A pair without a wavelength has no point: the caption says which.
  EXPECT_TRUE(holds(script({"wavelengths", "--frequencies", "1,0,2"}),
                    "without the pair that never turns (i = 1), λ = ∞"));
}

TEST_F(CommandsTest, ATitleMayHoldAnything) {
  const Outcome run = rope({"decay", "--title", "漢字 🙂 'q' \"x\" `y` $(z) \\ {a}_b^c\n\t\xff",
                            "-o", "x.png", "-o", "x.svg", "-o", "x.pdf", "-o", "x.gp"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(files(), (Names{"x.gp", "x.pdf", "x.png", "x.svg"}));
  EXPECT_EQ(rope({"decay", "--title", "", "-o", "y.png"}).exit_code, 0);
}

}  // namespace
}  // namespace rope::test
