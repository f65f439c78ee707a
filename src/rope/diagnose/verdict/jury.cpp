#include "rope/diagnose/verdict/jury.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/positions/direction.hpp"
#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/rotary/ranges_text.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

bool same_rule(const ScalingSpec& a, const ScalingSpec& b) {
  return a.rule == b.rule && (a.rule == "linear" || a == b);
}

/// Whether two candidates differ in their frequencies alone, by digits of a base or a factor of all
/// pairs: other parameters of a rule that slows some pairs are another explanation.
bool alike(const Explanation& e, const Candidate& candidate) {
  const Spectrum &s = candidate.regimes.front().spectrum, &t = e.spectrum();
  return e.arrangement == candidate.arrangement && s.clockwise == t.clockwise &&
         s.reversed == t.reversed && same_rule(s.embedding.scaling, t.embedding.scaling) &&
         e.regimes.size() == candidate.regimes.size() &&
         e.regimes.front().positions == candidate.regimes.front().positions;
}

/// Whether the bases differ by no more than rounding the scale b^(−2/r) to float32 makes of them.
bool one_scale_apart(const Spectrum& fitted, const Candidate& candidate) {
  const Spectrum& round = candidate.regimes.front().spectrum;
  if (!fitted.embedding.base || !round.embedding.base) return false;
  const auto pairs = static_cast<double>(fitted.embedding.pairs());
  return std::abs(std::log(*fitted.embedding.base / *round.embedding.base)) <= pairs * 0x1p-22;
}

/// The pairs of which nothing is known but that they are slow.
std::vector<std::size_t> unseen_pairs(const Spectrum& spectrum) {
  std::vector<std::size_t> pairs;
  for (std::size_t k = 0; k < spectrum.embedding.pairs(); ++k)
    if (!spectrum.known(k)) pairs.push_back(k);
  return pairs;
}

/// Whether frequencies that were measured pair by pair may be those of a rule: some may be off by
/// more than float32 makes them, or all are nearly b^(−2k/r) with some base and factor.
bool may_follow_a_rule(const Spectrum& measured) {
  constexpr double kFloat32 = 1e-5, kNearly = 1e-3;
  const std::vector<double>& theta = measured.embedding.frequencies.theta;
  std::vector<std::size_t> known;
  for (std::size_t k = 0; k < theta.size(); ++k)
    if (theta[k] > 0 && measured.known(k)) known.push_back(k);
  for (const std::size_t k : known)
    if (!measured.theta_error.empty() && measured.theta_error[k] > kFloat32 * theta[k]) return true;
  if (known.size() < 3) return true;
  const std::size_t first = known.front(), last = known.back();
  const double slope = std::log(theta[last] / theta[first]) / static_cast<double>(last - first);
  return std::all_of(known.begin(), known.end(), [&](std::size_t k) {
    const double line = slope * static_cast<double>(k - first);
    return std::abs(std::log(theta[k] / theta[first]) - line) <= kNearly;
  });
}

/// Frequencies from π − 1 to π: those from 0 to 1 with every odd token negated.
bool near_half_a_turn(const Spectrum& measured) {
  const std::vector<double>& theta = measured.embedding.frequencies.theta;
  return std::all_of(theta.begin(), theta.end(),
                     [](double t) { return t > std::numbers::pi - 1.001; });
}

/// Whether a head would sooner be rotated in one pair more: wholly, or a plain part of it.
bool plainer_with_a_pair_more(std::size_t rotary_dim, std::size_t dim) {
  return rotary_dim + 2 == dim || (dim % rotary_dim != 0 && dim % (rotary_dim + 2) == 0);
}

/// The base that a larger rotated size would have, for the same frequencies: an interleaved pair
/// that was left out, first or last, makes another one of it. Usual ones, or that of a plainer
/// size.
std::optional<double> base_of_longer(const Spectrum& spectrum, const Arrangement& a,
                                     std::size_t dim) {
  if (!spectrum.recognised || !spectrum.embedding.base || is_round(*spectrum.embedding.base) ||
      a.in != 0 || a.out != 0 || a.pairs() < 2 || !(spectrum.base_low > 0) ||
      !std::isfinite(spectrum.base_high))
    return std::nullopt;
  constexpr double kSlack = 1e-6;
  const auto own_size = static_cast<double>(a.rotary_dim);
  for (std::size_t size = a.rotary_dim + 2; size <= dim; size += 2)
    for (const double usual : kUsualBases) {
      const double own = std::pow(usual, own_size / static_cast<double>(size));
      if (own >= spectrum.base_low * (1 - kSlack) && own <= spectrum.base_high * (1 + kSlack))
        return usual;
    }
  if (!plainer_with_a_pair_more(a.rotary_dim, dim)) return std::nullopt;
  const double power = static_cast<double>(a.rotary_dim + 2) / own_size;
  return simplest_number(std::pow(spectrum.base_low, power), std::pow(spectrum.base_high, power));
}

