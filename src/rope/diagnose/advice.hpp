#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Something to know about an explanation, and what to do about it (may be empty). Sentences
/// without a full stop.
struct Advice {
  std::string finding;
  std::string remedy;
};

/// What an assumption has otherwise than an explanation has it, and what to do.
std::vector<Advice> differences(const Explanation& explanation, const Assumption& assumption);

/// What is unusual in an explanation by itself: positions that start elsewhere, the direction, rows
/// of weights in another order, frequencies that several rules come to.
///
/// `positions_given`: whether the positions were stated, or assumed to be 0, 1, 2 …
std::vector<Advice> remarks(const Explanation& explanation, bool positions_given);

/// "default, base 10000", "yarn:factor=4,original=32768, base 1000000", "as measured".
std::string frequencies_text(const Spectrum& spectrum);

}  // namespace rope
