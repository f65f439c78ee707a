#pragma once

#include "rope/verify/verification.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the verdict for people and, in a few lines, what the verdict is based on. `variant`: the
/// embedding as the user named it; `details`: prints the report in full.
void print_verify_report(const VerifyOptions& options, VerifyReport report,
                         const RotaryVariant& variant, bool details, const Console& console);

/// Prints what `--details` adds to the report: the setting, every check in raw numbers, the
/// certificate and the planted mistakes.
void print_verify_details(const VerifyOptions& options, const VerifyReport& report,
                          const Console& console);

/// Prints the two numbers that should be equal: for the given vectors in each layout, or for the
/// case with the largest ratio, with q and k of length 1 if requested. Prints a note if a given
/// case cannot distinguish right from wrong.
void print_two_sides(const VerifyOptions& options, const VerifyReport& report, bool of_length_1,
                     const Console& console);

}  // namespace rope::app
