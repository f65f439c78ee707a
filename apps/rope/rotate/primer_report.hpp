#pragma once

#include <string>

#include "rope/studies/primer.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the answer to the topic's question in a sentence or two, and its numbers next to the
/// values they must have. `details`: for some topics, also prints one more table.
void print_primer(const PrimerStudy& study, bool details, const Console& console);

/// Only the answer, as text.
std::string primer_answer(const PrimerStudy& study);

}  // namespace rope::app
