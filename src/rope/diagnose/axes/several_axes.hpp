#pragma once

#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Conventions with positions on several axes that reproduce y: what is assumed, embeddings known
/// by name, and usual sections with usual bases. If positions are given, also the axis and
/// frequency that the angles of each pair show.
///
/// If request.axis_positions are withheld, each axis's own pairs place the tokens on it. Some token
/// must then have different positions on different axes, as nothing else tells axes apart.
///
/// `open` of each says which pairs may belong to another axis, and where positions are uncertain.
std::vector<Explanation> explain_on_axes(const RotatedTensors& tensors,
                                         const DiagnosisRequest& request);

}  // namespace rope
