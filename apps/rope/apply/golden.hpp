#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "named/token_options.hpp"
#include "rope/verify/test_vectors.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Test vectors and the axes of their file.
struct GoldenVectors : TestVectors {
  io::Shape shape;              ///< of x; the last axis is the head
  std::int64_t token_axis = 0;  ///< the file has one position per token
};

/// Of random vectors: two heads at each position.
///
/// Throws    rope::Error (invalid input) if they are too many for a text.
GoldenVectors random_golden(const RotaryEmbedding& embedding, const Policy& policy,
                            const std::vector<std::int64_t>& positions, std::uint64_t seed);

/// Refuses to make test vectors of none, or of more than a text holds.
void check_golden(const TokenInput& input);

/// Of the vectors given, rounded to the format that the policy takes.
GoldenVectors golden_of(const TokenInput& input, const RotaryEmbedding& embedding,
                        const Policy& policy);

/// Writes PREFIXx.npy, positions.npy, y.npy, bound.npy, vectors.csv (hex floats) and golden.json;
/// into a folder if the prefix names one or ends in a slash. Says so on standard output.
void write_golden(const GoldenVectors& golden, const std::string& prefix, const Console& console);

}  // namespace rope::app
