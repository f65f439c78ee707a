#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "shown/table.hpp"

namespace rope::app {

/// What a report printed, kept to be written to a file: its sentences and tables, in order.
class Record {
 public:
  /// Adds a text in which each line is a paragraph.
  void add(std::string_view text);
  void add(Table table, std::string_view holds) {
    parts_.emplace_back(Held{std::move(table), std::string(holds), std::exchange(apart_, false)});
  }

  /// The content as a Markdown document, or a part of one, with each table as a pipe table.
  std::string markdown() const;
  /// The content as LaTeX that needs no packages. Each table floats. Its caption consists of its
  /// description and the paragraph directly above it; its label is "tab:TITLE", "tab:TITLE-2" …
  std::string latex(std::string_view title) const;

 private:
  struct Held {
    Table table;
    std::string holds;
    bool apart;  ///< an empty line stands above the table
  };

  std::vector<std::variant<std::string, Held>> parts_;
  bool apart_ = false;  // the last line was empty
};

}  // namespace rope::app
