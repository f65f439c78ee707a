#pragma once

#include <string>
#include <vector>

#include "named/token_options.hpp"
#include "rope/precision/policy.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// Test vectors for another implementation: what goes in, what should come out exactly, and how far
/// a rounding policy lets the output be from that.
struct GoldenVectors {
  RotaryEmbedding embedding;
  Policy policy;
  io::Shape shape;  ///< of x; the last axis is the head
  std::int64_t token_axis = 0;
  std::vector<std::int64_t> positions;  ///< one a vector; the file has one a token
  std::vector<double> x;                ///< in the format that the policy takes
  std::vector<double> y;                ///< R_m x, exact, rounded to double
  std::vector<double> bound;            ///< |output − y| of each element that the policy allows
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
