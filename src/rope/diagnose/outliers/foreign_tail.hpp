#pragma once

#include <optional>

namespace rope {

struct Diagnosis;
struct DiagnosisRequest;
struct RotatedTensors;

/// What explains the rotated dimensions by themselves, where those behind them are not what they
/// should be, or were not rounded with them: of the rotated size that is stated, or else of one
/// that a preset or a usual base has.
///
/// `request.nearest` does not count: only what reproduces y within rounding does.
std::optional<Diagnosis> explain_all_but_tail(const RotatedTensors& tensors,
                                              const DiagnosisRequest& request);

}  // namespace rope
