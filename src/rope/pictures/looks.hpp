#pragma once

#include <cstddef>

namespace rope {

// The colours that mean the same in every picture: numbers of looks, as plot::Series::colour.

inline constexpr std::size_t kKeyLook = 0;    ///< k
inline constexpr std::size_t kQueryLook = 1;  ///< q
inline constexpr std::size_t kWrongLook = 3;  ///< what a planted mistake makes of them

}  // namespace rope
