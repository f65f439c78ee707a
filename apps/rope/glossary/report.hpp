#pragma once

#include "rope/glossary/term.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A term with its formula, what it means, and where to go on.
void print_term(const glossary::Term& term, Language language, const Console& console);

/// All terms with a few words each.
void print_terms(Language language, const Console& console);

}  // namespace rope::app
