#include "rope/plot/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

struct Spelling {
  char32_t c;
  const char* ascii;
};

constexpr std::array<Spelling, 56> kSpellings = {{
    {U'θ', "theta"}, {U'λ', "lambda"}, {U'Δ', "delta"}, {U'φ', "phi"}, {U'π', "pi"},
    {U'α', "alpha"}, {U'β', "beta"},   {U'σ', "sigma"}, {U'μ', "mu"},  {U'Σ', "sum"},
    {U'√', "sqrt"},  {U'−', "-"},      {U'–', "-"},     {U'—', "-"},   {U'×', "x"},
    {U'·', "*"},     {U'…', "..."},    {U'≤', "<="},    {U'≥', ">="},  {U'≈', "~"},
    {U'⟨', "<"},     {U'⟩', ">"},      {U'’', "'"},     {U'ᵀ', "^T"},  {U'⁻', "^-"},
    {U'⁰', "^0"},    {U'¹', "^1"},     {U'²', "^2"},    {U'³', "^3"},  {U'⁴', "^4"},
    {U'⁵', "^5"},    {U'⁶', "^6"},     {U'⁷', "^7"},    {U'⁸', "^8"},  {U'⁹', "^9"},
    {U'ⁱ', "^i"},    {U'ᵏ', "^k"},     {U'ᵈ', "^d"},    {U'ᵐ', "^m"},  {U'ⁿ', "^n"},
    {U'ᐟ', "/"},     {U'ᵢ', "_i"},     {U'ₖ', "_k"},    {U'ₘ', "_m"},  {U'ₙ', "_n"},
    {U'₀', "_0"},    {U'₁', "_1"},     {U'₂', "_2"},    {U'₃', "_3"},  {U'₄', "_4"},
    {U'₅', "_5"},    {U'₆', "_6"},     {U'₇', "_7"},    {U'₈', "_8"},  {U'₉', "_9"},
    {U'∞', "inf"},
}};

/// In a run of raised or lowered characters only the first shows it: "10^-12".
std::u32string ascii_of(char32_t c, bool* raised) {
  if (c < 0x80) {
    *raised = false;
    return {c};
  }
  const auto* const found = std::find_if(kSpellings.begin(), kSpellings.end(),
                                         [c](const Spelling& s) { return s.c == c; });
  if (found == kSpellings.end()) {
    *raised = false;
    return U"?";
  }
  std::u32string text = decode_utf8(found->ascii);
  const bool marks = text.size() > 1 && (text.front() == '^' || text.front() == '_');
  if (marks && *raised) text.erase(0, 1);
  *raised = marks || (*raised && c == U'ᐟ');
  return text;
}

/// The nearest of the 256 colours: of the cube of six levels each, or of the 24 greys.
int nearest_of_256(Rgb c) {
  const auto level = [](int value) {
    return value < 48 ? 0 : value < 115 ? 1 : std::min((value - 35) / 40, 5);
  };
  const auto distance = [c](int index) {
    const Rgb other = rgb_of_256(index);
    return (c.r - other.r) * (c.r - other.r) + (c.g - other.g) * (c.g - other.g) +
           (c.b - other.b) * (c.b - other.b);
  };
  const int of_cube = 16 + 36 * level(c.r) + 6 * level(c.g) + level(c.b);
  const int grey = 232 + std::clamp(((c.r + c.g + c.b) / 3 - 3) / 10, 0, 23);
  return distance(grey) < distance(of_cube) ? grey : of_cube;
}

std::string set_colour(int target, Rgb c, ColourDepth depth) {
  if (depth == ColourDepth::truecolor) return fmt::format(";{};2;{};{};{}", target, c.r, c.g, c.b);
  return fmt::format(";{};5;{}", target, nearest_of_256(c));
}

/// The bit of each braille dot, by row and column.
constexpr std::array<std::array<unsigned, 2>, 4> kBrailleBits = {
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

}  // namespace

