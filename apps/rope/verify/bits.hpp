#pragma once

#include <vector>

#include "rope/verify/multiprecision.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the verdict, and how the error of the identity falls as the number of bits grows.
void print_bits_report(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                       const RotaryVariant& variant, const Console& console);

}  // namespace rope::app
