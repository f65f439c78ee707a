#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rope/diagnose/arrangement.hpp"
#include "rope/diagnose/tensors.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"

namespace rope::test {

/// Vectors that can be changed, tokens × lanes × dim: diagnosed as they are at that moment.
struct RotatedVectors {
  std::size_t tokens = 0, lanes = 0, dim = 0;
  std::vector<double> x, y;

  std::size_t row(std::size_t token, std::size_t lane) const {
    return (token * lanes + lane) * dim;
  }

  operator RotatedTensors() const& {  // NOLINT(google-explicit-constructor)
    return {tokens, lanes, dim, x, y};
  }
  operator RotatedTensors() && {  // NOLINT(google-explicit-constructor)
    return {tokens, lanes, dim, std::move(x), std::move(y)};
  }
};

/// An implementation as somebody might have written it.
struct Made {
  Arrangement arrangement;
  RotaryEmbedding embedding;  ///< of the rotated block
  Policy policy;
  bool clockwise = false;
};

/// first, first + 1 … of n tokens.
inline std::vector<std::int64_t> counted(std::int64_t first, std::size_t n) {
  std::vector<std::int64_t> positions(n);
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// Fills in y: each token's vectors of x, turned as the implementation turns them.
inline void rotate_into(const Made& made, const std::vector<std::int64_t>& positions,
                        RotatedVectors& tensors, std::size_t first_token = 0) {
  const Pipeline pipeline(made.policy, made.embedding);
  const Arrangement& a = made.arrangement;
  std::vector<double> block(a.rotary_dim), rotated(a.rotary_dim);
  RotationRow row;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    pipeline.table_row(made.clockwise ? -positions[i] : positions[i], row);
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane) {
      const std::size_t at = tensors.row(first_token + i, lane);
      for (std::size_t k = 0; k < a.pairs(); ++k) {
        const PairDimensions in = a.in_dimensions(k);
        block[2 * k] = tensors.x[at + in.first];
        block[2 * k + 1] = tensors.x[at + in.second];
      }
      pipeline.rotate(RotationForm::elementwise, row, block, rotated);
      for (std::size_t k = 0; k < a.pairs(); ++k) {
        const PairDimensions out = a.out_dimensions(k);
        tensors.y[at + out.first] = rotated[2 * k];
        tensors.y[at + out.second] = rotated[2 * k + 1];
      }
    }
  }
}

/// Random vectors, each number of the format, with y = x.
inline RotatedVectors random_tensors(std::size_t tokens, std::size_t lanes, std::size_t dim,
                                     Format format, RandomStream& random) {
  RotatedVectors tensors;
  tensors.tokens = tokens;
  tensors.lanes = lanes;
  tensors.dim = dim;
  tensors.x.resize(tokens * lanes * dim);
  random.fill_normal(tensors.x);
  for (double& x : tensors.x) x = round_to(format, x);
  tensors.y = tensors.x;
  return tensors;
}

/// Random vectors before and after.
inline RotatedVectors made_tensors(const Made& made, const std::vector<std::int64_t>& positions,
                                   std::size_t lanes, std::size_t dim, std::uint64_t seed = 7) {
  RandomStream random(seed, 0);
  RotatedVectors tensors = random_tensors(positions.size(), lanes, dim, made.policy.store, random);
  rotate_into(made, positions, tensors);
  return tensors;
}

}  // namespace rope::test
