#include "rope/io/matrix_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

[[noreturn]] void fail(const std::string& name, std::size_t line, std::string_view what) {
  throw Error(ErrorKind::invalid_input, fmt::format("{}: line {}: {}", name, line, what),
              "A matrix has one row per line, with numbers separated by commas or spaces.");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// The cells of a line, no more than one too many: between commas or semicolons if it has any, else
/// between blanks.
void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  const bool separated = line.find_first_of(",;") != std::string_view::npos;
  const std::string_view between = separated ? ",;" : " \t";
  for (;;) {
    const std::size_t end = std::min(line.find_first_of(between), line.size());
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == line.size() || cells.size() > kMostNumbers) return;
    line.remove_prefix(end + 1);
    if (!separated) line = trimmed(line);
  }
}

std::optional<double> number(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

/// A line that names columns: one number in it, and it is a row with a slip.
bool is_heading(const std::vector<std::string_view>& cells) {
  return std::none_of(cells.begin(), cells.end(),
                      [](std::string_view cell) { return number(cell).has_value(); });
}

}  // namespace

NumberMatrix parse_matrix(std::string_view text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  NumberMatrix matrix;
  std::vector<std::string_view> cells;
  bool first = true;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = trimmed(whole.substr(0, whole.find('#')));
    if (content.empty()) continue;
    if (content.find(',') != std::string_view::npos && content.find(';') != std::string_view::npos)
      fail(name, line,
           "expected commas or semicolons between numbers, found both; write 1.5 instead of 1,5");
    split(content, cells);
    if (matrix.values.size() + cells.size() > kMostNumbers)
      throw Error(ErrorKind::invalid_input,
                  fmt::format("{}: expected at most {} numbers in text form, found more", name,
                              kMostNumbers),
                  "Save such a matrix as .npy.");
    const bool heading = first && is_heading(cells);
    first = false;
    if (heading) continue;
    for (const std::string_view cell : cells) {
      const std::optional<double> value = number(cell);
      if (!value)
        fail(name, line, "expected a number in the range of a double, found " + in_quotes(cell));
      matrix.values.push_back(*value);
    }
    if (matrix.rows == 0) matrix.columns = cells.size();
    if (cells.size() != matrix.columns)
      fail(name, line, fmt::format("expected {} numbers, found {}", matrix.columns, cells.size()));
    ++matrix.rows;
  }
  if (matrix.rows == 0) fail(name, 1, "expected rows of numbers, found none");
  return matrix;
}

}  // namespace rope::io
