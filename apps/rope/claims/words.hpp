#pragma once

#include <string>
#include <string_view>

#include "claims/report.hpp"
#include "shown/claim_verdict.hpp"

namespace rope::app {

/// "as stated", 原话.
std::string_view word(claims::Role role, Language language);

/// What the quantity of a clause is called.
std::string name_of(const claims::Clause& clause, Language language);

}  // namespace rope::app
