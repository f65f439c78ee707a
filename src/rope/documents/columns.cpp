#include "rope/documents/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
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

/// Adds the cells of a column that is as high as `rows` tells, or nothing known where there is
/// none.
void append(io::CsvColumn& below, const Column* column, std::size_t rows) {
  std::visit(
      [&](auto& cells) {
        const std::size_t end = cells.size() + rows;
        if (column != nullptr) {
          const auto& more = std::get<std::decay_t<decltype(cells)>>(column->cells);
          cells.insert(cells.end(), more.begin(),
                       more.begin() + static_cast<std::ptrdiff_t>(std::min(rows, more.size())));
        }
        fill(cells, end);
      },
      below.cells);
}

/// A column without cells like another one.
io::CsvColumn empty_like(const Column& column, std::string name) {
  io::CsvColumn empty{std::move(name), {}};
  std::visit([&](const auto& cells) { empty.cells = std::decay_t<decltype(cells)>(); },
             column.cells);
  return empty;
}

/// Whether files have the column beside the first one.
bool is_beside(const Column& first, const Column& column) {
  return !column.name.empty() && column.name != first.name;
}

/// The things one below the other, what has one label side by side.
std::string tidy_text(const Column& first, const std::vector<ColumnsOfOne>& all) {
  std::vector<io::CsvColumn> csv = {{"curve", std::vector<std::string>()},
                                    empty_like(first, first.name)};
  std::vector<std::string> labels;
  for (const ColumnsOfOne& one : all) {
    if (std::ranges::find(labels, one.label) == labels.end()) labels.push_back(one.label);
    for (const Column& column : one.columns) {
      const std::string name = column.name + one.detail;
      if (is_beside(first, column) &&
          std::ranges::find(csv, name, &io::CsvColumn::name) == csv.end())
        csv.push_back(empty_like(column, name));
    }
  }
  for (const std::string& label : labels) {
    std::map<std::string, const Column*> own = {{first.name, &first}};
    std::size_t rows = 0;
    for (const ColumnsOfOne& one : all)
      for (const Column& column : one.columns) {
        if (one.label != label || !is_beside(first, column)) continue;
        own[column.name + one.detail] = &column;
        rows = std::max(rows, length(column));
      }
    const Column curve = {"curve", std::nullopt, std::vector<std::string>(rows, label)};
    own["curve"] = &curve;
    for (io::CsvColumn& column : csv) append(column, own[column.name], rows);
  }
  return io::to_csv(csv);
}

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

std::string csv_text(const Columns& columns) {
  return csv_text(columns.front(), {{"", columns}}, CsvForm::wide);
}

std::string csv_text(const Column& first, const std::vector<ColumnsOfOne>& all, CsvForm form,
                     Labelled labelled) {
  if (form == CsvForm::tidy) return tidy_text(first, all);
  const bool several = std::ranges::any_of(
      all, [&](const ColumnsOfOne& one) { return one.label != all.front().label; });
  std::vector<io::CsvColumn> csv = {{first.name, first.cells}};
  for (const ColumnsOfOne& one : all) {
    const std::string suffix =
        several || labelled == Labelled::always ? one.detail + "[" + one.label + "]" : one.detail;
    for (const Column& column : one.columns) {
      if (!is_beside(first, column)) continue;
      csv.push_back({column.name + suffix, column.cells});
      std::visit([&](auto& cells) { fill(cells, length(first)); }, csv.back().cells);
    }
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
