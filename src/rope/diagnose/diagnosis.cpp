#include "rope/diagnose/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "rope/diagnose/lines.hpp"
#include "rope/diagnose/rule_search.hpp"
#include "rope/diagnose/runs.hpp"
#include "rope/error.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope {
namespace {

constexpr std::size_t kSearchTokens = 48;
constexpr std::size_t kSearchLanes = 16;
constexpr std::size_t kLineTokens = 1024;
constexpr std::size_t kLineLanes = 64;
constexpr int kBaseCells = 24;
constexpr std::size_t kMostOffsets = 64;
constexpr std::size_t kMostRefined = 24;
constexpr std::int64_t kFarthestOffset = std::int64_t{1} << 17;

/// A reading of the tensors that is to be judged.
struct Candidate {
  Arrangement arrangement;
  std::vector<Regime> regimes;
  bool recognised = true;
  std::size_t offsets = 1;  ///< more than 1 if others fit, or may
  std::int64_t alias = 1;   ///< measured frequencies are known modulo 1/alias turns
};

/// Numbers 0 … n−1, at most `most` of them: the first ones, then ever farther apart, and the last.
std::vector<std::size_t> spread(std::size_t n, std::size_t most) {
  std::vector<std::size_t> chosen;
  if (n <= most) {
    chosen.resize(n);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  const std::size_t dense = most / 2;
  for (std::size_t i = 0; i < dense; ++i) chosen.push_back(i);
  const std::size_t rest = most - dense;
  for (std::size_t i = 1; i <= rest; ++i) chosen.push_back(dense + (n - 1 - dense) * i / rest);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<std::int64_t> counted(std::size_t n) {
  std::vector<std::int64_t> positions(n);
  std::iota(positions.begin(), positions.end(), std::int64_t{0});
  return positions;
}

class Diagnoser {
 public:
  Diagnoser(const RotatedTensors& tensors, const DiagnosisRequest& request)
      : tensors_(tensors), request_(request), policies_(possible_policies(tensors)) {
    result_.token_axis = tensors.token_axis;
    result_.tokens = tensors.tokens;
    result_.storage = narrowest_format(tensors.y);
    given_ = request.positions ? *request.positions : counted(tensors.tokens);
    const bool narrow_input = !holds(result_.storage, tensors.x);
    const double u = limits(result_.storage).unit_roundoff;
    // What the pipeline rounded, and what we round ourselves when we solve for an angle.
    passing_ = (narrow_input ? 1.05 * u : 0) + 2 * request.hypotheses.noise_ulp * u;
    relative_ =
        (narrow_input ? 4.2 : 3.1) * u + 2 * request.hypotheses.noise_ulp * u + 40 * 0x1p-53;
  }

  Diagnosis run() {
    for (const Attempt& attempt : attempts()) {
      attempt_ = attempt;
      const double u = limits(result_.storage).unit_roundoff;
      const SearchTolerance tolerance{relative_, std::max(attempt.table, 1.5 * u), passing_};
      if (!find_candidates(tolerance) || judge_all()) break;
      find_near_miss();
      search_runs(tolerance);
      if (judge_all()) break;
      find_near_miss();
    }
    if (!result_.unchanged) finish();
    return std::move(result_);
  }

 private:
  /// What the search grants the pipeline: first angles of one rounding, then such as repeated
  /// products make, then cos and sin coarser than y.
  struct Attempt {
    double angle_rounding, table;
    bool repeated;
  };
  std::vector<Attempt> attempts() const {
    if (result_.storage == Format::float64) return {{0x1p-50, 0, false}, {0x1p-21, 0, false}};
    const double repeated = (8 + 2 * static_cast<double>(tensors_.dim)) * 0x1p-24;
    return {{0x1p-21, 0, false}, {repeated, 0, true}, {0x1p-21, 0x1p-7, false}};
  }

  /// False if there is nothing to search for.
  bool find_candidates(const SearchTolerance& tolerance) {
    candidates_.clear();
    const ChangedDimensions changed = changed_dimensions(tensors_, tolerance);
    if (!changed.any) {
      result_.unchanged = true;
      result_.verdict = DiagnosisVerdict::ambiguous;
      return false;
    }
    const RotatedTensors sample =
        some_tokens(tensors_, spread(tensors_.tokens, kSearchTokens), kSearchLanes);
    const ArrangementSearch found = find_arrangements(sample, changed, tolerance);
    arrangements_ = found.fitting;
    if (request_.arrangement) arrangements_ = {*request_.arrangement};
    result_.pairings = arrangements_;
    result_.nearest = found.nearest;
    result_.nearest_misfits = found.nearest_misfits;
    for (const Arrangement& arrangement : arrangements_) {
      const Search search{tensors_,          arrangement,     tolerance, attempt_.angle_rounding,
                          attempt_.repeated, request_.presets};
      add_candidates(search, true);
      add_candidates(search, false);
    }
    return true;
  }

  /// Readings with the given positions as they are, or with an offset that is to be found.
  void add_candidates(const Search& search, bool as_given) {
    const std::vector<std::size_t> tokens = spread(tensors_.tokens, kLineTokens);
    std::vector<std::int64_t> positions;
    for (const std::size_t token : tokens) positions.push_back(given_[token]);
    const MeasuredAngles angles = measure_angles(some_tokens(tensors_, tokens, kLineLanes),
                                                 search.arrangement, search.tolerance);
    const AngleLines lines = fit_lines(angles, positions, search.angle_rounding, as_given);
    const std::vector<Spectrum> spectra = recognise(lines, tensors_.dim, search.presets);
    if (!as_given && tensors_.tokens > 2 && lines.straight()) straight_ = true;
    std::vector<std::int64_t> refined;
    bool first = true;
    for (const Spectrum& spectrum : spectra) {
      if (as_given) {
        add(search.arrangement, spectrum, angles, 0, 1);
        for (Candidate& candidate : candidates_)
          if (candidate.arrangement == search.arrangement) candidate.alias = lines.alias;
        continue;
      }
      std::vector<std::int64_t> offsets =
          find_offsets(spectrum, lines, search.angle_rounding, first);
      first = false;
      const std::size_t count = offsets.size() > kMostOffsets || by_chance(lines) ? 2 : 1;
      offsets.resize(std::min(offsets.size(), kMostOffsets));
      for (const std::int64_t offset : offsets) {
        if (offset == 0) continue;
        add(search.arrangement, spectrum, angles, offset, count);
        if (refined.size() >= kMostRefined ||
            std::find(refined.begin(), refined.end(), offset) != refined.end())
          continue;
        refined.push_back(offset);
        add_shifted(search, spectrum, angles, positions, offset, count);
      }
    }
  }

  /// The offsets with which these frequencies meet the angles at the origin. A base that is known
  /// roughly is tried in cells, in each of which it is known well.
  std::vector<std::int64_t> find_offsets(const Spectrum& spectrum, const AngleLines& lines,
                                         double rounding, bool cells) const {
    std::vector<double> turns, errors;
    for (const AngleLine& line : lines.lines) {
      turns.push_back(line.reference);
      errors.push_back(line.reference_error);
    }
    std::vector<std::int64_t> offsets;
    const auto collect = [&](const KnownRates& rates) {
      const FoundPosition found =
          find_position(rates, turns, errors, rounding, lines.origin - kFarthestOffset,
                        lines.origin + kFarthestOffset);
      // Where nearly every position fits, none is found.
      if (found.candidates > found.all.size()) return;
      for (const std::int64_t position : found.all) offsets.push_back(position - lines.origin);
    };
    collect(rates_of(spectrum));
    const double width = 1.5 * width_of_base(spectrum);
    if (cells && spectrum.recognised && width > 0 && std::isfinite(width))
      for (int cell = 0; cell < kBaseCells; ++cell)
        collect(rates_of_base(spectrum, 1.5 * ((cell + 0.5) / kBaseCells - 0.5), 1.5 / kBaseCells));
    if (cells && offsets.empty()) {
      // Slow pairs may be slower than the base says, by a rule that does not show over so few
      // tokens: the others alone.
      KnownRates resolved = rates_of(spectrum);
      for (std::size_t pair = 0; pair < lines.lines.size(); ++pair)
        if (!(std::abs(lines.lines[pair].rate) > 16 * lines.lines[pair].rate_error))
          resolved.error[pair] = 1;
      collect(resolved);
      if (offsets.empty() && width > 0 && std::isfinite(width))
        for (int cell = 0; cell < kBaseCells; ++cell) {
          KnownRates rates =
              rates_of_base(spectrum, 1.5 * ((cell + 0.5) / kBaseCells - 0.5), 1.5 / kBaseCells);
          for (std::size_t pair = 0; pair < rates.rate.size(); ++pair)
            rates.error[pair] = std::max(rates.error[pair], resolved.error[pair] == 1 ? 1.0 : 0.0);
          collect(rates);
        }
    }
    std::sort(offsets.begin(), offsets.end(), [](std::int64_t a, std::int64_t b) {
      return std::abs(a) < std::abs(b) || (std::abs(a) == std::abs(b) && a < b);
    });
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
  }

  /// Whether an offset that fits may do so by chance: so many are looked at, and so much of a turn
  /// does every pair allow.
  static bool by_chance(const AngleLines& lines) {
    double expected = 2.0 * static_cast<double>(kFarthestOffset) * kBaseCells;
    for (const AngleLine& line : lines.lines)
      expected *= std::min(1.0, 2 * line.reference_error + 1e-15);
    return expected > 1e-3;
  }

  /// The rates if ln b is off by `shift` of what it may be off by, give or take half of `part`.
  static KnownRates rates_of_base(const Spectrum& spectrum, double shift, double part) {
    KnownRates rates = rates_of(spectrum);
    const double width = width_of_base(spectrum);
    if (!std::isfinite(width)) return rates;
    const double middle = std::sqrt(spectrum.base_low) * std::sqrt(spectrum.base_high);
    const double moved = std::log(middle / *spectrum.embedding.base) + shift * width;
    const auto pairs = static_cast<double>(rates.rate.size());
    for (std::size_t pair = 0; pair < rates.rate.size(); ++pair) {
      const double exponent = static_cast<double>(spectrum.frequency_of(pair)) / pairs;
      rates.rate[pair] *= std::exp(-exponent * moved);
      rates.error[pair] = std::abs(rates.rate[pair]) * (exponent * part * width / 2 + 0x1p-52);
    }
    return rates;
  }

  /// With the offset known, position 0 is one more point of every line: frequencies sharpen.
  void add_shifted(const Search& search, const Spectrum& spectrum, const MeasuredAngles& angles,
                   std::vector<std::int64_t> positions, std::int64_t offset, std::size_t count) {
    for (std::int64_t& position : positions) position += offset;
    // What the slow pairs say of the base unwraps the fast ones, which say more of it.
    KnownRates foretold = spectrum.recognised ? rates_of_base(spectrum, 0, 1) : KnownRates{};
    double known = HUGE_VAL;
    for (int round = 0; round < 5; ++round) {
      const AngleLines lines = fit_lines(angles, positions, search.angle_rounding, true, foretold);
      const std::vector<Spectrum> sharper = recognise(lines, tensors_.dim, search.presets);
      const bool last = sharper.empty() || !sharper.front().recognised || round == 4 ||
                        !(width_of_base(sharper.front()) < 0.7 * known);
      if (last) {
        for (const Spectrum& each : sharper)
          if (each.recognised == spectrum.recognised)
            add(search.arrangement, each, angles, offset, count);
        break;
      }
      known = width_of_base(sharper.front());
      foretold = rates_of_base(sharper.front(), 0, 1.2);
    }
  }

  /// The interval of ln b.
  static double width_of_base(const Spectrum& spectrum) {
    if (!(spectrum.base_low > 0) || !std::isfinite(spectrum.base_high)) return HUGE_VAL;
    return std::log(spectrum.base_high / spectrum.base_low);
  }

  void add(const Arrangement& arrangement, const Spectrum& spectrum, const MeasuredAngles& angles,
           std::int64_t offset, std::size_t count) {
    for (const Spectrum& variant : with_factors(spectrum, angles)) {
      Regime regime;
      regime.tokens.resize(tensors_.tokens);
      std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
      regime.positions = given_;
      for (std::int64_t& position : regime.positions) position += offset;
      regime.spectrum = variant;
      candidates_.push_back({arrangement, {std::move(regime)}, spectrum.recognised, count});
    }
  }

  void search_runs(const SearchTolerance& tolerance) {
    candidates_.clear();
    constexpr std::size_t kMostArrangements = 4;
    for (std::size_t i = 0; i < std::min(kMostArrangements, arrangements_.size()); ++i) {
      const Search search{tensors_,          arrangements_[i], tolerance, attempt_.angle_rounding,
                          attempt_.repeated, request_.presets};
      RunReadings found = find_runs(search);
      measurable_ = measurable_ || found.measurable;
      for (std::vector<Regime>& regimes : found.readings) {
        const bool recognised =
            std::all_of(regimes.begin(), regimes.end(),
                        [](const Regime& regime) { return regime.spectrum.recognised; });
        candidates_.push_back({arrangements_[i], std::move(regimes), recognised, 1});
      }
    }
  }

  std::optional<Judgement> judged(const Candidate& candidate, const JudgedPolicy& policy) const {
    const Judge judge(tensors_, candidate.arrangement, request_.hypotheses);
    Judgement total;
    total.passed = true;
    for (const Regime& regime : candidate.regimes) {
      // Frequencies that are free to fit say nothing under a pipeline rougher than the numbers.
      const bool rough = policy.emulated || limits(policy.policy.table).precision <
                                                limits(policy.policy.store).precision;
      if (rough && !regime.spectrum.recognised) return std::nullopt;
      const Judgement one = judge.judge(policy, regime, false);
      if (!one.passed) return std::nullopt;
      if (total.elements == 0 || one.ratio() > total.ratio()) {
        const double largest = std::max(total.max_error, one.max_error);
        const std::size_t elements = total.elements;
        total = one;
        total.max_error = largest;
        total.elements += elements;
      }
    }
    return total;
  }

  /// Whether an explanation that differs in nothing but the digits of a base is there already.
  bool stands(const Candidate& candidate) const {
    return std::any_of(result_.explanations.begin(), result_.explanations.end(),
                       [&](const Explanation& e) { return alike(e, candidate); });
  }

  /// Judges all candidates under one pipeline after the other, the most exact first, until some
  /// pass: those that pass are the explanations. Recognised frequencies first.
  bool judge_all() {
    for (const bool recognised : {true, false}) {
      for (const JudgedPolicy& policy : policies_) {
        for (const Candidate& candidate : candidates_) {
          if (candidate.recognised != recognised || stands(candidate)) continue;
          if (const std::optional<Judgement> judgement = judged(candidate, policy))
            explain(candidate, policy, *judgement);
        }
        if (!result_.explanations.empty()) {
          prefer_round_numbers(policy);
          add_hidden_rules(policy);
          extend_blocks(policy);
          return true;
        }
      }
    }
    return false;
  }

  /// Whether two candidates differ in their frequencies alone.
  static bool alike(const Explanation& e, const Candidate& candidate) {
    const Spectrum &s = candidate.regimes.front().spectrum, &t = e.spectrum();
    return e.arrangement == candidate.arrangement && s.clockwise == t.clockwise &&
           s.reversed == t.reversed && s.embedding.scaling.rule == t.embedding.scaling.rule &&
           e.regimes.size() == candidate.regimes.size() &&
           e.regimes.front().positions == candidate.regimes.front().positions;
  }

  /// How many numbers of a spectrum were fitted: its base, its factor.
  static int fitted(const Spectrum& spectrum) {
    const double factor = spectrum.embedding.attention_factor;
    const double base = spectrum.embedding.base.value_or(0);
    const bool round = simplest_number(base * (1 - 1e-4), base * (1 + 1e-4)) == base;
    return (spectrum.theta_error.empty() && round ? 0 : 1) +
           (factor == 1 || factor == spectrum.rule_factor ? 0 : 1);
  }

  /// Fitted numbers that keep tighter bounds than round ones may have done so by chance: where
  /// round ones pass under another pipeline that stores alike, they are those that are meant.
  void prefer_round_numbers(const JudgedPolicy& passed) {
    for (Explanation& e : result_.explanations) {
      if (!e.spectrum().recognised) continue;
      for (int fewer = 0; fewer < fitted(e.spectrum()); ++fewer) {
        const bool replaced =
            std::any_of(policies_.begin(), policies_.end(), [&](const JudgedPolicy& policy) {
              return !policy.emulated && policy.policy.store == passed.policy.store &&
                     replace(e, policy, fewer);
            });
        if (replaced) break;
      }
    }
  }

  /// Whether the bases differ by no more than rounding the scale b^(−2/r) to float32 makes of them.
  static bool one_scale_apart(const Spectrum& fitted, const Candidate& candidate) {
    const Spectrum& round = candidate.regimes.front().spectrum;
    if (!fitted.embedding.base || !round.embedding.base) return false;
    const double pairs = static_cast<double>(fitted.embedding.pairs());
    return std::abs(std::log(*fitted.embedding.base / *round.embedding.base)) <= pairs * 0x1p-22;
  }

  bool replace(Explanation& e, const JudgedPolicy& policy, int fewer) const {
    for (const Candidate& candidate : candidates_) {
      if (fitted(candidate.regimes.front().spectrum) != fewer || !candidate.recognised ||
          !alike(e, candidate) ||
          (policy.policy.angle_rule == AngleRule::recurrence &&
           !one_scale_apart(e.spectrum(), candidate)))
        continue;
      const std::optional<Judgement> judgement = judged(candidate, policy);
      if (!judgement) continue;
      e.regimes = candidate.regimes;
      if (result_.storage != Format::float64) widen_base(e.regimes.front().spectrum);
      e.policy = policy.policy;
      e.judgement = *judgement;
      return true;
    }
    return false;
  }

  /// Numbers of 16 bits hardly tell (p + offset)/factor from slightly other offsets and factors.
  bool factor_may_be_offset(const Regime& regime) const {
    const RotaryEmbedding& embedding = regime.spectrum.embedding;
    if (result_.storage == Format::float64 || result_.storage == Format::float32 ||
        embedding.scaling.rule != "linear" ||
        regime.positions.front() == given_[regime.tokens.front()])
      return false;
    const double factor = embedding.scaling.numbers.at("factor");
    return simplest_number(factor * (1 - 1e-3), factor * (1 + 1e-3)) != factor;
  }

  /// A base is known no better than float32 steps leave it: those of the scale b^(−2/r) above all.
  static void widen_base(Spectrum& spectrum) {
    const double relative = static_cast<double>(spectrum.embedding.pairs()) * 0x1p-22;
    spectrum.base_low *= 1 - relative;
    spectrum.base_high *= 1 + relative;
  }

  void explain(const Candidate& candidate, const JudgedPolicy& policy, const Judgement& judgement) {
    Explanation explanation;
    explanation.arrangement = candidate.arrangement;
    explanation.regimes = candidate.regimes;
    explanation.policy = policy.policy;
    explanation.judgement = judgement;
    if (result_.storage != Format::float64) widen_base(explanation.regimes.front().spectrum);
    const Regime& first = candidate.regimes.front();
    const std::int64_t offset = first.positions.front() - given_[first.tokens.front()];
    bool constant = candidate.regimes.size() == 1;
    for (std::size_t i = 0; constant && i < first.positions.size(); ++i)
      constant = first.positions[i] - given_[first.tokens[i]] == offset;
    if (constant)
      explanation.position_offset = offset;
    else
      explanation.runs = position_runs(candidate.regimes);
    if (candidate.alias > 1 && !candidate.recognised)
      explanation.open.push_back("the frequencies: the positions tell them modulo 2π/" +
                                 std::to_string(candidate.alias));
    if (factor_may_be_offset(first))
      explanation.open.push_back(
          "the factor: a larger one and an offset farther on nearly look alike in these numbers");
    if (candidate.offsets > 1)
      explanation.open.emplace_back(
          "the offset of the positions: so few pairs of so few digits fit others within 131072 of "
          "0 "
          "as well");
    result_.explanations.push_back(std::move(explanation));
  }

  /// Rules that slow the slow pairs alone may hide where those hardly turn: where one keeps the
  /// same bounds as the unscaled frequencies, it is an explanation too.
  void add_hidden_rules(const JudgedPolicy& policy) {
    const std::vector<Explanation> found = result_.explanations;
    for (const Explanation& explanation : found) {
      const Spectrum& spectrum = explanation.spectrum();
      if (explanation.regimes.size() != 1 || spectrum.embedding.scaling.rule != "default" ||
          !spectrum.recognised || spectrum.embedding.pairs() < 4)
        continue;
      for (const Spectrum& hidden : hidden_rules(spectrum)) {
        Candidate candidate{explanation.arrangement, explanation.regimes, true, 1};
        candidate.regimes.front().spectrum = hidden;
        if (stands(candidate)) continue;
        if (const std::optional<Judgement> judgement = judged(candidate, policy))
          explain(candidate, policy, *judgement);
      }
    }
  }

  /// Interleaved pairs that did not visibly turn may be rotated too, by frequencies that continue
  /// the others.
  void extend_blocks(const JudgedPolicy& policy) {
    const std::vector<Explanation> found = result_.explanations;
    for (const Explanation& explanation : found) {
      const Arrangement& a = explanation.arrangement;
      const Spectrum& spectrum = explanation.spectrum();
      if (a.in != 0 || a.out != 0 || spectrum.reversed || explanation.regimes.size() != 1 ||
          !spectrum.embedding.base || a.rotary_dim < 4 || !spectrum.embedding.scaling.lists.empty())
        continue;
      for (std::size_t r = a.rotary_dim + 2; a.offset + r <= tensors_.dim; r += 2)
        if (!extend(explanation, r, policy)) break;
    }
  }

  bool extend(const Explanation& explanation, std::size_t rotary_dim, const JudgedPolicy& policy) {
    const Spectrum& spectrum = explanation.spectrum();
    const double times =
        static_cast<double>(rotary_dim) / static_cast<double>(explanation.arrangement.rotary_dim);
    // A round base, where there is one, stays the round number that is meant.
    const double low = std::pow(spectrum.base_low, times),
                 high = std::pow(spectrum.base_high, times);
    Candidate candidate{explanation.arrangement, explanation.regimes, true, 1};
    candidate.arrangement.rotary_dim = rotary_dim;
    Spectrum& wider = candidate.regimes.front().spectrum;
    for (const double base :
         {simplest_number(low, high), std::pow(*spectrum.embedding.base, times)}) {
      if (!std::isfinite(base) || base > 1e30) return false;
      const double factor = spectrum.embedding.attention_factor;
      wider.embedding = scaled_embedding(
          spectrum.embedding.scaling,
          {base, rotary_dim, rotary_dim, spectrum.embedding.max_positions, std::nullopt});
      wider.embedding.attention_factor = factor;
      wider.base_low = std::min(low, base);
      wider.base_high = std::max(high, base);
      wider.theta_error.clear();
      wider.also.clear();
      for (std::size_t k = 0; k < rotary_dim / 2; ++k)
        wider.theta_error.push_back(wider.embedding.frequencies.theta[k] *
                                    std::log(wider.base_high / wider.base_low) *
                                    static_cast<double>(2 * k) / static_cast<double>(rotary_dim));
      if (const std::optional<Judgement> judgement = judged(candidate, policy)) {
        explain(candidate, policy, *judgement);
        return true;
      }
    }
    return false;
  }

  /// The candidate that fails at the fewest numbers.
  void find_near_miss() {
    std::size_t fewest =
        result_.near_miss ? result_.near_miss->judgement.violations : tensors_.x.size() + 1;
    const JudgedPolicy* policy = nullptr;
    for (const JudgedPolicy& each : policies_)
      if (!each.emulated) policy = &each;
    for (const Candidate& candidate : candidates_) {
      Judgement total;
      for (const Regime& regime : candidate.regimes) {
        const Judge judge(tensors_, candidate.arrangement, request_.hypotheses);
        const Judgement one = judge.judge(*policy, regime, true);
        const std::size_t violations = total.violations + one.violations;
        if (total.elements == 0 || one.ratio() > total.ratio()) total = one;
        total.violations = violations;
      }
      if (total.violations >= fewest) continue;
      fewest = total.violations;
      Explanation miss;
      miss.arrangement = candidate.arrangement;
      miss.regimes = candidate.regimes;
      miss.policy = policy->policy;
      miss.judgement = total;
      result_.near_miss = std::move(miss);
    }
  }

  void finish();

  const RotatedTensors& tensors_;
  const DiagnosisRequest& request_;
  std::vector<JudgedPolicy> policies_;
  std::vector<std::int64_t> given_;
  double relative_ = 0, passing_ = 0;
  Attempt attempt_{};
  bool measurable_ = false, straight_ = false;
  std::vector<Arrangement> arrangements_;
  std::vector<Candidate> candidates_;
  Diagnosis result_;
};

/// How far a reading is from the usual: the order of the explanations.
double oddity(const Explanation& e, std::size_t dim) {
  double sum = 0;
  if (e.arrangement.rotary_dim != dim) sum += 1;
  if (e.arrangement.offset != 0) sum += 2;
  if (e.arrangement.in != e.arrangement.out) sum += 4;
  if (std::abs(e.arrangement.in) > 1 || e.arrangement.in > 0) sum += 8;
  if (e.spectrum().clockwise) sum += 1;
  if (e.spectrum().reversed) sum += 8;
  if (!e.spectrum().recognised) sum += 16;
  if (const std::optional<double> base = e.spectrum().embedding.base) {
    int digits = 0;  // a round base is more likely than one of many digits
    while (digits < 15 && simplest_number(*base * (1 - std::pow(10.0, -digits)),
                                          *base * (1 + std::pow(10.0, -digits))) != *base)
      ++digits;
    sum += digits / 16.0 + (digits > 3 ? 3 : 0);
  }
  return sum;
}

void Diagnoser::finish() {
  std::vector<Explanation>& found = result_.explanations;
  std::stable_sort(found.begin(), found.end(), [&](const Explanation& a, const Explanation& b) {
    return oddity(a, tensors_.dim) < oddity(b, tensors_.dim);
  });
  if (found.empty()) {
    // Pairs that turn evenly, and withheld positions that could not be measured, are no evidence
    // against a rotation.
    result_.undetermined =
        !result_.pairings.empty() && (straight_ || (!request_.positions && !measurable_));
    result_.verdict = result_.undetermined ? DiagnosisVerdict::ambiguous : DiagnosisVerdict::none;
    return;
  }
  const bool open =
      std::any_of(found.begin(), found.end(), [](const Explanation& e) { return !e.open.empty(); });
  result_.verdict =
      found.size() == 1 && !open ? DiagnosisVerdict::unique : DiagnosisVerdict::ambiguous;
}

}  // namespace

std::string_view name(DiagnosisVerdict verdict) {
  switch (verdict) {
    case DiagnosisVerdict::unique:
      return "unique";
    case DiagnosisVerdict::ambiguous:
      return "ambiguous";
    case DiagnosisVerdict::none:
      break;
  }
  return "none";
}

Diagnosis diagnose(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  if (tensors.tokens == 0 || tensors.lanes == 0 || tensors.dim < 2)
    throw ShapeError("diagnose: expected at least one token of at least 2 dimensions, got " +
                         std::to_string(tensors.tokens) + " of " + std::to_string(tensors.dim),
                     "Rows that hold a NaN or an infinity do not count.");
  if (request.positions && request.positions->size() != tensors.tokens)
    throw ShapeError("positions: expected " + std::to_string(tensors.tokens) +
                         ", one a token, got " + std::to_string(request.positions->size()),
                     "Give every token its position.");
  return Diagnoser(tensors, request).run();
}

}  // namespace rope
