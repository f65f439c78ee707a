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

/// How much a help text says: `-h` fits on a screen of 24 lines, `--help` leaves nothing out.
enum class HelpLength { brief, whole };

// All texts fit 80 columns.

/// What `rope -h` and `rope --help` print: the commands, and what the exit status means.
std::string program_help(std::span<const Command* const> commands, HelpLength length);

/// What `rope COMMAND -h` and `rope COMMAND --help` print. Options that several commands share are
/// named; where the command tells one of them in words of its own, it is explained.
std::string command_help(const Command& command, std::span<const Command* const> commands,
                         HelpLength length);

/// The words of which `rope help` tells besides commands: "options", and each part of it.
std::vector<std::string> help_topics(std::span<const Command* const> commands);

/// What `rope help TOPIC` prints: the options that commands share.
std::string topic_help(std::string_view topic, std::span<const Command* const> commands);

}  // namespace rope::app
