#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/remedy.hpp"

namespace rope {

/// A remark on an explanation, as a sentence without a full stop, and what to do about it.
struct Advice {
  std::string finding;
  Remedy remedy;
};

/// The end of a finding if the assumption differs only in some digits.
inline constexpr std::string_view kBeyondBounds = "which leaves numbers of y beyond their bounds";

/// Where an explanation differs from an assumption, and what to do about it. The request that led
/// to the explanation must have contained this assumption, so that the search tried it.
std::vector<Advice> differences(const Explanation& explanation, const Assumption& assumption);

/// What is unusual about an explanation by itself: positions that do not start at 0, the direction,
/// rows of weights in another order, frequencies that several rules produce.
///
/// `positions_given`: true if the positions were stated, false if they were assumed to be 0, 1, 2 …
std::vector<Advice> remarks(const Explanation& explanation, bool positions_given);

/// What to do if positions were rounded to a 16-bit format.
Remedy remedy_of_rounded_positions(Format format);

/// The rule and base as text: "default, base 10000", "yarn:factor=4,original=32768, base
/// 1000000", "as measured".
std::string frequencies_text(const Spectrum& spectrum);

}  // namespace rope
