#include "rope/diagnose/disagreements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace rope {
namespace {

bool same_layout(const Explanation& first, const Explanation& second) {
  if (!first.pairs_seen || !second.pairs_seen) return true;
  const Arrangement &a = first.arrangement, &b = second.arrangement;
  // All layouts of a single pair are the same.
  if (a.pairs() == 1 || b.pairs() == 1) return a.pairs() == b.pairs();
  return a.in == b.in && a.out == b.out && a.blocks == b.blocks;
}

bool same_attention_factor(const Spectrum& a, const Spectrum& b) {
  constexpr double kSlack = 1e-6;
  const double left = a.embedding.attention_factor, right = b.embedding.attention_factor;
  return std::abs(left - right) <= kSlack + a.factor_error * left + b.factor_error * right;
}

/// The position of every token, in the order of the tokens, whatever its frequencies.
std::vector<std::int64_t> positions_of(const Explanation& e) {
  std::vector<std::pair<std::size_t, std::int64_t>> of_tokens;
  for (const Regime& regime : e.regimes)
    for (std::size_t i = 0; i < regime.tokens.size(); ++i)
      of_tokens.emplace_back(regime.tokens[i], regime.positions[i]);
  std::ranges::sort(of_tokens);
  std::vector<std::int64_t> positions;
  positions.reserve(of_tokens.size());
  for (const auto& [token, position] : of_tokens) positions.push_back(position);
  return positions;
}

/// Offsets say it where both have one; scattered tokens and runs are compared one by one.
bool same_positions(const Explanation& a, const Explanation& b) {
  if (a.position_offset || b.position_offset) return a.position_offset == b.position_offset;
  return positions_of(a) == positions_of(b);
}

}  // namespace

std::string_view name(ConventionPart part) {
  switch (part) {
    case ConventionPart::layout:
      return "layout";
    case ConventionPart::rotary_dim:
      return "rotary_dim";
    case ConventionPart::frequencies:
      return "frequencies";
    case ConventionPart::direction:
      return "direction";
    case ConventionPart::pair_order:
      return "order of the pairs";
    case ConventionPart::attention_factor:
      return "attention factor";
    case ConventionPart::position_offset:
      break;
  }
  return "position offset";
}

namespace {

/// `placed`: the positions of both can be compared.
std::vector<ConventionPart> differing(const Explanation& a, const Explanation& b, bool placed) {
  std::vector<ConventionPart> result;
  const Spectrum &s = a.spectrum(), &t = b.spectrum();
  const auto compare = [&](ConventionPart part, bool same) {
    if (!same) result.push_back(part);
  };
  compare(ConventionPart::layout, same_layout(a, b));
  compare(ConventionPart::rotary_dim, a.arrangement.rotary_dim == b.arrangement.rotary_dim);
  compare(ConventionPart::frequencies, same_frequencies(s, t));
  compare(ConventionPart::direction, s.clockwise == t.clockwise);
  compare(ConventionPart::pair_order, s.reversed == t.reversed);
  compare(ConventionPart::attention_factor, same_attention_factor(s, t));
  if (placed) compare(ConventionPart::position_offset, same_positions(a, b));
  return result;
}

}  // namespace

std::vector<ConventionPart> disagreements(const Diagnosis& first, const Diagnosis& second,
                                          bool positions_given) {
  if (first.explanations.empty() || second.explanations.empty()) return {};
  const bool placed = positions_given || first.tokens == second.tokens;
  // What one convention of each list explains is not set apart by their order.
  for (const Explanation& a : first.explanations)
    for (const Explanation& b : second.explanations)
      if (differing(a, b, false).empty() && (!placed || same_positions(a, b))) return {};
  return differing(first.explanations.front(), second.explanations.front(), placed);
}

}  // namespace rope
