#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/verdict/judge.hpp"

namespace rope {

// What explains a part of the tensors, for searches that leave some of them out.

/// The only explanation of some tokens, with one offset, recognised frequencies and nothing left
/// open: others say nothing of the rest, and of several another one may be what the rest follows.
///
/// `given`: one position a token of the tensors, counted where the request has none.
std::optional<Explanation> explain_some(const RotatedTensors& tensors,
                                        std::span<const std::size_t> tokens,
                                        DiagnosisRequest request,
                                        std::span<const std::int64_t> given);

/// All tokens, turned as an explanation of some has it.
Regime all_tokens(const Explanation& explanation, std::span<const std::int64_t> given);

/// The pipeline of an explanation of some, if it may have made all of y.
std::optional<JudgedPolicy> policy_for_all(const Explanation& explanation,
                                           const RotatedTensors& tensors);

/// choose_direction() for an explanation with one regime, of tokens whose withheld positions were
/// counted.
void choose_direction_of_counted(Explanation& explanation);

}  // namespace rope
