// What each scaling rule makes of values that can be worked out by hand, at its edges, and what is
// refused.
#include "rope/scaling/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "rope/error.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

using Optional = std::optional<std::int64_t>;

ScalingContext context(double base, std::size_t dim, Optional max_positions = {},
                       Optional seq_len = {}) {
  return {base, dim, dim, max_positions, seq_len};
}

Scaled scaled(std::string_view text, const ScalingContext& where) {
  return scale(parse_scaling(text), where);
}

std::vector<double> theta(std::string_view text, const ScalingContext& where) {
  return scaled(text, where).frequencies.theta;
}

double fact(const Scaled& result, std::string_view name) {
  for (const auto& [known, value] : result.facts)
    if (known == name) return value;
  ADD_FAILURE() << "no fact " << name;
  return std::numeric_limits<double>::quiet_NaN();
}

std::ptrdiff_t count(const Scaled& result, Band band) {
  return std::ranges::count(result.bands, band);
}

/// Equal to as many digits as a published value has.
void expect_digits(double actual, double published, double half_unit) {
  EXPECT_NEAR(actual, published, half_unit * std::pow(10, std::floor(std::log10(published))));
}

constexpr double kFiveDigits = 0.5e-4;

/// Runs `action` and expects an Error with a remedy whose message holds the text.
template <class E, class Action>
void expect_refused(Action action, const std::string& text) {
  try {
    action();
    ADD_FAILURE() << "expected an error that says " << text;
  } catch (const E& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_input);
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
        << "'" << error.what() << "' lacks '" << text << "'";
    EXPECT_FALSE(error.remedy().empty()) << error.what();
  }
}

void expect_domain_error(std::string_view spec, const ScalingContext& where,
                         const std::string& text) {
  expect_refused<DomainError>([&] { scaled(spec, where); }, text);
}

TEST(Rules, AreFoundByTheirNamesAndDescribeThemselves) {
  std::set<std::string_view> names;
  for (const ScalingRule& rule : scaling_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name << " twice";
    EXPECT_EQ(find_scaling_rule(rule.name), &rule);
    for (const std::string_view text : {rule.summary, rule.formula, rule.source})
      EXPECT_FALSE(text.empty()) << rule.name;
    for (const Parameter& parameter : rule.parameters)
      EXPECT_FALSE(parameter.meaning.empty()) << rule.name << " " << parameter.name;
  }
  EXPECT_EQ(names.size(), 12U);
  EXPECT_EQ(scaling_rules().front().name, "default");
  for (const char* other : {"", "Yarn", "yarn ", "su"})
    EXPECT_EQ(find_scaling_rule(other), nullptr) << other;
}

TEST(Rules, OtherNamesAndSlipsAreAnsweredWithOurs) {
  for (const auto& [word, rule] : std::map<std::string, std::string>{{"su", "longrope"},
                                                                     {"pi", "linear"},
                                                                     {"none", "default"},
                                                                     {"ntk-aware", "ntk"},
                                                                     {"yran", "yarn"},
                                                                     {"trunc", "truncation"},
                                                                     {"alibi", ""}})
    EXPECT_EQ(likely_scaling_rule(word), rule) << word;
  const auto likely = [](std::string_view rule, std::string_view word) {
    return likely_parameter(find_scaling_rule(rule)->parameters, word);
  };
  EXPECT_EQ(likely("longrope", "short_factor"), "short");
  EXPECT_EQ(likely("llama3", "high_freq_factor"), "high");
  EXPECT_EQ(likely("proportional", "partial_rotary_factor"), "partial");
  EXPECT_EQ(likely("ntk-mixed", "scale"), "factor");
  EXPECT_EQ(likely("yarn", "attn_factor"), "attention_factor");
  for (const char* rule : {"dynamic", "yarn"})
    for (const char* word : {"max_position_embeddings", "original_max_position_embeddings"})
      EXPECT_EQ(likely(rule, word), "original") << rule << " " << word;
  EXPECT_EQ(likely("yarn", "facter"), "factor");
  EXPECT_EQ(likely("linear", "short_factor"), "");
  EXPECT_EQ(test::outcome([] { scaled("pi:factor=2", context(10000, 128)); }).remedy,
            "Did you mean linear?");
}

