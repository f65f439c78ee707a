#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/language/language.hpp"

namespace rope {

/// The text as a sentence: with a capital letter and a full stop.
std::string sentence(std::string text, Language language = Language::en);

/// "1 pair", "2 pairs", "1 case", "3 cases"; 2 对, 3 个算例.
std::string counted(std::uint64_t count, std::string_view noun, Language language = Language::en);

/// "linear, yarn and llama3"; linear、yarn、llama3.
std::string listed(const std::vector<std::string>& words, Language language = Language::en);

/// Marks a text as a hint on how to use the program, such as which option shows more. Hints appear
/// on the console, but not in files that contain the report.
std::string hint(std::string_view text);

/// The text, with its hints if `kept`, otherwise without them.
std::string with_hints(std::string_view text, bool kept);

/// A number for people: six significant digits, and zero without a sign.
std::string six_digits(double value);

/// An error or a bound for people: three significant digits; numbers near the smallest double are
/// given as multiples of it.
std::string three_digits(double value);

}  // namespace rope
