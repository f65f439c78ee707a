#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "usage/command.hpp"

namespace rope::app {

/// What the exit status means, for help texts.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kExitStatus = {
    {{"0", "done; every check held"},
     {"1", "a check failed"},
     {"2", "something you gave is wrong"},
     {"3", "the system failed: a file, the disk, gnuplot"},
     {"4", "inconclusive"},
     {"5", "the checker failed its own test"}}};

/// What `rope --help` prints: the commands, and what the exit status means.
std::string program_help(std::span<const Command* const> commands);

/// What `rope COMMAND --help` prints, within 80 columns.
std::string command_help(const Command& command);

}  // namespace rope::app
