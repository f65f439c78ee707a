#include "rope/diagnose/frequencies/rule_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/frequencies/rule_theta.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostMatches = 6;
constexpr double kNear = 2e-6;  // relative error of a frequency computed in float32

/// Context lengths that models were trained for.
constexpr std::array<double, 14> kSearchedLengths = {
    1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 1000, 2000, 4000};
constexpr std::array<std::pair<double, double>, 6> kBetas = {
    {{32, 1}, {64, 1}, {64, 2}, {32, 2}, {128, 2}, {16, 1}}};
constexpr std::array<std::pair<double, double>, 7> kLowHigh = {
    {{1, 4}, {1, 32}, {1, 2}, {1, 8}, {2, 4}, {1, 1}, {2, 8}}};

constexpr std::array<double, 14> kUsualFactors = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 64};

/// Numbers of a rule that are fitted to the pairs it slows: factor, original and the two ends.
constexpr std::size_t kNumbersOfARule = 4;

/// The fast pairs that keep their unscaled frequency: as many as agree on a base.
struct KeptPairs {
  BaseInterval base;
  std::size_t count = 0;
};
KeptPairs kept_pairs(const MeasuredTheta& measured, double relative) {
  KeptPairs kept;
  for (std::size_t last = 1; last < measured.pairs(); ++last) {
    const BaseInterval interval = base_interval(measured, 0, 0, last, relative);
    if (!interval.found) break;
    kept = {interval, last + 1};
  }
  return kept;
}

/// Within the errors of the pairs, or else within the rounding of float32 as well.
KeptPairs kept_pairs(const MeasuredTheta& measured) {
  const KeptPairs exactly = kept_pairs(measured, 0);
  return exactly.count >= 3 ? exactly : kept_pairs(measured, kNear);
}

/// Only the fastest of these pairs.
KeptPairs leading(const MeasuredTheta& measured, const KeptPairs& kept, double part) {
  const auto count = static_cast<std::size_t>(std::ceil(part * static_cast<double>(kept.count)));
  if (count < 3 || count >= kept.count) return kept;
  const BaseInterval interval = base_interval(measured, 0, 0, count - 1, 0);
  return interval.found ? KeptPairs{interval, count} : kept;
}

/// The slowest pair that is resolved.
std::optional<std::size_t> slowest(const MeasuredTheta& measured) {
  for (std::size_t k = measured.pairs(); k-- > 0;)
    if (measured.resolved(k)) return k;
  return std::nullopt;
}

void add(const ScalingSpec& spec, double base, const MeasuredTheta& measured,
         const BaseInterval& interval, std::vector<Spectrum>& spectra) {
  try {
    Spectrum spectrum;
    spectrum.embedding = scaled_embedding(
        spec, {base, measured.rotary_dim(), measured.rotary_dim(), std::nullopt, std::nullopt});
    spectrum.recognised = true;
    spectrum.base_low = smaller(base, interval.low);
    spectrum.base_high = larger(base, interval.high);
    if (base == base_candidates(interval).back()) {
      // The base was fitted: its interval gives the errors of θ_i.
      const double width = std::log(interval.high / interval.low);
      for (std::size_t k = 0; k < measured.pairs(); ++k)
        spectrum.theta_error.push_back(spectrum.embedding.frequencies.theta[k] * width *
                                       static_cast<double>(k) /
                                       static_cast<double>(measured.pairs()));
    }
    const auto same = [&](const Spectrum& other) {
      return other.embedding.frequencies.theta == spectrum.embedding.frequencies.theta;
    };
    const auto known = std::find_if(spectra.begin(), spectra.end(), same);
    if (known == spectra.end())
      spectra.push_back(std::move(spectrum));
    else
      known->also.push_back(scaling_text(spec));
  } catch (const Error&) {
    return;  // parameters that the rule refuses
  }
}

/// A rule, and the distance of its frequencies from those measured, relative to their errors.
struct Match {
  double distance;
  ScalingSpec spec;
};

/// Infinite where the rule changes nothing: its slowest pair would be the first that it slows.
double distance(const MeasuredTheta& measured, double unscaled_slowest,
                const std::vector<double>& theta) {
  if (!(theta.back() < unscaled_slowest)) return std::numeric_limits<double>::infinity();
  double farthest = 0;
  for (std::size_t k = 0; k < theta.size(); ++k)
    farthest = larger(farthest, std::abs(measured.theta[k] - theta[k]) /
                                    (2 * measured.error[k] + kNear * theta[k]));
  return farthest;
}

void search_yarn(const MeasuredTheta& measured, double base, const std::vector<double>& unscaled,
                 double factor, std::vector<Match>& matches) {
  for (const double original : kSearchedLengths)
    for (const auto& beta : kBetas)
      for (const bool truncate : {true, false}) {
        const double far = distance(measured, unscaled.back(),
                                    yarn_theta(base, unscaled, factor, original, beta, truncate));
        if (!(far <= 1)) continue;
        ScalingSpec spec{"yarn", {{"factor", factor}, {"original", original}}, {}};
        if (beta != kBetas[0]) {
          spec.numbers["beta_fast"] = beta.first;
          spec.numbers["beta_slow"] = beta.second;
        }
        if (!truncate) spec.numbers["truncate"] = 0;
        matches.push_back({far, std::move(spec)});
      }
}

void search_llama3(const MeasuredTheta& measured, const std::vector<double>& unscaled,
                   double factor, std::vector<Match>& matches) {
  for (const double original : kSearchedLengths)
    for (const auto& low_high : kLowHigh) {
      const double far =
          distance(measured, unscaled.back(), llama3_theta(unscaled, factor, original, low_high));
      if (!(far <= 1)) continue;
      matches.push_back({far,
                         {"llama3",
                          {{"factor", factor},
                           {"low", low_high.first},
                           {"high", low_high.second},
                           {"original", original}},
                          {}}});
    }
}

