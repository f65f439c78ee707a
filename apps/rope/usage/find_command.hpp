#pragma once

#include <span>
#include <string>

#include "usage/command.hpp"

namespace rope::app {

/// The command that the first of the words names; the others are to be typed after it.
///
/// Throws    rope::Error (invalid input) with the command that is likely meant, or that does what
///           other programs call by that name; for an option in its place, with the command in
///           front.
const Command& find_command(std::span<const std::string> words,
                            std::span<const Command* const> commands);

/// The command of exactly that name.
const Command& find_command(const std::string& name, std::span<const Command* const> commands);

}  // namespace rope::app
