#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/candidates.hpp"
#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Judges candidates: those that reproduce y within bounds become explanations.
class Jury {
 public:
  /// `given`: the position of each token, as given or as counted.
  Jury(const RotatedTensors& tensors, std::span<const std::int64_t> given,
       const DiagnosisHypotheses& hypotheses);

  /// Judges all candidates under one pipeline after the other, the most exact first, until some
  /// pass: those that pass are the explanations, and with them whatever the numbers cannot tell
  /// from them. Recognised frequencies go first. True if any passes; if none does, the candidate
  /// that fails at the fewest numbers is kept as the near miss.
  bool judge(std::vector<Candidate> candidates);

  std::vector<Explanation> take_explanations() { return std::move(explanations_); }
  std::optional<Explanation> take_near_miss() { return std::move(near_miss_); }

 private:
  std::optional<Judgement> judged(const Candidate& candidate, const JudgedPolicy& policy) const;
  bool stands(const Candidate& candidate) const;
  void explain(const Candidate& candidate, const JudgedPolicy& policy, const Judgement& judgement);
  bool factor_may_be_offset(const Regime& regime) const;
  void prefer_round_numbers(const JudgedPolicy& passed);
  void add_given_positions();
  bool replace(Explanation& explanation, const JudgedPolicy& policy, int fewer) const;
  void add_hidden_rules(const JudgedPolicy& policy);
  void add_longer_blocks(const JudgedPolicy& policy);
  bool may_be_longer(const Explanation& explanation) const;
  void extend_blocks(const JudgedPolicy& policy);
  bool extend(const Explanation& explanation, std::size_t rotary_dim, const JudgedPolicy& policy);
  void find_near_miss();

  const RotatedTensors& tensors_;
  std::span<const std::int64_t> given_;
  DiagnosisHypotheses hypotheses_;
  Format storage_;
  std::vector<JudgedPolicy> policies_;
  std::vector<Candidate> candidates_;
  std::vector<Explanation> explanations_;
  std::optional<Explanation> near_miss_;
};

}  // namespace rope
