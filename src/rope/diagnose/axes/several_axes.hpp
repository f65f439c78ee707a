#pragma once

#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Conventions with positions on several axes that reproduce y: the assumed one, embeddings known
/// by name, and usual sections with usual bases. If positions are given, the axis and frequency of
/// each pair are also derived from its angles.
///
/// If request.axis_positions are not given, the position of each token on an axis is found from the
/// pairs of that axis. Some token must then have different positions on different axes, since
/// nothing else distinguishes the axes.
///
/// `open` of each explanation says which pairs may belong to another axis, and on which axes
/// positions are uncertain.
std::vector<Explanation> explain_on_axes(const RotatedTensors& tensors,
                                         const DiagnosisRequest& request);

}  // namespace rope
