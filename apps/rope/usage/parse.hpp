#pragma once

#include <string>
#include <vector>

#include "usage/meant.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// The values in one word: "1e4,1e6" has two, "yarn:factor=4,original=32768,linear:factor=2" too,
/// since a parameter stays with what it belongs to.
std::vector<std::string> items_of(const std::string& text);

/// Reads the words after a command's name and fills the fields of its options, in the order they
/// were declared. After "--", nothing is an option. `elsewhere` knows the options of other
/// commands.
///
/// Throws    rope::Error (invalid input) for an unknown option, with the likely one; a missing or
///           unexpected value; an option given more often than it may be, or together with one that
///           excludes it; a word too many; a value that is not what its option expects.
void parse(OptionSet& options, const std::vector<std::string>& all,
           const OptionElsewhere& elsewhere = {});

}  // namespace rope::app
