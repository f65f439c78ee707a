#pragma once

#include <string>

#include "rope/studies/primer.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The answer to the topic's question in a sentence or two, and its numbers beside what they must
/// be. `details`: for some topics a table more.
void print_primer(const PrimerStudy& study, bool details, const Console& console);

/// The numbers, a row each.
std::string primer_csv(const PrimerStudy& study);

/// Schema rope.rotate/1, with the field `topic`.
std::string primer_json(const PrimerStudy& study);

}  // namespace rope::app
