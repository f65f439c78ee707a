#include "rope/plot/text_fit.hpp"

#include <string>
#include <string_view>

#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr double kBoldIsWider = 1.1;
constexpr char32_t kEllipsis = 0x2026;

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
         (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) || c >= 0x10000;
}

double character_width(char32_t c) {
  constexpr std::u32string_view kNarrow = U"ijl.,:;|!'I` ";
  constexpr std::u32string_view kSlim = U"frt()[]{}/\\-\"";
  constexpr std::u32string_view kBroad = U"mwMW%@—…";
  if (c >= 0x300 && c <= 0x36F) return 0;  // combining marks
  if (kNarrow.find(c) != std::u32string_view::npos) return 0.33;
  if (kSlim.find(c) != std::u32string_view::npos) return 0.42;
  if (kBroad.find(c) != std::u32string_view::npos) return 0.98;
  if (is_wide(c)) return 1.05;
  if (c >= 'A' && c <= 'Z') return 0.72;
  if ((c >= 0x2070 && c <= 0x209F) || c == 0xB2 || c == 0xB3 || c == 0xB9) return 0.42;
  if (c >= 0x2190 && c <= 0x22FF) return 0.84;
  return 0.64;
}

double width_of(std::u32string_view text, bool bold) {
  double width = 0;
  for (const char32_t c : text) width += character_width(c);
  return bold ? width * kBoldIsWider : width;
}

double width_of(const Text& like, std::u32string_view part, bool bold) {
  if (!like.is_markup()) return width_of(part, bold);
  return text_width(like.with_bytes(encode_utf8(part)), bold);
}

/// After which characters a line may end: `depth` braces are open there.
std::vector<bool> breakable(std::u32string_view text, bool markup) {
  std::vector<bool> result(text.size() + 1, true);
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && markup; ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}') --depth;
    const bool binds = text[i] == '^' || text[i] == '_' || text[i] == '\\';
    result[i + 1] = depth == 0 && !binds;
  }
  return result;
}

/// Whether a line may end at a space between two characters: not beside a sign, which binds what it
/// stands between.
bool parts(char32_t before, char32_t after) {
  constexpr std::u32string_view kSigns = U"=±%<>≤≥≈+−·×…";
  return kSigns.find(before) == std::u32string_view::npos &&
         kSigns.find(after) == std::u32string_view::npos;
}

/// How many characters of `text` go into a line.
std::size_t line_length(const Text& like, std::u32string_view text, double width, bool bold) {
  if (width_of(like, text, bold) <= width) return text.size();
  const std::vector<bool> may_break = breakable(text, like.is_markup());
  std::size_t anywhere = 0;
  std::size_t at_space = 0;
  for (std::size_t n = 1; n < text.size(); ++n) {
    if (!may_break[n]) continue;
    if (anywhere != 0 && width_of(like, text.substr(0, n), bold) > width) break;
    anywhere = n;
    const bool space = text[n] == ' ' && n + 1 < text.size() && parts(text[n - 1], text[n + 1]);
    if (space || line_may_end(text[n - 1], text[n])) at_space = n;
  }
  if (at_space != 0) return at_space;
  return anywhere != 0 ? anywhere : text.size();
}

std::u32string_view without_outer_spaces(std::u32string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Longer texts are cut first, so that fitting one stays quick whatever a caller gives.
constexpr std::size_t kLongest = 2000;

std::u32string characters(const Text& text) {
  std::u32string all = decode_utf8(text.bytes());
  if (all.size() > kLongest && !text.is_markup()) {
    all.resize(kLongest);
    all.push_back(kEllipsis);
  }
  return all;
}

}  // namespace

bool line_may_end(char32_t before, char32_t after) {
  constexpr std::u32string_view kOpening = U"（《“‘(";
  constexpr std::u32string_view kClosing = U"，。；：、！？）》”’,.;:!?)%…";
  if (!is_wide(before) && !is_wide(after)) return false;
  return kOpening.find(before) == std::u32string_view::npos &&
         kClosing.find(after) == std::u32string_view::npos;
}

double text_width(const Text& text, bool bold) {
  return width_of(decode_utf8(text.readable()), bold);
}

Text shortened(const Text& text, double width, bool bold) {
  const std::u32string all = characters(text);
  if (width_of(text, all, bold) <= width) return text.with_bytes(encode_utf8(all));
  const std::vector<bool> may_break = breakable(all, text.is_markup());
  std::size_t fits = 0;
  for (std::size_t n = 1; n < all.size(); ++n) {
    if (!may_break[n]) continue;
    if (width_of(text, all.substr(0, n), bold) + character_width(kEllipsis) > width) break;
    fits = n;
  }
  std::u32string kept(without_outer_spaces(std::u32string_view(all).substr(0, fits)));
  kept.push_back(kEllipsis);
  return text.with_bytes(encode_utf8(kept));
}

bool is_cut(const std::vector<Text>& lines, const Text& whole) {
  const std::u32string all = decode_utf8(whole.bytes());
  std::u32string_view rest = without_outer_spaces(all);
  char32_t before = ' ';
  for (const Text& text : lines) {
    const std::u32string characters = decode_utf8(text.bytes());
    const std::u32string_view line = without_outer_spaces(characters);
    const std::u32string_view next = without_outer_spaces(rest);
    if (line.empty() || !next.starts_with(line)) return true;
    const bool apart = before == ' ' || next.size() < rest.size();
    if (!apart && !line_may_end(before, line.front())) return true;
    before = line.back();
    rest = next.substr(line.size());
  }
  return !without_outer_spaces(rest).empty();
}

std::vector<Text> wrapped(const Text& text, double width, std::size_t max_lines, bool bold) {
  std::vector<Text> lines;
  const std::u32string all = characters(text);
  std::u32string_view rest = without_outer_spaces(all);
  while (!rest.empty()) {
    if (lines.size() + 1 >= max_lines) {
      lines.push_back(shortened(text.with_bytes(encode_utf8(rest)), width, bold));
      break;
    }
    const std::size_t length = line_length(text, rest, width, bold);
    lines.push_back(text.with_bytes(encode_utf8(without_outer_spaces(rest.substr(0, length)))));
    rest = without_outer_spaces(rest.substr(length));
  }
  return lines;
}

}  // namespace rope::plot
