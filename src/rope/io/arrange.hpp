#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/io/tensor.hpp"

namespace rope::io {

/// A tensor whose axes have been rearranged.
struct Arranged {
  Tensor tensor;
  std::vector<std::size_t> order;  ///< the old number of each axis; empty if the order is unchanged
};

/// The tensor rearranged to have the axes of `shape`: axes of length 1 are added or removed,
/// adjacent axes are merged or split, or the order changes. Nothing if that cannot be done, or if
/// there are several ways to do it: (4, 4, 8) can become (4, 8, 4) in two ways.
///
/// Cost      if the order changes, the elements are held in memory: at most kMaxHeldElements, as in
///           Tensor::doubles.
/// Throws    what Tensor::read_bytes throws.
std::optional<Arranged> arranged(const Tensor& tensor, const Shape& shape);

}  // namespace rope::io
