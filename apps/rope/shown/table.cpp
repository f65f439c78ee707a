#include "shown/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/markup/latex.hpp"
#include "rope/markup/markdown.hpp"
#include "shown/text.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kGap = 2;             // blanks before each column
constexpr std::size_t kNarrowestText = 24;  // below that a column of text is not broken further

std::string aligned(const std::string& cell, std::size_t width, Table::Align align) {
  const std::string padding(width - std::min(width, display_width(cell)), ' ');
  return align == Table::Align::right ? padding + cell : cell + padding;
}

/// A cell as `spell` writes it, with `blank` for each blank before its text: rows that belong below
/// another are indented by them.
std::string indented(const std::string& cell, std::string_view blank,
                     std::string (*spell)(std::string_view)) {
  const std::size_t blanks = std::min(cell.find_first_not_of(' '), cell.size());
  std::string text;
  for (std::size_t i = 0; i < blanks; ++i) text += blank;
  return text + spell(std::string_view(cell).substr(blanks));
}

std::string latex_cell(const std::string& cell) { return indented(cell, "~", markup::latex_text); }

/// What stands behind \caption.
std::string caption_text(std::string_view holds, std::string_view setting) {
  const std::string above = markup::latex_text(setting);
  if (holds.empty()) return "{" + above + "}";
  const std::string table = markup::latex_text(holds);
  const bool sentence = setting.ends_with('.') && setting.front() >= 'A' && setting.front() <= 'Z';
  const std::string_view before = sentence ? ". " : setting.ends_with("。") ? "。" : ": ";
  return fmt::format("[{0}]{{{0}{1}{2}}}", table, above.empty() ? "" : before, above);
}

}  // namespace

Table Table::spelt(const std::function<std::string(std::string_view)>& spell) const {
  std::vector<Column> columns;
  columns.reserve(columns_.size());
  for (const Column& column : columns_) columns.push_back({spell(column.heading), column.align});
  Table table(std::move(columns));
  for (const auto& row : rows_) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const std::string& cell : row) cells.push_back(spell(cell));
    table.add_row(std::move(cells));
  }
  table.keep_together(groups_);
  return table;
}

std::vector<std::size_t> Table::widths_of_columns() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = display_width(columns_[c].heading);
    for (const auto& row : rows_) widest = std::max(widest, display_width(row[c]));
    widths.push_back(widest);
  }
  return widths;
}

std::vector<std::vector<std::size_t>> Table::groups_within(
    std::size_t width, const std::vector<std::size_t>& widths) const {
  std::vector<std::vector<std::size_t>> blocks;
  std::size_t taken = 0;
  for (const std::vector<std::size_t>& group : groups_) {
    std::size_t wide = 0;
    for (const std::size_t c : group) wide += kGap + widths[c];
    if (blocks.empty() || taken + wide > width) {
      blocks.emplace_back();
      taken = 0;
    }
    blocks.back().insert(blocks.back().end(), group.begin(), group.end());
    taken += wide;
  }
  for (std::vector<std::size_t>& block : blocks) std::ranges::sort(block);
  return blocks;
}

std::vector<std::vector<std::size_t>> Table::blocks_within(
    std::size_t width, const std::vector<std::size_t>& widths) const {
  if (!groups_.empty()) return groups_within(width, widths);
  std::vector<std::vector<std::size_t>> blocks = {{0}};
  std::size_t taken = kGap + widths[0];
  for (std::size_t c = 1; c < widths.size(); ++c) {
    if (taken + kGap + widths[c] > width && blocks.back().size() > 1) {
      blocks.push_back({0});
      taken = kGap + widths[0];
    }
    blocks.back().push_back(c);
    taken += kGap + widths[c];
  }
  return blocks;
}

std::string Table::text(std::size_t width) const {
  std::vector<std::size_t> widths = widths_of_columns();
  const std::size_t whole =
      std::accumulate(widths.begin(), widths.end(), kGap * columns_.size(), std::plus<>());
  if (whole > width && columns_.back().align == Align::left) {
    const std::size_t others = whole - widths.back();
    const std::size_t left = width - std::min(width, others);
    if (left >= kNarrowestText) widths.back() = left;
  }
  const std::vector<std::vector<std::size_t>> blocks = blocks_within(width, widths);
  std::string text;
  for (const std::vector<std::size_t>& shown : blocks) {
    if (!text.empty()) text += "\n";
    if (!groups_.empty() && blocks.size() > 1)
      text += fmt::format("  columns {} of {}\n", fmt::join(shown, ", "), columns_.size());
    text += block(shown, widths);
  }
  return text;
}

