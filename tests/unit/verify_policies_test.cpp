// What a verification says of the policies that are met in practice: those that are right, those
// that are faithful to the wrong angles, and those that cannot be judged.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

VerifyOptions options(const std::string& policy, std::size_t dim = 64, double base = 10000) {
  VerifyOptions result;
  result.embedding = default_embedding(dim, base);
  result.layouts = {PairLayout::interleaved, PairLayout::half};
  result.policy = parse_policy(policy);
  result.trials = 200;
  return result;
}

bool says(const VerifyReport& report, const std::string& part) {
  return std::ranges::any_of(report.reasons, [&](const std::string& reason) {
    return reason.find(part) != std::string::npos;
  });
}

std::string all_reasons(const VerifyReport& report) {
  std::string text;
  for (const std::string& reason : report.reasons) text += reason + "; ";
  return text;
}

/// The worst pair of vectors attains the defect as far as its format allows.
void expect_attained(const VerifyOptions& given, const CertificateReport& certificate) {
  const std::string& name = given.policy.name;
  ASSERT_TRUE(certificate.has_pair) << name;
  // k = (1, 0) is exact; rounding q turns it by u at most, and cos u ≥ 1 − u²/2. The defect is a
  // sum of products of numbers below 1 + E in 64 bits; norms are in double.
  const double u = limits(given.policy.input()).unit_roundoff;
  const double slack = 16 * 0x1p-64 / certificate.op_norm + 0x1p-50;
  if (given.policy.angle_rule != AngleRule::exact) {
    EXPECT_LT(slack, 1e-6) << name;
  }
  EXPECT_GE(certificate.attained_ratio_exact, 1 - u * u / 2 - slack) << name;
  EXPECT_LE(certificate.attained_ratio_exact, 1 + slack) << name;
}

/// No case broke any bound, whatever the table is compared with the truth.
void expect_no_violation(const VerifyReport& report, const std::string& what) {
  EXPECT_EQ(report.identity.violations, 0U) << what;
  EXPECT_LE(report.identity.max_ratio, 1) << what;
  EXPECT_LE(report.identity.max_ratio_a_priori, 1) << what;
  EXPECT_EQ(report.certificate.violations, 0U) << what;
  EXPECT_LE(report.certificate.max_ratio, 1) << what;
  EXPECT_EQ(report.exact_violations, 0U) << what;
  EXPECT_EQ(report.orthogonality_violations, 0U) << what;
  EXPECT_EQ(report.shift_violations, 0U) << what;
  EXPECT_EQ(report.not_finite, 0U) << what;
}

TEST(VerifyPolicies, NoneBreaksABoundAndAllWithRightFrequenciesAreFaithful) {
  const std::set<std::string> unfaithful = {"bfloat16-frequencies", "tf32", "float32-frequencies"};
  for (const Policy& policy : policies()) {
    VerifyOptions each = options(policy.name);
    each.trials = 500;
    each.max_position = 32759;  // the distance of two of them is still a float16
    const VerifyReport report = verify(each);
    expect_no_violation(report, policy.name);
    expect_attained(each, report.certificate);
    EXPECT_EQ(report.trials, 500U);
    EXPECT_EQ(report.faithfulness.violations > 0, unfaithful.contains(policy.name)) << policy.name;
    EXPECT_EQ(report.verdict == Verdict::fail, unfaithful.contains(policy.name))
        << policy.name << ": " << all_reasons(report);
    EXPECT_EQ(report.first_unfaithful.has_value(), unfaithful.contains(policy.name)) << policy.name;
    EXPECT_EQ(report.frequency_fault.has_value(), unfaithful.contains(policy.name)) << policy.name;
    EXPECT_LT(report.probabilistic.max_ratio, 1) << policy.name;
    EXPECT_EQ(report.probabilistic.exceeded, 0U) << policy.name;
  }
}

