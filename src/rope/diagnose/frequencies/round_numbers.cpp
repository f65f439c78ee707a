#include "rope/diagnose/frequencies/round_numbers.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace rope {

double simplest_number(double low, double high) {
  const double middle = low + (high - low) / 2;
  for (int digits = 0; digits < 15; ++digits) {
    std::array<char, 40> text{};
    static_cast<void>(std::snprintf(  // NOLINT(cppcoreguidelines-pro-type-vararg)
        text.data(), text.size(), "%.*e", digits, middle));
    const double value = std::strtod(text.data(), nullptr);
    if (value >= low && value <= high) return value;
  }
  return middle;
}

bool has_two_digits(double number) {
  constexpr double kOfTwoDigits = 0.05;
  return simplest_number(number * (1 - kOfTwoDigits), number * (1 + kOfTwoDigits)) == number ||
         (number < 100 && number == std::round(number));
}

bool is_round(double number) {
  return simplest_number(number * (1 - 1e-4), number * (1 + 1e-4)) == number;
}

std::string plain_number(double number, int digits) {
  constexpr double kExact = 0x1p53;
  if (std::floor(number) == number && std::abs(number) < kExact)
    return std::to_string(static_cast<std::int64_t>(number));
  std::array<char, 32> text{};
  static_cast<void>(std::snprintf(  // NOLINT(cppcoreguidelines-pro-type-vararg)
      text.data(), text.size(), "%.*g", digits, number));
  return text.data();
}

std::string number_apart(double number, double other) {
  constexpr int kMost = 17;
  int digits = 6;
  while (number != other && digits < kMost &&
         plain_number(number, digits) == plain_number(other, digits))
    ++digits;
  return plain_number(number, digits);
}

}  // namespace rope
