#include "rope/diagnose/noise_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/advice.hpp"
#include "rope/diagnose/frequencies/recognise.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/named_numbers.hpp"
#include "rope/diagnose/nearest/noise.hpp"
#include "rope/diagnose/position_runs.hpp"
#include "rope/diagnose/remarks.hpp"
#include "rope/diagnose/samples.hpp"
#include "rope/diagnose/verdict/judge.hpp"

namespace rope {
namespace {

/// Whether the convention that is stated explains y; where none is, whether any does.
bool explained_as_stated(const Diagnosis& result, const DiagnosisRequest& request) {
  return std::ranges::any_of(result.explanations, [&](const Explanation& e) {
    if (request.assumed && rounds_by_mistake(e.policy)) return false;
    return e.assumed || !request.assumed || differences(e, *request.assumed).empty();
  });
}

/// Whether positions advance evenly, by more than 1.
bool in_steps(std::span<const Position> positions) {
  if (positions.size() < 3) return false;
  const std::int64_t step = positions[1][0] - positions[0][0];
  for (std::size_t t = 1; t < positions.size(); ++t)
    if (positions[t][0] - positions[t - 1][0] != step) return false;
  return step > 1;
}

/// The plain rotation of the first pairs, where an explanation turns the others too little to be
/// seen: interleaved ones that a rule leaves at rest, or blocks after the first. At its base to the
/// power of their share.
std::optional<Explanation> of_first_pairs(const Explanation& e) {
  const Spectrum& spectrum = e.spectrum();
  const ScalingSpec& scaling = spectrum.scaling();
  const Arrangement& a = e.arrangement;
  if (e.assumed || e.regimes.size() != 1 || a.in != a.out) return std::nullopt;
  double share = 1 / static_cast<double>(a.blocks);
  if (a.blocks == 1 && a.in == 0 && scaling.rule == "proportional")
    share = scaling.numbers.at("partial");
  if (share == 1) return std::nullopt;
  const auto* const base = std::ranges::find_if(kUsualBases, [&](double usual) {
    return std::pow(spectrum.base_low, share) <= usual &&
           usual <= std::pow(spectrum.base_high, share);
  });
  if (base == kUsualBases.end()) return std::nullopt;
  Explanation part = e;
  part.arrangement.rotary_dim =
      2 * static_cast<std::size_t>(share * static_cast<double>(a.pairs()));
  part.arrangement.blocks = 1;
  part.regimes.front().spectrum = named(default_embedding(part.arrangement.rotary_dim, *base));
  return part;
}

}  // namespace

std::optional<Diagnosis> diagnose_noise(const RotatedTensors& tensors,
                                        const DiagnosisRequest& request, const Diagnosis& found) {
  if (explained_as_stated(found, request) || !request.nearest) return std::nullopt;
  Diagnosis result;
  result.token_axis = tensors.token_axis;
  result.tokens = tensors.tokens;
  result.storage = narrowest_format(tensors, &RotatedTensors::y);
  const std::optional<NoisyEmbedding> noisy = but_for_noise(tensors, request);
  if (!noisy) {
    if (!found.explanations.empty() || request.arrangement) return std::nullopt;
    result.noise = unchanged_but_for_noise(tensors);
    result.unchanged = result.noise.has_value();
    result.verdict = DiagnosisVerdict::ambiguous;
    return result.unchanged ? std::optional(std::move(result)) : std::nullopt;
  }
  // Positions in steps are those of a linear rule at a count, which explains y without noise.
  if (!request.positions && !found.explanations.empty() && in_steps(noisy->positions))
    return std::nullopt;
  const auto explains = [&](const Explanation& e) {
    // Of several axes, what rounds by mistake has the angles of what is stated.
    if (!e.regimes.front().on_axes.empty()) return !rounds_by_mistake(e.policy);
    return explains_noise(tensors, e, *noisy);
  };
  if (std::ranges::any_of(found.explanations, explains)) return std::nullopt;
  result.best_fit = noisy_fit(tensors, request, result.storage, *noisy);
  result.verdict = DiagnosisVerdict::ambiguous;
  return result;
}

std::optional<Diagnosis> noise_beside(const Explanation& part, const RotatedTensors& tensors,
                                      const DiagnosisRequest& request, const Diagnosis& found) {
  const std::vector<std::int64_t>& positions = part.regimes.front().positions;
  if (part.regimes.size() != 1 || positions.size() != tensors.tokens) return std::nullopt;
  FitPart whole;
  whole.arrangement = part.arrangement;
  whole.spectrum = part.spectrum();
  DiagnosisRequest likely = request;
  likely.likely = embedding_of(whole, tensors.dim);
  likely.positions = positions;
  std::optional<Diagnosis> as_stated = diagnose_noise(tensors, likely, found);
  if (as_stated || !request.assumed) return as_stated;
  likely.assumed.reset();
  return diagnose_noise(tensors, likely, found);
}

std::optional<Diagnosis> noise_instead(const RotatedTensors& tensors,
                                       const DiagnosisRequest& request, const Diagnosis& found) {
  if (std::optional<Diagnosis> noise = diagnose_noise(tensors, request, found)) return noise;
  if (found.explanations.empty()) return std::nullopt;
  const std::optional<Explanation> part = of_first_pairs(found.explanations.front());
  if (!part) return std::nullopt;
  DiagnosisRequest near = request;  // nor does such an explanation tell the size of a head
  near.nearest = true;
  return noise_beside(*part, tensors, near, {});
}

std::optional<Diagnosis> noise_at_rounded_positions(const RotatedTensors& tensors,
                                                    const DiagnosisRequest& request,
                                                    const Diagnosis& found) {
  if (!request.positions || request.counted || !request.assumed) return std::nullopt;
  DiagnosisRequest withheld = request;
  withheld.positions.reset();
  withheld.anywhere = true;
  std::optional<Diagnosis> elsewhere = diagnose_noise(tensors, withheld, found);
  if (!elsewhere || !elsewhere->best_fit || elsewhere->best_fit->parts.empty()) return std::nullopt;
  BestFit& fit = *elsewhere->best_fit;
  Regime regime;
  regime.tokens = spread(tensors.tokens, tensors.tokens);
  regime.positions = fit.parts.front().positions;
  const std::optional<Format> format = position_rounding(std::span(&regime, 1), *request.positions);
  if (!format) return std::nullopt;
  fit.looks_like = "positions that were rounded to " + format_word(*format);
  fit.remedy = remedy_of_rounded_positions(*format);
  return elsewhere;
}

std::optional<Diagnosis> noise_at_other_positions(const RotatedTensors& tensors,
                                                  const DiagnosisRequest& request,
                                                  const Diagnosis& found) {
  const std::optional<BestFit>& fit = found.best_fit;
  if (!fit || fit->noise || fit->settled() || fit->parts.empty() ||
      (request.positions && !request.counted))
    return std::nullopt;
  DiagnosisRequest likely = request;
  likely.likely = embedding_of(fit->parts.front(), tensors.dim);
  return diagnose_noise(tensors, likely, found);
}

}  // namespace rope
