// The family `decay`: what becomes of scores as the distance grows.
#include "rope/attention/decay.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/encodings/rope.hpp"
#include "rope/error.hpp"
#include "rope/rotary/rotation.hpp"
#include "rope/studies/score.hpp"

namespace rope::claims {
namespace decay_family {
namespace {

using outcomes::kRoundoff;

/// `family` linear or quadratic, else those of the embedding; of `from_pair` to `to_pair` alone,
/// where they are given.
Frequencies frequencies_of(Parameters& given) {
  const std::string family = given.word("family", "geometric");
  Frequencies all;
  if (family == "geometric") {
    all = given.embedding().frequencies;
  } else if (family == "linear" || family == "quadratic") {
    all = power_frequencies(family == "linear" ? 1 : 2, given.count("dim", 128));
  } else {
    throw DomainError("there is no family '" + family + "'");
  }
  const std::int64_t from = given.integer("from_pair", 0);
  const std::int64_t to = given.integer("to_pair", static_cast<std::int64_t>(all.pairs()) - 1);
  std::vector<std::size_t> chosen;
  for (std::int64_t pair = from; pair <= to; ++pair)
    chosen.push_back(static_cast<std::size_t>(pair));
  if (from < 0 || chosen.empty() || chosen.back() >= all.pairs())
    throw DomainError("there are no such pairs");
  return outcomes::only(all, chosen);
}

/// Sums of n cosines, each within kCosSinError: n − 1 additions of at most n, over n; a quotient.
double cosine_bound(const Frequencies& frequencies) {
  return kCosSinError + (static_cast<double>(frequencies.pairs()) + 1) * kRoundoff;
}

/// Of the j numbers of a partial sum both parts are within j·(kCosSinError + j·u), so its modulus
/// within √2 of that and three roundings of at most √2·j; their sum over j ≤ n over n, n/2 of the
/// largest, and n roundings of at most (n + 1)/2.
double curve_bound(const Frequencies& frequencies) {
  const auto n = static_cast<double>(frequencies.pairs());
  return (n + 1) * (1.5 * (kCosSinError + (n + 3) * kRoundoff) + n * kRoundoff);
}

/// Distances from … to.
std::vector<std::int64_t> run(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> all;
  for (std::int64_t distance = from; distance <= to; ++distance) all.push_back(distance);
  if (all.empty()) throw DomainError("there is no distance between them");
  return all;
}

std::vector<std::int64_t> run_of(Parameters& given) {
  return run(given.integer("from"), given.integer("to"));
}

/// One of the two curves, and how far it is known.
struct Curve {
  std::vector<double> values;
  double bound = 0;
};

Curve curve_named(std::string_view name, const Frequencies& frequencies,
                  const std::vector<std::int64_t>& distances) {
  DecayCurve both = decay_curve(frequencies, distances);
  if (name == "bound") return {std::move(both.bound), curve_bound(frequencies)};
  if (name == "mean_cosine") return {std::move(both.mean_cosine), cosine_bound(frequencies)};
  throw DomainError("there is no curve '" + std::string(name) + "'");
}

Outcome at_distances(std::string_view name, Parameters& given) {
  Curve curve = curve_named(name, frequencies_of(given), given.integers("distances"));
  return {std::move(curve.values), curve.bound};
}

Outcome bound(Parameters& given) { return at_distances("bound", given); }
Outcome mean_cosine(Parameters& given) { return at_distances("mean_cosine", given); }

/// 1 − mean cosine: how far a vector falls behind itself.
Outcome gap(Parameters& given) {
  Outcome outcome = mean_cosine(given);
  for (double& number : outcome.numbers) number = 1 - number;
  outcome.bound += 2 * kRoundoff;
  return outcome;
}

Outcome chord(Parameters& given) {
  const Frequencies frequencies = frequencies_of(given);
  return {mean_chord(frequencies, given.integers("distances")),
          (static_cast<double>(frequencies.pairs()) + 8) * 4 * kRoundoff};
}

/// √(2 − 2·mean cosine): the distance of two codes, as points with r/2 arrows each, over √(r/2).
Outcome code_distance(Parameters& given) {
  Outcome outcome = mean_cosine(given);
  double least = 2;
  for (double& number : outcome.numbers) {
    number = std::sqrt(std::max(2 - 2 * number, 0.0));
    least = std::min(least, number);
  }
  // √ is off by δ/(2√x) where x is by δ, 2 of the cosine's error and two roundings of at most 4.
  outcome.bound = least > 0 ? (2 * outcome.bound + 8 * kRoundoff) / least : 1;
  return outcome;
}

/// 1 − (ln Δ + γ)/ln b.
Outcome law(Parameters& given) {
  const double base = given.number("base", 10000);
  std::vector<double> values = logarithmic_law(base, given.integers("distances"));
  const double bound = 3e-15 * (2 + outcomes::largest(values));
  return {std::move(values), bound};
}

/// The exponential through the curve at two distances, where the third lies whole steps beyond:
/// f(a)·(f(b)/f(a))^((Δ − a)/(b − a)).
Outcome exponential_through(Parameters& given) {
  const Frequencies frequencies = frequencies_of(given);
  const std::vector<std::int64_t> through = given.integers("through");
  const std::int64_t distance = given.integer("distance");
  if (through.size() != 2 || through[1] <= through[0] || distance < through[0] ||
      (distance - through[0]) % (through[1] - through[0]) != 0)
    throw DomainError("expected two distances and a third that is a whole number of steps beyond");
  const Curve curve = curve_named(given.word("of", "bound"), frequencies, through);
  const std::int64_t steps = (distance - through[0]) / (through[1] - through[0]);
  const double ratio = curve.values[1] / curve.values[0];
  double value = curve.values[0];
  for (std::int64_t step = 0; step < steps; ++step) value *= ratio;
  // Each factor is within so much of itself: two values of the curve and two roundings.
  const double relative = 2 * curve.bound / curve.values[1] + 3 * kRoundoff;
  return {{value}, 1.01 * static_cast<double>(steps + 1) * relative * std::fabs(value)};
}

/// At how many steps from one distance to the next a curve goes up.
Outcome rises(Parameters& given) {
  const Frequencies frequencies = frequencies_of(given);
  const Curve curve = curve_named(given.word("of", "bound"), frequencies, run_of(given));
  std::size_t count = 0;
  for (std::size_t i = 1; i < curve.values.size(); ++i) {
    const double step = curve.values[i] - curve.values[i - 1];
    if (std::fabs(step) <= 2 * curve.bound)
      throw DomainError("rounding hides whether the curve rises");
    if (step > 0) ++count;
  }
  return outcomes::whole(count);
}

Outcome extreme(Parameters& given, bool where) {
  const Frequencies frequencies = frequencies_of(given);
  const std::vector<std::int64_t> distances = run_of(given);
  const Curve curve = curve_named(given.word("of", "mean_cosine"), frequencies, distances);
  const bool smallest = given.word("extreme", "largest") == "smallest";
  const auto found =
      smallest ? std::ranges::min_element(curve.values) : std::ranges::max_element(curve.values);
  if (!where) return {{*found}, curve.bound};
  return {{static_cast<double>(distances[static_cast<std::size_t>(found - curve.values.begin())])},
          0};
}

Outcome extreme_value(Parameters& given) { return extreme(given, false); }
Outcome extreme_distance(Parameters& given) { return extreme(given, true); }

/// The root of the mean square of the mean cosine over distances.
Outcome rms(Parameters& given) {
  const Frequencies frequencies = frequencies_of(given);
  const Curve curve = curve_named("mean_cosine", frequencies, run_of(given));
  double squares = 0;
  for (const double value : curve.values) squares += value * value;
  const auto count = static_cast<double>(curve.values.size());
  const double value = std::sqrt(squares / count);
  // As far off as one of them, and n roundings of the sum of squares.
  return {{value}, curve.bound + (count + 4) * kRoundoff};
}

/// The standard deviation of scores of independent q and k, divided by √r.
Outcome deviation(Parameters& given) {
  const Frequencies frequencies = frequencies_of(given);
  const std::size_t samples = given.count("samples", 200);
  const auto seed = static_cast<std::uint64_t>(given.integer("seed", 42));
  RandomScores scores = random_scores(frequencies, given.integers("distances"), samples, seed);
  // Numbers are within ±5.8, so a pair adds at most 2·5.8² and a score over √(2n) has at most
  // √(n/2)·2·5.8²; it has n + 6 roundings and the error of cos and sin. A deviation is off by as
  // much as its scores, twice for the mean, and by N roundings.
  const auto n = static_cast<double>(frequencies.pairs());
  const double most = std::sqrt(n / 2) * 2 * 5.8 * 5.8;
  const double one = most * ((n + 6) * kRoundoff + 2 * kCosSinError);
  return {std::move(scores.deviation),
          2 * one + (static_cast<double>(samples) + 6) * kRoundoff * most};
}

/// qᵀR_Δk/(|q||k|). The key may be one that was turned back by some tokens before, or negative.
Outcome score(Parameters& given) {
  ScoreVectors vectors{given.embedding(), {}, {}};
  const RotaryEmbedding& embedding = vectors.embedding;
  vectors.q = given.vector("query", embedding.head_dim);
  vectors.k = given.vector("key", embedding.head_dim);
  if (given.flag("opposite"))
    for (double& x : vectors.k) x = -x;
  const std::int64_t back = given.integer("turned_back", 0);
  if (back != 0)
    rotate_elementwise(embedding, rotation_row(embedding, -back), vectors.k, vectors.k);
  ScoreCurve curve = score_curve(vectors, given.integers("distances"));
  for (double& number : curve.scores) number /= curve.norms;
  // Of the scores, of a key that was turned before, and of two lengths and a quotient.
  return {std::move(curve.scores), curve.allowed / curve.norms + 2 * kRotationError +
                                       (static_cast<double>(embedding.head_dim) + 8) * kRoundoff};
}

constexpr std::array kQuantities = {
    Quantity{"decay.bound", "f(Δ)", bound},
    Quantity{"decay.mean_cosine", "mean cos Δθ_i", mean_cosine},
    Quantity{"decay.gap", "1 − mean cos Δθ_i", gap},
    Quantity{"decay.chord", "mean |1 − e^{iΔθ_i}|", chord},
    Quantity{"decay.code_distance", "√(2 − 2 mean cos Δθ_i)", code_distance},
    Quantity{"decay.law", "1 − (ln Δ + γ)/ln b", law},
    Quantity{"decay.exponential", "the exponential through two values", exponential_through},
    Quantity{"decay.rises", "number of rising steps", rises},
    Quantity{"decay.extreme", "largest or smallest value", extreme_value},
    Quantity{"decay.extreme_at", "Δ of that value", extreme_distance},
    Quantity{"decay.rms", "rms of the mean cosine", rms},
    Quantity{"decay.deviation", "standard deviation of scores of independent q, k, divided by √r",
             deviation},
    Quantity{"decay.score", "qᵀR_Δk/(|q||k|)", score},
};

}  // namespace
}  // namespace decay_family

std::span<const Quantity> decay_quantities() { return decay_family::kQuantities; }

}  // namespace rope::claims
