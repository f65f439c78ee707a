// Remedies of bases, rules, single frequencies and factors.

#include <cmath>
#include <numbers>

#include "diagnose/remedies/law.hpp"
#include "rope/precision/rounding.hpp"

namespace rope::test {
namespace {

constexpr std::size_t kPairs = kDim / 2;
const Port kRight;

Json llama(double base = 1e4, std::size_t dim = kDim) {
  return {
      {"model_type", "llama"}, {"hidden_size", kHeads * dim}, {"num_attention_heads", kHeads},
      {"head_dim", dim},       {"rope_theta", base},          {"max_position_embeddings", 4096}};
}

/// Told nothing but a count, and told a config.json.
Given made(const Port& port, bool told, std::uint64_t seed = 1, std::size_t tokens = kTokens) {
  Given given;
  given.shape = {tokens, kHeads, port.dim};
  given.x = random_numbers(tokens * kHeads * port.dim, seed);
  given.y = port(given.x, kHeads * port.dim);
  given.options = {"--start", "0"};
  if (told) given.config = llama(1e4, port.dim);
  return given;
}

/// y is made anew by `right`; and config.json follows what is printed.
void remedied(Law& law, Given given, const std::string& own, const Port& right = kRight) {
  const Sides sides = law.sides(given);
  says(sides.own, own);
  law.right_with(given, right(given.x, kHeads * given.shape.back()));
  if (given.config.is_null()) given.config = llama(1e4, given.shape.back());
  law.right_following(given, sides.reference);
}

Port of_base(double base) {
  Port port;
  port.base = base;
  return port;
}

/// A base that went wrong, said by itself and beside the one that is stated.
std::function<void(Law&)> base(double found, std::string own) {
  return [=](Law& law) {
    for (const bool told : {false, true}) remedied(law, made(of_base(found), told), own);
  };
}

void base_over_head(Law& law) {
  // 16 of 64 dimensions, with an exponent over 64.
  Port right;
  right.dim = 64;
  right.rotary_dim = 16;
  Port wrong = right;
  wrong.base = std::pow(1e4, 16.0 / 64);
  for (const bool told : {false, true}) {
    Given given = made(wrong, told);
    const Json config = {{"model_type", "gpt_neox"},
                         {"hidden_size", kHeads * 64},
                         {"num_attention_heads", kHeads},
                         {"rotary_emb_base", 10000},
                         {"rotary_pct", 0.25},
                         {"max_position_embeddings", 4096}};
    if (told) given.config = config;
    const Sides sides = law.sides(given);
    says(sides.own, "divide 2i by the rotated size, 16");
    law.right_with(given, right(given.x, kHeads * 64));
    const double followed = number_after(sides.reference, "set rope_theta to ");
    given.config = config;
    given.config["rotary_emb_base"] = followed;
    law.right(given, "the base over the head size");
  }
}

void any_base(Law& law) {
  for (const double found : {1e6, 31415.0, 123456.789, 7654321.5, 500.25})
    remedied(law, made(of_base(found), true), "make its base 10000");
  // So near that each frequency seems right.
  Given near = made(of_base(10000.02), true);
  near.y = of_base(10000.02)(near.x);
  for (std::uint64_t seed = 1; seed < 4; ++seed)
    remedied(law, made(of_base(10002), true, seed), "make its base 10000");
}

/// All angles times a number.
std::function<void(Law&)> times(double factor, std::string own) {
  return [=](Law& law) {
    Port wrong;
    wrong.of_angle = [=](double angle) { return angle * factor; };
    // The fast pairs of angles so large are seen modulo many turns: the slow ones have to tell.
    const bool large = factor > 10;
    if (large) wrong.dim = 128;
    Port right;
    right.dim = wrong.dim;
    for (const bool told : {false, true})
      remedied(law, made(wrong, told, 1, large ? 64 : kTokens), own, right);
  };
}

void counted_pairs(Law& law) {
  for (const double by : {1.0, -1.0}) {
    Port wrong;
    wrong.theta = [by](std::size_t k) {
      return std::pow(1e4, -(static_cast<double>(k) + by) / kPairs);
    };
    for (const bool told : {false, true})
      remedied(law, made(wrong, told), "count pairs from 0: θ_0 = 1");
  }
}

void ntk_power(Law& law) {
  const double s = std::pow(4.0, kDim / (kDim - 2.0));
  Port wrong;
  wrong.theta = [s](std::size_t k) { return kRight.frequency(k) / s; };
  remedied(law, made(wrong, false), "multiply the base by it, and leave the frequencies alone",
           of_base(1e4 * s));
}

void inv_freq_in_16_bits(Law& law) {
  Port wrong;
  wrong.theta = [](std::size_t k) { return round_to(Format::bfloat16, kRight.frequency(k)); };
  const Given given = made(wrong, false);
  says(law.remedy(given), "keep inv_freq in float32");
  law.right_with(given, kRight(given.x));
}

void angles_in_16_bits(Law& law) {
  const auto bf16 = [](double value) { return round_to(Format::bfloat16, value); };
  Port right;
  right.dim = 64;
  Port wrong = right;
  wrong.theta = [=](std::size_t k) { return bf16(right.frequency(k)); };
  wrong.of_angle = bf16;
  wrong.format = Format::bfloat16;
  Given given = made(right, false);
  given.format = Format::bfloat16;
  given.x = rounded(Format::bfloat16, given.x);
  given.y = wrong(given.x, kHeads * 64);
  says(law.remedy(given), "compute the angles in float32");
  law.right_with(given, right(given.x, kHeads * 64));
}

Json with_rule(Json rule, double base = 1e4, std::size_t dim = 64) {
  Json config = llama(base, dim);
  config["rope_scaling"] = std::move(rule);
  config["max_position_embeddings"] = 131072;
  return config;
}

Port sized(std::size_t dim, double factor = 1) {
  Port port;
  port.dim = dim;
  port.factor = factor;
  return port;
}

/// cos and sin times a number that has a name. `follow`: what the reference's reader multiplies by.
std::function<void(Law&)> factor(double found, std::string own, std::string name) {
  return [=](Law& law) {
    for (const bool told : {false, true}) {
      Given given = made(sized(64, found), told);
      const Sides sides = law.sides(given);
      says(sides.own, own);
      law.right_with(given, sized(64)(given.x, kHeads * 64));
      // There is no key of this rule: the test multiplies x, as if it were in cos and sin.
      const double mine = number_after(sides.reference, "multiply your cos and sin by ");
      EXPECT_NEAR(mine / found, 1, 1e-12) << name;
      for (double& each : given.x) each *= mine;
      given.format = Format::float64;
      given.y = sized(64)(given.x, kHeads * 64);
      law.right(given, "cos and sin with the factor");
    }
  };
}

void scores_divided(Law& law) {
  factor(1 / 8.0, "leave 1/√64 out", "1/√64")(law);
  // q alone holds 1/√d: the scores are divided by √d.
  const Numbers q = random_numbers(64, 2), k = random_numbers(64, 3);
  EXPECT_NEAR(dot(sized(64, 1 / 8.0)(q, 64), sized(64)(k, 64)),
              dot(sized(64)(q, 64), sized(64)(k, 64)) / 8, 1e-12);
}
void each_side_divided(Law& law) {
  const double f = std::pow(64, -0.25);
  factor(f, "leave 1/√√64 out", "1/√√64")(law);
  const Numbers q = random_numbers(64, 2), k = random_numbers(64, 3);
  EXPECT_NEAR(dot(sized(64, f)(q, 64), sized(64, f)(k, 64)),
              dot(sized(64)(q, 64), sized(64)(k, 64)) / 8, 1e-12);
}
void powers_of_two(Law& law) {
  const double f = std::numbers::log2e / 8;
  factor(f, "leave log₂(e)/√64 out", "log₂(e)/√64")(law);
  const Numbers q = random_numbers(64, 2), k = random_numbers(64, 3);
  EXPECT_NEAR(std::exp2(dot(sized(64, f)(q, 64), sized(64)(k, 64))),
              std::exp(dot(sized(64)(q, 64), sized(64)(k, 64)) / 8), 1e-9);
}

/// YaRN's frequencies, by transformers' formula.
Port yarn(double s, double length, double factor, std::size_t dim = 64, double base = 1e4) {
  Port port = sized(dim, factor);
  port.base = base;
  const auto n = static_cast<double>(dim);
  const auto at = [=](double turns) {
    return n * std::log(length / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
  };
  const double low = std::floor(at(32)), high = std::ceil(at(1));
  const Port plain = port;
  port.theta = [=](std::size_t k) {
    const double ramp = std::min(1.0, std::max(0.0, (static_cast<double>(k) - std::max(low, 0.0)) /
                                                        (high - std::max(low, 0.0))));
    const double t = plain.frequency(k);
    return t / s * ramp + t * (1 - ramp);
  };
  port.positions = count(0, kTokens, 97);
  return port;
}
double yarn_factor(double s) { return 0.1 * std::log(s) + 1; }

Given of_yarn(const Port& port, double s, double length, double stated_factor, double base = 1e4,
              Format format = Format::float32) {
  Given given;
  given.shape = {kTokens, kHeads, port.dim};
  given.format = format;
  given.x = rounded(format, random_numbers(kTokens * kHeads * port.dim, 6));
  given.y = port(given.x, kHeads * port.dim);
  given.options = {"--positions", join(port.positions)};
  given.config = with_rule({{"rope_type", "yarn"},
                            {"factor", s},
                            {"original_max_position_embeddings", length},
                            {"attention_factor", stated_factor}},
                           base, port.dim);
  return given;
}

void yarn_factors(Law& law, double found, double stated_factor, const std::string& own) {
  for (const Format format : {Format::float32, Format::bfloat16}) {
    const Given given = of_yarn(yarn(16, 16384, found), 16, 16384, stated_factor, 1e4, format);
    const Sides sides = law.sides(given);
    says(sides.own, own);
    law.right_with(given, yarn(16, 16384, stated_factor)(given.x, kHeads * 64));
    law.right_following(given, sides.reference);
    EXPECT_NEAR(number_after(sides.reference, "\"attention_factor\": ") / found, 1, 1e-12)
        << "of a rule's number all digits are known: " << sides.reference;
  }
}
void factor_squared(Law& law) {
  const double a = yarn_factor(16);
  yarn_factors(law, a * a, a, "multiply cos and sin by 1.277258872223978");
}
void yarn_factor_left_in(Law& law) {
  yarn_factors(law, yarn_factor(16), 1, "leave YaRN's factor out");
}
void yarn_factor_squared(Law& law) {
  const double a = yarn_factor(16);
  yarn_factors(law, a * a, 1, "leave YaRN's factor out");
}

void attention_factor(Law& law) {
  // YaRN's own factor is left out; and another that has no name.
  for (const auto& [found, stated_factor] :
       {std::pair(1.0, yarn_factor(16)), {1.37, 1.0}, {0.7, 1.0}})
    for (const Format format : {Format::float32, Format::bfloat16}) {
      const Given given = of_yarn(yarn(16, 16384, found), 16, 16384, stated_factor, 1e4, format);
      const Sides sides = law.sides(given);
      says(sides.own, "multiply its cos and sin by ");
      const double mend = number_after(sides.own, "multiply its cos and sin by ");
      EXPECT_NEAR(mend * found / stated_factor, 1, format == Format::float32 ? 1e-6 : 1e-3);
      law.right_with(given, yarn(16, 16384, stated_factor)(given.x, kHeads * 64));
      law.right_following(given, sides.reference);
    }
  // A rule without a key for it.
  Given plain = made(sized(64, 1.37), true);
  const Sides sides = law.sides(plain);
  EXPECT_EQ(sides.reference.find("rope_scaling"), std::string::npos) << sides.reference;
  const double mine = number_after(sides.reference, "multiply your cos and sin by ");
  for (double& each : plain.x) each *= mine;
  plain.format = Format::float64;
  plain.y = sized(64)(plain.x, kHeads * 64);
  law.right(plain, "cos and sin with the factor");
}

void linear_inverted(Law& law) {
  Port wrong, right;
  wrong.of_angle = [](double angle) { return 8 * angle; };
  right.of_angle = [](double angle) { return angle / 8; };
  Given given = made(wrong, true);
  given.config = with_rule({{"rope_type", "linear"}, {"factor", 8.0}}, 1e4, kDim);
  remedied(law, given, "divide the positions or the frequencies by 8", right);
}

void rule(Law& law) {
  // Linear scaling where none is meant, none where it is, another factor, and none for YaRN.
  Port linear = sized(64), doubled = sized(64);
  linear.of_angle = [](double angle) { return angle / 4; };
  doubled.of_angle = [](double angle) { return angle / 2; };
  const Json of_linear = with_rule({{"rope_type", "linear"}, {"factor", 4.0}});
  remedied(law, made(linear, true), "use default frequencies", sized(64));
  Given given = made(sized(64), true);
  given.config = of_linear;
  remedied(law, given, "use linear:factor=4", linear);
  given.y = doubled(given.x, kHeads * 64);
  remedied(law, given, "use linear:factor=4", linear);
  Port plain = sized(64);
  plain.base = 1e6;
  plain.positions = yarn(4, 32768, 1, 64, 1e6).positions;
  given = of_yarn(plain, 4, 32768, 1, 1e6);
  const Sides sides = law.sides(given);
  says(sides.own, "use yarn:");
  law.right_with(given, yarn(4, 32768, 1, 64, 1e6)(given.x, kHeads * 64));
  says(sides.reference, "remove \"rope_scaling\" from config.json");
  law.right_following(given, sides.reference);
}

void dynamic_length(Law& law) {
  // A longer sequence went before; and a base that was raised once for the longest one.
  for (const double length : {60000.0, 65536.0}) {
    const Port right = sized(64);
    Port wrong = right;
    wrong.base = 1e4 * std::pow(2 * length / 32768 - 1, 64.0 / 62);
    Given given = made(wrong, true);
    given.config = with_rule({{"rope_type", "dynamic"}, {"factor", 2.0}});
    given.config["max_position_embeddings"] = 32768;
    const Sides sides = law.sides(given);
    says(sides.own, "reset it after a longer sequence");
    law.right_with(given, right(given.x, kHeads * 64));
    EXPECT_EQ(number_after(sides.reference, "--seq-len "), length);
    law.right_following(given, sides.reference);
  }
}

void longrope_list(Law& law) {
  // The long list for a short sequence, and the short list where a long one is stated.
  std::vector<double> shorter(32), longer(32);
  for (std::size_t k = 0; k < shorter.size(); ++k) {
    shorter[k] = 1 + 0.01 * static_cast<double>(k);
    longer[k] = 1.1 + 0.5 * static_cast<double>(k);
  }
  const Port plain = sized(64);
  for (const bool beyond : {false, true}) {
    Port wrong = plain, right = plain;
    wrong.theta = [&](std::size_t k) {
      return plain.frequency(k) / (beyond ? shorter : longer)[k];
    };
    right.theta = [&](std::size_t k) {
      return plain.frequency(k) / (beyond ? longer : shorter)[k];
    };
    Given given = made(wrong, true);
    given.config = with_rule({{"rope_type", "longrope"},
                              {"short_factor", shorter},
                              {"long_factor", longer},
                              {"attention_factor", 1.0},
                              {"original_max_position_embeddings", 4096}});
    if (beyond) given.options.insert(given.options.end(), {"--seq-len", "8192"});
    const Sides sides = law.sides(given);
    says(sides.own, "choose the list by the sequence length");
    law.right_with(given, right(given.x, kHeads * 64));
    law.right_following(given, sides.reference);
  }
}

void doubled_under_a_rule(Law& law) {
  Port right = yarn(4, 32768, 1, 64, 1e6);
  right.positions = count(0, kTokens, 1);
  Port wrong = right;
  wrong.of_angle = [](double angle) { return 2 * angle; };
  const Given given = of_yarn(wrong, 4, 32768, 1, 1e6);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate once");
  law.right_with(given, right(given.x, kHeads * 64));
  says(sides.reference, "give the frequencies that --json lists as theta");
}

void cast_frequencies(Law& law) {
  for (const double own_base : {1e4, 1e6}) {
    Port wrong = sized(64), right = sized(64);
    wrong.format = right.format = Format::bfloat16;
    wrong.theta = [=](std::size_t k) {
      return round_to(Format::bfloat16, std::pow(own_base, -static_cast<double>(k) / 32));
    };
    Given given = made(wrong, true, 1, 128);
    given.format = Format::bfloat16;
    given.x = rounded(Format::bfloat16, given.x);
    given.y = wrong(given.x, kHeads * 64);
    const Sides sides = law.sides(given);
    says(sides.own, "keep inv_freq in float32");
    law.right_with(given, right(given.x, kHeads * 64));
    says(sides.reference, own_base == 1e4 ? "round your inv_freq to bfloat16"
                                          : "use those of default, base 1000000, cast to bfloat16");
    std::vector<double> list;
    for (std::size_t k = 0; k < 32; ++k) list.push_back(wrong.theta(k));
    given.config = {};
    given.options = {"--layout", "half", "--start", "0", "--frequencies", join(list)};
    law.right(given, "frequencies that are rounded as well");
  }
}

/// Frequencies of no rule, at positions that show them.
Port of_no_rule() {
  Port port;
  port.theta = [](std::size_t k) {
    return kRight.frequency(k) * (1 + 0.2 * std::sin(static_cast<double>(k * k)));
  };
  port.positions = {0,  1,   2,   3,   4,   5,   6,   7,    11,   17,   25,   40,
                    64, 100, 150, 230, 350, 500, 800, 1200, 1900, 2900, 4400, 6600};
  return port;
}

void frequencies(Law& law) {
  // Of no rule, beside a base; and of a base, beside a list.
  const Port wrong = of_no_rule();
  for (const bool listed : {false, true}) {
    Given given = made(wrong, false);
    Port right = kRight;
    right.positions = wrong.positions;
    const Options base = {"--layout", "half",        "--base",
                          "10000",    "--positions", join(wrong.positions)};
    std::vector<double> list;
    for (std::size_t k = 0; k < kPairs; ++k) list.push_back(wrong.theta(k));
    Options by_list = base;
    by_list[2] = "--frequencies";
    by_list[3] = join(list);
    if (listed) given.y = right(given.x);
    given.options = listed ? by_list : base;
    const Sides sides = law.sides(given);
    says(sides.own, "use the frequencies you assume");
    law.right_with(given, (listed ? wrong : right)(given.x));
    says(sides.reference, listed ? "use those of default, base 10000"
                                 : "give the frequencies that --json lists as theta");
    if (!listed) {
      const Json said = law.diagnosed(given);
      by_list[3] = join(said.at("explanations").at(0).at("theta").get<std::vector<double>>());
    }
    given.options = listed ? base : by_list;
    law.right(given, "the frequencies that were found");
  }
}

void frequencies_of_another_size(Law& law) {
  // 16 pairs of no rule, where 8 are meant.
  const Port wrong = of_no_rule();
  Given given = made(wrong, false);
  given.options = {"--layout",     "half", "--base",      "10000",
                   "--rotary-dim", "16",   "--positions", join(wrong.positions)};
  const Sides sides = law.sides(given);
  says(sides.own, "use the 8 frequencies you assume");
  Port right;
  right.rotary_dim = 16;
  right.positions = wrong.positions;
  law.right_with(given, right(given.x));
  says(sides.reference, "give the 16 that --json lists as theta");
  const Json said = law.diagnosed(given);
  given.options = {
      "--layout",      "half",
      "--positions",   join(wrong.positions),
      "--frequencies", join(said.at("explanations").at(0).at("theta").get<std::vector<double>>())};
  law.right(given, "the frequencies that were found");
}

void several_frequencies(Law& law) {
  // The first tokens of a cache were turned by another base.
  Port old = of_base(1e4), now = of_base(5e5);
  const auto both = [&](const Numbers& x) {
    Numbers y = old(x);
    const Numbers later = now(x);
    std::copy(later.begin() + 10 * static_cast<std::ptrdiff_t>(kRow), later.end(),
              y.begin() + 10 * static_cast<std::ptrdiff_t>(kRow));
    return y;
  };
  Given given = made(now, true);
  given.config = llama(5e5);
  given.y = both(given.x);
  const Sides sides = law.sides(given);
  says(sides.own, "rotate every token with the frequencies you assume");
  law.right_with(given, now(given.x));
  says(sides.reference, "compare the tokens of each run separately, with its own frequencies");
  for (const bool first : {true, false}) {
    Given part = given;
    const std::size_t from = first ? 0 : 10, to = first ? 10 : kTokens;
    part.shape[0] = to - from;
    part.config = llama(first ? 1e4 : 5e5);
    part.options = {"--start", std::to_string(from)};
    for (Numbers Given::*side : {&Given::x, &Given::y})
      part.*side = Numbers((given.*side).begin() + static_cast<std::ptrdiff_t>(from * kRow),
                           (given.*side).begin() + static_cast<std::ptrdiff_t>(to * kRow));
    law.right(part, "one run");
  }
}

void near_frequencies(Law& law) {
  // Each differs by less than two tokens tell, all of them by more than rounding does.
  Port wrong;
  wrong.theta = [](std::size_t k) {
    return kRight.frequency(k) * (1 + (k % 2 == 0 ? 3e-7 : -3e-7));
  };
  Given given = made(wrong, false);
  given.options = {"--layout", "half", "--base", "10000", "--start", "0"};
  const Sides sides = law.sides(given);
  says(sides.own, "use the frequencies you assume");
  law.right_with(given, kRight(given.x));
  says(sides.reference, "give the frequencies that --json lists as theta");
  const Json said = law.diagnosed(given);
  given.options = {
      "--layout",      "half",
      "--start",       "0",
      "--frequencies", join(said.at("explanations").at(0).at("theta").get<std::vector<double>>())};
  law.right(given, "the frequencies that were found");
}

}  // namespace

std::vector<RemedyCase> cases_of_frequencies() {
  constexpr double kPi = std::numbers::pi;
  return {
      {"base-in-16-bits", base(9984, "keep rope_theta in float32 or wider")},
      {"exponent-over-head", base_over_head},
      {"exponent-k", base(100, "double the exponent")},
      {"exponent-4k", base(1e8, "halve the exponent")},
      {"exponent-linspace", base(std::pow(1e4, 16.0 / 15), "arange(0, r, 2)/r")},
      {"exponent-over-hidden",
       base(std::pow(1e4, 1.0 / 12), "divide 2i by the rotated size of one head")},
      {"exponent-zero", base(1, "compute 2i/r in floating point")},
      {"base", any_base},
      {"counted-pairs", counted_pairs},
      {"radians-as-degrees", times(kPi / 180, "give sin and cos radians: mθ without π/180")},
      {"degrees-as-radians", times(180 / kPi, "give sin and cos radians: mθ without 180/π")},
      {"radians-as-half-turns", times(kPi, "divide the angles by π before sincospi")},
      {"half-turns-as-radians", times(1 / kPi, "multiply the angles by π before sin and cos")},
      {"radians-as-turns",
       times(2 * kPi, "divide the angles by 2π where whole turns are expected")},
      {"turns-as-radians", times(1 / (2 * kPi), "multiply the angles by 2π before sin and cos")},
      {"doubled-angles", times(2, "rotate once")},
      {"doubled-angles", doubled_under_a_rule},
      {"position-steps", times(3, "count positions one by one")},
      {"ntk-power", ntk_power},
      {"inv-freq-in-16-bits", inv_freq_in_16_bits},
      {"angles-in-16-bits", angles_in_16_bits},
      {"scores-divided", scores_divided},
      {"each-side-divided", each_side_divided},
      {"powers-of-two", powers_of_two},
      {"factor-squared", factor_squared},
      {"yarn-factor", yarn_factor_left_in},
      {"yarn-factor-squared", yarn_factor_squared},
      {"attention-factor", attention_factor},
      {"linear-inverted", linear_inverted},
      {"dynamic-length", dynamic_length},
      {"longrope-list", longrope_list},
      {"rule", rule},
      {"cast-frequencies", cast_frequencies},
      {"frequencies", frequencies},
      {"frequencies", frequencies_of_another_size},
      {"several-frequencies", several_frequencies},
      {"near-frequencies", near_frequencies}};
}

}  // namespace rope::test