TEST(VerifyPolicies, FrequenciesInBfloat16KeepTheIdentityAndAreStillWrong) {
  const VerifyReport report = verify(options("bfloat16-frequencies"));
  expect_no_violation(report, "");
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_GT(report.faithfulness.violations, 0U);
  ASSERT_TRUE(report.first_unfaithful);
  EXPECT_EQ(report.first_unfaithful->position, 1);
  EXPECT_GT(report.first_unfaithful->error, report.first_unfaithful->bound);
  ASSERT_TRUE(report.frequency_fault);
  const FrequencyFault& fault = *report.frequency_fault;
  EXPECT_EQ(fault.used, round_to(Format::bfloat16, fault.used));
  EXPECT_EQ(fault.expected, default_embedding(64, 10000).frequencies.theta[fault.pair]);
  EXPECT_GT(std::abs(fault.used - fault.expected), 1000 * fault.granted);
  // It is the one that is furthest off, by what is granted.
  const RotaryEmbedding embedding = default_embedding(64, 10000);
  const ErrorBounds bounds({*find_policy("bfloat16-frequencies"), embedding});
  const double worst = std::abs(fault.used - fault.expected) / fault.granted;
  for (std::size_t k = 1; k < 32; ++k) {
    const double theta = embedding.frequencies.theta[k];
    const double off = std::abs(round_to(Format::bfloat16, theta) - theta);
    EXPECT_LE(off / bounds.granted_frequency_error(k), worst * (1 + 1e-9)) << k;
  }
  EXPECT_TRUE(says(report, "from position 1 on"));
  EXPECT_TRUE(says(report, "the identity still holds"));
}

/// The first position at which a row is off by more than its bound, by MPFR.
std::int64_t first_by_reference(const Pipeline& pipeline, std::int64_t last) {
  const ErrorBounds bounds(pipeline);
  const ReferenceRotation reference(pipeline.embedding());
  RotationRow row;
  std::vector<double> limits;
  for (std::int64_t position = 1; position <= last; ++position) {
    pipeline.table_row(position, row);
    bounds.faithfulness(position, limits);
    const auto truth = reference.row(position);
    for (std::size_t k = 0; k < truth.size(); ++k) {
      const double c = truth[k].cos.distance(row.cos[k]), s = truth[k].sin.distance(row.sin[k]);
      if (std::sqrt(c * c + s * s) > limits[k]) return position;
    }
  }
  return 0;
}

TEST(VerifyPolicies, TheFirstUnfaithfulPositionIsTheFirstAndItsPairTheWorst) {
  for (const char* name : {"float32-frequencies", "tf32", "bfloat16-frequencies"})
    for (const double base : {1e4, 5e5, 1e6}) {
      const RotaryEmbedding embedding = default_embedding(64, base);
      const Pipeline pipeline(*find_policy(name), embedding);
      const ErrorBounds bounds(pipeline);
      const Scheme scheme(pipeline.policy(), right_scheme(embedding));
      const std::optional<UnfaithfulEntry> found = first_unfaithful(scheme, embedding, bounds);
      ASSERT_TRUE(found) << name;
      EXPECT_EQ(found->position, first_by_reference(pipeline, found->position)) << name;
      const Faithfulness there =
          FaithfulnessCheck(embedding, {found->position}).check(scheme, bounds);
      EXPECT_EQ(found->pair, there.pair) << name << " at " << found->position;
      EXPECT_EQ(found->bound, there.bound) << name;
      EXPECT_NEAR(found->error, there.error, 2 * std::numbers::sqrt2 * kCosSinError) << name;
    }
  const RotaryEmbedding embedding = default_embedding(64, 10000);
  const Pipeline right(*find_policy("float32"), embedding);
  EXPECT_FALSE(first_unfaithful(Scheme(right.policy(), right_scheme(embedding)), embedding,
                                ErrorBounds(right)));
}

