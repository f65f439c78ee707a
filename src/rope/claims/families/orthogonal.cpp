// The family `orthogonal`: rotations of the plane, of space and of more dimensions, and mirrors.
#include "rope/primer/orthogonal.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/given.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/primer/plane.hpp"
#include "rope/primer/space.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"
#include "rope/studies/primer.hpp"

namespace rope::claims {
namespace {
namespace orthogonal_family {

using primer::gamma;

Eigen::MatrixXd random_numbers(Eigen::Index rows, Eigen::Index columns, RandomStream random) {
  Eigen::MatrixXd matrix(rows, columns);
  random.fill_normal(std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
  return matrix;
}

/// Random matrices, orthogonal unless `matrix` is normal: then any of random numbers.
struct Matrices {
  Eigen::Index size;
  std::uint64_t seed;
  bool any;
  double error;  ///< of an orthogonal one

  explicit Matrices(Parameters& given)
      : size(static_cast<Eigen::Index>(given.count("size", 6))),
        seed(seed_given(given)),
        any(one_of(given, "matrix", {"orthogonal", "normal"}) == 1),
        error(primer::orthogonal_error(size)) {
    if (size > primer::kLargestOrthogonal) throw DomainError("expected at most 16 rows");
  }
  Eigen::MatrixXd operator()(std::uint64_t number) const {
    return any ? random_numbers(size, size, {seed, number})
               : primer::random_orthogonal(size, seed, number);
  }
};

/// ‖AᵀA − I‖, and of Aᵀ where `inverse` is asked for: AAᵀ = I says that Aᵀ undoes A.
Measured gram(const Eigen::MatrixXd& matrix, double error) {
  return {primer::gram_defect(matrix), primer::gram_error(matrix.rows(), error)};
}

Measured determinant_defect(const Eigen::MatrixXd& matrix, double error) {
  const primer::Determinant det = primer::orthogonal_determinant(matrix, error);
  return {std::abs(std::abs(det.value) - 1), det.error};
}

/// Two random vectors before and after: ||Qx| − |x||/|x| and |Qx·Qy − x·y|/(|x||y|), in which Qx is
/// off by the matrix's own error and γ_n√n of its sums, and lengths and products by γ_{n+4}.
Measured kept(const Eigen::MatrixXd& matrix, double error, RandomStream random, bool angle) {
  const auto n = static_cast<double>(matrix.rows());
  const double applied = error + gamma(n) * std::sqrt(n) * (1 + error);
  const Eigen::MatrixXd vectors = random_numbers(matrix.rows(), 2, random);
  const Eigen::MatrixXd moved = matrix * vectors;
  const double x = vectors.col(0).norm(), y = vectors.col(1).norm();
  if (!angle) return {std::abs(moved.col(0).norm() - x) / x, 1.01 * (applied + 2 * gamma(n + 2))};
  return {std::abs(moved.col(0).dot(moved.col(1)) - vectors.col(0).dot(vectors.col(1))) / (x * y),
          1.01 * (applied * (2 + applied) + 2 * gamma(n + 4))};
}

/// How far random matrices are from a `property` of orthogonal ones: gram, inverse, determinant,
/// length, angle, or the gram of a product of two.
Outcome defect(Parameters& given) {
  const Matrices matrices(given);
  const std::size_t cases = given.count("cases");
  const std::size_t property =
      one_of(given, "property", {"gram", "inverse", "determinant", "length", "angle", "product"});
  const auto measure = [&](std::uint64_t i) {
    const Eigen::MatrixXd q = matrices(i);
    switch (property) {
      case 0:
        return gram(q, matrices.error);
      case 1:
        return gram(q.transpose(), matrices.error);
      case 2:
        return determinant_defect(q, matrices.error);
      case 5:
        return gram(matrices(cases + i) * q, primer::orthogonal_product_error(
                                                 matrices.size, matrices.error, matrices.error));
      default:
        return kept(q, matrices.error, {matrices.seed, 2 * cases + i}, property == 4);
    }
  };
  Measured worst;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Measured one = measure(i);
    worst.keep_worse(one);
  }
  return {{worst.error}, worst.bound};
}

double sign_of_determinant(const Eigen::MatrixXd& matrix, double error) {
  return primer::orthogonal_determinant(matrix, error).value > 0 ? 1 : -1;
}

/// How many of the random orthogonal matrices have the determinant 1; the others have −1.
Outcome rotations(Parameters& given) {
  const Matrices matrices(given);
  const std::size_t cases = given.count("cases");
  std::size_t found = 0;
  for (std::uint64_t i = 0; i < cases; ++i)
    if (sign_of_determinant(matrices(i), matrices.error) > 0) ++found;
  return {{static_cast<double>(found)}, 0};
}

/// The largest |det PQ − 1| of two random rotations; `factors` mixed: P turns orientation over.
Outcome product_of_rotations(Parameters& given) {
  const Matrices matrices(given);
  const std::size_t cases = given.count("cases");
  const bool mixed = one_of(given, "factors", {"rotations", "mixed"}) == 1;
  const auto with_sign = [&](std::uint64_t number, double sign) {
    Eigen::MatrixXd q = matrices(number);
    if (sign_of_determinant(q, matrices.error) != sign) q.col(0) = -q.col(0);
    return q;
  };
  const double error =
      primer::orthogonal_product_error(matrices.size, matrices.error, matrices.error);
  Measured worst;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Eigen::MatrixXd product = with_sign(cases + i, mixed ? -1 : 1) * with_sign(i, 1);
    const primer::Determinant det = primer::orthogonal_determinant(product, error);
    const Measured one{std::abs(det.value - 1), det.error};
    worst.keep_worse(one);
  }
  return {{worst.error}, worst.bound};
}

/// A `matrix` of space: the mirror in the plane at a right angle to `normal`, or the inversion −I.
Eigen::Matrix3d reversal(Parameters& given) {
  if (one_of(given, "matrix", {"mirror", "inversion"}) == 1) return -Eigen::Matrix3d::Identity();
  const std::vector<double> n = given.vector("normal", 3);
  return primer::space_mirror({n[0], n[1], n[2]});
}

/// Accuracy as `determinant` states it, of a matrix within kSpaceRotationError of orthogonal.
Outcome determinant(Parameters& given) {
  return {{primer::determinant(reversal(given))},
          3.01 * primer::kSpaceRotationError + 6 * gamma(6)};
}

/// How many directions such a matrix reverses, while it leaves the others: (3 − tr)/2. The trace of
/// a matrix within e is within √3e, and its sums round twice.
Outcome reversed(Parameters& given) {
  const Eigen::Matrix3d matrix = reversal(given);
  const double trace = matrix(0, 0) + matrix(1, 1) + matrix(2, 2);
  return {{(3 - trace) / 2}, primer::kSpaceRotationError + gamma(4) * 3};
}

/// The largest |tr R − (1 + 2 cos θ)| about random axes; `formula` plane: beside 2 cos θ.
Outcome trace(Parameters& given) {
  const std::size_t cases = given.count("cases");
  const std::uint64_t seed = seed_given(given);
  const double rest = one_of(given, "formula", {"space", "plane"}) == 0 ? 1 : 0;
  Largest worst;
  for (std::uint64_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    Eigen::Vector3d axis;
    random.fill_normal(std::span(axis.data(), 3));
    const TurnFraction turn = random_turn(random);
    const Eigen::Matrix3d r = primer::space_rotation(axis, turn);
    const double sum = r(0, 0) + r(1, 1) + r(2, 2);
    worst.take(std::abs(sum - (rest + 2 * primer::unit(turn).re)));
  }
  return {{worst.value()}, primer::kTraceError};
}

/// Two turns of space, by `angles` in degrees about `first_axis` and `second_axis`.
struct TwoTurns {
  Eigen::Matrix3d first, second;

