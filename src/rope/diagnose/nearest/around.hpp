#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// What was done to the vectors beside a rotation that is known.
struct Around {
  std::string finding;  ///< "x is normalised before it is rotated (RMSNorm)"
  Remedy remedy;
  std::string convention;  ///< "half, default, base 10000"
  double residual = 1;     ///< |y − ŷ| over |x|
};

/// A normalisation, factors or a bias before or after a rotation by the frequencies that were
/// stated, those of presets or of usual bases at the given positions; nothing if each leaves more
/// than a fiftieth of y. At least four tokens or vectors are needed: fewer have too many factors of
/// their own.
std::optional<Around> around_rotation(const RotatedTensors& tensors,
                                      std::span<const std::int64_t> given,
                                      const DiagnosisRequest& request);

}  // namespace rope
