#include "shown/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rope::app {
namespace {

/// Whether a line may not end or begin at the blank before `rest`: "46 … 63", "m = 3" and "n − m"
/// stay whole.
bool holds_together(std::string_view word, std::string_view rest) {
  constexpr std::array<std::string_view, 4> kSigns = {"…", "...", "=", "−"};
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

/// The character that a text begins with, or U+FFFD; texts are valid UTF-8 where they are ours.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t bytes = 1;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t bytes = lead < 0x80U ? 1 : lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
  if (bytes == 1) return {static_cast<char32_t>(lead), 1};
  if (lead < 0xC0U || text.size() < bytes) return {};
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6U | (byte(i) & 0x3FU);
  return {code, bytes};
}

/// Whether a character takes two columns: Chinese, Japanese and Korean ones with their punctuation.
bool is_wide(char32_t code) {
  constexpr std::array<std::array<char32_t, 2>, 8> kWide = {{{0x1100, 0x115F},
                                                             {0x2E80, 0x303E},
                                                             {0x3041, 0xA4CF},
                                                             {0xAC00, 0xD7A3},
                                                             {0xF900, 0xFAFF},
                                                             {0xFE30, 0xFE6F},
                                                             {0xFF00, 0xFF60},
                                                             {0x20000, 0x3FFFD}}};
  return code >= kWide[0][0] && std::ranges::any_of(kWide, [&](const auto& range) {
           return code >= range[0] && code <= range[1];
         });
}

/// Chinese punctuation that stands at no line's beginning, and that stands at no line's end.
constexpr std::u32string_view kClosing = U"，。、；：？！）》」』】〉”’";
constexpr std::u32string_view kOpening = U"（《「『【〈“‘";

/// Where a word may be broken first: beside a wide character, which needs no blank. At its end if
/// nowhere.
std::size_t end_of_piece(std::string_view word) {
  Character last = first_character(word);
  std::size_t end = last.bytes;
  while (end < word.size()) {
    const Character next = first_character(word.substr(end));
    const bool between = is_wide(last.code) || is_wide(next.code);
    const bool together = kClosing.find(next.code) != std::u32string_view::npos ||
                          kOpening.find(last.code) != std::u32string_view::npos;
    if (between && !together) return end;
    last = next;
    end += next.bytes;
  }
  return word.size();
}

/// Lines that are being filled, piece by piece.
class Lines {
 public:
  Lines(std::size_t width, std::size_t indent) : width_(width), indent_(indent) {}

  void add(std::string_view piece, std::size_t gap) {
    const std::size_t taken = display_width(piece);
    if (column_ > 0 && column_ + gap + taken > width_) {
      text_ += '\n';
      column_ = 0;
    }
    const std::size_t blanks = column_ == 0 ? indent_ : gap;
    text_.append(blanks, ' ').append(piece);
    column_ += blanks + taken;
  }

  std::string text() const { return text_ + "\n"; }

 private:
  std::size_t width_, indent_;
  std::size_t column_ = 0;  // of the last line; 0: nothing stands there
  std::string text_;
};

/// One paragraph, without a newline in it.
std::string wrapped_paragraph(std::string_view text, std::size_t width, std::size_t indent) {
  Lines lines(width, indent);
  std::size_t gap = 1;  // blanks before the next word
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) {
      ++gap;
      continue;
    }
    while (!word.empty()) {
      const std::size_t piece = end_of_piece(word);
      lines.add(word.substr(0, piece), gap);
      word.remove_prefix(piece);
      gap = 0;
    }
    gap = 1;
  }
  return lines.text();
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      width += is_wide(first_character(text.substr(i)).code) ? 2U : 1U;
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

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char each : text) word += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return word + "'";
}

std::string joined(const std::vector<std::string>& words, Language language) {
  return fmt::format("{}", fmt::join(words, word({", ", "、"}, language)));
}

std::string labelled(const Phrase& label, std::string_view text, Language language) {
  return fmt::format("{}{}{}", word(label, language), word({": ", "："}, language), text);
}

}  // namespace rope::app