TEST(Rules, OtherNamesAndKeysMeanOneThing) {
  std::set<std::string_view> names;
  for (const ScalingRule& rule : scaling_rules()) names.insert(rule.name);
  for (const ScalingRule& rule : scaling_rules()) {
    for (const std::string_view name : rule.other_names)
      EXPECT_TRUE(names.insert(name).second) << name;
    std::set<std::string_view> words;
    for (const Parameter& parameter : rule.parameters) words.insert(parameter.name);
    for (const Parameter& parameter : rule.parameters) {
      const bool other = !parameter.config_key.empty() && parameter.config_key != parameter.name;
      EXPECT_TRUE(!other || words.insert(parameter.config_key).second) << parameter.config_key;
      for (const std::string_view name : parameter.other_names)
        EXPECT_TRUE(words.insert(name).second) << rule.name << " " << name;
    }
  }
}

TEST(Rules, DependOnTheLengthIfTheySaySo) {
  const std::vector<std::string> specs = {"default",
                                          "linear:factor=4",
                                          "ntk:factor=4",
                                          "ntk-fixed:factor=4",
                                          "ntk-mixed:factor=4",
                                          "dynamic:factor=4",
                                          "yarn:factor=4",
                                          "yarn-paper:factor=4",
                                          "longrope:short=1;1,long=2;3,factor=4",
                                          "llama3:factor=4,low=1,high=4",
                                          "proportional:partial=0.5",
                                          "truncation:low=0.001,high=0.1,value=0.01"};
  ASSERT_EQ(specs.size(), scaling_rules().size());
  for (const std::string& spec : specs) {
    const bool differs =
        theta(spec, context(10000, 4, 64, 32)) != theta(spec, context(10000, 4, 64, 1000));
    EXPECT_EQ(depends_on_length(parse_scaling(spec)), differs) << spec;
  }
  EXPECT_FALSE(depends_on_length({"no such rule", {}, {}}));
}

TEST(Default, IsTheUnscaledEmbeddingBitForBit) {
  const Scaled made = scaled("default", context(10000, 128));
  const Frequencies plain = geometric_frequencies(10000, 128);
  EXPECT_EQ(made.frequencies.theta, plain.theta);
  EXPECT_EQ(made.frequencies.turns, plain.turns);
  EXPECT_EQ(made.attention_factor, 1);
  EXPECT_EQ(count(made, Band::kept), 64);
}

TEST(Default, MakesHalfAPairMoreOfAnOddSize) {
  const Scaled made = scale({}, {10000, 64, 25, {}, {}});
  ASSERT_EQ(made.frequencies.pairs(), 13U);
  EXPECT_NEAR(made.frequencies.theta[12], std::pow(10000, -24.0 / 25), 1e-18);
}

TEST(Linear, DividesEveryFrequency) {
  EXPECT_EQ(theta("linear:factor=4", context(10000, 4)), (std::vector{0.25, 0.0025}));
  EXPECT_EQ(count(scaled("linear:factor=4", context(10000, 4)), Band::scaled), 2);
  EXPECT_EQ(count(scaled("linear:factor=1", context(10000, 4)), Band::kept), 2);
  EXPECT_EQ(scaled("linear:factor=0.5", context(10000, 4)).warnings.size(), 1U);
  EXPECT_EQ(scaled("linear:factor=1", context(10000, 4)).warnings.size(), 0U);
}

TEST(Ntk, KeepsTheFirstPairAndDividesTheLastByTheWholeFactor) {
  const Scaled made = scaled("ntk:factor=4", context(10000, 128));
  const Frequencies plain = geometric_frequencies(10000, 128);
  EXPECT_EQ(made.frequencies.theta[0], 1);
  EXPECT_EQ(made.frequencies.theta[63], plain.theta[63] / 4);
  EXPECT_NEAR(fact(made, "scaled_base"), 40889.9, 0.05);
  const double kept[] = {1, .719, .506, .356, .250};  // of pairs 0, 15, 31, 47, 63
  for (int i = 0; i < 5; ++i) {
    const auto k = static_cast<std::size_t>(i == 0 ? 0 : 16 * i - 1);
    EXPECT_NEAR(made.frequencies.theta[k] / plain.theta[k], kept[i], 5e-4) << k;
  }
  EXPECT_EQ(made.bands.front(), Band::kept);
  EXPECT_EQ(made.bands[1], Band::blended);
  EXPECT_EQ(made.bands.back(), Band::scaled);
  EXPECT_EQ(count(scaled("ntk:factor=1", context(10000, 128)), Band::kept), 64);
}

TEST(NtkFixed, SlowsTheFirstPairToo) {
  // d = 4, b = 100, s = 4: (400)^(−i/2)/2.
  EXPECT_EQ(theta("ntk-fixed:factor=4", context(100, 4)), (std::vector{0.5, 0.025}));
  EXPECT_EQ(fact(scaled("ntk-fixed:factor=4", context(100, 4)), "scaled_base"), 400);
}

