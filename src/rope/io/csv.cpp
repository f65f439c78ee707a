#include "rope/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "rope/error.hpp"
#include "rope/io/number_text.hpp"
#include "rope/io/quote.hpp"

namespace rope::io {
namespace {

void append_cell(std::string& out, double value) {
  if (!std::isnan(value)) append_number(out, value);
}

void append_cell(std::string& out, std::int64_t value) { append_number(out, value); }

void append_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char character : text) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

/// Ends a row that starts at `start`. A line with nothing on it would read as no row at all.
void end_row(std::string& out, std::size_t start) {
  if (out.size() == start) out += "\"\"";
  out += '\n';
}

std::size_t row_count(const std::vector<CsvColumn>& columns) {
  if (columns.empty()) throw ShapeError("a table to write: expected at least one column, found 0");
  const auto length = [](const CsvColumn& column) {
    return std::visit([](const auto& cells) { return cells.size(); }, column.cells);
  };
  const std::size_t rows = length(columns.front());
  for (const CsvColumn& column : columns) {
    if (length(column) != rows) {
      throw ShapeError(fmt::format("column {}: expected {} rows like column {}, found {}",
                                   in_quotes(column.name), rows, in_quotes(columns.front().name),
                                   length(column)));
    }
  }
  return rows;
}

[[noreturn]] void fail(const std::string& name, std::size_t line, std::string_view what) {
  throw Error(ErrorKind::invalid_input, fmt::format("{}: line {}: {}", name, line, what));
}

/// Takes a text apart, cell by cell.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool at_end() const { return position_ == text_.size(); }
  std::size_t line() const { return line_; }

  /// Appends the next cell to `cells`. Returns whether it was the last one of its row.
  bool read_cell(std::string& cells) {
    if (next_is('"')) {
      read_quoted(cells);
    } else {
      const std::size_t end = std::min(text_.find_first_of(",\"\r\n", position_), text_.size());
      cells += text_.substr(position_, end - position_);
      position_ = end;
    }
    return read_separator();
  }

 private:
  bool next_is(char character) const { return !at_end() && text_[position_] == character; }

  void read_quoted(std::string& cells) {
    const std::size_t first_line = line_;
    ++position_;
    for (;;) {
      const std::size_t quote = text_.find('"', position_);
      if (quote == std::string_view::npos)
        fail(name_, first_line, "a quote is opened but never closed");
      const std::string_view part = text_.substr(position_, quote - position_);
      line_ += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
      cells += part;
      position_ = quote + 1;
      if (!next_is('"')) return;
      cells += '"';
      ++position_;
    }
  }

  bool read_separator() {
    if (at_end()) return true;
    if (next_is(',')) {
      ++position_;
      return false;
    }
    if (next_is('\r')) ++position_;
    if (next_is('\n')) {
      ++position_;
      ++line_;
      return true;
    }
    if (at_end()) return true;
    fail(name_, line_,
         fmt::format("expected a comma or the end of the line, found {}",
                     text_[position_ - 1] == '\r' ? "a lone carriage return"
                                                  : in_quotes(text_.substr(position_, 1))));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
};

void refuse_nul(std::string_view text, const std::string& name) {
  const std::size_t nul = text.find('\0');
  if (nul == std::string_view::npos) return;
  const std::string_view before = text.substr(0, nul);
  const auto line_ends = std::count(before.begin(), before.end(), '\n');
  fail(name, 1 + static_cast<std::size_t>(line_ends), "expected text, found a NUL byte");
}

/// The text without a byte order mark and without the line ends at its end.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    text.remove_prefix(kByteOrderMark.size());
  }
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

}  // namespace

std::string to_csv(const std::vector<CsvColumn>& columns) {
  const std::size_t rows = row_count(columns);
  constexpr std::size_t kUsualCellSize = 20;
  std::string out;
  out.reserve((rows + 1) * columns.size() * kUsualCellSize);
  for (const CsvColumn& column : columns) {
    if (&column != &columns.front()) out += ',';
    append_cell(out, column.name);
  }
  end_row(out, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t start = out.size();
    for (const CsvColumn& column : columns) {
      if (&column != &columns.front()) out += ',';
      std::visit([&out, row](const auto& cells) { append_cell(out, cells[row]); }, column.cells);
    }
    end_row(out, start);
  }
  return out;
}

CsvTable parse_csv(std::string_view text, const std::string& name) {
  refuse_nul(text, name);
  text = trimmed(text);
  if (text.empty()) fail(name, 1, "expected a line that names the columns, found nothing");

  CsvTable table;
  table.name_ = name;
  Scanner scanner(text, name);
  for (bool last = false; !last;) last = scanner.read_cell(table.header_.emplace_back());
  while (!scanner.at_end()) {
    const std::size_t line = scanner.line();
    std::size_t cells = 0;
    for (bool last = false; !last; ++cells) {
      last = scanner.read_cell(table.text_);
      table.ends_.push_back(table.text_.size());
    }
    if (cells != table.header_.size()) {
      fail(
          name, line,
          fmt::format("expected {} cells as in the header, found {}", table.header_.size(), cells));
    }
    table.lines_.push_back(line);
  }
  return table;
}

std::string_view CsvTable::cell(std::size_t row, std::size_t column) const {
  const std::size_t index = row * header_.size() + column;
  const std::size_t start = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(text_).substr(start, ends_[index] - start);
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto found = std::find(header_.begin(), header_.end(), name);
  if (found == header_.end()) {
    std::string names;
    for (const std::string& other : header_) names += (names.empty() ? "" : ", ") + other;
    throw Error(ErrorKind::invalid_input,
                fmt::format("{}: expected a column named {}, found {}", name_, in_quotes(name),
                            printable(names, 200)));
  }
  if (std::find(found + 1, header_.end(), name) != header_.end()) {
    throw Error(
        ErrorKind::invalid_input,
        fmt::format("{}: expected one column named {}, found several", name_, in_quotes(name)));
  }
  return static_cast<std::size_t>(found - header_.begin());
}

template <typename Number>
Number CsvTable::parse_cell(std::size_t row, std::size_t column, std::string_view expected) const {
  const std::string_view text = cell(row, column);
  const char* const end = text.data() + text.size();
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end) return value;
  fail(name_, lines_[row],
       fmt::format("column {} ({}): expected {}, found {}", column + 1, in_quotes(header_[column]),
                   expected, in_quotes(text)));
}

std::vector<double> CsvTable::numbers(std::size_t column) const {
  std::vector<double> values(rows(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < rows(); ++row) {
    if (cell(row, column).empty()) continue;
    values[row] = parse_cell<double>(row, column, "a number in the range of a double");
  }
  return values;
}

std::vector<std::int64_t> CsvTable::integers(std::size_t column) const {
  std::vector<std::int64_t> values(rows());
  for (std::size_t row = 0; row < rows(); ++row) {
    values[row] = parse_cell<std::int64_t>(row, column, "an integer of at most 64 bits");
  }
  return values;
}

}  // namespace rope::io
