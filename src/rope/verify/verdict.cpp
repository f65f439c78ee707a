#include "rope/verify/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rope/language/said.hpp"
#include "rope/precision/largest.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

std::string short_number(double value) { return fmt::format("{:.3g}", value); }
std::string six_digits(double value) { return fmt::format("{:.6g}", value); }

std::string angle_format(const Policy& policy) { return std::string(limits(policy.angle).name); }

class Judge {
 public:
  Judge(const VerifyOptions& options, VerifyReport& report, Language language)
      : options_(options), report_(report), language_(language) {}

  void decide() {
    report_.reasons.clear();
    report_.causes.clear();
    add_failures();
    const bool failed = !report_.reasons.empty();
    const std::size_t failures = report_.reasons.size();
    add_open_questions(failed);
    const bool open = report_.reasons.size() > failures;
    bool blind = false;
    for (const ControlReport& control : report_.controls) {
      if (control.outcome != ControlReport::Outcome::not_rejected) continue;
      blind = true;
      reason(said(language_,
                  "the planted mistake '{}' was not rejected: this verdict cannot be trusted",
                  control.control.name));
    }
    if (report_.axes && !report_.axes->trusted()) {
      blind = true;
      reason(
          said(language_,
               "a mistake planted in the axes was not rejected: this verdict cannot be trusted"));
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

  void count(std::uint64_t violations, std::string_view what) {
    if (violations > 0)
      report_.reasons.push_back(cases(violations) + std::string(translated(what, language_)));
  }

  /// "in 3 of 2000 cases ". A case that was given is computed in several ways.
  std::string cases(std::uint64_t count) const {
    if (report_.trials == 1 || (options_.given && count == report_.trials))
      return said(language_, "in this case ");
    if (options_.given)
      return said(language_, "in {} of the {} ways to compute this case ", count, report_.trials);
    return said(language_, "in {} of {} cases ", count, report_.trials);
  }

  void add_failures() {
    if (report_.not_finite > 0) {
      const NotableCase& first = *report_.first_not_finite;
      reason(cases(report_.not_finite) +
             said(language_, "the score is infinite or NaN, first at m = {}, n = {}{}", first.m,
                  first.n, cause()));
    }
    count(report_.identity.violations, "the two sides differ by more than rounding");
    count(report_.certificate.violations,
          "the tables make the two sides differ by more than rounding for some q, k");
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

  /// ": the angle at position 18473 overflows f16, whose largest number is 65504"
  std::string cause() const {
    const std::optional<NotFinite>& found = report_.not_finite_stage;
    if (!found) return {};
    const FormatLimits& format = limits(found->format);
    const std::string ends = said(language_, " overflows {}, whose largest number is {}",
                                  format.name, six_digits(format.largest));
    switch (found->stage) {
      case Stage::position:
        return said(language_, ": position {}{}", found->position, ends);
      case Stage::angle:
        return said(language_, ": the angle at position {}{}", found->position, ends);
      case Stage::table:
        return said(language_, ": cos or sin at position {}{}", found->position, ends);
      case Stage::apply:
        return said(language_, ": a rotated number at position {}{}", found->position, ends);
      case Stage::store:
        if (options_.policy.store == Format::float8)
          return said(language_,
                      ": the scale with which the vector at position {} is stored in e4m3{}",
                      found->position, ends);
        return said(language_, ": a stored number at position {}{}", found->position, ends);
      case Stage::accumulate:
        break;
    }
    return said(language_, ": the sum of the products{}", ends);
  }

  /// ", from position 300 on (pair 5: off by 0.01 where 0.001 is rounding)"
  std::string first_unfaithful() const {
    if (!report_.first_unfaithful) return {};
    const UnfaithfulEntry& first = *report_.first_unfaithful;
    return said(language_, ", from position {} on (pair {}: {})", first.position, first.pair,
                std::isnan(first.error)
                    ? said(language_, "not a number")
                    : said(language_, "off by {} where rounding allows {}",
                           short_number(first.error), short_number(first.bound)));
  }

  void add_unfaithfulness() {
    const Faithfulness& f = report_.faithfulness;
    if (f.violations == 0) return;
    reason(said(language_, "cos and sin are wrong in {} of {} table entries{}", f.violations,
                f.entries, first_unfaithful()));
    if (!report_.frequency_fault) return;
    const FrequencyFault& fault = *report_.frequency_fault;
    const double off = std::abs(fault.used - fault.expected) / fault.expected;
    reason(said(language_,
                "the frequencies are wrong: theta of pair {} is {} instead of {}, a relative error "
                "of {} where angles in {} allow {}",
                fault.pair, six_digits(fault.used), six_digits(fault.expected), short_number(off),
                angle_format(options_.policy), short_number(fault.granted / fault.expected)));
    if (report_.identity.violations == 0 && report_.certificate.violations == 0)
      reason(
          said(language_,
               "the identity still holds: scores depend on n − m, but through the wrong angles"));
  }

  void add_requirement() {
    if (!options_.require) return;
    const CertificateReport& c = report_.certificate;
    report_.requirement_met =
        c.measured && c.op_norm + c.eval_error_coefficient <= *options_.require;
    if (*report_.requirement_met) return;
    if (c.op_norm > *options_.require)
      reason(said(language_,
                  "not good enough: at m = {}, n = {}, pair {} lets the scores of some q, k be off "
                  "by {} |q||k|, more than the allowed {}",
                  c.m, c.n, c.pair, short_number(c.op_norm), short_number(*options_.require)));
    else
      reason(said(language_,
                  "not good enough: with the errors of rotating and summing, the scores of some q, "
                  "k may be off by {} |q||k|, more than the allowed {}",
                  short_number(c.op_norm + c.eval_error_coefficient),
                  short_number(*options_.require)));
  }

  void add_open_questions(bool failed) {
    if (options_.control && !failed)
      reason(said(language_,
                  "the planted mistake stays within the rounding of this policy: nothing "
                  "distinguishes it from the right formula here"));
    if (options_.given && !report_.given.empty() && report_.given.front().norms == 0)
      reason(said(language_, "q or k is zero, and every score of a zero vector is 0"));
    if (report_.unbounded > 0)
      reason(cases(report_.unbounded) +
             said(language_,
                  "a bound is not finite: q and k are too large for anything to be proven"));
    if (report_.vacuous > report_.unbounded)
      reason(cases(report_.vacuous - report_.unbounded) +
             said(language_,
                  "nothing is proven: with positions in {} and angles in {}, rounding may turn a "
                  "pair by a radian or more",
                  limits(options_.policy.position).name, angle_format(options_.policy)));
    if (report_.libm_ulp_observed > options_.hypotheses.libm_ulp)
      reason(said(language_,
                  "cos and sin on this machine are off by {} ulp, more than the {} that the bounds "
                  "assume",
                  short_number(report_.libm_ulp_observed),
                  short_number(options_.hypotheses.libm_ulp)));
    if (report_.pow_ulp_observed > options_.hypotheses.pow_ulp)
      reason(said(language_,
                  "pow on this machine is off by {} ulp, more than the {} that the bounds assume",
                  short_number(report_.pow_ulp_observed),
                  short_number(options_.hypotheses.pow_ulp)));
    if (!report_.round_to_nearest)
      reason(said(language_, "the rounding mode is not round-to-nearest"));
    const auto outcome_is = [](ControlReport::Outcome outcome) {
      return [outcome](const ControlReport& control) { return control.outcome == outcome; };
    };
    if (std::ranges::any_of(report_.controls, outcome_is(ControlReport::Outcome::undetectable)) &&
        std::ranges::none_of(report_.controls, outcome_is(ControlReport::Outcome::rejected)))
      reason(said(language_, "every planted mistake is smaller than this policy's rounding"));
  }

  const VerifyOptions& options_;
  VerifyReport& report_;
  Language language_;
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

void decide(const VerifyOptions& options, VerifyReport& report, Language language) {
  Judge(options, report, language).decide();
}

}  // namespace rope
