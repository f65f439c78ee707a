#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace rope::app {

inline constexpr std::size_t kHelpWidth = 80;
inline constexpr std::size_t kHelpIndent = 24;  ///< the column in which explanations begin

/// Lines of at most kHelpWidth columns: `left` after two spaces, then `text` from column `indent`
/// on, wrapped at spaces. If `left` reaches that column, `text` begins on the next line.
std::string entry(std::string_view left, std::string_view text, std::size_t indent = kHelpIndent);

/// The items, separated by commas and wrapped so that no item is broken.
std::string wrapped_list(std::span<const std::string> items, std::size_t indent);

/// The longest beginning of a help text that has at most `width` characters and ends at the end of
/// a sentence or, if no sentence fits, of a clause; the whole text if no clause fits either.
std::string_view first_clauses(std::string_view text, std::size_t width);

}  // namespace rope::app
