#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "rope/diagnose/remedy.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

struct DiagnosisRequest;

/// What was done to the vectors in addition to a known rotation.
struct Around {
  std::string finding;  ///< "x is normalised before it is rotated (RMSNorm)"
  Remedy remedy;
  std::string convention;  ///< "half, default, base 10000"
  double residual = 1;     ///< |y − ŷ| over |x|
};

/// Finds a normalisation, factors or a bias applied before or after a rotation at the given
/// positions with the stated frequencies, or with those of presets or usual bases. Returns nothing
/// if each of these leaves more than a fiftieth of y unexplained. Needs at least four tokens or
/// vectors: with fewer, there are too many free factors.
std::optional<Around> around_rotation(const RotatedTensors& tensors,
                                      std::span<const std::int64_t> given,
                                      const DiagnosisRequest& request);

}  // namespace rope
