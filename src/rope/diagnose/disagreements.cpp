#include "rope/diagnose/disagreements.hpp"

#include <cmath>

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

std::vector<ConventionPart> disagreements(const Diagnosis& first, const Diagnosis& second,
                                          bool positions_given) {
  std::vector<ConventionPart> result;
  if (first.explanations.empty() || second.explanations.empty()) return result;
  const Explanation &a = first.explanations.front(), &b = second.explanations.front();
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
  if (positions_given || first.tokens == second.tokens)
    compare(ConventionPart::position_offset, a.position_offset == b.position_offset);
  return result;
}

}  // namespace rope
