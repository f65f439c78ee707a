#pragma once

#include <cstdint>
#include <optional>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

/// L of a rule that counts from a trained length; nothing if it is not stated.
std::optional<std::int64_t> trained_length(const RotaryEmbedding& stated);

/// The lengths for which a dynamic rule gives the base that was found.
struct LengthInterval {
  std::int64_t likely = 0;  ///< the longest length that the rule is for, or else the roundest one
  bool exact = false;       ///< no other length gives that base
};

/// If the frequencies found are those that a stated dynamic rule gives for a longer sequence: for
/// which one. Nothing if the stated length has them too, or if the base may have been chosen.
std::optional<LengthInterval> length_of_dynamic(const Spectrum& found,
                                                const RotaryEmbedding& stated);

/// What a stated longrope rule gives on the other side of its trained length: the frequencies of
/// its long list for those of the short one, or the reverse. Nothing for any other rule.
std::optional<RotaryEmbedding> with_other_list(const RotaryEmbedding& stated);

}  // namespace rope
