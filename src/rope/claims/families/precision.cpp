// The family `precision`: what rounding leaves of a rotation.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/precision/first_position.hpp"
#include "rope/precision/length.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"

namespace rope::claims {
namespace precision_family {
namespace {

Policy policy_of(Parameters& given) { return parse_policy(given.word("policy", "exact")); }

Against against_of(Parameters& given) {
  const std::string word = given.word("against", "identity");
  for (const Against against : {Against::identity, Against::exact})
    if (name(against) == word) return against;
  throw DomainError("there is nothing called '" + word + "' to compare with");
}

/// The largest |‖R_m x‖/‖x‖ − 1| over random cases, beside what double precision explains.
Outcome length(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const Pipeline pipeline(policy_of(given), embedding);
  const std::size_t cases = given.count("cases", 200);
  const std::int64_t reach = given.integer("max_position", 131071);
  const auto seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  std::vector<double> x(embedding.head_dim);
  std::vector<double> turned(embedding.head_dim);
  RotationRow row;
  double worst = 0;
  for (std::size_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    random.fill_normal(x);
    pipeline.store(x);  // numbers that the policy can be given
    pipeline.table_row(random.integer(0, reach), row);
    pipeline.rotate(RotationForm::elementwise, row, x, turned);
    worst = std::max(worst, std::fabs(vector_length(turned) / vector_length(x) - 1));
  }
  return {{worst}, kRotationError + 8 * outcomes::kRoundoff};
}

/// The error of one pair at one pair of positions: of any q, k of length 1, at most.
Outcome error(Parameters& given) {
  const Pipeline pipeline(policy_of(given), given.embedding());
  const std::vector<std::int64_t> positions = given.integers("positions");
  if (positions.size() != 2) throw DomainError("expected the two positions m and n");
  const std::size_t pair = outcomes::pairs_named(given, pipeline.embedding().pairs()).front();
  return {{position_error(pipeline, against_of(given), positions[0], positions[1], pair)},
          kSearchNoise};
}

/// How many of the positions 0 … last the policy tells apart.
Outcome distinct(Parameters& given) {
  return {
      {static_cast<double>(distinct_integers(policy_of(given).position, given.integer("last")))},
      0};
}

constexpr std::array kQuantities = {
    Quantity{"precision.length", "largest |‖R_m x‖/‖x‖ − 1|", length},
    Quantity{"precision.error", "error of a score, relative to |q||k|", error},
    Quantity{"precision.distinct", "distinct positions", distinct},
};

}  // namespace
}  // namespace precision_family

std::span<const Quantity> precision_quantities() { return precision_family::kQuantities; }

}  // namespace rope::claims
