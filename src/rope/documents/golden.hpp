#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/apply/token_input.hpp"
#include "rope/verify/test_vectors.hpp"

namespace rope {

/// Test vectors, and the axes of the file that contains them.
struct GoldenVectors : TestVectors {
  io::Shape shape;              ///< of x; the last axis is the head
  std::int64_t token_axis = 0;  ///< the axis of the tokens, each of which has one position
};

/// Test vectors from random x: two heads at each position.
///
/// Throws    ShapeError if there are too many vectors to write as text.
GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed);

/// Refuses an input that has no vectors, or more than can be written as text.
///
/// Throws    ShapeError.
void check_golden(const TokenInput& input);

/// Test vectors from the given vectors, rounded to the input format of the policy.
GoldenVectors golden_of(const TokenInput& input, const RotaryEmbedding& embedding,
                        const Policy& policy);

/// One of the files in a set of test vectors.
struct GoldenFile {
  std::string name;
  std::string bytes;
};

/// The shape of the x.npy that one of our golden.json files describes; nothing if the text is not
/// such a document.
std::optional<io::Shape> golden_shape(std::string_view json);

/// x.npy, positions.npy in a form that `--positions` accepts, y.npy, bound.npy, vectors.csv (hex
/// floats) and golden.json, which describes how they fit together.
std::vector<GoldenFile> golden_files(const GoldenVectors& golden);

}  // namespace rope
