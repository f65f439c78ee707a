#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

// Guesses what was meant by words that are not valid on the command line, for the second line of
// the error message.

namespace rope::app {

/// Names the commands that have an option of that name, for a command that lacks it; empty if there
/// are none.
using OptionElsewhere = std::function<std::string(std::string_view name)>;

/// The remedy for an extra word among `words`: it belongs to a list or a text before it, belongs to
/// an option that is missing before it, or is the name of a file. Returns `otherwise` if nothing is
/// likely.
std::string remedy_for_word(const OptionSet& options, const std::vector<std::string>& words,
                            std::string_view word, std::string otherwise);

/// The remedy for an option that does not exist: an option of ours that other programs call by that
/// name, a parameter, an option with a similar spelling, the operands, or an option of another
/// command.
std::string remedy_for_option(const OptionSet& options, std::string_view name,
                              const OptionElsewhere& elsewhere);

}  // namespace rope::app
