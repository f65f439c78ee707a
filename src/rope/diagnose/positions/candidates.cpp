#include "rope/diagnose/positions/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/frequencies/attention_factor.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/positions/offsets.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {
namespace {

constexpr std::size_t kLineLanes = 64;
constexpr std::size_t kMostOffsets = 64;
constexpr std::size_t kMostRefined = 24;

class EvenSearch {
 public:
  EvenSearch(const Search& search, std::span<const std::int64_t> given)
      : search_(search), given_(given) {}

  EvenCandidates find() {
    const std::vector<std::size_t> tokens = spread(search_.tensors.tokens, kLineTokens);
    for (const std::size_t token : tokens) positions_.push_back(given_[token]);
    angles_ = measure_angles(some_tokens(search_.tensors, tokens, kLineLanes), search_.arrangement,
                             search_.tolerance);
    add_given();
    add_offsets();
    return std::move(found_);
  }

 private:
  AngleLines lines_through(std::span<const std::int64_t> positions, bool zero,
                           const KnownRates& foretold = {}) const {
    return fit_lines(angles_, positions, search_.angle_rounding, zero, foretold, search_.errors);
  }

  /// With the positions as given.
  void add_given() {
    AngleLines lines = lines_through(positions_, true);
    if (!lines.complete()) unwrap_by_slow_pairs(lines);
    for (const Spectrum& spectrum : recognise(lines, search_.tensors.dim, search_.presets)) {
      add(spectrum, 0, false, lines.alias);
      add_offset_for_factor(spectrum);
    }
  }

  /// Where positions are far apart, fast pairs make more than one turn between neighbours: the base
  /// that the slow pairs suggest predicts how many.
  void unwrap_by_slow_pairs(AngleLines& lines) const {
    for (const Spectrum& spectrum : recognise(lines, search_.tensors.dim, search_.presets)) {
      if (!spectrum.recognised) continue;
      AngleLines foretold =
          lines_through(positions_, true, foretold_by(spectrum, 1.2, spectrum.embedding.pairs()));
      if (!foretold.complete()) continue;
      lines = std::move(foretold);
      return;
    }
  }

  /// At a single position p, frequencies divided by s are the same as position p/s.
  void add_offset_for_factor(const Spectrum& spectrum) {
    const RotaryEmbedding& embedding = spectrum.embedding;
    const std::int64_t position = positions_.front();
    if (!spectrum.recognised || embedding.scaling.rule != "linear" || !embedding.base ||
        std::any_of(positions_.begin(), positions_.end(),
                    [position](std::int64_t other) { return other != position; }))
      return;
    const double meant =
        std::round(static_cast<double>(position) / embedding.scaling.numbers.at("factor"));
    if (!(std::abs(meant) <= static_cast<double>(kFarthestOffset))) return;
    Spectrum unscaled = spectrum;
    const double factor = embedding.attention_factor;
    unscaled.embedding = default_embedding(embedding.rotary_dim(), *embedding.base);
    unscaled.embedding.head_dim = embedding.head_dim;
    unscaled.embedding.attention_factor = factor;
    unscaled.also.clear();
    // Relative errors stay the same: the factor is exact.
    for (std::size_t k = 0; k < unscaled.theta_error.size(); ++k)
      if (embedding.frequencies.theta[k] > 0)
        unscaled.theta_error[k] *=
            unscaled.embedding.frequencies.theta[k] / embedding.frequencies.theta[k];
    add(unscaled, static_cast<std::int64_t>(meant) - position, false);
  }

  /// With an offset that is searched for.
  void add_offsets() {
    free_ = lines_through(positions_, false);
    found_.straight = free_.straight();  // always true for two tokens
    const std::vector<Spectrum> spectra = recognise(free_, search_.tensors.dim, search_.presets);
    bool first = true;
    for (const Spectrum& spectrum : spectra) {
      std::vector<std::int64_t> offsets =
          find_offsets(spectrum, free_, search_.angle_rounding, first);
      first = false;
      const bool others = offsets.size() > kMostOffsets || by_chance(spectrum);
      if (offsets.size() > kMostOffsets)
        offsets.erase(offsets.begin() + kMostOffsets, offsets.end());
      for (const std::int64_t offset : offsets) {
        add(spectrum, offset, others);
        if (offset != 0) refine({spectrum, spectrum.embedding.pairs()}, offset, others);
      }
    }
    if (!refined_.empty()) return;
    // Slow pairs may follow a rule that is not visible over so few tokens.
    const std::optional<FastSpectrum> fast = fast_spectrum(free_);
    if (!fast) return;
    for (const std::int64_t offset : find_offsets(*fast, free_, search_.angle_rounding))
      if (offset != 0) refine(*fast, offset, by_chance(fast->spectrum));
  }

