#pragma once

#include <string>
#include <string_view>

#include "usage/options.hpp"

namespace rope::app {

/// "rope 0.2.0: rope decay --base 10000 --seed 42": what files say about their origin. The line
/// makes the same files again, so it holds every given option that a file depends on, in the order
/// of the help, and the seed even if it was not given. It says neither where the file went nor, if
/// their paths begin at the root, the folders of files that were read: the same question gives the
/// same bytes, however it was typed and on whichever machine. One line of UTF-8 without control
/// characters.
///
/// `command`: "rope decay".
std::string origin_of(std::string_view command, const OptionSet& options);

}  // namespace rope::app
