#include "rope/words/sentence.hpp"

#include <fmt/format.h>

#include <limits>

#include "rope/language/said.hpp"

namespace rope {
namespace {

// Around a hint: characters that no text has.
constexpr char kHintBegins = '\x02', kHintEnds = '\x03';

}  // namespace

std::string sentence(std::string text, Language language) {
  if (text.empty()) return text;
  if (language == Language::zh) return text.ends_with("。") ? text : text + "。";
  if (text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  if (!text.ends_with('.')) text += '.';
  return text;
}

std::string counted(std::uint64_t count, std::string_view noun, Language language) {
  if (language == Language::zh) return fmt::format("{} {}", count, translated(noun, language));
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& words, Language language) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += word({i + 1 < words.size() ? ", " : " and ", "、"}, language);
    text += words[i];
  }
  return text;
}

std::string hint(std::string_view text) { return kHintBegins + std::string(text) + kHintEnds; }

std::string with_hints(std::string_view text, bool kept) {
  std::string result;
  bool shown = true;
  for (const char c : text) {
    if (c == kHintBegins)
      shown = kept;
    else if (c == kHintEnds)
      shown = true;
    else if (shown)
      result += c;
  }
  return result;
}

std::string six_digits(double value) {
  return fmt::format("{:.6g}", value == 0 ? 0.0 : value);  // -0 is 0 too
}

std::string three_digits(double value) {
  constexpr double kStep = std::numeric_limits<double>::denorm_min();  // 2^-1074
  const double steps = value / kStep;
  if (steps >= 1 && steps < 1000) return fmt::format("{:.0f}·2^−1074", steps);
  return fmt::format("{:.3g}", value);
}

}  // namespace rope
