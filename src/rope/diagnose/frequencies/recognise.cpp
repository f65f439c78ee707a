#include "rope/diagnose/frequencies/recognise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "rope/diagnose/frequencies/common_divisor.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kRough = 2e-2;  // relative error of a frequency in the roughest pipelines

/// Positive frequencies from fast to slow, and what was changed to get there.
struct Ordered {
  MeasuredTheta measured;
  bool clockwise = false;
  bool reversed = false;
  bool any = false;
};

bool resolved(const AngleLine& line) { return std::abs(line.rate) > 4 * line.rate_error; }

/// Whether the resolved pairs turn at one rate, within their errors.
bool all_alike(const AngleLines& lines) {
  double least = HUGE_VAL, most = 0;
  for (const AngleLine& line : lines.lines) {
    if (!resolved(line)) continue;
    least = smaller(least, std::abs(line.rate) + line.rate_error);
    most = larger(most, std::abs(line.rate) - line.rate_error);
  }
  return most <= least;
}

/// Whether |θ| grows with i: the covariance of ln|θ_i| and i over the resolved pairs.
bool grows(const AngleLines& lines) {
  if (all_alike(lines)) return false;
  double n = 0, sum_i = 0, sum_log = 0;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    if (!resolved(lines.lines[i])) continue;
    n += 1;
    sum_i += static_cast<double>(i);
    sum_log += std::log(std::abs(lines.lines[i].rate));
  }
  double covariance = 0;
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
    if (resolved(lines.lines[i]))
      covariance += (static_cast<double>(i) - sum_i / n) *
                    (std::log(std::abs(lines.lines[i].rate)) - sum_log / n);
  return n > 1 && covariance > 1e-9;
}

Ordered order(const AngleLines& lines, std::size_t head_dim) {
  Ordered result;
  std::size_t positive = 0, negative = 0;
  for (const AngleLine& line : lines.lines)
    if (resolved(line)) ++(line.rate < 0 ? negative : positive);
  result.any = positive + negative > 0;
  result.clockwise = negative > positive;
  result.reversed = grows(lines);
  result.measured.head_dim = head_dim;
  const std::size_t n = lines.lines.size();
  for (std::size_t i = 0; i < n; ++i) {
    const AngleLine& line = lines.lines[result.reversed ? n - 1 - i : i];
    const double rate = result.clockwise ? -line.rate : line.rate;
    result.measured.theta.push_back(kTwoPi * rate);
    result.measured.error.push_back(kTwoPi * line.rate_error);
  }
  return result;
}

/// Adds the whole turns between tokens that the rates of fast pairs lack, where the slower pairs
/// predict them: ln θ_i is extrapolated along a line from the slowest pair on.
void add_lost_turns(MeasuredTheta& measured, std::int64_t alias) {
  const double turn = kTwoPi / static_cast<double>(alias);
  double n = 0, sk = 0, sl = 0, skk = 0, skl = 0;
  for (std::size_t i = measured.pairs(); i-- > 0;) {
    if (n >= 3) {
      const double slope = (n * skl - sk * sl) / (n * skk - sk * sk);
      const double foretold = std::exp(sl / n + slope * (static_cast<double>(i) - sk / n));
      const double lost = std::round((foretold - measured.theta[i]) / turn);
      const double rest = foretold - measured.theta[i] - lost * turn;
      if (lost > 0 && std::abs(rest) < 0.25 * turn) measured.theta[i] += lost * turn;
    }
    if (!measured.resolved(i)) continue;
    const double x = static_cast<double>(i), y = std::log(measured.theta[i]);
    n += 1, sk += x, sl += y, skk += x * x, skl += x * y;
  }
}

/// ln θ_i = log_scale − slope·i by weighted least squares over the resolved pairs.
struct LogLine {
  double log_scale = 0, slope = 0;
  std::size_t used = 0;
};
LogLine fit_log_line(const MeasuredTheta& measured, bool with_scale) {
  double w0 = 0, wk = 0, wkk = 0, wl = 0, wkl = 0;
  LogLine line;
  for (std::size_t i = 0; i < measured.pairs(); ++i) {
    if (!measured.resolved(i)) continue;
    const double relative = measured.error[i] / measured.theta[i] + 1e-12;
    const double w = 1 / (relative * relative), x = static_cast<double>(i);
    const double y = std::log(measured.theta[i]);
    w0 += w, wk += w * x, wkk += w * x * x, wl += w * y, wkl += w * x * y;
    ++line.used;
  }
  if (with_scale) {
    const double determinant = w0 * wkk - wk * wk;
    if (line.used < 2 || !(determinant > 0)) return line;
    line.slope = -(w0 * wkl - wk * wl) / determinant;
    line.log_scale = (wl + line.slope * wk) / w0;
  } else if (wkk > 0) {
    line.slope = -wkl / wkk;
  }
  return line;
}

