#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// Converts a formula in the terminal's notation, "θ_i = b^{−2i/d}", to MathML. Letters are set as
/// single symbols, words of three or more letters as words. Each index or power in the formula must
/// be a single character or be in braces. Lines may break before a relation and after a comma.
std::string mathml(std::string_view formula);

}  // namespace rope::markup
