#pragma once

#include <span>

#include "usage/command.hpp"

namespace rope::app {

/// All commands, in the order in which the help lists them.
std::span<const Command* const> commands();

}  // namespace rope::app
