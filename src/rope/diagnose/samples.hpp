#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// A number of tokens that suffices to find the line on which their positions lie.
inline constexpr std::size_t kLineTokens = 1024;

/// At most `most` of the indices 0 … n−1: the first ones, then evenly spaced ones, and the last.
std::vector<std::size_t> spread(std::size_t n, std::size_t most);

/// Only the vectors of these tokens and these lanes: a view, or a copy if they are few.
RotatedTensors some_vectors(const RotatedTensors& tensors, std::span<const std::size_t> tokens,
                            std::span<const std::size_t> lanes);

/// Only some tokens, with at most `most_lanes` lanes: a view, or a copy if they are few.
RotatedTensors some_tokens(const RotatedTensors& tensors, std::span<const std::size_t> tokens,
                           std::size_t most_lanes);

/// Only some lanes: a view, or a copy if they are few.
RotatedTensors some_lanes(const RotatedTensors& tensors, std::span<const std::size_t> lanes);

/// The numbers of a view, tokens × lanes × dim, copied so that they can be changed.
struct CopiedNumbers {
  std::vector<double> x, y;
  Origins origins;  ///< of x
};
CopiedNumbers copied(const RotatedTensors& tensors);

/// One pair of every vector, as tensors whose vectors have two dimensions.
RotatedTensors pair_alone(const RotatedTensors& tensors, const Arrangement& arrangement,
                          std::size_t pair);

}  // namespace rope
