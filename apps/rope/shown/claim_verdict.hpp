#pragma once

#include <string_view>

#include "rope/claims/claim.hpp"
#include "shown/language.hpp"

namespace rope::app {

/// "wrong", 错误: what a statement comes to.
std::string_view word(claims::Verdict verdict, Language language);

}  // namespace rope::app
