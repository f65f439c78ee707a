#pragma once

#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Conventions with positions on several axes that reproduce y: the assumed one, embeddings known
/// by name, and usual sections with usual bases. If positions are given, the axis and frequency of
/// each pair are also derived from its angles.
///
/// If request.axis_positions is not set, the position of each token on an axis is found from the
/// pairs of that axis. In that case, some token must have different positions on different axes,
/// since nothing else distinguishes the axes.
///
/// `open` of each explanation lists the pairs that may belong to another axis, and the axes on
/// which positions are uncertain.
std::vector<Explanation> explain_on_axes(const RotatedTensors& tensors,
                                         const DiagnosisRequest& request);

}  // namespace rope
