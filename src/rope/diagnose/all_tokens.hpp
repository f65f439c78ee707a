#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/candidates.hpp"

namespace rope {

/// The positions of a request, or 0, 1, 2 … if they are withheld.
std::vector<std::int64_t> given_or_counted(const DiagnosisRequest& request, std::size_t tokens);

/// diagnose_all_tokens() for these candidates and their rivals only. The result has no explanation
/// if none of them passes.
Diagnosis diagnose_candidates(const RotatedTensors& tensors, const DiagnosisRequest& request,
                              std::vector<Candidate> candidates);

/// The five steps of the search, for all tokens together: the same as diagnose(), without the
/// search for a convention that only most tokens or pairs follow.
Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request);

}  // namespace rope
