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

/// Of random vectors: two heads at each position.
///
/// Throws    ShapeError if they are too many for a text.
GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed);

/// Refuses to make test vectors of none, or of more than a text holds.
///
/// Throws    ShapeError.
void check_golden(const TokenInput& input);

/// Of the vectors given, rounded to the format that the policy takes.
GoldenVectors golden_of(const TokenInput& input, const RotaryEmbedding& embedding,
                        const Policy& policy);

/// One of the files that test vectors are made of.
struct GoldenFile {
  std::string name;
  std::string bytes;
};

/// The shape of the x.npy that a golden.json of ours describes; nothing where the text is no such
/// document.
std::optional<io::Shape> golden_shape(std::string_view json);

/// x.npy, positions.npy as `--positions` takes them, y.npy, bound.npy, vectors.csv (hex floats) and
/// golden.json, which says how they belong together.
std::vector<GoldenFile> golden_files(const GoldenVectors& golden);

}  // namespace rope
