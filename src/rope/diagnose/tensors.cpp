#include "rope/diagnose/tensors.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

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
                     "Give at least one token, head and dimension.");
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
                     "The last axis holds the dimensions of a head.");
}

/// Where the vectors begin that some axes count, the last of these axes running fastest.
RotatedTensors::Starts starts_along(std::span<const std::size_t> shape,
                                    std::span<const std::size_t> axes) {
  std::vector<std::size_t> starts = {0};
  for (const std::size_t axis : axes) {
    std::size_t stride = 1;
    for (std::size_t later = axis + 1; later < shape.size(); ++later) stride *= shape[later];
    std::vector<std::size_t> next;
    next.reserve(starts.size() * shape[axis]);
    for (const std::size_t start : starts)
      for (std::size_t i = 0; i < shape[axis]; ++i) next.push_back(start + i * stride);
    starts = std::move(next);
  }
  return std::make_shared<const std::vector<std::size_t>>(std::move(starts));
}

/// A view in which some axes count the tokens, and all others but the last the lanes.
RotatedTensors view(std::span<const std::size_t> shape, std::vector<std::size_t> token_axes,
                    const Numbers& x, const Numbers& y) {
  std::vector<std::size_t> others;
  for (std::size_t axis = 0; axis + 1 < shape.size(); ++axis)
    if (std::find(token_axes.begin(), token_axes.end(), axis) == token_axes.end())
      others.push_back(axis);
  RotatedTensors tensors;
  tensors.token_axis = token_axes.back();
  tensors.token_starts = starts_along(shape, token_axes);
  tensors.lane_starts = starts_along(shape, others);
  tensors.tokens = tensors.token_starts->size();
  tensors.lanes = tensors.lane_starts->size();
  tensors.dim = shape.back();
  tensors.x = x;
  tensors.y = y;
  return tensors;
}

bool finite(const Numbers& numbers, std::size_t row, std::size_t dim) {
  for (std::size_t i = row; i < row + dim; ++i)
    if (!std::isfinite(numbers[i])) return false;
  return true;
}

}  // namespace

RotatedTensors rotated_tensors(std::span<const std::size_t> shape, std::size_t token_axis,
                               const Numbers& x, const Numbers& y) {
  check_shape(shape, token_axis, x.size(), y.size());
  return view(shape, {token_axis}, x, y);
}

RotatedTensors rotated_rows(std::span<const std::size_t> shape, std::size_t row_axis,
                            std::size_t token_axis, const Numbers& x, const Numbers& y) {
  check_shape(shape, token_axis, x.size(), y.size());
  if (row_axis >= token_axis)
    throw ShapeError(Subject{"tensors"},
                     "expected the row axis before the token axis, got " +
                         std::to_string(row_axis) + " and " + std::to_string(token_axis),
                     "Rows are sequences of a batch.");
  return view(shape, {row_axis, token_axis}, x, y);
}

std::vector<std::size_t> drop_nonfinite_tokens(RotatedTensors& tensors) {
  std::vector<std::size_t> kept, starts;
  for (std::size_t t = 0; t < tensors.tokens; ++t) {
    bool all = true;
    for (std::size_t lane = 0; lane < tensors.lanes && all; ++lane)
      all = finite(tensors.x, tensors.row(t, lane), tensors.dim) &&
            finite(tensors.y, tensors.row(t, lane), tensors.dim);
    if (!all) continue;
    kept.push_back(t);
    starts.push_back(tensors.row(t, 0) - (tensors.lane_starts ? tensors.lane_starts->front() : 0));
  }
  if (kept.size() == tensors.tokens) return kept;
  tensors.tokens = kept.size();
  tensors.token_starts = std::make_shared<const std::vector<std::size_t>>(std::move(starts));
  return kept;
}

std::vector<std::size_t> overflowed_tokens(const RotatedTensors& tensors) {
  std::vector<std::size_t> result;
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t row = tensors.row(t, lane);
      if (!finite(tensors.x, row, tensors.dim) || finite(tensors.y, row, tensors.dim)) continue;
      result.push_back(t);
      break;
    }
  return result;
}

bool holds(Format format, const RotatedTensors& tensors, Side side) {
  if (format == Format::float32 && (tensors.*side).single()) return true;  // no need to look
  return every_number(tensors, side,
                      [format](double value) { return round_to(format, value) == value; });
}

Format narrowest_format(const RotatedTensors& tensors, Side side) {
  for (const Format format : {Format::bfloat16, Format::float16, Format::float32})
    if (holds(format, tensors, side)) return format;
  return Format::float64;
}

Format narrowest_format(std::span<const double> values) {
  const RotatedTensors alone{1, 1, values.size(), values, values};
  return narrowest_format(alone, &RotatedTensors::y);
}

}  // namespace rope
