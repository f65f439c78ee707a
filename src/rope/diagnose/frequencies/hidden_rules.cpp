#include "rope/diagnose/frequencies/hidden_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/frequencies/rule_theta.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::array<double, 9> kLengths = {1024,  2048,  4096,   8192,  16384,
                                            32768, 65536, 131072, 262144};
constexpr std::pair<double, double> kUsualBeta = {32, 1}, kUsualLowHigh = {1, 4};

/// Whether a rule may hide behind these frequencies: the fast pairs have those of a known base, or
/// those divided by one factor.
bool may_hide(const Spectrum& found) {
  const RotaryEmbedding& embedding = found.embedding;
  if (std::find(embedding.frequencies.theta.begin(), embedding.frequencies.theta.end(), 0) !=
      embedding.frequencies.theta.end())
    return false;
  constexpr std::array<std::string_view, 5> kKeepFastPairs = {"default", "linear", "yarn", "llama3",
                                                              "proportional"};
  return found.recognised && embedding.base && *embedding.base > 1 && embedding.pairs() >= 2 &&
         std::find(kKeepFastPairs.begin(), kKeepFastPairs.end(), embedding.scaling.rule) !=
             kKeepFastPairs.end();
}

/// Adds the spectrum under the rule, unless the rule refuses the base or changes no frequency.
void add(const Spectrum& found, const ScalingSpec& spec, double base,
         std::vector<Spectrum>& rules) {
  const std::size_t r = found.embedding.rotary_dim();
  Spectrum rule = found;
  rule.also.clear();
  try {
    rule.embedding = scaled_embedding(spec, {base, r, r, std::nullopt, std::nullopt});
  } catch (const Error&) {
    return;
  }
  rule.rule_factor = rule.embedding.attention_factor;
  rule.embedding.attention_factor = found.embedding.attention_factor;
  const std::vector<double>& theta = rule.embedding.frequencies.theta;
  // The error from a fitted base scales with θ_i.
  if (base != *found.embedding.base) rule.theta_error.clear();
  for (std::size_t k = 0; k < rule.theta_error.size(); ++k)
    rule.theta_error[k] *= theta[k] / found.embedding.frequencies.theta[k];
  rule.base_low = smaller(found.base_low, base);
  rule.base_high = larger(found.base_high, base);
  if (theta != found.embedding.frequencies.theta) rules.push_back(std::move(rule));
}

/// The factor that divides all frequencies.
double divisor(const Spectrum& found) {
  const ScalingSpec& spec = found.embedding.scaling;
  return spec.rule == "linear" ? spec.numbers.at("factor") : 1;
}

/// The spectrum without that factor.
Spectrum undivided(Spectrum found) {
  const double factor = divisor(found), attention_factor = found.embedding.attention_factor;
  found.embedding = default_embedding(found.embedding.rotary_dim(), *found.embedding.base);
  found.embedding.attention_factor = attention_factor;
  for (double& error : found.theta_error) error *= factor;
  return found;
}

/// Divides every frequency of the rules by a factor; their names stay.
std::vector<Spectrum> divided(std::vector<Spectrum> rules, double factor) {
  for (Spectrum& rule : rules) {
    for (double& error : rule.theta_error) error /= factor;
    std::vector<double> theta = rule.embedding.frequencies.theta;
    for (double& each : theta) each /= factor;
    rule.embedding.frequencies = given_frequencies(theta);
  }
  return rules;
}

ScalingSpec yarn(double factor, double original) {
  return {"yarn", {{"factor", factor}, {"original", original}}, {}};
}

ScalingSpec llama3(double factor, double original, std::pair<double, double> low_high) {
  return {"llama3",
          {{"factor", factor},
           {"low", low_high.first},
           {"high", low_high.second},
           {"original", original}},
          {}};
}

/// A rule, and the largest change that it makes to a frequency.
struct Change {
  double size;
  ScalingSpec spec;
};

double change(const RotaryEmbedding& found, const std::vector<double>& theta) {
  Largest largest;
  for (std::size_t k = 0; k < theta.size(); ++k)
    largest.take(std::abs(theta[k] - found.frequencies.theta[k]));
  return largest.value();
}

void keep_nearest(std::vector<Change>& changes, std::size_t most) {
  // A change below the rounding error of θ_i is none.
  std::erase_if(changes, [](const Change& change) { return !(change.size > 0x1p-50); });
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.size < b.size; });
  if (changes.size() > most)
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(most), changes.end());
}

}  // namespace

std::vector<Spectrum> usual_hidden_rules(const Spectrum& found) {
  std::vector<Spectrum> rules;
  if (!may_hide(found) || divisor(found) != 1) return rules;
  const double known = *found.embedding.base;
  std::vector<double> bases = {known};
  for (const double usual : kUsualBases)
    if (usual > 0.8 * known && usual < 1.25 * known && usual != known) bases.push_back(usual);
  for (const double base : bases) {
    add(found, {}, base, rules);
    for (const double factor : {2.0, 4.0, 8.0, 32.0}) {
      add(found, llama3(factor, 8192, kUsualLowHigh), base, rules);
      add(found, yarn(factor, 4096), base, rules);
    }
    for (const double partial : {0.25, 0.5, 0.75})
      add(found, {"proportional", {{"partial", partial}}, {}}, base, rules);
  }
  return rules;
}

std::vector<Spectrum> nearest_hidden_rules(const Spectrum& found, std::size_t most) {
  std::vector<Spectrum> rules;
  if (!may_hide(found)) return rules;
  if (divisor(found) != 1)
    return divided(nearest_hidden_rules(undivided(found), most), divisor(found));
  const RotaryEmbedding& embedding = found.embedding;
  const double base = *embedding.base;
  const std::vector<double> unscaled = unscaled_theta(base, embedding.pairs());
  std::vector<Change> yarns, llamas;
  for (const double factor : {1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0})
    for (const double length : kLengths) {
      yarns.push_back(
          {change(embedding, yarn_theta(base, unscaled, factor, length, kUsualBeta, true)),
           yarn(factor, length)});
      llamas.push_back({change(embedding, llama3_theta(unscaled, factor, length, kUsualLowHigh)),
                        llama3(factor, length, kUsualLowHigh)});
    }
  for (std::vector<Change>* changes : {&yarns, &llamas}) {
    keep_nearest(*changes, most);
    for (const Change& each : *changes) add(found, each.spec, base, rules);
  }
  // Its own rule with each of its numbers a little larger or smaller: a number of three digits is
  // plainer than those within a hundredth of it.
  constexpr double kHundredth = 0.01;
  for (const auto& [key, number] : embedding.scaling.numbers)
    for (const double times : {0.999, 1.001, 0.997, 1.003, 0.97, 1.03, 0.9, 1.1, 0.75, 1.25}) {
      if (std::abs(times - 1) < kHundredth && is_round(number)) continue;
      ScalingSpec spec = embedding.scaling;
      if (key == "partial" && number * times > 1) continue;
      if (key != "truncate" && key != "attention_factor") spec.numbers[key] = number * times;
      add(found, spec, base, rules);
    }
  return rules;
}

}  // namespace rope
