#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/lines.hpp"
#include "rope/rotary/named_embedding.hpp"

namespace rope {

/// Bases that models usually have.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// Frequencies that may explain what was measured.
struct Spectrum {
  /// θ_k ≥ 0, with the base and rule where they are known. Its layout means nothing here.
  RotaryEmbedding embedding;
  bool clockwise = false;   ///< turns by −mθ_k
  bool reversed = false;    ///< the slowest pair stands first
  bool recognised = false;  ///< a base, a rule or a preset; otherwise the θ_k are as measured
  double base_low = 0, base_high = 0;        ///< what the base may be, where there is one
  std::vector<double> theta_error;           ///< what θ_k may be off by; empty: they are exact
  double factor_error = 0;                   ///< what A may be off by, relative to A
  double factor_low = 0, factor_high = 0;    ///< what A may be, where it was measured
  double divisor_low = 1, divisor_high = 1;  ///< what a linear factor may be, where it was fitted
  double rule_factor = 1;                    ///< A as the rule has it
  /// Presets and rules that come to the same frequencies.
  std::vector<std::string> also;

  /// What θ_k may be off by, the interval of the base included.
  double error_of(std::size_t k) const;

  /// Whether anything is known of θ_k but that it is too slow to be seen.
  bool known(std::size_t k) const {
    return recognised || theta_error.empty() || embedding.frequencies.theta[k] > theta_error[k];
  }

  /// The frequency that pair k of the arrangement has.
  std::size_t frequency_of(std::size_t pair) const {
    return reversed ? embedding.pairs() - 1 - pair : pair;
  }
};

/// The number with the fewest significant digits in [low, high], the middle if that needs more
/// than 15.
double simplest_number(double low, double high);

/// Whether a number looks chosen: none within 1e-4 of it has fewer digits.
bool is_round(double number);

/// Spectra that are near the lines: unscaled ones first, then a common factor, the rules with
/// parameters, presets, and last the measured frequencies themselves.
///
/// `head_dim`: d, for rules that use it. `presets`: embeddings to recognise, with their names.
std::vector<Spectrum> recognise(const AngleLines& lines, std::size_t head_dim,
                                std::span<const NamedEmbedding> presets);

/// What the pairs that turn fastest say by themselves, where no rule is recognised: an unscaled
/// spectrum, and how many of its frequencies count. For finding positions alone.
struct FastSpectrum {
  Spectrum spectrum;
  std::size_t count = 0;
};
std::optional<FastSpectrum> fast_spectrum(const AngleLines& lines);

/// The spectrum of an embedding that is known by name or told.
Spectrum named(const RotaryEmbedding& embedding);

/// Signed turns per token of each pair of the arrangement.
KnownRates rates_of(const Spectrum& spectrum);

}  // namespace rope
