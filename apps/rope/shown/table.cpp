#include "shown/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace rope::app {
namespace {

/// Columns on the screen: characters, without colour codes.
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
      ++width;
    }
  }
  return width;
}

std::string aligned(const std::string& cell, std::size_t width, Table::Align align) {
  const std::string padding(width - std::min(width, display_width(cell)), ' ');
  return align == Table::Align::right ? padding + cell : cell + padding;
}

}  // namespace

std::string six_digits(double value) {
  return fmt::format("{:.6g}", value == 0 ? 0.0 : value);  // -0 is 0 too
}

std::string three_digits(double value) { return fmt::format("{:.3g}", value); }

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = display_width(columns_[c].heading);
    for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
    widths.push_back(width);
  }
  const auto line = [&](const auto& cell) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      text += "  " + aligned(cell(c), widths[c], columns_[c].align);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  std::string text;
  if (std::ranges::any_of(columns_, [](const Column& column) { return !column.heading.empty(); }))
    text += line([&](std::size_t c) { return columns_[c].heading; });
  for (const auto& row : rows_) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

ShownRows shown_rows(std::size_t count, std::size_t most) {
  ShownRows shown;
  if (count <= most + 1) {  // the line that says that one is left out would take its place
    shown.rows.resize(count);
    std::iota(shown.rows.begin(), shown.rows.end(), std::size_t{0});
    shown.gap_after = count;
    return shown;
  }
  shown.gap_after = most - most / 2;
  for (std::size_t i = 0; i < shown.gap_after; ++i) shown.rows.push_back(i);
  for (std::size_t i = count - most / 2; i < count; ++i) shown.rows.push_back(i);
  shown.left_out = count - most;
  return shown;
}

}  // namespace rope::app
