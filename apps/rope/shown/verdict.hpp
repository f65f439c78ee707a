#pragma once

#include <string>
#include <string_view>

#include "rope/verify/verdict.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The verdict in coloured capitals; in languages other than English, followed by its translation:
/// FAIL（不通过）.
std::string painted_verdict(Verdict verdict, const Console& console);

/// Prints the first line of a report: the verdict in coloured capitals, and `why`, a sentence
/// without its full stop.
void say_verdict(Verdict verdict, std::string_view why, const Console& console);

/// "ok", "FAIL", or "open" if no error could have exceeded the bound; coloured.
std::string outcome_word(bool violated, bool open, const Console& console);

}  // namespace rope::app
