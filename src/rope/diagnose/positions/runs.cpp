#include "rope/diagnose/positions/runs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/frequencies/attention_factor.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/common_step.hpp"
#include "rope/diagnose/positions/decoder.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/precision/largest.hpp"

namespace rope {
namespace {

constexpr std::size_t kMostRegimes = 3;
constexpr std::size_t kMostTries = 256;                    // spectra, in total
constexpr std::size_t kMostAngles = std::size_t{3} << 20;  // tokens × pairs
constexpr std::size_t kMostRunTokens = 2048;

/// Some of the pairs, evenly, the first and the last among them.
std::vector<std::size_t> some_pairs(std::size_t pairs, std::size_t tokens) {
  const std::size_t count = std::clamp<std::size_t>(kMostAngles / tokens, 4, pairs);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, pairs); ++i)
    chosen.push_back(count < 2 ? 0 : i * (pairs - 1) / (count - 1));
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// A range first … last of a list of tokens.
struct Stretch {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first + 1; }
};

/// Looks for tokens whose angles advance evenly.
class Evenness {
 public:
  Evenness(const MeasuredAngles& angles, std::span<const std::size_t> tokens, double rounding)
      : angles_(angles), tokens_(tokens), rounding_(rounding) {}

  /// The longest stretch of neighbouring tokens whose angles advance by equal steps other than 0.
  Stretch longest() const {
    Stretch best, current;
    for (std::size_t i = 1; i < tokens_.size(); ++i) {
      const bool next = tokens_[i] == tokens_[i - 1] + 1;
      if (!next) {
        current = {i, i};
      } else if (current.size() < 2 || even(i)) {
        current.last = i;
      } else {
        current = {i - 1, i};
      }
      if (current.size() > best.size() && turns(current)) best = current;
    }
    return best;
  }

 private:
  double slack(std::size_t i, std::size_t k) const {
    const double distance = 4096 + static_cast<double>(tokens_[i]);
    return angles_.uncertainty(tokens_[i], k) + rounding_ * distance;
  }
  bool even(std::size_t i) const {
    for (std::size_t k = 0; k < angles_.pairs; ++k) {
      const double bend =
          wrapped(angles_.turn(tokens_[i], k) - 2 * angles_.turn(tokens_[i - 1], k) +
                  angles_.turn(tokens_[i - 2], k));
      if (std::abs(bend) > slack(i, k) + 2 * slack(i - 1, k) + slack(i - 2, k)) return false;
    }
    return true;
  }
  bool turns(const Stretch& stretch) const {
    for (std::size_t k = 0; k < angles_.pairs; ++k)
      if (std::abs(wrapped(angles_.turn(tokens_[stretch.last], k) -
                           angles_.turn(tokens_[stretch.last - 1], k))) >
          slack(stretch.last, k) + slack(stretch.last - 1, k))
        return true;
    return false;
  }

  const MeasuredAngles& angles_;
  std::span<const std::size_t> tokens_;
  double rounding_;
};

/// The tokens that a spectrum explains, with their positions, and the rest.
struct Decoded {
  Regime regime;
  std::vector<std::size_t> rest;
};
Decoded decode(const Decoder& decoder, std::span<const std::size_t> tokens) {
  Decoded result;
  for (const std::size_t token : tokens) {
    std::optional<std::int64_t> before;
    if (!result.regime.tokens.empty() && result.regime.tokens.back() + 1 == token)
      before = result.regime.positions.back();
    if (const std::optional<std::int64_t> position = decoder.position(token, before)) {
      result.regime.tokens.push_back(token);
      result.regime.positions.push_back(*position);
    } else {
      result.rest.push_back(token);
    }
  }
  return result;
}

/// Whether two regimes rotate by nearly the same angles: then they differ by rounding, not by
/// frequencies.
bool turn_alike(const Regime& a, const Regime& b) {
  constexpr double kApart = 0.01;  // radians, and of the factor
  double farthest = 0;
  for (const Regime* regime : {&a, &b})
    for (const std::int64_t position : regime->positions)
      farthest = larger(farthest, std::abs(static_cast<double>(position)));
  const RotaryEmbedding &e = a.spectrum.embedding, &f = b.spectrum.embedding;
  if (std::abs(e.attention_factor - f.attention_factor) > kApart * e.attention_factor) return false;
  for (std::size_t k = 0; k < e.pairs(); ++k)
    if (std::abs(e.frequencies.theta[k] - f.frequencies.theta[k]) * farthest > kApart) return false;
  return a.spectrum.clockwise == b.spectrum.clockwise && a.spectrum.reversed == b.spectrum.reversed;
}

