#pragma once

#include <string>
#include <string_view>

#include "claims/report.hpp"

namespace rope::app {

/// The one of the language.
const std::string& in(Language language, const claims::Text& text);

/// "wrong", 错误.
std::string_view word(claims::Verdict verdict, Language language);

/// "as stated", 原话.
std::string_view word(claims::Role role, Language language);

/// What the quantity of a clause is called.
std::string name_of(const claims::Clause& clause, Language language);

/// Words of the report in both languages.
struct Phrase {
  std::string_view en, zh;
};
std::string_view word(const Phrase& phrase, Language language);

}  // namespace rope::app
