#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::claims {

/// "wrong", 错误: the verdict on a statement.
std::string_view word(Verdict verdict, Language language);

/// "as stated", 原话.
std::string_view word(Role role, Language language);

/// The name of the quantity that a clause compares.
std::string name_of(const Clause& clause, Language language);

bool is_digit(char c);

/// The numbers in a text, except for those that are part of a name, such as float32 or θ_2.
std::vector<std::string> numbers_in(const std::string& text);

}  // namespace rope::claims
