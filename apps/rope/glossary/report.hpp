#pragma once

#include <span>
#include <string>

#include "glossary/terms.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A term with its formula, what it means, and where to go on.
void print_term(const Term& term, const Console& console);

/// All terms with a few words each.
void print_terms(const Console& console);

/// The terms as one document.
std::string term_json(std::span<const Term> terms);

}  // namespace rope::app
