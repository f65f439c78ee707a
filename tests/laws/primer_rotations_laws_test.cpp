// What matrices of the plane, of space and of more dimensions promise, against MPFR and against
// quaternions.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "rope/error.hpp"
#include "rope/primer/orthogonal.hpp"
#include "rope/primer/plane.hpp"
#include "rope/primer/space.hpp"
#include "rope/random/random.hpp"
#include "support/exact.hpp"

namespace rope::primer {
namespace {

using test::Exact;

constexpr std::uint64_t kSeed = 20261123;
constexpr TurnFraction kHalf{std::uint64_t{1} << 63, 0};
constexpr TurnFraction kQuarter{std::uint64_t{1} << 62, 0};
const Eigen::Vector3d kX = Eigen::Vector3d::UnitX();
const Eigen::Vector3d kY = Eigen::Vector3d::UnitY();
const Eigen::Vector3d kZ = Eigen::Vector3d::UnitZ();

Eigen::Vector3d random_vector(RandomStream& random) {
  Eigen::Vector3d vector;
  random.fill_normal(std::span(vector.data(), 3));
  return vector;
}

TurnFraction random_turn(RandomStream& random) { return {random.bits(), random.bits()}; }

using Exact3 = std::array<std::array<Exact, 3>, 3>;

/// Rodrigues' formula as R = I + sin θ·K + (1 − cos θ)·K², which is not how it is computed.
Exact3 exact_rotation(const Eigen::Vector3d& axis, TurnFraction turn) {
  const Exact angle = test::turns(turn) * test::two_pi();
  const Exact size =
      sqrt(Exact(axis(0)) * axis(0) + Exact(axis(1)) * axis(1) + Exact(axis(2)) * axis(2));
  const Exact x = axis(0) / size, y = axis(1) / size, z = axis(2) / size;
  const Exact3 k = {{{Exact(0), -z, y}, {z, Exact(0), -x}, {-y, x, Exact(0)}}};
  Exact3 result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      Exact square = 0;
      for (std::size_t l = 0; l < 3; ++l) square += k[i][l] * k[l][j];
      result[i][j] = (i == j ? 1 : 0) + sin(angle) * k[i][j] + (1 - cos(angle)) * square;
    }
  return result;
}

double distance(const Eigen::Matrix3d& got, const Exact3& exact) {
  Exact squares = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Exact defect =
          exact[i][j] - got(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      squares += defect * defect;
    }
  return static_cast<double>(sqrt(squares));
}

TEST(PrimerPlane, RotationsAddAndCommute) {
  RandomStream random(kSeed, 0);
  double largest = 0;
  for (int i = 0; i < 3000; ++i) {
    const TurnFraction a = random_turn(random), b = random_turn(random);
    const Eigen::Matrix2d product = plane_rotation(a) * plane_rotation(b);
    const double defect = (product - plane_rotation(sum(a, b))).norm();
    ASSERT_LE(defect, plane_product_error());
    largest = std::max(largest, defect);
    EXPECT_EQ(product, plane_rotation(b) * plane_rotation(a)) << "to the last bit";
    EXPECT_EQ(plane_rotation(-a), plane_rotation(a).transpose());
    EXPECT_LE(std::abs(determinant(plane_rotation(a)) - 1), plane_determinant_error());
  }
  EXPECT_GT(largest, 0.2 * plane_product_error());
  Eigen::Matrix2d quarter;
  quarter << 0, -1, 1, 0;
  EXPECT_EQ(plane_rotation(kQuarter), quarter) << "counter-clockwise";
}

TEST(PrimerPlane, TwoMirrorsAreATurnByTwiceTheAngleBetween) {
  RandomStream random(kSeed, 1);
  for (int i = 0; i < 3000; ++i) {
    const TurnFraction a = random_turn(random), b = random_turn(random);
    const Eigen::Matrix2d twice = plane_rotation(2 * difference(b, a));
    EXPECT_LE((plane_mirror(b) * plane_mirror(a) - twice).norm(), plane_product_error());
    EXPECT_LE(std::abs(determinant(plane_mirror(a)) + 1), plane_determinant_error());
    const Complex on_line = unit(a);
    const Eigen::Vector2d point(on_line.re, on_line.im);
    EXPECT_LE((plane_mirror(a) * point - point).norm(), plane_product_error()) << "the line stays";
  }
  EXPECT_EQ(plane_mirror({}) * Eigen::Vector2d(3, 4), Eigen::Vector2d(3, -4));
}

TEST(PrimerSpace, RodriguesIsWithinItsBound) {
  RandomStream random(kSeed, 2);
  double largest = 0;
  for (int i = 0; i < 3000; ++i) {
    const Eigen::Vector3d axis =
        std::ldexp(1, static_cast<int>(random.integer(-300, 300))) * random_vector(random);
    const TurnFraction turn = random_turn(random);
    const Eigen::Matrix3d rotation = space_rotation(axis, turn);
    const double error = distance(rotation, exact_rotation(axis, turn));
    ASSERT_LE(error, kSpaceRotationError);
    largest = std::max(largest, error);
    EXPECT_LE(std::abs(rotation.trace() - (1 + 2 * unit(turn).re)), kTraceError);
    EXPECT_LE(gram_defect(rotation), gram_error(3, kSpaceRotationError));
    EXPECT_LE(std::abs(determinant(rotation) - 1), 3.01 * kSpaceRotationError + 6 * gamma(6));
  }
  EXPECT_GT(largest, kSpaceRotationError / 50);
}

TEST(PrimerSpace, QuarterTurnsAreExact) {
  Eigen::Matrix3d about_z;
  about_z << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  EXPECT_EQ(space_rotation(kZ, kQuarter), about_z);
  EXPECT_EQ(space_rotation(7 * kX, kQuarter) * kY, kZ);
  EXPECT_EQ(space_rotation(kY, kQuarter) * kZ, kX);
  EXPECT_EQ(space_rotation(Eigen::Vector3d(1, 2, 3), {}), Eigen::Matrix3d::Identity());
}

TEST(PrimerSpace, TwoQuarterTurnsMakeAThirdAboutADiagonalThatDependsOnTheOrder) {
  const Eigen::Matrix3d x = space_rotation(kX, kQuarter), y = space_rotation(kY, kQuarter);
  const double third = 2 * std::numbers::pi / 3;
  EXPECT_NEAR(rotation_angle(y * x), third, kArgumentError + gamma(4));
  EXPECT_NEAR(rotation_angle(x * y), third, kArgumentError + gamma(4));
  const double part = 1 / std::sqrt(3.0);
  EXPECT_LE((rotation_axis(y * x) - part * Eigen::Vector3d(1, 1, -1)).norm(), gamma(10));
  EXPECT_LE((rotation_axis(x * y) - part * Eigen::Vector3d(1, 1, 1)).norm(), gamma(10));
  EXPECT_NEAR((x * y - y * x).norm(), std::sqrt(6.0), gamma(8)) << "2.449";
}

TEST(PrimerSpace, AProductTurnsAsQuaternionsSay) {
  RandomStream random(kSeed, 3);
  const double product = rotation_product_error(kSpaceRotationError, kSpaceRotationError);
  for (int i = 0; i < 3000; ++i) {
    const Eigen::Vector3d m = random_vector(random), n = random_vector(random);
    const TurnFraction a = random_turn(random), b = random_turn(random);
    const Eigen::Matrix3d both = space_rotation(n, b) * space_rotation(m, a);
    const Turn turn = turn_after(n, b, m, a);
    EXPECT_LE(std::abs(rotation_angle(both) - turn.angle),
              rotation_angle_error(product) + kQuaternionAngleError);
    EXPECT_NEAR(turn.axis.norm(), 1, gamma(10));
    const Eigen::Vector3d axis = rotation_axis(both);
    EXPECT_LE((both * axis - axis).norm(), 15 * product + 90 * kUnitRoundoff) << "it stays";
    // The same axis on the same side, unless hardly anything turns or it is half a turn.
    if (turn.angle > 0.01 && turn.angle < 3.14) {
      EXPECT_LE((axis - turn.axis).norm(), (10 * product + 90 * kUnitRoundoff) / 0.01);
    }
  }
}

TEST(PrimerSpace, ARotationTellsItsAngleAndItsAxis) {
  RandomStream random(kSeed, 4);
  for (int i = 0; i < 2000; ++i) {
    const Eigen::Vector3d axis = random_vector(random);
    const double size = std::numbers::pi * (0.01 + 0.98 * (i / 2000.0));
    const Eigen::Matrix3d rotation = space_rotation(axis, turn_of(size));
    EXPECT_NEAR(rotation_angle(rotation), size, rotation_angle_error(kSpaceRotationError));
    EXPECT_LE((rotation_axis(rotation) - axis.normalized()).norm(),
              std::cos(size) > 0
                  ? (3 * kSpaceRotationError + 10 * kUnitRoundoff) / std::sin(size) + gamma(8)
                  : 7 * kSpaceRotationError + 48 * kUnitRoundoff);
  }
  const Eigen::Vector3d half_axis = rotation_axis(space_rotation({1, -2, 2}, kHalf));
  EXPECT_NEAR(std::abs(half_axis.dot(Eigen::Vector3d(1, -2, 2)) / 3), 1, gamma(60))
      << "half a turn has no side";
  EXPECT_EQ(rotation_angle(Eigen::Matrix3d::Identity()), 0);
  EXPECT_TRUE(std::isnan(rotation_axis(Eigen::Matrix3d::Identity())(0)));
  EXPECT_EQ(turn_after(kX, {}, kY, {}).axis, Eigen::Vector3d::Zero());
}

TEST(PrimerSpace, AMirrorReversesOneDirectionAndMinusOneAllThree) {
  RandomStream random(kSeed, 5);
  for (int i = 0; i < 1000; ++i) {
    const Eigen::Vector3d normal = random_vector(random);
    const Eigen::Matrix3d mirror = space_mirror(normal);
    EXPECT_LE((mirror * normal + normal).norm(), 2 * kSpaceRotationError * normal.norm());
    EXPECT_LE(std::abs(mirror.trace() - 1), 2 * kSpaceRotationError);
    EXPECT_LE(std::abs(determinant(mirror) + 1), 3.01 * kSpaceRotationError + 6 * gamma(6));
    EXPECT_LE((mirror * space_rotation(normal, kHalf) + Eigen::Matrix3d::Identity()).norm(),
              rotation_product_error(kSpaceRotationError, kSpaceRotationError));
  }
  EXPECT_EQ(determinant(Eigen::Matrix3d(-Eigen::Matrix3d::Identity())), -1);
}

TEST(PrimerSpace, AnAxisThatPointsNowhereIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& axis : {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(1, infinity, 0),
                                      Eigen::Vector3d(std::nan(""), 1, 1)}) {
    EXPECT_THROW(space_rotation(axis, kQuarter), DomainError);
    EXPECT_THROW(space_mirror(axis), DomainError);
  }
}

