#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/diagnose/angles/measured_angles.hpp"

namespace rope {

/// The uncertainty, in turns, up to which angles are unwrapped: less than half a turn, with a
/// margin for inaccurate bounds.
inline constexpr double kUnwrapLimit = 0.2;

/// The angles of one pair as a line over the positions: turn(p) = reference + rate·(p − origin).
struct AngleLine {
  double rate = 0;  ///< θ/2π in turns per token, signed, in [−1/2, 1/2)
  double rate_error = 0.5;
  double reference = 0;  ///< turns, at the origin
  double reference_error = 0.5;
  bool straight = true;  ///< all angles lie on the line
  std::size_t used = 0;  ///< how many baselines (pairs of positions) were used
};

/// A line for every pair.
struct AngleLines {
  std::int64_t origin = 0;
  std::vector<AngleLine> lines;
  /// The smallest gap between positions: rates are known only modulo 1/alias turns.
  std::int64_t alias = 1;

  bool straight() const;
  bool complete() const;  ///< whether something is known about every rate
};

/// Known frequencies and their errors, in signed turns per token.
struct KnownRates {
  std::vector<double> rate;
  std::vector<double> error;
};

/// Which errors the lines report.
enum class LineErrors {
  worst,    ///< bounds on all rounding errors: the true rate lies within them
  typical,  ///< six standard deviations of the scatter of the angles: far narrower than bounds
            ///< where many coarse numbers agree; used to find candidates, which are then judged by
            ///< bounds
};

/// Fits the lines. Short baselines find θ modulo one turn per token; longer ones refine it as far
/// as they can be unwrapped.
///
/// `positions`: one per token of `angles`. `angle_rounding`: relative rounding error of an angle in
/// the pipeline (2^-24 in float32). `through_zero`: whether position 0 has the angle 0. `foretold`:
/// rates predicted from a base, for unwrapping longer baselines; may be empty. `errors`: which
/// errors to report for the rates and references.
AngleLines fit_lines(const MeasuredAngles& angles, std::span<const std::int64_t> positions,
                     double angle_rounding, bool through_zero, const KnownRates& foretold = {},
                     LineErrors errors = LineErrors::worst);

}  // namespace rope
