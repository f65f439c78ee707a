#pragma once

#include <cmath>

namespace rope {

/// Whether a candidate takes the place of the worst value so far: it is larger, or no number.
/// Nothing takes the place of a NaN.
inline bool exceeds(double candidate, double worst) {
  return !std::isnan(worst) && !(candidate <= worst);
}

/// A measured error beside the bound it must meet.
struct Measured {
  double error = 0;
  double bound = 0;

  /// Written so that a NaN fails.
  bool violated() const { return !(error <= bound); }
  double ratio() const { return error == 0 ? 0 : error / bound; }
};

}  // namespace rope
