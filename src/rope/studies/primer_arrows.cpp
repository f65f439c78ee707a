// The topics of complex numbers as arrows.

#include <array>
#include <cmath>
#include <numbers>

#include "rope/primer/plane.hpp"
#include "rope/random/random.hpp"
#include "rope/studies/primer_topics.hpp"

namespace rope::topics {
namespace {

using primer::Complex;

constexpr std::size_t kRandomArrows = 5000;
constexpr std::size_t kAnglesAround = 720;

Complex random_arrow(RandomStream& random) {
  std::array<double, 2> parts{};
  random.fill_normal(parts);
  return {parts[0], parts[1]};
}

/// arctan(b/a) is right or off by half a turn, nothing between.
bool slope_is_wrong(Complex z) {
  return primer::angle_between(primer::slope_angle(z), primer::argument(z)) > 1;
}

/// The angle plus as many whole turns as bring it next to the other.
double on_branch_of(double radians, double other) {
  return other - primer::principal(primer::turn_of(other - radians));
}

}  // namespace

ArgumentAnswer argument(const PrimerRequest& request, PrimerStudy& study) {
  ArgumentAnswer answer;
  const Complex z = request.z.value_or(Complex{-1, 1});
  const double r = primer::modulus(z);
  answer.z = z;
  answer.argument = primer::argument(z);
  answer.slope_angle = primer::slope_angle(z);
  RandomStream random(request.seed, 0);
  for (std::size_t i = 0; i < kRandomArrows; ++i) {
    const Complex arrow = random_arrow(random);
    for (const Complex each : {arrow, -arrow})
      if (slope_is_wrong(each)) ++answer.wrong;
  }
  answer.tried = 2 * kRandomArrows;
  for (std::size_t i = 1; i < kAnglesAround; ++i) {
    const double angle =
        std::numbers::pi * (2 * static_cast<double>(i) / static_cast<double>(kAnglesAround) - 1);
    answer.true_angles.push_back(angle);
    answer.slope_angles.push_back(primer::slope_angle(primer::unit(angle)));
  }

  const double bound = r * (primer::kArgumentError + primer::kUnitError + primer::kProductError +
                            primer::kModulusError + primer::gamma(2));
  const Complex turned_back = primer::product(z, primer::conjugate(primer::unit(answer.argument)));
  add(study, "turned_back", "Re z·e^{−iφ} = r", turned_back.re, r, bound);
  add(study, "left_over", "Im z·e^{−iφ} = 0", turned_back.im, 0, bound);
  const Complex rebuilt = primer::from_polar(primer::polar(z));
  add(study, "rebuilt", "|r(cos φ + i sin φ) − z| = 0", primer::modulus(rebuilt - z), 0, bound);
  add(study, "wrong_arctan", "arctan(b/a) is wrong for one of z, −z",
      static_cast<double>(answer.wrong), static_cast<double>(answer.tried) / 2, 0);
  add_mistaken(study, "arctan", "φ = arctan(b/a)", answer.slope_angle, answer.argument,
               2 * primer::kArgumentError, Quantity::radians);
  return answer;
}

ConjugateAnswer conjugate(const PrimerRequest& request, PrimerStudy& study) {
  ConjugateAnswer answer;
  const Complex q = request.z.value_or(Complex{3, 1}), k = request.w.value_or(Complex{1, 2});
  const double q_length = primer::modulus(q), k_length = primer::modulus(k);
  answer.q = q;
  answer.k = k;
  answer.q_k = primer::product(q, primer::conjugate(k));
  answer.angle = primer::argument(answer.q_k);

  const Complex square = primer::product(q, primer::conjugate(q));
  add(study, "square", "Re q·q* = |q|²", square.re, q_length * q_length,
      q_length * q_length * primer::gamma(8));
  add(study, "square_imaginary", "Im q·q* = 0", square.im, 0, 0);
  const double lengths = q_length * k_length;
  const Complex between = primer::unit(primer::argument(q) - primer::argument(k));
  const double bound = lengths * (primer::kProductError + 2 * primer::kArgumentError +
                                  primer::kUnitError + primer::gamma(12));
  add(study, "dot", "Re q·k* = |q||k| cos φ", answer.q_k.re, lengths * between.re, bound);
  add(study, "cross", "Im q·k* = |q||k| sin φ", answer.q_k.im, lengths * between.im, bound);
  const Complex other = primer::product(primer::conjugate(q), k);
  add(study, "other_real", "Re q*·k = Re q·k*", other.re, answer.q_k.re, 0);
  add(study, "other_imaginary", "Im q*·k = −Im q·k*", other.im, -answer.q_k.im, 0);
  return answer;
}

QuarterTurnAnswer quarter_turn(const PrimerRequest& request, PrimerStudy& study) {
  QuarterTurnAnswer answer;
  const Complex z = request.z.value_or(Complex{2, 1});
  const Complex i{0, 1};
  answer.turned = {z};
  for (int n = 0; n < 4; ++n) answer.turned.push_back(primer::product(i, answer.turned.back()));
  const Complex iz = answer.turned[1];

  add(study, "square_of_i", "|i·i + 1| = 0", primer::modulus(primer::product(i, i) + Complex{1, 0}),
      0, 0);
  add(study, "times_i", "|iz − (−b + ai)| = 0", primer::modulus(iz - Complex{-z.im, z.re}), 0, 0);
  add(study, "length", "|iz| = |z|", primer::modulus(iz), primer::modulus(z), 0);
  add(study, "right_angle", "z · iz = 0, as vectors", z.re * iz.re + z.im * iz.im, 0, 0);
  add(study, "turn", "arg iz − arg z = 90°",
      primer::principal(primer::turn_of(primer::argument(iz) - primer::argument(z))),
      std::numbers::pi / 2, 2 * primer::kArgumentError + primer::gamma(12), Quantity::radians);
  add(study, "half_turn", "|i²z + z| = 0", primer::modulus(answer.turned[2] + z), 0, 0);
  add(study, "whole_turn", "|i⁴z − z| = 0", primer::modulus(answer.turned[4] - z), 0, 0);
  return answer;
}

ProductAnswer product(const PrimerRequest& request, PrimerStudy& study) {
  ProductAnswer answer;
  const Complex z = request.z.value_or(Complex{2, 1}), w = request.w.value_or(Complex{1, 1});
  answer.z = z;
  answer.w = w;
  answer.zw = primer::product(z, w);
  answer.z_argument = primer::argument(z);
  answer.w_argument = primer::argument(w);
  RandomStream random(request.seed, 0);
  answer.tried = 2 * kRandomArrows;
  for (std::size_t i = 0; i < answer.tried; ++i) {
    const double sum =
        primer::argument(random_arrow(random)) + primer::argument(random_arrow(random));
    if (std::abs(sum) > std::numbers::pi) ++answer.wrapped;
  }

  const double lengths = primer::modulus(z) * primer::modulus(w);
  add(study, "length", "|zw| = |z||w|", primer::modulus(answer.zw), lengths,
      lengths * (primer::kProductError + 3 * primer::kModulusError + primer::gamma(3)));
  const double angle = primer::argument(answer.zw);
  const double sum = answer.z_argument + answer.w_argument;
  const double angle_bound =
      3 * primer::kArgumentError + 1.01 * primer::kProductError + primer::gamma(16);
  add(study, "angle", "arg zw = arg z + arg w + whole turns", angle, on_branch_of(sum, angle),
      angle_bound, Quantity::radians);
  add_mistaken(study, "principal_angle", "arg zw = arg z + arg w", angle, sum, angle_bound,
               Quantity::radians);
  const Eigen::Vector2d turned =
      primer::plane_rotation(primer::turn_of(answer.w_argument)) * Eigen::Vector2d(z.re, z.im);
  const Complex stretched = primer::scaled(primer::modulus(w), {turned(0), turned(1)});
  add(study, "matrix", "|zw − |w|·R(arg w)z| = 0", primer::modulus(answer.zw - stretched), 0,
      lengths * (2 * primer::kProductError + primer::kModulusError + primer::kArgumentError +
                 primer::kUnitError + primer::gamma(8)));
  return answer;
}

}  // namespace rope::topics
