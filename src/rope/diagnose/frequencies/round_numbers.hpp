#pragma once

#include <array>

namespace rope {

/// Bases that many models have.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// The number with the fewest significant digits in [low, high]; the middle if none has 15 or
/// fewer.
double simplest_number(double low, double high);

/// Whether a number looks chosen: none within a relative 1e-4 has fewer digits.
bool is_round(double number);

}  // namespace rope
