#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shown/table.hpp"

namespace rope::app {

/// What a report said, for a file: its sentences and its tables, in its order.
class Record {
 public:
  /// Each line is a paragraph.
  void add(std::string_view text);
  void add(Table table) { parts_.emplace_back(std::move(table)); }

  /// A document, or a part of one; each table is a pipe table.
  std::string markdown() const;
  /// The same for LaTeX without packages. Each table floats; the paragraph above it is its caption,
  /// or the title where there is none, and its label is "tab:TITLE", "tab:TITLE-2" …
  std::string latex(std::string_view title) const;

 private:
  std::vector<std::variant<std::string, Table>> parts_;
};

}  // namespace rope::app