TEST(NtkMixed, DividesTheLastPairByTheWholeFactorAndEarlierOnesByLess) {
  // d = 4, s = 4, B = 1: ÷4^(1/2), ÷4. With the usual B = 0.625: ÷4^(0.5^0.625).
  EXPECT_EQ(theta("ntk-mixed:factor=4,power=1", context(10000, 4)), (std::vector{0.5, 0.0025}));
  const std::vector<double> usual = theta("ntk-mixed:factor=4", context(10000, 4));
  EXPECT_NEAR(usual[0], std::pow(4, -std::pow(0.5, 0.625)), 1e-16);
  EXPECT_EQ(usual[1], 0.0025);
}

TEST(Dynamic, GrowsTheBaseWithTheLength) {
  const Scaled made = scaled("dynamic:factor=10", context(10000, 128, 2048, 16384));
  EXPECT_NEAR(fact(made, "scaled_base"), 759702, 0.5);
  expect_digits(made.frequencies.theta[1], 8.0931e-1, kFiveDigits);
  expect_digits(made.frequencies.theta[63], 1.6265e-6, kFiveDigits);
  // factor 1, 2 and 4 at four times the length.
  for (const auto& [factor, base] : {std::pair(1, 40890), {2, 72196}, {4, 135402}})
    EXPECT_NEAR(
        fact(scaled("dynamic:factor=" + std::to_string(factor), context(10000, 128, 2048, 8192)),
             "scaled_base"),
        base, 0.5);
}

TEST(Dynamic, ChangesNothingUpToTheTrainedLengthAndSaysSoWithoutALength) {
  const Frequencies plain = geometric_frequencies(10000, 128);
  for (const Optional length : {Optional(), Optional(1), Optional(2048)}) {
    const Scaled made = scaled("dynamic:factor=2", context(10000, 128, 2048, length));
    EXPECT_EQ(made.frequencies.turns, plain.turns);
    EXPECT_EQ(count(made, Band::kept), 64);
    EXPECT_EQ(made.warnings.size(), length ? 0U : 1U);
  }
  EXPECT_NE(theta("dynamic:factor=2", context(10000, 128, 2048, 2049)), plain.theta);
  EXPECT_EQ(theta("dynamic:factor=2,original=4096", context(10000, 128, 2048, 4096)), plain.theta);
}

TEST(Yarn, BlendsBetweenTheRoundedEndsOfTheRamp) {
  const Scaled made = scaled("yarn:factor=10,original=2048", context(10000, 128));
  EXPECT_NEAR(fact(made, "dimension_fast"), 16.128, 5e-4);
  EXPECT_NEAR(fact(made, "dimension_slow"), 40.210, 5e-4);
  EXPECT_EQ(fact(made, "ramp_low"), 16);
  EXPECT_EQ(fact(made, "ramp_high"), 41);
  const std::vector<double>& made_theta = made.frequencies.theta;
  expect_digits(made_theta[17], 8.3479e-2, kFiveDigits);
  expect_digits(made_theta[31], 5.3120e-3, kFiveDigits);
  expect_digits(made_theta[40], 4.3007e-4, kFiveDigits);
  expect_digits(made_theta[41], 2.7384e-4, kFiveDigits);
  EXPECT_EQ(count(made, Band::kept), 17);     // 0 … 16
  EXPECT_EQ(count(made, Band::blended), 24);  // 17 … 40
  EXPECT_EQ(count(made, Band::scaled), 23);
  EXPECT_EQ(made.bands[16], Band::kept);
  EXPECT_EQ(made.bands[41], Band::scaled);
}

TEST(Yarn, RoundsTheRampUnlessToldNotTo) {
  const Scaled oss = scaled("yarn:factor=32,original=4096,truncate=false", context(150000, 64));
  EXPECT_NEAR(fact(oss, "ramp_low"), 8.092779115512402, 1e-14);
  EXPECT_NEAR(fact(oss, "ramp_high"), 17.39802450158856, 1e-14);
  EXPECT_NEAR(oss.attention_factor, 1.3465735903, 5e-11);
  const Scaled kimi = scaled("yarn:factor=32,original=4096,beta_fast=1", context(50000, 64));
  EXPECT_NEAR(fact(kimi, "dimension_slow"), 19.164575, 5e-7);
  EXPECT_EQ(fact(kimi, "ramp_low"), 19);
  EXPECT_EQ(fact(kimi, "ramp_high"), 20);
  const Scaled deepseek = scaled("yarn:factor=40,original=4096", context(10000, 64));
  EXPECT_NEAR(fact(deepseek, "dimension_fast"), 10.472241, 5e-7);
  EXPECT_NEAR(fact(deepseek, "dimension_slow"), 22.513441, 5e-7);
}

