#pragma once

#include <string>
#include <string_view>

#include "rope/verify/verdict.hpp"
#include "shown/console.hpp"
#include "usage/command.hpp"

namespace rope::app {

/// What the program ends with.
ExitCode exit_code(Verdict verdict);

/// Prints the first line of a report: the verdict in capitals, coloured, and why: a sentence
/// without its full stop.
void say_verdict(Verdict verdict, std::string_view why, const Console& console);

/// "ok", "open" where every error would be allowed, or "FAIL"; coloured.
std::string outcome_word(bool violated, bool open, const Console& console);

}  // namespace rope::app
