#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::claims {

/// The word for a verdict: "wrong", 错误.
std::string_view word(Verdict verdict, Language language);

/// The words for a role: "as stated", 原话.
std::string_view word(Role role, Language language);

/// The name of the quantity that a clause compares.
std::string name_of(const Clause& clause, Language language);

bool is_digit(char c);

/// The numbers in a text, except for those that are part of a name, such as float32 or θ_2.
std::vector<std::string> numbers_in(const std::string& text);

}  // namespace rope::claims
