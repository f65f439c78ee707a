// The bounds of any pipeline that can be stated: any stage list, size, base, position, attention
// factor and size of vectors, down to subnormal numbers and up to overflow, against the truth in 60
// digits. Where a score is not a finite number there is nothing to bound, but a stage to name.
#include <gtest/gtest.h>

#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "rope/precision/length.hpp"
#include "rope/precision/not_finite.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/verify/case_check.hpp"
#include "support/random_setting.hpp"

namespace rope {
namespace {

using Real = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<60, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

constexpr std::uint64_t kSeed = 20261124;

/// A number of the plane, as a block of cos and sin is one.
struct Turn {
  Real x, y;
};

Turn operator-(const Turn& a, const Turn& b) { return {a.x - b.x, a.y - b.y}; }
Turn operator*(const Real& a, const Turn& b) { return {a * b.x, a * b.y}; }
Turn conj_times(const Turn& a, const Turn& b) {
  return {a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x};
}
Real length(const Turn& a) { return sqrt(a.x * a.x + a.y * a.y); }

/// e^{ipθ} and what a pipeline has in its place.
class Tables {
 public:
  explicit Tables(const Pipeline& pipeline) : pipeline_(pipeline) {
    const RotaryEmbedding& embedding = pipeline.embedding();
    for (std::size_t k = 0; k < embedding.pairs(); ++k)
      theta_.push_back(embedding.base
                           ? pow(Real(*embedding.base), -Real(2 * k) / Real(embedding.rotary_dim()))
                           : Real(embedding.frequencies.theta[k]));
  }

  const Real& theta(std::size_t k) const { return theta_[k]; }
  Turn exact(std::int64_t position, std::size_t k) const {
    const Real angle = Real(position) * theta_[k];
    return {cos(angle), sin(angle)};
  }
  Turn computed(std::int64_t position, std::size_t k) const {
    const CosSin entry = pipeline_.table_entry(position, k);
    return {Real(entry.cos), Real(entry.sin)};
  }

