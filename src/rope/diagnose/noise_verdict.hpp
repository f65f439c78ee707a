#pragma once

// Verdicts for a y that differs from a convention only by noise, as the results of two programs do.
//
// `found` is what explains y exactly, if anything; each function returns nothing if `found`
// explains so much more of y that noise cannot account for the difference.

#include <optional>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// The stated embedding, or a likely one, if y differs from it only by noise.
std::optional<Diagnosis> diagnose_noise(const RotatedTensors& tensors,
                                        const DiagnosisRequest& request, const Diagnosis& found);

/// The same; failing that, a rotation of only the first pairs, with noise, if an explanation hardly
/// turns the other pairs. Such an explanation may fit only because bounds on rotated numbers allow
/// for noise.
std::optional<Diagnosis> noise_instead(const RotatedTensors& tensors,
                                       const DiagnosisRequest& request, const Diagnosis& found);

/// The convention that explains a part of the numbers, if all numbers follow it except for noise.
std::optional<Diagnosis> noise_beside(const Explanation& part, const RotatedTensors& tensors,
                                      const DiagnosisRequest& request, const Diagnosis& found);

/// The stated embedding, with noise, at the given positions rounded to 16 bits.
std::optional<Diagnosis> noise_at_rounded_positions(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request,
                                                    const Diagnosis& found);

/// The best fit, with noise, at positions other than a count, such as those of packed sequences.
std::optional<Diagnosis> noise_at_other_positions(const RotatedTensors& tensors,
                                                  const DiagnosisRequest& request,
                                                  const Diagnosis& found);

}  // namespace rope
