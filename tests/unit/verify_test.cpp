// What verify/ promises: right implementations pass within their bounds, every wrong one is
// rejected, and the numbers it reports are the numbers that arose.

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <set>

#include "rope/error.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

VerifyOptions options(std::string_view policy, std::size_t dim = 128, double base = 10000) {
  VerifyOptions result;
  result.embedding = default_embedding(dim, base);
  result.layouts = {PairLayout::interleaved, PairLayout::half};
  result.policy = *find_policy(policy);
  result.trials = 500;
  return result;
}

TEST(CaseMaker, MakesTheSameCaseAloneAndInARow) {
  const CaseMaker maker(7, 16, 1000, Format::float64);
  VerifyCase first, again;
  maker.make(11, again);
  for (std::uint64_t i = 0; i <= 11; ++i) maker.make(i, first);
  EXPECT_EQ(first.m, again.m);
  EXPECT_EQ(first.n, again.n);
  EXPECT_EQ(first.q, again.q);
  EXPECT_EQ(first.k, again.k);
  maker.make(12, again);
  EXPECT_NE(first.q, again.q);
}

TEST(CaseMaker, CoversEqualNegativeExtremeAndJustBeyondPowersOfTwo) {
  const CaseMaker maker(42, 2, 131072, Format::float64);
  VerifyCase made;
  bool equal = false, negative = false, largest = false, smallest = false, zero = false;
  bool beyond = false;
  for (std::uint64_t i = 0; i < 400; ++i) {
    maker.make(i, made);
    ASSERT_LE(std::abs(made.m), 131072);
    ASSERT_LE(std::abs(made.n), 131072);
    equal |= made.m == made.n && made.m != 0;
    negative |= made.m < 0;
    zero |= made.m == 0;
    largest |= made.m == 131072;
    smallest |= made.m == -131072;
    beyond |= std::abs(made.m) == 65537;
  }
  EXPECT_TRUE(equal && negative && largest && smallest && zero && beyond);
}

TEST(CaseMaker, RoundsItsVectorsToTheFormatTheyAreStoredIn) {
  const CaseMaker maker(42, 64, 100, Format::float32);
  VerifyCase made;
  maker.make(0, made);
  for (const double value : made.q)
    EXPECT_EQ(value, static_cast<double>(static_cast<float>(value)));
}

TEST(CaseMaker, RefusesPositionsThatCouldOverflow) {
  EXPECT_THROW(CaseMaker(1, 2, kMaxVerifyPosition + 1, Format::float64), DomainError);
  EXPECT_THROW(CaseMaker(1, 2, -1, Format::float64), DomainError);
  VerifyCase made;
  for (std::uint64_t i = 0; i < 64; ++i) {
    CaseMaker(1, 2, 0, Format::float64).make(i, made);
    EXPECT_EQ(made.m, 0);
    EXPECT_EQ(made.n, 0);
  }
}

/// The dense matrix R̂_mᵀR̂_n − A·R̂_{n−m} of a scheme that rotates whole heads.
Eigen::MatrixXd dense(const Scheme& scheme, std::int64_t m, std::int64_t n) {
  const auto matrix = [](const Rotor& rotor, std::int64_t p) {
    const auto d = static_cast<Eigen::Index>(rotor.pipeline().embedding().head_dim);
    Rotor::Row row;
    rotor.row(p, row);
    Eigen::MatrixXd result(d, d);
    std::vector<double> unit(static_cast<std::size_t>(d)), image(unit.size());
    for (Eigen::Index i = 0; i < d; ++i) {
      unit.assign(unit.size(), 0);
      unit[static_cast<std::size_t>(i)] = 1;
      rotor.pipeline().rotate_blocks(row.blocks(), unit, image);
      result.col(i) = Eigen::Map<Eigen::VectorXd>(image.data(), d);
    }
    return result;
  };
  return matrix(scheme.query, m).transpose() * matrix(scheme.key, n) -
         scheme.relative.pipeline().embedding().attention_factor * matrix(scheme.relative, n - m);
}

void expect_norm_of_the_dense_defect(const RotaryEmbedding& embedding) {
  for (const Control& control : controls()) {
    if (control.name == "additive" || control.keeps_identity) continue;
    const Scheme scheme(*find_policy("exact"), control.plant(embedding));
    SchemeRows rows;
    scheme_rows(scheme, 7, -4, rows);
    const Eigen::MatrixXd matrix = dense(scheme, 7, -4);
    const double norm = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues()(0);
    const std::optional<Defect> found = defect(scheme, rows);
    ASSERT_TRUE(found) << control.name;
    // Blockwise: closed form. Mixed layouts: a power iteration from below.
    EXPECT_NEAR(found->norm, norm, scheme.blockwise() ? 1e-14 : 1e-3) << control.name;
    EXPECT_LE(found->norm, norm + 1e-14) << control.name;
    EXPECT_NEAR(found->frobenius, matrix.norm(), 1e-13) << control.name;
    if (!scheme.blockwise()) continue;
    const WorstPair vectors = worst_pair(rows, found->pair);
    EXPECT_NEAR(defect_of(rows, found->pair, vectors), norm, 1e-14) << control.name;
    EXPECT_NEAR(std::hypot(vectors.q[0], vectors.q[1]), 1, 1e-15) << control.name;
    EXPECT_NEAR(std::hypot(vectors.k[0], vectors.k[1]), 1, 1e-15) << control.name;
  }
}

