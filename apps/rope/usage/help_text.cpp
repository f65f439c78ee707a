#include "usage/help_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "shown/text.hpp"

namespace rope::app {
namespace {

/// The pieces behind `line`, which has something in it or nothing but blanks up to `indent`.
std::string filled(std::string line, std::span<const std::string> pieces, std::size_t indent) {
  std::string result;
  std::size_t column = display_width(line);
  bool first = true;
  for (const std::string& piece : pieces) {
    const std::size_t width = display_width(piece);
    if (!first && column + 1 + width > kHelpWidth) {
      result += line + "\n";
      line = std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) {
      line += ' ';
      ++column;
    }
    line += piece;
    column += width;
    first = false;
  }
  return result + line + "\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// The longest beginning that fits and ends before one of the signs, outside of parentheses.
std::string_view beginning(std::string_view text, std::string_view signs, std::size_t width) {
  std::size_t end = 0, depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == ')' && depth > 0) --depth;
    const bool ends = signs.find(text[i]) != std::string_view::npos && text[i + 1] == ' ';
    if (depth == 0 && ends && display_width(text.substr(0, i)) <= width) end = i;
    if (text[i] == '(') ++depth;
  }
  return text.substr(0, end);
}

}  // namespace

std::string entry(std::string_view left, std::string_view text, std::size_t indent) {
  std::string result;
  std::string line = "  " + std::string(left);
  if (display_width(line) + 2 > indent) {
    result = line + "\n";
    line.clear();
  }
  line.append(indent - display_width(line), ' ');
  return result + filled(std::move(line), words_of(text), indent);
}

std::string wrapped_list(std::span<const std::string> items, std::size_t indent) {
  std::vector<std::string> pieces(items.begin(), items.end());
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) pieces[i] += ',';
  return filled(std::string(indent, ' '), pieces, indent);
}

std::string_view first_clauses(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return text;
  if (const std::string_view some = beginning(text, ":;", width); !some.empty()) return some;
  const std::string_view clause = beginning(text, ",", width);
  return clause.empty() ? text : clause;
}

}  // namespace rope::app
