#pragma once

#include <span>
#include <string>

#include "glossary/terms.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// A term with its formula, what it means, and where to go on.
std::string term_report(const Term& term, const Console& console);

/// All terms with a few words each.
std::string term_list(const Console& console);

/// The terms as one document.
std::string term_json(std::span<const Term> terms);

}  // namespace rope::app
