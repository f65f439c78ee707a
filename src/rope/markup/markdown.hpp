#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// The text as Markdown that shows it: nothing in it is markup, and no `|` ends the cell of a
/// table.
std::string markdown_text(std::string_view text);

}  // namespace rope::markup
