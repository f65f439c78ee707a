#pragma once

#include <string>
#include <string_view>

#include "claims/report.hpp"

namespace rope::app {

/// "wrong", 错误.
std::string_view word(claims::Verdict verdict, Language language);

/// "as stated", 原话.
std::string_view word(claims::Role role, Language language);

/// What the quantity of a clause is called.
std::string name_of(const claims::Clause& clause, Language language);

}  // namespace rope::app
