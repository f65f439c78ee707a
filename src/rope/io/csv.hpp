#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rope::io {

/// One column of a table to write. A double that is NaN means "not defined": its cell is empty.
struct CsvColumn {
  std::string name;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>> cells;
};

/// Returns the table as RFC 4180 text with a header line, every line ending in "\n".
///
/// Accuracy  a double is the shortest text that reads back to the same bits; infinities are inf and
///           -inf. Only the payload of a NaN is lost.
/// Throws    rope::ShapeError if there is no column or the columns differ in length.
std::string to_csv(const std::vector<CsvColumn>& columns);

/// A table that was read: named columns of cells, which remain text until they are requested as
/// numbers.
class CsvTable {
 public:
  const std::vector<std::string>& header() const { return header_; }
  std::size_t rows() const { return lines_.size(); }

  /// The cell without its quotes. Both indices start at 0 and must be in range.
  std::string_view cell(std::size_t row, std::size_t column) const;

  /// Returns the number of the column with this name.
  ///
  /// Throws    rope::Error (invalid input) if there is none, or more than one.
  std::size_t column(std::string_view name) const;

  /// Returns a column as numbers; an empty cell is NaN.
  ///
  /// Throws    rope::Error (invalid input), with line and column, at the first cell that is not
  ///           exactly one number, or is out of range for a double.
  std::vector<double> numbers(std::size_t column) const;

  /// Returns a column as integers; throws as `numbers` does, and also if a cell is empty.
  std::vector<std::int64_t> integers(std::size_t column) const;

 private:
  friend CsvTable parse_csv(std::string_view text, const std::string& name);

  template <typename Number>
  Number parse_cell(std::size_t row, std::size_t column, std::string_view expected) const;

  std::string name_;
  std::vector<std::string> header_;
  std::string text_;                // all cells, one after the other
  std::vector<std::size_t> ends_;   // where each cell ends in text_
  std::vector<std::size_t> lines_;  // the line each row starts on, for messages
};

/// Reads RFC 4180 text whose first line names the columns.
///
/// Also accepted: "\r\n" line ends, a byte order mark, a missing last line end, blank lines at the
/// end. `name` identifies the text in messages.
///
/// Throws    rope::Error (invalid input), with the line, at a row with more or fewer cells than the
///           header, a NUL byte, a quote or carriage return out of place, or a quote left open.
CsvTable parse_csv(std::string_view text, const std::string& name);

}  // namespace rope::io
