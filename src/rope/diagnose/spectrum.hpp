#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

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
  bool known(std::size_t k) const;

  /// The frequency that pair k of the arrangement has.
  std::size_t frequency_of(std::size_t pair) const {
    return reversed ? embedding.pairs() - 1 - pair : pair;
  }
};

/// Whether two spectra are the same as far as either is known.
bool same_frequencies(const Spectrum& a, const Spectrum& b);

}  // namespace rope
