#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

/// The most numbers that a text may contain, 256 MiB as doubles. A reader keeps a few copies in
/// memory.
inline constexpr std::size_t kMostNumbers = std::size_t{1} << 25;

/// Numbers in rows of equal length.
struct NumberMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row after row
};

/// Reads a matrix of numbers: one row per line, cells separated by commas, semicolons or blanks.
///
/// Taken     a first line in which no cell is a number: it names the columns, and is skipped; empty
///           lines; # and anything after it; "\r\n" line ends; a byte order mark; nan and inf.
/// Throws    rope::Error (invalid input), with the line, at a cell that is not a number in the
///           range of a double, and at a row longer or shorter than the first; also if there are no
///           rows, or more than kMostNumbers numbers.
NumberMatrix parse_matrix(std::string_view text, const std::string& name);

}  // namespace rope::io
