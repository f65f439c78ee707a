#pragma once

// How well an explanation fits: errors with their bounds, and the tokens it covers.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// What an implementation is allowed beyond its rounding policy.
struct DiagnosisHypotheses {
  double libm_ulp = 4;   ///< error of its cos and sin in ulp; CUDA's and libmvec's are smaller
  double noise_ulp = 0;  ///< noise in y that the user declares, in ulp
};

/// Tokens that one spectrum explains, with their positions.
struct Regime {
  std::vector<std::size_t> tokens;  ///< ascending
  std::vector<std::int64_t> positions;
  Spectrum spectrum;
  /// If the spectrum has several axes: the position of each token on all of them; `positions` are
  /// those on the first.
  std::vector<Position> on_axes{};

  /// The position of the i-th token on every axis.
  Position place(std::size_t i) const { return on_axes.empty() ? positions[i] : on_axes[i]; }
};

/// y against the re-rotated x, element by element.
struct Judgement {
  bool passed = false;
  double max_error = 0;         ///< the largest |y − R x|
  double error = 0, bound = 0;  ///< |y − R̂ x| where it is largest relative to its bound
  std::size_t token = 0, lane = 0, dimension = 0;
  std::size_t elements = 0;
  std::size_t violations =
      0;  ///< elements beyond their bound; not all of them if judging stopped early

  double ratio() const;

  /// Adds the judgement of other tokens.
  void add(const Judgement& other);
};

}  // namespace rope
