#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// Converts a formula as the terminal shows it, "θ_i = b^{−2i/d}", to MathML. Letters are set one
/// by one; words of three or more letters are set as words. In the formula, each index or power is
/// in braces or is a single character. Lines may break before a relation and after a comma.
std::string mathml(std::string_view formula);

}  // namespace rope::markup
