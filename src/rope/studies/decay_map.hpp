#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/rotary/embedding.hpp"

namespace rope {

/// The mean cosine by distance on two axes at once, with distance 0 on all other axes: (2/r) Σ_i
/// cos(Δ_a θ_i), where a is the axis of pair i. It is a sum of one curve per axis: along a single
/// axis, the pairs of the other axes keep the mean from falling below 2·(their share) − 1.
struct DecayMap {
  std::size_t row_axis = 0;  ///< an axis of the embedding
  std::size_t column_axis = 1;
  std::vector<std::int64_t> distances;  ///< on both axes
  std::vector<double> mean_cosine;      ///< row by row, distances × distances

  double at(std::size_t row, std::size_t column) const {
    return mean_cosine[row * distances.size() + column];
  }
};

/// The map over the axes height and width, or over the last two axes if there are no axes with
/// these names.
///
/// Accuracy  2e-15 absolute for up to 64 pairs: cosines within kCosSinError, and the rounding of a
///           sum of r/2 numbers.
/// Throws    ShapeError unless the embedding has several axes.
DecayMap decay_map(const RotaryEmbedding& embedding, std::vector<std::int64_t> distances);

}  // namespace rope
