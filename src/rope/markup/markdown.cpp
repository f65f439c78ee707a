#include "rope/markup/markdown.hpp"

#include <cstddef>

#include "rope/markup/characters.hpp"

namespace rope::markup {
namespace {

/// Where the text begins as an item of a list or as the line below a heading: the sign that does
/// it.
std::size_t list_marker(std::string_view text) {
  const std::size_t number = digits_at(text);
  const std::string_view signs = number > 0 ? ".)" : "-+=";
  if (number == text.size() || signs.find(text[number]) == std::string_view::npos)
    return std::string_view::npos;
  const bool alone = number + 1 == text.size() || text[number + 1] == ' ';
  const bool rule = text.find_first_not_of("-=") == std::string_view::npos;
  return alone || rule ? number : std::string_view::npos;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string result;
  const std::size_t marker = list_marker(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    bool escaped =
        i == marker || std::string_view(R"(\*`[<>#|~$&)").find(c) != std::string_view::npos;
    if (c == '_')  // within a word it is only itself
      escaped = i == 0 || i + 1 == text.size() || !is_word(text[i - 1]) || !is_word(text[i + 1]);
    if (escaped) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace rope::markup
