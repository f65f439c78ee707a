#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// The positions of a request, or 0, 1, 2 … where they are withheld.
std::vector<std::int64_t> given_or_counted(const DiagnosisRequest& request, std::size_t tokens);

/// What explains all tokens: the five steps one after the other, without a search for what most
/// tokens or pairs follow.
Diagnosis diagnose_all_tokens(const RotatedTensors& tensors, const DiagnosisRequest& request);

}  // namespace rope
