#include "rope/verify/reference.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <optional>

#include "rope/precision/largest.hpp"

namespace rope {
namespace {

// 53 bits of cos + 53 of its low part, 64 of the position and 64 of θ in front of the point, and
// some to spare: static precision, so that no global default is touched.
using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<80>,
                                           boost::multiprecision::et_off>;

TwoDoubles split(const Real& value) {
  const auto high = value.convert_to<double>();
  const Real rest = value - high;
  return {high, rest.convert_to<double>()};
}

/// |computed − exact| in units in the last place of exact, for p bits of significand.
double ulp_error(double computed, const Real& exact, int precision, int smallest_exponent) {
  if (exact == 0) return computed == 0 ? 0 : 1;
  int exponent = 0;
  frexp(exact, &exponent);
  const int ulp = std::max<int>(exponent - precision, smallest_exponent);
  return abs(ldexp(Real(computed) - exact, -ulp)).convert_to<double>();
}

}  // namespace

double TwoDoubles::distance(double x) const { return std::abs((x - high) - low); }

struct ReferenceRotation::Numbers {
  std::vector<Real> theta;
  std::vector<std::uint8_t> axis_of_pair;
  Real attention_factor;
};

ReferenceRotation::ReferenceRotation(const RotaryEmbedding& embedding)
    : numbers_(std::make_unique<Numbers>()) {
  numbers_->attention_factor = embedding.attention_factor;
  numbers_->axis_of_pair = embedding.axes.of_pair;
  numbers_->axis_of_pair.resize(embedding.pairs(), 0);
  for (std::size_t i = 0; i < embedding.pairs(); ++i) {
    if (const std::optional<double> base = embedding.geometric_base()) {
      const Real exponent = -Real(2 * i) / Real(embedding.rotary_dim());
      numbers_->theta.push_back(pow(Real(*base), exponent));
    } else if (embedding.base) {
      // A rule's θ_i less whole turns: 2^-128 of a turn a token is all that is lost.
      const TurnFraction turns = embedding.frequencies.turns[i];
      const Real fraction = ldexp(Real(turns.high), -64) + ldexp(Real(turns.low), -128);
      numbers_->theta.push_back(2 * boost::math::constants::pi<Real>() * fraction);
    } else {
      numbers_->theta.emplace_back(embedding.frequencies.theta[i]);
    }
  }
}

ReferenceRotation::~ReferenceRotation() = default;
ReferenceRotation::ReferenceRotation(ReferenceRotation&&) noexcept = default;
ReferenceRotation& ReferenceRotation::operator=(ReferenceRotation&&) noexcept = default;

std::vector<ReferenceRotation::Entry> ReferenceRotation::row(const Position& position) const {
  std::vector<Entry> row;
  row.reserve(numbers_->theta.size());
  for (std::size_t i = 0; i < numbers_->theta.size(); ++i) {
    const Real angle = numbers_->theta[i] * Real(position[numbers_->axis_of_pair[i]]);
    row.push_back({split(cos(angle) * numbers_->attention_factor),
                   split(sin(angle) * numbers_->attention_factor)});
  }
  return row;
}

std::pair<TwoDoubles, TwoDoubles> ReferenceRotation::rotate(const Entry& entry, double x,
                                                            double y) {
  const Real cos = Real(entry.cos.high) + entry.cos.low;
  const Real sin = Real(entry.sin.high) + entry.sin.low;
  return {split(x * cos - y * sin), split(x * sin + y * cos)};
}

double observed_libm_ulp(const std::vector<double>& angles, bool single) {
  Largest worst;
  for (const double angle : angles) {
    const Real exact_cos = cos(Real(angle)), exact_sin = sin(Real(angle));
    if (single) {
      const auto narrow = static_cast<float>(angle);
      worst.take(ulp_error(static_cast<double>(std::cos(narrow)), exact_cos, 24, -149));
      worst.take(ulp_error(static_cast<double>(std::sin(narrow)), exact_sin, 24, -149));
    } else {
      worst.take(ulp_error(std::cos(angle), exact_cos, 53, -1074));
      worst.take(ulp_error(std::sin(angle), exact_sin, 53, -1074));
    }
  }
  return worst.value();
}

double observed_pow_ulp(double base, std::size_t rotary_dim, bool single) {
  Largest worst;
  const auto observe = [&](double exponent) {
    if (single) {
      const auto b = static_cast<float>(base), e = static_cast<float>(exponent);
      const Real exact = pow(Real(b), Real(e));
      worst.take(ulp_error(static_cast<double>(std::pow(b, e)), exact, 24, -149));
    } else {
      const Real exact = pow(Real(base), Real(exponent));
      worst.take(ulp_error(std::pow(base, exponent), exact, 53, -1074));
    }
  };
  const double sign = single ? 1 : -1;  // float32 code takes 1/pow(b, 2i/r)
  for (std::size_t i = 0; i < rotary_dim / 2; ++i)
    observe(sign * static_cast<double>(2 * i) / static_cast<double>(rotary_dim));
  observe(-2.0 / static_cast<double>(rotary_dim));
  return worst.value();
}

}  // namespace rope
