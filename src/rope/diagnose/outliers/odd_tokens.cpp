#include "rope/diagnose/outliers/odd_tokens.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/outliers/part.hpp"
#include "rope/diagnose/pairings/find_pairings.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {
namespace {

constexpr std::size_t kBlocks = 4;
constexpr std::size_t kLeastTokens = 8;   // blocks of two
constexpr std::size_t kMostInBlock = 64;  // tokens used for a first guess

class Majority {
 public:
  Majority(const RotatedTensors& tensors, const DiagnosisRequest& request)
      : tensors_(tensors), request_(request), given_(given_or_counted(request, tensors.tokens)) {}

  std::optional<MajorityExplanation> find() const {
    if (tensors_.tokens < kLeastTokens) return std::nullopt;
    for (std::size_t block = 0; block < kBlocks; ++block) {
      const std::size_t first = block * tensors_.tokens / kBlocks;
      const std::size_t end = (block + 1) * tensors_.tokens / kBlocks;
      std::vector<std::size_t> tokens(std::min<std::size_t>(end - first, kMostInBlock));
      std::iota(tokens.begin(), tokens.end(), first);
      const std::optional<Explanation> guess = explain_some(tensors_, tokens, request_, given_);
      if (!guess) continue;
      const std::vector<std::size_t> good = following(*guess);
      if (good.size() == tensors_.tokens || !most_of_the_telling(good)) continue;
      const std::optional<Explanation> found = explain_some(tensors_, good, request_, given_);
      if (!found) continue;
      if (std::optional<MajorityExplanation> result = judged(*found)) {
        if (!request_.positions) let_stand_elsewhere(*result);
        return result;
      }
    }
    return std::nullopt;
  }

 private:
  /// Whether at least two thirds of the tokens that changed are among these.
  bool most_of_the_telling(const std::vector<std::size_t>& tokens) const {
    const auto changed = [&](std::size_t t) {
      for (std::size_t lane = 0; lane < tensors_.lanes; ++lane) {
        const std::size_t row = tensors_.row(t, lane);
        for (std::size_t i = row; i < row + tensors_.dim; ++i)
          if (tensors_.x[i] != tensors_.y[i]) return true;
      }
      return false;
    };
    std::size_t all = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t)
      if (changed(t)) ++all;
    const auto some = std::count_if(tokens.begin(), tokens.end(), changed);
    return 3 * static_cast<std::size_t>(some) >= 2 * all && some > 0;
  }

  /// The tokens that keep the bounds of the best of the pipelines whose tables are no coarser than
  /// y.
  std::vector<std::size_t> following(const Explanation& explanation) const {
    std::vector<std::size_t> best;
    for (const JudgedPolicy& policy : possible_policies(tensors_)) {
      if (policy.emulated ||
          limits(policy.policy.table).precision < limits(policy.policy.store).precision)
        continue;
      std::vector<std::size_t> good = within(explanation, policy);
      if (good.size() > best.size()) best = std::move(good);
    }
    return best;
  }

  std::vector<std::size_t> within(const Explanation& explanation,
                                  const JudgedPolicy& policy) const {
    const Judge judge(tensors_, explanation.arrangement, request_.hypotheses);
    const Regime all = all_tokens(explanation, given_);
    std::vector<std::size_t> good;
    Regime one{{0}, {0}, all.spectrum};
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      one.tokens.front() = t;
      one.positions.front() = all.positions[t];
      if (judge.judge(policy, one).passed) good.push_back(t);
    }
    return good;
  }

  std::optional<MajorityExplanation> judged(Explanation found) const {
    MajorityExplanation result;
    const std::optional<JudgedPolicy> policy = policy_for_all(found, tensors_);
    if (!policy) return std::nullopt;
    const Regime all = all_tokens(found, given_);
    const Judge judge(tensors_, found.arrangement, request_.hypotheses);
    found.judgement = judge.judge(*policy, all, Judge::kEvery);
    if (found.judgement.passed) return std::nullopt;
    const std::vector<std::size_t> good = within(found, *policy);
    std::set_difference(all.tokens.begin(), all.tokens.end(), good.begin(), good.end(),
                        std::back_inserter(result.tokens));
    if (result.tokens.size() > 1 && break_outside(judge, *policy, all, result.tokens))
      return std::nullopt;
    found.regimes = {all};
    if (!request_.positions) choose_direction_of_counted(found);
    result.explanation = std::move(found);
    return result;
  }

  /// Positions that are withheld need not count up: where the tokens that turn all follow a
  /// convention, at whatever positions, only those that do not turn are broken.
  void let_stand_elsewhere(MajorityExplanation& most) const {
    const SearchTolerance tolerance = search_tolerance(
        tensors_, narrowest_format(tensors_, &RotatedTensors::y), request_.hypotheses, 0);
    std::vector<std::size_t> broken, rest;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      const bool follows = !std::ranges::binary_search(most.tokens, t);
      const bool turning = follows || turns(some_tokens(tensors_, {&t, 1}, tensors_.lanes),
                                            most.explanation.arrangement, tolerance);
      (turning ? rest : broken).push_back(t);
    }
    if (broken.empty() || broken.size() == most.tokens.size()) return;
    Diagnosis found = diagnose_all_tokens(some_tokens(tensors_, rest, tensors_.lanes), request_);
    if (found.explanations.empty()) return;
    Explanation& anywhere = found.explanations.front();
    const std::optional<JudgedPolicy> policy = policy_for_all(anywhere, tensors_);
    if (anywhere.regimes.size() > 1 || !policy) return;
    place_all(anywhere, rest);
    anywhere.judgement = Judge(tensors_, anywhere.arrangement, request_.hypotheses)
                             .judge(*policy, anywhere.regimes.front(), Judge::kEvery);
    most = {std::move(anywhere), std::move(broken)};
  }

  /// Makes an explanation of some tokens one of all: the others count on from the token before
  /// them.
  void place_all(Explanation& explanation, std::span<const std::size_t> some) const {
    Regime all{{}, {}, explanation.spectrum()};
    const std::vector<std::int64_t>& known = explanation.regimes.front().positions;
    std::size_t near = 0;
    for (std::size_t t = 0; t < tensors_.tokens; ++t) {
      if (near + 1 < some.size() && some[near + 1] <= t) ++near;
      all.tokens.push_back(t);
      all.positions.push_back(known[near] + static_cast<std::int64_t>(t) -
                              static_cast<std::int64_t>(some[near]));
    }
    explanation.regimes = {std::move(all)};
    compare_positions(explanation, given_);
  }

  /// Whether each of these tokens breaks the convention outside the rotated block: then the rotated
  /// size is wrong, not the tokens.
  static bool break_outside(const Judge& judge, const JudgedPolicy& policy, const Regime& all,
                            std::span<const std::size_t> tokens) {
    return std::all_of(tokens.begin(), tokens.end(), [&](std::size_t token) {
      const Regime one{{token}, {all.positions[token]}, all.spectrum};
      return !judge.rotates(judge.judge(policy, one).dimension);
    });
  }

  const RotatedTensors& tensors_;
  const DiagnosisRequest& request_;
  std::vector<std::int64_t> given_;
};

}  // namespace

std::optional<MajorityExplanation> explain_majority(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request) {
  return Majority(tensors, request).find();
}

}  // namespace rope
