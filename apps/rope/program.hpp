#pragma once

#include <string>
#include <vector>

#include "usage/command.hpp"

namespace rope::app {

/// Runs the program with the words behind its name. Every rope::Error has become a message on
/// standard error and an exit code when it returns.
ExitCode run_program(const std::vector<std::string>& words);

}  // namespace rope::app