TEST(Yarn, ClampsTheRampBelowAt0AndAboveAtTheLastDimension) {
  // 64·ln(64/2π/32)/ln b < 0 for the fast end; a tiny base pushes the slow end above d − 1.
  EXPECT_EQ(fact(scaled("yarn:factor=2,original=64", context(10000, 128)), "ramp_low"), 0);
  const Scaled wide = scaled("yarn:factor=2,original=1000000", context(2, 8));
  EXPECT_EQ(fact(wide, "ramp_high"), 7);
}

TEST(Yarn, OpensAnEmptyRampByAThousandth) {
  const Scaled made =
      scaled("yarn:factor=8,original=4096,beta_fast=4,beta_slow=4,truncate=0", context(10000, 128));
  EXPECT_NEAR(fact(made, "ramp_high") - fact(made, "ramp_low"), 0.001, 1e-14);
  EXPECT_EQ(count(made, Band::blended), 0);
}

TEST(Yarn, ScalesNothingIfTheRampEndsBeforeItBeginsAndWarns) {
  // 2 tokens are less than one turn of any pair: high < 0 = low, so every ramp is clamped to 0.
  const Scaled made = scaled("yarn:factor=8,original=2", context(10000, 128));
  EXPECT_LT(fact(made, "ramp_high"), 0);
  EXPECT_EQ(count(made, Band::kept), 64);
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_NE(made.warnings[0].find("no frequency is scaled: original is too short"),
            std::string::npos)
      << made.warnings[0];
}

TEST(Yarn, ScalesEverythingIfTheRampBeginsBehindTheLastPairAndWarns) {
  const Scaled made = scaled("yarn:factor=4,original=100000", context(10, 8));
  EXPECT_EQ(count(made, Band::scaled), 4);
  ASSERT_EQ(made.warnings.size(), 1U);
  EXPECT_NE(made.warnings[0].find("every frequency is scaled: original is too long"),
            std::string::npos)
      << made.warnings[0];
}

TEST(Yarn, TakesABetaOf0ForItsDefaultAndWarnsIfTheRampIsReversed) {
  EXPECT_EQ(theta("yarn:factor=4,original=4096,beta_fast=0,beta_slow=0", context(10000, 128)),
            theta("yarn:factor=4,original=4096,beta_fast=32,beta_slow=1", context(10000, 128)));
  const Scaled reversed =
      scaled("yarn:factor=4,original=4096,beta_fast=1,beta_slow=32", context(10000, 128));
  EXPECT_EQ(reversed.warnings.size(), 1U);
  EXPECT_EQ(reversed.bands.front(), Band::scaled);
  EXPECT_EQ(reversed.bands.back(), Band::kept);
}

TEST(Yarn, TakesItsFactorFromTheLengthsIfNoneIsGiven) {
  const Scaled implied = scaled("yarn:original=4096", context(10000, 128, 16384));
  EXPECT_EQ(fact(implied, "factor"), 4);
  EXPECT_EQ(implied.frequencies.turns,
            scaled("yarn:factor=4,original=4096", context(10000, 128)).frequencies.turns);
  EXPECT_EQ(theta("yarn:factor=4", context(10000, 128, 4096)),
            theta("yarn:factor=4,original=4096", context(10000, 128)));
}

TEST(Yarn, WarnsIfTheLengthsContradictTheFactorWhichCounts) {
  const auto warnings = [](std::string_view text, std::int64_t positions) {
    return scaled(text, context(10000, 128, positions)).warnings.size();
  };
  EXPECT_EQ(warnings("yarn:factor=4,original=4096", 8192), 1U);
  EXPECT_EQ(warnings("yarn:factor=4,original=4096", 16384), 0U);
  EXPECT_EQ(warnings("yarn:factor=4,original=4096", 4096), 0U);
  EXPECT_EQ(theta("yarn:factor=4,original=4096", context(10000, 128, 8192)),
            theta("yarn:factor=4,original=4096", context(10000, 128)));
}

