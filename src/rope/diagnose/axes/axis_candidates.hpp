#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// An embedding of several axes that may have rotated the tensors.
struct AxisCandidate {
  Spectrum spectrum;
  bool assumed = false;
};

/// What is assumed, embeddings of several axes that are known by name, and sections as published
/// models share them out, with the bases that are usual there: each of so many rotated dimensions.
std::vector<AxisCandidate> axis_candidates(const DiagnosisRequest& request, std::size_t rotary_dim);

/// The axes that are stated, with usual bases instead of its own: nothing where its frequencies are
/// not those of a base.
std::vector<AxisCandidate> axes_of_other_bases(const RotaryEmbedding& stated);

/// The axis and the frequency of every pair, as the angles over given positions tell them.
///
/// `angles`: of some tokens, whose positions are `places`.
std::vector<AxisCandidate> candidates_at(const MeasuredAngles& angles,
                                         const std::vector<Position>& places, std::size_t axes,
                                         const Search& search);

}  // namespace rope