bool at_one_position(const Regime& regime) {
  return regime.positions.front() != 0 &&
         std::all_of(regime.positions.begin(), regime.positions.end(),
                     [&](std::int64_t p) { return p == regime.positions.front(); });
}

/// Frequencies as measured: their errors were for finding them, and forgave a little.
void widen_theta(Spectrum& spectrum, bool single) {
  for (std::size_t k = 0; k < spectrum.theta_error.size(); ++k)
    spectrum.theta_error[k] = 4 * spectrum.theta_error[k] +
                              (single ? 0x1p-20 * spectrum.embedding.frequencies.theta[k] : 0);
}

/// Base and factors are known no better than float32 steps leave them: those of the scale b^(−2/r)
/// above all.
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

Jury::Jury(const RotatedTensors& tensors, std::span<const std::int64_t> given,
           const DiagnosisRequest& request)
    : tensors_(tensors),
      given_(given),
      withheld_(!request.positions),
      counted_(request.counted),
      hypotheses_(request.hypotheses),
      storage_(narrowest_format(tensors.y)),
      input_(narrowest_format(tensors.x)),
      policies_(possible_policies(tensors)) {}

bool Jury::judge(std::vector<Candidate> candidates) {
  candidates_ = std::move(candidates);
  for (Candidate& candidate : candidates_) choose_directions(candidate);
  // The room that numbers of few digits leave to a fitted factor may be filled by a base that is
  // off by some: those come last.
  std::stable_partition(candidates_.begin(), candidates_.end(), [](const Candidate& candidate) {
    return candidate.regimes.front().spectrum.factor_error < 1e-6;
  });
  for (const bool recognised : {true, false}) {
    for (const JudgedPolicy& policy : policies_) {
      for (const Candidate& candidate : candidates_) {
        if (candidate.recognised != recognised || stands(candidate)) continue;
        if (const std::optional<Judgement> judgement = judged(candidate, policy))
          explain(candidate, policy, *judgement);
      }
      if (explanations_.empty() && recognised) add_longer_blocks(policy);
      if (!explanations_.empty()) {
        prefer_round_numbers(policy);
        add_rivals();
        return true;
      }
    }
  }
  find_near_miss();
  return false;
}

void Jury::choose_directions(Candidate& candidate) const {
  if (counted_) return;
  for (Regime& regime : candidate.regimes) choose_direction(regime, stated());
}

bool Jury::leaves_direction_open(const Candidate& candidate) const {
  return !counted_ &&
         std::any_of(candidate.regimes.begin(), candidate.regimes.end(),
                     [&](const Regime& regime) { return direction_is_open(regime, stated()); });
}

std::optional<Judgement> Jury::judged(const Candidate& candidate,
                                      const JudgedPolicy& policy) const {
  const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
  Judgement total;
  for (const Regime& regime : candidate.regimes) {
    // Frequencies that are free to fit say nothing under a pipeline rougher than the numbers.
    const bool rough = policy.emulated || limits(policy.policy.table).precision <
                                              limits(policy.policy.store).precision;
    if (rough && !regime.spectrum.recognised) return std::nullopt;
    const Judgement one = judge.judge(policy, regime, false);
    if (!one.passed) return std::nullopt;
    total.add(one);
  }
  return total;
}

/// Whether an explanation that differs in nothing but the digits of a base is there already.
bool Jury::stands(const Candidate& candidate) const {
  return std::any_of(explanations_.begin(), explanations_.end(),
                     [&](const Explanation& e) { return alike(e, candidate); });
}

