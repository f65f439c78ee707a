#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/diagnose/frequencies/measured_theta.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// Rules with parameters that give the measured frequencies: yarn, llama3, proportional.
std::vector<Spectrum> search_rules(const MeasuredTheta& measured);

/// The unscaled spectrum of the fast pairs, whatever rule slows the others: only for finding
/// positions.
struct FastSpectrum {
  Spectrum spectrum;
  std::size_t count = 0;  ///< how many of the fastest frequencies are valid
};
std::optional<FastSpectrum> fast_pairs(const MeasuredTheta& measured);

}  // namespace rope
