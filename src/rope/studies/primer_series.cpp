// The topics of e^{iθ}.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rope/error.hpp"
#include "rope/primer/euler.hpp"
#include "rope/primer/taylor.hpp"
#include "rope/studies/primer_topics.hpp"

namespace rope::topics {
namespace {

using primer::Angle;
using primer::Complex;

constexpr double kHardlyAnything = 0x1p-60;  // what a curve shows below its rounding errors
constexpr double kPrincipalError = primer::gamma(3);

double distance(Complex z, Complex w) { return primer::modulus(z - w); }

TaylorSeries series_at(double angle, std::size_t degree) {
  TaylorSeries series;
  series.angle = angle;
  const Complex point = primer::unit(angle);
  series.degree_needed = primer::degree_needed(angle, primer::kUnitRoundoff);
  const std::size_t last =
      std::max({degree, series.degree_needed, primer::degree_needed(angle, kHardlyAnything)});
  for (const Complex sum : primer::taylor_sums(angle, last))
    series.errors.push_back(distance(sum, point));
  for (std::size_t n = 0; n <= last; ++n)
    series.remainders.push_back(primer::taylor_remainder(angle, n));
  series.error = series.errors[degree];
  series.remainder = series.remainders[degree];
  series.final_error = series.errors[series.degree_needed];
  series.rounding = primer::taylor_rounding(angle, series.degree_needed);
  series.largest_term = primer::largest_term(angle);
  return series;
}

/// What a measured |S_n − e^{iθ}| may be, with what the point and the difference are off by.
double series_bound(double angle, std::size_t degree) {
  return (primer::taylor_remainder(angle, degree) + primer::taylor_rounding(angle, degree) +
          primer::kUnitError) *
         (1 + primer::gamma(8));
}

}  // namespace

SeriesPoint series_point(TurnFraction turn) {
  const double angle = primer::principal(turn);
  const std::size_t degree = primer::degree_needed(angle, primer::kUnitRoundoff);
  return {primer::taylor_sums(angle, degree).back(),
          series_bound(angle, degree) + std::abs(angle) * kPrincipalError};
}

EulerAnswer euler(const PrimerRequest& request, PrimerStudy& study) {
  EulerAnswer answer;
  answer.angle = request.angle.value_or(primer::from_radians(1));
  answer.point = primer::unit(answer.angle.turn);
  const SeriesPoint series = series_point(answer.angle.turn);
  add(study, "cosine", "Re e^{iθ} = cos θ", series.point.re, answer.point.re, series.bound);
  add(study, "sine", "Im e^{iθ} = sin θ", series.point.im, answer.point.im, series.bound);
  add(study, "length", "|e^{iθ}| = 1", primer::modulus(answer.point), 1,
      primer::kUnitError + primer::gamma(3));
  const double angle = primer::argument(answer.point);
  const double expected =
      angle - primer::principal(primer::difference(primer::turn_of(angle), answer.angle.turn));
  add(study, "angle", "arg e^{iθ} = θ + whole turns", angle, expected,
      primer::kArgumentError + 1.01 * primer::kUnitError + primer::gamma(8), Quantity::radians);
  const std::size_t steps = request.terms.value_or(4);
  if (steps == 0) throw DomainError(Subject{"terms"}, "expected at least 1 step, got 0");
  for (const std::size_t factor : {1U, 4U, 16U, 64U}) {
    CompoundPath path;
    path.steps = steps * factor;
    path.points = primer::compound_path(answer.angle.radians, path.steps);
    path.error = distance(path.points.back(), answer.point);
    path.bound = (primer::compound_error(answer.angle.radians, path.steps) + primer::kUnitError) *
                 (1 + primer::gamma(8));
    add(study, fmt::format("compound_{}", path.steps),
        fmt::format("|(1 + iθ/n)ⁿ − e^{{iθ}}|, n = {}", path.steps), path.error, 0, path.bound);
    answer.paths.push_back(std::move(path));
  }
  return answer;
}

TaylorAnswer taylor(const PrimerRequest& request, PrimerStudy& study) {
  TaylorAnswer answer;
  answer.angle = request.angle.value_or(primer::from_radians(std::numbers::pi));
  answer.degree = request.terms.value_or(8);
  const double angle = answer.angle.radians;
  answer.sums = primer::taylor_sums(angle, answer.degree);
  answer.point = primer::unit(angle);
  std::vector<double> angles = {angle};
  for (const double other : {1.0, std::numbers::pi, 2 * std::numbers::pi, 10.0, 40.0})
    if (other != angle) angles.push_back(other);
  for (const double each : angles) answer.series.push_back(series_at(each, answer.degree));

  const auto add_sum = [&](const TaylorSeries& series) {
    add(study, fmt::format("degree_{}_at_{:.6g}", answer.degree, series.angle),
        fmt::format("|S_{} − e^{{iθ}}|, θ = {:.6g}", answer.degree, series.angle), series.error, 0,
        series_bound(series.angle, answer.degree));
  };
  for (const TaylorSeries& series : answer.series) add_sum(series);
  const TaylorSeries& own = answer.series.front();
  add(study, "enough_terms", fmt::format("|S_{} − e^{{iθ}}|, θ = {:.6g}", own.degree_needed, angle),
      own.final_error, 0, series_bound(angle, own.degree_needed));
  const SeriesPoint reduced = series_point(answer.angle.turn);
  answer.reduced_angle = primer::principal(answer.angle.turn);
  answer.reduced_error = distance(reduced.point, primer::unit(answer.angle.turn));
  add(study, "reduced", "the same without whole turns of θ", answer.reduced_error, 0,
      reduced.bound);
  const TaylorSeries& forty = *std::ranges::find(answer.series, 40.0, &TaylorSeries::angle);
  add_mistaken(study, "enough_terms_at_40",
               fmt::format("|S_{} − e^{{iθ}}| = 0, θ = 40", forty.degree_needed), forty.final_error,
               0, primer::gamma(8));
  return answer;
}

ExponentialsAnswer exponentials(const PrimerRequest& request, PrimerStudy& study) {
  ExponentialsAnswer answer;
  answer.angle = request.angle.value_or(primer::from_radians(1));
  answer.forward = primer::unit(answer.angle.turn);
  answer.backward = primer::unit(-answer.angle.turn);
  const Complex forward = answer.forward, backward = answer.backward;
  const SeriesPoint series = series_point(answer.angle.turn);
  const Complex sum = forward + backward, rest = forward - backward;
  add(study, "cosine", "(e^{iθ} + e^{−iθ})/2 = cos θ", sum.re / 2, series.point.re, series.bound);
  add(study, "cosine_imaginary", "its imaginary part", sum.im / 2, 0, 0);
  add(study, "sine", "(e^{iθ} − e^{−iθ})/2i = sin θ", rest.im / 2, series.point.im, series.bound);
  add(study, "sine_imaginary", "its imaginary part", -rest.re / 2, 0, 0);
  const Complex one = primer::product(forward, backward);
  add(study, "inverse", "e^{iθ}·e^{−iθ} = 1", one.re, 1,
      primer::kUnitError * (2 + primer::kUnitError) + 1.01 * primer::kProductError);
  add(study, "inverse_imaginary", "its imaginary part", one.im, 0, 0);
  return answer;
}

HalfTurnAnswer half_turn(PrimerStudy& study) {
  HalfTurnAnswer answer;
  for (int bits = 2; bits <= 53; ++bits) {
    const double pi = primer::pi_in_bits(bits);
    answer.by_bits.push_back({bits, pi, primer::half_turn(pi)});
  }
  const auto in_bits = [&](int bits) -> const RoundedPi& {
    return answer.by_bits[static_cast<std::size_t>(bits - 2)];
  };
  constexpr std::array<std::pair<int, const char*>, 3> kNarrow = {
      {{8, "|e^{iπ} + 1|, π in 8 bits"},
       {11, "|e^{iπ} + 1|, π in 11 bits"},
       {24, "|e^{iπ} + 1|, π in 24 bits"}}};
  for (const auto& [bits, formula] : kNarrow) {
    const RoundedPi& rounded = in_bits(bits);
    add(study, fmt::format("bits_{}", bits), formula, rounded.half_turn.distance,
        primer::modulus(primer::unit(rounded.pi) + Complex{1, 0}),
        primer::kUnitError * (1 + primer::gamma(4)));
  }
  // π − π̂ from the digits of π behind those that a double holds.
  constexpr double kRestOfPi = 1.2246467991473531772e-16;
  add(study, "bits_53", "|e^{iπ} + 1|, π in 53 bits", in_bits(53).half_turn.distance, kRestOfPi,
      kRestOfPi * primer::gamma(44));
  constexpr TurnFraction kHalf{std::uint64_t{1} << 63, 0};
  add(study, "half_a_turn", "|e^{iπ} + 1|, π as half a turn",
      primer::modulus(primer::unit(kHalf) + Complex{1, 0}), 0, 0);
  return answer;
}

}  // namespace rope::topics