TEST(Certificate, IsTheOperatorNormOfTheDenseDefect) {
  RotaryEmbedding embedding = default_embedding(8, 10000);
  expect_norm_of_the_dense_defect(embedding);
  embedding.attention_factor = 0.875;  // the left side holds it twice, the right one once
  expect_norm_of_the_dense_defect(embedding);
}

// Products of 2^-1050 lose up to half the smallest double each, and 10^69 times that is seen.
TEST(CaseCheck, WhatUnderflowsInFloat64IsNoFaultBesideAHugeVector) {
  const Pipeline claimed(*find_policy("float64"), default_embedding(2, 10000));
  const Scheme scheme(claimed.policy(), right_scheme(claimed.embedding()));
  CaseCheck check(scheme, claimed, {});
  double largest = 0;
  for (std::int64_t position = 1; position < 200; ++position) {
    VerifyCase given;
    given.m = given.n = position;
    given.shift = 1;
    given.q = {-4.3e68, -3.4e69};
    given.k = {2.07e-317, -1.65e-316};
    const CaseResult result = check.check(given, RotationForm::elementwise);
    EXPECT_FALSE(result.violated()) << position;
    largest = std::max(largest, result.identity.error);
  }
  EXPECT_GT(largest, 1e-256) << "the error is there";
}

TEST(Certificate, OfAnAdditiveSchemeDoesNotExist) {
  const Scheme scheme(*find_policy("exact"),
                      find_control("additive")->plant(default_embedding(8, 10000)));
  SchemeRows rows;
  scheme_rows(scheme, 1, 2, rows);
  EXPECT_FALSE(defect(scheme, rows));
}

TEST(Reference, AgreesWithTheExactTableToItsBound) {
  const RotaryEmbedding embedding = default_embedding(64, 500000);
  const ReferenceRotation reference(embedding);
  for (const std::int64_t m : {std::int64_t{1}, std::int64_t{-131071}, std::int64_t{1} << 53}) {
    const auto truth = reference.row(m);
    const RotationRow row = rotation_row(embedding, m);
    for (std::size_t k = 0; k < truth.size(); ++k) {
      EXPECT_LE(truth[k].cos.distance(row.cos[k]), kCosSinError);
      EXPECT_LE(truth[k].sin.distance(row.sin[k]), kCosSinError);
    }
  }
  // A reference that repeated the table's roundings would be no reference: its low parts are there.
  EXPECT_NE(reference.row(1)[1].cos.low, 0);
}

TEST(Reference, MeasuresThisMachinesLibm) {
  const double single = observed_libm_ulp({0.5, 1.25, 100.0, 12345.0}, true);
  EXPECT_GT(single, 0.05);
  EXPECT_LT(single, 1.0);
  EXPECT_EQ(observed_libm_ulp({0.0}, false), 0);
}

class EveryPolicy : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Verify, EveryPolicy, testing::Values("exact", "float64", "float32"));

TEST_P(EveryPolicy, PassesAndRejectsEveryControl) {
  const VerifyReport report = verify(options(GetParam()));
  EXPECT_EQ(report.verdict, Verdict::pass);
  EXPECT_TRUE(report.reasons.empty()) << report.reasons.front();
  EXPECT_EQ(report.identity.violations, 0U);
  EXPECT_GT(report.identity.max_ratio, 0.01);
  EXPECT_EQ(report.controls.size(), controls().size());
  for (const ControlReport& control : report.controls) {
    EXPECT_EQ(control.outcome, ControlReport::Outcome::rejected) << control.control.name;
    EXPECT_EQ(control.identity_held, control.control.keeps_identity) << control.control.name;
    EXPECT_FALSE(control.faithful) << control.control.name;
  }
}

TEST_P(EveryPolicy, FailsOnEveryControlThatIsJudgedAsTheImplementation) {
  for (const Control& control : controls()) {
    VerifyOptions wrong = options(GetParam());
    wrong.trials = 48;
    wrong.control = control;
    const VerifyReport report = verify(wrong);
    EXPECT_EQ(report.verdict, Verdict::fail) << control.name;
    EXPECT_EQ(report.identity.violations == 0, control.keeps_identity) << control.name;
    EXPECT_GT(report.faithfulness.violations, 0U) << control.name;
  }
}

