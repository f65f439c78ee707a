#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/spectrum.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/policy.hpp"

namespace rope {

/// What is granted to an implementation beyond its rounding policy.
struct DiagnosisHypotheses {
  double libm_ulp = 4;   ///< error of its cos and sin, in ulp: CUDA's and libmvec's are below
  double noise_ulp = 0;  ///< further units in the last place of y, for noise declared by the user
};

/// Tokens that one spectrum explains, with the position of each.
struct Regime {
  std::vector<std::size_t> tokens;  ///< ascending
  std::vector<std::int64_t> positions;
  Spectrum spectrum;
};

/// y against the re-rotated x, element by element.
struct Judgement {
  bool passed = false;
  double max_error = 0;         ///< the largest |y − R x|
  double error = 0, bound = 0;  ///< |y − R̂ x| where it is largest beside its bound
  std::size_t token = 0, lane = 0, dimension = 0;
  std::size_t elements = 0;
  std::size_t violations = 0;  ///< elements beyond their bound; counting stops early if not asked

  double ratio() const { return bound > 0 ? error / bound : (error > 0 ? HUGE_VAL : 0); }

  /// With the numbers of other tokens.
  void add(const Judgement& other);
};

/// A pipeline that may have made y.
struct JudgedPolicy {
  Policy policy;
  /// Its positions or frequencies are rounded so roughly that a bound would allow anything: y is
  /// compared with the angles that the pipeline itself comes to.
  bool emulated = false;
};

/// The pipelines whose results y may hold, the most exact first: those whose store format is the
/// narrowest that holds every number of y.
std::vector<JudgedPolicy> possible_policies(const RotatedTensors& tensors);

/// Whether a regime reproduces y: |y_i − (R̂ x)_i| ≤ bound at every number, with
///
///     bound = A·|x pair|·(angle and table error of the policy) + rounding of R̂ x and of its
///     storage
///
/// from the precision layer (docs/accuracy.md), our own rounding, and what the frequencies may be
/// off by. R̂ x is this library's exact rotation; where the policy casts cos and sin to a narrower
/// format, that with the cos and sin the format has, and the bound holds what is open of them.
class Judge {
 public:
  Judge(const RotatedTensors& tensors, const Arrangement& arrangement,
        const DiagnosisHypotheses& hypotheses);
  /// `input`: the narrowest format that holds x, where many look at the same numbers.
  Judge(const RotatedTensors& tensors, const Arrangement& arrangement,
        const DiagnosisHypotheses& hypotheses, Format input);

  /// Stops at the first element out of bounds if `all` is false.
  Judgement judge(const JudgedPolicy& policy, const Regime& regime, bool all) const;

  /// Whether a dimension belongs to the rotated block.
  bool rotates(std::size_t dimension) const {
    return dimension >= arrangement_.offset &&
           dimension < arrangement_.offset + arrangement_.rotary_dim;
  }

  /// |y − R x| of each pair (columns) and token of the regime (rows): the larger of its two
  /// numbers, the largest of the lanes.
  std::vector<double> error_map(const Regime& regime) const;

 private:
  const RotatedTensors& tensors_;
  Arrangement arrangement_;
  DiagnosisHypotheses hypotheses_;
  Format input_format_;  // the narrowest that holds x
  std::vector<PairDimensions> in_, out_;
};

}  // namespace rope
