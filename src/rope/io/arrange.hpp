#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rope/io/tensor.hpp"

namespace rope::io {

/// A tensor with the axes of another one.
struct Arranged {
  Tensor tensor;
  std::vector<std::size_t> order;  ///< its axes by their old numbers; empty: their order is the old
};

/// The tensor with the axes of `shape`: axes of length 1 come and go, neighbours are merged or
/// taken apart, or the order changes. Nothing where that cannot be done, or can be done in several
/// ways: (4, 4, 8) may have been (4, 8, 4) in two.
///
/// Cost      in another order the elements are held: as Tensor::doubles, at most kMaxHeldElements.
/// Throws    as Tensor::read_bytes.
std::optional<Arranged> arranged(const Tensor& tensor, const Shape& shape);

}  // namespace rope::io
