#pragma once

#include <span>
#include <string>

#include "rope/documents/golden.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Writes PREFIXx.npy, positions.npy, y.npy, bound.npy, vectors.csv (hex floats) and golden.json;
/// into a folder if the prefix names one or ends in a slash, which creates it. Reports them on
/// standard output. `read` holds the words that may name a file that was read: none of those files
/// is replaced, nor any that is not test vectors of ours.
void write_golden(const GoldenVectors& golden, const std::string& prefix,
                  std::span<const std::string> read, const Console& console);

}  // namespace rope::app