bool Table::has_headings() const {
  return std::ranges::any_of(columns_, [](const Column& one) { return !one.heading.empty(); });
}

std::string Table::markdown() const {
  const auto line = [&](const auto& cell) {
    std::string text = "|";
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += " " + indented(cell(c), "&nbsp;", markup::markdown_text) + " |";
    return text + "\n";
  };
  std::string text = line([&](std::size_t c) { return columns_[c].heading; }) + "|";
  for (const Column& column : columns_) text += column.align == Align::right ? "---:|" : ":---|";
  text += "\n";
  for (const auto& row : rows_) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

std::string Table::latex(std::string_view holds, std::string_view setting,
                         std::string_view label) const {
  constexpr std::size_t kLongText = 50;  // columns that fit beside others
  constexpr std::size_t kLine = 80;      // columns of text that fit a line of a page
  constexpr std::size_t kPage = 45;      // rows that fit a page
  std::vector<std::size_t> widths = widths_of_columns();
  for (std::size_t c = 0; c < widths.size(); ++c)
    if (columns_[c].align == Align::left) widths[c] = std::min(widths[c], kLongText);
  std::string text;
  for (const std::vector<std::size_t>& shown : blocks_within(kLine, widths))
    for (std::size_t first = 0; first == 0 || first < rows_.size(); first += kPage) {
      text += "\\begin{table}[htbp]\n\\centering\n";
      text += text.find("\\label{") == std::string::npos
                  ? fmt::format("\\caption{}\n\\label{{{}}}\n", caption_text(holds, setting), label)
                  : fmt::format("Table~\\ref{{{}}}, continued\\\\[1ex]\n", label);
      text += tabular(shown, widths, first, std::min(first + kPage, rows_.size()));
      text += "\\end{table}\n";
    }
  return text;
}

std::string Table::tabular(const std::vector<std::size_t>& columns,
                           const std::vector<std::size_t>& widths, std::size_t first,
                           std::size_t end) const {
  const auto line = [&](const auto& cell) {
    std::string text;
    for (const std::size_t c : columns)
      text += (c == columns.front() ? "" : " & ") + latex_cell(cell(c));
    return text + " \\\\\n";
  };
  std::string text = "\\begin{tabular}{";
  for (const std::size_t c : columns) {
    const bool is_long = std::ranges::any_of(
        rows_, [&](const auto& row) { return display_width(row[c]) > widths[c]; });
    text += columns_[c].align == Align::right ? "r" : is_long ? "p{0.5\\linewidth}" : "l";
  }
  text += "}\n\\hline\n";
  if (has_headings())
    text += line([&](std::size_t c) { return columns_[c].heading; }) + "\\hline\n";
  for (std::size_t row = first; row < end; ++row)
    text += line([&](std::size_t c) { return rows_[row][c]; });
  return text + "\\hline\n\\end{tabular}\n";
}

std::string Table::block(const std::vector<std::size_t>& columns,
                         const std::vector<std::size_t>& widths) const {
  const auto line = [&](const auto& cell) {
    std::string text;
    for (const std::size_t c : columns) {
      const std::string margin(kGap, ' ');
      if (display_width(cell(c)) <= widths[c]) {
        text += margin + aligned(cell(c), widths[c], columns_[c].align);
        continue;
      }
      // The last column: its further lines begin under the first.
      const std::size_t column = display_width(text) + kGap;
      text += margin + wrapped(cell(c), column + widths[c], column).substr(column);
      text.pop_back();  // the end of the line
    }
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text;
  if (std::ranges::any_of(columns, [&](std::size_t c) { return !columns_[c].heading.empty(); }))
    text += line([&](std::size_t c) { return columns_[c].heading; });
  for (const auto& row : rows_) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

}  // namespace rope::app
