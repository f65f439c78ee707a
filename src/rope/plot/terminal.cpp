#include "rope/plot/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/plot/axis.hpp"
#include "rope/plot/canvas.hpp"
#include "rope/plot/character_panel.hpp"
#include "rope/plot/gnuplot.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr int kFewestColumns = 20;
constexpr int kFewestRows = 8;
constexpr int kPanelColumns = 24;
constexpr int kPanelRows = 7;
constexpr int kReadablePanelRows = 20;  // 15 of them for the curves
constexpr int kPixelsAcross = 10;       // of one character, for sixel pictures
constexpr int kPixelsDown = 20;

/// How many panels stand beside each other.
int panels_across(const Figure& figure, int columns) {
  return std::clamp(columns / kPanelColumns, 1, static_cast<int>(figure.columns));
}

/// A heading in lines of at most `columns` characters, broken at blanks.
std::vector<std::string> heading_lines(const Text& heading, int columns, bool unicode) {
  std::vector<std::string> lines;
  int used = 0;
  std::string text = unicode ? heading.readable() : spelled_in_ascii(heading.readable());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    int width = 0;
    for (const char32_t c : decode_utf8(word)) width += screen_width(c);
    if (lines.empty() || used + 1 + width > columns) {
      lines.push_back(word);
      used = width;
    } else {
      lines.back() += " " + word;
      used += 1 + width;
    }
    begin = end + 1;
  }
  return lines;
}

std::string as_sixel(Figure figure, int columns, int rows) {
  figure.width = std::clamp(columns * kPixelsAcross, kMinWidth, kMaxSide);
  figure.height = std::clamp((rows - 1) * kPixelsDown, kMinHeight, kMaxSide);
  return render_sixel(figure).bytes + "\n";
}

std::string as_characters(const Figure& figure, int columns, int rows,
                          const TerminalAbility& ability) {
  Canvas canvas(columns, rows, ability);
  int top = 0;
  for (const Text& line : {figure.title, figure.subtitle}) {
    for (const std::string& part : heading_lines(line, columns, ability.unicode))
      if (top + kPanelRows < rows) canvas.write(0, top++, part, columns);
  }
  const int across = panels_across(figure, columns);
  const int panels = static_cast<int>(figure.panels.size());
  const int most_down = std::max((rows - top) / kPanelRows, 1);
  const int down = std::min((panels + across - 1) / across, most_down);
  const int shown = std::min(panels, down * across);
  const int note = shown < panels ? 1 : 0;
  const int width = columns / across;
  const int height = (rows - top - note) / down;
  for (int i = 0; i < shown; ++i) {
    const CharacterBox box = {i % across * width, top + i / across * height,
                              across > 1 ? width - 1 : width, height};
    draw_panel(figure, static_cast<std::size_t>(i), box, ability, &canvas);
  }
  if (note > 0) {
    canvas.write(0, rows - 1, fmt::format("{} of {} panels", shown, panels), columns);
  }
  return canvas.str();
}

}  // namespace

int readable_rows(const Figure& figure, int columns) {
  const bool curves = std::any_of(figure.panels.begin(), figure.panels.end(),
                                  [](const Panel& panel) { return !panel.heat_map; });
  const int across = panels_across(figure, columns);
  const int down = (static_cast<int>(figure.panels.size()) + across - 1) / across;
  const std::size_t titles = heading_lines(figure.title, columns, true).size() +
                             heading_lines(figure.subtitle, columns, true).size();
  return static_cast<int>(titles) + down * (curves ? kReadablePanelRows : kPanelRows);
}

std::string draw_in_terminal(const Figure& figure, int columns, int rows,
                             const TerminalAbility& ability) {
  validate(figure);
  if (columns < kFewestColumns || rows < kFewestRows || columns > 1000 || rows > 1000) {
    throw ShapeError(fmt::format("screen: expected {}x{} to 1000x1000 characters, got {}x{}",
                                 kFewestColumns, kFewestRows, columns, rows));
  }
  if (ability.sixel) {
    try {
      return as_sixel(figure, columns, rows);
    } catch (const SystemError&) {
      // No gnuplot, or it failed: characters need none.
      return as_characters(figure, columns, rows, ability);
    }
  }
  return as_characters(figure, columns, rows, ability);
}

}  // namespace rope::plot
