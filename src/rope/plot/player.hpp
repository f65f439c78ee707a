#pragma once

#include "rope/plot/animation.hpp"
#include "rope/plot/terminal.hpp"

namespace rope::plot {

/// Shows an animation drawn in characters, one frame at a time, until the user ends it with q,
/// Escape or Ctrl-C. The arrow keys step, Home and End go to the ends, the space bar starts and
/// stops playing; nothing moves by itself unless `playing` is set. On return, the terminal is as it
/// was before, and the last frame stays visible.
///
/// Shapes    those of draw_in_terminal, plus one line.
/// Edge      without a terminal on standard input and output, only the first frame is written.
/// Throws    what draw_in_terminal throws.
void play_in_terminal(const Animation& animation, int columns, int rows,
                      const TerminalAbility& ability, bool playing);

}  // namespace rope::plot
