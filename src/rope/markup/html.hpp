#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// Text with <, >, & and " escaped for HTML.
std::string html_text(std::string_view text);

/// A sentence as HTML: special characters are escaped, R_m and 2^{53} get real subscripts and
/// superscripts, and text between backticks becomes code.
std::string sentence_html(std::string_view sentence);

}  // namespace rope::markup
