// The scaling rules against Hugging Face's own numbers for 42 configurations, and θ_i beyond double
// against formulas written again on MPFR.
#include "rope/scaling/scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "golden/reference_file.hpp"
#include "support/exact.hpp"
#include "support/show.hpp"

namespace rope {
namespace {

using test::Exact;

std::optional<std::int64_t> optional_length(const io::Json& object, const char* key) {
  if (!object.contains(key) || object.at(key).is_null()) return std::nullopt;
  return object.at(key).get<std::int64_t>();
}

/// The names this library has for the keys of a configuration.
const std::map<std::string, std::string>& own_names() {
  static const std::map<std::string, std::string> kNames = {
      {"original_max_position_embeddings", "original"},
      {"low_freq_factor", "low"},
      {"high_freq_factor", "high"},
      {"short_factor", "short"},
      {"long_factor", "long"},
      {"partial_rotary_factor", "partial"}};
  return kNames;
}

/// The rule and parameters of a configuration, of the old style or the new.
ScalingSpec spec_of(const io::Json& config) {
  const io::Json rope =
      config.contains("rope_scaling") ? config.at("rope_scaling") : config.at("rope_parameters");
  ScalingSpec spec;
  for (const char* key : {"type", "rope_type"})
    if (rope.contains(key)) spec.rule = rope.at(key).get<std::string>();
  if (spec.rule == "su") spec.rule = "longrope";
  for (const auto& [key, value] : rope.items()) {
    if (key == "type" || key == "rope_type" || key == "rope_theta") continue;
    if (key == "partial_rotary_factor" && spec.rule != "proportional") continue;
    const auto own = own_names().find(key);
    const std::string& name = own == own_names().end() ? key : own->second;
    if (value.is_array()) {
      spec.lists[name] = value.get<std::vector<double>>();
    } else {
      spec.numbers[name] = value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
    }
  }
  if (const auto original = optional_length(config, "original_max_position_embeddings"))
    spec.numbers["original"] = static_cast<double>(*original);
  return spec;
}

double base_of(const io::Json& config) {
  return config.contains("rope_theta")
             ? config.at("rope_theta").get<double>()
             : config.at("rope_parameters").at("rope_theta").get<double>();
}

constexpr double kFrequencyTolerance = 1e-14;  // the float64 run's own rounding is 3.5e-15 at most
constexpr double kFactorTolerance = 1e-15;

void expect_row(const std::string& name, const Scaled& scaled, const io::Json& row) {
  const auto expected = row.at("inv_freq").get<std::vector<double>>();
  ASSERT_EQ(scaled.frequencies.theta.size(), expected.size()) << name;
  ASSERT_EQ(scaled.bands.size(), expected.size()) << name;
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_TRUE(std::abs(scaled.frequencies.theta[k] - expected[k]) <=
                kFrequencyTolerance * expected[k])
        << name << ", pair " << k << ": " << test::show(scaled.frequencies.theta[k])
        << ", expected " << test::show(expected[k]);
  const auto factor = row.at("attention_factor").get<double>();
  EXPECT_TRUE(std::abs(scaled.attention_factor - factor) <= kFactorTolerance * factor)
      << name << ": " << test::show(scaled.attention_factor) << ", expected " << test::show(factor);
}

TEST(Scaling, GivesTheFrequenciesOfHuggingFaceForEveryConfiguration) {
  std::size_t files = 0, rows = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ROPE_REFERENCE_DIR "/hf_params")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const std::string name = entry.path().stem().string();
    const io::Json reference = test::reference_json("hf_params/" + name + ".json");
    for (const io::Json& row : reference.at("results")) {
      ++rows;
      for (const char* style : {"config_old", "config_new"}) {
        if (!reference.contains(style)) continue;
        const io::Json& config = reference.at(style);
        const ScalingContext context = {
            base_of(config), reference.at("head_dim").get<std::size_t>(),
            reference.at("rotary_dim").get<std::size_t>(),
            optional_length(config, "max_position_embeddings"), optional_length(row, "seq_len")};
        expect_row(name + " " + style, scale(spec_of(config), context), row);
      }
    }
  }
  EXPECT_EQ(files, 42U);
  EXPECT_EQ(rows, 60U);
}

/// θ'_i by a formula on MPFR: what a rule ought to make of θ_i.
using Formula = std::function<Exact(const Exact& theta, std::size_t pair)>;

