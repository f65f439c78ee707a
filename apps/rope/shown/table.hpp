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

/// A table for people: columns two blanks apart, numbers to the right, headings above.
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

  /// Which columns are never separated, each in some group: if not all fit side by side, the table
  /// is folded between groups, and a line above each part names its columns by their numbers.
  void keep_together(std::vector<std::vector<std::size_t>> groups) { groups_ = std::move(groups); }

  /// The lines, each ended by a newline and indented by two blanks; no heading line if all headings
  /// are empty. Where they would be wider than `width`, a last column of text is broken between its
  /// words; if that is not enough, the columns that do not fit stand below in a table of their own,
  /// after the first column.
  std::string text(std::size_t width = std::numeric_limits<std::size_t>::max()) const;

  /// A pipe table of Markdown, not folded; numbers stand to the right.
  std::string markdown() const;

  /// The same as floating tables of LaTeX, which need no package. Columns of long texts are broken
  /// into lines; columns too many for a line stand below, as in `text`, and rows too many for a
  /// page in a table of their own that refers to the first. The caption is `holds` and the
  /// `setting`, plain texts of which one may be empty; lists of tables show the former.
  std::string latex(std::string_view holds, std::string_view setting, std::string_view label) const;

  /// The same table with every heading and cell as `spell` writes it.
  Table spelt(const std::function<std::string(std::string_view)>& spell) const;

 private:
  /// Columns that stand side by side.
  std::string block(const std::vector<std::size_t>& columns,
                    const std::vector<std::size_t>& widths) const;

  /// The width of the widest cell of each, its heading included.
  std::vector<std::size_t> widths_of_columns() const;

  /// Which columns stand side by side if not all fit: the first is in every block, unless they come
  /// in groups.
  std::vector<std::vector<std::size_t>> blocks_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;
  std::vector<std::vector<std::size_t>> groups_within(std::size_t width,
                                                      const std::vector<std::size_t>& widths) const;

  /// These columns of the rows from `first` to before `end` as a tabular of its own.
  std::string tabular(const std::vector<std::size_t>& columns,
                      const std::vector<std::size_t>& widths, std::size_t first,
                      std::size_t end) const;

  bool has_headings() const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::vector<std::size_t>> groups_;
};

}  // namespace rope::app
