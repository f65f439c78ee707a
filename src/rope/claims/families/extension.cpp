// The family `extension`: what a rule for longer inputs makes of frequencies and distances.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "rope/attention/base_bounds.hpp"
#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/rerope.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/exact_real.hpp"
#include "rope/rotary/unseen_angles.hpp"
#include "rope/scaling/scaling.hpp"

namespace rope::claims {
namespace extension_family {
namespace {

using outcomes::kRoundoff;
using outcomes::of_pairs;

/// A head before and after: `dim`, `base`; then `scaling` or a base `alpha` times as large.
struct Extended {
  Frequencies trained;
  Frequencies frequencies;
  std::vector<Band> bands;
  double base = 0;
  double scaled_base = 0;
};

Extended extended_of(Parameters& given) {
  ScalingContext context;
  context.head_dim = context.rotary_dim = given.count("dim", 128);
  context.base = given.number("base", 10000);
  if (given.has("seq_len")) context.seq_len = given.integer("seq_len");
  Extended made;
  made.base = context.base;
  made.trained = geometric_frequencies(context.base, context.rotary_dim);
  made.scaled_base = context.base * given.number("alpha", 1);
  context.base = made.scaled_base;
  Scaled scaled = scale(parse_scaling(given.word("scaling", "default")), context);
  made.frequencies = std::move(scaled.frequencies);
  made.bands = std::move(scaled.bands);
  for (const auto& [name, value] : scaled.facts)
    if (name == "scaled_base") made.scaled_base = value;
  return made;
}

Outcome base(Parameters& given) { return outcomes::rounded({extended_of(given).scaled_base}, 1); }

/// α, what the base is multiplied by.
Outcome factor(Parameters& given) {
  const Extended made = extended_of(given);
  return outcomes::rounded({made.scaled_base / made.base}, 2);
}

/// θ'_i/θ_i.
Outcome ratio(Parameters& given) {
  const Extended made = extended_of(given);
  std::vector<double> all = made.frequencies.theta;
  for (std::size_t k = 0; k < all.size(); ++k) all[k] /= made.trained.theta[k];
  return outcomes::rounded(of_pairs(all, given), 2);
}

/// The relative error of a reach: angle_reach, and the base times α.
constexpr double kReachError = 5 * 2 * kRoundoff;

std::vector<double> reach_of(const Extended& made, Parameters& given) {
  return angle_reach(made.trained, made.frequencies, given.integer("trained"),
                     given.integer("length"));
}

/// T*·θ'_i over T·θ_i.
Outcome reach(Parameters& given) {
  const Extended made = extended_of(given);
  std::vector<double> chosen = of_pairs(reach_of(made, given), given);
  const double bound = kReachError * outcomes::largest(chosen);
  return {std::move(chosen), bound};
}

/// Pairs whose angles go beyond those of training, of those that completed no turn there or of all.
std::vector<double> beyond_training(Parameters& given) {
  const Extended made = extended_of(given);
  const std::vector<double> all = reach_of(made, given);
  const auto trained = static_cast<double>(given.integer("trained"));
  const bool of_all = given.word("of", "never-turned") == "all";
  std::vector<double> beyond;
  for (std::size_t k = 0; k < all.size(); ++k)
    if ((of_all || trained < made.trained.wavelength[k]) && all[k] > 1 + kReachError)
      beyond.push_back(all[k]);
  return beyond;
}

Outcome beyond(Parameters& given) { return outcomes::whole(beyond_training(given).size()); }

/// By how much the worst of them does.
Outcome worst_reach(Parameters& given) {
  const double worst = outcomes::largest(beyond_training(given));
  return {{worst}, kReachError * worst};
}

/// T*·θ'_i in radians.
Outcome angle(Parameters& given) {
  const Extended made = extended_of(given);
  std::vector<double> all = made.frequencies.theta;
  const auto length = static_cast<double>(given.integer("length"));
  for (double& number : all) number *= length;
  return outcomes::rounded(of_pairs(all, given), 1);
}

/// How many pairs that completed no turn in training go round within the new length.
Outcome past_turn(Parameters& given) {
  const Extended made = extended_of(given);
  const auto trained = static_cast<double>(given.integer("trained"));
  const auto length = static_cast<double>(given.integer("length"));
  std::size_t count = 0;
  for (std::size_t k = 0; k < made.frequencies.pairs(); ++k)
    if (trained < made.trained.wavelength[k] && length > made.frequencies.wavelength[k]) ++count;
  return outcomes::whole(count);
}

/// The α at which no pair without a turn leaves the angles of training.
Outcome covering(Parameters& given) {
  return outcomes::rounded({covering_factor(given.number("base", 10000), given.count("dim", 128),
                                            given.integer("trained"), given.integer("length"))});
}

/// How many pairs a rule keeps, changes and stops.
Outcome bands(Parameters& given) {
  const Extended made = extended_of(given);
  std::array<double, 3> counts = {};
  for (const Band band : made.bands)
    counts.at(band == Band::kept ? 0 : band == Band::off ? 2 : 1) += 1;
  return {{counts.begin(), counts.end()}, 0};
}

/// The first and the last pair of a band.
Outcome band_pairs(Parameters& given) {
  const Extended made = extended_of(given);
  const std::string wanted = given.word("band");
  std::vector<double> found;
  for (std::size_t k = 0; k < made.bands.size(); ++k)
    if (name(made.bands[k]) == wanted) found.push_back(static_cast<double>(k));
  if (found.empty()) throw DomainError("no pair is " + wanted);
  return {{found.front(), found.back()}, 0};
}

/// `window` and `leak` (none: ReRoPE), or the leak that `trained` and `length` need. A window of 0
/// is position interpolation.
DistanceMap map_of(Parameters& given) {
  const std::int64_t window = given.integer("window");
  if (window < 0) throw DomainError("expected a window of at least 0");
  if (given.has("trained"))
    return {window,
            DistanceMap::fitting_leak(window, given.integer("trained"), given.integer("length"))};
  return {window, given.number("leak", std::numeric_limits<double>::infinity())};
}

/// g(t).
Outcome mapped(Parameters& given) {
  const DistanceMap map = map_of(given);
  std::vector<double> all;
  for (const std::int64_t distance : given.integers("distances")) all.push_back(map(distance));
  return outcomes::rounded(std::move(all), 1);
}

/// g(m) − g(n).
Outcome mapped_difference(Parameters& given) {
  const DistanceMap map = map_of(given);
  const std::vector<std::int64_t> positions = given.integers("positions");
  if (positions.size() != 2) throw DomainError("expected the two positions m and n");
  const double m = map(positions[0]);
  const double n = map(positions[1]);
  return {{m - n}, 6 * kRoundoff * std::max(std::fabs(m), std::fabs(n))};
}

/// The largest distance that is rotated by, of inputs of `tokens`.
Outcome mapped_largest(Parameters& given) {
  const DistanceMap map = map_of(given);
  double most = 0;
  const std::int64_t tokens = given.integer("tokens");
  for (std::int64_t distance = 0; distance < tokens; ++distance)
    most = std::max(most, map(distance));
  return outcomes::rounded({most}, 1);
}

/// The largest difference between ReRoPE's scores and those selected from two matrices: near ones
/// of q and k rotated as ever, far ones of q rotated by the window and k as it is. `near` "all":
/// the first matrix alone.
Outcome selected(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  const std::int64_t window = given.integer("window");
  const std::int64_t tokens = given.integer("tokens");
  const bool near_alone = given.word("near", "window") == "all";
  RandomStream random(static_cast<std::uint64_t>(given.integer("seed", 42)), 0);
  const auto d = static_cast<Eigen::Index>(embedding.head_dim);
  Tokens q{RowMatrix(tokens, d), {}};
  Tokens k{RowMatrix(tokens, d), {}};
  random.fill_normal({q.vectors.data(), static_cast<std::size_t>(q.vectors.size())});
  random.fill_normal({k.vectors.data(), static_cast<std::size_t>(k.vectors.size())});
  for (std::int64_t t = 0; t < tokens; ++t) q.positions.push_back(t);
  k.positions = q.positions;
  const Tokens q_at_window{q.vectors, std::vector(q.positions.size(), window)};
  const Tokens k_at_start{k.vectors, std::vector<std::int64_t>(k.positions.size(), 0)};

  const ReRopeEncoding rerope(embedding, {window});
  const RopeEncoding rope(embedding);
  const RowMatrix whole = rerope.scores(q, k);
  const RowMatrix near = rope.scores(q, k);
  const RowMatrix far = rope.scores(q_at_window, k_at_start);
  const double q_norm = q.vectors.rowwise().norm().maxCoeff();
  const double k_norm = k.vectors.rowwise().norm().maxCoeff();
  double off = 0;
  for (Eigen::Index i = 0; i < tokens; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double one = near_alone || i - j <= window ? near(i, j) : far(i, j);
      off = std::max(off, std::fabs(whole(i, j) - one));
    }
  return {{off}, rerope.score_error(q_norm, k_norm, 0) + rope.score_error(q_norm, k_norm, 0)};
}

constexpr std::array kQuantities = {
    Quantity{"extension.base", "b'", base},
    Quantity{"extension.factor", "b'/b", factor},
    Quantity{"extension.ratio", "θ'_i/θ_i", ratio},
    Quantity{"extension.reach", "T*θ'_i/Tθ_i", reach},
    Quantity{"extension.beyond", "pairs with T*θ'_i > Tθ_i", beyond},
    Quantity{"extension.worst_reach", "largest T*θ'_i/Tθ_i of these pairs", worst_reach},
    Quantity{"extension.angle", "T*θ'_i (rad)", angle},
    Quantity{"extension.past_turn", "pairs with T < λ_i and T* > λ'_i", past_turn},
    Quantity{"extension.covering", "α that every pair without a full turn needs", covering},
    Quantity{"extension.bands", "pairs kept, changed, stopped", bands},
    Quantity{"extension.band_pairs", "first and last pair of the band", band_pairs},
    Quantity{"extension.mapped", "g(t)", mapped},
    Quantity{"extension.mapped_difference", "g(m) − g(n)", mapped_difference},
    Quantity{"extension.mapped_largest", "largest g(t)", mapped_largest},
    Quantity{"extension.selected", "ReRoPE minus the choice from two matrices", selected},
};

}  // namespace
}  // namespace extension_family

std::span<const Quantity> extension_quantities() { return extension_family::kQuantities; }

}  // namespace rope::claims
