#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/judgement.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/policy.hpp"

namespace rope {

/// A pipeline that may have made y.
struct JudgedPolicy {
  Policy policy;
  /// Its positions or frequencies are rounded so coarsely that a bound would allow anything: y is
  /// then compared with a rotation by the angles that the pipeline itself computes.
  bool emulated = false;
};

/// Whether a pipeline rounds positions, frequencies or angles to fewer digits than float32, which
/// happens only by mistake.
bool rounds_by_mistake(const Policy& policy);

/// Whether a pipeline rounds by mistake, or rounds its tables to fewer digits than y has. If y is
/// explained without such rounding, conventions that need it are rejected.
bool rougher_than_result(const Policy& policy);

/// The pipelines that may have made y, the most exact first: those whose store format is the
/// narrowest that holds every number of y.
std::vector<JudgedPolicy> possible_policies(const RotatedTensors& tensors);

/// Whether a regime reproduces y: |y_i − (R̂ x)_i| ≤ bound at every number, with
///
///     bound = A·|x pair|·(angle and table error of the policy) + rounding of R̂ x and of its
///     storage
///
/// as the precision layer computes it (docs/accuracy.md), plus our own rounding and the errors of
/// the frequencies. R̂ x is the exact rotation that this library computes. Where the policy casts
/// cos and sin to a narrower format, R̂ uses the cast values, and the bound allows for a cast that
/// rounds to the neighbouring number.
class Judge {
 public:
  Judge(const RotatedTensors& tensors, const Arrangement& arrangement,
        const DiagnosisHypotheses& hypotheses);
  /// `input`: the narrowest format that holds x, passed so that it need not be found again.
  Judge(RotatedTensors tensors, const Arrangement& arrangement,
        const DiagnosisHypotheses& hypotheses, Format input);

  /// Stops after the vector that brings the number of elements beyond their bounds to `enough`.
  Judgement judge(const JudgedPolicy& policy, const Regime& regime, std::size_t enough = 1) const;
  static constexpr std::size_t kEvery = SIZE_MAX;

  /// Whether a dimension belongs to the rotated block.
  bool rotates(std::size_t dimension) const { return arrangement_.rotates(dimension); }

  /// |y − R x| for each token of the regime (rows) and each pair (columns): the maximum over the
  /// two numbers of the pair and over the lanes.
  std::vector<double> error_map(const Regime& regime) const;

 private:
  RotatedTensors tensors_;
  Arrangement arrangement_;
  DiagnosisHypotheses hypotheses_;
  Format input_format_;  // the narrowest that holds x
  std::vector<PairDimensions> in_, out_;
};

}  // namespace rope
