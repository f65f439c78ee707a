#include "rope/diagnose/outliers/foreign_tail.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "rope/diagnose/all_tokens.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/frequencies/round_numbers.hpp"
#include "rope/diagnose/samples.hpp"

namespace rope {
namespace {

/// The first `size` dimensions of every vector.
RotatedTensors leading_dimensions(const RotatedTensors& tensors, std::size_t size) {
  RotatedTensors part = tensors;
  std::vector<std::size_t> tokens, lanes;
  for (std::size_t t = 0; t < tensors.tokens; ++t) tokens.push_back(tensors.row(t, 0));
  for (std::size_t lane = 0; lane < tensors.lanes; ++lane)
    lanes.push_back(tensors.row(0, lane) - tensors.row(0, 0));
  part.token_starts = std::make_shared<const std::vector<std::size_t>>(std::move(tokens));
  part.lane_starts = std::make_shared<const std::vector<std::size_t>>(std::move(lanes));
  part.dim = size;
  return part;
}

/// Whether y[source(t, lane)] holds in the tail of every vector.
template <typename Expected>
bool tail_is(const RotatedTensors& tensors, std::size_t first, Expected expected) {
  for (std::size_t t = 0; t < tensors.tokens; ++t)
    for (std::size_t lane = 0; lane < tensors.lanes; ++lane)
      for (std::size_t i = first; i < tensors.dim; ++i)
        if (tensors.y[tensors.row(t, lane) + i] != expected(t, lane, i)) return false;
  return true;
}

ForeignTail what_holds(const RotatedTensors& tensors, std::size_t first) {
  ForeignTail tail{first, tensors.dim - 1, ForeignTail::Holds::others, 0};
  if (tail_is(tensors, first, [](auto, auto, auto) { return 0.0; }))
    tail.holds = ForeignTail::Holds::zero;
  else if (tensors.lanes > 1)
    for (const std::ptrdiff_t by : {1, -1}) {
      const std::size_t step = by > 0 ? 1 : tensors.lanes - 1;
      if (!tail_is(tensors, first, [&](std::size_t t, std::size_t lane, std::size_t i) {
            return tensors.x[tensors.row(t, (lane + step) % tensors.lanes) + i];
          }))
        continue;
      tail.holds = ForeignTail::Holds::another_lane;
      tail.lanes = by;
    }
  return tail;
}

/// The sizes that may be rotated: the stated one, or else those of presets of this head size.
std::vector<std::size_t> sizes_of(const DiagnosisRequest& request, std::size_t dim) {
  std::vector<std::size_t> sizes;
  const auto add = [&](std::size_t size) {
    if (size >= 4 && size < dim && std::ranges::find(sizes, size) == sizes.end())
      sizes.push_back(size);
  };
  if (request.assumed) add(request.assumed->embedding.rotary_dim());
  if (!sizes.empty() || (request.assumed && request.assumed->frequencies)) return sizes;
  add(dim / 2 / 2 * 2);
  add(dim / 4 / 2 * 2);
  for (const NamedEmbedding& preset : request.presets)
    if (preset.embedding.head_dim == dim) add(preset.embedding.rotary_dim());
  return sizes;
}

/// Whether it is a convention that somebody uses: half of the pairs of a whole head would be those
/// of an unusual base in half of it.
bool usual(const Explanation& e) {
  const std::optional<double> base = e.spectrum().base();
  return e.assumed || !e.spectrum().also.empty() ||
         (base && std::ranges::find(kUsualBases, *base) != kUsualBases.end());
}

/// Whether every token stands at position 0, where a factor is all that is left of a rotation: it
/// does not show which dimensions are rotated.
bool turns_nothing(const Explanation& e) {
  return std::ranges::all_of(e.regimes, [](const Regime& regime) {
    return std::ranges::count(regime.positions, 0) == std::ssize(regime.positions);
  });
}

}  // namespace

std::optional<Diagnosis> explain_all_but_tail(const RotatedTensors& tensors,
                                              const DiagnosisRequest& request) {
  if (request.arrangement) return std::nullopt;  // of a table, which has the rotated pairs alone
  for (const std::size_t size : sizes_of(request, tensors.dim)) {
    const RotatedTensors part = leading_dimensions(tensors, size);
    Diagnosis found = diagnose_all_tokens(part, request);
    if (found.explanations.empty() || found.explanations.front().arrangement.rotary_dim != size ||
        !usual(found.explanations.front()))
      continue;
    for (Explanation& e : found.explanations) e.head_dim = tensors.dim;
    const bool passes = tail_is(tensors, size, [&](std::size_t t, std::size_t lane, std::size_t i) {
      return tensors.x[tensors.row(t, lane) + i];
    });
    if (passes) return found;
    found.tail = what_holds(tensors, size);
    if (found.tail->holds == ForeignTail::Holds::others &&
        turns_nothing(found.explanations.front()))
      continue;
    found.verdict = DiagnosisVerdict::none;
    return found;
  }
  return std::nullopt;
}

}  // namespace rope
