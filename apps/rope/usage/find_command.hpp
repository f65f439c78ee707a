#pragma once

#include <span>
#include <string>

#include "usage/command.hpp"

namespace rope::app {

/// The command that the first word names; the other words are those that would follow it.
///
/// Throws    rope::Error (invalid input) naming the command that is probably meant, or the one that
///           does what other programs call by that name. If an option is in the place of the
///           command, the message shows the line with the command in front.
const Command& find_command(std::span<const std::string> words,
                            std::span<const Command* const> commands);

/// The command of exactly that name.
const Command& find_command(const std::string& name, std::span<const Command* const> commands);

}  // namespace rope::app
