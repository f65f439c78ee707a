#pragma once

#include <string>
#include <string_view>

namespace rope::markup {

/// The text in plain LaTeX, without packages: θ_i becomes $\theta_{i}$, and 1.2e-05 becomes $1.2
/// \times 10^{-5}$. Characters that this program does not use as symbols, such as Chinese ones, are
/// left unchanged.
std::string latex_text(std::string_view text);

}  // namespace rope::markup
