#pragma once

#include <cstddef>

namespace rope {

// Colours with the same meaning in every picture, numbered as in plot::Series::colour.

inline constexpr std::size_t kKeyLook = 0;    ///< k
inline constexpr std::size_t kQueryLook = 1;  ///< q
inline constexpr std::size_t kWrongLook = 3;  ///< q or k with a planted mistake

}  // namespace rope
