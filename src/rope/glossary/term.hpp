#pragma once

#include <string>
#include <vector>

#include "rope/claims/claim.hpp"
#include "rope/language/language.hpp"

namespace rope::glossary {

using claims::Text;

/// A term that the program's output uses, in both languages.
struct Term {
  Text name;  ///< the English name is spelt as in reports
  struct {
    std::vector<std::string> zh, en;
  } also;                            ///< its other names
  Text few_words;                    ///< for a list
  Text formula;                      ///< may be empty
  Text explanation;                  ///< two sentences
  std::vector<std::string> related;  ///< English names of other terms
  std::string command;               ///< a command that shows the term in its output
};

/// All terms, with related ones next to each other.
const std::vector<Term>& terms();

/// The term with that English name.
///
/// Throws    std::logic_error if there is none.
const Term& term_named(const std::string& name);

/// A term, and the language of the name by which it was found.
struct FoundTerm {
  const Term* term = nullptr;
  Language language = Language::en;
};

/// The term with that name in either language. Letter case, blanks, hyphens and underscores do not
/// matter, except that R and r are different terms.
///
/// Throws    rope::Error (invalid input) with the terms that contain the word, or the term that is
///           probably meant.
FoundTerm find_term(const std::string& word);

}  // namespace rope::glossary
