#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// A stated or likely embedding from which y differs only by noise.
struct NoisyEmbedding {
  RotaryEmbedding embedding;        ///< with its layout
  std::vector<Position> positions;  ///< one per token
  double residual = 0;              ///< |y − R x| over |x|
};

/// The stated embedding, or else DiagnosisRequest::likely, if y differs from it only by noise
/// beyond the rounding of a pipeline that fits the formats of x and y (fitting_policies).
/// ResidualRecorder decides what is noise.
///
/// If no positions are given, each token gets the position at which the embedding comes nearest to
/// y.
std::optional<NoisyEmbedding> but_for_noise(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request);

/// |y − x| over |x|, if y is x apart from noise.
std::optional<double> unchanged_but_for_noise(const RotatedTensors& tensors);

/// Whether y differs only by noise from an embedding at these positions, one per token.
bool differs_by_noise(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                      std::span<const Position> positions);

/// Whether an explanation on one axis accounts for the difference between y and a noisy embedding
/// in more tokens and pairs than chance would, given how many numbers were fitted.
bool explains_noise(const RotatedTensors& tensors, const Explanation& explanation,
                    const NoisyEmbedding& noisy);

}  // namespace rope
