#include "rope/diagnose/diagnosis.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/outliers/odd_pairs.hpp"
#include "rope/diagnose/outliers/odd_tokens.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/open_questions.hpp"
#include "rope/error.hpp"

namespace rope {
namespace {

/// Whether the bounds of a pipeline are so wide that they may hide a wrong number: its tables are
/// rougher than y. Rough positions do not matter: the first 256 are exact in every format.
bool hides_outliers(const Policy& policy) {
  const int single = limits(Format::float32).precision;
  return limits(policy.table).precision < limits(policy.store).precision &&
         limits(policy.position).precision >= single &&
         limits(policy.frequency).precision >= single;
}

/// Whether the tokens that do not follow the majority may do so at other positions, where positions
/// are withheld: all their pairs keep their length.
bool may_stand_elsewhere(const RotatedTensors& tensors, const DiagnosisRequest& request,
                         const MajorityExplanation& most) {
  if (request.positions) return false;
  const RotatedTensors others = some_tokens(tensors, most.tokens, tensors.lanes);
  return turns(
      others, most.explanation.arrangement,
      search_tolerance(tensors, narrowest_format(tensors.y), request.hypotheses.noise_ulp, 0));
}

/// Where nothing fits at the positions given: what fits without them, if anything.
std::optional<Diagnosis> diagnose_elsewhere(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request) {
  DiagnosisRequest withheld = request;
  withheld.positions.reset();
  Diagnosis found = diagnose_all_tokens(tensors, withheld);
  if (found.explanations.empty()) return std::nullopt;
  for (Explanation& e : found.explanations) {
    e.position_offset =
        constant_offset(e.regimes, *request.positions);  // until now relative to a count
    if (!e.position_offset) e.runs = position_runs(e.regimes);
    if (e.arrangement.pairs() > 1) continue;
    e.direction_open = true;
    e.open.emplace_back(kOnePairOpen);
    found.verdict = DiagnosisVerdict::ambiguous;
  }
  return found;
}

/// Nothing explains all of y; `most` explains most of it.
void contradict(Diagnosis& result, Explanation&& most) {
  result.verdict = DiagnosisVerdict::none;
  result.undetermined = false;
  result.explanations.clear();
  result.near_miss = std::move(most);
}

/// Distances between positions, mirrored positions and steps have to fit 64 bits.
void check_distances(std::span<const std::int64_t> positions) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 61;
  for (const std::int64_t position : positions)
    if (position <= -kFarthest || position >= kFarthest)
      throw DomainError(Subject{"positions"},
                        "expected less than 2^61 either way, got " + std::to_string(position),
                        "Leave them out if they are not known: those that fit are searched for.");
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

std::string_view name(OddTurn turn) {
  switch (turn) {
    case OddTurn::negated:
      return "negated";
    case OddTurn::first_negated:
      return "first-negated";
    case OddTurn::second_negated:
      return "second-negated";
    case OddTurn::other_way:
      return "other-way";
    case OddTurn::no_rotation:
      return "no-rotation";
    case OddTurn::no_frequency:
      return "no-frequency";
    case OddTurn::another_frequency:
      break;
  }
  return "another-frequency";
}

Diagnosis diagnose(const RotatedTensors& tensors, const DiagnosisRequest& request) {
  if (tensors.tokens == 0 || tensors.lanes == 0 || tensors.dim < 2)
    throw ShapeError("diagnose: expected at least one token of at least 2 dimensions, got " +
                         std::to_string(tensors.tokens) + " of " + std::to_string(tensors.dim),
                     "Rows that hold a NaN or an infinity do not count.");
  if (request.positions && request.positions->size() != tensors.tokens)
    throw ShapeError("positions: expected " + std::to_string(tensors.tokens) +
                         ", one per token, got " + std::to_string(request.positions->size()),
                     "Give every token its position.");
  if (request.positions) check_distances(*request.positions);
  Diagnosis result = diagnose_all_tokens(tensors, request);
  if (result.unchanged || result.x_zero || result.y_zero) return result;
  if (!result.explanations.empty() && !hides_outliers(result.explanations.front().policy))
    return result;
  std::optional<MajorityExplanation> most = explain_majority(tensors, request);
  if (most && result.undetermined && may_stand_elsewhere(tensors, request, *most)) most.reset();
  std::optional<OddPairsExplanation> odd;
  if (!most && result.explanations.empty())
    odd = explain_all_but_odd_pairs(tensors, request, result.pairings, result.nearest,
                                    result.nearest_misfits);
  const bool as_given = (most && most->explanation.position_offset == 0) ||
                        (odd && odd->explanation.position_offset == 0);
  if (request.positions && !as_given && result.explanations.empty() && !result.pairings.empty())
    if (std::optional<Diagnosis> found = diagnose_elsewhere(tensors, request))
      return *std::move(found);
  if (most) {
    result.broken_tokens = std::move(most->tokens);
    contradict(result, std::move(most->explanation));
  } else if (odd) {
    result.odd_pairs = std::move(odd->pairs);
    contradict(result, std::move(odd->explanation));
  }
  return result;
}

}  // namespace rope