/// At most about `most` indices of the tokens: the first ones, then evenly spaced ones.
std::vector<std::size_t> thinned(const Regime& regime, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t n = regime.tokens.size();
  for (std::size_t i = 0; i < n; i += i < most / 2 ? 1 : std::max<std::size_t>(1, n / (most / 2)))
    chosen.push_back(i);
  return chosen;
}

/// The lines of all pairs over the positions of a regime, from some of its tokens.
AngleLines lines_of(const Search& search, const Regime& regime, bool through_zero,
                    MeasuredAngles& angles) {
  std::vector<std::size_t> tokens;
  std::vector<std::int64_t> positions;
  for (const std::size_t i : thinned(regime, kMostRunTokens)) {
    tokens.push_back(regime.tokens[i]);
    positions.push_back(regime.positions[i]);
  }
  angles =
      measure_angles(some_tokens(search.tensors, tokens, 64), search.arrangement, search.tolerance);
  return fit_lines(angles, positions, search.angle_rounding, through_zero);
}

class RunSearch {
 public:
  explicit RunSearch(const Search& search)
      : search_(search),
        pairs_(some_pairs(search.arrangement.pairs(), search.tensors.tokens)),
        angles_(measure_angles(search.tensors, search.arrangement, search.tolerance, pairs_)) {}

  std::vector<std::vector<Regime>> find() {
    std::vector<std::size_t> all(search_.tensors.tokens);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Regime> regimes;
    descend(all, regimes);
    // Tokens that advance evenly, by several positions at a time, lead to frequencies that do not
    // place the others.
    if (readings_.empty()) try_known(all, regimes);
    return std::move(readings_);
  }

