#pragma once

#include <string>

#include "rope/documents/golden.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Writes PREFIXx.npy, positions.npy, y.npy, bound.npy, vectors.csv (hex floats) and golden.json;
/// into a folder if the prefix names one or ends in a slash. Says so on standard output.
void write_golden(const GoldenVectors& golden, const std::string& prefix, const Console& console);

}  // namespace rope::app
