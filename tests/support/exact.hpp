#pragma once

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cstddef>
#include <cstdint>

#include "rope/rotary/turns.hpp"

namespace rope::test {

/// A real number of 500 bits on MPFR: an arithmetic that the library under test does not use.
using Exact = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<150>,
                                            boost::multiprecision::et_off>;

inline Exact two_pi() { return 2 * boost::math::constants::pi<Exact>(); }

/// A fraction of a turn, all 128 bits of it.
inline Exact turns(TurnFraction fraction) {
  return ldexp(Exact(fraction.high), -64) + ldexp(Exact(fraction.low), -128);
}

/// θ_i = base^(−2i/r), from its definition.
inline Exact theta(double base, std::size_t pair, std::size_t rotary_dim) {
  return pow(Exact(base), -Exact(2 * pair) / Exact(rotary_dim));
}

}  // namespace rope::test
