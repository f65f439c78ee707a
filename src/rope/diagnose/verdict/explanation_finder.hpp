#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/positions/candidates.hpp"
#include "rope/diagnose/verdict/judge.hpp"

namespace rope {

/// How much of a spectrum was fitted: 1 for a base with many digits, plus 2 for an attention factor
/// that is neither 1 nor the rule's.
int fitted_parts(const Spectrum& spectrum);

/// Turns candidates that reproduce y within bounds, and their rivals, into explanations.
class ExplanationFinder {
 public:
  /// `given`: the position of each token, either given or counted.
  ExplanationFinder(const RotatedTensors& tensors, std::span<const std::int64_t> given,
                    const DiagnosisRequest& request);

  /// Judges all candidates under one pipeline after another, the most exact first, until some
  /// candidates pass. Candidates that pass become explanations; rivals do so if they pass under any
  /// pipeline, because y cannot rule them out. Recognised frequencies are judged first. Returns
  /// true if any candidate passes; if none does, the one that fails at the fewest numbers is the
  /// near miss.
  bool judge(std::vector<Candidate> candidates);

  /// Also tries the assumed embedding, under every pipeline and in each of the layouts.
  void assume(const Assumption& assumption, std::span<const PairLayout> layouts);

  /// If nothing was recognised, tries usual bases, presets and embeddings close to the assumption
  /// under each of these pairings.
  void read_plainly(std::span<const Arrangement> arrangements,
                    std::span<const NamedEmbedding> presets,
                    const std::optional<Assumption>& assumed);

  /// Adds the usual bases and presets whose inv_freq, cast to 16 bits, agrees with what was
  /// measured pair by pair.
  void read_cast_frequencies(std::span<const NamedEmbedding> presets);

  /// Adds pairs to an interleaved block if the measured pairs do not fill a commonly rotated part
  /// of the head.
  void complete_blocks();

  /// Drops explanations that a simpler one makes superfluous.
  void prefer_plain();

  /// Whether some explanation has frequencies of a base, a rule or a preset.
  bool recognised() const {
    return std::any_of(explanations_.begin(), explanations_.end(),
                       [](const Explanation& e) { return e.spectrum().recognised; });
  }

  /// If there is only one explanation, records in it whatever else would pass in its place.
  void doubt();

  /// The candidate that came nearest to y, if none passed.
  const std::optional<Explanation>& near_miss() const { return near_miss_; }

  std::vector<Explanation> take_explanations() { return std::move(explanations_); }
  std::optional<Explanation> take_near_miss() { return std::move(near_miss_); }

 private:
  /// The stated positions of the tokens; empty if tokens are only counted.
  std::span<const std::int64_t> stated() const {
    return given_.first(withheld_ ? 0 : given_.size());
  }
  void choose_directions(Candidate& candidate) const;
  std::optional<Judgement> judged(const Candidate& candidate, const JudgedPolicy& policy) const;
  bool already_explained(const Candidate& candidate) const;
  void explain(const Candidate& candidate, const JudgedPolicy& policy, const Judgement& judgement);
  std::optional<std::string> open_question(const Explanation& only) const;
  bool passes_with_other_factor(const Explanation& only) const;
  bool may_have_more_turns(const Explanation& only) const;
  bool passes_with_frequency(const Judge& judge, Regime alone, double more) const;
  bool passes_with_other_offset(const Explanation& only) const;
  void prefer_round_numbers(const JudgedPolicy& passed);
  bool replace(Explanation& explanation, const JudgedPolicy& policy, int fewer) const;
  void add_rivals();
  void add_measured_as_given();
  bool refuted(const JudgedPolicy& policy) const;
  void explain_by_mistake(const Candidate& candidate);
  bool explain_under_any_policy(const Candidate& candidate);
  bool passes_under_any_policy(const Candidate& candidate, const Explanation& only) const;
  void add_longer_blocks(const JudgedPolicy& policy);
  std::optional<Arrangement> longer(const Arrangement& block, const Spectrum& spectrum) const {
    return longer_block(block, spectrum.reversed, tensors_.dim);
  }
  bool may_be_longer(const Explanation& explanation) const;
  bool may_turn_unseen(const Explanation& explanation, const Arrangement& block,
                       double slower) const;
  void extend_blocks();
  bool extend(const Explanation& explanation, const Arrangement& block);
  Regime regime_of_all(std::vector<std::int64_t> positions) const;
  bool needs_more_rounding(const Policy& policy, const Candidate& candidate) const;
  bool state(Candidate candidate, bool in_full);
  bool state_everywhere(const Spectrum& spectrum, std::span<const Arrangement> arrangements,
                        std::size_t as_stated, std::span<const std::vector<std::int64_t>> places);
  bool stranger_size(const Explanation& strange, const Explanation& plain) const;
  void find_near_miss();

  const RotatedTensors& tensors_;
  std::span<const std::int64_t> given_;
  bool withheld_;  // the request has no positions: `given_` merely counts tokens
  bool counted_;   // the positions of the request are only a count
  DiagnosisHypotheses hypotheses_;
  Format storage_, input_;  // the narrowest formats that hold y and x
  std::vector<JudgedPolicy> policies_;
  std::vector<Candidate> candidates_;
  std::vector<Explanation> explanations_;
  std::optional<Explanation> near_miss_;
};

}  // namespace rope
