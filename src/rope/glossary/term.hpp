#pragma once

#include <string>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::glossary {

using claims::Text;

/// A term of the program's output, in both languages.
struct Term {
  Text name;  ///< the English one as reports write it
  struct {
    std::vector<std::string> zh, en;
  } also;                            ///< what else it is called
  Text few_words;                    ///< for a list
  Text formula;                      ///< may be empty
  Text explanation;                  ///< two sentences
  std::vector<std::string> related;  ///< English names of other terms
  std::string command;               ///< to type, which shows it
};

/// All terms, those that belong together side by side.
const std::vector<Term>& terms();

/// The term of that English name.
///
/// Throws    std::logic_error if there is none.
const Term& term_named(const std::string& name);

}  // namespace rope::glossary
