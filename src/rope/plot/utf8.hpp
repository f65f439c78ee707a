#pragma once

#include <string>
#include <string_view>

namespace rope::plot {

/// The replacement character, for text that cannot be shown.
inline constexpr char32_t kReplacement = 0xFFFD;

/// The characters of a text; every byte that is not part of valid UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view bytes);

/// The bytes of a text.
std::string encode_utf8(std::u32string_view text);

}  // namespace rope::plot
