#pragma once

#include <cstddef>

#include "rope/plot/character_panel.hpp"

namespace rope::plot {

/// The heat map of draw_panel().
void draw_heat_map(const Figure& figure, std::size_t panel, const CharacterBox& box,
                   const TerminalAbility& ability, Canvas* canvas);

/// The key of all heat maps if one colour bar serves the figure, in one line at the top of
/// `box`.
void write_shared_key(const Figure& figure, const CharacterBox& box, const TerminalAbility& ability,
                      Canvas* canvas);

}  // namespace rope::plot
