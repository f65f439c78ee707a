#pragma once

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace rope::test {

/// All numbers between two ends of `Bits` bits: every operation rounds them outwards, so a result
/// holds what the same operation gives for any numbers of its operands.
template <mpfr_prec_t Bits>
class IntervalOf {
 public:
  IntervalOf() : IntervalOf(0.0) {}
  IntervalOf(double value) : IntervalOf(Bare{}) {  // NOLINT(google-explicit-constructor)
    mpfr_set_d(low_, value, MPFR_RNDD);
    mpfr_set_d(high_, value, MPFR_RNDU);
  }
  explicit IntervalOf(std::int64_t value) : IntervalOf(Bare{}) {
    mpfr_set_si(low_, value, MPFR_RNDD);
    mpfr_set_si(high_, value, MPFR_RNDU);
  }
  static IntervalOf between(double low, double high) {
    IntervalOf result{Bare{}};
    mpfr_set_d(result.low_, low, MPFR_RNDD);
    mpfr_set_d(result.high_, high, MPFR_RNDU);
    return result;
  }
  IntervalOf(const IntervalOf& other) : IntervalOf(Bare{}) { *this = other; }
  IntervalOf& operator=(const IntervalOf& other) {
    mpfr_set(low_, other.low_, MPFR_RNDD);
    mpfr_set(high_, other.high_, MPFR_RNDU);
    return *this;
  }
  ~IntervalOf() = default;

  static IntervalOf pi() {
    IntervalOf result{Bare{}};
    mpfr_const_pi(result.low_, MPFR_RNDD);
    mpfr_const_pi(result.high_, MPFR_RNDU);
    return result;
  }

  static IntervalOf power_of_two(mpfr_exp_t exponent) {
    IntervalOf result{Bare{}};
    mpfr_set_ui_2exp(result.low_, 1, exponent, MPFR_RNDD);
    mpfr_set_ui_2exp(result.high_, 1, exponent, MPFR_RNDU);
    return result;
  }

  friend IntervalOf operator+(const IntervalOf& a, const IntervalOf& b) {
    IntervalOf result{Bare{}};
    mpfr_add(result.low_, a.low_, b.low_, MPFR_RNDD);
    mpfr_add(result.high_, a.high_, b.high_, MPFR_RNDU);
    return result;
  }
  friend IntervalOf operator-(const IntervalOf& a, const IntervalOf& b) {
    IntervalOf result{Bare{}};
    mpfr_sub(result.low_, a.low_, b.high_, MPFR_RNDD);
    mpfr_sub(result.high_, a.high_, b.low_, MPFR_RNDU);
    return result;
  }
  friend IntervalOf operator-(const IntervalOf& x) { return IntervalOf(0.0) - x; }
  friend IntervalOf operator*(const IntervalOf& a, const IntervalOf& b) {
    return of_ends(a, b, mpfr_mul);
  }
  /// b does not hold 0.
  friend IntervalOf operator/(const IntervalOf& a, const IntervalOf& b) {
    return of_ends(a, b, mpfr_div);
  }
  IntervalOf& operator+=(const IntervalOf& other) { return *this = *this + other; }

  friend IntervalOf abs(const IntervalOf& x) {
    if (mpfr_sgn(x.low_) >= 0) return x;
    const IntervalOf opposite = -x;
    if (mpfr_sgn(x.high_) <= 0) return opposite;
    IntervalOf result = larger_of(x, opposite);
    mpfr_set_zero(result.low_, 1);
    return result;
  }
  friend IntervalOf larger_of(const IntervalOf& a, const IntervalOf& b) {
    IntervalOf result{Bare{}};
    mpfr_max(result.low_, a.low_, b.low_, MPFR_RNDD);
    mpfr_max(result.high_, a.high_, b.high_, MPFR_RNDU);
    return keeping_nan(result, a, b);
  }
  friend IntervalOf smaller_of(const IntervalOf& a, const IntervalOf& b) {
    IntervalOf result{Bare{}};
    mpfr_min(result.low_, a.low_, b.low_, MPFR_RNDD);
    mpfr_min(result.high_, a.high_, b.high_, MPFR_RNDU);
    return keeping_nan(result, a, b);
  }

  /// Functions that grow, each of the ends by itself.
  friend IntervalOf sqrt(const IntervalOf& x) { return growing(x, mpfr_sqrt); }
  friend IntervalOf exp(const IntervalOf& x) { return growing(x, mpfr_exp); }
  friend IntervalOf log(const IntervalOf& x) { return growing(x, mpfr_log); }

  /// No slope of these is beyond ±1: that of the middle, and half the width to both sides.
  friend IntervalOf sin(const IntervalOf& x) { return flat(x, mpfr_sin); }
  friend IntervalOf cos(const IntervalOf& x) { return flat(x, mpfr_cos); }

  /// x^n, for x ≥ 0.
  friend IntervalOf power(const IntervalOf& x, std::uint64_t exponent) {
    IntervalOf result(1.0), square(x);
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result = result * square;
      square = square * square;
    }
    return result;
  }

  /// Whether every number of a is at most every one of b; a NaN is not.
  friend bool surely_at_most(const IntervalOf& a, const IntervalOf& b) {
    return mpfr_lessequal_p(a.high_, b.low_) != 0;
  }
  friend bool surely_above(const IntervalOf& a, const IntervalOf& b) {
    return mpfr_greater_p(a.low_, b.high_) != 0;
  }

  /// Whether this is the nearest double to every number of x.
  friend bool rounds_to(const IntervalOf& x, double value) {
    return mpfr_get_d(x.low_, MPFR_RNDN) == value && mpfr_get_d(x.high_, MPFR_RNDN) == value;
  }

  double low() const { return mpfr_get_d(low_, MPFR_RNDD); }
  double high() const { return mpfr_get_d(high_, MPFR_RNDU); }
  bool finite() const { return mpfr_number_p(low_) != 0 && mpfr_number_p(high_) != 0; }
  mpfr_srcptr low_end() const { return low_; }
  mpfr_srcptr high_end() const { return high_; }

 private:
  struct Bare {};
  explicit IntervalOf(Bare /*unset*/) {
    place(low_, low_limbs_);
    place(high_, high_limbs_);
  }

  static constexpr std::size_t kLimbs =
      (static_cast<std::size_t>(Bits) + GMP_NUMB_BITS - 1) / GMP_NUMB_BITS;
  using Limbs = std::array<mp_limb_t, kLimbs>;
  static void place(mpfr_ptr number, Limbs& limbs) {  // no memory is asked for
    mpfr_custom_init(limbs.data(), Bits);
    mpfr_custom_init_set(number, MPFR_ZERO_KIND, 0, Bits, limbs.data());
  }

  /// mpfr_max and mpfr_min take the other of a NaN and a number.
  static const IntervalOf& keeping_nan(const IntervalOf& result, const IntervalOf& a,
                                       const IntervalOf& b) {
    for (const IntervalOf* each : {&a, &b})
      if (mpfr_nan_p(each->low_) != 0 || mpfr_nan_p(each->high_) != 0) return *each;
    return result;
  }

  using Binary = int(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  using Unary = int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

  /// An operation that in each operand grows or falls: its least and largest value are of two ends.
  static IntervalOf of_ends(const IntervalOf& a, const IntervalOf& b, Binary* operation) {
    IntervalOf result{Bare{}}, other{Bare{}};
    bool first = true;
    for (const mpfr_srcptr x : {mpfr_srcptr(a.low_), mpfr_srcptr(a.high_)})
      for (const mpfr_srcptr y : {mpfr_srcptr(b.low_), mpfr_srcptr(b.high_)}) {
        operation(other.low_, x, y, MPFR_RNDD);
        operation(other.high_, x, y, MPFR_RNDU);
        if (first || mpfr_nan_p(other.low_) != 0 || mpfr_less_p(other.low_, result.low_) != 0)
          mpfr_set(result.low_, other.low_, MPFR_RNDD);
        if (first || mpfr_nan_p(other.high_) != 0 || mpfr_greater_p(other.high_, result.high_) != 0)
          mpfr_set(result.high_, other.high_, MPFR_RNDU);
        first = false;
      }
    return result;
  }
  static IntervalOf growing(const IntervalOf& x, Unary* function) {
    IntervalOf result{Bare{}};
    function(result.low_, x.low_, MPFR_RNDD);
    function(result.high_, x.high_, MPFR_RNDU);
    return result;
  }
  static IntervalOf flat(const IntervalOf& x, Unary* function) {
    IntervalOf middle{Bare{}}, half{Bare{}}, result{Bare{}};
    mpfr_add(middle.low_, x.low_, x.high_, MPFR_RNDN);
    mpfr_div_2ui(middle.low_, middle.low_, 1, MPFR_RNDN);
    mpfr_sub(half.low_, x.high_, middle.low_, MPFR_RNDU);
    mpfr_sub(half.high_, middle.low_, x.low_, MPFR_RNDU);
    mpfr_max(half.high_, half.high_, half.low_, MPFR_RNDU);
    function(result.low_, middle.low_, MPFR_RNDD);
    function(result.high_, middle.low_, MPFR_RNDU);
    mpfr_sub(result.low_, result.low_, half.high_, MPFR_RNDD);
    mpfr_add(result.high_, result.high_, half.high_, MPFR_RNDU);
    return result;
  }

  Limbs low_limbs_{}, high_limbs_{};
  mpfr_t low_, high_;
};

}  // namespace rope::test
