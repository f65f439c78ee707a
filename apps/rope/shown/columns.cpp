#include "shown/columns.hpp"

#include <utility>
#include <variant>

namespace rope::app {
namespace {

std::string shown(double cell, const Column& column) { return column.digits(cell); }
std::string shown(std::int64_t cell, const Column& /*column*/) { return std::to_string(cell); }
std::string shown(const std::string& cell, const Column& /*column*/) { return cell; }

}  // namespace

Table table_of(const Columns& columns, const ShownRows& rows) {
  std::vector<const Column*> shown_columns;
  std::vector<Table::Column> headings;
  for (const Column& column : columns) {
    if (!column.heading) continue;
    shown_columns.push_back(&column);
    headings.push_back({*column.heading, column.align});
  }
  Table table(headings);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    if (rows.left_out > 0 && rows.gap_before(i))
      table.add_row(std::vector<std::string>(headings.size(), "…"));
    std::vector<std::string> row;
    row.reserve(headings.size());
    for (const Column* column : shown_columns)
      row.push_back(std::visit(
          [&](const auto& cells) { return shown(cells[rows.rows[i]], *column); }, column->cells));
    table.add_row(std::move(row));
  }
  return table;
}

Table table_of(const Columns& columns) {
  const std::size_t rows = rows_of(columns);
  return table_of(columns, shown_rows(rows, rows));
}

}  // namespace rope::app
