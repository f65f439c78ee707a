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

/// What is stated, or else what is likely (DiagnosisRequest), if y differs from it only by noise.
/// Noise is what ResidualRecorder takes for it, beyond the rounding of a pipeline that fits the
/// formats of x and y (fitting_policies).
///
/// If positions are withheld, each token takes the one at which the embedding comes nearest.
std::optional<NoisyEmbedding> but_for_noise(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request);

/// |y − x| over |x| if y is x up to noise.
std::optional<double> unchanged_but_for_noise(const RotatedTensors& tensors);

/// Whether y differs only by noise from an embedding at these positions, one per token.
bool differs_by_noise(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                      std::span<const Position> positions);

/// Whether the difference between y and a noisy embedding agrees with an explanation, on one axis,
/// in more tokens and pairs than chance and the explanation's fitted numbers account for.
bool explains_noise(const RotatedTensors& tensors, const Explanation& explanation,
                    const NoisyEmbedding& noisy);

}  // namespace rope
