#pragma once

#include <optional>

namespace rope {

struct Diagnosis;
struct DiagnosisRequest;
struct RotatedTensors;

/// What explains the rotated dimensions by themselves if those after them are not what they should
/// be, or were not rounded with them. The rotated size is the stated one, or else one that goes
/// with a preset or a usual base.
///
/// Ignores `request.nearest`: only what reproduces y within rounding counts.
std::optional<Diagnosis> explain_all_but_tail(const RotatedTensors& tensors,
                                              const DiagnosisRequest& request);

}  // namespace rope
