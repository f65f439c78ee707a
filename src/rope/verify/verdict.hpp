#pragma once

#include "rope/verify/verification.hpp"

namespace rope {

/// Sets the verdict of a report from its numbers, and a sentence for each thing that keeps it from
/// being a plain pass. "Conforms to its policy" (no bound exceeded) and "is good enough"
/// (options.require) are told apart in the sentences.
void decide(const VerifyOptions& options, VerifyReport& report);

}  // namespace rope
