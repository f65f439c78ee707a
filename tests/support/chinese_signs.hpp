#pragma once

#include <string>
#include <string_view>

namespace rope::test {

/// The characters of a text.
inline std::u32string characters(const std::string& text) {
  std::u32string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80U)
      result.back() = (result.back() << 6U) | (byte & 0x3FU);
    else
      result += byte < 0x80U ? byte : byte < 0xE0U ? byte & 0x1FU : byte & 0x0FU;
  }
  return result;
}

inline bool is_chinese(char32_t c) { return c >= U'一' && c <= U'龥'; }

/// Full-width punctuation.
inline bool is_full(char32_t c) { return (c >= U'\u3000' && c <= U'〿') || c >= U'\uff00'; }

/// What is wrong with the signs of a Chinese text: half-width punctuation, a letter
/// or a digit right beside a Chinese character, or a blank beside full-width punctuation.
inline std::string wrong_signs(const std::string& chinese) {
  const std::u32string text = characters(chinese);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const std::u32string pair = text.substr(i, 2);
    const bool first = is_chinese(pair[0]), second = is_chinese(pair[1]);
    const char32_t other = first ? pair[1] : pair[0];
    const std::string where = " at character " + std::to_string(i);
    if (first != second && !is_full(other) &&
        std::u32string_view(U" /|·").find(other) == std::u32string_view::npos)
      return "no blank" + where;
    if ((is_full(pair[0]) && pair[1] == U' ' && text.substr(i + 1, 3) != U"   ") ||
        (is_full(pair[1]) && pair[0] == U' '))
      return "a blank" + where;
    if (i + 2 < text.size() && first && text[i + 1] == U' ' && text[i + 2] < 0x80 &&
        std::string_view(",.;:?!)").find(static_cast<char>(text[i + 2])) != std::string::npos)
      return "half-width punctuation" + where;
    if (second && i > 0 && pair[0] == U' ' && text[i - 1] < 0x80 &&
        std::string_view(",.;:?!(").find(static_cast<char>(text[i - 1])) != std::string::npos)
      return "half-width punctuation" + where;
  }
  return "";
}

}  // namespace rope::test