 private:
  const Pipeline& pipeline_;
  std::vector<Real> theta_;
};

/// A bound in double is right but for the rounding of what it is compared with.
testing::AssertionResult within(const Real& error, const Real& bound) {
  if (error <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure() << error.str(6) << " is beyond " << bound.str(6) << ", "
                                     << (error / bound).str(6) << " times";
}

/// One setting: its tables, bounds and cases.
class Trial {
 public:
  Trial(const test::Setting& setting, std::uint64_t number)
      : setting_(setting),
        claimed_(setting.policy, setting.embedding),
        scheme_(setting.policy, right_scheme(claimed_.embedding())),
        check_(scheme_, claimed_, {}),
        tables_(claimed_),
        maker_(kSeed + number, setting.embedding.head_dim, setting.range, setting.policy.input()),
        factor_(setting.embedding.attention_factor),
        draw_(kSeed, ~number) {}

  void run(std::uint64_t number) {
    VerifyCase given;
    maker_.make(number, given);
    test::resize_vectors(setting_, given);
    SCOPED_TRACE(setting_.text() + ", case " + std::to_string(number) +
                 ", m = " + std::to_string(given.m) + ", n = " + std::to_string(given.n));
    const CaseResult result = check_.check(given, RotationForm::elementwise);
    if (!result.finite) {
      const auto found = first_not_finite(claimed_, given.m, given.n, given.q, given.k);
      const auto shifted = first_not_finite(claimed_, given.m + given.shift, given.n + given.shift,
                                            given.q, given.k);
      EXPECT_TRUE(found || shifted) << "no stage made the score infinite or NaN";
      return;
    }
    ++finite;
    EXPECT_FALSE(result.violated());
    const bool bounded = std::isfinite(result.identity.bound) && std::isfinite(result.exact.bound);
    EXPECT_TRUE(bounded || result.vacuous) << "an infinite bound says nothing";
    tables(given);
    scores(given, result);
    rotated(given.n, given.k);
    any_frequency();
  }

  std::uint64_t finite = 0, turned = 0, other_frequencies = 0;

 private:
  void tables(const VerifyCase& given) {
    const ErrorBounds& bounds = check_.bounds();
    const std::int64_t r = given.n - given.m, s = given.shift;
    std::vector<double> identity, shift, left, right;
    bounds.identity(given.m, given.n, r, identity);
    bounds.shift(given.m, given.n, s, shift);
    bounds.exact(given.m, given.n, r, left);
    bounds.exact(r, right);
    exact_score_ = left_bound_ = right_bound_ = identity_bound_ = certificate_ = 0;
    const Real square = factor_ * factor_;
    for (std::size_t k = 0; k < identity.size(); ++k) {
      const auto at = [&](std::int64_t p) { return tables_.computed(p, k); };
      const Turn product = conj_times(at(given.m), at(given.n)), exact = tables_.exact(r, k);
      const Turn relative = at(r);
      const Real defect = length(product - factor_ * relative);
      ASSERT_TRUE(within(defect, square * identity[k])) << "T of pair " << k;
      ASSERT_TRUE(
          within(length(product - conj_times(at(given.m + s), at(given.n + s))), square * shift[k]))
          << "shift of pair " << k;
      ASSERT_TRUE(within(length(product - square * exact), square * left[k])) << "C of pair " << k;
      ASSERT_TRUE(within(length(relative - factor_ * exact), factor_ * right[k]))
          << "(2') of pair " << k;
      const auto [i, j] = claimed_.embedding().dimensions(k);
      const Turn q = {Real(given.q[i]), Real(given.q[j])},
                 key = {Real(given.k[i]), Real(given.k[j])};
      const Turn together = conj_times(q, key);
      exact_score_ += square * (together.x * exact.x - together.y * exact.y);
      const Real weight = square * length(q) * length(key);
      identity_bound_ += identity[k] * weight;
      left_bound_ += left[k] * weight;
      right_bound_ += right[k] * weight;
      if (defect > certificate_) certificate_ = defect;
    }
    for (std::size_t i = claimed_.embedding().rotary_dim(); i < given.q.size(); ++i)
      exact_score_ += Real(given.q[i]) * Real(given.k[i]);
  }

  void scores(const VerifyCase& given, const CaseResult& result) {
    const Real left(result.left), right(result.right), error = abs(left - right);
    const double q = vector_length(given.q), k = vector_length(given.k);
    const Real of_left(check_.bounds().rotated_score(q, k));
    const Real of_right(check_.bounds().relative_score(q, k));
    EXPECT_TRUE(within(error, identity_bound_ + of_left + of_right)) << "a priori";
    EXPECT_TRUE(within(error, Real(result.identity.bound))) << "running";
    EXPECT_TRUE(within(error, Real(result.a_priori_bound))) << "a priori, as told";
    EXPECT_TRUE(within(error, Real(result.from_certificate.bound))) << "from the certificate";
    EXPECT_TRUE(within(abs(left - exact_score_), left_bound_ + of_left)) << "the exact score";
    EXPECT_TRUE(within(abs(right - exact_score_), right_bound_ + of_right)) << "the exact score";
    ASSERT_TRUE(result.defect);
    EXPECT_TRUE(within(
        abs(Real(result.defect->norm) - certificate_),
        factor_ * factor_ * Real(kDefectError) + certificate_ * Real(0x1p-52) + Real(0x1p-1074)))
        << "the certificate itself";
  }

  /// One vector, where the frequencies are no worse than granted.
  void rotated(std::int64_t position, const std::vector<double>& x) {
    const ErrorBounds& bounds = check_.bounds();
    for (std::size_t k = 0; k < claimed_.theta().size(); ++k)
      if (!(bounds.frequency_error(k) <= bounds.granted_frequency_error(k))) return;
    RotationRow row;
    claimed_.table_row(position, row);
    std::vector<double> y(x.size()), per_pair;
    claimed_.rotate_blocks({row.cos, row.sin, row.sin}, x, y);
    const double through = bounds.rotated(position, x, per_pair);
    for (std::size_t k = 0; k < per_pair.size(); ++k) {
      const auto [i, j] = claimed_.embedding().dimensions(k);
      const Turn turn = tables_.exact(position, k);
      const Turn exact = {factor_ * (Real(x[i]) * turn.x - Real(x[j]) * turn.y),
                          factor_ * (Real(x[i]) * turn.y + Real(x[j]) * turn.x)};
      EXPECT_TRUE(within(length(Turn{Real(y[i]), Real(y[j])} - exact), Real(per_pair[k])))
          << "rotated pair " << k;
    }
    for (std::size_t i = claimed_.embedding().rotary_dim(); i < x.size(); ++i)
      EXPECT_TRUE(within(abs(Real(y[i]) - Real(x[i])), Real(through))) << "passes through: " << i;
    ++turned;
  }

  /// A table made from other frequencies than this machine's, no worse than granted, at a position
  /// of few bits.
  void any_frequency() {
    const Policy& policy = claimed_.policy();
    if (policy.angle_rule == AngleRule::recurrence) return;
    const auto k = static_cast<std::size_t>(
        draw_.integer(0, static_cast<std::int64_t>(claimed_.theta().size()) - 1));
    const double granted = check_.bounds().granted_frequency_error(k);
    const double theta = claimed_.embedding().frequencies.theta[k];
    const double used = round_to(policy.frequency, theta + draw_.uniform(-1, 1) * granted);
    if (!(abs(Real(used) - tables_.theta(k)) <= Real(granted))) return;
    const std::int64_t position = draw_.integer(1, 15) << draw_.integer(0, 10);
    double angle = round_to(policy.angle, claimed_.position(position) * used);
    if (!std::isfinite(angle)) return;
    if (policy.reduced)
      angle = round_to(Format::float32, std::remainder(angle, 2 * std::numbers::pi));
    const double a = round_to(policy.trig(), setting_.embedding.attention_factor);
    const auto stored = [&](const Real& value) {
      const double computed = round_to(policy.trig(), value.convert_to<double>());
      return Real(round_to(policy.table, round_to(policy.trig(), computed * a)));
    };
    const Turn entry = {stored(cos(Real(angle))), stored(sin(Real(angle)))};
    if (!isfinite(entry.x) || !isfinite(entry.y)) return;
    std::vector<double> per_pair;
    check_.bounds().faithfulness(position, per_pair);
    EXPECT_TRUE(
        within(length(entry - factor_ * tables_.exact(position, k)), factor_ * Real(per_pair[k])))
        << "theta " << used << " for " << theta << " at " << position;
    ++other_frequencies;
  }

  const test::Setting& setting_;
  Pipeline claimed_;
  Scheme scheme_;
  CaseCheck check_;
  Tables tables_;
  CaseMaker maker_;
  Real factor_;
  test::Draw draw_;
  Real exact_score_, identity_bound_, left_bound_, right_bound_, certificate_;
};

TEST(AnyBounds, HoldForAnyStageListAtSixtyDigits) {
  std::uint64_t finite = 0, turned = 0, other_frequencies = 0;
  for (std::uint64_t number = 0; number < 3000; ++number) {
    const std::size_t largest_dim = number % 500 == 0 ? 4096 : 48;
    const test::Setting setting = test::draw_setting(kSeed, number, largest_dim);
    Trial trial(setting, number);
    for (std::uint64_t i = 0; i < 3; ++i) trial.run(7 * number + i);
    finite += trial.finite;
    turned += trial.turned;
    other_frequencies += trial.other_frequencies;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(finite, 5000U);
  EXPECT_GT(turned, 500U);
  EXPECT_GT(other_frequencies, 500U);
}

}  // namespace
}  // namespace rope
