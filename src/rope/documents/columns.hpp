#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "rope/io/csv.hpp"
#include "rope/io/json_value.hpp"
#include "rope/words/sentence.hpp"

namespace rope {

/// How the cells of a column are aligned.
enum class Align { left, right };

/// Doubles, integers or texts, one per row. A double that is NaN means "not defined": its cell is
/// empty in csv, null in JSON.
using Cells = decltype(io::CsvColumn::cells);

/// One quantity, with a value for each row.
struct Column {
  std::string name;  ///< in files; empty if the column is only shown to people
  /// The heading in tables, with the unit; empty if the column is only for files.
  std::optional<std::string> heading;
  Cells cells;
  std::string (*digits)(double) = six_digits;  ///< how tables show a double
  Align align = Align::right;
};

/// A column for both people and files, one for files only, and one for people only.
Column column(std::string name, std::string heading, Cells cells,
              std::string (*digits)(double) = six_digits);
Column file_column(std::string name, Cells cells);
Column table_column(std::string heading, Cells cells);

/// The column, left-aligned.
Column left(Column column);

/// Columns of the same length, defined once for csv, JSON and the table that people read.
using Columns = std::vector<Column>;

/// The columns of one of several things that share a file.
struct ColumnsOfOne {
  std::string label;
  Columns columns;
  std::string detail = {};  ///< added to the names of these columns: "_right"
};

/// How several things are arranged in a csv file.
enum class CsvForm {
  wide,  ///< side by side, the label after the name of each column: "bound[base=10000]"
  tidy,  ///< one below the other, the label in a column "curve": one row per observation
};

/// When the column names in a wide file include the label.
enum class Labelled { of_several, always };

/// The number of rows; there must be at least one column.
std::size_t rows_of(const Columns& columns);

/// Appends the rows of `below`, which has the same columns.
void append_rows(Columns& columns, const Columns& below);

/// 0, 1, … count − 1.
std::vector<std::int64_t> indices(std::size_t count);

/// The cells of a column: a number or text for each element. `cell` may be a pointer to a member.
template <typename Range, typename Cell>
auto cells_of(const Range& range, Cell cell) {
  using Result = std::decay_t<std::invoke_result_t<Cell, decltype(*range.begin())>>;
  constexpr bool kWhole = std::is_integral_v<Result>;
  using Kept =
      std::conditional_t<kWhole, std::int64_t,
                         std::conditional_t<std::is_same_v<Result, double>, double, std::string>>;
  std::vector<Kept> cells;
  for (const auto& element : range) {
    if constexpr (std::is_unsigned_v<Result>)
      cells.push_back(static_cast<std::int64_t>(std::invoke(cell, element)));
    else
      cells.emplace_back(std::invoke(cell, element));
  }
  return cells;
}

/// The columns that have a name, as csv.
std::string csv_text(const Columns& columns);

/// The csv text of several things: the column `first`, which all of them share, and the other
/// columns of each. Where one thing has fewer rows, a wide file has empty cells; a tidy file has
/// fewer rows.
std::string csv_text(const Column& first, const std::vector<ColumnsOfOne>& all, CsvForm form,
                     Labelled labelled = Labelled::of_several);

/// [{name: cell, …}, …], one object per row.
io::JsonValue json_rows(const Columns& columns);

/// {name: [cell, …], …}
io::JsonValue json_lists(const Columns& columns);

}  // namespace rope
