#pragma once

#include <string>

namespace rope::benchmark {

/// How the cost grows with the work, as Markdown: user and system seconds, memory, and the
/// exponent of the user time from line to line (1: ten times the work costs ten times as much).
/// Writes tensors of up to 8 GiB to the folder, one at a time.
std::string growth(const std::string& program, const std::string& folder);

}  // namespace rope::benchmark
