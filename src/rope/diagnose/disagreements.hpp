#pragma once

// Do q and k of a model follow the same convention?
//
//     const auto differ = rope::disagreements(rope::diagnose(shape, x, y),
//                                             rope::diagnose(shape, x, y), false);
//     std::cout << describe(differ) << "\n";

#include <string_view>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/print.hpp"

namespace rope {

/// The parts that make up a convention.
enum class ConventionPart {
  layout,
  rotary_dim,
  frequencies,
  direction,
  pair_order,  ///< whether the fastest or the slowest pair comes first
  attention_factor,
  position_offset,
};

/// "layout", "rotary_dim", "frequencies", "direction", "order of the pairs", "attention factor" or
/// "position offset".
std::string_view name(ConventionPart part);

/// The parts in which the best explanations of two diagnoses differ; q and k of one model must not
/// differ in any. Numbers count as different only if they differ by more than the uncertainty of
/// the explanations.
///
/// `positions_given`: whether the offsets are relative to stated positions. If no positions were
/// stated, the offsets are compared only if both sequences have the same length: q may come from
/// one decoding step and k from a whole cache.
///
/// Edge      the result is empty if either diagnosis has no explanation, or if some convention
///           explains both.
std::vector<ConventionPart> disagreements(const Diagnosis& first, const Diagnosis& second,
                                          bool positions_given);

}  // namespace rope