  /// The rates that the base predicts for the `count` fastest frequencies; unknown for those that
  /// are 0, which may only seem not to turn.
  static KnownRates foretold_by(const Spectrum& spectrum, double part, std::size_t count) {
    KnownRates rates = rates_of_base(spectrum, 0, part);
    for (std::size_t pair = 0; pair < rates.rate.size(); ++pair)
      if (rates.rate[pair] == 0 || spectrum.frequency_of(pair) >= count) rates.error[pair] = 1;
    return rates;
  }

  bool by_chance(const Spectrum& spectrum) const {
    return fits_by_chance(free_, fitted_numbers(spectrum));
  }

  /// Refines each offset once.
  void refine(const FastSpectrum& start, std::int64_t offset, bool others) {
    if (refined_.size() >= kMostRefined ||
        std::find(refined_.begin(), refined_.end(), offset) != refined_.end())
      return;
    refined_.push_back(offset);
    add_shifted(start, offset, others);
  }

  /// With the offset known, position 0 is one more point of every line, and the frequencies become
  /// more exact.
  void add_shifted(const FastSpectrum& start, std::int64_t offset, bool others) {
    const Spectrum& spectrum = start.spectrum;
    std::vector<std::int64_t> positions = positions_;
    for (std::int64_t& position : positions) position += offset;
    // The base that the slow pairs suggest unwraps the fast pairs, which narrow it further.
    KnownRates foretold =
        spectrum.recognised ? foretold_by(spectrum, 1, start.count) : KnownRates{};
    double known = HUGE_VAL;
    std::vector<Spectrum> sharpest;
    for (int round = 0; round < 5; ++round) {
      const AngleLines lines = lines_through(positions, true, foretold);
      std::vector<Spectrum> sharper = recognise(lines, search_.tensors.dim, search_.presets);
      const bool recognised = !sharper.empty() && sharper.front().recognised;
      // A base that contradicts worst-case errors is wrong; one that contradicts typical errors was
      // close.
      if (recognised || sharpest.empty() || search_.errors == LineErrors::worst)
        sharpest = std::move(sharper);
      if (!recognised || !(width_of_base(sharpest.front()) < 0.7 * known)) break;
      known = width_of_base(sharpest.front());
      foretold = foretold_by(sharpest.front(), 1.2, sharpest.front().embedding.pairs());
    }
    for (const Spectrum& each : sharpest)
      if (each.recognised == spectrum.recognised)
        add(each, offset,
            others || by_chance(each) || factor_admits_others(spectrum, each, positions.front()));
  }

  void add(const Spectrum& spectrum, std::int64_t offset, bool others, std::int64_t alias = 1) {
    for (const Spectrum& variant : with_factors(spectrum, angles_)) {
      Regime regime;
      regime.tokens.resize(search_.tensors.tokens);
      std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
      regime.positions.assign(given_.begin(), given_.end());
      for (std::int64_t& position : regime.positions) position += offset;
      regime.spectrum = variant;
      found_.candidates.push_back(
          {search_.arrangement, {std::move(regime)}, spectrum.recognised, others, alias});
    }
  }

  const Search& search_;
  AngleLines free_;  // not forced through position 0
  std::span<const std::int64_t> given_;
  std::vector<std::int64_t> positions_;  // of the sampled tokens
  MeasuredAngles angles_;                // of the same
  std::vector<std::int64_t> refined_;    // offsets
  EvenCandidates found_;
};

}  // namespace

EvenCandidates even_candidates(const Search& search, std::span<const std::int64_t> given) {
  return EvenSearch(search, given).find();
}

std::vector<Candidate> run_candidates(const Search& search) {
  std::vector<Candidate> result;
  for (std::vector<Regime>& regimes : find_runs(search)) {
    const bool recognised = std::all_of(regimes.begin(), regimes.end(), [](const Regime& regime) {
      return regime.spectrum.recognised;
    });
    result.push_back({search.arrangement, std::move(regimes), recognised});
  }
  return result;
}

}  // namespace rope
