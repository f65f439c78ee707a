#include "rope/io/arrange.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace rope::io {
namespace {

/// The axes that are longer than 1, by their numbers.
std::vector<std::size_t> long_axes(const Shape& shape) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 1) axes.push_back(axis);
  return axes;
}

/// After how many elements an axis ends, axes of length 1 left out: those of the first, of the
/// first two, and so on.
std::vector<std::size_t> ends_of(const Shape& shape) {
  std::vector<std::size_t> ends;
  std::size_t count = 1;
  for (const std::size_t axis : long_axes(shape)) ends.push_back(count *= shape[axis]);
  return ends;
}

/// Whether one comes from the other by merging neighbours.
bool is_merged(const Shape& a, const Shape& b) {
  const std::vector<std::size_t> ends_a = ends_of(a), ends_b = ends_of(b);
  return std::ranges::includes(ends_a, ends_b) || std::ranges::includes(ends_b, ends_a);
}

/// The order of the axes of `from` that makes them `to`, both without axes of length 1, if there is
/// one only.
std::optional<std::vector<std::size_t>> only_order(const Shape& from, const Shape& to) {
  const std::vector<std::size_t> old_axes = long_axes(from), new_axes = long_axes(to);
  if (old_axes.size() != new_axes.size()) return std::nullopt;
  std::vector<std::size_t> order;
  for (const std::size_t axis : new_axes) {
    std::size_t found = 0;
    for (const std::size_t old : old_axes)
      if (from[old] == to[axis]) {
        order.push_back(old);
        ++found;
      }
    if (found != 1) return std::nullopt;
  }
  return order;
}

/// The bytes with the axes in another order.
std::string permuted(const Tensor& tensor, const std::vector<std::size_t>& order) {
  const std::size_t element = size_of(tensor.type());
  std::string from(tensor.count() * element, '\0');
  tensor.read_bytes(0, from);
  std::vector<std::size_t> strides(tensor.shape().size(), 1);
  for (std::size_t axis = strides.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * tensor.shape()[axis];
  std::string to(from.size(), '\0');
  std::vector<std::size_t> index(order.size(), 0);
  std::size_t at = 0;
  for (std::size_t target = 0; target < to.size(); target += element) {
    std::memcpy(to.data() + target, from.data() + at * element, element);
    for (std::size_t i = order.size(); i-- > 0;) {
      at += strides[order[i]];
      if (++index[i] < tensor.shape()[order[i]]) break;
      at -= strides[order[i]] * index[i];
      index[i] = 0;
    }
  }
  return to;
}

}  // namespace

std::optional<Arranged> arranged(const Tensor& tensor, const Shape& shape) {
  if (element_count(shape) != tensor.count() || tensor.count() == 0) return std::nullopt;
  if (is_merged(tensor.shape(), shape)) return Arranged{tensor.reshaped(shape), {}};
  const std::optional<std::vector<std::size_t>> order = only_order(tensor.shape(), shape);
  if (!order || tensor.count() > kMaxHeldElements) return std::nullopt;
  TensorPlace place{.type = tensor.type(), .shape = shape};
  return Arranged{Tensor(tensor.name(), std::move(place),
                         input_from_bytes(permuted(tensor, *order), tensor.name())),
                  *order};
}

}  // namespace rope::io
