#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rope::app {

inline constexpr std::size_t kHelpWidth = 80;
inline constexpr std::size_t kHelpIndent = 24;  ///< where explanations begin

/// Lines of at most kHelpWidth: `left` after two blanks, then `text` from column `indent` on,
/// wrapped at blanks. Where `left` reaches that far, `text` begins on the next line.
std::string entry(std::string_view left, std::string_view text, std::size_t indent = kHelpIndent);

/// The items separated by commas, wrapped so that none is broken.
std::string wrapped_list(std::span<const std::string> items, std::size_t indent);

/// The longest beginning of a help text that has at most `width` characters and ends with a
/// sentence or, if no sentence fits, with a clause; the whole text if no clause fits either.
std::string_view first_clauses(std::string_view text, std::size_t width);

}  // namespace rope::app
