#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "usage/command.hpp"

namespace rope::app {

/// The meanings of the exit status, for help texts.
inline constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kExitStatus = {
    {{"0", "every check held"},
     {"1", "a check failed"},
     {"2", "your input is wrong"},
     {"3", "a file, the disk or gnuplot failed"},
     {"4", "inconclusive"},
     {"5", "rope failed its own test"}}};

/// How much a help text contains: `-h` fits on a screen of 24 lines, `--help` omits nothing.
enum class HelpLength { brief, whole };

// All texts fit in 80 columns.

/// What `rope -h` and `rope --help` print: the commands, and what the exit status means.
std::string program_help(std::span<const Command* const> commands, HelpLength length);

/// What `rope COMMAND -h` and `rope COMMAND --help` print. Options that several commands share are
/// only named, unless this command describes them in its own words.
std::string command_help(const Command& command, std::span<const Command* const> commands,
                         HelpLength length);

/// What `rope help TOPIC` prints: the options that commands share, or the parameters of encodings;
/// empty if there is no such topic.
std::string topic_help(std::string_view topic, std::span<const Command* const> commands);

}  // namespace rope::app
