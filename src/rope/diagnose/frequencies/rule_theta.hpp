#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace rope {

// Frequencies of rules in double precision: exact enough to distinguish rules, and far faster to
// compute than the exact frequencies in rope/scaling.

/// b^(−i/pairs) for every pair i.
std::vector<double> unscaled_theta(double base, std::size_t pairs);

/// The frequency of every pair under yarn, given the unscaled ones. `beta`: beta_fast and
/// beta_slow.
std::vector<double> yarn_theta(double base, const std::vector<double>& unscaled, double factor,
                               double original, std::pair<double, double> beta, bool truncate);

/// The frequency of every pair under llama3, given the unscaled ones. `low_high`: low_freq_factor
/// and high_freq_factor.
std::vector<double> llama3_theta(const std::vector<double>& unscaled, double factor,
                                 double original, std::pair<double, double> low_high);

}  // namespace rope
