#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/report.hpp"
#include "usage/command.hpp"
#include "usage/output.hpp"

namespace rope::app {

/// Files that another command draws, and how they shall look.
struct PictureFiles {
  std::vector<std::string> paths;
  std::vector<std::string> looks;  ///< --size, --style and others as they are written
};

/// Takes the pictures out of what is written.
PictureFiles take_pictures(OutputOptions& output);

/// The program that draws.
struct Drawer {
  std::span<const Command* const> commands;
  GeneralOptions general;
};

/// Draws the picture of the one statement that was chosen, by the command that its row names.
///
/// Throws    rope::Error (invalid input) if several were chosen, or it has none.
void draw_pictures(const PictureFiles& files, std::span<const CheckedClaim> checked,
                   const Drawer& drawer, const Console& console);

}  // namespace rope::app
