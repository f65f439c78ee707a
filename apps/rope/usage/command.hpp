#pragma once

#include <span>
#include <string_view>

#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// What the program tells its caller when it ends.
enum class ExitCode {
  done = 0,              ///< every check held
  check_failed = 1,      ///< the answer is no
  bad_input = 2,         ///< something the user gave is wrong
  system_failed = 3,     ///< open, read, write or another program failed
  inconclusive = 4,      ///< the answer is neither yes nor no
  self_test_failed = 5,  ///< the checker failed its own test
};

/// One command of the program. Adding a command is one folder whose command.cpp defines one of
/// these, and its name in commands.cpp.
struct Command {
  std::string_view name;
  std::string_view summary;                    ///< one sentence, ends in a full stop
  std::span<const std::string_view> examples;  ///< at least two; each works as it stands
  void (*declare)(OptionSet& options);         ///< its options; the general ones are added to them
  ExitCode (*run)(const Arguments& arguments, Console& console);
};

}  // namespace rope::app