TEST(PrimerOrthogonal, RandomMatricesAreOrthogonalWithinTheBoundAtEverySize) {
  for (Eigen::Index size = 1; size <= kLargestOrthogonal; ++size) {
    int rotations = 0;
    double largest = 0;
    const double error = orthogonal_error(size);
    for (std::uint64_t i = 0; i < 60; ++i) {
      const Eigen::MatrixXd q = random_orthogonal(size, kSeed, i);
      largest = std::max(largest, gram_defect(q));
      EXPECT_LE(gram_defect(q), gram_error(size, error));
      EXPECT_LE(gram_defect(q.transpose()), gram_error(size, error));
      const Determinant det = orthogonal_determinant(q, error);
      EXPECT_LE(std::abs(std::abs(det.value) - 1), det.error);
      EXPECT_LT(det.error, 1e-9) << "or it would tell nothing";
      EXPECT_NEAR(det.value, q.determinant(), det.error);
      rotations += det.value > 0 ? 1 : 0;
      const Eigen::MatrixXd p = random_orthogonal(size, kSeed, i + 1000);
      EXPECT_LE(gram_defect(p * q), gram_error(size, orthogonal_product_error(size, error, error)));
    }
    EXPECT_GT(rotations, 10) << "both determinants, size " << size;
    EXPECT_LT(rotations, 50);
    if (size > 1) {
      EXPECT_GT(largest, kUnitRoundoff) << "some rounding is seen at all";
    }
  }
  EXPECT_EQ(random_orthogonal(4, 1, 2), random_orthogonal(4, 1, 2));
  EXPECT_NE(random_orthogonal(4, 1, 2), random_orthogonal(4, 1, 3));
  EXPECT_THROW(random_orthogonal(0, 1, 1), ShapeError);
  EXPECT_THROW(random_orthogonal(kLargestOrthogonal + 1, 1, 1), ShapeError);
}

