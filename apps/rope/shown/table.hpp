#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rope::app {

/// A number for people: six significant digits, and no sign on zero.
std::string six_digits(double value);

/// An error or a bound for people: three significant digits.
std::string three_digits(double value);

/// A table for people: columns two blanks apart, numbers to the right, headings above.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell a column. A cell may hold the colour codes of Console::paint.
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// The lines, each ended by a newline and indented by two blanks; no heading line if all headings
  /// are empty.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Which of `count` rows to print: all, or the first and the last few, `most` together; never all
/// but one.
struct ShownRows {
  std::vector<std::size_t> rows;
  std::size_t gap_after = 0;  ///< how many rows stand before the gap
  std::size_t left_out = 0;
};
ShownRows shown_rows(std::size_t count, std::size_t most);

}  // namespace rope::app
