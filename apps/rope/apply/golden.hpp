#pragma once

#include <span>
#include <string>

#include "rope/documents/golden.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Writes PREFIXx.npy, positions.npy, y.npy, bound.npy, vectors.csv (hex floats) and golden.json.
/// The files go into a folder if the prefix names one or ends in a slash; in the latter case, the
/// folder is created. Lists the files on standard output. `read`: the words of the command line
/// that may name input files. Existing files are replaced only if they belong to rope's test
/// vectors and were not read.
void write_golden(const GoldenVectors& golden, const std::string& prefix,
                  std::span<const std::string> read, const Console& console);

}  // namespace rope::app
