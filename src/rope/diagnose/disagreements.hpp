#pragma once

// Do q and k of one model follow one convention?
//
//     const auto differ = rope::disagreements(rope::diagnose(shape, x, y),
//                                             rope::diagnose(shape, x, y), false);
//     std::cout << describe(differ) << "\n";

#include <string_view>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/print.hpp"

namespace rope {

/// What makes up a convention.
enum class ConventionPart {
  layout,
  rotary_dim,
  frequencies,
  direction,
  pair_order,  ///< whether the fastest pair or the slowest comes first
  attention_factor,
  position_offset,
};

/// "layout", "rotary_dim", "frequencies", "direction", "order of the pairs", "attention factor" or
/// "position offset".
std::string_view name(ConventionPart part);

/// The parts in which the best explanations of two diagnoses differ: for q and k of one model, none
/// may. Numbers count as different only if they differ by more than either explanation leaves open.
///
/// `positions_given`: the offsets are relative to stated positions. Where positions are withheld,
/// only sequences of the same length must start at the same position: the q of one step comes after
/// the k of a whole cache.
///
/// Edge      none if one of the two has no explanation, or if some convention explains both.
std::vector<ConventionPart> disagreements(const Diagnosis& first, const Diagnosis& second,
                                          bool positions_given);

}  // namespace rope
