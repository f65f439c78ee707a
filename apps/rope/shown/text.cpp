#include "shown/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rope::app {
namespace {

/// Whether a line may not end or begin at the blank before `rest`: "46 … 63" and "m = 3" stay
/// whole.
bool holds_together(std::string_view word, std::string_view rest) {
  constexpr std::array<std::string_view, 3> kSigns = {"…", "...", "="};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) {
    return word == sign || word.ends_with(' ' + std::string(sign)) ||
           rest.starts_with(std::string(sign) + ' ');
  });
}

/// Where the first word ends, with those that hold together with it.
std::size_t end_of_word(std::string_view text) {
  std::size_t end = std::min(text.find(' '), text.size());
  while (end < text.size() && holds_together(text.substr(0, end), text.substr(end + 1)))
    end = std::min(text.find(' ', end + 1), text.size());
  return end;
}

/// One paragraph, without a newline in it.
std::string wrapped_paragraph(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;  // of the line that is being filled; 0: nothing stands there
  std::size_t gap = 1;     // blanks before the next word
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) {
      ++gap;
      continue;
    }
    const std::size_t taken = display_width(word);
    if (column > 0 && column + gap + taken > width) {
      result += '\n';
      column = 0;
    }
    const std::size_t blanks = column == 0 ? indent : gap;
    result.append(blanks, ' ').append(word);
    column += blanks + taken;
    gap = 1;
  }
  return result + "\n";
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      ++width;
    }
  }
  return width;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += wrapped_paragraph(text.substr(0, end), width, indent);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string sentence(std::string text) {
  if (text.empty()) return text;
  if (text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " and ") + words[i];
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace rope::app
