#pragma once

// Which two dimensions of a head form a pair: the convention that ports most often get wrong.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// Which two dimensions of a head form pair i, i = 0 … r/2−1, r = rotary_dim.
enum class PairLayout {
  interleaved,  ///< (2i, 2i+1): RoFormer, Meta's checkpoints, GPT-J
  half,         ///< (i, i + r/2): GPT-NeoX, Hugging Face's `rotate_half`
};

/// The two dimensions of one pair: `first` serves as x, `second` as y in R(φ)(x, y)ᵀ.
struct PairDimensions {
  std::size_t first;
  std::size_t second;
};

/// The dimensions of pair `pair` in a head of which `rotary_dim` dimensions are rotated.
constexpr PairDimensions pair_dimensions(PairLayout layout, std::size_t pair,
                                         std::size_t rotary_dim) {
  if (layout == PairLayout::interleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + rotary_dim / 2};
}

/// "interleaved" or "half".
std::string_view name(PairLayout layout);

/// The dimensions of pair i: "(2i, 2i+1)", or "(i, i+64)" if 128 dimensions are rotated.
std::string pair_text(PairLayout layout, std::size_t rotary_dim);

/// The layout with that name, or nothing.
std::optional<PairLayout> pair_layout(std::string_view name);

}  // namespace rope
