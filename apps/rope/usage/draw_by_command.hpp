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
  std::vector<std::string> looks;  ///< --size, --style and others as they are written
  bool shown = false;              ///< --show: in the terminal
  bool told = true;                ///< standard output is free to say what was written

  bool empty() const { return files.empty() && !shown; }
};

/// Takes the pictures out of a plan that includes them: what it refuses and what it leaves of
/// standard output applies to all.
PictureFiles take_pictures(OutputPlan& plan);

/// The program that draws.
struct Drawer {
  std::span<const Command* const> commands;
  GeneralOptions general;
};

/// Draws with a command line of ours, "rope rotate --view clocks"; its report is omitted.
///
/// Throws    as the command.
void draw_by_command(const std::string& line, const PictureFiles& files, const Drawer& drawer,
                     const Console& console);

}  // namespace rope::app
