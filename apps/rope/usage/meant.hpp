#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

// What words that no command line can have are meant to be: the second line of the refusal.

namespace rope::app {

/// Names the commands that have an option of that name, for one that lacks it; empty if none.
using OptionElsewhere = std::function<std::string(std::string_view name)>;

/// For a word too many among `words`: it belongs to a list or a text before it, to an option that
/// is missing before it, or is the name of a file. `otherwise` if nothing is likely.
std::string remedy_for_word(const OptionSet& options, const std::vector<std::string>& words,
                            std::string_view word, std::string otherwise);

/// For an option that does not exist: one of ours that others call so, a parameter, one of similar
/// spelling, the operands, or an option of another command.
std::string remedy_for_option(const OptionSet& options, std::string_view name,
                              const OptionElsewhere& elsewhere);

}  // namespace rope::app