TEST(Yarn, MakesItsAttentionFactorAsEveryReadingOfTheKeysAsks) {
  const auto factor = [](std::string_view keys) {
    return scaled("yarn:factor=40,original=4096" + std::string(keys), context(10000, 64))
        .attention_factor;
  };
  const double g1 = 1.3688879454, g707 = 1.2608037774;
  EXPECT_NEAR(factor(""), g1, 5e-11);
  EXPECT_EQ(factor(",mscale=1,mscale_all_dim=1"), 1);
  EXPECT_NEAR(factor(",mscale=0.707,mscale_all_dim=1"), g707 / g1, 1e-10);
  EXPECT_NEAR(factor(",mscale=1,mscale_all_dim=0.707"), g1 / g707, 1e-10);
  EXPECT_NEAR(factor(",mscale=0.707"), g1, 5e-11);  // one alone does not count
  EXPECT_NEAR(factor(",mscale_all_dim=0.707"), g1, 5e-11);
  EXPECT_NEAR(factor(",mscale=0.707,mscale_all_dim=0"), g1, 5e-11);  // nor does 0
  EXPECT_EQ(factor(",attention_factor=1.25,mscale=1,mscale_all_dim=0.5"), 1.25);
  EXPECT_EQ(scaled("yarn:factor=1,original=4096", context(10000, 64)).attention_factor, 1);
  EXPECT_EQ(scaled("yarn:factor=0.5,original=4096", context(10000, 64)).attention_factor, 1);
}

TEST(YarnPaper, DiffersFromTheCodeAsPublishedNumbersHaveIt) {
  struct Case {
    std::string keys;
    double base;
    std::size_t dim, pair;
    double percent;
  };
  for (const Case& c : {Case{"factor=16,original=4096", 10000, 128, 38, 204},
                        Case{"factor=4,original=32768", 1000000, 128, 32, 71},
                        Case{"factor=40,original=4096", 10000, 64, 20, 328}}) {
    const std::vector<double> code = theta("yarn:" + c.keys, context(c.base, c.dim));
    const std::vector<double> paper = theta("yarn-paper:" + c.keys, context(c.base, c.dim));
    std::vector<double> apart;
    for (std::size_t k = 0; k < code.size(); ++k) apart.push_back(100 * (code[k] / paper[k] - 1));
    const auto worst = std::ranges::max_element(apart);
    EXPECT_EQ(static_cast<std::size_t>(worst - apart.begin()), c.pair) << c.keys;
    EXPECT_NEAR(*worst, c.percent, 0.5) << c.keys;
  }
}

TEST(YarnPaper, BlendsByTurnsInTheTrainedLength) {
  const ScalingContext where = context(10000, 128);
  const Scaled made = scaled("yarn-paper:factor=4,original=4096", where);
  const Frequencies plain = geometric_frequencies(10000, 128);
  for (std::size_t k = 0; k < 64; ++k) {
    const double turns = 4096 / plain.wavelength[k];
    const Band band = turns >= 32 ? Band::kept : turns <= 1 ? Band::scaled : Band::blended;
    EXPECT_EQ(made.bands[k], band) << k;
  }
  EXPECT_NEAR(made.attention_factor, 0.1 * std::log(4) + 1, 1e-15);
  EXPECT_EQ(scaled("yarn-paper:factor=4,original=4096,attention_factor=2", where).attention_factor,
            2);
  // Llama 3's ramp is this one from 1 to 4 turns.
  EXPECT_EQ(theta("yarn-paper:factor=8,original=8192,beta_fast=4", context(500000, 128)),
            theta("llama3:factor=8,low=1,high=4,original=8192", context(500000, 128)));
}

TEST(Longrope, SwitchesItsListsBeyondTheTrainedLength) {
  const std::string text = "longrope:short=1;2,long=4;8,original=4096,factor=32";
  for (const Optional length : {Optional(), Optional(1), Optional(4096)})
    EXPECT_EQ(theta(text, context(10000, 4, {}, length)), (std::vector{1, 0.005}));
  EXPECT_EQ(theta(text, context(10000, 4, {}, 4097)), (std::vector{0.25, 0.00125}));
  const Scaled made = scaled(text, context(10000, 4));
  EXPECT_EQ(made.bands, (std::vector{Band::kept, Band::scaled}));
  EXPECT_EQ(fact(made, "long"), 0);
}

TEST(Longrope, MakesItsAttentionFactorFromTheLengths) {
  const auto factor = [](const std::string& keys, Optional positions) {
    return scaled("longrope:short=1;1,long=2;2," + keys, context(10000, 4, positions))
        .attention_factor;
  };
  constexpr double kPhi3 = 1.1902380714238083;
  EXPECT_NEAR(factor("original=4096,factor=32", {}), kPhi3, 1e-15);
  EXPECT_NEAR(factor("original=4096", 131072), kPhi3, 1e-15);
  EXPECT_NEAR(factor("factor=32", 4096), kPhi3, 1e-15);
  EXPECT_EQ(factor("original=4096", 4096), 1);
  EXPECT_EQ(factor("original=4096,factor=0.5", {}), 1);
  EXPECT_EQ(factor("original=4096,attention_factor=1.3", {}), 1.3);
}