void Jury::explain(const Candidate& candidate, const JudgedPolicy& policy,
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
  const Regime& first = candidate.regimes.front();
  explanation.position_offset = constant_offset(candidate.regimes, given_);
  if (!explanation.position_offset) explanation.runs = position_runs(candidate.regimes);
  // One pair has no others that would tell how many whole turns it made.
  if (candidate.alias > 1 && (!candidate.recognised || candidate.arrangement.pairs() == 1))
    explanation.open.push_back(
        (candidate.arrangement.pairs() == 1 ? "frequency and direction: " : "the frequencies: ") +
        ("the positions tell them modulo 2π/" + std::to_string(candidate.alias)));
  explanation.direction_open = candidate.alias > 1 && candidate.arrangement.pairs() == 1;
  if (!candidate.recognised && may_follow_a_rule(explanation.spectrum()))
    explanation.open.emplace_back(
        "the frequencies: they were measured pair by pair, and rules that were not tried may come "
        "as near");
  if (!candidate.recognised && near_half_a_turn(first.spectrum)) {
    explanation.direction_open = true;
    explanation.open.emplace_back(
        "the frequencies: all are near half a turn a token, as where every odd token is negated");
  }
  const Arrangement& a = candidate.arrangement;
  if (const std::optional<double> base = base_of_longer(first.spectrum, a, tensors_.dim))
    explanation.open.push_back("the base: these are frequencies of base " + number_text(*base) +
                               " as well, of a larger rotated size of which a pair does not turn");
  if (!candidate.recognised && a.in == 0 && a.out == 0 && longer(a, first.spectrum))
    explanation.open.emplace_back(kSizeOpen);
  if (const std::vector<std::size_t> unseen = unseen_pairs(explanation.spectrum()); !unseen.empty())
    explanation.open.push_back("the frequencies of pairs " + ranges_text(unseen) +
                               ": these turn by less than the numbers show");
  if (leaves_direction_open(candidate)) {
    explanation.direction_open = true;
    explanation.open.emplace_back(
        "the direction: turned the other way at the opposite positions, all numbers are the same");
  }
  if (at_one_position(first))
    explanation.open.emplace_back(
        "frequencies and position: one position tells their products alone, and s times the "
        "frequencies at position p/s turn it alike");
  if (candidate.other_offsets)
    explanation.open.emplace_back(
        "the offset of the positions: so few pairs of so few digits fit others within 131072 of "
        "0 as well");
  explanations_.push_back(std::move(explanation));
}

/// Fitted numbers that keep tighter bounds than round ones may have done so by chance: where
/// round ones pass under another pipeline that stores alike, they are those that are meant.
void Jury::prefer_round_numbers(const JudgedPolicy& passed) {
  for (Explanation& e : explanations_) {
    if (!e.spectrum().recognised) continue;
    for (int fewer = 0; fewer < fitted_parts(e.spectrum()); ++fewer) {
      const bool replaced =
          std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
            return !policy.emulated && policy.policy.store == passed.policy.store &&
                   replace(e, policy, fewer);
          });
      if (replaced) break;
    }
  }
}

bool Jury::replace(Explanation& e, const JudgedPolicy& policy, int fewer) const {
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
    return true;
  }
  return false;
}

/// The smallest block that the angles show may be too small: where a candidate breaks its bounds
/// behind its block alone, longer ones are tried.
void Jury::add_longer_blocks(const JudgedPolicy& policy) {
  if (policy.emulated) return;
  for (const Candidate& candidate : candidates_) {
    Explanation shorter;
    shorter.arrangement = candidate.arrangement;
    shorter.regimes = candidate.regimes;
    if (!candidate.recognised || !may_be_longer(shorter)) continue;
    const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
    const Judgement broken = judge.judge(policy, candidate.regimes.front(), false);
    if (broken.passed || judge.rotates(broken.dimension)) continue;
    std::optional<Arrangement> block = candidate.arrangement;
    while ((block = longer(*block, candidate.regimes.front().spectrum)))
      if (extend(shorter, *block)) return;
  }
}

/// The candidate that fails at the fewest numbers.
void Jury::find_near_miss() {
  std::size_t fewest = near_miss_ ? near_miss_->judgement.violations : tensors_.x.size() + 1;
  const JudgedPolicy* policy = nullptr;
  for (const JudgedPolicy& each : policies_)
    if (!each.emulated) policy = &each;
  if (policy == nullptr) return;
  for (const Candidate& candidate : candidates_) {
    Judgement total;
    const Judge judge(tensors_, candidate.arrangement, hypotheses_, input_);
    for (const Regime& regime : candidate.regimes) total.add(judge.judge(*policy, regime, true));
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
