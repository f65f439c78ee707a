#pragma once

#include <string_view>

namespace rope {

/// The language that a text is written in.
enum class Language { en, zh };

/// A text in both languages.
struct Phrase {
  std::string_view en, zh;
};

/// The text of the phrase in the given language.
constexpr std::string_view word(const Phrase& phrase, Language language) {
  return language == Language::zh ? phrase.zh : phrase.en;
}

}  // namespace rope
