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

/// A change of what is stated, with which vectors that fail would pass.
struct PassingChange {
  std::optional<PairLayout> layout;
  std::int64_t shift = 0;               ///< of every position, tokens
  bool clockwise = false;               ///< turned by −mθ
  std::optional<double> factor;         ///< the attention factor, instead of the stated one
  std::optional<std::size_t> head_dim;  ///< the last axis holds heads of this size

  bool any() const { return layout || shift != 0 || clockwise || factor || head_dim; }
};

/// What of an implementation is judged, and what came of it.
struct OutputStudy {
  RotaryEmbedding embedding;
  Policy policy;              ///< with the cast to the type of the files
  bool policy_stated = true;  ///< or it is one that fits the numbers
  FittingPolicy way;          ///< the policy as it is named, and what the numbers were taken for
  std::vector<FittingPolicy> ways;  ///< those that fit vectors, or the stated one
  Hypotheses hypotheses;
  std::string input;  ///< what the tensors are, in words; empty where there are none
  std::string result;
  std::string tables;
  std::string positions;
  std::vector<std::string> assumed;  ///< what nobody stated, and what it was taken for
  bool narrowed = false;  ///< the cast to the type of the files is narrower than the policy's
  std::optional<Certification> vectors;
  std::optional<Certification> rows;
  // Of vectors that are beyond their bounds:
  std::vector<std::string> axes;       ///< "heads", "tokens" …, one name per axis
  std::optional<OutputPlaces> places;  ///< where; nothing for more numbers than are kept
  OutputResidual residual;             ///< what the difference is like
  PassingChange would_pass;            ///< nothing if no change that was tried makes them pass
  /// Axes that could hold the tokens as well, along which the vectors fail.
  std::vector<std::int64_t> failing_axes;
  bool unrotated_there = false;  ///< as the result is the input
  /// The tokens along the axis that was read may be the heads of one, which then fail.
  bool heads_open = false;

  /// That of its worse part. A difference that is like noise is proof against no rotation, unless
  /// the policy was stated.
  Verdict verdict() const;

  /// Whether what is beyond the bounds is like the noise between two runs.
  bool noise() const { return !policy_stated && residual.noise; }

  /// With which --libm-ulp all would pass, if that is why anything is beyond its bound.
  std::optional<double> sufficient_libm_ulp() const;
};

/// Told how many numbers a pass over the tensors has, it returns what is told of each part done.
using PassProgress = std::function<std::function<void(std::uint64_t)>(std::uint64_t total)>;

/// A table of cosines or sines without its leading axes of length 1: [1, 1, tokens, columns] is
/// [tokens, columns].
///
/// Throws    ShapeError if it has more axes.
io::Shape table_shape(const io::Tensor& table);

/// Judges what an implementation made of vectors: `study` has the embedding and the hypotheses.
/// Without a policy they are judged by those that fit the numbers (fitting_policies): the first
/// that they do not fail by, or the one by which the fewest fail.
///
/// Throws    rope::Error that names the vector at which the check refuses to go on;
///           rope::SystemError.
void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const std::optional<Policy>& policy, const PassProgress& progress);

/// Adds to the study of vectors that fail where they do and what they differ by.
///
/// Throws    as judge_vectors.
void locate_failure(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                    const PassProgress& progress);

/// Adds which change would make the vectors pass that fail, unless where they do is reason enough.
/// What is one factor is no noise.
///
/// Throws    as judge_vectors.
void try_changes(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                 const PassProgress& progress);

/// Judges tables of cosines and sines, a row a position.
///
/// Throws    as judge_vectors.
void judge_tables(OutputStudy& study, const io::Tensor& cos, const io::Tensor& sin,
                  const TokenPositions& positions, const std::optional<Policy>& policy,
                  const PassProgress& progress);

/// Whether the result is what a policy that fits makes of these vectors by another embedding.
///
/// Throws    as judge_vectors.
bool passes(const OutputStudy& study, const RotaryEmbedding& embedding, const TokenInput& input,
            const io::Tensor& result, const PassProgress& progress);

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report);

/// The worst pairs first, at most so many of them.
std::vector<OutputError> worst_pairs(const OutputReport& report, std::size_t most);

}  // namespace rope
