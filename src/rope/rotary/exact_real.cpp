#include "rope/rotary/exact_real.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <utility>

namespace rope {

using Float = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct ExactReal::Number {
  Float value;
};

ExactReal::ExactReal(Number number) : number_(std::make_shared<const Number>(std::move(number))) {}
ExactReal::ExactReal(double value) : ExactReal(Number{Float(value)}) {}
ExactReal::ExactReal(Whole value) : ExactReal(Number{Float(value.magnitude)}) {
  if (value.negative) *this = -*this;
}

const ExactReal::Number& ExactReal::number() const {
  static const Number zero{0};
  return number_ ? *number_ : zero;
}

ExactReal::operator double() const { return number().value.convert_to<double>(); }
ExactReal::operator std::int64_t() const { return number().value.convert_to<std::int64_t>(); }
ExactReal::operator std::uint64_t() const { return number().value.convert_to<std::uint64_t>(); }
std::string ExactReal::text() const { return number().value.str(6); }

ExactReal ExactReal::operator-() const { return ExactReal(Number{-number().value}); }

ExactReal operator+(const ExactReal& a, const ExactReal& b) {
  return ExactReal(ExactReal::Number{a.number().value + b.number().value});
}
ExactReal operator-(const ExactReal& a, const ExactReal& b) {
  return ExactReal(ExactReal::Number{a.number().value - b.number().value});
}
ExactReal operator*(const ExactReal& a, const ExactReal& b) {
  return ExactReal(ExactReal::Number{a.number().value * b.number().value});
}
ExactReal operator/(const ExactReal& a, const ExactReal& b) {
  return ExactReal(ExactReal::Number{a.number().value / b.number().value});
}

bool operator==(const ExactReal& a, const ExactReal& b) {
  return a.number().value == b.number().value;
}
std::partial_ordering operator<=>(const ExactReal& a, const ExactReal& b) {
  const Float& left = a.number().value;
  const Float& right = b.number().value;
  if (left < right) return std::partial_ordering::less;
  if (left > right) return std::partial_ordering::greater;
  return left == right ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

ExactReal abs(const ExactReal& value) {
  return ExactReal(ExactReal::Number{abs(value.number().value)});
}
ExactReal floor(const ExactReal& value) {
  return ExactReal(ExactReal::Number{floor(value.number().value)});
}
ExactReal ceil(const ExactReal& value) {
  return ExactReal(ExactReal::Number{ceil(value.number().value)});
}
ExactReal round(const ExactReal& value) {
  return ExactReal(ExactReal::Number{round(value.number().value)});
}
ExactReal ldexp(const ExactReal& value, int exponent) {
  return ExactReal(ExactReal::Number{ldexp(value.number().value, exponent)});
}
ExactReal sqrt(const ExactReal& value) {
  return ExactReal(ExactReal::Number{sqrt(value.number().value)});
}
ExactReal exp(const ExactReal& value) {
  return ExactReal(ExactReal::Number{exp(value.number().value)});
}
ExactReal log(const ExactReal& value) {
  return ExactReal(ExactReal::Number{log(value.number().value)});
}
ExactReal pow(const ExactReal& base, const ExactReal& exponent) {
  return ExactReal(ExactReal::Number{pow(base.number().value, exponent.number().value)});
}
ExactReal cos(const ExactReal& value) {
  return ExactReal(ExactReal::Number{cos(value.number().value)});
}

const ExactReal& exact_two_pi() {
  static const ExactReal two_pi(ExactReal::Number{2 * boost::math::constants::pi<Float>()});
  return two_pi;
}

}  // namespace rope