TEST(Llama3, KeepsFastPairsScalesSlowOnesAndBlendsBetween) {
  const Scaled made = scaled("llama3:factor=10,low=1,high=4,original=2048", context(10000, 128));
  expect_digits(made.frequencies.theta[31], 1.0730e-2, kFiveDigits);
  expect_digits(made.frequencies.theta[32], 7.7785e-3, kFiveDigits);
  expect_digits(made.frequencies.theta[40], 3.4539e-4, kFiveDigits);
  struct Case {
    std::string keys;
    std::size_t dim;
    std::ptrdiff_t kept, blended, scaled;
  };
  for (const Case& c : {Case{"factor=32,low=1,high=4", 64, 15, 3, 14},
                        Case{"factor=8,low=1,high=4", 128, 29, 6, 29},
                        Case{"factor=16,low=1,high=1", 128, 35, 0, 29}}) {
    const Scaled model = scaled("llama3:original=8192," + c.keys, context(500000, c.dim));
    EXPECT_EQ(count(model, Band::kept), c.kept) << c.keys;
    EXPECT_EQ(count(model, Band::blended), c.blended) << c.keys;
    EXPECT_EQ(count(model, Band::scaled), c.scaled) << c.keys;
    EXPECT_TRUE(model.warnings.empty()) << c.keys;
  }
}

TEST(Llama3, WarnsOfCrossedEndsAndOfNothingToExtend) {
  EXPECT_EQ(
      scaled("llama3:factor=8,low=4,high=1,original=8192", context(500000, 128)).warnings.size(),
      1U);
  const std::string text = "llama3:factor=8,low=1,high=4,original=8192";
  EXPECT_EQ(scaled(text, context(500000, 128, 8192)).warnings.size(), 1U);
  EXPECT_EQ(scaled(text, context(500000, 128, 131072)).warnings.size(), 0U);
  EXPECT_EQ(theta("llama3:factor=8,low=1,high=4", context(500000, 128, 8192)),
            theta(text, context(500000, 128)));
}

TEST(Llama3, ScalesPairsBetweenCrossedEnds) {
  // L/high = 8192 and L/low = 2048: what lies between is slower than L/low.
  const Scaled made = scaled("llama3:factor=8,low=4,high=1,original=8192", context(500000, 128));
  for (std::size_t k = 0; k < 64; ++k)
    EXPECT_EQ(made.bands[k],
              geometric_frequencies(500000, 128).wavelength[k] > 2048 ? Band::scaled : Band::kept)
        << k;
}

TEST(Proportional, TurnsTheFastestPairsOfTheWholeHead) {
  const Scaled made = scaled("proportional:partial=0.25", context(10000, 128));
  ASSERT_EQ(made.frequencies.pairs(), 64U);
  EXPECT_EQ(count(made, Band::kept), 16);
  EXPECT_EQ(count(made, Band::off), 48);
  expect_digits(made.frequencies.theta[15], 1.1548e-1, kFiveDigits);
  EXPECT_EQ(made.frequencies.theta[16], 0);
  EXPECT_EQ(made.frequencies.theta,
            scale(parse_scaling("proportional"), {10000, 128, 32, {}, {}}).frequencies.theta);
  EXPECT_EQ(theta("proportional:partial=0.5,factor=4", context(10000, 8)),
            (std::vector{0.25, 0.025, 0.0, 0.0}));
  EXPECT_EQ(fact(scaled("proportional:partial=0.7", context(10000, 90)), "live_pairs"), 31);
  EXPECT_EQ(fact(scaled("proportional:partial=0", context(10000, 8)), "live_pairs"), 0);
  EXPECT_EQ(fact(scaled("proportional:partial=1", context(10000, 8)), "live_pairs"), 4);
}

