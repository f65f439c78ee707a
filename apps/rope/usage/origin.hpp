#pragma once

#include <string>
#include <string_view>

#include "usage/options.hpp"

namespace rope::app {

/// "rope 0.2.0: rope decay --base 10000 --seed 42": what files state about their origin. Running
/// the line makes the same files again. It therefore contains every given option on which a file
/// depends, in the order of the help, and the seed even if it was not given. It omits the place
/// where the file was written and, for absolute paths, the folders of files that were read. As a
/// result, the same question gives the same bytes, however it was typed and on any machine. The
/// result is one line of UTF-8 without control characters.
///
/// `command`: "rope decay".
std::string origin_of(std::string_view command, const OptionSet& options);

}  // namespace rope::app
