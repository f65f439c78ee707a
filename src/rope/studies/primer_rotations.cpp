// The topics of matrices: rotations of the plane and of space, mirrors, orthogonal matrices.

#include <array>
#include <cmath>
#include <span>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/primer/orthogonal.hpp"
#include "rope/primer/plane.hpp"
#include "rope/primer/space.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/studies/primer_topics.hpp"

namespace rope::topics {
namespace {

using primer::Complex;

constexpr std::size_t kRandomAxes = 1000;
constexpr std::size_t kRandomMatrices = 100;
constexpr Eigen::Index kUsualSize = 6;

/// A flag: seen in a mirror it is another figure, however it is turned.
const std::vector<Complex>& flag() {
  static const std::vector<Complex> points = {{0.25, 0.1}, {0.25, 0.95}, {0.85, 0.95},
                                              {0.7, 0.75}, {0.85, 0.55}, {0.4, 0.55},
                                              {0.4, 0.1},  {0.25, 0.1}};
  return points;
}

std::vector<Complex> image(const Eigen::Matrix2d& matrix, const std::vector<Complex>& shape) {
  std::vector<Complex> points;
  points.reserve(shape.size());
  for (const Complex z : shape) {
    const Eigen::Vector2d moved = matrix * Eigen::Vector2d(z.re, z.im);
    points.push_back({moved(0), moved(1)});
  }
  return points;
}

/// What a closed path encloses; negative where it runs clockwise.
double signed_area(const std::vector<Complex>& path) {
  double twice = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    twice += path[i].re * path[i + 1].im - path[i].im * path[i + 1].re;
  return twice / 2;
}

/// What the areas of a path and of its image may differ by beside the sign: each point moves by its
/// matrix's error, and a sum of products rounds.
double area_error(const std::vector<Complex>& path) {
  double products = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    products += primer::modulus(path[i]) * primer::modulus(path[i + 1]) / 2;
  const double point = primer::kUnitError + 1.01 * primer::kProductError;
  return products * (2.01 * point + 2.01 * primer::gamma(static_cast<double>(path.size()) + 4));
}

double trace(const Eigen::Matrix3d& matrix) { return matrix(0, 0) + matrix(1, 1) + matrix(2, 2); }

/// The largest deviation of a random rotation's trace from 1 + 2 cos θ.
double worst_trace(std::uint64_t seed) {
  Largest worst;
  for (std::size_t i = 0; i < kRandomAxes; ++i) {
    RandomStream random(seed, i);
    Eigen::Vector3d axis;
    random.fill_normal(std::span(axis.data(), 3));
    const TurnFraction turn{random.bits(), random.bits()};
    worst.take(
        std::abs(trace(primer::space_rotation(axis, turn)) - (1 + 2 * primer::unit(turn).re)));
  }
  return worst.value();
}

TurnsInSpace turns(const Eigen::Matrix3d& first, const Eigen::Matrix3d& second) {
  const Eigen::Matrix3d both = second * first;
  return {first, both, primer::rotation_angle(both), primer::rotation_axis(both)};
}

}  // namespace

AdditionAnswer addition(const PrimerRequest& request, PrimerStudy& study) {
  AdditionAnswer answer;
  answer.first = request.angle.value_or(primer::from_degrees(40));
  answer.second = request.second_angle.value_or(primer::from_degrees(75));
  const TurnFraction a = answer.first.turn, b = answer.second.turn;
  const TurnFraction both = primer::sum(a, b), rest = primer::difference(a, b);
  answer.after_first = primer::unit(a);
  answer.after_both = primer::unit(both);

  using primer::plane_rotation;
  const double bound = primer::plane_product_error();
  add(study, "sum", "‖R(α)R(β) − R(α+β)‖",
      (plane_rotation(a) * plane_rotation(b) - plane_rotation(both)).norm(), 0, bound);
  add(study, "difference", "‖R(−α)R(β) − R(β−α)‖",
      (plane_rotation(-a) * plane_rotation(b) - plane_rotation(-rest)).norm(), 0, bound);
  add(study, "order", "‖R(α)R(β) − R(β)R(α)‖",
      (plane_rotation(a) * plane_rotation(b) - plane_rotation(b) * plane_rotation(a)).norm(), 0, 0);
  const Complex alpha = primer::unit(a), beta = primer::unit(b);
  const auto [cos_a, sin_a] = alpha;
  const auto [cos_b, sin_b] = beta;
  add(study, "sine_of_sum", "sin α cos β + cos α sin β = sin(α+β)", sin_a * cos_b + cos_a * sin_b,
      answer.after_both.im, bound);
  add(study, "cosine_of_sum", "cos α cos β − sin α sin β = cos(α+β)", cos_a * cos_b - sin_a * sin_b,
      answer.after_both.re, bound);
  add(study, "sine_of_difference", "sin α cos β − cos α sin β = sin(α−β)",
      sin_a * cos_b - cos_a * sin_b, primer::unit(rest).im, bound);
  add(study, "cosine_of_difference", "cos α cos β + sin α sin β = cos(α−β)",
      cos_a * cos_b + sin_a * sin_b, primer::unit(rest).re, bound);
  return answer;
}

SpaceAnswer space(const PrimerRequest& request, PrimerStudy& study) {
  SpaceAnswer answer;
  answer.first = request.angle.value_or(primer::from_degrees(90));
  answer.second = request.second_angle.value_or(primer::from_degrees(90));
  const TurnFraction a = answer.first.turn, b = answer.second.turn;
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();
  const Eigen::Matrix3d about_x = primer::space_rotation(x, a);
  const Eigen::Matrix3d about_y = primer::space_rotation(y, b);
  answer.x_then_y = turns(about_x, about_y);
  answer.y_then_x = turns(about_y, about_x);
  answer.commutator = (answer.x_then_y.both - answer.y_then_x.both).norm();

  const double each = primer::kSpaceRotationError;
  const double product = primer::rotation_product_error(each, each);
  add(study, "trace", "tr R_x(α) = 1 + 2 cos α", trace(about_x), 1 + 2 * primer::unit(a).re,
      primer::kTraceError);
  add(study, "trace_of_random", "|tr R − (1 + 2 cos θ)|, random axes", worst_trace(request.seed), 0,
      primer::kTraceError);
  const Eigen::Matrix3d& both = answer.x_then_y.both;
  add(study, "orthogonality", "‖RᵀR − I‖, R = R_y(β)R_x(α)", primer::gram_defect(both), 0,
      primer::gram_error(3, product));
  add(study, "determinant", "det R = 1", primer::determinant(both), 1,
      3.01 * product + 6 * primer::gamma(6));
  const double angle_bound = primer::rotation_angle_error(product) + primer::kQuaternionAngleError;
  add(study, "x_then_y", "angle of R_y(β)R_x(α)", answer.x_then_y.angle,
      primer::turn_after(y, b, x, a).angle, angle_bound, Quantity::radians);
  add(study, "y_then_x", "angle of R_x(α)R_y(β)", answer.y_then_x.angle,
      primer::turn_after(x, a, y, b).angle, angle_bound, Quantity::radians);
  if (answer.x_then_y.axis.allFinite())
    add(study, "axis", "‖Rn − n‖, n the axis of R",
        (both * answer.x_then_y.axis - answer.x_then_y.axis).norm(), 0,
        15 * product + 90 * primer::kUnitRoundoff);
  add_mistaken(study, "sum_of_angles", "angle of R_y(β)R_x(α) = α + β", answer.x_then_y.angle,
               std::abs(primer::principal(primer::sum(a, b))), angle_bound, Quantity::radians);
  add_mistaken(study, "order", "‖R_y(β)R_x(α) − R_x(α)R_y(β)‖ = 0", answer.commutator, 0,
               2.01 * product);
  return answer;
}

ReflectionAnswer reflection(const PrimerRequest& request, PrimerStudy& study) {
  ReflectionAnswer answer;
  answer.line = request.angle.value_or(primer::from_degrees(30));
  const TurnFraction line = answer.line.turn, twice = 2 * line;
  const Eigen::Matrix2d mirror = primer::plane_mirror(line);
  const Eigen::Matrix2d rotation = primer::plane_rotation(twice);
  answer.shape = flag();
  answer.mirrored = image(mirror, answer.shape);
  answer.turned = image(rotation, answer.shape);
  answer.area = signed_area(answer.shape);
  answer.mirrored_area = signed_area(answer.mirrored);
  answer.turned_area = signed_area(answer.turned);

  const double product = primer::plane_product_error();
  add(study, "determinant_of_mirror", "det S = −1", primer::determinant(mirror), -1,
      primer::plane_determinant_error());
  add(study, "determinant_of_rotation", "det R = 1", primer::determinant(rotation), 1,
      primer::plane_determinant_error());
  add(study, "mirrored_twice", "‖S² − I‖", (mirror * mirror - Eigen::Matrix2d::Identity()).norm(),
      0, product);
  add(study, "two_mirrors", "‖S(φ)S(0) − R(2φ)‖",
      (mirror * primer::plane_mirror({}) - rotation).norm(), 0, product);
  add(study, "mirrored_area", "signed area of the mirror image", answer.mirrored_area, -answer.area,
      area_error(answer.shape));
  add(study, "turned_area", "signed area after a turn by 2φ", answer.turned_area, answer.area,
      area_error(answer.shape));
  const Eigen::Vector3d normal(1, 2, 2);
  const Eigen::Matrix3d in_space = primer::space_mirror(normal);
  const Eigen::Matrix3d opposite = -Eigen::Matrix3d::Identity();
  add(study, "trace_of_mirror", "tr S = 1, S a mirror in space", trace(in_space), 1,
      2 * primer::kSpaceRotationError);
  add(study, "determinant_of_inversion", "det(−I) = −1, I the 3 × 3 identity",
      primer::determinant(opposite), -1, 0);
  constexpr TurnFraction kHalf{std::uint64_t{1} << 63, 0};
  add(study, "inversion", "‖SR + I‖, R: half a turn, same axis",
      (in_space * primer::space_rotation(normal, kHalf) - opposite).norm(), 0,
      primer::rotation_product_error(primer::kSpaceRotationError, primer::kSpaceRotationError));
  add_mistaken(study, "inversion_is_mirror", "−I is a mirror, tr(−I) = 1", trace(opposite), 1, 0);
  return answer;
}

OrthogonalAnswer orthogonal(const PrimerRequest& request, PrimerStudy& study) {
  OrthogonalAnswer answer;
  const std::size_t asked = request.terms.value_or(kUsualSize);
  if (asked < 1 || asked > static_cast<std::size_t>(primer::kLargestOrthogonal))
    throw DomainError(Subject{"terms"}, "expected 1 to " +
                                            std::to_string(primer::kLargestOrthogonal) +
                                            " rows, got " + std::to_string(asked));
  answer.size = static_cast<Eigen::Index>(asked);
  answer.tried = kRandomMatrices;
  const double error = primer::orthogonal_error(answer.size);
  const double product_error = primer::orthogonal_product_error(answer.size, error, error);
  const auto n = static_cast<double>(asked);
  // |fl(Qx)| and |x| for a Q within `error` of an orthogonal one.
  const double applied = error + primer::gamma(n) * std::sqrt(n) * (1 + error);
  Measured gram, transposed, determinant, length, angle, product;
  Eigen::MatrixXd before = primer::random_orthogonal(answer.size, request.seed, kRandomMatrices);
  for (std::size_t i = 0; i < kRandomMatrices; ++i) {
    const Eigen::MatrixXd q = primer::random_orthogonal(answer.size, request.seed, i);
    gram.keep_worse({primer::gram_defect(q), primer::gram_error(answer.size, error)});
    transposed.keep_worse(
        {primer::gram_defect(q.transpose()), primer::gram_error(answer.size, error)});
    const primer::Determinant det = primer::orthogonal_determinant(q, error);
    determinant.keep_worse({std::abs(std::abs(det.value) - 1), det.error});
    if (det.value > 0) ++answer.rotations;
    Eigen::MatrixXd vectors(answer.size, 2);
    RandomStream(request.seed, 2 * kRandomMatrices + i)
        .fill_normal(std::span(vectors.data(), static_cast<std::size_t>(vectors.size())));
    const Eigen::MatrixXd moved = q * vectors;
    const double x = vectors.col(0).norm(), y = vectors.col(1).norm();
    length.keep_worse(
        {std::abs(moved.col(0).norm() - x) / x, 1.01 * (applied + 2 * primer::gamma(n + 2))});
    angle.keep_worse(
        {std::abs(moved.col(0).dot(moved.col(1)) - vectors.col(0).dot(vectors.col(1))) / (x * y),
         1.01 * (applied * (2 + applied) + 2 * primer::gamma(n + 4))});
    product.keep_worse(
        {primer::gram_defect(before * q), primer::gram_error(answer.size, product_error)});
    before = q;
  }
  add(study, "gram", "‖QᵀQ − I‖", gram.error, 0, gram.bound);
  add(study, "inverse", "‖QQᵀ − I‖", transposed.error, 0, transposed.bound);
  add(study, "determinant", "||det Q| − 1|", determinant.error, 0, determinant.bound);
  add(study, "length", "||Qx| − |x||/|x|", length.error, 0, length.bound);
  add(study, "angle", "|Qx·Qy − x·y|/(|x||y|)", angle.error, 0, angle.bound);
  add(study, "product", "‖(PQ)ᵀPQ − I‖, P another Q", product.error, 0, product.bound);

  answer.shape = flag();
  bool found_rotation = false, found_reflection = false;
  for (std::uint64_t i = 0; !found_rotation || !found_reflection; ++i) {
    const Eigen::Matrix2d q = primer::random_orthogonal(2, request.seed, i);
    const bool rotates = primer::determinant(q) > 0;
    bool& found = rotates ? found_rotation : found_reflection;
    if (!found) (rotates ? answer.rotation : answer.reflection) = q;
    found = true;
  }
  answer.rotated = image(answer.rotation, answer.shape);
  answer.reflected = image(answer.reflection, answer.shape);
  return answer;
}

}  // namespace rope::topics
