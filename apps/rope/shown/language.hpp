#pragma once

#include <string>
#include <string_view>

#include "rope/claims/claim.hpp"

namespace rope::app {

/// What a report is written in.
enum class Language { en, zh };

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
