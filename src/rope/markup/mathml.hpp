#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// A formula as the terminal shows it, "θ_i = b^{−2i/d}", as MathML: letters one by one, words of
/// three or more letters as words, indices and powers in braces or of one sign. Lines may break
/// before a relation and after a comma.
std::string mathml(std::string_view formula);

}  // namespace rope::markup
