#include "rope/diagnose/outliers/odd_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/frequencies/aliases.hpp"
#include "rope/diagnose/outliers/part.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {
namespace {

constexpr std::size_t kPairBlocks = 4;
constexpr std::size_t kLeastPairs = 4;
constexpr std::size_t kMostTokens = 256;  // sampled to find the convention of the other pairs
constexpr std::size_t kMostPairings = 2;

/// Negates one of the two numbers of a single pair.
void negate_number(std::vector<double>& of_pair, std::size_t number) {
  for (std::size_t at = number; at < of_pair.size(); at += 2) of_pair[at] = -of_pair[at];
}

class OddPairs {
 public:
  OddPairs(const RotatedTensors& tensors, const DiagnosisRequest& request)
      : tensors_(tensors),
        request_(request),
        given_(given_or_counted(request, tensors.tokens)),
        sampled_(spread(tensors.tokens, kMostTokens)),
        sample_(some_tokens(tensors, sampled_, tensors.lanes)) {}

  /// The convention of −y.
  std::optional<OddPairsExplanation> negated() const {
    CopiedNumbers opposite = copied(sample_);
    for (double& value : opposite.y) value = -value;
    return explained(std::move(opposite), request_);
  }

  std::optional<OddPairsExplanation> without_blocks(const Arrangement& arrangement) const {
    const std::size_t pairs = arrangement.pairs();
    if (pairs < kLeastPairs) return std::nullopt;
    for (std::size_t block = 0; block < kPairBlocks; ++block) {
      const std::size_t first = block * pairs / kPairBlocks;
      std::vector<std::size_t> silent((block + 1) * pairs / kPairBlocks - first);
      std::iota(silent.begin(), silent.end(), first);
      if (std::optional<OddPairsExplanation> found = without(arrangement, silent)) return found;
    }
    return std::nullopt;
  }

  /// The convention of all pairs but these.
  std::optional<OddPairsExplanation> without(const Arrangement& arrangement,
                                             std::span<const std::size_t> silent) const {
    CopiedNumbers rest = copied(sample_);
    for (const std::size_t pair : silent) {
      const PairDimensions in = arrangement.in_dimensions(pair);
      const PairDimensions out = arrangement.out_dimensions(pair);
      for (std::size_t row = 0; row < rest.x.size(); row += sample_.dim) {
        rest.x[row + in.first] = rest.x[row + in.second] = 0;
        rest.y[row + out.first] = rest.y[row + out.second] = 0;
      }
    }
    DiagnosisRequest of_rest = request_;
    of_rest.arrangement = arrangement;
    return explained(std::move(rest), of_rest);
  }

 private:
  /// `changed`: numbers of the sample.
  std::optional<OddPairsExplanation> explained(CopiedNumbers changed,
                                               const DiagnosisRequest& request) const {
    const RotatedTensors sample{
        sample_.tokens,       sample_.lanes,
        sample_.dim,          Numbers(std::move(changed.x), std::move(changed.origins)),
        std::move(changed.y), sample_.token_axis};
    std::optional<Explanation> found = explain_sample(sample, sampled_, request, given_);
    return found ? compared(*std::move(found)) : std::nullopt;
  }

  /// Adds every pair that does not follow the convention, and how it turns instead.
  std::optional<OddPairsExplanation> compared(Explanation found) const {
    const std::optional<JudgedPolicy> policy = policy_for_all(found, tensors_);
    if (!policy) return std::nullopt;
    found.regimes = {all_tokens(found, given_)};
    OddPairsExplanation result;
    std::size_t negated = 0;
    for (std::size_t pair = 0; pair < found.arrangement.pairs(); ++pair) {
      const std::optional<OddTurn> turn = how(found, *policy, pair);
      if (!turn) continue;
      if (*turn == OddTurn::another_frequency) return std::nullopt;
      result.pairs.push_back({pair, *turn});
      if (*turn == OddTurn::negated) ++negated;
    }
    const std::size_t pairs = found.arrangement.pairs();
    if (result.pairs.empty() || (3 * result.pairs.size() > pairs && negated < pairs))
      return std::nullopt;
    found.judgement = Judge(tensors_, found.arrangement, request_.hypotheses)
                          .judge(*policy, found.regimes.front(), Judge::kEvery);
    if (!request_.positions) choose_direction_of_counted(found);
    result.explanation = std::move(found);
    return result;
  }

  /// Nothing if the pair follows the convention.
  std::optional<OddTurn> how(const Explanation& convention, const JudgedPolicy& policy,
                             std::size_t pair) const {
    RotatedTensors alone = pair_alone(tensors_, convention.arrangement, pair);
    std::vector<double> y = copied(alone).y;
    alone.y = y;  // sees every change of y
    Regime regime = regime_of_pair(convention.regimes.front(), pair);
    const auto fits = [&] {
      return Judge(alone, {0, 2, 0, 0}, request_.hypotheses).judge(policy, regime).passed;
    };
    if (fits()) return std::nullopt;
    negate_number(y, 0);
    if (fits()) return OddTurn::first_negated;
    negate_number(y, 1);
    if (fits()) return OddTurn::negated;
    negate_number(y, 0);
    if (fits()) return OddTurn::second_negated;
    negate_number(y, 1);
    regime.spectrum.clockwise = !regime.spectrum.clockwise;
    if (fits()) return OddTurn::other_way;
    return turns_by_itself(alone, regime.positions);
  }

  /// How a pair turns that follows the convention in neither direction.
  OddTurn turns_by_itself(const RotatedTensors& alone,
                          const std::vector<std::int64_t>& positions) const {
    DiagnosisRequest request;
    request.positions = positions;
    request.arrangement = Arrangement{0, 2, 0, 0};
    request.hypotheses = request_.hypotheses;
    const Diagnosis found = diagnose_all_tokens(alone, request);
    if (found.verdict != DiagnosisVerdict::none) return OddTurn::another_frequency;
    return found.pairings.empty() ? OddTurn::no_rotation : OddTurn::no_frequency;
  }

  const RotatedTensors& tensors_;
  const DiagnosisRequest& request_;
  std::vector<std::int64_t> given_;
  std::vector<std::size_t> sampled_;  // tokens
  RotatedTensors sample_;
};

}  // namespace

std::optional<OddPairsExplanation> explain_all_but_odd_pairs(const RotatedTensors& tensors,
                                                             const DiagnosisRequest& request,
                                                             std::span<const Arrangement> pairings,
                                                             const Arrangement& nearest,
                                                             std::span<const std::size_t> misfits) {
  const OddPairs odd(tensors, request);
  if (pairings.empty())
    return misfits.empty() || 3 * misfits.size() > nearest.pairs() ? std::nullopt
                                                                   : odd.without(nearest, misfits);
  if (std::optional<OddPairsExplanation> found = odd.negated()) return found;
  for (std::size_t i = 0; i < std::min<std::size_t>(kMostPairings, pairings.size()); ++i)
    if (std::optional<OddPairsExplanation> found = odd.without_blocks(pairings[i])) return found;
  return std::nullopt;
}

}  // namespace rope
