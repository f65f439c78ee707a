#pragma once

#include "rope/studies/comparison.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the encodings side by side, for people.
void print_comparison(const EncodingComparison& comparison, bool details, const Console& console);

}  // namespace rope::app
