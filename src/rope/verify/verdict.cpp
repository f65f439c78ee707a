#include "rope/verify/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "rope/precision/largest.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

/// printf's %.Ng.
std::string number(double value, int digits) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string short_number(double value) { return number(value, 3); }
std::string six_digits(double value) { return number(value, 6); }

std::string angle_format(const Policy& policy) { return std::string(limits(policy.angle).name); }

class Judge {
 public:
  Judge(const VerifyOptions& options, VerifyReport& report) : options_(options), report_(report) {}

  void decide() {
    add_failures();
    const bool failed = !report_.reasons.empty();
    const std::size_t failures = report_.reasons.size();
    add_open_questions(failed);
    const bool open = report_.reasons.size() > failures;
    bool blind = false;
    for (const ControlReport& control : report_.controls) {
      if (control.outcome != ControlReport::Outcome::not_rejected) continue;
      blind = true;
      reason("the planted mistake '" + std::string(control.control.name) +
             "' was not rejected: this verdict cannot be trusted");
    }
    if (report_.axes && !report_.axes->trusted()) {
      blind = true;
      reason("a mistake planted in the axes was not rejected: this verdict cannot be trusted");
    }
    report_.verdict = blind    ? Verdict::self_test_failed
                      : failed ? Verdict::fail
                      : open   ? Verdict::inconclusive
                               : Verdict::pass;
  }

 private:
  void reason(const std::string& text) {
    report_.reasons.push_back(text);
    report_.causes.push_back(text);
  }

  void count(std::uint64_t violations, const std::string& what) {
    if (violations > 0) report_.reasons.push_back(cases(violations) + what);
  }

  /// "in 3 of 2000 cases ". A case that was given is computed in several ways.
  std::string cases(std::uint64_t count) const {
    if (report_.trials == 1 || (options_.given && count == report_.trials)) return "in this case ";
    if (options_.given)
      return "in " + std::to_string(count) + " of the " + std::to_string(report_.trials) +
             " ways to compute this case ";
    return "in " + std::to_string(count) + " of " + std::to_string(report_.trials) + " cases ";
  }

  void add_failures() {
    if (report_.not_finite > 0) {
      const NotableCase& first = *report_.first_not_finite;
      reason(cases(report_.not_finite) + "the score is infinite or NaN, the first at m = " +
             std::to_string(first.m) + ", n = " + std::to_string(first.n) + cause());
    }
    count(report_.identity.violations, "the two sides differ by more than rounding");
    count(report_.certificate.violations, "the tables let some q, k differ by more than rounding");
    count(report_.exact_violations, "a score is further from the exact one than rounding allows");
    count(report_.orthogonality_violations, "a rotation changes lengths");
    count(report_.shift_violations, "the score changes when both positions shift");
    if (report_.axes) {
      count(report_.axes->violations,
            "the two sides differ by more than rounding, with positions on several axes");
      count(report_.axes->shift_violations,
            "the score changes when both positions shift along one axis");
    }
    add_unfaithfulness();
    add_requirement();
  }

  /// ": the angle at position 18473 leaves f16, which ends at 65504"
  std::string cause() const {
    const std::optional<NotFinite>& found = report_.not_finite_stage;
    if (!found) return {};
    const FormatLimits& format = limits(found->format);
    const std::string at = " at position " + std::to_string(found->position);
    const std::string leaves =
        " leaves " + std::string(format.name) + ", which ends at " + six_digits(format.largest);
    switch (found->stage) {
      case Stage::position:
        return ": position " + std::to_string(found->position) + leaves;
      case Stage::angle:
        return ": the angle" + at + leaves;
      case Stage::table:
        return ": cos or sin" + at + leaves;
      case Stage::apply:
        return ": a rotated number" + at + leaves;
      case Stage::store:
        if (options_.policy.store == Format::float8)
          return ": the scale by which the vector" + at + " is stored in e4m3 leaves " +
                 std::string(format.name) + ", whose smallest number is " +
                 six_digits(format.underflow);
        return ": a stored number" + at + leaves;
      case Stage::accumulate:
        break;
    }
    return ": the sum of the products leaves " + std::string(format.name) + ", which ends at " +
           six_digits(format.largest);
  }

