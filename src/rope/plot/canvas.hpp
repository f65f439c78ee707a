#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/plot/terminal.hpp"
#include "rope/plot/theme.hpp"

namespace rope::plot {

/// A screen of characters to draw on: text, dots finer than a character, coloured cells. Whatever
/// lies outside the screen is not drawn.
class Canvas {
 public:
  Canvas(int columns, int rows, const TerminalAbility& ability);

  int columns() const { return columns_; }
  int rows() const { return rows_; }

  /// The dots of a braille character, 2 by 4; a plain character stands for a single dot.
  static constexpr int kDotsAcross = 2;
  static constexpr int kDotsDown = 4;

  /// Sets one braille dot; x and y count dots from the top left.
  void dot(int x, int y, Rgb colour);

  /// Writes one character.
  void put(int column, int row, char32_t c, std::optional<Rgb> colour = {},
           std::optional<Rgb> background = {});

  /// Writes a text, cut at `room` characters; characters that the terminal cannot show are spelled
  /// out in ASCII. Returns the number of characters written.
  int write(int column, int row, std::string_view text, int room, std::optional<Rgb> colour = {});

  /// Makes the text in a row bold, if the terminal has colours.
  void embolden(int row);

  /// Whether nothing has been drawn there yet.
  bool empty(int column, int row) const;

  /// The lines down to the last non-empty one, each without trailing blanks and ended by a newline.
  std::string str() const;

 private:
  struct Cell {
    char32_t c = ' ';
    unsigned dots = 0;
    bool bold = false;
    std::optional<Rgb> colour;
    std::optional<Rgb> background;
  };
  Cell* at(int column, int row);
  const Cell& cell(int column, int row) const;
  std::string colour_code(const Cell& cell) const;

  int columns_;
  int rows_;
  TerminalAbility ability_;
  std::vector<Cell> cells_;
};

/// A text in ASCII: Greek letters by name, signs as plain look-alikes, anything else as '?'.
std::string spelled_in_ascii(std::string_view text);

/// A colour of a 256-colour terminal: from the colour cube, 16 … 231, or from the greys, 232 … 255.
Rgb rgb_of_256(int index);

/// The columns that a character takes up on the screen: two for wide ones, none for combining
/// marks.
int screen_width(char32_t c);

}  // namespace rope::plot