TEST(VerifyPolicies, PositionsInBfloat16AreInconclusiveBecauseEverythingConforms) {
  VerifyOptions historic = options("bfloat16-positions");
  historic.max_position = 131072;
  const VerifyReport report = verify(historic);
  expect_no_violation(report, "");
  EXPECT_EQ(report.faithfulness.violations, 0U);
  EXPECT_EQ(report.verdict, Verdict::inconclusive);
  EXPECT_GT(report.vacuous, 100U);
  EXPECT_LT(report.vacuous, 200U);
  ASSERT_EQ(report.reasons.size(), 1U) << all_reasons(report);
  EXPECT_TRUE(says(report, "in " + std::to_string(report.vacuous) +
                               " of 200 cases nothing is proven: with positions in bf16"));
  // Up to 8 a certificate means something.
  historic.max_position = 8;
  const VerifyReport near = verify(historic);
  EXPECT_EQ(near.vacuous, 0U);
  EXPECT_EQ(near.verdict, Verdict::pass) << all_reasons(near);
}

TEST(VerifyPolicies, PositionsBeyondTheLargestFloat16AreAFailureWithAReason) {
  VerifyOptions far = options("float16-positions");
  far.max_position = 40000;  // distances and shifted positions go beyond 65519
  const VerifyReport report = verify(far);
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_GT(report.not_finite, 0U);
  EXPECT_LT(report.not_finite, 200U);
  EXPECT_EQ(report.identity.violations, 0U) << "no other count has them";
  EXPECT_EQ(report.shift_violations, 0U);
  EXPECT_EQ(report.exact_violations, 0U);
  ASSERT_TRUE(report.first_not_finite && report.not_finite_stage);
  const NotableCase& first = *report.first_not_finite;
  EXPECT_EQ(report.not_finite_stage->stage, Stage::position);
  EXPECT_TRUE(says(report, "in " + std::to_string(report.not_finite) +
                               " of 200 cases the score is infinite or NaN, first at m = " +
                               std::to_string(first.m) + ", n = " + std::to_string(first.n) +
                               ": position " + std::to_string(report.not_finite_stage->position) +
                               " overflows f16, whose largest number is 65504"))
      << all_reasons(report);
  // Every case before it is finite.
  far.only_case = first.number;
  EXPECT_EQ(verify(far).not_finite, 1U);
  far.only_case.reset();
  ASSERT_GT(first.number, 0U);
  far.trials = first.number;
  EXPECT_EQ(verify(far).not_finite, 0U);
}

TEST(VerifyPolicies, AScoreThatIsNoNumberNamesTheStageThatMadeItSo) {
  const auto reason = [](const std::string& policy, std::size_t dim, double base,
                         std::int64_t last) {
    VerifyOptions each = options(policy, dim);
    each.embedding = default_embedding(dim, base);
    each.policy = parse_policy(policy);
    each.max_position = last;
    const VerifyReport report = verify(each);
    EXPECT_EQ(report.verdict, Verdict::fail) << policy;
    EXPECT_GT(report.not_finite, 0U) << policy;
    return all_reasons(report);
  };
  const auto names = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  names(reason("accumulate=f16,angle=f32", 128, 1e4, 131072),
        "the sum of the products overflows f16, whose largest number is 65504");
  names(reason("float16-positions", 8, 0.5, 30000), ": the angle at position ");
}

TEST(VerifyPolicies, APlantedMistakeThatRoundingHidesIsNoPass) {
  VerifyOptions hidden = options("bfloat16-table", 64);
  hidden.max_position = 2;
  hidden.control = find_control("base-nearly-right");
  const VerifyReport report = verify(hidden);
  EXPECT_EQ(report.verdict, Verdict::inconclusive);
  EXPECT_TRUE(says(report, "the planted mistake stays within the rounding of this policy"))
      << all_reasons(report);
}

