#pragma once

#include <cstdint>
#include <optional>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// The trained length L of a rule that depends on it; nothing if L is not stated.
std::optional<std::int64_t> trained_length(const RotaryEmbedding& stated);

/// The lengths for which a dynamic rule gives the base that was found.
struct LengthInterval {
  /// The longest length for which the rule is meant, or else the roundest number.
  std::int64_t likely = 0;
  bool exact = false;  ///< no other length gives that base
};

/// The length, beyond the trained one, for which a stated dynamic rule gives the frequencies found.
/// Nothing if the rule gives these frequencies at no length or also at the stated length, or if the
/// base may have been chosen by hand.
std::optional<LengthInterval> length_of_dynamic(const Spectrum& found,
                                                const RotaryEmbedding& stated);

/// What a stated longrope rule gives on the other side of its trained length: the frequencies of
/// its long list instead of those of the short one, or the reverse. Nothing for any other rule.
std::optional<RotaryEmbedding> with_other_list(const RotaryEmbedding& stated);

}  // namespace rope
