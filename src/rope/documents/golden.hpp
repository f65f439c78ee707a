#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/apply/token_input.hpp"
#include "rope/verify/test_vectors.hpp"

namespace rope {

/// Test vectors and the axes of their file.
struct GoldenVectors : TestVectors {
  io::Shape shape;              ///< of x; the last axis is the head
  std::int64_t token_axis = 0;  ///< the file has one position per token
};

/// Test vectors from random x: two heads at each position.
///
/// Throws    ShapeError if they are too many for a text.
GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed);

/// Refuses an input of no vectors, or of more than a text can hold.
///
/// Throws    ShapeError.
void check_golden(const TokenInput& input);

/// Test vectors from the given vectors, rounded to the input format of the policy.
GoldenVectors golden_of(const TokenInput& input, const RotaryEmbedding& embedding,
                        const Policy& policy);

/// One of the files that make up test vectors.
struct GoldenFile {
  std::string name;
  std::string bytes;
};

/// The shape of the x.npy that one of our golden.json files describes; nothing if the text is not
/// such a document.
std::optional<io::Shape> golden_shape(std::string_view json);

/// x.npy, positions.npy as `--positions` takes them, y.npy, bound.npy, vectors.csv (hex floats) and
/// golden.json, which says how they belong together.
std::vector<GoldenFile> golden_files(const GoldenVectors& golden);

}  // namespace rope
