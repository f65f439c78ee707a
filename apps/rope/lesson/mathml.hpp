#pragma once

#include <string>
#include <string_view>

namespace rope::app {

/// A formula as the terminal shows it, "θ_k = b^{−2k/d}", as MathML: letters one by one, words of
/// three letters and more as words, indices and powers in braces or of one sign. Lines may end
/// before a relation and behind a comma.
std::string mathml(std::string_view formula);

/// A sentence as HTML: its marks escaped, R_m and 2^{53} with real indices and powers, and what
/// stands between backticks as code.
std::string sentence_html(std::string_view sentence);

/// Text whose <, >, & and " stand for themselves in HTML.
std::string escaped(std::string_view text);

}  // namespace rope::app
