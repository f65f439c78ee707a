#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

namespace rope::app {

/// What a shell can complete after one command.
struct CompletedCommand {
  std::string_view name;
  std::string_view summary;
  std::vector<Option> options;  ///< only their descriptions are used; they read no values
  Operands operands;
};

// Each function makes the script with which a shell completes commands, options, and the words and
// files that these accept. The content of the script comes entirely from the declarations of the
// commands.

std::string bash_script(std::span<const CompletedCommand> commands);
std::string zsh_script(std::span<const CompletedCommand> commands);
std::string fish_script(std::span<const CompletedCommand> commands);

/// The words, separated by spaces.
std::string in_line(const std::vector<std::string>& words);

}  // namespace rope::app
