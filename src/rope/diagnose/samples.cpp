#include "rope/diagnose/samples.hpp"

#include <algorithm>
#include <numeric>

namespace rope {

std::vector<std::size_t> spread(std::size_t n, std::size_t most) {
  std::vector<std::size_t> chosen;
  if (n <= most) {
    chosen.resize(n);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  const std::size_t dense = most / 2;
  for (std::size_t i = 0; i < dense; ++i) chosen.push_back(i);
  const std::size_t rest = most - dense;
  for (std::size_t i = 1; i <= rest; ++i) chosen.push_back(dense + (n - 1 - dense) * i / rest);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

RotatedTensors some_tokens(const RotatedTensors& tensors, std::span<const std::size_t> tokens,
                           std::size_t most_lanes) {
  RotatedTensors result;
  result.tokens = tokens.size();
  result.lanes = std::min<std::size_t>(tensors.lanes, most_lanes);
  result.dim = tensors.dim;
  result.token_axis = tensors.token_axis;
  const auto append = [&](const std::vector<double>& from, std::vector<double>& to) {
    for (const std::size_t token : tokens) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(tensors.row(token, 0));
      to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(result.lanes * tensors.dim));
    }
  };
  append(tensors.x, result.x);
  append(tensors.y, result.y);
  return result;
}

RotatedTensors pair_alone(const RotatedTensors& tensors, const Arrangement& arrangement,
                          std::size_t pair) {
  const PairDimensions in = arrangement.in_dimensions(pair), out = arrangement.out_dimensions(pair);
  RotatedTensors alone{tensors.tokens, tensors.lanes, 2, {}, {}, tensors.token_axis};
  for (std::size_t row = 0; row < tensors.x.size(); row += tensors.dim) {
    alone.x.insert(alone.x.end(), {tensors.x[row + in.first], tensors.x[row + in.second]});
    alone.y.insert(alone.y.end(), {tensors.y[row + out.first], tensors.y[row + out.second]});
  }
  return alone;
}

}  // namespace rope
