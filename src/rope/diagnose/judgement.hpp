#pragma once

// How well an explanation fits: errors with their bounds, and the tokens it covers.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// The errors allowed to an implementation in addition to those of its rounding policy.
struct DiagnosisHypotheses {
  double libm_ulp = 4;   ///< error of its cos and sin in ulp; CUDA and libmvec have smaller errors
  double noise_ulp = 0;  ///< noise in y that the user has declared, in ulp
};

/// A set of tokens that one spectrum explains, with their positions.
struct Regime {
  std::vector<std::size_t> tokens;  ///< ascending
  std::vector<std::int64_t> positions;
  Spectrum spectrum;
  /// If the spectrum has several axes: the position of each token on all axes; `positions` are
  /// those on the first axis.
  std::vector<Position> on_axes{};

  /// The position of the i-th token on every axis.
  Position place(std::size_t i) const { return on_axes.empty() ? positions[i] : on_axes[i]; }
};

/// A comparison of y with the re-rotated x, element by element.
struct Judgement {
  bool passed = false;
  double max_error = 0;         ///< the largest |y − R x|
  double error = 0, bound = 0;  ///< |y − R̂ x| and its bound, where their ratio is largest
  std::size_t token = 0, lane = 0, dimension = 0;
  std::size_t elements = 0;
  /// The number of elements found beyond their bounds; judging may have stopped early.
  std::size_t violations = 0;

  double ratio() const;

  /// Adds the judgement of other tokens.
  void add(const Judgement& other);
};

}  // namespace rope
