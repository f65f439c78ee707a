#pragma once

#include <string>

#include "rope/glossary/term.hpp"
#include "rope/language/language.hpp"

namespace rope::glossary {

/// A term, and the language of the name that it was found by.
struct FoundTerm {
  const Term* term = nullptr;
  Language language = Language::en;
};

/// The term that is called so in one of the languages. Letter case, blanks, hyphens and underscores
/// do not matter, but R is not r.
///
/// Throws    rope::Error (invalid input) with those that hold the word, or the likely one.
FoundTerm find_term(const std::string& word);

}  // namespace rope::glossary
