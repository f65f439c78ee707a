#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rope/precision/first_position.hpp"

namespace rope {

/// The errors above which first positions are searched for.
inline constexpr std::array<double, 4> kErrorTolerances = {1e-3, 1e-2, 1e-1, 1};

struct PrecisionRequest {
  RotaryEmbedding embedding;
  std::vector<Policy> policies;
  std::vector<Against> against = {Against::identity, Against::exact};
  std::int64_t last = 131072;        ///< position
  std::int64_t exhaustive = 131072;  ///< position; `last` if that is smaller
};

/// The errors of one policy, against the identity or against exact scores.
struct PolicyErrors {
  std::vector<PositionError> errors;  ///< at the study's positions, up to the policy's last
  std::vector<FirstPosition> first;   ///< one for each of kErrorTolerances
};

/// What one policy does to one embedding.
struct PolicyResult {
  Policy policy;
  std::int64_t last = 0;      ///< the last position that its position format can represent
  std::int64_t distinct = 0;  ///< distinct positions left among 0 … last of the study
  double evaluation =
      0;  ///< the error that rotating and summing may add to a score at any position
  std::vector<PolicyErrors> against;  ///< one for each of PrecisionStudy::against
};

/// How long a pipeline that turns by the wrong angles agrees with itself.
struct WrongAngles {
  std::int64_t consistent_up_to = 0;  ///< position
  FirstPosition right;                ///< where its scores no longer equal the exact ones
};

struct PrecisionStudy {
  RotaryEmbedding embedding;
  std::vector<Against> against;
  std::int64_t exhaustive = 0;          ///< up to here every m, n was checked
  std::vector<std::int64_t> positions;  ///< 1, 2, 4, 8 … and the last
  std::vector<PolicyResult> results;

  /// The index of a question in `against`; none if it was not asked.
  std::optional<std::size_t> side_of(Against question) const;

  /// The last position that was checked and that the policy can represent.
  std::int64_t end_of(const PolicyResult& result) const;

  /// Whether it is certain that no error at a checked position exceeds the tolerance.
  bool never_exceeded(const PolicyResult& result, const FirstPosition& first) const;

  /// Whether the policy agrees with itself much further than with exact scores, at the smallest
  /// tolerance that shows it.
  std::optional<WrongAngles> wrong_angles(const PolicyResult& result) const;
};

/// How wrong rounded pipelines are, by position. `progress` is called once per policy, question and
/// pair.
///
/// Accuracy  that of search_errors and sample_errors.
/// Throws    DomainError unless last >= 1 and exhaustive >= 0; as Pipeline for a policy whose
///           formats cannot represent the embedding.
PrecisionStudy precision_study(const PrecisionRequest& request,
                               const std::function<void()>& progress = {});

}  // namespace rope
