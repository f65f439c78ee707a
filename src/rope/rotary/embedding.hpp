#pragma once

// A rotary embedding: which dimensions form pairs, and how fast each pair turns. Everything else is
// computed from it. rope/model and rope/scaling make embeddings other than the plain one.
//
//     const rope::RotaryEmbedding rotary = rope::default_embedding(128, 10000);
//     const double slowest = rotary.frequencies.theta.back();   // rad per token
//     const auto [first, second] = rotary.dimensions(0);        // 0 and 1: interleaved

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/rotary/axes.hpp"
#include "rope/rotary/band.hpp"
#include "rope/rotary/frequencies.hpp"
#include "rope/rotary/layout.hpp"
#include "rope/rotary/scaling_spec.hpp"

namespace rope {

/// A rotary position embedding, in the form that all other code uses.
///
/// Dimensions 0 … rotary_dim−1 of a head are rotated in pairs; the rest pass through unchanged.
struct RotaryEmbedding {
  std::size_t head_dim = 0;                     ///< d
  PairLayout layout = PairLayout::interleaved;  ///< which dimensions form a pair
  Frequencies frequencies;                      ///< θ_i, one per pair
  double attention_factor = 1.0;                ///< A: scales cos and sin of both q and k
  std::optional<double> base;                   ///< b, if the frequencies were computed from a base
  ScalingSpec scaling;  ///< the rule that produced the frequencies, from the base if there is one
  std::vector<Band> bands;  ///< what that rule did to each pair; empty if there was no rule
  /// The model's number of positions, if the rule was given it.
  std::optional<std::int64_t> max_positions;
  std::optional<std::int64_t> seq_len;  ///< the current length, if the rule was given it
  Axes axes;  ///< which axis turns each pair, if a position is more than one number

  /// The base if θ_i = base^(−2i/r), so that other code can compute θ_i from it; nothing if a rule
  /// changed the frequencies or each axis has its own series.
  std::optional<double> geometric_base() const {
    return scaling.rule == "default" && !axes.own_series ? base : std::nullopt;
  }
  std::size_t pairs() const { return frequencies.pairs(); }
  std::size_t rotary_dim() const { return 2 * pairs(); }
  PairDimensions dimensions(std::size_t pair) const {
    if (axes.own_block) return dimensions_in_block(pair);
    return pair_dimensions(layout, pair, rotary_dim());
  }

  /// Calls take(i, first, second) for each pair and its two dimensions.
  template <class Take>
  void for_each_pair(Take take) const {
    const std::size_t n = pairs();
    // One loop per layout, so that the layout is not tested for each pair.
    if (axes.own_block) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto [first, second] = dimensions_in_block(i);
        take(i, first, second);
      }
    } else if (layout == PairLayout::interleaved) {
      for (std::size_t i = 0; i < n; ++i) take(i, 2 * i, 2 * i + 1);
    } else {
      for (std::size_t i = 0; i < n; ++i) take(i, i, i + n);
    }
  }

 private:
  PairDimensions dimensions_in_block(std::size_t pair) const;
};

/// Multiplies the rotated dimensions of a vector by the attention factor A, in double.
///
/// R_m contains A once, so ⟨R_m q, R_n k⟩ contains A² and qᵀR_{n−m}k contains A: the right side of
/// the identity needs the scaled q. Dimensions that pass through are not scaled on either side.
///
/// Shapes    x: (head_dim).
void scale_rotated(const RotaryEmbedding& embedding, std::span<double> x);

/// The unscaled embedding θ_i = base^(−2i/d) that rotates all d = head_dim dimensions.
///
/// Throws    whatever geometric_frequencies throws.
RotaryEmbedding default_embedding(std::size_t head_dim, double base,
                                  PairLayout layout = PairLayout::interleaved);

}  // namespace rope
