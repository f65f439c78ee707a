#include "rope/diagnose/outliers/part.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/positions/direction.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {

std::optional<Explanation> explain_some(const RotatedTensors& tensors,
                                        std::span<const std::size_t> tokens,
                                        const DiagnosisRequest& request,
                                        std::span<const std::int64_t> given) {
  return explain_sample(some_tokens(tensors, tokens, tensors.lanes), tokens, request, given);
}

std::optional<Explanation> explain_sample(const RotatedTensors& sample,
                                          std::span<const std::size_t> tokens,
                                          DiagnosisRequest request,
                                          std::span<const std::int64_t> given) {
  request.counted = !request.positions;
  request.positions.emplace();
  for (const std::size_t token : tokens) request.positions->push_back(given[token]);
  Diagnosis found = diagnose_all_tokens(sample, request);
  if (found.verdict != DiagnosisVerdict::unique) return std::nullopt;
  Explanation& only = found.explanations.front();
  if (!only.position_offset || !only.spectrum().recognised) return std::nullopt;
  return std::move(only);
}

Regime all_tokens(const Explanation& explanation, std::span<const std::int64_t> given) {
  Regime regime;
  regime.spectrum = explanation.spectrum();
  regime.tokens.resize(given.size());
  std::iota(regime.tokens.begin(), regime.tokens.end(), std::size_t{0});
  regime.positions.assign(given.begin(), given.end());
  for (std::int64_t& position : regime.positions) position += *explanation.position_offset;
  return regime;
}

std::optional<JudgedPolicy> policy_for_all(const Explanation& explanation,
                                           const RotatedTensors& tensors) {
  const std::vector<JudgedPolicy> policies = possible_policies(tensors);
  const auto policy = std::find_if(policies.begin(), policies.end(), [&](const JudgedPolicy& each) {
    return each.policy.name == explanation.policy.name;
  });
  if (policy == policies.end()) return std::nullopt;
  return *policy;
}

void choose_direction_of_counted(Explanation& explanation) {
  Regime& regime = explanation.regimes.front();
  const bool clockwise = regime.spectrum.clockwise;
  choose_direction(regime, {});
  explanation.direction_open = direction_is_open(regime, {});
  if (regime.spectrum.clockwise == clockwise) return;
  explanation.position_offset.reset();
  explanation.runs = position_runs(explanation.regimes);
}

}  // namespace rope
