// `rope compare`: its raw numbers, its measured table, and what it refuses.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class CompareTest : public CliTest {
 protected:
  io::Json document(Words options) {
    options.insert(options.begin(), "compare");
    options.emplace_back("--json");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    io::Json json = io::parse_json(run.out, "out");
    EXPECT_EQ(json.at("schema"), "rope.compare/2");
    return json;
  }

  void refused(Words options, const std::string& message) {
    options.insert(options.begin(), "compare");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope compare: " + message);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
    EXPECT_EQ(files(), Words{});
  }
};

TEST_F(CompareTest, WritesATableOfScoresByDistanceAndAPicture) {
  const Outcome run = rope({"compare"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(files(), (Words{"compare.csv", "compare.png"}));
  EXPECT_NE(run.out.find("wrote compare.csv\nwrote compare.png\n"), std::string::npos);
  const io::CsvTable table = io::parse_csv(read("compare.csv"), "compare.csv");
  EXPECT_EQ(table.rows(), 65U);
  for (const double value : table.numbers(table.column("added[none]"))) EXPECT_EQ(value, 0);
  // At distance 0 nothing turns: what is left is the rounding that the report states.
  EXPECT_NEAR(table.numbers(table.column("added[rope]")).at(32), 0, 3.8e-13);
}

TEST_F(CompareTest, FindsWhichEncodingsAreRelative) {
  const io::Json all = document({});
  Words relative, absolute, blind, undefined;
  for (const auto& encoding : all.at("encodings")) {
    const auto name = encoding.at("name").get<std::string>();
    const auto& found = encoding.at("relative");
    const bool holds = found.at("value").get<double>() <= found.at("allowed").get<double>();
    EXPECT_EQ(found.at("holds"), holds) << name;
    (holds ? relative : absolute).push_back(name);
    if (!encoding.at("direction").at("known")) blind.push_back(name);
    if (!encoding.at("beyond").at("defined")) undefined.push_back(name);
  }
  EXPECT_EQ(absolute, (Words{"sinusoidal", "learned"}));
  EXPECT_EQ(relative.size(), 11U);
  EXPECT_EQ(blind, (Words{"none", "alibi"}));
  EXPECT_EQ(undefined, Words{"learned"});
}

TEST_F(CompareTest, CountsWhatThePublishedModelsCost) {
  const auto cost = [&](const Words& words) { return document(words).at("properties").at("cost"); };
  const io::Json rope_cost = cost({"--encoding", "rope"});  // 32 heads of 128
  EXPECT_EQ(rope_cost.at("flops"), 24576);
  EXPECT_NEAR(rope_cost.at("share_of_projections").get<double>(), 1.83e-4, 1e-6);
  EXPECT_EQ(cost({"--encoding", "t5", "--heads", "12", "--dim", "64"}).at("parameters"), 384);
  EXPECT_EQ(cost({"--encoding", "learned", "--heads", "12", "--dim", "64", "--from", "512"})
                .at("parameters"),
            393216);
}

TEST_F(CompareTest, GivesTheRawNumbersOfEachEncoding) {
  const io::Json alibi = document({"--encoding", "alibi", "--heads", "3"});
  EXPECT_EQ(alibi.at("encoding"), "alibi");
  EXPECT_EQ(alibi.at("slopes"), (std::vector<double>{0x1p-4, 0x1p-8, 0x1p-2}));
  const auto bias = [&](const std::string& kind) {
    return document(
               {"--encoding", "alibi:head=0,bias=" + kind, "--heads", "2", "--positions", "-1,0,3"})
        .at("bias");
  };
  EXPECT_EQ(bias("distance"), (std::vector<double>{-0.0625, 0, -0.1875}));
  EXPECT_EQ(bias("key"), (std::vector<double>{-0.0625, 0, 0.1875}));
  EXPECT_EQ(bias("key-from-last"), (std::vector<double>{-0.25, -0.1875, 0}));
  const io::Json t5 = document({"--encoding", "t5", "--range=-128,2"});
  EXPECT_EQ(t5.at("relative_position").size(), 131U);
  EXPECT_EQ(t5.at("relative_position")[0], -128);
  EXPECT_EQ(t5.at("buckets")[0], 31);
  EXPECT_EQ(t5.at("buckets")[128], 0);
  EXPECT_EQ(t5.at("buckets")[130], 0);
  const io::Json both =
      document({"--encoding", "t5:bidirectional=true,buckets=8,max_distance=20", "--range=1,2"});
  EXPECT_EQ(both.at("buckets"), (std::vector<int>{5, 6}));
  const io::Json table =
      document({"--encoding", "sinusoidal:form=blocks", "--dim", "3", "--positions", "0,7"});
  EXPECT_EQ(table.at("positions"), (std::vector<int>{0, 7}));
  EXPECT_EQ(table.at("table")[0], (std::vector<double>{0, 0, 1}));
  EXPECT_NEAR(table.at("table")[1][0].get<double>(), std::sin(7.0), 4e-16);
  const io::Json index = document({"--encoding", "rerope:window=32", "--range=0,119"}).at("index");
  EXPECT_EQ(index.size(), 120U);
  EXPECT_EQ(index[31], 31);
  EXPECT_EQ(index[119], 32);
  const io::Json leaky =
      document({"--encoding", "leaky-rerope:window=32,leak=16", "--positions", "33,-119"});
  EXPECT_EQ(leaky.at("index"), (std::vector<double>{32.0625, -37.4375}));
}

TEST_F(CompareTest, RawNumbersAreWrittenIntoAFileToo) {
  const Outcome run =
      rope({"compare", "--encoding", "t5", "--range=1,2", "-o", "t5.json", "-o", "t5.csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(io::Json::parse(read("t5.json")).at("relative_position"), (std::vector<int>{1, 2}));
}

TEST_F(CompareTest, RawNumbersReachFarAndFailWhereThereAreNone) {
  const io::Json t5 = document({"--encoding", "t5",
                                "--range=-9223372036854775808,"
                                "-9223372036854775807"});
  EXPECT_EQ(t5.at("buckets"), (std::vector<int>{31, 31}));
  refused({"--encoding", "learned", "--json", "--range=2047,2048"},
          "learned: expected a position from 0 to 2047, got 2048");
}

TEST_F(CompareTest, AnswersFirstWhichEncodingsAreRelative) {
  const auto answer = [&](Words words) {
    words.insert(words.begin(), {"compare", "-o", "x.csv"});
    const Outcome run = rope(words);
    return run.out.substr(0, run.out.find("q·k/√d, d = "));
  };
  EXPECT_EQ(answer({}),
            "11 of 13 encodings are relative: shifting both tokens changes no score by more\n"
            "than rounding; sinusoidal (by up to 6.17) and learned (by up to 8.65) are not.\n");
  EXPECT_EQ(answer({"rope", "alibi"}),
            "RoPE and ALiBi are relative: shifting both tokens changes no score by more than\n"
            "rounding.\n");
  EXPECT_EQ(answer({"rope,alibi"}), answer({"rope", "alibi"}));
  EXPECT_EQ(answer({"t5:buckets=8,max_distance=32,alibi"}),
            answer({"t5:buckets=8,max_distance=32", "alibi"}));
  EXPECT_EQ(answer({"learned"}),
            "Shifting both tokens changes the scores of learned (by up to 8.65).\n");
  // What the words of the table are made of stands in --details.
  EXPECT_EQ(rope({"compare", "-o", "x.csv"}).out.find("3.79e-13"), std::string::npos);
  const std::string details = rope({"compare", "--details", "-o", "x.csv"}).out;
  for (const char* part : {"3.79e-13", "-13.5", "50 405 376", "slopes 0.8409 to 0.003906"})
    EXPECT_NE(details.find(part), std::string::npos) << part;
}

TEST_F(CompareTest, LaysAnEncodingBesideItselfWithOtherParameters) {
  const Words words = {"--encoding", "t5:buckets=8", "--encoding", "t5", "--encoding", "alibi"};
  const io::Json json = document(words);
  const io::Json& few = json.at("encodings")[0];
  EXPECT_EQ(few.at("name"), "t5");
  EXPECT_EQ(few.at("label"), "t5:buckets=8");
  EXPECT_EQ(few.at("parameters").dump(),
            R"({"buckets":8,"max_distance":128,"bidirectional":false})");
  EXPECT_EQ(json.at("encodings")[1].at("label"), "t5");
  EXPECT_EQ(json.at("encodings")[2].at("parameters").dump(), R"({"head":16,"bias":"distance"})");
  const Outcome run = rope({"compare", words[0], words[1], words[2], words[3], "-o", "x.csv"});
  EXPECT_NE(run.out.find("T5 bias buckets=8"), std::string::npos) << run.out;
  EXPECT_EQ(read("x.csv").substr(0, 36), "distance,added[t5:buckets=8],added_s");
}

TEST_F(CompareTest, PointsToTheParameterThatAnOptionWas) {
  const auto remedy = [&](const std::string& option) {
    const std::string err = rope({"compare", option, "3"}).err;
    EXPECT_EQ(err.substr(0, err.find('\n')), "rope compare: unknown option '" + option + "'");
    return err.substr(err.find('\n') + 1);
  };
  EXPECT_EQ(remedy("--max-distance"), "Did you mean --encoding t5:max_distance=N?\n");
  EXPECT_EQ(remedy("--alibi-bias"), "Did you mean --encoding alibi:bias=WORD?\n");
  EXPECT_EQ(remedy("--head"), "Did you mean --encoding alibi:head=N?\n");
  EXPECT_EQ(remedy("--seeds"), "Did you mean --seed?\n");
}

TEST_F(CompareTest, LogNActsBeyondTrainingAloneAndIsSaidToChangeNothingWithin) {
  Words words = {"--encoding", "rerope:log_n=true", "--from", "256"};
  EXPECT_EQ(document(words).at("properties").at("relative").at("holds"), false);
  words.insert(words.end(), {"--to", "256"});
  EXPECT_EQ(document(words).at("properties").at("relative").at("holds"), true);
  words.insert(words.begin(), "compare");
  EXPECT_EQ(rope(words).err,
            "rope compare: warning: rerope:log_n=1: log_n changes nothing that is measured up to "
            "T* = 256 tokens\n");
}

TEST_F(CompareTest, CallsRelativeWhatAGridOfScoresCallsConstant) {
  for (const char* encoding :
       {"alibi", "alibi:bias=key", "alibi:bias=key-from-last", "rope", "t5", "xpos", "rerope",
        "rerope:log_n=1", "leaky-rerope:log_n=1", "sinusoidal", "shaw", "transformer-xl"}) {
    const io::Json properties =
        document({"--encoding", encoding, "--from", "256", "--to", "8192"}).at("properties");
    // Positions on both sides of the T = 2048 of a grid.
    const Outcome grid = rope({"score", "--view", "grid", "--encoding", encoding, "--positions",
                               "0:8,4000:4008", "--json"});
    const io::Json found = io::parse_json(grid.out, "out").at("encodings")[0];
    EXPECT_EQ(properties.at("relative").at("holds"), found.at("spread").at("constant")) << encoding;
  }
}

TEST_F(CompareTest, SaysWhatCountsForParametersThatWereNotGiven) {
  const io::Json properties = document({"--encoding", "leaky-rerope"}).at("properties");
  EXPECT_EQ(properties.at("parameters").at("window"), 1024);
  EXPECT_EQ(properties.at("map_parameters").at("window"), 8);
  EXPECT_EQ(properties.at("parameters").at("leak"), properties.at("map_parameters").at("leak"));
  const std::string said = rope({"compare", "leaky-rerope", "alibi", "-o", "x.csv"}).out;
  EXPECT_NE(flowing(said).find("In use, T = 2048: Leaky ReRoPE window=1024, leak=7.00587 (in maps "
                               "window=8); ALiBi head=16."),
            std::string::npos)
      << said;
}

TEST_F(CompareTest, ACausalMaskEmptiesTheMapAboveTheDiagonal) {
  const io::Json mask = document({"--encoding", "rope", "--mask", "causal", "--tokens", "4"});
  EXPECT_EQ(mask.at("curves").at("map")[0][3], nullptr);
  EXPECT_NE(mask.at("curves").at("map")[3][0], nullptr);
}

TEST_F(CompareTest, LeavesOutWithAWarningWhatNobodyNamed) {
  const Outcome run = rope({"compare", "--from", "300000", "--to", "300000", "-o", "x.csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("warning: learned is omitted: table: expected at most 262144 rows"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.out.find("learned"), std::string::npos);
}

TEST_F(CompareTest, SpellsItsSignsWhereTheLocaleIsNotUtf8) {
  Setting plain;
  plain.environment["LC_ALL"] = "C";
  const Outcome run = rope({"compare", "-o", "x.csv"}, plain);
  EXPECT_TRUE(std::ranges::none_of(run.out, [](char c) { return (c & 0x80) != 0; })) << run.out;
  EXPECT_NE(run.out.find("yes"), std::string::npos);
}

TEST_F(CompareTest, IsTheSameAtEveryRun) {
  EXPECT_EQ(rope({"compare", "--json"}).out, rope({"compare", "--json"}).out);
}

TEST_F(CompareTest, RefusesWhatIsWrong) {
  refused({"--heads", "0"}, "--heads: expected an integer from 1 to 65536, got '0'");
  refused({"--encoding", "alibi:head=32"}, "--encoding alibi: head: expected 0 to 31, got 32");
  refused({"--layers", "0"}, "--layers: expected an integer from 1 to 65536, got '0'");
  refused({"--encoding", "t5:buckets=0"},
          "--encoding t5: buckets: expected a whole number from 2 to 32768, got 0");
  refused({"--encoding", "t5:buckets=3,bidirectional=true"},
          "--encoding t5: buckets: expected 4 to 65537, got 3");
  refused({"--encoding", "t5:max_distance=16"},
          "--encoding t5: max_distance: expected more than 16, the number of distances with a "
          "bucket of their own, and less than 2^62, got 16");
  refused({"--encoding", "t5:bukets=8"},
          "--encoding t5: expected buckets, max_distance or bidirectional, got 'bukets'");
  refused({"--encoding", "t5:buckets=8,buckets=9"},
          "--encoding: buckets: expected one value, got two");
  refused({"--encoding", "t5:buckets"}, "--encoding: expected key=value, got 'buckets'");
  refused({"--encoding", "t5:"}, "--encoding: expected an encoding and its parameters, got 't5:'");
  refused({"--dim", "7"}, "--dim: expected an even integer from 2 to 65536, got '7'");
  refused({"--encoding", "rope", "--dim", "7"},
          "--dim: expected an even integer from 2 to 65536, got '7'");
  refused({"--encoding", "t5", "--range=5,1"},
          "--range: expected two integers A,B, the smaller first, got '5,1'");
  refused({"--encoding", "t5", "--range=1"},
          "--range: expected two integers A,B, the smaller first, got '1'");
  refused({"--encoding", "t5", "--range=1,2,3"},
          "--range: expected two integers A,B, the smaller first, got '1,2,3'");
  refused({"--encoding", "t5", "--range=-9223372036854775808,9223372036854775807"},
          "--range: expected at most 4194304 integers, got "
          "'-9223372036854775808,9223372036854775807'");
  refused({"--encoding", "sinusoidal", "--range=0,4000000"},
          "--range: expected at most 32768 values, with 128 raw numbers for each, got 4000001");
  refused({"--range=0,1"}, "--range: expected one --encoding with it, got 13 of them");
  refused({"--encoding", "t5", "--range=0,1", "--positions", "0"},
          "--positions: cannot be used with --range: both choose the raw numbers");
  refused({"--encoding", "t5", "--range=0,1"},
          "--range: expected --json, or --output FILE.json, with it, got neither");
  refused({"--encoding", "t5", "--positions", "0", "-o", "t5.csv"},
          "--positions: expected --json, or --output FILE.json, with it, got neither");
  refused({"--encoding", "rope", "--encoding", "rope"},
          "--encoding: expected different encodings, got rope twice");
  refused({"--encoding", "t5", "--encoding", "t5:buckets=32"},
          "--encoding: expected different encodings, got t5:buckets=32 twice");
  refused({"--encoding", "alibo"},
          "--encoding: expected none, sinusoidal, learned, shaw, transformer-xl, t5, alibi, rope, "
          "partial-rope, p-rope, xpos, rerope or leaky-rerope, got 'alibo'");
  refused({"--encoding", "learned", "--from", "1e6"},
          "table: expected at most 262144 rows of 128 learned numbers, got 1000000");
  refused({"--encoding", "shaw:clip=1e7"},
          "table: expected at most 262144 rows of 128 learned numbers, got 20000001");
  refused({"--encoding", "sinusoidal:form=blocks-to-end", "--dim", "1"},
          "sinusoidal: expected a size from 2 to 65536, got 1");
  refused({"--tokens", "1000000000"},
          "--tokens: expected an integer from 2 to 256, got '1000000000'");
  refused({"--from", "15"}, "--from: expected an integer from 16 to 2^20, got '15'");
  refused({"--to", "100"}, "--to: expected an integer from 2048 to 2^20, got '100'");
  refused({"--encoding", "rerope:window=-1"},
          "--encoding rerope: window: expected a whole number from 0 to 2^20, got -1");
  refused({"--encoding", "leaky-rerope:leak=0.5"},
          "--encoding leaky-rerope: leak: expected a finite number of at least 1, got 0.5");
  refused({"--encoding", "p-rope:share=1.5"},
          "--encoding p-rope: share: expected a number from 0 to 1, got 1.5");
  refused({"--encoding", "sinusoidal:form=block"},
          "--encoding sinusoidal: form: expected interleaved, blocks or blocks-to-end, got "
          "'block'");
  refused({"--mask", "full"}, "--mask: expected none or causal, got 'full'");
  refused({"--seed", "-1"}, "--seed: expected an integer of at least 0, got '-1'");
}

}  // namespace
}  // namespace rope::test