 private:
  /// Explains the remaining tokens, and adds the reading once none is left.
  void descend(const std::vector<std::size_t>& tokens, std::vector<Regime>& regimes) {
    if (tokens.empty()) {
      readings_.push_back(regimes);
      return;
    }
    if (regimes.size() == kMostRegimes || readings_.size() >= 24) return;
    const Stretch stretch = Evenness(angles_, tokens, search_.angle_rounding).longest();
    if (stretch.size() < 3) {
      // Nothing can be measured, but the frequencies of known models may still place every token.
      if (regimes.empty()) try_known(tokens, regimes);
      return;
    }
    Regime run;
    for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
      run.tokens.push_back(tokens[i]);
      run.positions.push_back(static_cast<std::int64_t>(i - stretch.first));
    }
    MeasuredAngles angles;
    const AngleLines lines = lines_of(search_, run, false, angles);
    bool found = false;
    for (const Spectrum& spectrum : recognise(lines, search_.tensors.dim, search_.presets)) {
      // The measured frequencies are only used if no others fit.
      if (found && !spectrum.recognised) break;
      found |= try_spectrum(spectrum, tokens, regimes);
    }
  }

  bool try_spectrum(const Spectrum& start, const std::vector<std::size_t>& tokens,
                    std::vector<Regime>& regimes) {
    if (++tries_ > kMostTries) return false;
    Spectrum spectrum = start;
    Decoded decoded = place(spectrum, tokens);
    MeasuredAngles angles;
    std::vector<Spectrum> sharper;
    // Each token that is placed lengthens the baseline: frequencies become more exact and place
    // more tokens.
    for (int round = 0; round < 8 && decoded.regime.tokens.size() >= 3; ++round) {
      const AngleLines lines = lines_of(search_, decoded.regime, true, angles);
      sharper = of_kind(recognise(lines, search_.tensors.dim, search_.presets), start.recognised);
      if (sharper.empty()) break;
      Decoded next = place(sharper.front(), tokens);
      if (next.regime.tokens.size() <= decoded.regime.tokens.size()) break;
      decoded = std::move(next);
    }
    if (decoded.regime.tokens.size() < 3) return false;
    if (sharper.empty()) sharper = {start};
    for (const Spectrum& each : sharper)
      for (const Spectrum& variant : with_factors(each, angles)) {
        decoded.regime.spectrum = variant;
        if (std::any_of(regimes.begin(), regimes.end(),
                        [&](const Regime& other) { return turn_alike(other, decoded.regime); }))
          continue;
        regimes.push_back(decoded.regime);
        descend(decoded.rest, regimes);
        regimes.pop_back();
      }
    return true;
  }

  /// The frequencies of known models, the usual bases first.
  void try_known(const std::vector<std::size_t>& tokens, std::vector<Regime>& regimes) {
    if (search_.arrangement.pairs() < 4) return;
    std::vector<std::vector<double>> tried;
    std::vector<NamedEmbedding> all;
    all.reserve(kUsualBases.size() + search_.presets.size());
    for (const double base : kUsualBases)
      all.push_back({{}, default_embedding(search_.arrangement.rotary_dim, base)});
    all.insert(all.end(), search_.presets.begin(), search_.presets.end());
    for (const NamedEmbedding& known : all) {
      const std::vector<double>& theta = known.embedding.frequencies.theta;
      if (theta.size() != search_.arrangement.pairs() ||
          std::find(tried.begin(), tried.end(), theta) != tried.end())
        continue;
      tried.push_back(theta);
      Spectrum spectrum = named(known.embedding);
      if (!known.name.empty()) spectrum.also.push_back(known.name);
      Decoded decoded = place(spectrum, tokens);
      if (!decoded.rest.empty()) continue;
      regimes.push_back(decoded.regime);
      MeasuredAngles angles;
      widen_base(
          recognise(lines_of(search_, decoded.regime, true, angles), search_.tensors.dim, {}),
          spectrum);
      for (const Spectrum& variant : with_factors(spectrum, angles)) {
        regimes.back().spectrum = variant;
        readings_.push_back(regimes);
      }
      regimes.pop_back();
    }
  }

  /// Widens the base of a known spectrum to the interval that the placed tokens allow.
  static void widen_base(const std::vector<Spectrum>& allowed, Spectrum& known) {
    const std::optional<double> base = known.embedding.geometric_base();
    for (const Spectrum& spectrum : allowed)
      if (base && spectrum.recognised && spectrum.embedding.geometric_base() &&
          *base >= spectrum.base_low && *base <= spectrum.base_high) {
        known.base_low = spectrum.base_low;
        known.base_high = spectrum.base_high;
        known.theta_error = spectrum.theta_error;
        return;
      }
  }

  Decoded place(const Spectrum& spectrum, const std::vector<std::size_t>& tokens) const {
    return decode(Decoder(angles_, pairs_, spectrum, search_), tokens);
  }

  /// The recognised spectra, or the measured ones; all of them if there are none of that kind.
  static std::vector<Spectrum> of_kind(const std::vector<Spectrum>& spectra, bool recognised) {
    std::vector<Spectrum> kind;
    for (const Spectrum& spectrum : spectra)
      if (spectrum.recognised == recognised) kind.push_back(spectrum);
    return kind.empty() ? spectra : kind;
  }

  const Search& search_;
  std::vector<std::size_t> pairs_;
  MeasuredAngles angles_;
  std::vector<std::vector<Regime>> readings_;
  std::size_t tries_ = 0;
};

}  // namespace

std::vector<std::vector<Regime>> find_runs(const Search& search) {
  std::vector<std::vector<Regime>> readings = RunSearch(search).find();
  for (std::vector<Regime>& regimes : readings)
    if (std::optional<Regime> one = in_common_steps(regimes)) regimes = {*std::move(one)};
  std::stable_sort(readings.begin(), readings.end(), [](const auto& a, const auto& b) {
    const auto unknown = [](const std::vector<Regime>& regimes) {
      return std::count_if(regimes.begin(), regimes.end(),
                           [](const Regime& regime) { return !regime.spectrum.recognised; });
    };
    return unknown(a) < unknown(b);
  });
  return readings;
}

}  // namespace rope