TEST(Truncation, KeepsFastPairsHoldsMiddleOnesAndStopsSlowOnes) {
  const double c = 2 * std::acos(-1.0) / 2048;
  ScalingSpec spec{"truncation", {{"low", c / 8}, {"high", c}, {"value", c / 16}}, {}};
  const Scaled made = scale(spec, context(10000, 128));
  EXPECT_EQ(count(made, Band::kept), 41);
  EXPECT_EQ(count(made, Band::scaled), 14);
  EXPECT_EQ(count(made, Band::off), 9);
  EXPECT_NEAR(8192 * made.frequencies.theta[41], 1.571, 5e-4);
  // The ends belong to what lies outside: θ = 1, 0.1, 0.01, 0.001 (rounded up or down by nothing).
  EXPECT_EQ(theta("truncation:low=0.25,high=1,value=0.125", context(16, 4)),
            (std::vector{1.0, 0.0}));
  EXPECT_EQ(scaled("truncation:low=0,high=1,value=0", context(16, 4)).bands,
            (std::vector{Band::kept, Band::off}));
  EXPECT_EQ(scaled("truncation:low=0,high=1,value=2", context(16, 4)).warnings.size(), 1U);
}

TEST(Scale, RefusesUnknownRulesAndParameters) {
  const ScalingContext where = context(10000, 128);
  expect_domain_error("yran:factor=4", where, "expected default, linear, ntk,");
  expect_domain_error("linear:factr=4", where, "scaling linear: expected factor, got 'factr'");
  expect_domain_error("default:factor=4", where,
                      "scaling default: expected no parameters, got 'factor'");
  expect_domain_error("linear:factor=4;5", where, "factor: expected one number, got a list");
  expect_domain_error("longrope:short=1,long=2;2", where, "short: expected a list of numbers");
}

TEST(Scale, RefusesMissingParameters) {
  const ScalingContext where = context(10000, 4);
  for (const char* rule : {"linear", "ntk", "ntk-fixed", "ntk-mixed", "dynamic", "yarn",
                           "yarn-paper", "llama3:low=1,high=4"})
    expect_domain_error(
        rule, {10000, 128, 128, {}, {}},
        std::string(rule).starts_with("yarn") ? "original: expected" : "factor: expected");
  expect_domain_error("yarn:original=4096", where,
                      "factor: expected a number above 0, got nothing");
  expect_domain_error("dynamic:factor=2", where, "original: expected the length");
  expect_domain_error("llama3:factor=8,high=4,original=8192", where, "low: expected");
  expect_domain_error("llama3:factor=8,low=1,original=8192", where, "high: expected");
  expect_domain_error("longrope:short=1;1", where,
                      "long: expected a list of numbers, one per pair");
  expect_domain_error("longrope:short=1;1,long=2;2,original=4096", where, "factor: expected");
  expect_domain_error("truncation:low=0,high=1", where, "value: expected");
}

TEST(Scale, RefusesWhatIsOutOfRange) {
  const ScalingContext where = context(10000, 4);
  for (const char* factor : {"0", "-1", "inf", "nan"})
    expect_domain_error("linear:factor=" + std::string(factor), where,
                        "factor: expected a finite number above 0");
  for (const char* length : {"0", "0.5", "4096.5", "1e17", "nan"})
    expect_domain_error("yarn:factor=4,original=" + std::string(length), where,
                        "original: expected a whole number of tokens");
  expect_domain_error("yarn:factor=4,original=4096,truncate=2", where, "truncate: expected 0 or 1");
  expect_domain_error("yarn:factor=4,original=4096,beta_fast=-1", where, "beta_fast: expected");
  expect_domain_error("yarn:factor=4,original=4096,mscale=inf", where, "mscale: expected");
  expect_domain_error("yarn:factor=4,original=4096,attention_factor=0", where, "attention_factor");
  expect_domain_error("yarn:factor=4,original=4096,mscale=-10,mscale_all_dim=1", where,
                      "attention factor: expected a finite number above 0");
  expect_domain_error("yarn-paper:factor=4,original=4096,beta_fast=1", where,
                      "beta_fast: expected more than beta_slow, 1, got 1");
  expect_domain_error("proportional:partial=1.5", where, "partial: expected a number from 0 to 1");
  expect_domain_error("longrope:short=1;0,long=1;1,original=4096,factor=2", where,
                      "short: expected a finite number above 0, got 0");
  expect_domain_error("longrope:short=1;1,long=1;1,original=1,factor=2", where,
                      "original: expected more than 1 token");
  expect_domain_error("truncation:low=1,high=1,value=0.5", where,
                      "low: expected less than high, 1");
}

