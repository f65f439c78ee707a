#pragma once

#include <string>

#include "rope/studies/primer.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The answer to the topic's question in a sentence or two, and its numbers beside what they must
/// be. `details`: for some topics a table more.
void print_primer(const PrimerStudy& study, bool details, const Console& console);

/// The answer alone.
std::string primer_answer(const PrimerStudy& study);

}  // namespace rope::app
