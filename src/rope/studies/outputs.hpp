#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rope/apply/token_input.hpp"
#include "rope/verify/certify.hpp"
#include "rope/verify/fitting_policies.hpp"
#include "rope/verify/output_places.hpp"
#include "rope/verify/output_residual.hpp"

namespace rope {

/// A change to the stated settings with which failing vectors would pass.
struct PassingChange {
  std::optional<PairLayout> layout;
  std::int64_t shift = 0;               ///< added to every position, tokens
  bool clockwise = false;               ///< pairs are turned by −mθ
  std::optional<double> factor;         ///< the attention factor that replaces the stated one
  std::optional<std::size_t> head_dim;  ///< the last axis holds heads of this size

  bool any() const { return layout || shift != 0 || clockwise || factor || head_dim; }
};

/// The settings by which an implementation is judged, and the outcome.
struct OutputStudy {
  RotaryEmbedding embedding;
  Policy policy;              ///< with the cast to the type of the files
  bool policy_stated = true;  ///< otherwise it is a policy that fits the numbers
  FittingPolicy way;  ///< the policy as it is named, and the formats assumed for the numbers
  std::vector<FittingPolicy> ways;  ///< the policies that fit the vectors, or the stated one
  Hypotheses hypotheses;
  std::string input;  ///< a description of the tensors; empty if there are none
  std::string result;
  std::string tables;
  std::string positions;
  /// Each setting that was not stated, and what was assumed for it.
  std::vector<std::string> assumed;
  /// Whether the cast to the type of the files is narrower than the policy's.
  bool narrowed = false;
  std::optional<Certification> vectors;
  std::optional<Certification> rows;
  // For vectors that are beyond their bounds:
  std::vector<std::string> axes;  ///< "heads", "tokens" …, one name per axis
  /// Where those vectors are; nothing if there are too many numbers to record.
  std::optional<OutputPlaces> places;
  OutputResidual residual;   ///< what the difference from the exact vectors looks like
  PassingChange would_pass;  ///< empty if none of the changes tried makes the vectors pass
  /// Other axes that could be the token axis, but along which the vectors fail.
  std::vector<std::int64_t> failing_axes;
  /// Whether the vectors fail along those axes because the result equals the input.
  bool unrotated_there = false;
  /// Whether the axis that was read as tokens may instead hold the heads of one token. If the axis
  /// is read that way, the vectors fail.
  bool heads_open = false;

  /// The worse of the verdicts on vectors and tables. A difference that looks like noise does not
  /// disprove a rotation unless the policy was stated.
  Verdict verdict() const;

  /// Whether the differences beyond the bounds look like the noise between two runs.
  bool noise() const { return !policy_stated && residual.noise; }

  /// The value of --libm-ulp with which everything would pass, if a larger value can explain all
  /// violations.
  std::optional<double> sufficient_libm_ulp() const;
};

/// A function that receives the total count of numbers that a pass over the tensors reads, and
/// returns a function that reports progress.
using PassProgress = std::function<std::function<void(std::uint64_t)>(std::uint64_t total)>;

/// The narrowest of bfloat16, float16, float32 and float64 that can represent the numbers. bfloat16
/// numbers are often stored in a wider format, because NumPy has no bfloat16.
Format narrowest_format(const io::Tensor& tensor);

/// The shape of a table of cosines or sines without its leading axes of length 1: [1, 1, tokens,
/// columns] becomes [tokens, columns].
///
/// Throws    ShapeError if more than two axes remain.
io::Shape table_shape(const io::Tensor& table);

/// Judges the vectors that an implementation rotated; `study` contains the embedding and the
/// hypotheses. Without a policy, the vectors are judged by the policies that fit the numbers
/// (fitting_policies): the first policy under which they do not fail, or else the one under which
/// the fewest fail.
///
/// Throws    rope::Error that names the vector at which the check refuses to continue;
///           rope::SystemError.
void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const std::optional<Policy>& policy, const PassProgress& progress);

/// Records in the study where vectors fail, and how they differ from the exact ones.
///
/// Throws    as judge_vectors.
void locate_failure(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                    const PassProgress& progress);

/// Adds the change that would make the failing vectors pass, unless the places where they fail
/// already explain the failure. If the difference is a single factor, it is no longer regarded as
/// noise.
///
/// Throws    as judge_vectors.
void try_changes(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                 const PassProgress& progress);

/// Judges tables of cosines and sines, one row per position.
///
/// Throws    as judge_vectors.
void judge_tables(OutputStudy& study, const io::Tensor& cos, const io::Tensor& sin,
                  const TokenPositions& positions, const std::optional<Policy>& policy,
                  const PassProgress& progress);

/// Whether the result for these vectors passes under a fitting policy with another embedding.
///
/// Throws    as judge_vectors.
bool passes(const OutputStudy& study, const RotaryEmbedding& embedding, const TokenInput& input,
            const io::Tensor& result, const PassProgress& progress);

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report);

/// The worst pairs first, at most `most` of them.
std::vector<OutputError> worst_pairs(const OutputReport& report, std::size_t most);

}  // namespace rope
