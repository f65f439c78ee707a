// The family `angles`: which angles training has seen, and which a longer input meets.
#include <algorithm>
#include <array>
#include <numbers>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/rotary/unseen_angles.hpp"

namespace rope::claims {
namespace angle_family {
namespace {

using outcomes::kRoundoff;
using outcomes::pairs_named;

/// The shares of the positions `trained` … `length` − 1 that have an angle unlike every one of
/// training, without any rule.
std::vector<double> shares(const Frequencies& frequencies, Parameters& given) {
  return angle_coverage(frequencies, frequencies, given.integer("trained"), given.integer("length"),
                        given.number("within", kSeenWithin))
      .unseen;
}

/// Angles are compared as integers: a share is a count over another.
Outcome unseen(Parameters& given) {
  const Frequencies all = given.embedding().frequencies;
  return outcomes::rounded(shares(outcomes::only(all, pairs_named(given, all.pairs())), given));
}

/// How many pairs meet such an angle at all.
Outcome meeting(Parameters& given) {
  const std::vector<double> all = shares(given.embedding().frequencies, given);
  return outcomes::whole(
      static_cast<std::size_t>(std::ranges::count_if(all, [](double share) { return share > 0; })));
}

/// The widest part of the circle of a pair in which no trained position has an angle.
Outcome gap(Parameters& given) {
  const Frequencies all = given.embedding().frequencies;
  const std::int64_t trained = given.integer("trained");
  std::vector<double> gaps;
  for (const std::size_t pair : pairs_named(given, all.pairs()))
    gaps.push_back(widest_gap(all, pair, trained));
  return {std::move(gaps), 0x1p-61 + 2 * kRoundoff * 2 * std::numbers::pi};
}

constexpr std::array kQuantities = {
    Quantity{"angles.unseen", "share of new positions with an unseen angle", unseen},
    Quantity{"angles.meeting", "pairs that meet unseen angles", meeting},
    Quantity{"angles.gap", "widest unseen part of the circle (rad)", gap},
};

}  // namespace
}  // namespace angle_family

std::span<const Quantity> angle_quantities() { return angle_family::kQuantities; }

}  // namespace rope::claims
