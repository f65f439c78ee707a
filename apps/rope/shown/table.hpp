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

/// A table for people: columns two blanks apart, numbers right-aligned, headings above.
class Table {
 public:
  using Align = rope::Align;
  struct Column {
    std::string heading;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column. A cell may hold the colour codes of Console::paint.
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Sets groups of columns that are never separated; each column is in a group. If not all fit
  /// side by side, the table is folded between groups, and a line above each part names its columns
  /// by their numbers.
  void keep_together(std::vector<std::vector<std::size_t>> groups) { groups_ = std::move(groups); }

  /// The lines, each ended by a newline and indented by two blanks; no heading line if all headings
  /// are empty. Where lines would be wider than `width`, the text in the last column is broken
  /// between words. If that is not enough, the columns that do not fit follow below in a table of
  /// their own, which repeats the first column.
  std::string text(std::size_t width = std::numeric_limits<std::size_t>::max()) const;

  /// A Markdown pipe table, not folded; numbers are right-aligned.
  std::string markdown() const;

  /// The same as floating LaTeX tables, which need no package. Long texts are broken into lines,
  /// and columns that do not fit side by side follow below, as in `text`. Rows that do not fit on a
  /// page go into a table of their own that refers to the first. The caption consists of `holds`
  /// and `setting`, plain texts, one of which may be empty; lists of tables show only `holds`.
  std::string latex(std::string_view holds, std::string_view setting, std::string_view label) const;

  /// The same table with every heading and cell rewritten by `spell`.
  Table spelt(const std::function<std::string(std::string_view)>& spell) const;

 private:
  /// Columns placed side by side.
  std::string block(const std::vector<std::size_t>& columns,
                    const std::vector<std::size_t>& widths) const;

  /// The width of the widest cell of each column, its heading included.
  std::vector<std::size_t> widths_of_columns() const;

  /// Which columns are side by side if not all fit: the first is in every block, unless there are
  /// groups.
  std::vector<std::vector<std::size_t>> blocks_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;
  std::vector<std::vector<std::size_t>> groups_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;

  /// These columns of the rows from `first` up to but not including `end`, as a separate tabular.
  std::string tabular(const std::vector<std::size_t>& columns,
                      const std::vector<std::size_t>& widths, std::size_t first,
                      std::size_t end) const;

  bool has_headings() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace rope::app
