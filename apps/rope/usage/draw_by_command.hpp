#pragma once

#include <span>
#include <string>
#include <vector>

#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {

/// Pictures that another command draws: their files, and how they should look.
struct PictureFiles {
  std::vector<OutputFile> files;
  std::vector<std::string> looks;  ///< --size, --style and others as written on a command line
  bool shown = false;              ///< --show: in the terminal
  bool told = true;                ///< standard output may list what was written

  bool empty() const { return files.empty() && !shown; }
};

/// Takes the pictures out of a plan that was made with them, so that the checks of the plan and its
/// use of standard output cover the pictures too.
PictureFiles take_pictures(OutputPlan& plan);

/// The program that draws.
struct Drawer {
  std::span<const Command* const> commands;
  GeneralOptions general;
};

/// Draws with one of our own command lines, "rope rotate --view clocks"; its report is omitted.
///
/// Throws    whatever the command throws.
void draw_by_command(const std::string& line, const PictureFiles& files, const Drawer& drawer,
                     const Console& console);

}  // namespace rope::app
