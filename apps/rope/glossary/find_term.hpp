#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "glossary/terms.hpp"

namespace rope::app {

/// The parts of a text between its semicolons.
std::vector<std::string> parts_of(std::string_view text);

/// The term of that name or alias. Letter case, hyphens and underscores do not matter, but R is not
/// r.
///
/// Throws    rope::Error (invalid input) with those that hold the word, or the likely one.
const Term& find_term(const std::string& word);

}  // namespace rope::app
