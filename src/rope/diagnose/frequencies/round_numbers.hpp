#pragma once

#include <array>
#include <string>

namespace rope {

/// Bases that many models use.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// The number with the fewest significant digits in [low, high]; the middle if none has 15 or
/// fewer.
double simplest_number(double low, double high);

/// Whether a number is an integer below 100, or has at most two significant digits.
bool has_two_digits(double number);

/// Whether a number looks hand-picked: no number within a relative distance of 1e-4 has fewer
/// digits.
bool is_round(double number);

/// The number as people write it: an integer with all its digits (500000, not 5e+05); any other
/// number with `digits` significant digits.
std::string plain_number(double number, int digits = 6);

/// The same with six digits, or with as many digits as are needed to distinguish the number from
/// `other`.
std::string number_apart(double number, double other);

}  // namespace rope
