#include "rope/rotary/layout_permutation.hpp"

#include <numeric>
#include <string>

#include "rope/error.hpp"

namespace rope {

std::vector<std::size_t> layout_permutation(PairLayout from, PairLayout to, std::size_t head_dim,
                                            std::size_t rotary_dim) {
  if (rotary_dim < 2 || rotary_dim % 2 != 0 || rotary_dim > head_dim)
    throw ShapeError("rotary_dim: expected an even integer from 2 to the head size " +
                         std::to_string(head_dim) + ", got " + std::to_string(rotary_dim),
                     "Dimensions are rotated in pairs.");
  std::vector<std::size_t> source(head_dim);
  std::iota(source.begin(), source.end(), std::size_t{0});
  for (std::size_t i = 0; i < rotary_dim / 2; ++i) {
    const PairDimensions old_place = pair_dimensions(from, i, rotary_dim);
    const PairDimensions new_place = pair_dimensions(to, i, rotary_dim);
    source[new_place.first] = old_place.first;
    source[new_place.second] = old_place.second;
  }
  return source;
}

}  // namespace rope
