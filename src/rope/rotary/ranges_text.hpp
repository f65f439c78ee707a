#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rope {

/// Ascending numbers of pairs, tokens or dimensions, runs of them shortened: "0 … 3, 46 … 63".
inline std::string ranges_text(std::span<const std::size_t> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (last > i) text += " … " + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace rope
