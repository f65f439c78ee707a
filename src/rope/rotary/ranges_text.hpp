#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rope {

/// The runs of consecutive numbers in an ascending list, each as its first and last number.
inline std::vector<std::pair<std::size_t, std::size_t>> ranges_of(
    std::span<const std::size_t> numbers) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const std::size_t number : numbers)
    if (!ranges.empty() && ranges.back().second + 1 == number)
      ranges.back().second = number;
    else
      ranges.emplace_back(number, number);
  return ranges;
}

/// Ascending indices of pairs, tokens or dimensions, with runs shortened: "0 … 3, 46 … 63".
inline std::string ranges_text(std::span<const std::size_t> numbers) {
  std::string text;
  for (const auto& [first, last] : ranges_of(numbers)) {
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += " … " + std::to_string(last);
  }
  return text;
}

}  // namespace rope