Canvas::Canvas(int columns, int rows, const TerminalAbility& ability)
    : columns_(columns),
      rows_(rows),
      ability_(ability),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

Canvas::Cell* Canvas::at(int column, int row) {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(column)];
}

const Canvas::Cell& Canvas::cell(int column, int row) const {
  return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                static_cast<std::size_t>(column)];
}

void Canvas::dot(int x, int y, Rgb colour) {
  if (x < 0 || y < 0) return;
  Cell* cell = at(x / kDotsAcross, y / kDotsDown);
  if (cell == nullptr) return;
  cell->dots |= kBrailleBits.at(static_cast<std::size_t>(y % kDotsDown))
                    .at(static_cast<std::size_t>(x % kDotsAcross));
  cell->colour = colour;
}

void Canvas::put(int column, int row, char32_t c, std::optional<Rgb> colour,
                 std::optional<Rgb> background) {
  Cell* cell = at(column, row);
  if (cell != nullptr) *cell = {c, 0, false, colour, background};
}

int Canvas::write(int column, int row, std::string_view text, int room, std::optional<Rgb> colour) {
  const std::u32string characters = decode_utf8(ability_.unicode ? text : spelled_in_ascii(text));
  int written = 0;
  for (const char32_t c : characters) {
    const int width = screen_width(c);
    if (width == 0) continue;
    if (written + width > room) break;
    put(column + written, row, c, colour);
    // The terminal fills the second half of a wide character itself.
    if (width == 2) put(column + written + 1, row, 0, colour);
    written += width;
  }
  return written;
}

void Canvas::embolden(int row) {
  for (int column = 0; column < columns_; ++column)
    if (Cell* cell = at(column, row)) cell->bold = true;
}

bool Canvas::empty(int column, int row) const {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return false;
  const Cell& c = cell(column, row);
  return c.c == ' ' && c.dots == 0 && !c.background;
}

std::string Canvas::colour_code(const Cell& cell) const {
  if (ability_.colour == ColourDepth::none) return {};
  std::string code = cell.bold ? ";1" : "";
  const bool blank = cell.c == ' ' && cell.dots == 0;
  if (cell.colour && !blank) code += set_colour(38, *cell.colour, ability_.colour);
  if (cell.background) code += set_colour(48, *cell.background, ability_.colour);
  return code;
}

std::string Canvas::str() const {
  std::string out;
  const auto used_columns = [this](int row) {
    int end = columns_;
    while (end > 0 && empty(end - 1, row)) --end;
    return end;
  };
  int last = rows_;
  while (last > 0 && used_columns(last - 1) == 0) --last;
  for (int row = 0; row < last; ++row) {
    const int end = used_columns(row);
    std::string current;
    for (int column = 0; column < end; ++column) {
      const Cell& c = cell(column, row);
      if (c.c == 0) continue;
      const std::string code = colour_code(c);
      if (code != current) {
        out += fmt::format("\x1B[0{}m", code);
        current = code;
      }
      const char32_t shown = c.dots != 0 ? static_cast<char32_t>(0x2800U + c.dots) : c.c;
      out += encode_utf8({&shown, 1});
    }
    if (!current.empty()) out += "\x1B[0m";
    out += '\n';
  }
  return out;
}

std::string spelled_in_ascii(std::string_view text) {
  std::u32string result;
  bool raised = false;
  for (const char32_t c : decode_utf8(text)) result += ascii_of(c, &raised);
  return encode_utf8(result);
}

Rgb rgb_of_256(int index) {
  const auto shown = [](int level) { return level == 0 ? 0 : 55 + 40 * level; };
  if (index >= 232) return {8 + 10 * (index - 232), 8 + 10 * (index - 232), 8 + 10 * (index - 232)};
  return {shown((index - 16) / 36), shown((index - 16) / 6 % 6), shown((index - 16) % 6)};
}

int screen_width(char32_t c) {
  if (c >= 0x300 && c <= 0x36F) return 0;
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                    (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFF);
  return wide ? 2 : 1;
}

}  // namespace rope::plot
