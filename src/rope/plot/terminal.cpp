#include "rope/plot/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "rope/error.hpp"
#include "rope/plot/axis.hpp"
#include "rope/plot/canvas.hpp"
#include "rope/plot/character_heat_map.hpp"
#include "rope/plot/character_panel.hpp"
#include "rope/plot/colour_range.hpp"
#include "rope/plot/gnuplot.hpp"
#include "rope/plot/text_fit.hpp"
#include "rope/plot/utf8.hpp"

namespace rope::plot {
namespace {

constexpr int kFewestColumns = 20;
constexpr int kFewestRows = 8;
constexpr int kPanelColumns = 24;
constexpr int kPanelRows = 7;
constexpr int kReadablePanelRows = 16;  // 11 of them for the curves
constexpr int kPixelsAcross = 10;       // of one character, for sixel pictures
constexpr int kPixelsDown = 20;

/// How many panels stand beside each other.
int panels_across(const Figure& figure, int columns) {
  return std::clamp(columns / kPanelColumns, 1, static_cast<int>(figure.columns));
}

/// A heading in lines of at most `columns` characters, broken at blanks and beside Chinese
/// characters.
std::vector<std::string> heading_lines(const Text& heading, int columns, bool unicode) {
  std::vector<std::string> lines;
  int used = 0;
  const std::u32string text =
      decode_utf8(unicode ? heading.readable() : spelled_in_ascii(heading.readable()));
  for (std::size_t begin = 0; begin < text.size();) {
    const bool blank = text[begin] == ' ';
    std::size_t end = blank ? ++begin : begin + 1;
    while (end < text.size() && text[end] != ' ' &&
           (end == begin || !line_may_end(text[end - 1], text[end])))
      ++end;
    const std::string word = encode_utf8(std::u32string_view(text).substr(begin, end - begin));
    int width = 0;
    for (std::size_t i = begin; i < end; ++i) width += screen_width(text[i]);
    if (lines.empty() || used + (blank ? 1 : 0) + width > columns) {
      lines.push_back(word);
      used = width;
    } else {
      lines.back() += (blank ? " " : "") + word;
      used += (blank ? 1 : 0) + width;
    }
    begin = end;
  }
  return lines;
}

/// The panels that hold something.
std::vector<std::size_t> drawn_panels(const Figure& figure) {
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < figure.panels.size(); ++i)
    if (!figure.panels[i].blank) drawn.push_back(i);
  return drawn;
}

/// As many of the panels as are shown: the first ones, or, of far more, the first, the last and
/// those evenly between.
std::vector<std::size_t> chosen_of(std::vector<std::size_t> panels, std::size_t shown) {
  if (shown > 1 && panels.size() > 2 * shown)
    for (std::size_t i = 0; i < shown; ++i)
      panels[i] = panels[i * (panels.size() - 1) / (shown - 1)];
  panels.resize(std::min(panels.size(), shown));
  return panels;
}

/// The height of each row of panels beside that of the others.
std::vector<double> row_shares(const Figure& figure, int across) {
  const std::vector<std::size_t> drawn = drawn_panels(figure);
  std::vector<double> shares;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (i % static_cast<std::size_t>(across) == 0) shares.push_back(0);
    shares.back() = std::max(shares.back(), figure.panels[drawn[i]].height);
  }
  return shares;
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
  const auto write_heading = [&](const Text& heading, bool bold) {
    for (const std::string& line : heading_lines(heading, columns, ability.unicode)) {
      if (top + kPanelRows >= rows) return;
      canvas.write(0, top, line, columns);
      if (bold) canvas.embolden(top);
      ++top;
    }
  };
  write_heading(figure.title, true);
  write_heading(figure.subtitle, false);
  const int across = panels_across(figure, columns);
  const std::vector<std::size_t> panels = drawn_panels(figure);
  std::vector<double> shares = row_shares(figure, across);
  const int key = one_bar(figure) ? 1 : 0;
  const int most_down = std::max((rows - top - key) / kPanelRows, 1);
  shares.resize(std::min(shares.size(), static_cast<std::size_t>(most_down)));
  const std::size_t shown =
      std::min(panels.size(), shares.size() * static_cast<std::size_t>(across));
  const int note = shown < panels.size() ? 1 : 0;
  const int width = columns / across;
  const int room = rows - top - note - key;
  double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (*std::min_element(shares.begin(), shares.end()) / all * room < kPanelRows) {
    std::fill(shares.begin(), shares.end(), 1.0);
    all = static_cast<double>(shares.size());
  }
  double above = 0;
  const std::vector<std::size_t> chosen = chosen_of(panels, shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const double share = shares[i / static_cast<std::size_t>(across)];
    const int column = static_cast<int>(i) % across;
    const int first = static_cast<int>(above / all * room);
    const int end = static_cast<int>((above + share) / all * room);
    const CharacterBox box = {column * width, top + first, across > 1 ? width - 1 : width,
                              end - first};
    draw_panel(figure, chosen[i], box, ability, &canvas);
    if (column == across - 1) above += share;
  }
  if (key > 0) write_shared_key(figure, {0, rows - note - 1, columns, 1}, ability, &canvas);
  if (note > 0) {
    canvas.write(0, rows - 1,
                 fmt::format(fmt::runtime(figure.remarks.panels.bytes()), shown, panels.size()),
                 columns);
  }
  return canvas.str();
}

}  // namespace

int readable_rows(const Figure& figure, int columns) {
  const bool curves = std::any_of(figure.panels.begin(), figure.panels.end(),
                                  [](const Panel& panel) { return !panel.heat_map; });
  const int across = panels_across(figure, columns);
  const std::vector<double> shares = row_shares(figure, across);
  const double down = std::accumulate(shares.begin(), shares.end(), 0.0);
  const std::size_t titles = heading_lines(figure.title, columns, true).size() +
                             heading_lines(figure.subtitle, columns, true).size();
  return static_cast<int>(titles) +
         static_cast<int>(std::ceil(down * (curves ? kReadablePanelRows : kPanelRows)));
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
