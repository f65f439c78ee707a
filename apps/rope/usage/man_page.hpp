#pragma once

#include <span>
#include <string>

#include "usage/command.hpp"

namespace rope::app {

/// The manual page rope(1) in troff, made from the same tables as the help texts, so that the two
/// cannot differ.
std::string man_page(std::span<const Command* const> commands);

}  // namespace rope::app
