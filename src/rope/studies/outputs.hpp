#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rope/apply/token_input.hpp"
#include "rope/verify/certify.hpp"

namespace rope {

/// What of an implementation is judged, and what came of it.
struct OutputStudy {
  RotaryEmbedding embedding;
  Policy policy;  ///< with the cast to the type of the files
  Hypotheses hypotheses;
  std::string input;  ///< what the tensors are, in words; empty where there are none
  std::string result;
  std::string tables;
  std::string positions;
  bool narrowed = false;  ///< the cast to the type of the files is narrower than the policy's
  std::optional<Certification> vectors;
  std::optional<Certification> rows;
  std::optional<PairLayout> passing_layout;  ///< vectors that fail would pass with this one
  std::optional<std::int64_t> passing_axis;  ///< with tokens along this axis, where none was named

  /// That of its worse part.
  Verdict verdict() const;

  /// With which --libm-ulp all would pass, if that is why anything fails.
  std::optional<double> sufficient_libm_ulp() const;
};

/// Told how many numbers a pass over the tensors has, it returns what is told of each part done.
using PassProgress = std::function<std::function<void(std::uint64_t)>(std::uint64_t total)>;

/// A table of cosines or sines without its leading axes of length 1: [1, 1, tokens, columns] is
/// [tokens, columns].
///
/// Throws    ShapeError if it has more axes.
io::Shape table_shape(const io::Tensor& table);

/// Judges what an implementation made of vectors by a policy: `study` has the embedding and the
/// hypotheses. Where they fail, and would pass in the other layout, that one is told.
///
/// Throws    rope::Error that names the vector at which the check refuses to go on;
///           rope::SystemError.
void judge_vectors(OutputStudy& study, const TokenInput& input, const io::Tensor& result,
                   const Policy& policy, const PassProgress& progress);

/// Judges tables of cosines and sines, a row a position.
///
/// Throws    as judge_vectors.
void judge_tables(OutputStudy& study, const io::Tensor& cos, const io::Tensor& sin,
                  const TokenPositions& positions, const Policy& policy,
                  const PassProgress& progress);

/// Whether the result is what the policy makes of these vectors.
///
/// Throws    as judge_vectors.
bool passes(const RotaryEmbedding& embedding, const TokenInput& input, const io::Tensor& result,
            const Policy& policy, const Hypotheses& hypotheses, const PassProgress& progress);

/// The worst error of each pair that was compared.
std::vector<OutputError> compared_pairs(const OutputReport& report);

/// The worst pairs first, at most so many of them.
std::vector<OutputError> worst_pairs(const OutputReport& report, std::size_t most);

}  // namespace rope