// QᵀQ = I near Q = I is A + Aᵀ = 0: what is left of the n² entries are the solutions of that.
TEST(PrimerOrthogonal, ARotationHasAParameterForEachDirectionInWhichItStaysOrthogonal) {
  for (Eigen::Index n = 1; n <= 7; ++n) {
    Eigen::MatrixXd equations(n * n, n * n);
    for (Eigen::Index i = 0; i < n * n; ++i) {
      const Eigen::MatrixXd unit = Eigen::VectorXd::Unit(n * n, i).reshaped(n, n);
      equations.col(i) = (unit + unit.transpose()).reshaped();
    }
    const Eigen::Index rank = Eigen::FullPivLU<Eigen::MatrixXd>(equations).rank();
    EXPECT_EQ(rotation_parameters(static_cast<std::size_t>(n)),
              static_cast<std::size_t>(n * n - rank))
        << n;
  }
  EXPECT_EQ(rotation_parameters(0), 0u);
}

TEST(PrimerOrthogonal, NoDirectionIsLikelierThanAnother) {
  // Without the signs of R's diagonal the first column would point the way of the random one alone
  // or against it; the mean of so many even directions is 1/√N, five times that is never met.
  constexpr int kMatrices = 4000;
  Eigen::Matrix3d mean = Eigen::Matrix3d::Zero();
  for (std::uint64_t i = 0; i < kMatrices; ++i) mean += random_orthogonal(3, kSeed, i) / kMatrices;
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 5 / std::sqrt(3.0 * kMatrices));
}

TEST(PrimerOrthogonal, WhatIsNotOrthogonalIsSeen) {
  Eigen::MatrixXd q = random_orthogonal(6, kSeed, 0);
  q(2, 3) += 1e-12;
  EXPECT_GT(gram_defect(q), gram_error(6, orthogonal_error(6)));
  // Columns of length 1 that are not perpendicular.
  EXPECT_NEAR(gram_defect((Eigen::Matrix2d() << 1, 0.6, 0, 0.8).finished()), 0.6 * std::sqrt(2.0),
              1e-15);
  q.col(0) *= 1.001;
  const Determinant det = orthogonal_determinant(q, orthogonal_error(6));
  EXPECT_GT(std::abs(std::abs(det.value) - 1), det.error);
}

}  // namespace
}  // namespace rope::primer
