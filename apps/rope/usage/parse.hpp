#pragma once

#include <string>
#include <vector>

#include "usage/meant.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// The values in one word. "1e4,1e6" contains two; so does
/// "yarn:factor=4,original=32768,linear:factor=2", since parameters stay with their rule.
std::vector<std::string> items_of(const std::string& text);

/// Reads the words after a command's name and fills the fields of its options, in the order in
/// which they were declared. Words after "--" are not options. `elsewhere` looks up the options of
/// other commands.
///
/// Throws    rope::Error (invalid input) for an unknown option, with the likely one; a missing or
///           unexpected value; an option given more often than it may be, or together with one that
///           excludes it; an extra word; a value that its option does not accept.
void parse(OptionSet& options, const std::vector<std::string>& all,
           const OptionElsewhere& elsewhere = {});

}  // namespace rope::app
