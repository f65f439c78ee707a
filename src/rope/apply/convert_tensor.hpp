#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rope/io/tensor.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// Consecutive heads along one axis of a tensor: the rows of a projection weight, or the last axis
/// of vectors, which holds one head.
struct HeadAxis {
  std::size_t axis = 0;
  std::size_t heads = 1;
  /// Elements beyond the first heads·head_dim along the axis stay in place.
  std::size_t head_dim = 0;
};

/// The layout of the pairs of a head before and after a conversion.
struct LayoutChange {
  PairLayout from = PairLayout::interleaved;
  PairLayout to = PairLayout::half;
  std::size_t rotary_dim = 0;
};

/// Refuses the same arguments as convert_tensor, without reading the elements.
///
/// Throws    ShapeError if x has no such axis, or the axis is shorter than heads·head_dim; also
///           what layout_permutation throws.
void check_conversion(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change);

/// Rearranges the pairs of every head into the new layout, and passes the bytes to `take` in the
/// order of the new tensor. Elements are moved but not changed, so converting there and back
/// restores the original bits.
///
/// Shapes    the new tensor has the shape and type of x.
/// Throws    what check_conversion and Tensor::read_bytes throw.
/// Source    docs/conventions.md: y = P x, and P R(interleaved) Pᵀ = R(half).
void convert_tensor(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change,
                    const std::function<void(std::span<const char>)>& take);

}  // namespace rope
