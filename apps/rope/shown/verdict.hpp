#pragma once

#include <string>
#include <string_view>

#include "rope/verify/verdict.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the first line of a report: the verdict in capitals, coloured, and why: a sentence
/// without its full stop.
void say_verdict(Verdict verdict, std::string_view why, const Console& console);

/// "ok", "open" where every error would be allowed, or "FAIL"; coloured.
std::string outcome_word(bool violated, bool open, const Console& console);

}  // namespace rope::app
