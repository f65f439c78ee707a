#pragma once

#include <string>

#include "rope/plot/figure.hpp"

namespace rope::plot {

enum class ColourDepth { none, indexed256, truecolor };

/// What a terminal can show.
struct TerminalAbility {
  bool sixel = false;    ///< pictures
  bool unicode = false;  ///< UTF-8 text: braille dots, blocks, Greek
  ColourDepth colour = ColourDepth::none;
};

/// What the terminal at a file descriptor can show: only plain ASCII if the descriptor is not a
/// terminal. Looks at TERM, COLORTERM, NO_COLOR and the locale variables, and queries the terminal
/// itself about sixel, waiting at most 200 ms. On return, the terminal's settings are as before.
TerminalAbility detect_terminal(int descriptor);

/// The number of character lines that a figure needs so that its curves can be told apart: with
/// fewer, different values fall on one line.
int readable_rows(const Figure& figure, int columns);

/// Draws a figure with characters, or as a sixel picture if the terminal can show one.
///
/// Shapes    At most `columns` (at least 20) characters wide and `rows` (at least 8) lines high,
///           each line ended by a newline. For a sixel picture, a character counts as 10 by 20
///           pixels.
/// Edge      If gnuplot fails to draw the sixel picture, characters are used.
/// Throws    ShapeError and DomainError as validate() does; ShapeError for a screen that is too
///           small.
std::string draw_in_terminal(const Figure& figure, int columns, int rows,
                             const TerminalAbility& ability);

}  // namespace rope::plot
