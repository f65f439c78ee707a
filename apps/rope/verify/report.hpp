#pragma once

#include "rope/verify/verification.hpp"
#include "rope/words/embedding_text.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the verdict, and in a few lines what it rests on, for people. `variant`: the embedding as
/// it was named; `details`: in full.
void print_verify_report(const VerifyOptions& options, VerifyReport report,
                         const RotaryVariant& variant, bool details, const Console& console);

/// What `--details` adds to that: the setting, every check in raw numbers, the certificate and the
/// planted mistakes.
void print_verify_details(const VerifyOptions& options, const VerifyReport& report,
                          const Console& console);

/// Prints the two numbers that should be one: of the given vectors in each layout, or of the case
/// with the largest ratio, for q and k of length 1 if requested. Says if a given case cannot tell
/// right from wrong.
void print_two_sides(const VerifyOptions& options, const VerifyReport& report, bool of_length_1,
                     const Console& console);

}  // namespace rope::app
