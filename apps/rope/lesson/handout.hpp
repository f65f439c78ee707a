#pragma once

#include <string>
#include <vector>

#include "rope/lesson/handout.hpp"
#include "usage/draw_by_command.hpp"

namespace rope::app {

/// Refuses a folder that has some of a handout's files and not all: somebody else's would be lost.
/// A handout of before is replaced.
void check_handout_folder(const std::string& folder);

/// Writes all of it into a folder, which is made if it is not there: index.html, solutions.html,
/// lesson.md, solutions.md, notes.md, pictures and the vectors of exercises.
///
/// Throws    rope::SystemError; what was written before stays.
void write_handout(const std::string& folder, const lesson::Handout& handout,
                   const PictureFiles& looks, const Drawer& drawer, const Console& console);

}  // namespace rope::app
