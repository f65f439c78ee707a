#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope::io {

/// Makes foreign text safe to print on one line: control characters become \xNN, and what is longer
/// than `max_bytes` is cut at a character and ends in "...".
std::string printable(std::string_view text, std::size_t max_bytes);

/// `printable` text in single quotes, for the "found" part of an error message.
std::string quoted(std::string_view text, std::size_t max_bytes = 60);

}  // namespace rope::io
