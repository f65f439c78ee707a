#pragma once

#include <mpfr.h>

#include <cmath>
#include <cstdint>

#include "rope/rotary/turns.hpp"
#include "support/interval.hpp"

namespace rope::test {

/// A fraction of a turn, exactly; 192 bits and more.
template <class Real>
Real turns(const TurnFraction& fraction) {
  const auto bits = [](std::uint64_t half, int shift) {  // 32 and 32, each of which a double holds
    return Real(std::ldexp(static_cast<double>(half >> 32), shift + 32)) +
           Real(std::ldexp(static_cast<double>(half & 0xffffffffU), shift));
  };
  return bits(fraction.high, -64) + bits(fraction.low, -128);
}

/// How far numbers of turns are from a fraction of one, around the circle.
template <class Real>
Real turns_between(const Real& x, const TurnFraction& fraction) {
  const Real off = x - turns<Real>(fraction);
  mpfr_t nearest;
  mpfr_init2(nearest, 53);  // any whole number will do: one that is not the nearest is told as far
  mpfr_rint_round(nearest, off.low_end(), MPFR_RNDN);
  const Real whole(mpfr_get_d(nearest, MPFR_RNDN));
  mpfr_clear(nearest);
  return abs(off - whole);
}

}  // namespace rope::test
