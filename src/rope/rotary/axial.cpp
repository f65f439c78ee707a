#include "rope/rotary/axial.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope {
namespace {

void check_dims(std::size_t head_dim, std::span<const std::size_t> dims, AxisSeries series) {
  std::string text;
  std::size_t sum = 0;
  bool even = true, equal = true;
  for (const std::size_t dim : dims) {
    text += (text.empty() ? "" : ", ") + std::to_string(dim);
    even = even && dim > 0 && dim % 2 == 0 && dim <= kMaxRotaryDim;
    equal = equal && dim == dims.front();
    sum += even ? dim : 0;
  }
  if (dims.size() < 2 || dims.size() > kMaxAxes || !even || sum > head_dim)
    throw ShapeError("axes: expected 2 to " + std::to_string(kMaxAxes) +
                         " even numbers of dimensions that add up to at most the head size " +
                         std::to_string(head_dim) + ", got " + (text.empty() ? "none" : text),
                     "There is one number per axis, in dimensions: 16,56,56 for a head of 128.");
  if (series == AxisSeries::dealt && !equal)
    throw ShapeError(
        "axes: expected equal numbers of dimensions if the axes share one series of frequencies, "
        "got " +
            text,
        "Pixtral has 32,32 for a head of 64.");
}

void check_above_0(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw DomainError(std::string(what) + ": expected a finite number above 0, got " +
                      number_text(value));
}

/// All but the frequencies.
RotaryEmbedding without_frequencies(std::size_t head_dim, double base,
                                    std::span<const std::size_t> dims, PairLayout layout) {
  RotaryEmbedding embedding;
  embedding.head_dim = head_dim;
  embedding.layout = layout;
  embedding.base = base;
  embedding.axes.names = usual_axis_names(dims.size());
  embedding.axes.own_series = true;
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    embedding.axes.of_pair.insert(embedding.axes.of_pair.end(), dims[axis] / 2,
                                  static_cast<std::uint8_t>(axis));
  return embedding;
}

/// base·factor^(d/(d − 2)) of d dimensions.
ExactReal base_of(const ExtendedAxis& axis, double base) {
  check_above_0("factor", axis.factor);
  check_above_0("unit", axis.unit);
  if (axis.factor == 1) return {base};
  if (axis.dims == 2)
    throw ShapeError(
        "axes: expected more than 2 dimensions for an axis with an NTK-aware base, got 2",
        "For 2 dimensions, the exponent d/(d − 2) is undefined.");
  return ExactReal(base) *
         pow(ExactReal(axis.factor), ExactReal(axis.dims) / ExactReal(axis.dims - 2));
}

}  // namespace

RotaryEmbedding axial_embedding(std::size_t head_dim, double base,
                                std::span<const std::size_t> dims, PairLayout layout,
                                AxisSeries series, bool own_block) {
  check_dims(head_dim, dims, series);
  check_above_0("base", base);
  RotaryEmbedding embedding = without_frequencies(head_dim, base, dims, layout);
  embedding.axes.own_block = own_block;
  std::vector<ExactReal> theta;
  const std::vector<ExactReal> all =
      series == AxisSeries::dealt ? exact_geometric(ExactReal(base), dims.size() * dims.front())
                                  : std::vector<ExactReal>();
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::vector<ExactReal> own = series == AxisSeries::dealt
                                           ? std::vector<ExactReal>()
                                           : exact_geometric(ExactReal(base), dims[axis]);
    for (std::size_t j = 0; j < dims[axis] / 2; ++j)
      theta.push_back(series == AxisSeries::dealt ? all[j * dims.size() + axis] : own[j]);
  }
  embedding.frequencies = round_frequencies(theta);
  return embedding;
}

RotaryEmbedding axial_embedding(std::size_t head_dim, double base,
                                std::span<const ExtendedAxis> axes, PairLayout layout) {
  std::vector<std::size_t> dims;
  for (const ExtendedAxis& axis : axes) dims.push_back(axis.dims);
  check_dims(head_dim, dims, AxisSeries::restarted);
  check_above_0("base", base);
  std::vector<ExactReal> theta;
  for (const ExtendedAxis& axis : axes)
    for (const ExactReal& own : exact_geometric(base_of(axis, base), axis.dims))
      theta.push_back(own * ExactReal(axis.unit));
  RotaryEmbedding embedding = without_frequencies(head_dim, base, dims, layout);
  embedding.frequencies = round_frequencies(theta);
  return embedding;
}

RotaryEmbedding normalized_axial_embedding(std::size_t head_dim, double base,
                                           std::span<const std::size_t> dims,
                                           std::span<const std::size_t> patches,
                                           PairLayout layout) {
  check_dims(head_dim, dims, AxisSeries::restarted);
  check_above_0("base", base);
  if (patches.size() != dims.size())
    throw ShapeError("patches: expected one number per axis, got " +
                     std::to_string(patches.size()));
  RotaryEmbedding embedding = without_frequencies(head_dim, base, dims, layout);
  std::vector<ExactReal> theta;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (patches[axis] == 0) throw ShapeError("patches: expected at least 1 along each axis, got 0");
    for (const ExactReal& own : exact_geometric(ExactReal(base), dims[axis]))
      theta.push_back(own * exact_two_pi() / ExactReal(patches[axis]));
  }
  embedding.frequencies = round_frequencies(theta);
  return embedding;
}

}  // namespace rope
