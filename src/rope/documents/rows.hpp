#pragma once

#include <cstddef>
#include <vector>

namespace rope {

/// Which of many rows to print. Rows are omitted wherever the indices are not consecutive.
struct ShownRows {
  std::vector<std::size_t> rows;
  std::size_t left_out = 0;

  /// Whether rows are omitted before the i-th one shown.
  bool gap_before(std::size_t i) const { return i > 0 && rows[i] != rows[i - 1] + 1; }
};

/// All `count` rows, or those that fit in `most` + 1 lines including gaps: the first, the last, and
/// those on both sides of each mark (a row at which something new begins). Never omits just one
/// row.
ShownRows shown_rows(std::size_t count, std::size_t most,
                     const std::vector<std::size_t>& marks = {});

}  // namespace rope
