#pragma once

#include <cstddef>

#include "rope/plot/canvas.hpp"
#include "rope/plot/figure.hpp"

namespace rope::plot {

/// A part of a canvas, in characters.
struct CharacterBox {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

/// Draws one panel of a figure with characters. Curves are braille dots; if colours cannot tell
/// them apart, or there is no Unicode, each has its own character. Heat maps are shaded cells: of
/// several values that fall into one cell, the one farthest from zero is shown.
void draw_panel(const Figure& figure, std::size_t panel, const CharacterBox& box,
                const TerminalAbility& ability, Canvas* canvas);

}  // namespace rope::plot
