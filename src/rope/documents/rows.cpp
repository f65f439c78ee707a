#include "rope/documents/rows.hpp"

#include <algorithm>

namespace rope {
namespace {

/// So many of `count` rows: from the first, the last and each mark outwards, by turns.
ShownRows rows_around(std::size_t count, std::size_t rows, const std::vector<std::size_t>& marks) {
  std::vector<std::size_t> right = {0}, left = {count};  // the rows from here on, and before
  right.insert(right.end(), marks.begin(), marks.end());
  left.insert(left.end(), marks.begin(), marks.end());
  std::vector<bool> taken(count, false);
  std::size_t missing = std::min(rows, count);
  const auto take = [&](std::size_t row) {
    if (row >= count || taken[row] || missing == 0) return;
    taken[row] = true;
    --missing;
  };
  std::size_t distance = 0;
  while (missing > 0) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      take(right[i] + distance);
      take(left[i] - 1 - distance);  // before row 0 it wraps, and is no row
    }
    ++distance;
  }
  ShownRows shown;
  for (std::size_t row = 0; row < count; ++row)
    if (taken[row]) shown.rows.push_back(row);
  shown.left_out = count - shown.rows.size();
  return shown;
}

}  // namespace

ShownRows shown_rows(std::size_t count, std::size_t most, const std::vector<std::size_t>& marks) {
  // Each line of … takes the place of a row.
  for (std::size_t rows = count <= most + 1 ? count : most;; --rows) {
    ShownRows shown = rows_around(count, rows, marks);
    std::size_t gaps = 0;
    for (std::size_t i = 0; i < shown.rows.size(); ++i) gaps += shown.gap_before(i) ? 1U : 0U;
    if (shown.left_out == 0 || shown.rows.size() + gaps <= most + 1 || rows <= 2) return shown;
  }
}

}  // namespace rope
