#include "rope/documents/columns.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace rope {
namespace {

std::size_t length(const Column& column) {
  return std::visit([](const auto& cells) { return cells.size(); }, column.cells);
}

/// Cells that are missing at the end.
void fill(std::vector<double>& cells, std::size_t rows) {
  cells.resize(rows, std::numeric_limits<double>::quiet_NaN());
}

void fill(std::vector<std::string>& cells, std::size_t rows) { cells.resize(rows); }

void fill(std::vector<std::int64_t>& /*cells*/, std::size_t /*rows*/) {
}  // an integer has no "none"

}  // namespace

Column column(std::string name, std::string heading, Cells cells, std::string (*digits)(double)) {
  return {std::move(name), std::move(heading), std::move(cells), digits};
}

Column file_column(std::string name, Cells cells) {
  return {std::move(name), std::nullopt, std::move(cells)};
}

Column table_column(std::string heading, Cells cells) {
  return {"", std::move(heading), std::move(cells)};
}

Column left(Column column) {
  column.align = Align::left;
  return column;
}

std::size_t rows_of(const Columns& columns) { return length(columns.front()); }

void append_rows(Columns& columns, const Columns& below) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    std::visit(
        [&](auto& cells) {
          const auto& more = std::get<std::decay_t<decltype(cells)>>(below[i].cells);
          cells.insert(cells.end(), more.begin(), more.end());
        },
        columns[i].cells);
}

std::vector<std::int64_t> indices(std::size_t count) {
  std::vector<std::int64_t> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string csv_text(const Columns& columns) { return csv_text(columns.front(), {{"", columns}}); }

std::string csv_text(const Column& first, const std::vector<ColumnsOfOne>& all) {
  std::vector<io::CsvColumn> csv = {{first.name, first.cells}};
  for (const ColumnsOfOne& one : all)
    for (const Column& column : one.columns) {
      if (column.name.empty() || column.name == first.name) continue;
      csv.push_back({column.name + one.suffix, column.cells});
      std::visit([&](auto& cells) { fill(cells, length(first)); }, csv.back().cells);
    }
  return io::to_csv(csv);
}

io::JsonValue json_rows(const Columns& columns) {
  std::vector<io::JsonValue> rows;
  rows.reserve(rows_of(columns));
  for (std::size_t row = 0; row < rows_of(columns); ++row) {
    io::JsonValue object = io::JsonValue::object();
    for (const Column& column : columns)
      if (!column.name.empty())
        std::visit([&](const auto& cells) { object.add(column.name, cells[row]); }, column.cells);
    rows.push_back(std::move(object));
  }
  return rows;
}

io::JsonValue json_lists(const Columns& columns) {
  io::JsonValue object = io::JsonValue::object();
  for (const Column& column : columns)
    if (!column.name.empty())
      std::visit([&](const auto& cells) { object.add(column.name, cells); }, column.cells);
  return object;
}

}  // namespace rope