TEST(VerifyPolicies, ARequirementThatIsNotMetNamesTheCase) {
  VerifyOptions strict = options("float32", 128);
  strict.require = 1e-3;
  const VerifyReport report = verify(strict);
  const CertificateReport& c = report.certificate;
  EXPECT_EQ(report.verdict, Verdict::fail);
  EXPECT_FALSE(report.requirement_met.value());
  EXPECT_GT(c.op_norm, 1e-3);
  EXPECT_TRUE(says(report, "not good enough: at m = " + std::to_string(c.m) +
                               ", n = " + std::to_string(c.n) + ", pair " + std::to_string(c.pair)))
      << all_reasons(report);
  // Where the table is good enough, rotation and sum may still not be.
  strict.require = c.op_norm + c.eval_error_coefficient * 0.5;
  EXPECT_EQ(verify(strict).verdict, Verdict::fail);
  EXPECT_TRUE(says(verify(strict), "rotating and summing"));
  strict.require = c.op_norm + c.eval_error_coefficient;
  EXPECT_EQ(verify(strict).verdict, Verdict::pass);
}

TEST(VerifyPolicies, TheWorstPairMustMeetItsBoundsToo) {
  // Were libm 20 times better than it is, these tables would break their bound: once in the case
  // that was given, and once more in the worst vectors that were made from it.
  VerifyOptions strict = options("float32", 2);  // θ_0 = 1: angles are exact
  strict.layouts = {PairLayout::half};
  VerifyCase vectors;
  vectors.q = vectors.k = {1, 0.5};
  vectors.m = 3;
  vectors.n = 10;
  strict.given = vectors;
  strict.hypotheses.libm_ulp = 0.05;
  EXPECT_EQ(verify(strict).certificate.violations, 2U);
  strict.hypotheses.libm_ulp = 1;
  EXPECT_EQ(verify(strict).certificate.violations, 0U);
}

TEST(VerifyPolicies, ALibmThatIsWorseThanAssumedLeavesItOpen) {
  const VerifyReport plain = verify(options("float32"));
  ASSERT_EQ(plain.verdict, Verdict::pass) << all_reasons(plain);
  EXPECT_GT(plain.libm_ulp_observed, 0.4);
  EXPECT_GT(plain.pow_ulp_observed, 0.3);
  // A bound that is lower by a thousandth is not what fails.
  VerifyOptions strict = options("float32");
  strict.hypotheses.libm_ulp = plain.libm_ulp_observed * 0.999;
  const VerifyReport trig = verify(strict);
  EXPECT_EQ(trig.verdict, Verdict::inconclusive) << all_reasons(trig);
  ASSERT_EQ(trig.reasons.size(), 1U) << all_reasons(trig);
  EXPECT_TRUE(says(trig, "cos and sin on this machine are off by"));
  strict = options("float32");
  strict.hypotheses.pow_ulp = plain.pow_ulp_observed * 0.999;
  const VerifyReport power = verify(strict);
  EXPECT_EQ(power.verdict, Verdict::inconclusive) << all_reasons(power);
  ASSERT_EQ(power.reasons.size(), 1U) << all_reasons(power);
  EXPECT_TRUE(says(power, "pow on this machine is off by"));
  EXPECT_EQ(verify(options("exact")).libm_ulp_observed, 0) << "uses none";
}

TEST(VerifyPolicies, BothSidesAreComparedWithTheExactScore) {
  // Mistakes of both sides alike, of the left one and of the right one.
  for (const char* name : {"wrong-base", "no-rotation", "negative-query", "wrong-sign"}) {
    VerifyOptions wrong = options("float32");
    wrong.trials = 48;
    wrong.max_position = 4000;
    wrong.control = find_control(name);
    const VerifyReport report = verify(wrong);
    EXPECT_GT(report.exact_violations, 24U) << name;
    EXPECT_TRUE(report.exact.violated()) << name;
    EXPECT_TRUE(says(report, "a score is further from the exact one than rounding allows")) << name;
  }
}

