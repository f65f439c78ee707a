#pragma once

#include <array>

namespace rope {

/// Bases that models usually have.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// The number with the fewest significant digits in [low, high], the middle if that needs more
/// than 15.
double simplest_number(double low, double high);

/// Whether a number looks chosen: none within 1e-4 of it has fewer digits.
bool is_round(double number);

}  // namespace rope
