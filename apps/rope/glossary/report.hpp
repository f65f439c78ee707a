#pragma once

#include <span>
#include <string>

#include "rope/glossary/term.hpp"
#include "shown/console.hpp"
#include "shown/language.hpp"

namespace rope::app {

/// A term with its formula, what it means, and where to go on.
void print_term(const glossary::Term& term, Language language, const Console& console);

/// All terms with a few words each.
void print_terms(Language language, const Console& console);

/// The terms as one document, in both languages.
std::string term_json(std::span<const glossary::Term> terms);

}  // namespace rope::app
