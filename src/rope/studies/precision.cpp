#include "rope/studies/precision.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"

namespace rope {
namespace {

/// 1, 2, 4 … and the last.
std::vector<std::int64_t> octaves(std::int64_t last) {
  std::vector<std::int64_t> positions = {1};
  while (positions.back() <= last / 2) positions.push_back(2 * positions.back());
  if (positions.back() < last) positions.push_back(last);
  return positions;
}

/// Whether the largest error found up to a position is the largest there is.
bool is_largest(const PositionError& error, const std::vector<LargestError>& searched) {
  if (error.bound <= error.worst.error * (1 + kLargestWithin)) return true;
  return std::ranges::any_of(searched, [&](const LargestError& largest) {
    return largest.length == error.position && largest.all;
  });
}

PolicyErrors errors_of(const Pipeline& pipeline, Against against,
                       const std::vector<std::int64_t>& positions, const SearchOptions& options) {
  SearchResult search = search_errors(pipeline, against, kErrorTolerances, positions, options);
  std::vector<FoundError> known;
  for (const LargestError& largest : search.largest) known.push_back(largest.found);
  for (const FirstPosition& first : search.first)
    if (first.found) known.push_back(*first.found);
  PolicyErrors errors{sample_errors(pipeline, against, positions, known), std::move(search.first)};
  for (PositionError& error : errors.errors) error.largest = is_largest(error, search.largest);
  return errors;
}

PolicyResult result_of(const Policy& policy, const PrecisionStudy& study,
                       const std::function<void()>& progress) {
  PolicyResult result;
  result.policy = policy;
  const Pipeline pipeline(policy, study.embedding);
  result.evaluation = ErrorBounds(pipeline).rotated_score();
  SearchOptions options{study.exhaustive, study.positions.back(), progress};
  result.last = last_finite_position(policy, options.last);
  result.distinct = distinct_integers(policy.position, options.last);
  std::vector<std::int64_t> positions = study.positions;
  std::erase_if(positions, [&](std::int64_t position) { return position > result.last; });
  for (const Against against : study.against)
    result.against.push_back(errors_of(pipeline, against, positions, options));
  return result;
}

}  // namespace

std::optional<std::size_t> PrecisionStudy::side_of(Against question) const {
  const auto found = std::ranges::find(against, question);
  if (found == against.end()) return std::nullopt;
  return static_cast<std::size_t>(found - against.begin());
}

std::int64_t PrecisionStudy::end_of(const PolicyResult& result) const {
  return std::min(positions.back(), result.last);
}

bool PrecisionStudy::never_exceeded(const PolicyResult& result, const FirstPosition& first) const {
  return !first.found && first.not_up_to >= end_of(result);
}

std::optional<WrongAngles> PrecisionStudy::wrong_angles(const PolicyResult& result) const {
  constexpr std::int64_t kMuchFurther = 4;  // times
  const auto identity = side_of(Against::identity), exact = side_of(Against::exact);
  if (!identity || !exact) return std::nullopt;
  for (std::size_t i = 0; i < kErrorTolerances.size(); ++i) {
    const FirstPosition& own = result.against[*identity].first[i];
    const FirstPosition& right = result.against[*exact].first[i];
    if (!right.found || own.not_up_to / kMuchFurther < right.found->n) continue;
    return WrongAngles{own.not_up_to, right};
  }
  return std::nullopt;
}

PrecisionStudy precision_study(const PrecisionRequest& request,
                               const std::function<void()>& progress) {
  if (request.last < 1 || request.exhaustive < 0)
    throw DomainError(
        "precision: expected a last position of at least 1 and an exhaustive search "
        "up to at least 0, got " +
        std::to_string(request.last) + " and " + std::to_string(request.exhaustive));
  PrecisionStudy study;
  study.embedding = request.embedding;
  study.against = request.against;
  study.exhaustive = std::min(request.exhaustive, request.last);
  study.positions = octaves(request.last);
  for (const Policy& policy : request.policies)
    study.results.push_back(result_of(policy, study, progress));
  return study;
}

}  // namespace rope
