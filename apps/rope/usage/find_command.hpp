#pragma once

#include <span>
#include <string>

#include "usage/command.hpp"

namespace rope::app {

/// The command that words[0] names; the other words are those that follow it on the command line.
///
/// Throws    rope::Error (invalid input); the message names the command that is probably meant, or
///           the one that does what the word means in other programs. If an option is in the place
///           of the command, the message shows the line with the command in front.
const Command& find_command(std::span<const std::string> words,
                            std::span<const Command* const> commands);

/// The command with exactly this name.
const Command& find_command(const std::string& name, std::span<const Command* const> commands);

}  // namespace rope::app
