#pragma once

// Verdicts for a y that differs from a convention by noise only, as between two programs.
//
// `found` is what explains y exactly, if anything; each function returns nothing if that explains
// so much more of y that noise does not account for it.

#include <optional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// What is stated, or likely, if y differs from it by noise only.
std::optional<Diagnosis> diagnose_noise(const RotatedTensors& tensors,
                                        const DiagnosisRequest& request, const Diagnosis& found);

/// The same, or with the first pairs only of an explanation whose other pairs hardly turn: its
/// bounds allow for noise, but the numbers that pass through show that noise.
std::optional<Diagnosis> noise_instead(const RotatedTensors& tensors,
                                       const DiagnosisRequest& request, const Diagnosis& found);

/// An explanation of a part of the numbers, if all of them follow it except for noise.
std::optional<Diagnosis> noise_beside(const Explanation& part, const RotatedTensors& tensors,
                                      const DiagnosisRequest& request, const Diagnosis& found);

/// What is stated, with noise, at the given positions rounded to 16 bits.
std::optional<Diagnosis> noise_at_rounded_positions(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request,
                                                    const Diagnosis& found);

/// The best fit, with noise, at positions other than a count, such as those of packed sequences.
std::optional<Diagnosis> noise_at_other_positions(const RotatedTensors& tensors,
                                                  const DiagnosisRequest& request,
                                                  const Diagnosis& found);

}  // namespace rope
