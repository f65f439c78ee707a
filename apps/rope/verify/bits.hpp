#pragma once

#include <string>
#include <vector>

#include "rope/pictures/embedding_text.hpp"
#include "rope/verify/multiprecision.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the verdict, and how the identity's error falls with the number of bits.
void print_bits_report(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                       const RotaryVariant& variant, const Console& console);

/// The document of `rope verify --precision BITS --json`; docs/commands.md lists its fields.
std::string bits_json(const VerifyOptions& options, const std::vector<MultiprecisionStep>& steps,
                      const std::vector<std::string>& warnings);

/// One row per number of bits.
std::string bits_csv(const std::vector<MultiprecisionStep>& steps);

}  // namespace rope::app
