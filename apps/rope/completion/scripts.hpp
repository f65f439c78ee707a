#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

namespace rope::app {

/// What a shell may complete after one command.
struct CompletedCommand {
  std::string_view name;
  std::string_view summary;
  std::vector<Option> options;  ///< only for their descriptions: they read no values
  Operands operands;
};

// Each function makes the script with which a shell completes commands, options, and the words and
// files that these accept. Everything in the script comes from what the commands declare.

std::string bash_script(std::span<const CompletedCommand> commands);
std::string zsh_script(std::span<const CompletedCommand> commands);
std::string fish_script(std::span<const CompletedCommand> commands);

/// The words separated by blanks.
std::string in_line(const std::vector<std::string>& words);

}  // namespace rope::app
