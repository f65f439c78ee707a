#pragma once

// The frequencies of an explanation, and how exactly they are known.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rope/precision/format.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// Frequencies that may explain what was measured.
struct Spectrum {
  /// θ_i ≥ 0, with the base and rule if they are known. The layout is not used.
  RotaryEmbedding embedding;
  bool clockwise = false;   ///< pairs turn by −mθ_i
  bool reversed = false;    ///< the slowest pair comes first
  bool recognised = false;  ///< θ_i come from a base, rule or preset; if false, they were measured
  double base_low = 0, base_high = 0;        ///< interval of the base, if there is one
  std::vector<double> theta_error;           ///< error of θ_i, radians per token; empty: exact
  double factor_error = 0;                   ///< relative error of A
  double factor_low = 0, factor_high = 0;    ///< interval of A, if it was measured
  double divisor_low = 1, divisor_high = 1;  ///< interval of a fitted linear factor
  double rule_factor = 1;                    ///< A according to the rule
  /// Set if the θ_i are those of a base and rule rounded to 16 bits, as by a cast of inv_freq. In
  /// that case, `embedding` has no base.
  struct Cast {
    Format format;
    std::optional<double> base;
    ScalingSpec scaling;
  };
  std::optional<Cast> cast = std::nullopt;
  /// Presets and rules with the same frequencies.
  std::vector<std::string> also;

  /// The base, whether the θ_i were cast or not; nothing if there is none.
  std::optional<double> base() const { return cast ? cast->base : embedding.base; }
  const ScalingSpec& scaling() const { return cast ? cast->scaling : embedding.scaling; }

  /// Error of θ_i, including that of the base and the linear factor.
  double error_of(std::size_t i) const;

  /// Whether θ_i is known; if not, the pair turns too slowly for its turn to show.
  bool known(std::size_t i) const;

  /// The index of the frequency by which a pair of the arrangement turns.
  std::size_t frequency_of(std::size_t pair) const {
    return reversed ? embedding.pairs() - 1 - pair : pair;
  }
};

/// Whether two spectra agree within their errors.
bool same_frequencies(const Spectrum& a, const Spectrum& b);

}  // namespace rope