TEST(VerifyPolicies, RefusesAMistakeThatChangesNothing) {
  VerifyOptions one = options("float64", 2);
  one.control = find_control("wrong-base");  // θ_0 = 1 with every base
  EXPECT_TRUE(changes_nothing(*one.control, one.embedding));
  EXPECT_THROW(verify(one), DomainError);
  EXPECT_FALSE(changes_nothing(*one.control, default_embedding(4, 10000)));
  one.control = find_control("wrong-sign");
  EXPECT_FALSE(changes_nothing(*one.control, one.embedding));
  EXPECT_EQ(verify(one).verdict, Verdict::fail);
}

TEST(VerifyPolicies, RefusesVectorsOfWhichTheScoreCouldOverflow) {
  const auto verdict = [](const std::string& policy, double q, double k) {
    VerifyOptions given = options(policy, 2);
    VerifyCase vectors;
    vectors.q = {q, 0};
    vectors.k = {k, 0};
    vectors.m = 1;
    vectors.n = 3;
    given.given = vectors;
    return verify(given).verdict;
  };
  EXPECT_THROW(verdict("float32", 0x1p64, 0x1p63), DomainError);
  EXPECT_EQ(verdict("float32", 0x1p63, 0x1p63), Verdict::pass);
  EXPECT_THROW(verdict("float32,accumulate=f16", 256, 128), DomainError) << "twice 2^15 is 2^16";
  EXPECT_EQ(verdict("float32,accumulate=f16", 128, 128), Verdict::pass);
  EXPECT_THROW(verdict("float64", 1e200, 1e200), DomainError);
  // A rotated number alone may do so too.
  EXPECT_THROW(verdict("float16-table", 0x1p15, 0x1p-10), DomainError);
  EXPECT_THROW(verdict("float16-table", 0x1p-10, 0x1p15), DomainError);
  EXPECT_EQ(verdict("float16-table", 0x1p14, 0x1p-10), Verdict::pass);
  EXPECT_THROW(verdict("float32,store=f16", 0x1p15, 1), DomainError);
  EXPECT_EQ(verdict("float8-store", 0x1p15, 1), Verdict::pass) << "scaled";
}

TEST(VerifyPolicies, ShortVectorsOfAFormatThatUnderflowsAreNotHeldAgainstIt) {
  VerifyOptions given = options("float16-table");
  const CaseMaker maker(7, 64, 4000, Format::float16);
  for (std::uint64_t number = 0; number < 3; ++number) {
    VerifyCase vectors;
    maker.make(number, vectors);
    for (std::vector<double>* x : {&vectors.q, &vectors.k})
      for (double& value : *x) value = round_to(Format::float16, std::ldexp(value, -22));
    given.given = vectors;
    expect_no_violation(verify(given), "case " + std::to_string(number));
  }
}

TEST(VerifyPolicies, ControlsAreJudgedWhereThePolicyCanTellThem) {
  // As far as the identity's bound stays below a fourth, at most to 1000 and at least to 4.
  for (const Policy& policy : policies()) {
    const RotaryEmbedding embedding = default_embedding(64, 10000);
    const std::int64_t range = control_range(embedding, policy, {});
    const ErrorBounds bounds({policy, embedding});
    EXPECT_LE(range, 1000) << policy.name;
    EXPECT_GE(range, 4) << policy.name;
    const auto largest_up_to = [&](std::int64_t last) {
      double largest = 0;
      for (std::size_t k = 0; k < embedding.pairs(); ++k)
        largest = std::max(largest, bounds.identity_up_to(last, k));
      return largest;
    };
    EXPECT_TRUE(range == 4 || largest_up_to(2 * range) < 0.25) << policy.name;
    EXPECT_TRUE(range == 1000 || !(largest_up_to(4 * range) < 0.25)) << policy.name;
  }
  EXPECT_EQ(control_range(default_embedding(64, 10000), *find_policy("float32"), {}), 1000);
  EXPECT_LT(control_range(default_embedding(64, 10000), *find_policy("bfloat16-positions"), {}),
            32);
}

}  // namespace
}  // namespace rope
