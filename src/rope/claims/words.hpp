#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::claims {

/// "wrong", 错误: what a statement comes to.
std::string_view word(Verdict verdict, Language language);

/// "as stated", 原话.
std::string_view word(Role role, Language language);

/// What the quantity of a clause is called.
std::string name_of(const Clause& clause, Language language);

bool is_digit(char c);

/// The numbers that stand in a text by themselves: not those of a name, as in float32 or θ_2.
std::vector<std::string> numbers_in(const std::string& text);

}  // namespace rope::claims
