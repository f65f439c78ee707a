#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/io/tensor.hpp"

namespace rope::io {

/// A tensor with the axes of another one.
struct Arranged {
  Tensor tensor;
  std::vector<std::size_t> order;  ///< its axes by their old numbers; empty: in the old order
};

/// The tensor with the axes of `shape`: axes of length 1 are added or removed, neighbours are
/// merged or split, or the order changes. Nothing if that cannot be done, or can be done in several
/// ways: (4, 4, 8) may have been (4, 8, 4) in two.
///
/// Cost      in another order, the elements are held in memory: at most kMaxHeldElements, as in
///           Tensor::doubles.
/// Throws    as Tensor::read_bytes.
std::optional<Arranged> arranged(const Tensor& tensor, const Shape& shape);

}  // namespace rope::io
