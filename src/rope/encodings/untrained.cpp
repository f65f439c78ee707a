#include "rope/encodings/untrained.hpp"

#include <cmath>

#include "rope/error.hpp"

namespace rope {
namespace {

/// A table of random numbers above this many would fill memory.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 25;

}  // namespace

RowMatrix untrained_rows(const EncodingContext& context, std::int64_t rows, double deviation,
                         Untrained what) {
  const std::size_t d = context.rotary.head_dim;
  const std::int64_t most = kMostNumbers / static_cast<std::int64_t>(d);
  if (rows > most)
    throw DomainError(Subject{"table"},
                      "expected at most " + std::to_string(most) + " rows of " + std::to_string(d) +
                          " learned numbers, got " + std::to_string(rows),
                      "Choose a shorter length, or leave that encoding out.");
  return random_matrix(static_cast<std::size_t>(rows), d, deviation, context.seed,
                       static_cast<std::uint64_t>(what));
}

RowMatrix untrained_projection(const EncodingContext& context, Untrained what) {
  const auto d = static_cast<double>(context.rotary.head_dim);
  return untrained_rows(context, static_cast<std::int64_t>(context.rotary.head_dim),
                        1 / std::sqrt(d), what);
}

std::vector<double> untrained_vector(const EncodingContext& context, std::size_t size,
                                     double deviation, Untrained what) {
  const RowMatrix row =
      random_matrix(1, size, deviation, context.seed, static_cast<std::uint64_t>(what));
  return {row.data(), row.data() + row.size()};
}

}  // namespace rope
