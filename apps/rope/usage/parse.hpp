#pragma once

#include <string>
#include <vector>

#include "usage/options.hpp"

namespace rope::app {

/// Reads the words after a command's name and fills the fields of its options, in the order they
/// were declared.
///
/// Throws    rope::Error (invalid input) for an unknown option, with the likely one; a missing or
///           unexpected value; an option given more often than it may be, or beside one that
///           excludes it; a word too many; a value that is not what its option expects.
void parse(OptionSet& options, const std::vector<std::string>& words);

}  // namespace rope::app
