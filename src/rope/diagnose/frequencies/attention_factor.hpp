#pragma once

#include <vector>

#include "rope/diagnose/angles/measured_angles.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// Copies of the spectrum, one for each attention factor A that the measured lengths allow, the
/// simplest first.
std::vector<Spectrum> with_factors(const Spectrum& spectrum, const MeasuredAngles& angles);

}  // namespace rope
