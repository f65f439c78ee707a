#pragma once

#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Conventions in which positions have several axes and which reproduce y: what is assumed,
/// embeddings known by name, usual sections of usual bases, and, where positions are given, the
/// axis and frequency of every pair as its angles tell them.
///
/// Where request.axis_positions are withheld, every axis' own pairs place each token on it; then
/// some token must stand elsewhere on one axis than on another, as nothing else tells axes apart.
///
/// `open` of each says which pairs may belong to another axis, and where positions are not certain.
std::vector<Explanation> explain_on_axes(const RotatedTensors& tensors,
                                         const DiagnosisRequest& request);

}  // namespace rope
