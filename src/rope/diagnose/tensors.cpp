#include "rope/diagnose/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

std::string shape_text(std::span<const std::size_t> shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

void check_shape(std::span<const std::size_t> shape, std::size_t token_axis, std::size_t x,
                 std::size_t y) {
  if (shape.size() < 2)
    throw ShapeError(Subject{"tensors"},
                     "expected [tokens, …, head_dim], at least two axes, got " + shape_text(shape),
                     "Give every token a row.");
  std::size_t size = 1;
  for (const std::size_t axis : shape) size *= axis;
  if (size == 0)
    throw ShapeError(Subject{"tensors"},
                     "expected at least one number, got the shape " + shape_text(shape),
                     "Write at least one token, head and dimension.");
  if (x != size || y != size)
    throw ShapeError(Subject{"tensors"},
                     "expected " + std::to_string(size) + " numbers for the shape " +
                         shape_text(shape) + ", got " + std::to_string(x) + " and " +
                         std::to_string(y),
                     "Both must have the same shape.");
  if (token_axis + 1 >= shape.size())
    throw ShapeError(Subject{"tensors"},
                     "expected a token axis from 0 to " + std::to_string(shape.size() - 2) +
                         ", got " + std::to_string(token_axis),
                     "The last axis is the head.");
}

}  // namespace

RotatedTensors rotated_tensors(std::span<const std::size_t> shape, std::size_t token_axis,
                               std::span<const double> x, std::span<const double> y) {
  check_shape(shape, token_axis, x.size(), y.size());
  RotatedTensors tensors;
  tensors.token_axis = token_axis;
  tensors.tokens = shape[token_axis];
  tensors.dim = shape.back();
  tensors.lanes = x.size() / tensors.dim / tensors.tokens;
  tensors.x.resize(x.size());
  tensors.y.resize(y.size());
  // Axes before the tokens vary slowest in the file, axes behind them fastest.
  std::size_t inner = 1;
  for (std::size_t axis = token_axis + 1; axis + 1 < shape.size(); ++axis) inner *= shape[axis];
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t outer = lane / inner;
      const std::size_t from = ((outer * tensors.tokens + t) * inner + lane % inner) * tensors.dim;
      const std::size_t to = tensors.row(t, lane);
      std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(from), tensors.dim,
                  tensors.x.begin() + static_cast<std::ptrdiff_t>(to));
      std::copy_n(y.begin() + static_cast<std::ptrdiff_t>(from), tensors.dim,
                  tensors.y.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
  return tensors;
}

RotatedTensors rotated_rows(std::span<const std::size_t> shape, std::size_t row_axis,
                            std::size_t token_axis, std::span<const double> x,
                            std::span<const double> y) {
  check_shape(shape, token_axis, x.size(), y.size());
  if (row_axis >= token_axis)
    throw ShapeError(Subject{"tensors"},
                     "expected the axis of the rows before that of the tokens, got " +
                         std::to_string(row_axis) + " and " + std::to_string(token_axis),
                     "Rows are sequences of a batch.");
  RotatedTensors tensors;
  tensors.token_axis = token_axis;
  tensors.tokens = shape[row_axis] * shape[token_axis];
  tensors.dim = shape.back();
  tensors.lanes = x.size() / tensors.dim / tensors.tokens;
  tensors.x.resize(x.size());
  tensors.y.resize(y.size());
  std::vector<std::size_t> index(shape.size() - 1);
  for (std::size_t from = 0; from < x.size(); from += tensors.dim) {
    std::size_t lane = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      if (axis != row_axis && axis != token_axis) lane = lane * shape[axis] + index[axis];
    const auto to = static_cast<std::ptrdiff_t>(
        tensors.row(index[row_axis] * shape[token_axis] + index[token_axis], lane));
    const auto begin = static_cast<std::ptrdiff_t>(from);
    std::copy_n(x.begin() + begin, tensors.dim, tensors.x.begin() + to);
    std::copy_n(y.begin() + begin, tensors.dim, tensors.y.begin() + to);
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < shape[axis]) break;
      index[axis] = 0;
    }
  }
  return tensors;
}

std::vector<std::size_t> drop_nonfinite_tokens(RotatedTensors& tensors) {
  const std::size_t size = tensors.lanes * tensors.dim;
  const auto finite = [](double value) { return std::isfinite(value); };
  std::vector<std::size_t> kept;
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    const std::span<const double> x(tensors.x.data() + t * size, size);
    const std::span<const double> y(tensors.y.data() + t * size, size);
    if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
      continue;
    if (kept.size() < t) {
      std::copy(x.begin(), x.end(),
                tensors.x.begin() + static_cast<std::ptrdiff_t>(kept.size() * size));
      std::copy(y.begin(), y.end(),
                tensors.y.begin() + static_cast<std::ptrdiff_t>(kept.size() * size));
    }
    kept.push_back(t);
  }
  tensors.tokens = kept.size();
  tensors.x.resize(kept.size() * size);
  tensors.y.resize(kept.size() * size);
  return kept;
}

std::vector<std::size_t> overflowed_tokens(const RotatedTensors& tensors) {
  const auto finite = [&](const std::vector<double>& numbers, std::size_t row) {
    return std::all_of(numbers.begin() + static_cast<std::ptrdiff_t>(row),
                       numbers.begin() + static_cast<std::ptrdiff_t>(row + tensors.dim),
                       [](double value) { return std::isfinite(value); });
  };
  std::vector<std::size_t> result;
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t row = tensors.row(t, lane);
      if (!finite(tensors.x, row) || finite(tensors.y, row)) continue;
      result.push_back(t);
      break;
    }
  return result;
}

bool holds(Format format, std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [format](double value) { return round_to(format, value) == value; });
}

Format narrowest_format(std::span<const double> values) {
  for (const Format format : {Format::bfloat16, Format::float16, Format::float32})
    if (holds(format, values)) return format;
  return Format::float64;
}

}  // namespace rope
