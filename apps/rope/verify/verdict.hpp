#pragma once

#include <string>

#include "rope/verify/verdict.hpp"
#include "usage/command.hpp"

namespace rope::app {

/// What the program ends with.
ExitCode exit_code(Verdict verdict);

/// The last line of a report: the verdict in capitals, coloured.
std::string verdict_line(Verdict verdict, const Console& console);

}  // namespace rope::app
