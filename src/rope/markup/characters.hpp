#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::markup {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a name can contain the character.
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// The number of digits at the beginning of a text.
inline std::size_t digits_at(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// The UTF-8 characters of a text, each as a string of all its bytes.
std::vector<std::string> characters_of(std::string_view text);

inline bool is_ascii_letter(const std::string& c) { return c.size() == 1 && is_letter(c[0]); }
inline bool is_digit(const std::string& c) { return c.size() == 1 && is_digit(c[0]); }

/// Whether the character is Greek: one of the two-byte characters U+0380 to U+03FF.
inline bool is_greek(const std::string& c) {
  return c.size() == 2 && (c[0] == '\xCE' || c[0] == '\xCF');
}

}  // namespace rope::markup
