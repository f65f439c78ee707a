#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/diagnose/pairings/find_pairings.hpp"

namespace rope {

/// The angle that turned each pair of each token, in turns, in [−1/2, 1/2): what is known of the
/// rotation before any frequency or position is.
struct MeasuredAngles {
  std::size_t tokens = 0;
  std::size_t pairs = 0;
  std::vector<double> turns;  ///< tokens × pairs
  std::vector<double> error;  ///< alike: what rounding may have done; infinite where x is 0
  double factor = 1;          ///< A: how much longer pairs became
  double factor_error = 0;

  double turn(std::size_t token, std::size_t pair) const { return turns[token * pairs + pair]; }
  double uncertainty(std::size_t token, std::size_t pair) const {
    return error[token * pairs + pair];
  }
};

/// Solves for the angles: all vectors of a token share them, so each is the phase of Σ z̄v, where
/// z → v is the pair of one vector.
///
/// `pairs`: the pairs wanted, all if empty.
MeasuredAngles measure_angles(const RotatedTensors& tensors, const Arrangement& arrangement,
                              const SearchTolerance& tolerance,
                              std::span<const std::size_t> pairs = {});

/// The number nearest to x − whole turns: [−1/2, 1/2).
double wrapped(double turns);

}  // namespace rope
