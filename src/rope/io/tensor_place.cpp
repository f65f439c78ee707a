#include "rope/io/tensor_place.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rope::io {

std::optional<std::size_t> element_count(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

std::string shape_text(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace rope::io
