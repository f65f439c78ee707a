#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// A known bug that accounts for y.
struct KnownBug {
  std::string finding;  ///< what was done, as a clause: "the halves of the result are exchanged"
  Remedy remedy;
  std::string convention;  ///< the frequencies with which the bug was recognised
  double residual = 1;     ///< |y − ŷ| over |x|
};

/// The known bug that leaves the least of y unexplained at the given positions; nothing if each of
/// them leaves more than a fiftieth of y unexplained. Each bug is tried with the stated frequencies
/// and those of presets and usual bases, on the whole head, on a half or a quarter of it, and on
/// the part that a preset rotates.
///
/// `tensors`: a sample. `given`: one position per token.
std::optional<KnownBug> known_bug(const RotatedTensors& tensors,
                                  std::span<const std::int64_t> given,
                                  const DiagnosisRequest& request);

}  // namespace rope
