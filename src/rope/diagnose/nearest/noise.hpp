#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// An embedding, as stated or likely, of which y differs by noise alone.
struct NoisyEmbedding {
  RotaryEmbedding embedding;        ///< with its layout
  std::vector<Position> positions;  ///< one per token
  double residual = 0;              ///< |y − R x| over |x|
};

/// What is stated, or else what is likely (DiagnosisRequest), if y differs from it by noise alone:
/// by what ResidualRecorder takes for noise beside the rounding of a pipeline that fits the formats
/// of x and y (fitting_policies).
///
/// Positions that are withheld are those at which the embedding comes nearest, each token by
/// itself.
std::optional<NoisyEmbedding> but_for_noise(const RotatedTensors& tensors,
                                            const DiagnosisRequest& request);

/// |y − x| over |x| if y is x but for noise.
std::optional<double> unchanged_but_for_noise(const RotatedTensors& tensors);

/// Whether y differs from an embedding at these positions, one per token, by noise alone.
bool differs_by_noise(const RotatedTensors& tensors, const RotaryEmbedding& embedding,
                      std::span<const Position> positions);

/// Whether what y differs by from a noisy embedding goes along with an explanation, on one axis, in
/// more tokens and pairs than chance and the numbers it has fitted account for.
bool explains_noise(const RotatedTensors& tensors, const Explanation& explanation,
                    const NoisyEmbedding& noisy);

}  // namespace rope