TEST_P(EveryPolicy, TheMeasuredSizeOfAMistakeIsThePredictedOne) {
  for (const ControlReport& control :
       run_controls(default_embedding(128, 10000), *find_policy(GetParam()), {}, 42)) {
    if (!control.predicted_rms || control.control.keeps_identity) continue;
    // 128 samples of a square with relative deviation sqrt 2: 1/8 on the mean, 5 sigma of the root.
    EXPECT_NEAR(*control.rms / *control.predicted_rms, 1, 0.35) << control.control.name;
  }
}

TEST(Verify, JudgesAllThreeFormsAndBothLayoutsInEveryKindOfCase) {
  const VerifyReport report = verify(options("exact"));
  std::set<std::pair<RotationForm, PairLayout>> seen;
  std::uint64_t cases = 0;
  for (const FormReport& form : report.forms) {
    seen.insert({form.form, form.layout});
    cases += form.cases;
    EXPECT_GT(form.cases, 10U);
  }
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_EQ(cases, 500U);
}

TEST(Verify, LargeHeadsAreJudgedWithoutTheDenseForm) {
  const auto has_dense = [](std::size_t dim, bool given) {
    VerifyOptions each = options("exact", dim);
    each.trials = 9;
    if (given) {
      each.given.emplace();
      each.given->q.assign(dim, 1);
      each.given->k.assign(dim, 1);
      each.given->n = 3;
    }
    std::set<RotationForm> seen;
    for (const FormReport& form : verify(each).forms) seen.insert(form.form);
    EXPECT_TRUE(seen.contains(RotationForm::elementwise) && seen.contains(RotationForm::complex));
    return seen.contains(RotationForm::matrix);
  };
  EXPECT_TRUE(has_dense(kLargestDenseDim, true));
  EXPECT_FALSE(has_dense(kLargestDenseDim + 2, true));
  EXPECT_FALSE(has_dense(2 * kLargestDenseDim, false));
}

TEST(Verify, AdditiveEncodingsAreSeenByTheShiftAndScaledOnesByTheirLengths) {
  VerifyOptions wrong = options("exact");
  wrong.trials = 48;
  wrong.control = find_control("additive");
  EXPECT_GT(verify(wrong).shift_violations, 40U);
  wrong.control = find_control("scaled-left");
  EXPECT_GT(verify(wrong).orthogonality_violations, 40U);
}

TEST(Verify, TheWorstPairAttainsTheCertificate) {
  const VerifyReport report = verify(options("float32"));
  const CertificateReport& certificate = report.certificate;
  ASSERT_TRUE(certificate.has_pair);
  EXPECT_NEAR(certificate.attained_ratio_exact, 1, 1e-6);
  // The policy's own arithmetic adds a few roundings to a defect of 1e-2.
  EXPECT_NEAR(certificate.attained_ratio, 1, 1e-4);
  EXPECT_GT(certificate.max_ratio, 0.9) << "the a-priori bound is sharp, not just safe";
}

TEST(Verify, ReplaysOneCaseAlone) {
  VerifyOptions replay = options("float64");
  const NotableCase worst = verify(replay).identity.worst;
  replay.only_case = worst.number;
  const VerifyReport report = verify(replay);
  EXPECT_EQ(report.trials, 1U);
  EXPECT_EQ(report.identity.worst.left, worst.left);
  EXPECT_EQ(report.identity.worst.right, worst.right);
  EXPECT_EQ(report.identity.worst.bound, worst.bound);
}

TEST(Verify, ErrorsOfScoresAreToldForVectorsOfLength1Too) {
  VerifyOptions given = options("float32");
  given.embedding = default_embedding(2, 10000);
  given.given = VerifyCase{.m = 5, .n = 1, .shift = 1, .q = {3, 4}, .k = {0, 2}};
  const VerifyReport report = verify(given);
  const NotableCase& worst = report.identity.worst;
  ASSERT_GT(worst.error, 0);
  EXPECT_EQ(worst.relative().error, worst.error / 10);
  EXPECT_EQ(worst.relative().bound, worst.bound / 10);
  EXPECT_EQ(report.exact.relative().bound, report.exact.bound / 10);
  EXPECT_EQ(report.shift.relative().bound, report.shift.bound / 10);
  // The bound beside the largest relative error is that of the same case.
  const IdentityReport& identity = verify(options("float32")).identity;
  EXPECT_LT(identity.max_relative_error, identity.relative_bound);
  EXPECT_LT(identity.relative_bound, 1) << "a raw one is thousands";
  given.given->q = {0, 0};
  EXPECT_EQ(verify(given).identity.worst.relative().error, 0);
}

