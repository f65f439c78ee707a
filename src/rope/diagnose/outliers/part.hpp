#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/verdict/judge.hpp"

namespace rope {

// Explanations of a part of the tensors, for searches that omit some tokens or pairs.

/// The explanation of some tokens, if it is unique and has one offset and recognised frequencies:
/// only such an explanation determines how the other tokens should turn.
///
/// `given`: one position per token of the tensors, counted if the request has none.
std::optional<Explanation> explain_some(const RotatedTensors& tensors,
                                        std::span<const std::size_t> tokens,
                                        const DiagnosisRequest& request,
                                        std::span<const std::int64_t> given);

/// The same for a sample of these tokens. The numbers of the sample may have been changed.
std::optional<Explanation> explain_sample(const RotatedTensors& sample,
                                          std::span<const std::size_t> tokens,
                                          DiagnosisRequest request,
                                          std::span<const std::int64_t> given);

/// The regime of an explanation of some tokens, extended to all tokens.
Regime all_tokens(const Explanation& explanation, std::span<const std::int64_t> given);

/// The pipeline of an explanation of some tokens, if that pipeline may have made all of y.
std::optional<JudgedPolicy> policy_for_all(const Explanation& explanation,
                                           const RotatedTensors& tensors);

/// Calls choose_direction() for an explanation with one regime whose positions were counted because
/// none were given.
void choose_direction_of_counted(Explanation& explanation);

}  // namespace rope
