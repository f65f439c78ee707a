#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

// Guesses what the user meant by invalid words on the command line, for the second line of the
// error message.

namespace rope::app {

/// Returns a text that names the other commands with an option of that name; empty if there are
/// none.
using OptionElsewhere = std::function<std::string(std::string_view name)>;

/// The remedy for an extra word among `words`: it may belong to the list or text before it, lack
/// the option that should precede it, or be the name of a file. Returns `otherwise` if none of
/// these is likely.
std::string remedy_for_word(const OptionSet& options, const std::vector<std::string>& words,
                            std::string_view word, std::string otherwise);

/// The remedy for an option that does not exist: an option of this program that other programs call
/// by that name, a parameter, an option with a similar spelling, the operands, or an option of
/// another command.
std::string remedy_for_option(const OptionSet& options, std::string_view name,
                              const OptionElsewhere& elsewhere);

}  // namespace rope::app
