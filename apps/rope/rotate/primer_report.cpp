#include "rotate/primer_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <variant>
#include <vector>

#include "rope/documents/primer.hpp"
#include "rope/language/said.hpp"
#include "shown/columns.hpp"
#include "shown/table.hpp"
#include "shown/verdict.hpp"

namespace rope::app {
namespace {

using primer::Complex;

constexpr double kDegree = std::numbers::pi / 180;

/// With the minus sign that formulas have; exponents stay as they are typed.
std::string with_sign(const std::string& number) {
  return number.starts_with('-') ? "−" + number.substr(1) : number;
}

std::string six_text(double value) { return with_sign(six_digits(value)); }
std::string three_text(double value) { return with_sign(three_digits(value == 0 ? 0 : value)); }

std::string degrees_text(double radians) { return six_text(radians / kDegree) + "°"; }

/// "40° + (−30°) = 10°"
std::string sum_text(double radians, double other) {
  const std::string second = degrees_text(other);
  return fmt::format("{} + {} = {}", degrees_text(radians), other < 0 ? "(" + second + ")" : second,
                     degrees_text(radians + other));
}

/// "−1 + 2i", "−i", "3"
std::string complex_text(Complex z) {
  const std::string size = six_digits(std::abs(z.im));
  const std::string imaginary = (size == "1" ? "" : size) + "i";
  if (z.im == 0) return six_text(z.re);
  if (z.re == 0) return (z.im < 0 ? "−" : "") + imaginary;
  return fmt::format("{} {} {}", six_text(z.re), z.im < 0 ? "−" : "+", imaginary);
}

std::string axis_text(const Eigen::Vector3d& axis) {
  const auto part = [&](Eigen::Index i) { return three_text(axis(i)); };
  return fmt::format("({}, {}, {})", part(0), part(1), part(2));
}

/// "1 (57.2958°)": an angle as it was given, and in degrees.
std::string angle_text(const primer::Angle& angle) {
  return fmt::format("{} ({})", six_text(angle.radians), degrees_text(angle.radians));
}

// ---- What each topic says first, and what it says beside.

struct Texts {
  std::string first;
  std::string more;
};

Texts texts_of(const ArgumentAnswer& answer, Language language) {
  const std::string slope = degrees_text(answer.slope_angle);
  const std::string z = complex_text(answer.z), angle = degrees_text(answer.argument);
  return {
      primer::angle_between(answer.slope_angle, answer.argument) > 1
          ? said(language,
                 "The arrow of z = {} points to {}; arctan(b/a) is {}, which is half a turn off.",
                 z, angle, slope)
          : said(language, "The arrow of z = {} points to {}; arctan(b/a) agrees.", z, angle),
      said(language,
           "The ratio b/a loses the signs: z and −z have the same ratio, so arctan(b/a) is wrong "
           "for one of them, here for {} of {} random arrows and their opposites. Use atan2(b, a).",
           answer.wrong, answer.tried)};
}

Texts texts_of(const ConjugateAnswer& answer, Language language) {
  return {
      said(language,
           "q·k* = {}: the real part is the dot product q · k, and the angle, {}, is the angle "
           "from k to q.",
           complex_text(answer.q_k), degrees_text(answer.angle)),
      said(language,
           "An attention score is the sum of such real parts, one for each pair of dimensions.")};
}

Texts texts_of(const QuarterTurnAnswer& answer, Language language) {
  return {said(language,
               "Multiplication by i turns {} by 90° into {}; after four multiplications, it is "
               "back where it started.",
               complex_text(answer.turned[0]), complex_text(answer.turned[1])),
          said(language,
               "Two multiplications are half a turn, so i·i = −1. Nothing is rounded here, not "
               "even one bit.")};
}

Texts texts_of(const ProductAnswer& answer, Language language) {
  return {said(language, "zw = {}: the lengths multiply to {}, and the angles add: {}.",
               complex_text(answer.zw), six_digits(primer::modulus(answer.zw)),
               sum_text(answer.z_argument, answer.w_argument)),
          said(language,
               "Angles add modulo whole turns: for {} of {} random pairs, the sum falls outside "
               "−180° … 180°.",
               answer.wrapped, answer.tried)};
}

/// How near the finest of the walks comes, or that it comes near nothing: its steps lengthen the
/// arrow to √(1 + θ²/n²)ⁿ, which is near 1 where n is much larger than θ²/2.
std::string nearness_text(const EulerAnswer& answer, Language language) {
  const CompoundPath& finest = answer.paths.back();
  constexpr double kNear = 0.5;
  if (finest.error < kNear)
    return said(language, "In {} steps, (1 + iθ/n)ⁿ comes within {} of that point.", finest.steps,
                three_digits(finest.error));
  const double angle = answer.angle.radians;
  return said(language,
              "But {} steps are too few here: (1 + iθ/n)ⁿ ends {} away from that point, and comes "
              "near it only when n is much larger than θ²/2 = {}.",
              finest.steps, three_digits(finest.error), six_digits(angle * angle / 2));
}

Texts texts_of(const EulerAnswer& answer, Language language) {
  return {said(language, "At θ = {}, e^{{iθ}} = {}: the point on the unit circle at that angle.",
               angle_text(answer.angle), complex_text(answer.point)),
          said(language,
               "Growing at the rate i means moving at a right angle to the current arrow, which "
               "turns the arrow without lengthening it. {}",
               nearness_text(answer, language))};
}

Texts texts_of(const TaylorAnswer& answer, Language language) {
  const TaylorSeries& own = answer.series.front();
  std::string more;
  for (const TaylorSeries& series : answer.series)
    if (series.angle == 40)
      more = said(language,
                  "At θ = 40, the terms grow to {} before they fall, and the sum ends {} away from "
                  "e^{{iθ}}; this is why programs remove whole turns first.",
                  three_digits(series.largest_term), three_digits(series.final_error));
  return {said(language,
               "At θ = {}, the series to degree {} is {} away from e^{{iθ}}; degree {} omits less "
               "than 1.11e-16 and is {} away.",
               angle_text(answer.angle), answer.degree, three_digits(own.error), own.degree_needed,
               three_digits(own.final_error)),
          more};
}

Texts texts_of(const ExponentialsAnswer& answer, Language language) {
  return {said(language,
               "At θ = {}, half the sum of e^{{iθ}} and e^{{−iθ}} is cos θ = {}; half their "
               "difference, divided by i, is sin θ = {}.",
               angle_text(answer.angle), six_text(answer.forward.re), six_text(answer.forward.im)),
          said(language, "The two are mirror images: everything else cancels to the last bit.")};
}

Texts texts_of(const HalfTurnAnswer& answer, Language language) {
  const RoundedPi& as_double = answer.by_bits.back();
  return {said(language,
               "e^{{iπ}} + 1 = 0. With π as a double, the sum is {:.5g}i: the double is that much "
               "smaller than π.",
               as_double.half_turn.gap),
          said(language,
               "No format can represent π, but every format can represent half a turn, 0.5: with "
               "the angle measured in turns, the sum is exactly 0.")};
}

Texts texts_of(const AdditionAnswer& answer, Language language) {
  const std::string first = degrees_text(answer.first.radians);
  const std::string second = degrees_text(answer.second.radians);
  return {said(language, "R({}) followed by R({}) is R({}), in either order.", first, second,
               degrees_text(answer.first.radians + answer.second.radians)),
          said(language,
               "So turning back by m and forward by n is turning by n − m: that is all there is to "
               "RoPE.")};
}

Texts texts_of(const SpaceAnswer& answer, Language language) {
  const auto turn_text = [&](const TurnsInSpace& turns) {
    if (!turns.axis.allFinite()) return said(language, "no turn at all");
    return said(language, "{} about {}", degrees_text(turns.angle), axis_text(turns.axis));
  };
  const std::string sum = degrees_text(answer.first.radians + answer.second.radians);
  return {said(language, "{} about x and then {} about y make {}; in the other order, {}.",
               degrees_text(answer.first.radians), degrees_text(answer.second.radians),
               turn_text(answer.x_then_y), turn_text(answer.y_then_x)),
          said(language,
               "In the plane, they would make {} in either order. RoPE turns each pair of "
               "dimensions in a plane of its own, so order does not matter.",
               sum)};
}

Texts texts_of(const ReflectionAnswer& answer, Language language) {
  return {
      said(language,
           "The mirror at {} changes an area of {} into {}; the turn by {} keeps its sign: that is "
           "what det = −1 and det = 1 mean.",
           degrees_text(answer.line.radians), three_text(answer.area),
           three_text(answer.mirrored_area), degrees_text(2 * answer.line.radians)),
      said(language,
           "In space, a matrix with det = −1 turns left hands into right ones, but need not be a "
           "mirror: −I reverses three directions, while a mirror reverses one. Two mirrors make "
           "a turn.")};
}

Texts texts_of(const OrthogonalAnswer& answer, Language language) {
  return {
      said(language,
           "{0} random orthogonal {1} × {1} matrices keep lengths and angles; {2} have "
           "determinant 1, and {3} have −1.",
           answer.tried, answer.size, answer.rotations, answer.tried - answer.rotations),
      said(language,
           "Each is the Q of the QR decomposition of a random matrix; the largest deviation "
           "from each property is given below. RoPE's R_m is such a matrix, with determinant 1.")};
}

// ---- Their numbers.

std::string value_text(const PrimerNumber& number, double value, std::string (*digits)(double)) {
  if (number.quantity == Quantity::number) return with_sign(digits(value));
  return with_sign(digits(value / kDegree)) + "°";
}

void print_numbers(const PrimerStudy& study, const Console& console) {
  Table table(
      {{"", Table::Align::left}, {"value"}, {"expected"}, {"allowed"}, {"", Table::Align::left}});
  for (const PrimerNumber& number : study.numbers)
    table.add_row({number.formula, value_text(number, number.value, six_digits),
                   value_text(number, number.expected, six_digits),
                   value_text(number, number.bound, three_digits),
                   console.paint(number.holds() ? Ink::good : Ink::bad,
                                 translated(verdict_text(number), console.language()))});
  console.print(table, "Numbers and what they must be");
}

}  // namespace

std::string primer_answer(const PrimerStudy& study) {
  return std::visit([](const auto& answer) { return texts_of(answer, Language::en); }, study.answer)
      .first;
}

void print_primer(const PrimerStudy& study, bool details, const Console& console) {
  const Language language = console.language();
  const Texts text =
      std::visit([&](const auto& answer) { return texts_of(answer, language); }, study.answer);
  if (!study.held())
    console.say(said(language, "{}: {}", painted_verdict(Verdict::fail, console),
                     said(language, "a number below is not what it must be.")));
  console.say(console.paint(Ink::strong, text.first));
  if (!text.more.empty()) console.say(text.more);
  print_numbers(study, console);
  if (!details) return;
  const Columns more = primer_details(study, language);
  if (more.empty()) return;
  console.print("\n");
  console.print(table_of(more), "The numbers in the picture");
}

}  // namespace rope::app
