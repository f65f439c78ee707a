#pragma once

#include <array>
#include <string_view>

#include "rope/language/language.hpp"
#include "usage/options.hpp"

namespace rope::app {

inline constexpr std::array<std::string_view, 1> kEnglish = {"english"};
inline constexpr std::array<std::string_view, 5> kChinese = {"cn", "zh-cn", "zh-hans", "chinese",
                                                             "中文"};

/// The values that --lang accepts.
inline constexpr std::array<Choice<Language>, 2> kLanguages = {
    {{"en", Language::en, kEnglish}, {"zh", Language::zh, kChinese}}};

}  // namespace rope::app
