#pragma once

#include <cstddef>
#include <vector>

namespace rope {

/// Which of many rows to print. Where they do not follow each other, rows are left out.
struct ShownRows {
  std::vector<std::size_t> rows;
  std::size_t left_out = 0;

  /// Whether rows are left out before the i-th that is shown.
  bool gap_before(std::size_t i) const { return i > 0 && rows[i] != rows[i - 1] + 1; }
};

/// All of `count` rows, or those that fit `most` + 1 lines, gaps among them: the first, the last,
/// and those on both sides of each mark, a row at which something else begins; never all but one.
ShownRows shown_rows(std::size_t count, std::size_t most,
                     const std::vector<std::size_t>& marks = {});

}  // namespace rope
