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
  std::int64_t shift = 0;               ///< of every position, tokens
  bool clockwise = false;               ///< turned by −mθ
  std::optional<double> factor;         ///< the attention factor, instead of the stated one
  std::optional<std::size_t> head_dim;  ///< the last axis holds heads of this size

  bool any() const { return layout || shift != 0 || clockwise || factor || head_dim; }
};

/// What an implementation is judged by, and the outcome.
struct OutputStudy {
  RotaryEmbedding embedding;
  Policy policy;              ///< with the cast to the type of the files
  bool policy_stated = true;  ///< otherwise it is one that fits the numbers
  FittingPolicy way;  ///< the policy as it is named, and the formats assumed for the numbers
  std::vector<FittingPolicy> ways;  ///< the policies that fit the vectors, or the stated one
  Hypotheses hypotheses;
  std::string input;  ///< a description of the tensors; empty if there are none
  std::string result;
  std::string tables;
  std::string positions;
  std::vector<std::string> assumed;  ///< what was not stated, and what was assumed for it
  bool narrowed = false;  ///< the cast to the type of the files is narrower than the policy's
  std::optional<Certification> vectors;
  std::optional<Certification> rows;
  // Of vectors that are beyond their bounds:
  std::vector<std::string> axes;  ///< "heads", "tokens" …, one name per axis
  std::optional<OutputPlaces>
      places;                ///< where they are; nothing if there are more numbers than are kept
  OutputResidual residual;   ///< what the difference is like
  PassingChange would_pass;  ///< nothing if no change tried makes them pass
  /// Other axes that could be the token axis, but along which the vectors fail.
  std::vector<std::int64_t> failing_axes;
  bool unrotated_there = false;  ///< whether they fail there because the result is the input
  /// Whether the axis that was read as tokens may instead be the heads of one token, a reading by
  /// which the vectors fail.
  bool heads_open = false;

  /// The verdict of the worse part. A difference that looks like noise does not disprove a rotation
  /// unless the policy was stated.
  Verdict verdict() const;

  /// Whether the differences beyond the bounds look like the noise between two runs.
  bool noise() const { return !policy_stated && residual.noise; }

  /// The --libm-ulp with which all would pass, if that is why anything is beyond its bound.
  std::optional<double> sufficient_libm_ulp() const;
};

/// Given the total count of numbers in a pass over the tensors, returns a function to call for each
/// part done.
using PassProgress = std::function<std::function<void(std::uint64_t)>(std::uint64_t total)>;

/// The shape of a table of cosines or sines without its leading axes of length 1: [1, 1, tokens,
/// columns] becomes [tokens, columns].
///
/// Throws    ShapeError if it has more axes.
io::Shape table_shape(const io::Tensor& table);

/// Judges what an implementation made of vectors; `study` has the embedding and the hypotheses.
/// Without a policy, the vectors are judged by the policies that fit the numbers
/// (fitting_policies): the first by which they do not fail, or else the one by which the fewest
/// fail.
///
/// Throws    rope::Error that names the vector at which the check refuses to continue;
///           rope::SystemError.
void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const std::optional<Policy>& policy, const PassProgress& progress);

/// Adds to the study of failing vectors where they fail and how they differ.
///
/// Throws    as judge_vectors.
void locate_failure(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                    const PassProgress& progress);

/// Adds the change that would make the failing vectors pass, unless the places where they fail
/// explain enough. A difference that is a single factor is not noise.
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

/// Whether the result for these vectors passes by a fitting policy with another embedding.
///
/// Throws    as judge_vectors.
bool passes(const OutputStudy& study, const RotaryEmbedding& embedding, const TokenInput& input,
            const io::Tensor& result, const PassProgress& progress);

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report);

/// The worst pairs first, at most `most` of them.
std::vector<OutputError> worst_pairs(const OutputReport& report, std::size_t most);

}  // namespace rope
