#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rope {

/// The measured θ_i and their errors: radians per token, positive, the fastest pair first.
struct MeasuredTheta {
  std::vector<double> theta;
  std::vector<double> error;
  std::size_t head_dim = 0;

  std::size_t pairs() const { return theta.size(); }
  std::size_t rotary_dim() const { return 2 * theta.size(); }
  /// Whether the frequency is known, rather than merely bounded from above.
  bool resolved(std::size_t i) const { return theta[i] > 4 * error[i]; }
  /// Whether other frequencies agree with the measured ones, each within a tolerance determined by
  /// its measurement error and by `relative`.
  bool near(std::span<const double> other, double relative) const;
};

/// An interval for the base; empty unless `found`.
struct BaseInterval {
  double low = 0, high = 0;
  bool found = false;
};

/// The bases b with θ_i = scale·b^(−2i/r) for the resolved pairs from `first` to `last`.
BaseInterval base_interval(const MeasuredTheta& measured, double log_scale, std::size_t first,
                           std::size_t last, double relative);

/// Round bases in or near the interval, the one with the fewest digits first, followed by the
/// middle of the interval.
std::vector<double> base_candidates(const BaseInterval& interval);

}  // namespace rope
