// What the topics before RoPE compute: every law holds, and what is wrong is seen to be.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <set>
#include <string>
#include <string_view>

#include "rope/error.hpp"
#include "rope/studies/primer.hpp"
#include "support/outcome.hpp"

namespace rope {
namespace {

using primer::from_degrees;
using primer::from_radians;

constexpr double kPi = std::numbers::pi;

PrimerStudy study_of(std::string_view name) {
  PrimerRequest request;
  request.topic = find_primer_topic(name)->topic;
  return primer_study(request);
}

const PrimerNumber& number(const PrimerStudy& study, std::string_view name) {
  for (const PrimerNumber& each : study.numbers)
    if (each.name == name) return each;
  throw std::runtime_error("there is no number " + std::string(name));
}

TEST(Primer, EveryTopicHoldsAndIsNamedOnce) {
  std::set<std::string_view> names;
  for (const PrimerTopicEntry& entry : primer_topics()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_EQ(find_primer_topic(entry.name), &entry);
    EXPECT_TRUE(entry.question.ends_with('?'));
    PrimerRequest request;
    request.topic = entry.topic;
    const PrimerStudy study = primer_study(request);
    EXPECT_EQ(study.topic, entry.topic);
    EXPECT_EQ(study.answer.index(), static_cast<std::size_t>(entry.topic));
    EXPECT_TRUE(study.held());
    EXPECT_LE(study.numbers.size(), 12U);
    std::set<std::string> fields;
    for (const PrimerNumber& each : study.numbers) {
      EXPECT_TRUE(fields.insert(each.name).second) << each.name;
      EXPECT_TRUE(each.mistaken || each.holds())
          << each.name << ": " << each.value << ", " << each.expected << " ± " << each.bound;
      EXPECT_GE(each.bound, 0) << each.name;
    }
  }
  EXPECT_EQ(find_primer_topic("quaternions"), nullptr);
}

TEST(Primer, TopicsHoldForAllSortsOfNumbers) {
  for (const PrimerTopicEntry& entry : primer_topics()) {
    SCOPED_TRACE(entry.name);
    const auto expect_held = [&](const PrimerRequest& request) {
      for (const PrimerNumber& each : primer_study(request).numbers)
        EXPECT_TRUE(each.mistaken || each.holds())
            << each.name << ": " << each.value << ", " << each.expected << " ± " << each.bound;
    };
    const bool series = entry.takes_terms;
    for (const double angle : {0.0, 1e-300, -1e-9, 0.3, kPi / 2, -kPi, 3.0, 12.0, 600.0, 1e15})
      for (const double second : {0.0, -0.7, kPi, 1e6}) {
        if (!entry.takes_angle || (series && angle > 700)) continue;
        PrimerRequest request;
        request.topic = entry.topic;
        request.angle = from_radians(angle);
        if (entry.takes_second_angle) request.second_angle = from_radians(second);
        SCOPED_TRACE(angle);
        expect_held(request);
      }
    for (const primer::Complex z :
         {primer::Complex{1, 0}, {-1, 0}, {-3, -1e-20}, {0, 2}, {1e100, -1e-100}})
      for (const primer::Complex w : {primer::Complex{-1, 1}, {-2, 0}, {1e-100, 1e-100}}) {
        if (!entry.takes_z) continue;
        PrimerRequest request;
        request.topic = entry.topic;
        request.z = z;
        if (entry.takes_w) request.w = w;
        expect_held(request);
      }
    for (const std::size_t terms : {1U, 2U, 9U, 16U}) {
      if (!entry.takes_terms) continue;
      PrimerRequest request;
      request.topic = entry.topic;
      request.terms = terms;
      expect_held(request);
    }
  }
}

TEST(Primer, ANumberHoldsWithinItsBoundAndNaNNever) {
  PrimerNumber law{"", "", 1.5, 1, 0.5};
  EXPECT_TRUE(law.holds());
  law.bound = 0.49;
  EXPECT_FALSE(law.holds());
  law.value = 0.4;
  EXPECT_FALSE(law.holds()) << "on the other side, too";
  law.value = std::nan("");
  law.bound = HUGE_VAL;
  EXPECT_FALSE(law.holds());
  PrimerStudy study;
  study.numbers = {law};
  EXPECT_FALSE(study.held());
  study.numbers = {law, PrimerNumber{"", "", 1, 1, 0}};
  EXPECT_FALSE(study.held()) << "one law that holds is not enough";
  study.numbers = {law};
  study.numbers[0].mistaken = true;
  EXPECT_TRUE(study.held());
}

TEST(Primer, ArctanIsWrongForOneOfEveryTwoOpposites) {
  const PrimerStudy study = study_of("argument");
  const auto& answer = std::get<ArgumentAnswer>(study.answer);
  EXPECT_EQ(answer.wrong * 2, answer.tried);
  EXPECT_GT(answer.tried, 1000U);
  EXPECT_NEAR(answer.argument, 3 * kPi / 4, 1e-15);
  EXPECT_NEAR(answer.slope_angle, -kPi / 4, 1e-15);
  EXPECT_FALSE(number(study, "arctan").holds());
  PrimerRequest right;
  right.z = primer::Complex{1, -2};
  EXPECT_TRUE(number(primer_study(right), "arctan").holds());
}

TEST(Primer, TheConjugateTellsDotAndCross) {
  PrimerRequest request;
  request.topic = PrimerTopic::conjugate;
  request.z = primer::Complex{1, 2};
  request.w = primer::Complex{3, -1};
  const PrimerStudy study = primer_study(request);
  const auto& answer = std::get<ConjugateAnswer>(study.answer);
  EXPECT_EQ(answer.q_k, (primer::Complex{1, 7})) << "(ac + bd) + (bc − ad)i";
  EXPECT_NEAR(answer.angle, std::atan2(2, 1) - std::atan2(-1, 3), 1e-15) << "from k to q";
  EXPECT_EQ(number(study, "square").value, 5);
}

TEST(Primer, AnglesOfAProductAddUpToWholeTurns) {
  PrimerRequest request;
  request.topic = PrimerTopic::product;
  request.z = primer::Complex{-1, 1};
  request.w = primer::Complex{-1, 1};
  const PrimerStudy study = primer_study(request);
  EXPECT_NEAR(number(study, "angle").value, -kPi / 2, 1e-15);
  EXPECT_TRUE(number(study, "angle").holds());
  EXPECT_FALSE(number(study, "principal_angle").holds()) << "270° is no principal value";
  const auto& answer = std::get<ProductAnswer>(study.answer);
  // A quarter in the long run: twelve standard deviations of 10 000 are 520.
  EXPECT_NEAR(static_cast<double>(answer.wrapped), static_cast<double>(answer.tried) / 4, 520);
  EXPECT_EQ(answer.tried, 10000U);
  EXPECT_TRUE(number(study_of("product"), "principal_angle").holds());
}

TEST(Primer, TheSeriesFailsAtFortyAndNotWithoutWholeTurns) {
  const PrimerStudy study = study_of("taylor");
  const auto& answer = std::get<TaylorAnswer>(study.answer);
  EXPECT_EQ(answer.degree, 8U);
  EXPECT_EQ(answer.sums.size(), 9U);
  ASSERT_EQ(answer.series.size(), 5U) << "π is asked for and among the others";
  EXPECT_EQ(answer.series.back().angle, 40);
  EXPECT_NEAR(answer.series.back().final_error, 2.94, 0.005);
  EXPECT_FALSE(number(study, "enough_terms_at_40").holds());
  PrimerRequest request;
  request.topic = PrimerTopic::taylor;
  request.angle = from_radians(40);
  const PrimerStudy forty = primer_study(request);
  EXPECT_NEAR(number(forty, "enough_terms").value, 2.94, 0.005);
  EXPECT_LT(number(forty, "reduced").value, 1e-14);
  EXPECT_LT(number(forty, "reduced").bound, 1e-13) << "or it would prove nothing";
  EXPECT_NEAR(std::get<TaylorAnswer>(forty.answer).reduced_angle, 40 - 12 * kPi, 1e-14);
}

TEST(Primer, HalfATurnIsMissedByWhatTheFormatTakesFromPi) {
  const PrimerStudy study = study_of("half-turn");
  EXPECT_EQ(number(study, "bits_53").value, 1.2246467991473532e-16);
  EXPECT_NEAR(number(study, "bits_24").value, 8.742278e-8, 1e-13);
  EXPECT_NEAR(number(study, "bits_8").value, 9.6765e-4, 1e-8);
  EXPECT_EQ(number(study, "half_a_turn").value, 0);
  EXPECT_EQ(number(study, "half_a_turn").bound, 0);
}

TEST(Primer, TurnsAboutDifferentAxesDoNotAdd) {
  const PrimerStudy study = study_of("space");
  const auto& answer = std::get<SpaceAnswer>(study.answer);
  EXPECT_NEAR(answer.x_then_y.angle, 2 * kPi / 3, 1e-15);
  EXPECT_LT(answer.x_then_y.axis(2), 0);
  EXPECT_GT(answer.y_then_x.axis(2), 0);
  EXPECT_NEAR(answer.commutator, std::sqrt(6.0), 1e-15);
  EXPECT_FALSE(number(study, "sum_of_angles").holds());
  EXPECT_FALSE(number(study, "order").holds());
  PrimerRequest request;
  request.topic = PrimerTopic::space;
  request.second_angle = from_degrees(0);
  const PrimerStudy one_axis = primer_study(request);
  EXPECT_TRUE(number(one_axis, "sum_of_angles").holds()) << "one turn alone adds";
  EXPECT_TRUE(number(one_axis, "order").holds());
}

TEST(Primer, AMirrorTurnsTheSignOfAnAreaOver) {
  const auto answer = std::get<ReflectionAnswer>(study_of("reflection").answer);
  EXPECT_NE(answer.area, 0);
  EXPECT_LT(answer.area * answer.mirrored_area, 0);
  EXPECT_GT(answer.area * answer.turned_area, 0);
  EXPECT_EQ(answer.shape.front(), answer.shape.back()) << "closed";
  EXPECT_EQ(number(study_of("reflection"), "inversion_is_mirror").value, -3);
}

TEST(Primer, OrthogonalMatricesOfBothKindsAreDrawn) {
  const auto answer = std::get<OrthogonalAnswer>(study_of("orthogonal").answer);
  EXPECT_GT(answer.rotation.determinant(), 0);
  EXPECT_LT(answer.reflection.determinant(), 0);
  EXPECT_GT(answer.rotations, 20U);
  EXPECT_LT(answer.rotations, 80U);
}

TEST(Primer, WhatATopicDoesNotUseOrCannotIsRefused) {
  const auto refused = [](const PrimerRequest& request) {
    return test::outcome([&] { primer_study(request); }).subject;
  };
  PrimerRequest request;
  request.topic = PrimerTopic::conjugate;
  request.angle = from_radians(1);
  EXPECT_EQ(refused(request), "angle");
  request = {};
  request.topic = PrimerTopic::euler;
  request.second_angle = from_radians(1);
  EXPECT_EQ(refused(request), "angle");
  request = {};
  request.w = primer::Complex{1, 1};
  EXPECT_EQ(refused(request), "w");
  request = {};
  request.terms = 3;
  EXPECT_EQ(refused(request), "terms");
  for (const primer::Complex z :
       {primer::Complex{0, 0}, {1e101, 0}, {1, 1e-101}, {std::nan(""), 1}, {1, HUGE_VAL}}) {
    request = {};
    request.z = z;
    EXPECT_EQ(refused(request), "z");
  }
  request = {};
  request.topic = PrimerTopic::orthogonal;
  for (const std::size_t rows : {0U, 17U}) {
    request.terms = rows;
    EXPECT_EQ(refused(request), "terms");
  }
  request.topic = PrimerTopic::taylor;
  request.terms = 4097;
  EXPECT_EQ(refused(request), "terms");
  request.terms.reset();
  request.angle = from_radians(701);
  EXPECT_EQ(refused(request), "angle");
  request.topic = PrimerTopic::euler;
  EXPECT_EQ(refused(request), "angle");
  request.angle.reset();
  request.terms = 0;
  EXPECT_EQ(refused(request), "terms");
}

}  // namespace
}  // namespace rope
