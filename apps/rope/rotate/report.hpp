#pragma once

#include "rope/studies/turning.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Describes in one or two sentences, with numbers, how the arrows turn, and prints a table of the
/// pairs.
void print_turning(const TurningStudy& study, const RotaryVariant& variant, bool details,
                   const Console& console);

}  // namespace rope::app
