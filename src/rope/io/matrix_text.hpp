#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rope::io {

/// Numbers in rows of equal length.
struct NumberMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values;  ///< row after row
};

/// Reads a matrix of numbers: one row a line, with commas, semicolons or blanks between.
///
/// Taken     a first line in which no cell is a number: it names the columns, and is skipped; empty
///           lines; # and what follows it; "\r\n" line ends; a byte order mark; nan and inf.
/// Throws    rope::Error (invalid input), with the line, at a cell that is no number of the range
/// of
///           a double and at a row longer or shorter than the first; and if there is no row at all.
NumberMatrix parse_matrix(std::string_view text, const std::string& name);

}  // namespace rope::io
