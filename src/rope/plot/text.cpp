#include "rope/plot/text.hpp"

#include <cstddef>
#include <optional>

#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

bool is_space(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || c == 0x0B || c == 0x0C || c == 0x85 ||
         c == 0x2028 || c == 0x2029;
}

/// Control characters, and those that only steer how others are drawn: joiners, text direction,
/// variation selectors, tags. Drawn, they would be boxes; obeyed, they would let a text reorder the
/// rest of its line.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x34F || c == 0x61C ||
         c == 0x180E || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE0FFF);
}

/// Characters that mean nothing to any font: private use and the "not a character" positions.
bool is_undrawable(char32_t c) {
  return (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFEU) == 0xFFFE ||
         c >= 0xF0000;
}

std::string safe(std::string_view bytes) {
  std::u32string text;
  for (const char32_t c : decode_utf8(bytes)) {
    if (is_space(c)) {
      text.push_back(' ');
    } else if (is_undrawable(c)) {
      text.push_back(kReplacement);
    } else if (!is_invisible(c)) {
      text.push_back(c);
    }
  }
  return encode_utf8(text);
}

constexpr std::u32string_view kRaisable = U"0123456789+-−=()nikdm/";
constexpr std::u32string_view kRaised = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵏᵈᵐᐟ";
constexpr std::u32string_view kLowerable = U"0123456789+-−=()ikmn";
constexpr std::u32string_view kLowered = U"₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ᵢₖₘₙ";

/// The text in small raised or lowered characters, if each of its characters has one.
std::optional<std::u32string> small(std::u32string_view text, std::u32string_view from,
                                    std::u32string_view to) {
  std::u32string result;
  for (const char32_t c : text) {
    const std::size_t at = from.find(c);
    if (at == std::u32string_view::npos) return std::nullopt;
    result.push_back(to[at]);
  }
  return result;
}

/// Reads gnuplot's enhanced text, as far as this program writes it.
class MarkupReader {
 public:
  explicit MarkupReader(std::u32string_view text) : text_(text) {}

  /// Everything up to a closing brace or the end.
  std::u32string read_all() {
    std::u32string result;
    while (at_ < text_.size() && text_[at_] != '}') result += read_one();
    return result;
  }

 private:
  std::u32string read_one() {
    const char32_t c = text_[at_++];
    if (at_ == text_.size()) return {c};
    if (c == '^') return raised(read_one());
    if (c == '_') return lowered(read_one());
    if (c == '\\') return {text_[at_++]};
    if (c != '{') return {c};
    if (text_[at_] == '/') skip_font();
    std::u32string inner = read_all();
    if (at_ < text_.size()) ++at_;
    return inner;
  }

  void skip_font() {
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '}') ++at_;
    if (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  static std::u32string raised(const std::u32string& text) {
    if (auto result = small(text, kRaisable, kRaised)) return *result;
    return text.size() == 1 ? U"^" + text : U"^(" + text + U")";
  }

  static std::u32string lowered(const std::u32string& text) {
    if (auto result = small(text, kLowerable, kLowered)) return *result;
    return U"_" + text;
  }

  std::u32string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Text Text::plain(std::string_view bytes) { return {safe(bytes), false}; }

Text Text::markup(std::string_view bytes) { return {safe(bytes), true}; }

std::string Text::readable() const {
  if (!markup_) return bytes_;
  const std::u32string text = decode_utf8(bytes_);
  return encode_utf8(MarkupReader(text).read_all());
}

std::string with_minus_signs(std::string number) {
  for (std::size_t at = number.find('-'); at != std::string::npos; at = number.find('-', at))
    number.replace(at, 1, "−");
  return number;
}

}  // namespace rope::plot
