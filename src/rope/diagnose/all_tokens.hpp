#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/candidates.hpp"

namespace rope {

/// The positions stated in a request, or 0, 1, 2 … if none are stated.
std::vector<std::int64_t> given_or_counted(const DiagnosisRequest& request, std::size_t tokens);

/// Like diagnose_all_tokens(), but only for these candidates and their rivals. The result has no
/// explanation if no candidate passes.
Diagnosis diagnose_candidates(const RotatedTensors& tensors, const DiagnosisRequest& request,
                              std::vector<Candidate> candidates);

/// Runs the five steps of the search on all tokens together: the same as diagnose(), but without
/// the search for a convention that most, but not all, tokens or pairs follow.
Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request);

}  // namespace rope
