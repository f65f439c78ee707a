#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "rope/io/tensor.hpp"
#include "rope/rotary/layout.hpp"

namespace rope {

/// Heads along one axis of a tensor, one after another: rows of a projection weight, or the last
/// axis of vectors (then one head).
struct HeadAxis {
  std::size_t axis = 0;
  std::size_t heads = 1;
  std::size_t head_dim = 0;  ///< what follows heads·head_dim along the axis stays as it is
};

/// How the pairs of a head are laid out, and how they are to be.
struct LayoutChange {
  PairLayout from = PairLayout::interleaved;
  PairLayout to = PairLayout::half;
  std::size_t rotary_dim = 0;
};

/// Refuses what convert_tensor refuses, without reading the elements.
///
/// Throws    ShapeError if x has no such axis, or it is shorter than its heads; as
///           layout_permutation.
void check_conversion(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change);

/// Lays out the pairs of every head in the new way, and passes the bytes on in the order of the new
/// tensor. Elements are moved, never computed with: converting there and back gives the same bits.
///
/// Shapes    the new tensor has the shape and type of x.
/// Throws    as check_conversion and Tensor::read_bytes.
/// Source    docs/conventions.md: y = P x, and P R(interleaved) Pᵀ = R(half).
void convert_tensor(const io::Tensor& x, const HeadAxis& heads, const LayoutChange& change,
                    const std::function<void(std::span<const char>)>& take);

}  // namespace rope