  explicit TwoTurns(Parameters& given) {
    const std::vector<double> degrees = given.vector("angles", 2);
    first = turn(given, "first_axis", degrees[0]);
    second = turn(given, "second_axis", degrees[1]);
  }
  static Eigen::Matrix3d turn(Parameters& given, std::string_view name, double degrees) {
    const std::vector<double> axis = given.vector(name, 3);
    return primer::space_rotation({axis[0], axis[1], axis[2]}, primer::from_degrees(degrees).turn);
  }
};

constexpr double kSpaceProductError =
    primer::rotation_product_error(primer::kSpaceRotationError, primer::kSpaceRotationError);

/// By how much both turn together.
Outcome angle_of_both(Parameters& given) {
  const TwoTurns turns(given);
  return in_degrees(primer::rotation_angle(turns.second * turns.first),
                    primer::rotation_angle_error(kSpaceProductError));
}

/// ‖R₂R₁ − R₁R₂‖: what their order matters.
Outcome commutator(Parameters& given) {
  const TwoTurns turns(given);
  const double norm = (turns.second * turns.first - turns.first * turns.second).norm();
  return {{norm}, 2.01 * kSpaceProductError + gamma(8) * norm};
}

/// The largest ‖R(α)R(β) − R(α+β)‖ in the plane; `with` difference: beside R(α−β).
Outcome plane_sum(Parameters& given) {
  const std::size_t cases = given.count("cases");
  const std::uint64_t seed = seed_given(given);
  const bool difference = one_of(given, "with", {"sum", "difference"}) == 1;
  Largest worst;
  for (std::uint64_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    const TurnFraction a = random_turn(random);
    const TurnFraction b = random_turn(random);
    const TurnFraction both = difference ? primer::difference(a, b) : primer::sum(a, b);
    const double norm =
        (primer::plane_rotation(a) * primer::plane_rotation(b) - primer::plane_rotation(both))
            .norm();
    worst.take(norm);
  }
  return {{worst.value()}, primer::plane_product_error()};
}

/// The signed area of a figure's image over that of the figure: `image` mirror in a line at that
/// angle, or turn by twice of it. The study states what each area is off by.
Outcome orientation(Parameters& given) {
  PrimerRequest request;
  request.topic = PrimerTopic::reflection;
  request.angle = angle_given(given);
  const bool mirror = one_of(given, "image", {"mirror", "turn"}) == 0;
  const PrimerStudy study = primer_study(request);
  const auto& answer = std::get<ReflectionAnswer>(study.answer);
  const auto number = std::ranges::find(study.numbers, mirror ? "mirrored_area" : "turned_area",
                                        &PrimerNumber::name);
  return {{(mirror ? answer.mirrored_area : answer.turned_area) / answer.area},
          number->bound / std::abs(answer.area) + gamma(2)};
}

/// Of a rotation of `size` dimensions.
Outcome parameters(Parameters& given) {
  return {{static_cast<double>(primer::rotation_parameters(given.count("size")))}, 0};
}

constexpr std::array kQuantities = {
    Quantity{"orthogonal.defect", "largest deviation", defect},
    Quantity{"orthogonal.rotations", "matrices with det = 1", rotations},
    Quantity{"orthogonal.product_of_rotations", "largest |det PQ − 1|", product_of_rotations},
    Quantity{"orthogonal.determinant", "det", determinant},
    Quantity{"orthogonal.reversed", "directions that are reversed", reversed},
    Quantity{"orthogonal.trace", "largest |tr R − (1 + 2 cos θ)|", trace},
    Quantity{"orthogonal.angle_of_both", "angle of two successive turns (°)", angle_of_both},
    Quantity{"orthogonal.commutator", "‖R₂R₁ − R₁R₂‖", commutator},
    Quantity{"orthogonal.plane_sum", "largest ‖R(α)R(β) − R(α+β)‖", plane_sum},
    Quantity{"orthogonal.orientation", "signed area of the image, divided by the figure's",
             orientation},
    Quantity{"orthogonal.parameters", "numbers that describe a rotation", parameters},
};

}  // namespace orthogonal_family
}  // namespace

std::span<const Quantity> orthogonal_quantities() { return orthogonal_family::kQuantities; }

}  // namespace rope::claims
