// How negative controls are judged: by the same checks as an implementation, at positions so short
// that the policy can tell a mistake from its own rounding, if any position is.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/verify/verification.hpp"

namespace rope {
namespace {

constexpr std::int64_t kControlPosition = 1000, kShortestControlPosition = 4;
constexpr std::uint64_t kPositionPairs = 8;
constexpr std::uint64_t kVectorsPerPositionPair = 16;
// Stream numbers above every case number that a run can reach.
constexpr std::uint64_t kPositionStream = ~std::uint64_t{0};
constexpr std::uint64_t kVectorStream = std::uint64_t{1} << 63;

struct PositionPair {
  std::int64_t m, n, shift;
};

/// Positions at which no mistake hides: neither m, n nor n − m is 0.
std::vector<PositionPair> control_positions(std::uint64_t seed, std::int64_t range) {
  RandomStream random(seed, kPositionStream);
  std::vector<PositionPair> positions;
  while (positions.size() < kPositionPairs) {
    const PositionPair pair{random.integer(-range, range), random.integer(-range, range),
                            random.integer(-range, range)};
    if (pair.m != 0 && pair.n != 0 && pair.m != pair.n) positions.push_back(pair);
  }
  return positions;
}

/// Does the scheme do exactly what the right one does, at these positions and in exact arithmetic?
bool does_nothing(const SchemeSpec& spec, const RotaryEmbedding& embedding,
                  const std::vector<PositionPair>& positions) {
  const Policy exact = *find_policy("exact");
  const Scheme scheme(exact, spec), right(exact, right_scheme(embedding));
  if (scheme.query.additive()) return false;
  const auto same = [&](const Rotor& a, const Rotor& b, std::int64_t position) {
    Rotor::Row row_a, row_b;
    a.row(position, row_a);
    b.row(position, row_b);
    return effective_blocks(a, row_a, embedding) == effective_blocks(b, row_b, embedding);
  };
  return std::ranges::all_of(positions, [&](const PositionPair& p) {
    return same(scheme.query, right.query, p.m) && same(scheme.key, right.key, p.n) &&
           same(scheme.relative, right.relative, p.n - p.m);
  });
}

/// The running totals of one control.
struct Tally {
  double squares = 0, predicted_squares = 0;
  Largest op_defect;
  std::vector<double> ratios;
  bool held = true;
};

Tally judge(const Scheme& scheme, const Pipeline& claimed, Hypotheses hypotheses,
            const std::vector<PositionPair>& positions, std::uint64_t seed) {
  Tally tally;
  CaseCheck check(scheme, claimed, hypotheses);
  VerifyCase given;
  given.q.resize(claimed.embedding().head_dim);
  given.k.resize(given.q.size());
  for (std::size_t p = 0; p < positions.size(); ++p) {
    given.m = positions[p].m;
    given.n = positions[p].n;
    given.shift = positions[p].shift;
    for (std::uint64_t v = 0; v < kVectorsPerPositionPair; ++v) {
      RandomStream random(seed, kVectorStream + p * kVectorsPerPositionPair + v);
      for (std::vector<double>* x : {&given.q, &given.k}) {
        random.fill_normal(*x);
        for (double& value : *x) value = round_to(claimed.policy().input(), value);
      }
      const CaseResult result = check.check(given, RotationForm::elementwise, v == 0);
      const double relative = result.identity.error / result.norms;
      tally.squares += relative * relative;
      tally.ratios.push_back(result.identity.error / result.a_priori_bound);
      tally.held = tally.held && !result.inconsistent();
      if (!result.defect) continue;
      tally.op_defect.take(result.defect->norm);
      tally.predicted_squares += result.defect->frobenius * result.defect->frobenius;
    }
  }
  return tally;
}

/// How far the rows of a rotor may be from those of exact arithmetic, whatever mistake is in it.
class RowRounding {
 public:
  RowRounding(const RotorSpec& spec, const Policy& policy, Hypotheses hypotheses)
      : spec_(spec),
        policy_(Pipeline(policy, spec.embedding), hypotheses),
        exact_(Pipeline(*find_policy("exact"), spec.embedding), hypotheses) {
    // ‖[a b; b a]‖ = |a| + |b| ≤ √2·|(a, b)|
    if (spec.distortion == Distortion::swapped_sine) spread_ = std::numbers::sqrt2;
    // The Frobenius norm of [c −s'; s c]: |(c, s)|² + c² + s'² ≤ 3
    if (spec.distortion == Distortion::late_sine) spread_ = std::numbers::sqrt3;
  }

  /// The largest 2-norm of a block.
  double length() const { return spread_ * spec_.factor * spec_.embedding.attention_factor; }

  /// A bound on the 2-norm of the difference, for every pair.
  double at(std::int64_t position) {
    policy_.exact(spec_.rotated_by(position), limits_);
    double rounding = largest_of(limits_);
    exact_.exact(spec_.rotated_by(position), limits_);
    rounding += largest_of(limits_);
    return rounding * length();
  }

 private:
  RotorSpec spec_;
  ErrorBounds policy_, exact_;
  std::vector<double> limits_;
  double spread_ = 1;
};

/// Decides by the size of a mistake, not by the luck of a draw, who has to see it. A check measures
/// the mistake as exact arithmetic makes it, give or take what rounding does to the planted rows:
/// where it is longer than that and the bound together, the check must reject it, or is wrong.
class MistakeSize {
 public:
  MistakeSize(const SchemeSpec& spec, const Pipeline& claimed, Hypotheses hypotheses)
      : exact_(*find_policy("exact"), spec),
        bounds_(claimed, hypotheses),
        query_(spec.query, claimed.policy(), hypotheses),
        key_(spec.key, claimed.policy(), hypotheses),
        relative_(spec.relative, claimed.policy(), hypotheses) {}

