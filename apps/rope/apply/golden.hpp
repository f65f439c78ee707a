#pragma once

#include <string>

#include "named/token_options.hpp"
#include "rope/verify/test_vectors.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// Test vectors and the axes of their file.
struct GoldenVectors : TestVectors {
  io::Shape shape;              ///< of x; the last axis is the head
  std::int64_t token_axis = 0;  ///< the file has one position a token
};

/// Of random vectors: two heads at each position of --positions, or at positions that have shown
/// mistakes.
GoldenVectors random_golden(const Policy& policy, const Arguments& arguments,
                            const Console& console);

/// Of the vectors given, rounded to the format that the policy takes.
GoldenVectors golden_of(const TokenInput& input, const Policy& policy, const Arguments& arguments,
                        const Console& console);

/// Writes PREFIXx.npy, positions.npy, y.npy, bound.npy, vectors.csv (hex floats) and golden.json;
/// into a folder if the prefix names one or ends in a slash. Says so on standard output.
void write_golden(const GoldenVectors& golden, const std::string& prefix, const Console& console);

}  // namespace rope::app
