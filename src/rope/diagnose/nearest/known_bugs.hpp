#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// A published mistake that y follows.
struct KnownBug {
  std::string finding;  ///< what was done, a clause: "the halves of the result are exchanged"
  Remedy remedy;
  std::string convention;  ///< under which frequencies it was recognised
  double residual = 1;     ///< |y − ŷ| over |x|
};

/// The known bug that leaves least of y, tried with the frequencies that were stated, those of
/// presets and of usual bases, over the whole head, a half, a quarter or the part of a preset, at
/// the given positions; nothing if each leaves more than a fiftieth.
///
/// `tensors`: a sample. `given`: one position per token.
std::optional<KnownBug> known_bug(const RotatedTensors& tensors,
                                  std::span<const std::int64_t> given,
                                  const DiagnosisRequest& request);

}  // namespace rope
