#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rope::io {

/// The first character of a text in UTF-8.
struct FrontCharacter {
  std::size_t bytes;  ///< 1 if it is not UTF-8
  char32_t code;
  bool printable;  ///< not a control character (C0, C1), and does not reverse or break a line
};

/// Returns the first character of `text`, which must not be empty.
FrontCharacter front_character(std::string_view text);

/// Makes foreign text safe to print on one line: the bytes of unprintable characters become \xNN,
/// and text longer than `max_bytes` is cut at a character boundary and ends in "...".
std::string printable(std::string_view text, std::size_t max_bytes);

/// Makes a text of several lines safe to print, whatever its length.
std::string printable_lines(std::string_view text);

/// `printable` text in single quotes, for the "found" part of an error message.
std::string in_quotes(std::string_view text, std::size_t max_bytes = 60);

}  // namespace rope::io
