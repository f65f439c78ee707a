#pragma once

#include <span>

namespace rope {

// Lengths of vectors whatever the size of their numbers, the same bits on every machine: numbers
// are scaled before they are squared, and squares are summed with twice the digits of a double.

/// ‖x‖, at least: exact but for rounding, and never below where it is a subnormal number.
double vector_length(std::span<const double> x);

/// |q||k| of one pair of dimensions: √(q₁² + q₂²)·√(k₁² + k₂²).
double pair_weight(double q1, double q2, double k1, double k2);

}  // namespace rope
