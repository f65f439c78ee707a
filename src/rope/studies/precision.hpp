#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rope/precision/first_position.hpp"

namespace rope {

/// The error tolerances. For each, the study searches for the first position with a larger error.
inline constexpr std::array<double, 4> kErrorTolerances = {1e-3, 1e-2, 1e-1, 1};

struct PrecisionRequest {
  RotaryEmbedding embedding;
  std::vector<Policy> policies;
  std::vector<Against> against = {Against::identity, Against::exact};
  std::int64_t last = 131072;  ///< position
  /// Position up to which all m and n are checked; `last` if that is smaller.
  std::int64_t exhaustive = 131072;
};

/// The errors of one policy, against the identity or against exact scores.
struct PolicyErrors {
  /// At the study's positions, up to PolicyResult::last.
  std::vector<PositionError> errors;
  std::vector<FirstPosition> first;  ///< one for each of kErrorTolerances
};

/// What one policy does to one embedding.
struct PolicyResult {
  Policy policy;
  std::int64_t last = 0;  ///< the last position that its position format can represent
  /// How many of the positions from 0 to the study's last one are distinct in that format.
  std::int64_t distinct = 0;
  /// A bound on the error that rotating and summing add to a score at any position.
  double evaluation = 0;
  std::vector<PolicyErrors> against;  ///< one for each of PrecisionStudy::against
};

/// How far a pipeline that turns by wrong angles remains consistent with itself.
struct WrongAngles {
  std::int64_t consistent_up_to = 0;  ///< position
  FirstPosition right;  ///< the first position at which its scores no longer equal the exact ones
};

struct PrecisionStudy {
  RotaryEmbedding embedding;
  std::vector<Against> against;
  std::int64_t exhaustive = 0;          ///< the position up to which all m and n were checked
  std::vector<std::int64_t> positions;  ///< 1, 2, 4, 8 … and the last position
  std::vector<PolicyResult> results;

  /// The index of this element in `against`; nothing if `against` does not contain it.
  std::optional<std::size_t> side_of(Against question) const;

  /// The last position that was checked and that the policy can represent.
  std::int64_t end_of(const PolicyResult& result) const;

  /// Whether it is certain that no error at a checked position exceeds the tolerance.
  bool never_exceeded(const PolicyResult& result, const FirstPosition& first) const;

  /// Set if the policy agrees with itself up to much larger positions than with exact scores, at
  /// the smallest tolerance at which this shows.
  std::optional<WrongAngles> wrong_angles(const PolicyResult& result) const;
};

/// Computes the errors of rounded pipelines by position. `progress` is called once per policy,
/// element of `against` and pair.
///
/// Accuracy  that of search_errors and sample_errors.
/// Throws    DomainError unless last >= 1 and exhaustive >= 0; as Pipeline for a policy whose
///           formats cannot represent the embedding.
PrecisionStudy precision_study(const PrecisionRequest& request,
                               const std::function<void()>& progress = {});

}  // namespace rope
