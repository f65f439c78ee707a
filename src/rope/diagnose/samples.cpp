#include "rope/diagnose/samples.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rope {

// Few are copied because they are read again and again, pair by pair, and stand megabytes apart
// where the axis of the tokens is not the first.
RotatedTensors some_vectors(const RotatedTensors& tensors, std::span<const std::size_t> tokens,
                            std::span<const std::size_t> lanes) {
  constexpr std::size_t kMostCopied = std::size_t{1} << 21;  // 16 MiB of each side
  std::vector<std::size_t> token_starts, lane_starts;
  token_starts.reserve(tokens.size());
  lane_starts.reserve(lanes.size());
  for (const std::size_t token : tokens) token_starts.push_back(tensors.row(token, 0));
  const std::size_t first = tensors.row(0, 0);
  for (const std::size_t lane : lanes) lane_starts.push_back(tensors.row(0, lane) - first);
  RotatedTensors result = tensors;
  result.tokens = tokens.size();
  result.lanes = lanes.size();
  result.token_starts = std::make_shared<const std::vector<std::size_t>>(std::move(token_starts));
  result.lane_starts = std::make_shared<const std::vector<std::size_t>>(std::move(lane_starts));
  if (result.size() > kMostCopied) return result;
  CopiedNumbers few = copied(result);
  return {result.tokens,    result.lanes,
          result.dim,       Numbers(std::move(few.x), std::move(few.origins)),
          std::move(few.y), result.token_axis};
}

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
  std::vector<std::size_t> lanes(std::min<std::size_t>(tensors.lanes, most_lanes));
  std::iota(lanes.begin(), lanes.end(), std::size_t{0});
  return some_vectors(tensors, tokens, lanes);
}

RotatedTensors some_lanes(const RotatedTensors& tensors, std::span<const std::size_t> lanes) {
  std::vector<std::size_t> tokens(tensors.tokens);
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  return some_vectors(tensors, tokens, lanes);
}

CopiedNumbers copied(const RotatedTensors& tensors) {
  CopiedNumbers copy;
  copy.origins = tensors.x.origins_of_none();
  copy.x.reserve(tensors.size());
  copy.y.reserve(tensors.size());
  for_each_vector(tensors, [&](std::size_t row) {
    for (std::size_t i = row; i < row + tensors.dim; ++i) {
      copy.x.push_back(tensors.x[i]);
      copy.y.push_back(tensors.y[i]);
      if (tensors.x.turned_back()) copy.origins.lengths.push_back(tensors.x.origin(i));
    }
  });
  return copy;
}

RotatedTensors pair_alone(const RotatedTensors& tensors, const Arrangement& arrangement,
                          std::size_t pair) {
  const PairDimensions in = arrangement.in_dimensions(pair), out = arrangement.out_dimensions(pair);
  CopiedNumbers numbers;
  numbers.origins = tensors.x.origins_of_none();
  numbers.x.reserve(2 * tensors.tokens * tensors.lanes);
  numbers.y.reserve(numbers.x.capacity());
  const auto add = [&](std::size_t first, std::size_t second) {
    for (const std::size_t i : {first, second}) {
      numbers.x.push_back(tensors.x[i]);
      if (tensors.x.turned_back()) numbers.origins.lengths.push_back(tensors.x.origin(i));
    }
  };
  for_each_vector(tensors, [&](std::size_t row) {
    add(row + in.first, row + in.second);
    numbers.y.insert(numbers.y.end(), {tensors.y[row + out.first], tensors.y[row + out.second]});
  });
  return {tensors.tokens,
          tensors.lanes,
          2,
          Numbers(std::move(numbers.x), std::move(numbers.origins)),
          std::move(numbers.y),
          tensors.token_axis};
}

}  // namespace rope
