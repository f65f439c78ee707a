#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// How the axes of an axial embedding come to their frequencies.
enum class AxisSeries {
  restarted,  ///< θ_j = base^(−2j/r_a) for each axis a of r_a dimensions: FLUX, CogVideoX, ViTs
  dealt       ///< one series base^(−2j/r) over all, dealt out to the axes in turn: Pixtral
};

/// RoPE along several axes, as images and videos have it: the rotated dimensions of a head are
/// shared out among the axes, one block of pairs behind the other.
///
/// `dims`    rotated dimensions of each axis, even; their sum is r.
/// Layout    interleaved or half over all r dimensions. `own_block`: within the block of each axis.
/// Throws    ShapeError if there are fewer than 2 or more than kMaxAxes, one is odd or 0, their sum
///           exceeds head_dim, or dealt series are not of equal size; as geometric_frequencies.
/// Source    Heo et al., Rotary Position Embedding for Vision Transformer, arXiv:2403.13298, §3.2.
RotaryEmbedding axial_embedding(std::size_t head_dim, double base,
                                std::span<const std::size_t> dims,
                                PairLayout layout = PairLayout::interleaved,
                                AxisSeries series = AxisSeries::restarted, bool own_block = false);

/// The same with positions that are fractions of an image: of `patches` patches along an axis,
/// patch i has the coordinate c = (2i + 1)/patches − 1, and pair j turns by 2πc·base^(−2j/r_a).
/// A position is the odd integer 2i + 1 − patches here, so that c = position/patches, and θ_j is
/// 2π·base^(−2j/r_a)/patches.
///
/// `patches` of each axis, at least 1.
/// Source    Siméoni et al., DINOv3, arXiv:2508.10104.
RotaryEmbedding normalized_axial_embedding(std::size_t head_dim, double base,
                                           std::span<const std::size_t> dims,
                                           std::span<const std::size_t> patches, PairLayout layout);

}  // namespace rope
