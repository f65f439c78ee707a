#pragma once

#include <cstddef>

#include "rope/plot/character_panel.hpp"

namespace rope::plot {

/// Draws the heat map for draw_panel().
void draw_heat_map(const Figure& figure, std::size_t panel, const CharacterBox& box,
                   const TerminalAbility& ability, Canvas* canvas);

/// For a figure with one colour bar: writes the colour key that all heat maps share, on one line at
/// the top of `box`.
void write_shared_key(const Figure& figure, const CharacterBox& box, const TerminalAbility& ability,
                      Canvas* canvas);

}  // namespace rope::plot
