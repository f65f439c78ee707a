#pragma once

#include <optional>

namespace rope {

struct Diagnosis;
struct DiagnosisRequest;
struct RotatedTensors;

/// Explains the rotated dimensions by themselves if the dimensions after them are wrong or were not
/// rounded along with them. The rotated size is the stated one, or else a size that presets or
/// usual bases suggest.
///
/// Ignores `request.nearest` and accepts only explanations that reproduce y within rounding.
std::optional<Diagnosis> explain_all_but_tail(const RotatedTensors& tensors,
                                              const DiagnosisRequest& request);

}  // namespace rope
