#pragma once

#include <algorithm>
#include <cstddef>

namespace rope {

/// The number of columns that makes square panels largest in a picture that is wider than it is
/// high.
inline std::size_t columns_of_squares(std::size_t count) {
  constexpr double kWidth = 1400, kHeight = 880;  // the part of 1600x1000 left for the panels
  constexpr double kBeside = 100,
                   kBetween = 100;  // room for the numbers, titles and labels of each panel
  std::size_t best = 1;
  double largest = 0;
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const double side = std::min(kWidth / static_cast<double>(columns) - kBeside,
                                 kHeight / static_cast<double>(rows) - kBetween);
    if (side <= largest && columns > 1) continue;
    largest = side;
    best = columns;
  }
  return best;
}

}  // namespace rope