TEST(Verify, JudgesGivenVectorsAndTellsTheTwoSignsApart) {
  VerifyOptions given = options("exact");
  given.embedding.head_dim = 2;
  given.embedding.base.reset();
  given.embedding.frequencies = given_frequencies(std::vector<double>{0.5});
  VerifyCase vectors;
  vectors.q = {1, 2};
  vectors.k = {3, -1};
  vectors.m = 5;
  vectors.n = 2;
  given.given = vectors;
  const VerifyReport report = verify(given);
  EXPECT_EQ(report.verdict, Verdict::pass);
  // q·R(−1.5)k with R(φ) counter-clockwise; R(+1.5) would give 7.053202.
  EXPECT_NEAR(report.identity.worst.left, -6.911728, 5e-7);
  EXPECT_NEAR(report.identity.worst.right, -6.911728, 5e-7);
  given.control = find_control("wrong-sign");
  const VerifyReport mirrored = verify(given);
  EXPECT_EQ(mirrored.verdict, Verdict::fail);
  EXPECT_NEAR(mirrored.identity.worst.right, 7.053202, 5e-7);
}

TEST(Verify, ABoundThatSaysNothingIsInconclusive) {
  VerifyOptions far = options("float32");
  far.max_position = 1000000000;
  const VerifyReport report = verify(far);
  EXPECT_EQ(report.verdict, Verdict::inconclusive);
  EXPECT_GT(report.vacuous, 100U);
}

TEST(Verify, ALibmThatIsWorseThanAssumedIsInconclusive) {
  VerifyOptions strict = options("float64");
  strict.hypotheses.libm_ulp = 0.4999;
  const VerifyReport report = verify(strict);
  EXPECT_NE(report.verdict, Verdict::pass);
  EXPECT_GT(report.libm_ulp_observed, 0.4999);
}

TEST(Verify, ARequirementIsKeptApartFromTheBounds) {
  VerifyOptions strict = options("float32");
  strict.require = 1e-3;
  const VerifyReport report = verify(strict);
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_FALSE(*report.requirement_met);
  EXPECT_EQ(report.identity.violations, 0U);
  strict.require = 0.1;
  EXPECT_EQ(verify(strict).verdict, Verdict::pass);
}

TEST(Verify, MistakesThatChangeNothingAreNotHeldAgainstIt) {
  const VerifyReport report = verify(options("exact", 2));
  EXPECT_EQ(report.verdict, Verdict::pass);
  for (const ControlReport& control : report.controls) {
    const bool inert = control.outcome == ControlReport::Outcome::not_applicable;
    const std::set<std::string_view> expected = {
        "mixed-layouts",       "other-layout-right", "base-mismatch",
        "base-mismatch-right", "base-nearly-right",  "wrong-exponent",
        "wrong-base",          "wrong-rotary-dim",   "late-sine"};
    EXPECT_EQ(inert, expected.contains(control.control.name)) << control.control.name;
  }
}

TEST(Verify, CoversSizesBasesAndPartialRotation) {
  for (const std::string_view policy : {"exact", "float64", "float32"}) {
    for (const std::size_t dim :
         {std::size_t{2}, std::size_t{6}, std::size_t{96}, std::size_t{256}}) {
      for (const double base : {1.0, 0.5, 500.0, 1e4, 5e5, 1e8}) {
        if (dim > 6 && base != 1e4 && (base != 1e8 || dim > 96)) continue;  // they take long
        VerifyOptions each = options(policy, dim, base);
        each.embedding.head_dim = dim + 10;
        each.trials = 48;
        const VerifyReport report = verify(each);
        EXPECT_TRUE(report.verdict == Verdict::pass || report.verdict == Verdict::inconclusive)
            << policy << " d = " << dim << " base = " << base << ": " << report.reasons.front();
        EXPECT_EQ(report.identity.violations, 0U) << policy << " d = " << dim << " base = " << base;
        EXPECT_EQ(report.faithfulness.violations, 0U)
            << policy << " d = " << dim << " base = " << base;
      }
    }
  }
}

TEST(Verify, RefusesVectorsThatDoNotFit) {
  VerifyOptions given = options("float32", 2);
  VerifyCase vectors;
  vectors.q = {1, 2, 3};
  vectors.k = {1, 2};
  given.given = vectors;
  EXPECT_THROW(verify(given), ShapeError);
  vectors.q = {1, std::numeric_limits<double>::quiet_NaN()};
  given.given = vectors;
  EXPECT_THROW(verify(given), DomainError);
  vectors.q = {1, 0.1};  // no float32
  given.given = vectors;
  EXPECT_THROW(verify(given), DomainError);
  given.given.reset();
  given.trials = 0;
  EXPECT_THROW(verify(given), DomainError);
}

}  // namespace
}  // namespace rope
