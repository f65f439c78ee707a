#include "rope/diagnose/verdict/explanation_finder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/direction.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

bool same_kind_of_rule(const ScalingSpec& a, const ScalingSpec& b) {
  return a.rule == b.rule && (a.rule == "linear" || a == b);
}

/// Whether a candidate differs from an explanation only in the digits of its base or of a factor on
/// all pairs. Other parameters of a rule that slows some pairs make another explanation.
bool alike(const Explanation& e, const Candidate& candidate) {
  const Spectrum &s = candidate.regimes.front().spectrum, &t = e.spectrum();
  return e.arrangement == candidate.arrangement && s.clockwise == t.clockwise &&
         s.reversed == t.reversed && same_kind_of_rule(s.embedding.scaling, t.embedding.scaling) &&
         e.regimes.size() == candidate.regimes.size() &&
         e.regimes.front().positions == candidate.regimes.front().positions;
}

/// Whether the bases differ by no more than rounding the scale b^(−2/r) to float32 explains.
bool one_scale_apart(const Spectrum& fitted, const Candidate& candidate) {
  const Spectrum& round = candidate.regimes.front().spectrum;
  if (!fitted.embedding.base || !round.embedding.base) return false;
  const auto pairs = static_cast<double>(fitted.embedding.pairs());
  return std::abs(std::log(*fitted.embedding.base / *round.embedding.base)) <= pairs * 0x1p-22;
}

/// Widens the errors of measured frequencies, which were narrow for the search.
void widen_theta(Spectrum& spectrum, bool single) {
  for (std::size_t k = 0; k < spectrum.theta_error.size(); ++k)
    spectrum.theta_error[k] = 4 * spectrum.theta_error[k] +
                              (single ? 0x1p-20 * spectrum.embedding.frequencies.theta[k] : 0);
}

/// Widens base and factors by the rounding of a float32 pipeline, above all that of the scale
/// b^(−2/r).
void widen(Spectrum& spectrum) {
  spectrum.factor_low *= 1 - 0x1p-22;
  spectrum.factor_high *= 1 + 0x1p-22;
  const double relative = static_cast<double>(spectrum.embedding.pairs()) * 0x1p-22;
  spectrum.base_low *= 1 - relative;
  spectrum.base_high *= 1 + relative;
  if (spectrum.embedding.scaling.rule != "linear") return;
  spectrum.divisor_low *= 1 - 0x1p-22;
  spectrum.divisor_high *= 1 + 0x1p-22;
}

}  // namespace

int fitted_parts(const Spectrum& spectrum) {
  const double factor = spectrum.embedding.attention_factor;
  const double base = spectrum.embedding.base.value_or(0);
  return (spectrum.theta_error.empty() && is_round(base) ? 0 : 1) +
         (factor == 1 || factor == spectrum.rule_factor ? 0 : 2);
}

ExplanationFinder::ExplanationFinder(const RotatedTensors& tensors,
                                     std::span<const std::int64_t> given,
                                     const DiagnosisRequest& request)
    : tensors_(tensors),
      given_(given),
      withheld_(!request.positions),
      counted_(request.counted),
      hypotheses_(request.hypotheses),
      storage_(narrowest_format(tensors, &RotatedTensors::y)),
      input_(narrowest_format(tensors, &RotatedTensors::x)),
      policies_(possible_policies(tensors)) {}

bool ExplanationFinder::judge(std::vector<Candidate> candidates) {
  candidates_ = std::move(candidates);
  for (Candidate& candidate : candidates_) choose_directions(candidate);
  // With few digits, a fitted attention factor can hide a slightly wrong base: such candidates come
  // last.
  std::stable_partition(candidates_.begin(), candidates_.end(), [](const Candidate& candidate) {
    return candidate.regimes.front().spectrum.factor_error < 1e-6;
  });
  for (const bool recognised : {true, false}) {
    for (const JudgedPolicy& policy : policies_) {
      for (const Candidate& candidate : candidates_) {
        if (candidate.recognised != recognised || already_explained(candidate)) continue;
        if (const std::optional<Judgement> judgement = judged(candidate, policy))
          explain(candidate, policy, *judgement);
      }
      if (explanations_.empty() && recognised) add_longer_blocks(policy);
      if (!explanations_.empty()) {
        prefer_round_numbers(policy);
        add_rivals();
        add_measured_as_given();
        return true;
      }
    }
  }
  find_near_miss();
  return false;
}

/// A rule at other positions than those given is no plainer than frequencies of no known rule at
/// these.
void ExplanationFinder::add_measured_as_given() {
  const auto as_given = [&](const std::vector<Regime>& regimes) {
    return regimes.size() == 1 &&
           std::equal(given_.begin(), given_.end(), regimes.front().positions.begin(),
                      regimes.front().positions.end());
  };
  if (withheld_ || !recognised() ||
      std::any_of(explanations_.begin(), explanations_.end(),
                  [&](const Explanation& e) { return as_given(e.regimes); }))
    return;
  for (const Candidate& candidate : candidates_)
    if (!candidate.recognised && as_given(candidate.regimes)) explain_under_any_policy(candidate);
}

void ExplanationFinder::choose_directions(Candidate& candidate) const {
  if (counted_) return;
  for (Regime& regime : candidate.regimes) choose_direction(regime, stated());
}

