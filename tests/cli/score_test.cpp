// `rope score`: both sides, the sum over pairs, the curve, the grid, and how vectors are named.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/io/csv.hpp"
#include "rope/io/json.hpp"
#include "rope/io/npy.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class ScoreTest : public CliTest {
 protected:
  Outcome score(Words options) {
    options.insert(options.begin(), "score");
    return rope(options);
  }

  io::Json document(Words options) {
    options.emplace_back("--json");
    const Outcome run = score(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    io::Json json = io::parse_json(run.out, "out");
    EXPECT_EQ(json.at("schema"), "rope.score/1");
    return json;
  }

  void refused(const Words& options, const std::string& message) {
    const Outcome run = score(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope score: " + message);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 2) << run.err;
  }

  const Words classroom_ = {"--frequencies", "0.5", "--query", "1,2", "--key", "3,-1"};
  Words classroom(const Words& more) const {
    Words words = classroom_;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(ScoreTest, ShowsBothSidesInSevenLines) {
  const Outcome run = score(classroom({"--positions", "5,2"}));
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 7) << run.out;
  EXPECT_TRUE(run.out.starts_with(
      "The score of q at m = 5 and k at n = 2 is -6.911728. For this q and k, it"))
      << run.out;
  const std::string text = flowing(run.out);
  EXPECT_NE(text.find("⟨R_m q, R_n k⟩ -6.911728 m = 5, n = 2 qᵀR_{n−m}k -6.911728 n − m = -3 "
                      "difference "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("⟨R_{m+1} q, R_{n+1} k⟩ -6.911728 m + 1 = 6, n + 1 = 3"), std::string::npos)
      << text;
  EXPECT_NE(text.find("rounding limit "), std::string::npos) << text;
  EXPECT_EQ(text.find("7.053202"), std::string::npos) << "that is a detail";
  const std::string moved = score(classroom({"--positions", "6,3"})).out;
  EXPECT_TRUE(moved.starts_with("The score of q at m = 6 and k at n = 3 is -6.911728. ")) << moved;
  const std::string details = flowing(score(classroom({"--positions", "5,2", "--details"})).out);
  EXPECT_NE(details.find("qᵀR_{m−n}k 7.0532021"), std::string::npos) << details;
}

TEST_F(ScoreTest, SaysWhereTheScoreIsTheSameAtEveryDistance) {
  const std::string same =
      "The score of q and k is 0 at every distance: ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k.\n";
  for (const Words& call :
       {Words{"--query", "1,0", "--key", "0,1", "--frequencies", "0"},
        Words{"--query", "0,0", "--key", "1,1"}, Words{"--query", "1,1,0,0", "--key", "0,0,1,1"}})
    EXPECT_TRUE(score(call).out.starts_with(same)) << score(call).out;
  const Outcome zero = score({"--query", "1,0", "--key", "0,1", "--positions", "3,3"});
  EXPECT_TRUE(zero.out.starts_with(
      "The score of q at m = 3 and k at n = 3 is 0. For this q and k, it depends on"))
      << zero.out;
}

TEST_F(ScoreTest, ClaimsNoPeakBetweenTheDistancesThatWereComputed) {
  const Words curve = {"--view", "curve", "--query", "random", "--key", "same", "--distances"};
  const auto with = [&](const Words& more) {
    Words call = curve;
    call.insert(call.end(), more.begin(), more.end());
    return flowing(score(call).out);
  };
  // The score of q and q is largest at 0, which is not among them.
  EXPECT_TRUE(with({"-2000:2000:7"})
                  .starts_with("Of 572 distances from -2000 to 1997, the score is largest at n − m "
                               "= 2, 0.936·|q||k|, "))
      << with({"-2000:2000:7"});
  EXPECT_TRUE(with({"1:100"}).starts_with("Of 100 distances from 1 to 100, the score is largest"));
  EXPECT_TRUE(with({"7"}).starts_with("The score is ")) << with({"7"});
  EXPECT_TRUE(with({"0:9", "--frequencies", "0"})
                  .starts_with("The score is 1.000·|q||k| at each of 10 distances from 0 to 9, "))
      << with({"0:9", "--frequencies", "0"});
  EXPECT_NE(with({"-2000:2000:7", "--key", "turned:-300"})
                .find("k = R_{-300} q: of 572 distances from -2000 to 1997, the score is "),
            std::string::npos);
}

TEST_F(ScoreTest, SaysHowTheRowsOfACurveWereChosen) {
  const std::string usual = flowing(score({"--view", "curve"}).out);
  EXPECT_NE(usual.find("Rows: both ends, 0, the largest and smallest scores, and others evenly "
                       "spaced between; --details lists all 513."),
            std::string::npos)
      << usual;
  EXPECT_EQ(score({"--view", "curve", "--details"}).out.find("Rows: "), std::string::npos);
  EXPECT_EQ(score({"--view", "curve", "--distances", "1:100"}).out.find("ends, 0,"),
            std::string::npos);
}

TEST_F(ScoreTest, SaysWhereTheSignCannotBeTold) {
  const std::string same = flowing(score(classroom({"--positions", "4,4", "--details"})).out);
  EXPECT_NE(same.find("they cannot tell right from wrong"), std::string::npos) << same;
}

TEST_F(ScoreTest, TakesTheHeadSizeFromTheVectors) {
  EXPECT_EQ(document({"--query", "1,2,3,4", "--key", "1,0,0,1"}).at("rotary").at("head_dim"), 4);
  EXPECT_EQ(document({"--query", "ones", "--key", "1,0,0,1,0,0"}).at("rotary").at("head_dim"), 6);
  EXPECT_EQ(document({"--dim", "16"}).at("query").at("values").size(), 16U);
  const io::Json part = document({"--frequencies", "0.5", "--dim", "4", "--query", "1,2,3,4",
                                  "--key", "same", "--positions", "7,7"});
  EXPECT_EQ(part.at("rotary").at("rotary_dim"), 2);
  EXPECT_EQ(part.at("passing"), 25);
  EXPECT_EQ(part.at("left"), 30);
}

TEST_F(ScoreTest, NamesVectorsInOneGrammar) {
  const auto values = [&](const std::string& query, const std::string& key) {
    const io::Json json = document({"--query", query, "--key", key, "--dim", "4"});
    return std::pair(json.at("query").at("values").get<std::vector<double>>(),
                     json.at("key").at("values").get<std::vector<double>>());
  };
  const std::vector<double> ones(4, 1);
  EXPECT_EQ(values("ones", "same"), std::pair(ones, ones));
  EXPECT_EQ(values("flat", "same"), std::pair(ones, ones));
  EXPECT_EQ(values("ones", "opposite").second, std::vector<double>(4, -1));
  const auto [q, k] = values("random", "random");
  EXPECT_NE(q, k);
  EXPECT_EQ(values("random", "same").second, q);
  EXPECT_EQ(values("random", "turned:0").second, q);
  EXPECT_NE(document({"--seed", "43", "--dim", "4"}).at("query").at("values"), q);
  const auto turned = values("1,0,1,0", "turned:1").second;
  EXPECT_NEAR(turned[0], std::cos(1.0), 1e-15);
  EXPECT_NEAR(turned[1], std::sin(1.0), 1e-15);
  // Turning keeps the length, whatever a rule of scaling multiplies q and k by.
  const io::Json yarn = document({"--query", "1,0,1,0", "--key", "turned:1", "--dim", "4",
                                  "--scaling", "yarn:factor=4,original=4096"});
  const auto under_yarn = yarn.at("key").at("values").get<std::vector<double>>();
  EXPECT_NEAR(std::hypot(under_yarn[0], under_yarn[1]), 1, 1e-15);
  write("q.npy", io::to_npy({1, 4}, std::vector<double>{1, 2, 3, 4}));
  write("k.csv", "4\n3\n2\n1\n");
  const auto read = values("q.npy", "k.csv");
  EXPECT_EQ(read.first, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(read.second, (std::vector<double>{4, 3, 2, 1}));
  EXPECT_EQ(values("-1,2e-3,.5,+4", "same").first, (std::vector<double>{-1, 0.002, 0.5, 4}));
}

TEST_F(ScoreTest, SaysThatRandomVectorsAreRandomAndOfWhichSeed) {
  const Outcome run = score({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("q random (seed 42), k random (seed 42)"), std::string::npos) << run.out;
  EXPECT_EQ(score({"--json"}).out, score({"--json"}).out);
  EXPECT_EQ(files(), Words{}) << "nothing is written unasked";
}

TEST_F(ScoreTest, ContentMovesThePeak) {
  const io::Json curve = document({"--view", "curve", "--query", "ones", "--key", "turned:50",
                                   "--key", "opposite", "--distances", "-1000:1000"});
  const io::Json& turned = curve.at("curves")[0];
  EXPECT_EQ(turned.at("largest").at("distance"), -50);
  EXPECT_EQ(turned.at("largest").at("places"), 1);
  EXPECT_NEAR(turned.at("largest").at("cosine").get<double>(), 1, 1e-14);
  EXPECT_NEAR(turned.at("cosine")[1000].get<double>(), 0.546, 5e-4);
  const io::Json& opposite = curve.at("curves")[1];
  EXPECT_EQ(opposite.at("smallest").at("distance"), 0);
  EXPECT_NEAR(opposite.at("cosine")[1000].get<double>(), -1, 1e-14);
  EXPECT_NEAR(opposite.at("cosine")[2000].get<double>(), -0.159, 5e-4);
  const Outcome run =
      score({"--view", "curve", "--query", "ones", "--key", "turned:50", "-o", "c.csv"});
  EXPECT_TRUE(
      flowing(run.out).starts_with("Of 513 distances from -256 to 256, the score is largest at n − "
                                   "m = -50, 1.000·|q||k|, and smallest at "))
      << run.out;
  EXPECT_NE(flowing(run.out).find("; at 0 it is 0.546."), std::string::npos) << run.out;
  const io::CsvTable table = io::parse_csv(read("c.csv"), "c.csv");
  EXPECT_EQ(table.rows(), 513U);
  EXPECT_EQ(table.numbers(table.column("distance"))[206], -50);
  EXPECT_NEAR(table.numbers(table.column("cosine"))[206], 1, 1e-14);
}

TEST_F(ScoreTest, QuietTellsOfEveryKey) {
  const Outcome run = rope({"score", "--view", "curve", "--query", "ones", "--key", "turned:50",
                            "--key", "opposite", "-q"});
  EXPECT_NE(run.out.find("k = R_50 q: "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("k = −q: "), std::string::npos) << run.out;
}

TEST_F(ScoreTest, ShowsWhichPairsCarryTheScore) {
  const Outcome run = score({"--view", "pairs", "-o", "p.csv"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
  EXPECT_NE(flowing(run.out).find("Pairs 0 … 31, the faster half, add "), std::string::npos);
  EXPECT_NE(
      flowing(run.out).find("Showing the 12 that add or subtract most; --details lists all 64."),
      std::string::npos)
      << run.out;
  const io::CsvTable table = io::parse_csv(read("p.csv"), "p.csv");
  EXPECT_EQ(table.header(), (Words{"pair", "theta", "most", "term", "sum"}));
  EXPECT_EQ(table.rows(), 64U);
  const std::vector<double> terms = table.numbers(table.column("term"));
  const auto largest =
      std::ranges::max_element(terms, {}, [](double term) { return std::abs(term); }) -
      terms.begin();
  const std::size_t first = run.out.find("sum so far");
  EXPECT_EQ(first, std::string::npos) << "a sum is told in the order of the pairs alone";
  const std::size_t row = run.out.find("adds\n") + 5;
  EXPECT_EQ(std::stol(run.out.substr(row)), largest) << run.out;
  EXPECT_NE(score({"--view", "pairs", "--details"}).out.find("sum so far"), std::string::npos);
  EXPECT_NE(score(classroom({"--view", "pairs"})).out.find("There is one pair."),
            std::string::npos);
}

TEST_F(ScoreTest, AGridIsConstantAlongItsDiagonalsForRopeAlone) {
  const io::Json json = document({"--view", "grid"});
  EXPECT_EQ(json.at("positions").size(), 32U);
  const io::Json& rope_map = json.at("encodings")[0];
  const io::Json& sinusoidal = json.at("encodings")[1];
  EXPECT_EQ(rope_map.at("spread").at("constant"), true);
  EXPECT_EQ(rope_map.at("terms").size(), 0U);
  EXPECT_EQ(sinusoidal.at("spread").at("constant"), false);
  ASSERT_EQ(sinusoidal.at("terms").size(), 4U);
  EXPECT_EQ(sinusoidal.at("terms")[3].at("name"), "W_Q p_m·W_K p_n");
  EXPECT_EQ(sinusoidal.at("scores").size(), 32U);
  const Outcome run = score({"--view", "grid", "-o", "g.csv", "--positions", "0,7,14"});
  EXPECT_TRUE(
      flowing(run.out).starts_with("Scores of RoPE are constant along every diagonal, up to "
                                   "rounding. Scores of sinusoidal spread by up to "))
      << run.out;
  const io::CsvTable table = io::parse_csv(read("g.csv"), "g.csv");
  EXPECT_EQ(table.rows(), 9U);
  EXPECT_EQ(table.integers(table.column("n"))[1], 7);
  const std::vector<double> scores = table.numbers(table.column("score[rope]"));
  EXPECT_NEAR(scores[1], scores[5], 1e-13);
  const std::vector<double> added = table.numbers(table.column("score[sinusoidal]"));
  EXPECT_GT(std::abs(added[1] - added[5]), 1e-3);
}

TEST_F(ScoreTest, AGridPointsNowhereWhereNothingSpreads) {
  const std::string text = flowing(score({"--view", "grid"}).out);
  EXPECT_NE(text.find("q·k 0 7.64e-11 – yes"), std::string::npos) << text;
  EXPECT_NE(text.find("sinusoidal 2.85 7.64e-11 -5 no"), std::string::npos) << text;
}

TEST_F(ScoreTest, AGridOfManyEncodingsFitsAScreen) {
  const Words many = {
      "--view", "grid", "--encoding",
      "none,sinusoidal,learned,shaw,transformer-xl,t5,alibi,rope,partial-rope,p-rope,xpos"};
  const Outcome run = score(many);
  EXPECT_LE(std::ranges::count(run.out, '\n'), 24) << run.out;
  EXPECT_NE(flowing(run.out).find("--details shows the terms of sinusoidal, learned and "),
            std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find("W_Q p_m·k"), std::string::npos);
  Words details = many;
  details.emplace_back("--details");
  EXPECT_NE(score(details).out.find("W_Q p_m·k"), std::string::npos);
}

TEST_F(ScoreTest, NamesTheAttentionFactorWhereThereIsOne) {
  EXPECT_EQ(score({"--view", "pairs"}).out.find("A²"), std::string::npos);
  const std::string scaled = flowing(score({"--view", "pairs", "--model", "gpt-oss"}).out);
  EXPECT_NE(scaled.find("Pair i adds A²·Re("), std::string::npos) << scaled;
  EXPECT_NE(scaled.find(" the attention factor: never more than A²|q_i||k_i|."), std::string::npos)
      << scaled;
}

TEST_F(ScoreTest, ModelsBringTheirLayoutAndAttentionFactor) {
  const Outcome run = score({"--model", "gpt-oss"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(flowing(run.out).find("scores include A² = 1.81"), std::string::npos) << run.out;
  // A key that is q turned is as long as q: at its best the score is A²|q|².
  const io::Json curve = document({"--model", "gpt-oss", "--view", "curve", "--key", "turned:9"});
  const double factor = curve.at("rotary").at("attention_factor");
  EXPECT_NEAR(curve.at("curves")[0].at("largest").at("cosine").get<double>(), factor * factor,
              1e-14);
  const Words vectors = {"--query", "1,2,3,4", "--key", "4,0,-1,2"};
  const auto left = [&](const std::string& layout) {
    Words words = vectors;
    words.insert(words.end(), {"--layout", layout});
    return document(words).at("left").get<double>();
  };
  EXPECT_NE(left("half"), left("interleaved"));
}

TEST_F(ScoreTest, DrawsEveryView) {
  for (const std::string view : {"sides", "pairs", "curve", "grid"}) {
    const Outcome run = score({"--view", view, "--dim", "8", "-o", view + ".svg"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(read(view + ".svg").find("<svg"), std::string::npos) << view;
  }
  const auto script = [&](const Words& options) {
    Words call = options;
    call.insert(call.end(), {"-o", "-", "--format", "gp"});
    return score(call).out;
  };
  EXPECT_NE(script(classroom({})).find("k = (3, −1)"), std::string::npos) << "a minus sign";
  EXPECT_NE(script(classroom({})).find("k, the wrong sign = 7.053202"), std::string::npos);
  EXPECT_NE(script(classroom({"--view", "pairs"})).find("in the planes of pair 0"),
            std::string::npos);
  const std::string turned = script({"--view", "curve", "--key", "same", "--key", "turned:-300"});
  EXPECT_NE(turned.find("'k = R_{−300} q'"), std::string::npos);
  EXPECT_NE(script({"--view", "curve", "--key", "turned:-300"}).find("k = R₋₃₀₀ q"),
            std::string::npos);
}

TEST_F(ScoreTest, RefusesWhatIsWrong) {
  const std::string expected =
      "expected numbers 1,2,..., an existing file, ones, random, same, opposite or turned:N, got ";
  refused({"--query", "1,2", "--key", "1,2,3,4"},
          "--key: expected 2 numbers, one per dimension, got 4");
  refused({"--query", "1,2,3"}, "--query: expected an even number of numbers, got 3");
  refused({"--query", "1,2,3,4", "--frequencies", "1"},
          "--query: expected 2 numbers, one per dimension, got 4");
  refused({"--query", "1,2,3,4", "--dim", "2"},
          "--query: expected 2 numbers, one per dimension, got 4");
  refused({"--query", "1,2", "--model", "llama-2"},
          "--query: expected 128 numbers, one per dimension, got 2");
  refused({"--query", "nan"}, "--query: " + expected + "'nan'");
  refused({"--query", "1,nan"}, "--query: expected a finite number, got 'nan'");
  refused({"--query", "1,,2"}, "--query: expected a finite number, got ''");
  refused({"--key", ""}, "--key: " + expected + "''");
  refused({"--key", "oposite"}, "--key: " + expected + "'oposite'");
  refused({"--key", "turned:x"}, "--key: expected an integer N in turned:N, got 'x'");
  refused({"--query", "same"}, "--query: expected numbers, a file, ones or random, got 'same'");
  refused({"--positions", "1,2,3"},
          "--positions: expected two integers M,N: the positions of q and k, got 3 of them");
  refused({"--positions", "0,4611686018427387904"},
          "--positions: expected -2^61 to 2^61, got 4611686018427387904");
  refused({"--positions", "0,1", "--view", "curve"},
          "--positions: expected a view other than curve, got --view curve");
  refused({"--distances", "0,1"}, "--distances: expected --view curve with it, got --view sides");
  refused({"--encoding", "t5"}, "--encoding: expected --view grid with it, got --view sides");
  refused({"--key", "same", "--key", "ones"},
          "--key: expected one key, or --view curve with several, got 2 of them");
  refused({"--view", "grid", "--positions", "0:256"},
          "--positions: expected at most 256 positions for a grid, got 257");
  refused({"--view", "grid", "--positions", "4"}, "--positions: expected at least two, got 1");
  refused({"--view", "grid", "--positions", "4,4"},
          "--positions: expected different positions, got 4 twice");
  refused({"--view", "curve", "--query", "0,0"},
          "--query: expected a length of at least 2^-900, got 0");
  write("nan.npy", io::to_npy({2}, std::vector<double>{1, std::nan("")}));
  refused({"--query", "nan.npy"},
          "--query: expected finite numbers in 'nan.npy', got nan at index 1");
  write("two.npy", io::to_npy({2, 2}, std::vector<double>{1, 2, 3, 4}));
  refused({"--query", "two.npy"},
          "--query: expected one vector of at most 65536 floating-point numbers in 'two.npy', got "
          "float64 of shape (2, 2)");
  EXPECT_EQ(score({"--query", "none.npy"}).exit_code, 3);
}

TEST_F(ScoreTest, OneScoreWithSeveralValuesIsExplainedByTheParametersInUse) {
  for (const char* positions : {"0,10", "0:10", "0:40:10", "0:100"}) {
    Words words = {"score", "--view", "grid", "--encoding", "rerope", "--positions", positions};
    const std::string said = flowing(rope(words).out);
    words.emplace_back("--json");
    const io::Json grid = io::parse_json(rope(words).out, "out").at("encodings")[0];
    const std::int64_t window = grid.at("parameters").at("window");
    EXPECT_NE(said.find("In use, T = 2048: ReRoPE window=" + std::to_string(window) + "."),
              std::string::npos)
        << said;
    // Given, it makes the same scores.
    words[4] = "rerope:window=" + std::to_string(window);
    EXPECT_EQ(io::parse_json(rope(words).out, "out").at("encodings")[0].at("scores"),
              grid.at("scores"));
  }
}

TEST_F(ScoreTest, AParameterThatChangesNoScoreIsSaidToBeSo) {
  const auto said = [&](const std::string& encoding, const std::string& positions) {
    return rope({"score", "--view", "grid", "--encoding", encoding, "--positions", positions}).err;
  };
  const std::string within = " changes no score at these positions (T = 2048 tokens in training)\n";
  EXPECT_EQ(said("rerope:log_n=1", "0:8"), "rope score: warning: rerope:log_n=1: log_n" + within);
  EXPECT_EQ(said("rerope:log_n=1", "0:8,5000"), "");
  EXPECT_EQ(said("t5:max_distance=1000", "0:8"),
            "rope score: warning: t5:max_distance=1000: max_distance" + within);
  EXPECT_EQ(said("t5:max_distance=1000", "0:80:8"), "");
  EXPECT_EQ(said("alibi:head=3", "0:8"), "");
}

}  // namespace
}  // namespace rope::test