/// Slow pairs that do not turn although the base of the others would turn them visibly.
void search_proportional(const MeasuredTheta& measured, const KeptPairs& kept,
                         std::vector<Spectrum>& spectra) {
  std::size_t live = 0;
  while (live < measured.pairs() && measured.resolved(live)) ++live;
  if (live < 2 || live == measured.pairs() || kept.count < live) return;
  const double fraction = static_cast<double>(live) / static_cast<double>(measured.pairs());
  for (const double base : base_candidates(kept.base))
    add({"proportional", {{"partial", fraction}}, {}}, base, measured, kept.base, spectra);
}

/// Candidates for the factor that divides the slow pairs: from the slowest pair alone, and from all
/// pairs that agree with it.
std::vector<double> factor_candidates(const MeasuredTheta& measured,
                                      const std::vector<double>& unscaled,
                                      std::size_t slowest_pair) {
  std::vector<double> factors;
  double low = 0, high = std::numeric_limits<double>::infinity();
  const auto add_round = [&](double from, double to) {
    const double factor = simplest_number(from, to);
    if (std::find(factors.begin(), factors.end(), factor) == factors.end())
      factors.push_back(factor);
  };
  for (std::size_t k = slowest_pair; k > 0; --k) {
    if (!measured.resolved(k)) continue;
    const double ratio = unscaled[k] / measured.theta[k];
    const double relative = measured.error[k] / measured.theta[k] + kNear;
    const double from = larger(low, ratio * (1 - relative));
    const double to = smaller(high, ratio * (1 + relative));
    if (!(from <= to)) break;
    low = from;
    high = to;
    if (k == slowest_pair)
      for (const double width : {relative, 1e-3, 1e-2})
        add_round(ratio * (1 - width), ratio * (1 + width));
  }
  const double middle = low + (high - low) / 2;
  for (const double width : {0.0, 1e-3, 1e-2})
    add_round(smaller(low, middle * (1 - width)), larger(high, middle * (1 + width)));
  return factors;
}

/// How many pairs turn visibly, and visibly slower than those of the base.
std::size_t slowed_pairs(const MeasuredTheta& measured, const std::vector<double>& unscaled) {
  std::size_t slowed = 0;
  for (std::size_t k = 0; k < measured.pairs(); ++k)
    if (measured.resolved(k) && measured.theta[k] + 4 * measured.error[k] < unscaled[k]) ++slowed;
  return slowed;
}

void search_base(const MeasuredTheta& measured, double base, std::size_t slowest_pair,
                 const BaseInterval& interval, std::vector<Spectrum>& spectra) {
  const std::vector<double> unscaled = unscaled_theta(base, measured.pairs());
  std::vector<Match> matches;
  const auto search = [&](double factor) {
    search_yarn(measured, base, unscaled, factor, matches);
    search_llama3(measured, unscaled, factor, matches);
  };
  for (const double factor : factor_candidates(measured, unscaled, slowest_pair)) {
    // A factor with many digits fits something else.
    if (factor > 1.2 && simplest_number(factor * (1 - 1e-3), factor * (1 + 1e-3)) == factor)
      search(factor);
  }
  // Where no pair beyond the ramp turns visibly, none shows the factor: those within show it.
  if (matches.empty() && slowed_pairs(measured, unscaled) > kNumbersOfARule)
    std::ranges::for_each(kUsualFactors, search);
  // Of equally near ones, the rule with the fewest parameters first.
  const auto order = [](const Match& match) {
    return std::pair(std::floor(1e3 * match.distance), match.spec.numbers.size());
  };
  std::stable_sort(matches.begin(), matches.end(),
                   [&](const Match& a, const Match& b) { return order(a) < order(b); });
  for (std::size_t i = 0; i < std::min<std::size_t>(kMostMatches, matches.size()); ++i)
    add(matches[i].spec, base, measured, interval, spectra);
}

}  // namespace

std::optional<FastSpectrum> fast_pairs(const MeasuredTheta& measured) {
  const KeptPairs kept = leading(measured, kept_pairs(measured), 0.75);
  if (kept.count < 3) return std::nullopt;
  const double middle = std::sqrt(kept.base.low) * std::sqrt(kept.base.high);
  if (!(middle > 1) || !(middle < 1e30)) return std::nullopt;
  FastSpectrum fast;
  fast.count = kept.count;
  fast.spectrum.embedding = default_embedding(measured.rotary_dim(), middle);
  fast.spectrum.recognised = true;
  fast.spectrum.base_low = kept.base.low;
  fast.spectrum.base_high = kept.base.high;
  return fast;
}

std::vector<Spectrum> search_rules(const MeasuredTheta& measured) {
  std::vector<Spectrum> spectra;
  const KeptPairs kept = kept_pairs(measured);
  const std::optional<std::size_t> last = slowest(measured);
  if (kept.count < 2 || !last) return spectra;
  search_proportional(measured, kept, spectra);
  // Pairs at the start of a ramp may agree with the fast pairs on a wrong base: try fewer of them.
  for (const double part : {1.0, 0.75, 0.5}) {
    const KeptPairs fewer = leading(measured, kept, part);
    const std::vector<double> bases = base_candidates(fewer.base);
    for (const double base : bases) {
      // Only the first round base with a match, and the fitted base.
      if (!spectra.empty() && base != bases.back()) continue;
      search_base(measured, base, *last, fewer.base, spectra);
    }
    if (!spectra.empty()) break;
  }
  return spectra;
}

}  // namespace rope
