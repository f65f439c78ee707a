#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/io/element_type.hpp"

namespace rope::io {

/// The size of a tensor along each of its axes; empty for a single number.
using Shape = std::vector<std::size_t>;

/// The most axes that NumPy and PyTorch allow: a file that claims more is damaged or malicious.
inline constexpr std::size_t kMaxAxes = 64;

/// The number of elements, or nothing if it does not fit into 64 bits.
std::optional<std::size_t> element_count(const Shape& shape);

/// The shape as Python writes a tuple: (), (3,), (3, 4).
std::string shape_text(const Shape& shape);

/// Where the elements of a tensor are in a file, and how they are stored.
struct TensorPlace {
  ElementType type = ElementType::float64;
  Shape shape;
  std::uint64_t offset = 0;    ///< of the first element, from the start of the file
  bool big_endian = false;     ///< each element is stored highest byte first
  bool fortran_order = false;  ///< the first index runs fastest, not the last
};

}  // namespace rope::io
