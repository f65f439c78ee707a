// The family `complex`: numbers a + bi as arrows, their products, and e^{iθ}.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "rope/attention/exponential.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/given.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/primer/complex_number.hpp"
#include "rope/primer/euler.hpp"
#include "rope/primer/plane.hpp"
#include "rope/primer/taylor.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/studies/primer_topics.hpp"

namespace rope::claims {
namespace {
namespace complex_family {

using primer::Complex;
using primer::gamma;

Complex number_given(Parameters& given, std::string_view name) {
  const std::vector<double> parts = given.vector(name, 2);
  return {parts[0], parts[1]};
}

Complex random_number(RandomStream& random) {
  std::array<double, 2> parts{};
  random.fill_normal(parts);
  return {parts[0], parts[1]};
}

/// Of how many cases something is true, as a part of all.
template <typename Case>
Outcome share_of(Parameters& given, Case is_so) {
  const std::size_t cases = given.count("cases");
  const std::uint64_t seed = seed_given(given);
  std::size_t found = 0;
  for (std::size_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    if (is_so(random)) ++found;
  }
  return {{static_cast<double>(found) / static_cast<double>(cases)}, primer::kUnitRoundoff};
}

Outcome modulus(Parameters& given) {
  const double r = primer::modulus(number_given(given, "z"));
  return {{r}, primer::kModulusError * r};
}

/// Whether the angle of z is atan2(b, a), or arctan(b/a).
double (*rule_given(Parameters& given))(Complex) {
  return one_of(given, "by", {"atan2", "arctan"}) == 0 ? primer::argument : primer::slope_angle;
}

Outcome argument(Parameters& given) {
  const auto rule = rule_given(given);
  const double angle = rule(number_given(given, "z"));
  if (given.flag("radians")) return {{angle}, primer::kArgumentError};
  return in_degrees(angle, primer::kArgumentError);
}

/// The largest |re^{iφ} − z|/r. An angle off by x moves the point by at most x·r, a length by as
/// much; e^{iφ} is off by kUnitError and its product with r by a rounding.
Outcome polar(Parameters& given) {
  const auto rule = rule_given(given);
  constexpr double kBound =
      1.01 * (primer::kArgumentError + primer::kModulusError + primer::kUnitError + gamma(1));
  return worst_of(given, [&](RandomStream& random) {
    const Complex z = random_number(random);
    const double r = primer::modulus(z);
    return Measured{primer::modulus(primer::from_polar({r, rule(z)}) - z) / r, kBound};
  });
}

/// How often arctan(b/a) is not the angle of z but of −z.
Outcome arctan_off(Parameters& given) {
  return share_of(given, [](RandomStream& random) {
    const Complex z = random_number(random);
    return std::abs(primer::slope_angle(z) - primer::argument(z)) > 1;
  });
}

/// zw, or zw* where `conjugate`: its `part` re or im, or both.
Outcome product(Parameters& given) {
  const Complex z = number_given(given, "z");
  const Complex other = number_given(given, "w");
  const Complex w = given.flag("conjugate") ? primer::conjugate(other) : other;
  const Complex zw = primer::product(z, w);
  const double bound =
      primer::kProductError * primer::modulus(z) * primer::modulus(w) * (1 + gamma(8));
  switch (one_of(given, "part", {"both", "re", "im"})) {
    case 1:
      return {{zw.re}, bound};
    case 2:
      return {{zw.im}, bound};
    default:
      return {{zw.re, zw.im}, bound};
  }
}

/// ac + ibc + iad + i²bd, term by term; `i_squared` is −1, or what a text makes of it.
Outcome expanded(Parameters& given) {
  const Complex z = number_given(given, "z");
  const Complex w = number_given(given, "w");
  const double i_squared = given.number("i_squared", -1);
  const Complex first{z.re * w.re, 0};
  const Complex second = primer::times_i({z.im * w.re, 0});
  const Complex third = primer::times_i({z.re * w.im, 0});
  const Complex fourth = primer::scaled(i_squared, {z.im * w.im, 0});
  const Complex sum = first + second + third + fourth;
  // Each component: a product, perhaps times i², and one sum of two that are not 0.
  const double bound = primer::kProductError * 1.5 * primer::modulus(z) * primer::modulus(w);
  return {{sum.re, sum.im}, bound * (1 + gamma(8))};
}

/// ac + bd: the product of the arrows as vectors of the plane.
Outcome dot(Parameters& given) {
  const Complex z = number_given(given, "z");
  const Complex w = number_given(given, "w");
  return {{z.re * w.re + z.im * w.im},
          gamma(2) * (1 + gamma(4)) * (std::abs(z.re * w.re) + std::abs(z.im * w.im))};
}

/// What a random number is multiplied by: `with` another, its own conjugate, or a unit e^{iθ}.
struct Factor {
  Complex w;
  double length = 0;  ///< 1 of a unit
  double angle = 0;   ///< θ of a unit
};

enum class With : std::size_t { another, conjugate, unit };

With with_given(Parameters& given) {
  return static_cast<With>(one_of(given, "with", {"another", "conjugate", "unit"}));
}

Factor factor(With with, Complex z, RandomStream& random) {
  if (with == With::unit) {
    const TurnFraction turn = random_turn(random);
    return {primer::unit(turn), 1, primer::principal(turn)};
  }
  const Complex w = with == With::conjugate ? primer::conjugate(z) : random_number(random);
  return {w, primer::modulus(w), primer::argument(w)};
}

/// The largest ||zw| − |z||w||/(|z||w|); `combine` sum: beside |z| + |w|. The product is off by
/// kProductError, each of three lengths by kModulusError, or a unit's by kUnitError, and the
/// product of two lengths, the difference and the quotient are rounded.
Outcome length_of_product(Parameters& given) {
  const With with = with_given(given);
  const bool sum = one_of(given, "combine", {"product", "sum"}) == 1;
  constexpr double kBound =
      1.01 * (primer::kProductError + 3 * primer::kModulusError + primer::kUnitError + gamma(3));
  return worst_of(given, [&](RandomStream& random) {
    const Complex z = random_number(random);
    const double r = primer::modulus(z);
    const Factor by = factor(with, z, random);
    const double expected = sum ? r + by.length : r * by.length;
    return Measured{std::abs(primer::modulus(primer::product(z, by.w)) - expected) / expected,
                    kBound};
  });
}

/// The largest |arg zw − arg z − arg w|, whole turns left out, or not where `whole_turns` are kept.
/// Three arguments, or two and the θ of a unit, within 3u of at most π; a product, which moves the
/// angle by at most arcsin kProductError; a sum of at most 2π, a difference of at most 3π, and 3u
/// of what is left.
Outcome angle_of_product(Parameters& given) {
  const With with = with_given(given);
  const bool kept = one_of(given, "whole_turns", {"dropped", "kept"}) == 1;
  constexpr double kBound =
      3 * primer::kArgumentError + 1.01 * primer::kProductError + primer::kUnitError + gamma(26);
  return worst_of(given, [&](RandomStream& random) {
    const Complex z = random_number(random);
    const Factor by = factor(with, z, random);
    const double angle = primer::argument(primer::product(z, by.w));
    const double sum = primer::argument(z) + by.angle;
    return Measured{kept ? std::abs(angle - sum) : primer::angle_between(angle, sum), kBound};
  });
}

/// How often arg z + arg w is no angle in (−π, π].
Outcome wrapped(Parameters& given) {
  return share_of(given, [](RandomStream& random) {
    const double first = primer::argument(random_number(random));
    return std::abs(first + primer::argument(random_number(random))) > std::numbers::pi;
  });
}

/// A product with e^{iθ}, or by the matrix R(θ), of a number of length r: e^{iθ} is off by
/// kUnitError, and the products by kProductError.
constexpr double kTurnError = primer::kUnitError + 1.01 * primer::kProductError;

Complex by_matrix(Complex z, TurnFraction turn) {
  const Eigen::Vector2d turned = primer::plane_rotation(turn) * Eigen::Vector2d(z.re, z.im);
  return {turned(0), turned(1)};
}

/// z·e^{iθ}, or R(θ)(a, b)ᵀ where `form` is matrix.
Outcome turned(Parameters& given) {
  const Complex z = number_given(given, "z");
  const TurnFraction turn = angle_given(given).turn;
  const Complex result = one_of(given, "form", {"complex", "matrix"}) == 0
                             ? primer::product(z, primer::unit(turn))
                             : by_matrix(z, turn);
  return {{result.re, result.im}, kTurnError * primer::modulus(z) * (1 + gamma(4))};
}

/// The largest |z·e^{iθ} − R(θ)z|/|z|; `way` clockwise: with R(−θ).
Outcome forms(Parameters& given) {
  const bool clockwise = one_of(given, "way", {"counter-clockwise", "clockwise"}) == 1;
  return worst_of(given, [&](RandomStream& random) {
    const Complex z = random_number(random);
    const TurnFraction turn = random_turn(random);
    const Complex product = primer::product(z, primer::unit(turn));
    const Complex matrix = by_matrix(z, clockwise ? -turn : turn);
    return Measured{primer::modulus(product - matrix) / primer::modulus(z), 2.01 * kTurnError};
  });
}

/// |e^{iπ} + 1|: π as half a turn, or as a number of that many `bits`.
Outcome half_turn(Parameters& given) {
  if (given.has("bits")) {
    const std::int64_t bits = std::clamp<std::int64_t>(given.integer("bits"), 0, 64);
    const double distance = primer::half_turn(primer::pi_in_bits(static_cast<int>(bits))).distance;
    return {{distance}, gamma(40) * distance};
  }
  constexpr TurnFraction kHalf{std::uint64_t{1} << 63, 0};
  return {{primer::modulus(primer::unit(kHalf) + Complex{1, 0})}, 0};
}

/// e = e^1, or π, the angle of −1.
Outcome constant(Parameters& given) {
  if (one_of(given, "called", {"e", "pi"}) == 1)
    return {{primer::argument({-1, 0})}, primer::kArgumentError};
  const double e = exponential(1);
  return {{e}, 2.5e-16 * e};
}

/// |S_n − e^{iθ}|: what the series is off by at degree n, or at a `degree` that is enough. Its
/// bound holds what rounding does, and nothing of the terms that are left out.
Outcome series_error(Parameters& given) {
  const double angle = angle_given(given).radians;
  const std::size_t degree = given.has("degree")
                                 ? given.count("degree")
                                 : primer::degree_needed(angle, primer::kUnitRoundoff);
  const double error =
      primer::modulus(primer::taylor_sums(angle, degree).back() - primer::unit(angle));
  const double missing = given.has("degree") ? 0 : primer::taylor_remainder(angle, degree);
  return {{error},
          (primer::taylor_rounding(angle, degree) + missing + primer::kUnitError) * (1 + gamma(8))};
}

/// (e^{iθ} − e^{−iθ})/2i, or (e^{iθ} + e^{−iθ})/2 where `sign` is +, beside the series of sin θ or
/// cos θ, whichever `function` says; sums of a number and its mirror image, and halves, are exact.
Outcome exponentials(Parameters& given) {
  const bool plus = one_of(given, "sign", {"-", "+"}) == 1;
  const bool cosine = one_of(given, "function", {"sin", "cos"}) == 1;
  return worst_of(given, [&](RandomStream& random) {
    const TurnFraction turn = random_turn(random);
    const Complex forward = primer::unit(turn), backward = primer::unit(-turn);
    const double half = plus ? (forward + backward).re / 2 : (forward - backward).im / 2;
    const topics::SeriesPoint series = topics::series_point(turn);
    return Measured{std::abs(half - (cosine ? series.point.re : series.point.im)),
                    (series.bound + primer::kUnitError) * (1 + gamma(2))};
  });
}

/// The largest deviation of sin α cos β ± cos α sin β or cos α cos β ∓ sin α sin β, with the sign
/// that stands in the `middle`, from the `formula`: sin(a+b), sin(a-b), cos(a+b), cos(a-b).
Outcome angle_sum(Parameters& given) {
  const std::size_t formula =
      one_of(given, "formula", {"sin(a+b)", "sin(a-b)", "cos(a+b)", "cos(a-b)"});
  const double middle = one_of(given, "middle", {"+", "-"}) == 0 ? 1 : -1;
  const bool sine = formula < 2, difference = formula % 2 == 1;
  return worst_of(given, [&](RandomStream& random) {
    const TurnFraction first = random_turn(random);
    const TurnFraction second = random_turn(random);
    const Complex a = primer::unit(first), b = primer::unit(second);
    const Complex both =
        primer::unit(difference ? primer::difference(first, second) : primer::sum(first, second));
    const double written =
        sine ? a.im * b.re + middle * (a.re * b.im) : a.re * b.re + middle * (a.im * b.im);
    return Measured{std::abs(written - (sine ? both.im : both.re)), primer::plane_product_error()};
  });
}

/// The distance from e^{iθ} to the nearest real number, |sin θ|: how near multiplying 1 by a real
/// number comes to turning it by θ.
Outcome beside_real(Parameters& given) {
  return {{std::abs(primer::unit(angle_given(given).turn).im)}, primer::kUnitError};
}

/// The largest distance between a formula's code of a position p, and (1, 0) in each pair, turned
/// by RoPE: `formula` times: e^{ipθ_i}; index: e^{iθ_{p+i}}, as far as there are such pairs.
Outcome code(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const std::int64_t p = given.integer("position");
  const bool index = one_of(given, "formula", {"times", "index"}) == 1;
  const auto pairs = static_cast<std::int64_t>(embedding.pairs());
  if (p < 0 || p >= pairs) throw DomainError("expected a position that is also a pair index");
  const RotationRow row = rotation_row(embedding, p);
  Largest worst;
  for (std::int64_t k = 0; k < pairs - (index ? p : 0); ++k) {
    const std::vector<TurnFraction>& turns = embedding.frequencies.turns;
    const auto at = static_cast<std::size_t>(k);
    const Complex code =
        primer::unit(index ? turns[static_cast<std::size_t>(p + k)] : p * turns[at]);
    worst.take(primer::modulus(code - Complex{row.cos[at], row.sin[at]}));
  }
  return {{worst.value()}, 2.01 * primer::kUnitError};
}

constexpr std::array kQuantities = {
    Quantity{"complex.modulus", "|z|", modulus},
    Quantity{"complex.argument", "angle of z (°)", argument},
    Quantity{"complex.polar", "largest |re^{iφ} − z|/r", polar},
    Quantity{"complex.arctan_off", "share of cases where arctan(b/a) is half a turn off",
             arctan_off},
    Quantity{"complex.product", "zw", product},
    Quantity{"complex.expanded", "ac + ibc + iad + i²bd", expanded},
    Quantity{"complex.dot", "ac + bd", dot},
    Quantity{"complex.length_of_product", "largest ||zw| − |z||w||/(|z||w|)", length_of_product},
    Quantity{"complex.angle_of_product", "largest |arg zw − arg z − arg w|", angle_of_product},
    Quantity{"complex.wrapped", "share of cases where arg z + arg w leaves (−π, π]", wrapped},
    Quantity{"complex.turned", "z·e^{iθ}", turned},
    Quantity{"complex.forms", "largest |z·e^{iθ} − R(θ)z|/|z|", forms},
    Quantity{"complex.half_turn", "|e^{iπ} + 1|", half_turn},
    Quantity{"complex.constant", "constant", constant},
    Quantity{"complex.series_error", "|S_n − e^{iθ}|", series_error},
    Quantity{"complex.exponentials", "largest difference between exponentials and series",
             exponentials},
    Quantity{"complex.angle_sum", "largest difference between the two sides", angle_sum},
    Quantity{"complex.beside_real", "distance from e^{iθ} to the nearest real number", beside_real},
    Quantity{"complex.code", "largest distance from R_p(1, 0)", code},
};

}  // namespace complex_family
}  // namespace

std::span<const Quantity> complex_quantities() { return complex_family::kQuantities; }

}  // namespace rope::claims
