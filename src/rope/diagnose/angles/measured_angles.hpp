#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/diagnose/pairings/find_pairings.hpp"

namespace rope {

/// The angle of each pair in each token, in turns in [−1/2, 1/2), before any frequency or position
/// is known.
struct MeasuredAngles {
  std::size_t tokens = 0;
  std::size_t pairs = 0;
  std::vector<double> turns;  ///< tokens × pairs
  std::vector<double> error;  ///< the error of each angle, in turns; infinite where x is 0
  double factor = 1;          ///< A: the factor by which pairs grew in length
  double factor_error = 0;

  double turn(std::size_t token, std::size_t pair) const { return turns[token * pairs + pair]; }
  double uncertainty(std::size_t token, std::size_t pair) const {
    return error[token * pairs + pair];
  }
};

/// Solves for the angles by least squares: all vectors of a token share them, so each angle is the
/// phase of Σ z̄v, where z and v are the pair in one vector of x and of y.
///
/// `pairs`: the pairs to measure; all if empty.
MeasuredAngles measure_angles(const RotatedTensors& tensors, const Arrangement& arrangement,
                              const SearchTolerance& tolerance,
                              std::span<const std::size_t> pairs = {});

/// An angle without its whole turns, in [−1/2, 1/2).
double wrapped(double turns);

}  // namespace rope
