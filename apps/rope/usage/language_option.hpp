#pragma once

#include <array>

#include "rope/language/language.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// What --lang takes.
inline constexpr std::array<Choice<Language>, 2> kLanguages = {
    {{"en", Language::en}, {"zh", Language::zh}}};

}  // namespace rope::app
