#pragma once

#include <cstdint>
#include <string>

namespace rope::io {

/// Appends the shortest text that reads back to the same number: 0.1, 1e+300, inf, nan, -7.
void append_number(std::string& out, double value);
void append_number(std::string& out, std::int64_t value);

}  // namespace rope::io