  void add_unfaithfulness() {
    const Faithfulness& f = report_.faithfulness;
    if (f.violations == 0) return;
    std::string text = std::to_string(f.violations) + " of " + std::to_string(f.entries) +
                       " table entries are not cos and sin of the angles they should be";
    if (report_.first_unfaithful) {
      const UnfaithfulEntry& first = *report_.first_unfaithful;
      text += ", from position " + std::to_string(first.position) + " on (pair " +
              std::to_string(first.pair) + ": " +
              (std::isnan(first.error) ? std::string("not a number")
                                       : "off by " + short_number(first.error) + " where " +
                                             short_number(first.bound) + " is rounding") +
              ")";
    }
    reason(text);
    if (!report_.frequency_fault) return;
    const FrequencyFault& fault = *report_.frequency_fault;
    const double off = std::abs(fault.used - fault.expected) / fault.expected;
    reason("the frequencies are not the right ones: theta of pair " + std::to_string(fault.pair) +
           " is " + six_digits(fault.used) + " instead of " + six_digits(fault.expected) +
           ", a relative error of " + short_number(off) + " where angles in " +
           angle_format(options_.policy) + " explain " +
           short_number(fault.granted / fault.expected));
    if (report_.identity.violations == 0 && report_.certificate.violations == 0)
      reason("the identity holds all the same: scores depend on n − m, by the wrong angles");
  }

  void add_requirement() {
    if (!options_.require) return;
    const CertificateReport& c = report_.certificate;
    report_.requirement_met =
        c.measured && c.op_norm + c.eval_error_coefficient <= *options_.require;
    if (*report_.requirement_met) return;
    if (c.op_norm > *options_.require)
      reason("not good enough: at m = " + std::to_string(c.m) + ", n = " + std::to_string(c.n) +
             " pair " + std::to_string(c.pair) + " lets some q, k be off by " +
             short_number(c.op_norm) + " |q||k|, more than the required " +
             short_number(*options_.require));
    else
      reason("not good enough: with what rotating and summing add, some q and k may be off by " +
             short_number(c.op_norm + c.eval_error_coefficient) +
             " |q||k|, more than the required " + short_number(*options_.require));
  }

  void add_open_questions(bool failed) {
    if (options_.control && !failed)
      reason(
          "the planted mistake stays within the rounding of this policy: nothing distinguishes it "
          "from " +
          std::string("the right formula here"));
    if (options_.given && !report_.given.empty() && report_.given.front().norms == 0)
      reason("q or k is zero, and every score of a zero vector is 0");
    if (report_.unbounded > 0)
      reason(cases(report_.unbounded) +
             "a bound is no finite number: q and k are too large for anything to be proven");
    if (report_.vacuous > report_.unbounded)
      reason(cases(report_.vacuous - report_.unbounded) + "nothing is proven: positions in " +
             std::string(limits(options_.policy.position).name) + " and angles in " +
             angle_format(options_.policy) + " may turn a pair by a radian or more");
    if (report_.libm_ulp_observed > options_.hypotheses.libm_ulp)
      reason("cos and sin of this machine are off by " + short_number(report_.libm_ulp_observed) +
             " ulp, more than the " + short_number(options_.hypotheses.libm_ulp) +
             " that the bounds assume");
    if (report_.pow_ulp_observed > options_.hypotheses.pow_ulp)
      reason("pow of this machine is off by " + short_number(report_.pow_ulp_observed) +
             " ulp, more than the " + short_number(options_.hypotheses.pow_ulp) +
             " that the bounds assume");
    if (!report_.round_to_nearest) reason("the rounding mode is not to nearest");
    const auto outcome_is = [](ControlReport::Outcome outcome) {
      return [outcome](const ControlReport& control) { return control.outcome == outcome; };
    };
    if (std::ranges::any_of(report_.controls, outcome_is(ControlReport::Outcome::undetectable)) &&
        std::ranges::none_of(report_.controls, outcome_is(ControlReport::Outcome::rejected)))
      reason("every planted mistake is smaller than this policy's rounding");
  }

  const VerifyOptions& options_;
  VerifyReport& report_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::self_test_failed:
      break;
  }
  return "self_test_failed";
}

void decide(const VerifyOptions& options, VerifyReport& report) { Judge(options, report).decide(); }

}  // namespace rope
