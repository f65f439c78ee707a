// rope extend on the command line: its numbers, and what it refuses.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/run.hpp"
#include "rope/attention/context_bound.hpp"
#include "rope/error.hpp"
#include "rope/io/json.hpp"

namespace rope::test {
namespace {

using Words = std::vector<std::string>;

class ExtendTest : public CliTest {
 protected:
  io::Json document(Words options) {
    options.insert(options.begin(), {"extend", "--json"});
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return io::parse_json(run.out, "out");
  }
  static io::Json rule(const io::Json& document, const std::string& label) {
    for (const io::Json& rule : document.at("rules"))
      if (rule.at("label") == label) return rule;
    ADD_FAILURE() << "no rule " << label;
    return {};
  }
  void refused(Words options, const std::string& message) {
    options.insert(options.begin(), "extend");
    const Outcome run = rope(options);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.out, "") << message;
    EXPECT_EQ(run.err.substr(0, run.err.find('\n')), "rope extend: " + message);
    EXPECT_TRUE(files().empty()) << message;
  }
};

TEST_F(ExtendTest, MeasuresWhatEachRuleDoes) {
  const io::Json made = document({"--from", "2048", "--to", "8192", "--dim", "128"});
  EXPECT_NEAR(made.at("ntk_factor").get<double>(), 4.088994, 5e-7);
  EXPECT_NEAR(made.at("covering_factor").get<double>(), 8.7056, 5e-5);
  EXPECT_EQ(made.at("pairs_without_a_turn"), 23);
  const io::Json none = rule(made, "none");
  EXPECT_EQ(none.at("unseen").at(0), 0.0);
  EXPECT_NEAR(none.at("unseen").at(47).get<double>(), 0.646, 5e-4);
  EXPECT_NEAR(none.at("unseen").at(63).get<double>(), 0.930, 5e-4);
  EXPECT_NEAR(none.at("adjacent_gap").get<double>(), 0.0298, 5e-5);
  EXPECT_EQ(none.at("first_negative"), 1707);
  EXPECT_NEAR(rule(made, "linear:factor=4").at("adjacent_gap").get<double>(), 0.0019, 5e-5);
  // A base four times as large reaches too far by 4^(2/128).
  EXPECT_NEAR(rule(made, "base 40000").at("reach").at(63).get<double>(), 1.0219, 5e-5);
  EXPECT_NEAR(rule(made, "ntk:factor=4").at("reach").at(63).get<double>(), 1, 1e-15);
}

TEST_F(ExtendTest, OnePositionOfTrainingShowsNoAngleButZero) {
  const io::Json none = rule(document({"--from", "1", "--to", "4", "--dim", "8"}), "none");
  EXPECT_EQ(none.at("unseen").at(0), 1.0);
  EXPECT_EQ(none.at("unseen").at(1), 1.0);
  EXPECT_EQ(none.at("unseen").at(3), 0.0) << "0.003 rad are within 0.05 of 0";
}

/// The smallest base that a report names, if it names one.
std::optional<double> smallest_base_in(const std::string& report) {
  const std::string words = "The smallest of all is ";
  const std::size_t at = report.find(words);
  if (at == std::string::npos) return std::nullopt;
  return std::stod(report.substr(at + words.size()));
}

TEST_F(ExtendTest, NamesNoBaseThatDoesNotServeTheLength) {
  for (const char* length : {"512", "1024", "2048", "4096"}) {
    Words words = {"extend", "--from", "512", "--to", length, "--rule", "linear", "-o", "x.csv"};
    EXPECT_EQ(smallest_base_in(rope(words).out), std::nullopt);
    words.emplace_back("--search-base");
    const std::optional<double> base = smallest_base_in(flowing(rope(words).out));
    ASSERT_TRUE(base) << length;
    const std::int64_t last = std::stoll(length) - 1;
    EXPECT_FALSE(first_negative(geometric_frequencies(*base, 128), last).distance) << *base;
    EXPECT_TRUE(first_negative(geometric_frequencies(*base * 0.999, 128), last).distance) << *base;
  }
  const Outcome run =
      rope({"extend", "--from", "4096", "--to", "8192", "--details", "-o", "x.csv"});
  EXPECT_NE(flowing(run.out).find("Base 10000 fails, first at distance 1707 (--search-base finds"),
            std::string::npos)
      << run.out;
  EXPECT_EQ(run.out.find("13288"), std::string::npos);  // 8192/0.6165, the asymptote
}

// What a user does with the number: takes it, or one near it, or looks for a smaller short one.
TEST_F(ExtendTest, TheBaseToTakeIsTheSmallestOfTwoDigitsThatHasAMargin) {
  for (const char* length : {"3", "512", "1k", "3000"}) {
    const Outcome run = rope({"extend", "--from", "3", "--to", length, "--dim", "64", "--rule",
                              "linear", "--search-base", "-o", "x.json"});
    const io::Json made = io::parse_json(read("x.json"), "x.json");
    const double base = made.at("round_base").at("base");
    EXPECT_NE(flowing(run.out).find(
                  "Use base " + fmt::format("{}", base) +
                  ", the smallest with two significant digits that has a margin: at all bases "),
              std::string::npos)
        << run.out;
    EXPECT_TRUE(run.out.starts_with("Use base ")) << "what was asked for comes first";
    const std::int64_t last = made.at("length").get<std::int64_t>() - 1;
    const auto fails = [&](double b) {
      return first_negative(geometric_frequencies(b, 64), last).distance.has_value();
    };
    EXPECT_DOUBLE_EQ(made.at("round_base").at("from"), 0.95 * base) << length;
    EXPECT_DOUBLE_EQ(made.at("round_base").at("to"), 1.05 * base) << length;
    const auto fails_nearby = [&](double b) {
      for (int away = -50; away <= 50; ++away)
        if (fails(b * (1 + away / 1000.0))) return true;
      return false;
    };
    EXPECT_FALSE(fails_nearby(base)) << base;
    for (double unit = 1; unit <= base; unit *= 10)
      for (int digits = 1; digits < 100 && digits * unit < base; ++digits)
        EXPECT_TRUE(fails_nearby(digits * unit)) << digits * unit << " serves " << length;
  }
}

TEST_F(ExtendTest, TakesRulesInPlaceOfItsOwn) {
  const io::Json made = document({"--from", "1024", "--to", "2048", "--rule", "yarn", "--rule",
                                  "yarn:factor=8", "--rule", "linear:factor=3"});
  Words labels;
  for (const io::Json& each : made.at("rules")) labels.push_back(each.at("label"));
  EXPECT_EQ(labels, (Words{"none", "yarn:factor=2,original=1024", "yarn:factor=8,original=1024",
                           "linear:factor=3"}));
}

TEST_F(ExtendTest, ReadsARuleAsScalingDoesAndFillsInWhatAModelWouldSay) {
  write("long.txt", "[1, 2, 3, 4]");
  write("short.csv", "1;1.1;1.2;1.3\n");
  const Words lengths = {"--from", "4096", "--to", "16384", "--dim", "8", "--rule"};
  const auto result = [&](const std::string& text) {
    Words options = lengths;
    options.push_back(text);
    return document(options).at("rules").back();
  };
  EXPECT_EQ(result("longrope:short=@short.csv,long=@long.txt"),
            result("longrope:short=1;1.1;1.2;1.3,long=1;2;3;4"));
  // As it is drawn where no rule is asked for; one of its two bands alone is a mistake.
  EXPECT_EQ(result("llama3"), result("llama3:factor=4,low=1,high=4,original=4096"));
  const Outcome one_band = rope({"extend", "--rule", "llama3:low=2"});
  EXPECT_EQ(one_band.exit_code, 2);
  EXPECT_NE(one_band.err.find("--rule llama3: high: expected a finite number above 0, got nothing"),
            std::string::npos)
      << one_band.err;
  EXPECT_EQ(rope({"extend", "--rule", "longrope:short=@none.txt,long=1"}).exit_code, 3);
  EXPECT_EQ(files(), (Words{"long.txt", "short.csv"}));
}

TEST_F(ExtendTest, LeavesNothingToExtendWhereTheLengthsAreEqual) {
  const io::Json made = document({"--from", "64", "--to", "64", "--dim", "2", "--rule", "linear"});
  for (const io::Json& each : made.at("rules")) EXPECT_EQ(each.at("unseen").dump(), "[0.0]");
  EXPECT_EQ(made.at("rules").at(1).at("reach").dump(), "[1.0]");
}

TEST_F(ExtendTest, LeavesOutWhatItsOwnRulesCannotDo) {
  const Outcome run = rope({"extend", "--dim", "2", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("ntk is omitted: "), std::string::npos) << run.err;
  refused({"--dim", "2", "--rule", "ntk"},
          "--rule ntk: rotary_dim: expected a size other than 2, got 2");
}

TEST_F(ExtendTest, StartsFromTheBaseOfAModelThatIsExtendedAlready) {
  const Outcome run = rope({"extend", "--model", "llama-3.1-8b", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  const io::Json made = io::parse_json(run.out, "out");
  EXPECT_EQ(made.at("rotary").at("base"), 500000.0);
  EXPECT_EQ(made.at("rotary").at("scaling").at("rule"), "default") << made.at("rotary");
  // From what it was trained on to what it is sold for, under its own rule as it came.
  EXPECT_EQ(made.at("trained_length"), 8192);
  EXPECT_EQ(made.at("length"), 131072);
  EXPECT_EQ(made.at("rules").at(0).at("own"), false);
  const io::Json& own = made.at("rules").at(1);
  EXPECT_EQ(own.at("label"), "llama3:factor=8,high=4,low=1,original=8192");
  EXPECT_EQ(own.at("own"), true);
  const Outcome frequencies = rope({"inspect", "llama-3.1-8b", "--json"});
  EXPECT_EQ(own.at("theta"), io::parse_json(frequencies.out, "out").at("inv_freq"));
  for (std::size_t i = 2; i < made.at("rules").size(); ++i)
    EXPECT_NE(made.at("rules").at(i).at("rotary").at("scaling").at("rule"), "llama3");
}

TEST_F(ExtendTest, TakesTheLengthsOfAModelUnlessTheyAreGiven) {
  const auto lengths = [&](Words options) {
    const io::Json made = document(options);
    return std::pair(made.at("trained_length").get<int>(), made.at("length").get<int>());
  };
  const auto given = [](int from, int to) { return std::pair(from, to); };
  const Words rule = {"--rule", "linear"};
  const auto with = [&](Words words) {
    words.insert(words.end(), rule.begin(), rule.end());
    return lengths(words);
  };
  EXPECT_EQ(with({"--model", "llama-3.1-8b", "--from", "4096"}), given(4096, 131072));
  EXPECT_EQ(with({"--model", "llama-3.1-8b", "--to", "16384"}), given(8192, 16384));
  EXPECT_EQ(with({"--model", "llama-3.1-8b", "--from", "131072"}), given(131072, 524288));
  EXPECT_EQ(with({"--model", "llama-2"}), given(4096, 16384));
  EXPECT_EQ(with({}), given(4096, 16384));
  const Outcome run = rope({"extend", "--model", "llama-2", "--rule", "linear", "-o", "x.csv"});
  EXPECT_NE(run.out.find("llama-2: head_dim 128, base 10000, layout half; the model states no "
                         "context\nbeyond 4096 tokens, so --to is four times that\n"),
            std::string::npos)
      << run.out;
}

TEST_F(ExtendTest, WarnsThatAWindowBringsNoNewDistance) {
  const auto warned = [&](const std::string& model) {
    return rope({"extend", "--model", model, "--rule", "linear", "-o", "x.csv"}).err;
  };
  EXPECT_NE(warned("mistral-7b-v0.1").find("the layers of mistral-7b-v0.1 see 4096 tokens"),
            std::string::npos);
  EXPECT_EQ(warned("mistral-7b-v0.3").find("see"), std::string::npos);
}

TEST_F(ExtendTest, GivesARuleThatLooksAtTheLengthTheOneThatIsWanted) {
  // The long factors of longrope, and not those within the original context.
  const io::Json own = document({"--model", "phi-4-mini", "--rule", "linear"}).at("rules").at(1);
  const Outcome longer = rope({"inspect", "phi-4-mini", "--seq-len", "131072", "--json"});
  EXPECT_EQ(own.at("theta"), io::parse_json(longer.out, "out").at("inv_freq"));
}

TEST_F(ExtendTest, AnswersFirstWhichRulesKeepTheAnglesOfTraining) {
  const auto answer = [&](Words words) {
    words.insert(words.begin(), {"extend", "-o", "x.csv"});
    const Outcome run = rope(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return flowing(run.out.substr(0, run.out.find("head_dim")));
  };
  EXPECT_EQ(
      answer({}),
      "Stretching the context from 4096 to 16384 tokens pushes 18 of 64 pairs to angles never seen "
      "in "
      "training; with linear, yarn or llama3, every pair stays within its trained angles. "
      "That alone does not make one rule better: linear also makes neighbouring tokens look more "
      "alike, with a gap (1 − mean cosine) 15 times smaller than without scaling.");
  EXPECT_EQ(answer({"--rule", "ntk", "--rule", "linear"}),
            "Stretching the context from 4096 to 16384 tokens pushes 18 of 64 pairs to angles "
            "never seen in "
            "training; with linear, every pair stays within its trained angles. That "
            "alone does "
            "not make one rule better: linear also makes neighbouring tokens look more alike, "
            "with a gap "
            "(1 − mean cosine) 15 times smaller than without scaling.");
  EXPECT_EQ(answer({"--rule", "ntk"}),
            "Stretching the context from 4096 to 16384 tokens pushes 18 of 64 pairs to angles "
            "never seen in "
            "training; none of the rules shown keeps every pair within its trained angles.");
  EXPECT_EQ(answer({"--from", "64", "--to", "64"}),
            "Both lengths are 64 tokens: there is nothing to extend.");
  EXPECT_EQ(
      answer({"--dim", "2", "--rule", "linear"}),
      "Stretching the context from 4096 to 16384 tokens pushes no pair to angles never seen in "
      "training, whatever the rule.");
}

TEST_F(ExtendTest, RefusesLengthsRulesAndViewsThatAreNone) {
  refused({"--from", "100", "--to", "99"}, "--to: expected an integer from 100 to 2^24, got '99'");
  refused({"--from", "0"}, "--from: expected an integer from 1 to 2^24, got '0'");
  refused({"--view", "fan"}, "--view: expected curves or fans, got 'fan'");
  refused({"--frequencies", "1,0.5"}, "--frequencies: expected a base, got frequencies");
  refused({"--from", "100", "--window", "100"},
          "--window: expected an integer from 1 to 99, got '100'");
}

}  // namespace
}  // namespace rope::test
