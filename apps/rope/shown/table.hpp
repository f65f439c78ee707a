#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/documents/rows.hpp"

namespace rope::app {

/// A table for people: columns two spaces apart, numbers right-aligned, headings above.
class Table {
 public:
  using Align = rope::Align;
  struct Column {
    std::string heading;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one cell per column. A cell may contain colour codes from Console::paint.
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Sets groups of columns that are never separated; every column must be in a group. If not all
  /// groups fit side by side, the table is folded between groups, and a line above each part lists
  /// the numbers of its columns.
  void keep_together(std::vector<std::vector<std::size_t>> groups) { groups_ = std::move(groups); }

  /// The lines, each indented by two spaces and ended by a newline; no heading line if all headings
  /// are empty. If lines would be wider than `width`, the text in the last column is broken between
  /// words. If that is not enough, the columns that do not fit follow below in a table of their
  /// own, which repeats the first column.
  std::string text(std::size_t width = std::numeric_limits<std::size_t>::max()) const;

  /// A Markdown pipe table, not folded; numbers are right-aligned.
  std::string markdown() const;

  /// The table as floating LaTeX tables, which need no package. Long texts are broken into lines,
  /// and columns that do not fit side by side follow below, as in `text`. Rows that do not fit on a
  /// page go into a table of their own that refers to the first. The caption consists of the plain
  /// texts `holds` and `setting`, one of which may be empty; a list of tables shows only `holds`.
  std::string latex(std::string_view holds, std::string_view setting, std::string_view label) const;

  /// The same table, with every heading and cell replaced by what `spell` returns for it.
  Table spelt(const std::function<std::string(std::string_view)>& spell) const;

 private:
  /// The lines of these columns, placed side by side.
  std::string block(const std::vector<std::size_t>& columns,
                    const std::vector<std::size_t>& widths) const;

  /// The width of the widest cell of each column, its heading included.
  std::vector<std::size_t> widths_of_columns() const;

  /// The blocks of columns to print side by side if not all fit: the first column is in every
  /// block, unless there are groups.
  std::vector<std::vector<std::size_t>> blocks_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;
  std::vector<std::vector<std::size_t>> groups_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;

  /// A LaTeX tabular of these columns, with the rows from `first` up to but not including `end`.
  std::string tabular(const std::vector<std::size_t>& columns,
                      const std::vector<std::size_t>& widths, std::size_t first,
                      std::size_t end) const;

  bool has_headings() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace rope::app
