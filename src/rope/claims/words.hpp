#pragma once

#include <string>
#include <string_view>

#include "rope/claims/claim.hpp"

namespace rope::claims {

/// "wrong", 错误: what a statement comes to.
std::string_view word(Verdict verdict, Language language);

/// "as stated", 原话.
std::string_view word(Role role, Language language);

/// What the quantity of a clause is called.
std::string name_of(const Clause& clause, Language language);

}  // namespace rope::claims