/// The unscaled embedding of a rotated block; nothing if the base is impossible.
std::optional<RotaryEmbedding> unscaled(double base, std::size_t rotary_dim) {
  if (!(base > 1e-3) || !(base < 1e30)) return std::nullopt;
  try {
    return default_embedding(rotary_dim, base);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<double> geometric(double log_scale, double base, std::size_t pairs) {
  std::vector<double> theta;
  for (std::size_t i = 0; i < pairs; ++i)
    theta.push_back(
        std::exp(log_scale - std::log(base) * static_cast<double>(i) / static_cast<double>(pairs)));
  return theta;
}

/// The errors of θ_i follow from those of the base and the factor; round numbers are taken as
/// exact.
void set_error(Spectrum& spectrum, const BaseInterval& interval, bool exact) {
  spectrum.base_low = smaller(interval.low, *spectrum.embedding.base);
  spectrum.base_high = larger(interval.high, *spectrum.embedding.base);
  if (exact) return;
  const double relative = std::log(interval.high / interval.low);
  const double of_all = std::log(spectrum.divisor_high / spectrum.divisor_low);
  for (std::size_t i = 0; i < spectrum.embedding.pairs(); ++i)
    spectrum.theta_error.push_back(spectrum.embedding.frequencies.theta[i] *
                                   (of_all + relative * static_cast<double>(i) /
                                                 static_cast<double>(spectrum.embedding.pairs())));
}

/// The interval of the base on which all pairs agree, or else one around the least-squares fit.
BaseInterval interval_of(const MeasuredTheta& measured, const LogLine& line) {
  BaseInterval interval = base_interval(measured, line.log_scale, 0, measured.pairs() - 1, 0);
  if (interval.found) return interval;
  const double middle = std::exp(line.slope * static_cast<double>(measured.pairs()));
  for (const double relative : {1e-9, 1e-6, 1e-4, 1e-3, 1e-2}) {
    interval = base_interval(measured, line.log_scale, 0, measured.pairs() - 1, relative);
    if (interval.found) return interval;
  }
  return {middle * 0.99, middle * 1.01, true};
}

/// Whether every pair turns by 1 per token, and is known to more than roughly.
bool is_base_one(const MeasuredTheta& measured) {
  for (std::size_t i = 0; i < measured.pairs(); ++i)
    if (!(std::abs(measured.theta[i] - 1) <= measured.error[i]) || !(measured.error[i] < kRough))
      return false;
  return true;
}

/// Adds unscaled spectra. True if all pairs agree on a base within their errors.
bool add_default(const MeasuredTheta& measured, std::vector<Spectrum>& spectra) {
  const LogLine line = fit_log_line(measured, false);
  if (measured.pairs() == 1) {
    // θ_0 = 1 whatever the base.
    if (!measured.near(std::vector<double>{1.0}, kRough)) return false;
    Spectrum spectrum = named(*unscaled(10000, 2));
    spectrum.base_low = 0;
    spectrum.base_high = std::numeric_limits<double>::infinity();
    spectra.push_back(std::move(spectrum));
    return true;
  }
  if (is_base_one(measured)) {
    spectra.push_back(named(*unscaled(1, measured.rotary_dim())));
    return true;
  }
  const double fitted = std::exp(line.slope * static_cast<double>(measured.pairs()));
  if (line.used == 0 || !(line.slope > 0) ||
      !measured.near(geometric(0, fitted, measured.pairs()), kRough))
    return false;
  const BaseInterval interval = interval_of(measured, line);
  for (const double base : base_candidates(interval)) {
    const std::optional<RotaryEmbedding> embedding = unscaled(base, measured.rotary_dim());
    if (!embedding) continue;
    Spectrum spectrum = named(*embedding);
    set_error(spectrum, interval, is_round(base));
    spectra.push_back(std::move(spectrum));
  }
  return base_interval(measured, 0, 0, measured.pairs() - 1, 0).found;
}

/// Relative error of a fitted factor: θ_0 is its inverse whatever the base.
double factor_error(const MeasuredTheta& measured) {
  for (std::size_t i = 0; i < measured.pairs(); ++i)
    if (measured.resolved(i)) return larger(1e-12, measured.error[i] / measured.theta[i]);
  return 1e-12;
}

/// Round numbers near a fitted factor, and the factor itself.
std::vector<double> factor_candidates(double factor, double relative) {
  std::vector<double> factors;
  for (const double width : {1e-5, 1e-4, 1e-3, 1e-2, relative, 0.0}) {
    const double round = simplest_number(factor * (1 - width), factor * (1 + width));
    if (std::find(factors.begin(), factors.end(), round) == factors.end()) factors.push_back(round);
  }
  return factors;
}

/// Adds spectra for the frequencies without a common factor. `low`, `high`: interval of the factor.
void add_scaled(const MeasuredTheta& rest, double factor, double low, double high,
                std::vector<Spectrum>& spectra) {
  const LogLine line = fit_log_line(rest, false);
  const double fitted = std::exp(line.slope * static_cast<double>(rest.pairs()));
  if (rest.pairs() > 1 &&
      (!(line.slope > 0) || !rest.near(geometric(0, fitted, rest.pairs()), kRough)))
    return;
  const BaseInterval interval =
      rest.pairs() > 1 ? interval_of(rest, line) : BaseInterval{10000, 10000, true};
  for (const double base : base_candidates(interval)) {
    if (!(base > 1e-3) || !(base < 1e30)) continue;
    const ScalingContext context{base, rest.rotary_dim(), rest.rotary_dim(), {}, {}};
    Spectrum spectrum = named(scaled_embedding({"linear", {{"factor", factor}}, {}}, context));
    spectrum.divisor_low = smaller(low, factor);
    spectrum.divisor_high = larger(high, factor);
    set_error(spectrum, interval, is_round(base) && is_round(factor));
    if (rest.pairs() == 1) spectrum.base_low = 0, spectrum.base_high = HUGE_VAL;
    spectra.push_back(std::move(spectrum));
  }
}

/// Adds spectra with a common factor: linear scaling, or positions in other steps. True if all
/// pairs agree.
bool add_linear(const MeasuredTheta& measured, std::vector<Spectrum>& spectra) {
  LogLine line = fit_log_line(measured, true);
  if (measured.pairs() == 1 && measured.resolved(0)) line.log_scale = std::log(measured.theta[0]);
  if (line.used == 0 || std::abs(line.log_scale) < 1e-3) return false;
  bool clean = false;
  const DivisorInterval interval = divisor_interval(measured);
  // The least-squares factor may lie outside the interval on which all pairs agree.
  const double factor =
      interval.found ? std::sqrt(interval.low * interval.high) : std::exp(-line.log_scale);
  const double relative = factor_error(measured);
  const double low = interval.found ? interval.low : factor * (1 - relative);
  const double high = interval.found ? interval.high : factor * (1 + relative);
  std::vector<double> candidates = factor_candidates(factor, relative);
  if (interval.found) candidates.insert(candidates.begin(), simplest_number(low, high));
  for (const double round_factor : candidates) {
    MeasuredTheta rest = measured;
    for (double& theta : rest.theta) theta *= round_factor;
    for (double& error : rest.error) error *= round_factor;
    const bool agree = rest.pairs() == 1 || base_interval(rest, 0, 0, rest.pairs() - 1, 0).found;
    if (clean && !agree) continue;
    clean = clean || agree;
    add_scaled(rest, round_factor, low, high, spectra);
  }
  return clean;
}

void add_presets(const MeasuredTheta& measured, std::span<const NamedEmbedding> presets,
                 std::vector<Spectrum>& spectra) {
  for (const NamedEmbedding& preset : presets) {
    const std::vector<double>& theta = preset.embedding.frequencies.theta;
    if (theta.size() != measured.pairs() || !measured.near(theta, 1e-4)) continue;
    const auto same = [&](const Spectrum& spectrum) {
      return spectrum.theta_error.empty() && spectrum.embedding.frequencies.theta == theta;
    };
    const auto known = std::find_if(spectra.begin(), spectra.end(), same);
    if (known != spectra.end()) {
      known->also.push_back(preset.name);
      continue;
    }
    Spectrum spectrum = named(preset.embedding);
    spectrum.also.push_back(preset.name);
    spectra.push_back(std::move(spectrum));
  }
}

/// The frequencies as measured.
void add_measured(const MeasuredTheta& measured, std::vector<Spectrum>& spectra) {
  Spectrum spectrum;
  std::vector<double> theta;
  for (std::size_t i = 0; i < measured.pairs(); ++i) {
    // A pair that turns the other way, or too little to be seen, is taken not to turn.
    const bool turns = measured.theta[i] > measured.error[i] && measured.theta[i] > 1e-290;
    theta.push_back(turns ? measured.theta[i] : 0);
    spectrum.theta_error.push_back(measured.error[i] + (turns ? 0 : std::abs(measured.theta[i])));
  }
  spectrum.embedding.frequencies = given_frequencies(theta);
  spectrum.embedding.head_dim = spectrum.embedding.rotary_dim();
  spectra.push_back(std::move(spectrum));
}

}  // namespace

std::vector<Spectrum> recognise(const AngleLines& lines, std::size_t head_dim,
                                std::span<const NamedEmbedding> presets) {
  Ordered ordered = order(lines, head_dim);
  std::vector<Spectrum> spectra;
  if (!ordered.any) return spectra;
  const auto search = [&](const MeasuredTheta& measured) {
    const bool clean = add_default(measured, spectra);
    if (clean) return add_presets(measured, presets, spectra);
    const bool linear = add_linear(measured, spectra);
    if (!linear) {
      const std::vector<Spectrum> rules = search_rules(measured);
      spectra.insert(spectra.end(), rules.begin(), rules.end());
    }
    add_presets(measured, presets, spectra);
  };
  search(ordered.measured);
  if (spectra.empty()) {
    MeasuredTheta unwrapped = ordered.measured;
    add_lost_turns(unwrapped, lines.alias);
    if (unwrapped.theta != ordered.measured.theta) search(unwrapped);
  }
  add_measured(ordered.measured, spectra);
  for (Spectrum& spectrum : spectra) {
    spectrum.clockwise = ordered.clockwise;
    spectrum.reversed = ordered.reversed;
  }
  return spectra;
}

Spectrum named(const RotaryEmbedding& embedding) {
  Spectrum spectrum;
  spectrum.embedding = embedding;
  spectrum.recognised = true;
  spectrum.rule_factor = embedding.attention_factor;
  if (embedding.base) spectrum.base_low = spectrum.base_high = *embedding.base;
  return spectrum;
}

std::vector<RotaryEmbedding> relatives(const RotaryEmbedding& stated) {
  if (!stated.base) return {};
  const std::size_t r = stated.rotary_dim();
  std::vector<RotaryEmbedding> result = {default_embedding(r, *stated.base)};
  const auto add = [&](const ScalingSpec& rule, double base) {
    try {
      result.push_back(scaled_embedding(rule, {base, r, r, std::nullopt, std::nullopt}));
    } catch (const Error&) {  // the rule has no such factor
    }
  };
  if (stated.scaling.rule != "default")
    for (const double base : kUsualBases)
      if (base != *stated.base) add(stated.scaling, base);
  if (!stated.scaling.numbers.contains("factor")) return result;
  for (const double factor : {2, 4, 8, 16, 32, 64}) {
    ScalingSpec rule = stated.scaling;
    rule.numbers["factor"] = factor;
    add(rule, *stated.base);
  }
  return result;
}

Spectrum cast_to(Format format, const Spectrum& exact) {
  Spectrum spectrum = exact;
  std::vector<double> theta = exact.embedding.frequencies.theta;
  for (double& each : theta) each = round_to(format, each);
  spectrum.cast = {format, exact.embedding.base, exact.embedding.scaling};
  spectrum.embedding.base.reset();
  spectrum.embedding.scaling = {};
  spectrum.embedding.frequencies = given_frequencies(theta);
  spectrum.base_low = spectrum.base_high = 0;
  return spectrum;
}

std::optional<FastSpectrum> fast_spectrum(const AngleLines& lines) {
  const Ordered ordered = order(lines, 0);
  if (!ordered.any) return std::nullopt;
  std::optional<FastSpectrum> fast = fast_pairs(ordered.measured);
  if (!fast) return std::nullopt;
  fast->spectrum.clockwise = ordered.clockwise;
  fast->spectrum.reversed = ordered.reversed;
  return fast;
}

KnownRates rates_of(const Spectrum& spectrum) {
  KnownRates rates;
  const double sign = spectrum.clockwise ? -1 : 1;
  for (std::size_t pair = 0; pair < spectrum.embedding.pairs(); ++pair) {
    const std::size_t i = spectrum.frequency_of(pair);
    const double turns = spectrum.embedding.frequencies.theta[i] / kTwoPi;
    rates.rate.push_back(sign * turns);
    rates.error.push_back((spectrum.theta_error.empty() ? 0 : spectrum.theta_error[i] / kTwoPi) +
                          0x1p-52 * turns);
  }
  return rates;
}

}  // namespace rope
