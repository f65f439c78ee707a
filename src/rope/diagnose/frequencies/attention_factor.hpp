#pragma once

#include <vector>

#include "rope/diagnose/angles/measured_angles.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// The factors A that the measured stretch may mean, the simplest first.
std::vector<Spectrum> with_factors(const Spectrum& spectrum, const MeasuredAngles& angles);

}  // namespace rope
