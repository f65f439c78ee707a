#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// How the axes of an axial embedding get their frequencies.
enum class AxisSeries {
  restarted,  ///< θ_j = base^(−2j/r_a) for each axis a of r_a dimensions: FLUX, CogVideoX, ViTs
  dealt  ///< one series base^(−2j/r) over all r dimensions, dealt out to the axes in turn: Pixtral
};

/// RoPE along several axes, as used for images and videos: the rotated dimensions of a head are
/// divided among the axes, one block of pairs after the other.
///
/// `dims`    rotated dimensions of each axis, even; their sum is r.
/// Layout    interleaved or half over all r dimensions, or with `own_block` within the block of
///           each axis.
/// Throws    ShapeError if there are fewer than 2 or more than kMaxAxes sizes, a size is odd or 0,
///           their sum exceeds head_dim, or a dealt series has axes of unequal size; otherwise as
///           geometric_frequencies.
/// Source    Heo et al., Rotary Position Embedding for Vision Transformer, arXiv:2403.13298, §3.2.
RotaryEmbedding axial_embedding(std::size_t head_dim, double base,
                                std::span<const std::size_t> dims,
                                PairLayout layout = PairLayout::interleaved,
                                AxisSeries series = AxisSeries::restarted, bool own_block = false);

/// An axis that is extended separately.
struct ExtendedAxis {
  std::size_t dims;  ///< rotated dimensions, even
  /// NTK-aware: the base of this axis is base·factor^(d/(d − 2)) for d dimensions.
  double factor = 1;
  double unit = 1;  ///< the length of one step: 16/14 if 14 patches cover the space of 16
};

/// An axial embedding whose axes are extended separately: NTK-aware as in Cosmos, or by
/// interpolation as in EVA-02.
///
/// Throws    ShapeError as above, or if an axis of 2 dimensions has a factor; DomainError for a
///           factor or a unit that is not finite and above 0.
/// Source    diffusers 58eb52c080, CosmosRotaryPosEmbed; baaivision/EVA 5623d08, EVA-CLIP/rei,
///           VisionRotaryEmbeddingFast.
RotaryEmbedding axial_embedding(std::size_t head_dim, double base,
                                std::span<const ExtendedAxis> axes, PairLayout layout);

/// An axial embedding whose positions are fractions of an image: with `patches` patches along an
/// axis, patch i has the coordinate c = (2i + 1)/patches − 1, and pair j turns by
/// 2πc·base^(−2j/r_a). Here a position is the odd integer 2i + 1 − patches, so that c =
/// position/patches, and θ_j is 2π·base^(−2j/r_a)/patches.
///
/// `patches`: one number per axis, at least 1.
/// Source    Siméoni et al., DINOv3, arXiv:2508.10104.
RotaryEmbedding normalized_axial_embedding(std::size_t head_dim, double base,
                                           std::span<const std::size_t> dims,
                                           std::span<const std::size_t> patches, PairLayout layout);

}  // namespace rope