/// Expects all of θ, wavelength and the 128 bits of the turns.
void expect_exactly(const std::string& text, const ScalingContext& context,
                    const Formula& formula) {
  const Frequencies made = scale(parse_scaling(text), context).frequencies;
  ASSERT_EQ(made.pairs(), context.rotary_dim / 2) << text;
  for (std::size_t k = 0; k < made.pairs(); ++k) {
    const Exact theta = formula(test::theta(context.base, k, context.rotary_dim), k);
    const Exact turns = theta / test::two_pi();
    Exact error = abs(test::turns(made.turns[k]) - (turns - floor(turns)));
    if (error > 0.5) error = 1 - error;
    EXPECT_LE(error, ldexp(Exact(1), -128)) << text << ", pair " << k << ", " << error.str(6);
    EXPECT_EQ(made.theta[k], theta.convert_to<double>()) << text << ", pair " << k;
    EXPECT_EQ(made.wavelength[k], (1 / turns).convert_to<double>()) << text << ", pair " << k;
  }
}

TEST(Scaling, HoldsTheTurnsOfEveryRuleToTheLastOf128Bits) {
  const ScalingContext llama = {10000, 128, 128, std::nullopt, 16384};
  const Exact s = 4, d = 128;
  expect_exactly("linear:factor=4", llama, [&](const Exact& t, auto) { return t / 4; });
  // θ_i·s^(−2i/(d−2)): a larger base, without naming it.
  expect_exactly("ntk:factor=4", llama, [&](const Exact& t, std::size_t k) {
    return t * pow(s, -Exact(2 * k) / (d - 2));
  });
  // (b·s)^(−2i/d)/s^(2/d) = θ_i·s^(−2(i+1)/d)
  expect_exactly("ntk-fixed:factor=4", llama, [&](const Exact& t, std::size_t k) {
    return t * pow(s, -Exact(2 * (k + 1)) / d);
  });
  // exp(a·m^B) with a = ln s/(d/2)^B is s^((2m/d)^B).
  expect_exactly("ntk-mixed:factor=4", llama, [&](const Exact& t, std::size_t k) {
    return t / pow(s, pow(Exact(2 * (k + 1)) / d, Exact("0.625")));
  });
  // factor 2 from 4096 to 16384 tokens: 2·4 − 1 = 7.
  expect_exactly("dynamic:factor=2,original=4096", llama, [&](const Exact& t, std::size_t k) {
    return t * pow(Exact(7), -Exact(2 * k) / (d - 2));
  });
  expect_exactly("truncation:low=1e-4,high=0.01,value=0.001", llama,
                 [](const Exact& t, auto) -> Exact {
                   if (t >= Exact(0.01)) return t;
                   return t > Exact(1e-4) ? Exact(0.001) : Exact(0);
                 });
}

TEST(Scaling, HoldsTheTurnsOfTheRampsToTheLastOf128Bits) {
  const ScalingContext llama = {500000, 128, 128, std::nullopt, std::nullopt};
  const Exact s = 8, length = 8192, pi2 = test::two_pi();
  const auto clamp = [](const Exact& x) { return x < 0 ? Exact(0) : x > 1 ? Exact(1) : x; };
  // θ(k(1 − 1/s) + 1/s) with k how much is kept.
  const auto kept = [&](const Exact& t, const Exact& k) { return t * (k + (1 - k) / s); };
  expect_exactly("llama3:factor=8,low=1,high=4,original=8192", llama,
                 [&](const Exact& t, auto) { return kept(t, clamp((length * t / pi2 - 1) / 3)); });
  expect_exactly("yarn-paper:factor=8,original=8192", llama,
                 [&](const Exact& t, auto) { return kept(t, clamp((length * t / pi2 - 1) / 31)); });
  const auto dimension = [&](int turns) {
    return Exact(64) * log(length / pi2 / turns) / log(Exact(500000));
  };
  expect_exactly("yarn:factor=8,original=8192,truncate=0", llama,
                 [&](const Exact& t, std::size_t k) {
                   const Exact low = dimension(32), high = dimension(1);
                   return kept(t, clamp((high - Exact(k)) / (high - low)));
                 });
  expect_exactly("yarn:factor=8,original=8192", llama, [&](const Exact& t, std::size_t k) {
    const Exact low = floor(dimension(32)), high = ceil(dimension(1));
    return kept(t, clamp((high - Exact(k)) / (high - low)));
  });
}

}  // namespace
}  // namespace rope
