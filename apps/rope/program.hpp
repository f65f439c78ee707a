#pragma once

#include <string>
#include <vector>

#include "usage/command.hpp"

namespace rope::app {

/// Runs the program with the words that follow its name on the command line. Every rope::Error
/// becomes a message on standard error and an exit code.
ExitCode run_program(const std::vector<std::string>& words);

}  // namespace rope::app