  /// Does the mistake break the identity by more than rounding can hide?
  bool breaks_identity(const std::vector<PositionPair>& positions) {
    if (!exact_.blockwise()) return false;  // their norm is known from below alone
    return std::ranges::any_of(positions, [&](const PositionPair& p) {
      scheme_rows(exact_, p.m, p.n, rows_);
      bounds_.identity(p.m, p.n, p.n - p.m, per_pair_);
      const double scale = rows_.scale;
      const double q = query_.at(p.m), k = key_.at(p.n);
      const double rounding = query_.length() * k + q * key_.length() + q * k +
                              scale * relative_.at(p.n - p.m) + scale * scale * kDefectError;
      return defect(exact_, rows_)->norm >
             (scale * scale * (largest_of(per_pair_) + kDefectError) + rounding) * kBoundInflation;
    });
  }

  /// Does it show in the table, beyond what rounding can hide?
  bool shows_in_table(const FaithfulnessCheck& faithfulness) {
    bool shows = false;
    faithfulness.compare(exact_, bounds_, [&](const ComparedEntry& entry) {
      if (shows || !entry.violated()) return;
      RowRounding& rounding = entry.rotor == &exact_.query ? query_
                              : entry.rotor == &exact_.key ? key_
                                                           : relative_;
      shows = entry.error > (entry.bound + rounding.at(entry.position)) * kBoundInflation;
    });
    return shows;
  }

 private:
  Scheme exact_;
  ErrorBounds bounds_;
  RowRounding query_, key_, relative_;
  SchemeRows rows_;
  std::vector<double> per_pair_;
};

ControlReport run_control(const Control& control, const Pipeline& claimed, Hypotheses hypotheses,
                          std::uint64_t seed, const std::vector<PositionPair>& positions,
                          const FaithfulnessCheck& faithfulness) {
  ControlReport report;
  report.control = control;
  const SchemeSpec spec = control.plant(claimed.embedding());
  if (does_nothing(spec, claimed.embedding(), positions)) {
    report.outcome = ControlReport::Outcome::not_applicable;
    return report;
  }
  const Scheme scheme(claimed.policy(), spec);
  Tally tally = judge(scheme, claimed, hypotheses, positions, seed);
  const Faithfulness table = faithfulness.check(scheme, ErrorBounds(claimed, hypotheses));
  report.identity_held = tally.held;
  report.faithful = table.violations == 0;
  report.table_error = table.max_table_error;
  report.rms = std::sqrt(tally.squares / static_cast<double>(tally.ratios.size()));
  if (!scheme.query.additive()) {
    const auto d = static_cast<double>(claimed.embedding().head_dim);
    if (!std::isnan(tally.predicted_squares))
      report.predicted_rms =
          std::sqrt(tally.predicted_squares / static_cast<double>(positions.size())) / d;
    report.op_defect = tally.op_defect.value();
  }
  report.margin = median_of(std::move(tally.ratios));
  bool must_break = false, must_show = false;  // asked only where it matters
  if (report.faithful || (report.identity_held && !control.keeps_identity)) {
    MistakeSize size(spec, claimed, hypotheses);
    must_break = report.identity_held && size.breaks_identity(positions);
    must_show = report.faithful && size.shows_in_table(faithfulness);
  }
  report.outcome = control_outcome(report.identity_held, report.faithful, must_break, must_show);
  return report;
}

}  // namespace

ControlReport::Outcome control_outcome(bool identity_held, bool faithful, bool must_break_identity,
                                       bool must_show_in_table) {
  if ((identity_held && must_break_identity) || (faithful && must_show_in_table))
    return ControlReport::Outcome::not_rejected;
  return identity_held && faithful ? ControlReport::Outcome::undetectable
                                   : ControlReport::Outcome::rejected;
}

bool changes_nothing(const Control& control, const RotaryEmbedding& embedding) {
  constexpr std::uint64_t kAnySeed = 0;
  return does_nothing(control.plant(embedding), embedding,
                      control_positions(kAnySeed, kControlPosition));
}

std::int64_t control_range(const RotaryEmbedding& embedding, const Policy& policy,
                           Hypotheses hypotheses) {
  const ErrorBounds bounds(Pipeline(policy, embedding), hypotheses);
  const auto sharp_up_to = [&](std::int64_t last) {
    for (std::size_t k = 0; k < embedding.pairs(); ++k)
      if (!(bounds.identity_up_to(last, k) < 0.25)) return false;
    return true;
  };
  std::int64_t range = kControlPosition;
  while (range > kShortestControlPosition && !sharp_up_to(2 * range)) range /= 2;
  return std::max<std::int64_t>(range, kShortestControlPosition);
}

std::vector<ControlReport> run_controls(const RotaryEmbedding& embedding, const Policy& policy,
                                        Hypotheses hypotheses, std::uint64_t seed) {
  const Pipeline claimed(policy, embedding);
  const std::vector<PositionPair> positions =
      control_positions(seed, control_range(embedding, policy, hypotheses));
  std::vector<std::int64_t> table_positions = {1};
  for (const PositionPair& p : positions) table_positions.push_back(p.m);
  const FaithfulnessCheck faithfulness(embedding, table_positions);
  std::vector<ControlReport> reports;
  for (const Control& control : controls())
    reports.push_back(run_control(control, claimed, hypotheses, seed, positions, faithfulness));
  return reports;
}

}  // namespace rope
