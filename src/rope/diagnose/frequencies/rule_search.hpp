#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/diagnose/frequencies/measured_theta.hpp"
#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// Rules, with their parameters, that yield the measured frequencies: yarn, llama3, proportional.
std::vector<Spectrum> search_rules(const MeasuredTheta& measured);

/// The unscaled spectrum of the fast pairs, whatever rule slows the others; used only to find
/// positions.
struct FastSpectrum {
  Spectrum spectrum;
  std::size_t count = 0;  ///< how many of the frequencies, from the fastest on, are valid
};
std::optional<FastSpectrum> fast_pairs(const MeasuredTheta& measured);

}  // namespace rope
