#pragma once

#include <span>
#include <string>

#include "usage/command.hpp"

namespace rope::app {

/// The command of that name.
///
/// Throws    rope::Error (invalid input) with the command that is likely meant, or that does what
///           other programs call so.
const Command& find_command(const std::string& name, std::span<const Command* const> commands);

}  // namespace rope::app
