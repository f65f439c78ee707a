#include "rope/markup/html.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "rope/markup/characters.hpp"

namespace rope::markup {
namespace {

/// Whether an index or a power begins at the i-th character: behind a single letter or a digit, not
/// inside a name such as rope_theta.
bool script_begins(const std::vector<std::string>& signs, std::size_t i) {
  if (i == 0 || i + 1 >= signs.size() || (signs[i] != "_" && signs[i] != "^")) return false;
  const std::string& base = signs[i - 1];
  if (signs[i] == "^") return is_digit(base) || is_ascii_letter(base) || is_greek(base);
  const bool single = i == 1 || !(is_ascii_letter(signs[i - 2]) || signs[i - 2] == "_");
  return is_greek(base) || (is_ascii_letter(base) && single);
}

/// Whether the blank at `i` stands beside a minus that has another on its other side.
bool beside_minus(const std::vector<std::string>& signs, std::size_t i) {
  const auto is = [&](std::size_t at, std::string_view sign) {
    return at < signs.size() && signs[at] == sign;
  };
  return (is(i + 1, "−") && is(i + 2, " ")) || (i >= 2 && is(i - 1, "−") && is(i - 2, " "));
}

/// Where the bracket that opens at `i` closes; the end of the sentence if it does not.
std::size_t closing(const std::vector<std::string>& signs, std::size_t i) {
  const bool round = signs[i] == "(";
  std::size_t depth = 0;
  for (; i < signs.size(); ++i) {
    if (signs[i] == (round ? "(" : "{")) ++depth;
    if (signs[i] == (round ? ")" : "}") && --depth == 0) break;
  }
  return i;
}

/// The index or power that begins at `i`, of which `i` is the last character afterwards. A number
/// has its sign; brackets hold it together and are not shown.
std::string script_at(const std::vector<std::string>& signs, std::size_t& i) {
  const auto joined = [&](std::size_t from, std::size_t to) {
    std::string script;
    for (; from < to; ++from) script += signs[from];
    return script;
  };
  const std::size_t first = i;
  if (signs[i] == "{" || signs[i] == "(") {
    i = closing(signs, i);
    return joined(first + 1, i);
  }
  const bool number = is_digit(signs[i]) || signs[i] == "-" || signs[i] == "−";
  while (number && i + 1 < signs.size() && is_digit(signs[i + 1])) ++i;
  return joined(first, i + 1);
}

}  // namespace

std::string sentence_html(std::string_view sentence) {
  const std::vector<std::string> signs = characters_of(sentence);
  std::string html;
  bool code = false;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    if (signs[i] == "`") {
      html += code ? "</code>" : "<code>";
      code = !code;
    } else if (!code && script_begins(signs, i)) {
      const std::string_view tag = signs[i] == "_" ? "sub" : "sup";
      html += fmt::format("<{}>{}</{}>", tag, sentence_html(script_at(signs, ++i)), tag);
    } else if (!code && signs[i] == " " && beside_minus(signs, i)) {
      html += "&nbsp;";  // a line ends nowhere in "n − m"
    } else {
      html += html_text(signs[i]);
    }
  }
  return html;
}

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

}  // namespace rope::markup