std::optional<Judgement> ExplanationFinder::judged(const Candidate& candidate,
                                                   const JudgedPolicy& policy) const {
  const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
  Judgement total;
  for (const Regime& regime : candidate.regimes) {
    // Under a pipeline rougher than y, freely fitted frequencies always pass.
    const bool rough = policy.emulated || limits(policy.policy.table).precision <
                                              limits(policy.policy.store).precision;
    if (rough && !regime.spectrum.recognised) return std::nullopt;
    const Judgement one = judge.judge(policy, regime);
    if (!one.passed) return std::nullopt;
    total.add(one);
  }
  return total;
}

/// Whether there already is an explanation that differs only in the digits of its numbers.
bool ExplanationFinder::already_explained(const Candidate& candidate) const {
  return std::any_of(explanations_.begin(), explanations_.end(),
                     [&](const Explanation& e) { return alike(e, candidate); });
}

void ExplanationFinder::explain(const Candidate& candidate, const JudgedPolicy& policy,
                                const Judgement& judgement) {
  Explanation explanation;
  explanation.arrangement = candidate.arrangement;
  explanation.regimes = candidate.regimes;
  explanation.policy = policy.policy;
  explanation.judgement = judgement;
  if (storage_ != Format::float64) widen(explanation.regimes.front().spectrum);
  if (!candidate.recognised)
    for (Regime& regime : explanation.regimes)
      widen_theta(regime.spectrum, storage_ != Format::float64);
  compare_positions(explanation, given_);
  explanation.head_dim = tensors_.dim;
  note_open_questions(candidate, {tensors_.dim, stated(), counted_}, explanation);
  if (std::find(explanation.open.begin(), explanation.open.end(), kAtPositionZero) !=
      explanation.open.end()) {
    Spectrum& unseen = explanation.regimes.front().spectrum;
    unseen.base_low = 0;
    unseen.base_high = HUGE_VAL;
  }
  if (withheld_ && !candidate.recognised && !explanation.position_offset)
    explanation.open.emplace_back(kSpacingOpen);
  explanations_.push_back(std::move(explanation));
}

/// Fitted numbers may keep tighter bounds than round ones by chance: where round ones pass under
/// another pipeline with the same store format, they replace the fitted ones; but not by rougher
/// tables than these need.
void ExplanationFinder::prefer_round_numbers(const JudgedPolicy& passed) {
  for (Explanation& e : explanations_) {
    if (!e.spectrum().recognised) continue;
    for (int fewer = 0; fewer < fitted_parts(e.spectrum()); ++fewer) {
      const bool replaced =
          std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
            return !policy.emulated && policy.policy.store == passed.policy.store &&
                   (rougher_than_result(passed.policy) || !rougher_than_result(policy.policy)) &&
                   replace(e, policy, fewer);
          });
      if (replaced) break;
    }
  }
}

bool ExplanationFinder::replace(Explanation& e, const JudgedPolicy& policy, int fewer) const {
  for (const Candidate& candidate : candidates_) {
    if (fitted_parts(candidate.regimes.front().spectrum) != fewer || !candidate.recognised ||
        !alike(e, candidate) ||
        (policy.policy.angle_rule == AngleRule::recurrence &&
         !one_scale_apart(e.spectrum(), candidate)))
      continue;
    const std::optional<Judgement> judgement = judged(candidate, policy);
    if (!judgement) continue;
    e.regimes = candidate.regimes;
    if (storage_ != Format::float64) widen(e.regimes.front().spectrum);
    e.policy = policy.policy;
    e.judgement = *judgement;
    // What the fitted numbers left open, the round ones need not.
    e.open.clear();
    e.direction_open = false;
    note_open_questions(candidate, {tensors_.dim, stated(), counted_}, e);
    return true;
  }
  return false;
}

/// The smallest visible block may be too small: where a candidate breaks its bounds only after its
/// block, longer blocks are tried.
void ExplanationFinder::add_longer_blocks(const JudgedPolicy& policy) {
  if (policy.emulated) return;
  for (const Candidate& candidate : candidates_) {
    Explanation shorter;
    shorter.arrangement = candidate.arrangement;
    shorter.regimes = candidate.regimes;
    if (!candidate.recognised || !may_be_longer(shorter)) continue;
    const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
    const Judgement broken = judge.judge(policy, candidate.regimes.front());
    if (broken.passed || judge.rotates(broken.dimension)) continue;
    std::optional<Arrangement> block = candidate.arrangement;
    // A rounder base may need more pairs than a fitted one, so one candidate does not end the
    // search.
    while ((block = longer(*block, candidate.regimes.front().spectrum)))
      if (extend(shorter, *block)) break;
  }
}

/// Keeps the candidate that fails at the fewest numbers.
void ExplanationFinder::find_near_miss() {
  std::size_t fewest = near_miss_ ? near_miss_->judgement.violations : tensors_.size() + 1;
  const JudgedPolicy* policy = nullptr;
  for (const JudgedPolicy& each : policies_)
    if (!each.emulated) policy = &each;
  if (policy == nullptr) return;
  for (const Candidate& candidate : candidates_) {
    Judgement total;
    const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
    for (const Regime& regime : candidate.regimes)
      if (total.violations < fewest)
        total.add(judge.judge(*policy, regime, fewest - total.violations));
    if (total.violations >= fewest) continue;
    fewest = total.violations;
    Explanation miss;
    miss.arrangement = candidate.arrangement;
    miss.regimes = candidate.regimes;
    miss.policy = policy->policy;
    miss.judgement = total;
    near_miss_ = std::move(miss);
  }
}

}  // namespace rope
