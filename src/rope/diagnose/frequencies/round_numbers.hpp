#pragma once

#include <array>
#include <string>

namespace rope {

/// Bases that many models have.
inline constexpr std::array kUsualBases = {1e4, 5e5, 1e6};

/// The number with the fewest significant digits in [low, high]; the middle if none has 15 or
/// fewer.
double simplest_number(double low, double high);

/// Whether a number is a whole one below 100, or has no more than two significant digits.
bool has_two_digits(double number);

/// Whether a number looks chosen: none within a relative 1e-4 has fewer digits.
bool is_round(double number);

/// The number as people write it: a whole one with all its digits, 500000 and not 5e+05; another
/// with `digits` significant ones.
std::string plain_number(double number, int digits = 6);

/// The same with six digits, or as many as tell it from another number.
std::string number_apart(double number, double other);

}  // namespace rope