TEST(Scale, RefusesDivisionsByZeroAndSizesThatDoNotFit) {
  for (const char* rule : {"ntk:factor=2", "dynamic:factor=2,original=128"})
    expect_refused<ShapeError>([&] { scaled(rule, context(10000, 2)); }, "rotary_dim: expected");
  expect_domain_error("yarn:factor=2,original=128", context(1, 128),
                      "base: expected a base other than 1");
  expect_refused<ShapeError>(
      [&] {
        scale(parse_scaling("yarn:factor=4,original=4096"), {10000, 64, 25, {}, {}});
      },
      "rotary_dim: expected an even integer, got 25");
  expect_refused<ShapeError>(
      [&] { scaled("longrope:short=1;1;1,long=1;1;1,original=4096,factor=2", context(10000, 4)); },
      "short: expected 2 numbers, one per pair, got 3");
  expect_refused<ShapeError>(
      [&] { scaled("longrope:short=1;1,long=1;,original=4096,factor=2", context(10000, 4)); },
      "long: expected 2 numbers, one per pair, got 1");
  expect_refused<DomainError>(
      [&] {
        scale(parse_scaling("proportional:partial=0.5"), {10000, 64, 32, {}, {}});
      },
      "either partial or a separate rotated size");
  expect_refused<ShapeError>([&] { scaled("proportional", context(10000, 25)); }, "head_dim");
  for (const std::size_t rotary_dim : {std::size_t{0}, std::size_t{66}, kMaxRotaryDim + 2})
    expect_refused<ShapeError>(
        [&] {
          scale({}, {10000, 64, rotary_dim, {}, {}});
        },
        "_dim: expected");
  for (const double base : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    expect_domain_error("default", context(base, 64), "base: expected a finite number above 0");
  expect_domain_error("default", context(10000, 64, 0), "max_positions: expected");
  expect_domain_error("default", context(10000, 64, {}, -5), "seq_len: expected");
}

TEST(ScaledEmbedding, RecordsItsRule) {
  const ScalingSpec spec = parse_scaling("yarn:factor=4,original=4096");
  const RotaryEmbedding made = scaled_embedding(spec, {10000, 128, 64, {}, {}}, PairLayout::half);
  EXPECT_EQ(made.head_dim, 128U);
  EXPECT_EQ(made.rotary_dim(), 64U);
  EXPECT_EQ(made.layout, PairLayout::half);
  EXPECT_EQ(made.base, 10000);
  EXPECT_EQ(made.geometric_base(), std::nullopt);
  EXPECT_EQ(made.scaling, spec);
  EXPECT_EQ(made.bands.size(), 32U);
  EXPECT_NEAR(made.attention_factor, 0.1 * std::log(4) + 1, 1e-15);
  EXPECT_EQ(scaled_embedding({}, context(10000, 128)).geometric_base(), 10000);
  EXPECT_EQ(scaled_embedding({}, {10000, 64, 25, {}, {}}).rotary_dim(), 26U);
  expect_refused<ShapeError>([] { scaled_embedding({}, {10000, 25, 25, {}, {}}); }, "got 25");
}

TEST(ParseScaling, ReadsARuleNumbersSwitchesAndLists) {
  EXPECT_EQ(parse_scaling("default"), ScalingSpec{});
  EXPECT_EQ(parse_scaling("yarn:factor=4,original=1e6,truncate=false"),
            (ScalingSpec{"yarn", {{"factor", 4}, {"original", 1e6}, {"truncate", 0}}, {}}));
  EXPECT_EQ(parse_scaling("longrope:short=1;1.5,long=2;,factor=+3"),
            (ScalingSpec{"longrope", {{"factor", 3}}, {{"short", {1, 1.5}}, {"long", {2}}}}));
}

TEST(ParseScaling, RefusesWhatIsNotOfItsForm) {
  for (const char* text : {"", ":", "yarn:", ":factor=4", "yarn:factor=4,", "yarn:,factor=4"})
    expect_refused<DomainError>([&] { parse_scaling(text); }, "scaling: expected");
  expect_refused<DomainError>([] { parse_scaling("yarn:factor"); },
                              "expected key=value, got 'factor'");
  for (const char* text : {"yarn:factor=", "yarn:factor=4x", "yarn:factor=a", "yarn:factor=1e999",
                           "longrope:short=1;;2"})
    expect_refused<DomainError>([&] { parse_scaling(text); }, "expected a finite number");
  expect_refused<DomainError>([] { parse_scaling("yarn:factor=4,factor=5"); },
                              "factor: expected one value, got two");
}

TEST(ScalingText, ReadsBackToTheSameRule) {
  for (const char* text : {"default", "yarn:factor=4,original=32768,truncate=0",
                           "longrope:factor=0.1,long=2;3,short=1;"}) {
    EXPECT_EQ(scaling_text(parse_scaling(text)), text);
    EXPECT_EQ(parse_scaling(scaling_text(parse_scaling(text))), parse_scaling(text));
  }
}

}  // namespace
}  // namespace rope
