#pragma once

#include <string>
#include <string_view>

#include "rope/claims/clause.hpp"
#include "rope/plot/figure.hpp"

namespace rope::app {

/// What a report and the words of a picture are written in.
using plot::Language;

/// Words in both languages.
struct Phrase {
  std::string_view en, zh;
};

inline std::string_view word(const Phrase& phrase, Language language) {
  return language == Language::zh ? phrase.zh : phrase.en;
}

/// The one of the language.
inline const std::string& in(Language language, const claims::Text& text) {
  return language == Language::zh ? text.zh : text.en;
}

}  // namespace rope::app
