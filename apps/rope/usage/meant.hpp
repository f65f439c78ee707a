#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "usage/options.hpp"

// What is meant by words that no command line can have: the second line of the refusal.

namespace rope::app {

/// Names the commands that have an option of that name, for one that has it not; empty if none.
using OptionElsewhere = std::function<std::string(std::string_view name)>;

/// Of a word that is one too many among `words`: it belongs to a list or a text before it, to an
/// option that is missing before it, or is the name of a file. `otherwise` where nothing is likely.
std::string remedy_for_word(const OptionSet& options, const std::vector<std::string>& words,
                            std::string_view word, std::string otherwise);

/// Of an option that there is not: one of ours that others call so, a parameter, one spelt alike,
/// the operands, or an option of another command.
std::string remedy_for_option(const OptionSet& options, std::string_view name,
                              const OptionElsewhere& elsewhere);

}  // namespace rope::app
