#pragma once

#include "rope/diagnose/frequencies/measured_theta.hpp"

namespace rope {

/// An interval for the number by which all frequencies are divided, as in linear scaling.
struct DivisorInterval {
  double low = 0, high = 0;
  bool found = false;
};

/// All divisors for which the resolved pairs (MeasuredTheta) agree on some base. `found` is false
/// if there is no such divisor, or if the fastest pair is not resolved.
DivisorInterval divisor_interval(const MeasuredTheta& measured);

}  // namespace rope
