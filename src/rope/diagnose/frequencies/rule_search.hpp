#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/diagnose/frequencies/measured_theta.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// Rules with parameters that come to the measured frequencies: yarn, llama3, proportional, NTK.
std::vector<Spectrum> search_rules(const MeasuredTheta& measured);

/// Unscaled frequencies as the fast pairs have them, whatever rule slows the others: for finding
/// positions alone.
struct FastSpectrum {
  Spectrum spectrum;
  std::size_t count = 0;  ///< how many of its frequencies count, the fastest
};
std::optional<FastSpectrum> fast_pairs(const MeasuredTheta& measured);

}  // namespace rope
