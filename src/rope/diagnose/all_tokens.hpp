#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/candidates.hpp"

namespace rope {

/// The positions of a request, or 0, 1, 2 … where they are withheld.
std::vector<std::int64_t> given_or_counted(const DiagnosisRequest& request, std::size_t tokens);

/// The same for one candidate convention alone, its rivals included: no explanation if it does not
/// pass.
Diagnosis diagnose_candidates(const RotatedTensors& tensors, const DiagnosisRequest& request,
                              std::vector<Candidate> candidates);

/// The five steps for all tokens together; diagnose() without its search for a convention that only
/// most tokens or pairs follow.
Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request);

}  // namespace rope
