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
  /// --size, --style and other options, as written on a command line.
  std::vector<std::string> looks;
  bool shown = false;  ///< --show: whether to show them in the terminal
  bool told = true;    ///< whether standard output may list the files that were written

  bool empty() const { return files.empty() && !shown; }
};

/// Removes the pictures from a plan and returns them. The plan is first made with the pictures, so
/// that its checks and its use of standard output take them into account.
PictureFiles take_pictures(OutputPlan& plan);

/// What is needed to run another command of this program for its pictures.
struct Drawer {
  std::span<const Command* const> commands;
  GeneralOptions general;
};

/// Draws by running a command line of this program, such as "rope rotate --view clocks", without
/// its report.
///
/// Throws    whatever the command throws.
void draw_by_command(const std::string& line, const PictureFiles& files, const Drawer& drawer,
                     const Console& console);

}  // namespace rope::app
