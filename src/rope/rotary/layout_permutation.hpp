#pragma once

// Converting heads between layouts, in vectors or in the rows of q_proj and k_proj.
//
//     const auto from = rope::layout_permutation(rope::PairLayout::interleaved,
//                                                rope::PairLayout::half, 128, 128);
//     for (std::size_t i = 0; i < from.size(); ++i) y[i] = x[from[i]];

#include <cstddef>
#include <vector>

#include "rope/rotary/layout.hpp"

namespace rope {

/// How the numbers of a head are reordered when its pairs are laid out differently: dimension i of
/// the new head is dimension result[i] of the old one.
///
/// Pair i keeps its two numbers and their order, so rotating in the old layout and then permuting
/// gives the same as permuting and then rotating in the new one. Permuting both vectors leaves a
/// score unchanged: it sums the same products in another order. Dimensions r … d−1 stay where they
/// are.
///
/// Shapes    returns (head_dim).
/// Throws    ShapeError unless rotary_dim is even, 2 … head_dim.
std::vector<std::size_t> layout_permutation(PairLayout from, PairLayout to, std::size_t head_dim,
                                            std::size_t rotary_dim);

}  // namespace rope
