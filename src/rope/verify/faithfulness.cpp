#include "rope/verify/faithfulness.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rope/precision/largest.hpp"
#include "rope/rotary/measured.hpp"

namespace rope {
namespace {

/// For each dimension of a head: the pair it belongs to.
std::vector<std::size_t> pair_of_dimension(const RotaryEmbedding& embedding) {
  std::vector<std::size_t> pair(embedding.head_dim, PairSource::kNone);
  for (std::size_t k = 0; k < embedding.pairs(); ++k) {
    const auto [first, second] = embedding.dimensions(k);
    pair[first] = pair[second] = k;
  }
  return pair;
}

double block_error(const EffectiveBlock& block, const ReferenceRotation::Entry& truth) {
  const auto column = [&](double c, double s) {
    const double dc = truth.cos.distance(c), ds = truth.sin.distance(s);
    return std::sqrt(dc * dc + ds * ds);
  };
  const double left = column(block.cos, block.lower);
  const double right = column(block.other_cos, block.upper);
  return exceeds(right, left) ? right : left;
}

}  // namespace

std::vector<PairSource> pair_sources(const RotaryEmbedding& own, const RotaryEmbedding& claimed,
                                     bool additive) {
  const std::vector<std::size_t> pair =
      additive ? std::vector(own.head_dim, PairSource::kNone) : pair_of_dimension(own);
  std::vector<PairSource> sources;
  sources.reserve(claimed.pairs());
  for (std::size_t k = 0; k < claimed.pairs(); ++k) {
    const auto [first, second] = claimed.dimensions(k);
    const std::size_t own_pair = pair[first];
    sources.push_back({own_pair, pair[second],
                       own_pair != PairSource::kNone && own.dimensions(own_pair).first == first &&
                           own.dimensions(own_pair).second == second});
  }
  return sources;
}

std::vector<EffectiveBlock> effective_blocks(const Rotor& rotor, const Rotor::Row& row,
                                             const RotaryEmbedding& claimed) {
  const PairBlocks blocks = row.blocks();
  const auto diagonal = [&](std::size_t pair) {
    return pair == PairSource::kNone ? 1.0 : blocks.cos[pair];
  };
  std::vector<EffectiveBlock> result;
  result.reserve(claimed.pairs());
  for (const PairSource& source :
       pair_sources(rotor.pipeline().embedding(), claimed, rotor.additive()))
    result.push_back({diagonal(source.first), source.together ? blocks.upper[source.first] : 0,
                      source.together ? blocks.lower[source.first] : 0, diagonal(source.second)});
  return result;
}

FaithfulnessCheck::FaithfulnessCheck(const RotaryEmbedding& embedding,
                                     std::vector<std::int64_t> positions)
    : positions_(std::move(positions)), embedding_(embedding) {
  std::ranges::sort(positions_);
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  const ReferenceRotation reference(embedding);
  for (const std::int64_t position : positions_) rows_.push_back(reference.row(position));
}

void FaithfulnessCheck::compare(const Scheme& scheme, const ErrorBounds& bounds,
                                const std::function<void(const ComparedEntry&)>& take) const {
  Rotor::Row row;
  std::vector<double> limits;
  for (std::size_t p = 0; p < positions_.size(); ++p) {
    bounds.faithfulness(positions_[p], limits);
    for (const Rotor* rotor : {&scheme.query, &scheme.key, &scheme.relative}) {
      rotor->row(positions_[p], row);
      const std::vector<EffectiveBlock> blocks = effective_blocks(*rotor, row, embedding_);
      for (std::size_t k = 0; k < blocks.size(); ++k)
        take({{block_error(blocks[k], rows_[p][k]), limits[k] * embedding_.attention_factor},
              rotor,
              positions_[p],
              k});
    }
  }
}

Faithfulness FaithfulnessCheck::check(const Scheme& scheme, const ErrorBounds& bounds) const {
  Faithfulness result;
  Measured worst;
  compare(scheme, bounds, [&](const ComparedEntry& entry) {
    ++result.entries;
    if (entry.violated()) ++result.violations;
    if (exceeds(entry.error, result.max_table_error)) result.max_table_error = entry.error;
    if (!entry.worse_than(worst) && result.entries > 1) return;
    worst = entry;
    result.max_ratio = entry.ratio();
    result.error = entry.error;
    result.bound = entry.bound;
    result.pair = entry.pair;
    result.position = entry.position;
  });
  return result;
}

std::optional<UnfaithfulEntry> first_unfaithful(const Scheme& scheme,
                                                const RotaryEmbedding& embedding,
                                                const ErrorBounds& bounds) {
  constexpr std::int64_t kLastPosition = 65536;
  // The reference is itself only this right.
  const double factor = embedding.attention_factor;
  const double reference_error =
      factor * (std::numbers::sqrt2 * kCosSinError + 1e-18 + (factor == 1 ? 0 : 0x1p-53));
  Rotor::Row row;
  std::vector<double> limits;
  std::optional<UnfaithfulEntry> found;
  for (std::int64_t position = 1; position <= kLastPosition && !found; ++position) {
    bounds.faithfulness(position, limits);
    const RotationRow truth = rotation_row(embedding, position);
    for (const Rotor* rotor : {&scheme.query, &scheme.key, &scheme.relative}) {
      rotor->row(position, row);
      const std::vector<EffectiveBlock> blocks = effective_blocks(*rotor, row, embedding);
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        const double error = block_error(blocks[k], {{truth.cos[k], 0}, {truth.sin[k], 0}});
        const double bound = factor * limits[k];
        if (error <= bound + reference_error) continue;
        const Measured off{error, bound};
        if (!found || off.worse_than({found->error, found->bound}))
          found = {position, k, error, bound};
      }
    }
  }
  return found;
}

}  // namespace rope
