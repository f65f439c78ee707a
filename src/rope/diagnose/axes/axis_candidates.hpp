#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// An embedding with several axes that may have rotated the tensors.
struct AxisCandidate {
  Spectrum spectrum;
  bool assumed = false;
};

/// Candidates with `rotary_dim` rotated dimensions: the assumed embedding, embeddings with several
/// axes that are known by name, and the sections of published models with their usual bases.
std::vector<AxisCandidate> axis_candidates(const DiagnosisRequest& request, std::size_t rotary_dim);

/// The stated axes with usual bases instead of the stated base; nothing if the stated frequencies
/// do not come from a base.
std::vector<AxisCandidate> axes_of_other_bases(const RotaryEmbedding& stated);

/// Candidates whose axis and frequency of every pair are derived from the angles at given
/// positions.
///
/// `angles`: the angles of some tokens; `places`: the positions of these tokens.
std::vector<AxisCandidate> candidates_at(const MeasuredAngles& angles,
                                         const std::vector<Position>& places, std::size_t axes,
                                         const Search& search);

}  // namespace rope
