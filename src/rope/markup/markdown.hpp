#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// The text as Markdown that shows it literally: nothing in it acts as markup, and no `|` ends a
/// table cell.
std::string markdown_text(std::string_view text);

}  // namespace rope::markup
