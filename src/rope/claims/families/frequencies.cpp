// The family `frequencies`: what θ_i and λ_i are, and what follows from them alone.
#include "rope/rotary/frequencies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "rope/claims/families/families.hpp"
#include "rope/claims/families/outcomes.hpp"
#include "rope/claims/parameters.hpp"
#include "rope/error.hpp"
#include "rope/rotary/exact_real.hpp"

namespace rope::claims {
namespace frequency_family {
namespace {

using outcomes::of_pairs;
using outcomes::pairs_named;
using outcomes::rounded;
using outcomes::whole;

/// What the formula says where it is taken by its letter: b^(−2(i − minus)/d), for any i.
Outcome formula(Parameters& given) {
  const ExactReal base = given.number("base", 10000);
  const auto dim = static_cast<std::int64_t>(given.count("dim", 128));
  const std::int64_t minus = given.integer("minus", 0);
  std::vector<double> all;
  for (const std::int64_t i : given.integers("k"))
    all.push_back(static_cast<double>(pow(base, ExactReal(-2 * (i - minus)) / ExactReal(dim))));
  return rounded(std::move(all));
}

Outcome theta(Parameters& given) {
  return rounded(of_pairs(given.embedding().frequencies.theta, given));
}

Outcome inverse_theta(Parameters& given) {
  std::vector<double> inverse = of_pairs(given.embedding().frequencies.theta, given);
  for (double& number : inverse) number = 1 / number;
  return rounded(std::move(inverse), 1);
}

Outcome wavelength(Parameters& given) {
  return rounded(of_pairs(given.embedding().frequencies.wavelength, given));
}

Outcome pairs(Parameters& given) { return whole(given.embedding().pairs()); }

/// The smallest and the largest θ_{i+1}/θ_i.
Outcome ratio(Parameters& given) {
  const std::vector<double> all = given.embedding().frequencies.theta;
  if (all.size() < 2) throw DomainError("a single pair has no ratio");
  double smallest = std::numeric_limits<double>::infinity();
  double greatest = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    smallest = std::min(smallest, all[i] / all[i - 1]);
    greatest = std::max(greatest, all[i] / all[i - 1]);
  }
  return rounded({smallest, greatest}, 2);
}

/// How many pairs turn at least as fast as the one before.
Outcome rises(Parameters& given) {
  const std::vector<double> all = given.embedding().frequencies.theta;
  std::size_t count = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i] >= all[i - 1]) ++count;
  return whole(count);
}

/// How many pairs never complete a turn within a context.
Outcome incomplete(Parameters& given) {
  return whole(incomplete_pairs(given.embedding().frequencies, given.integer("context")).size());
}

/// The first of them, counted from 0.
Outcome first_incomplete(Parameters& given) {
  const auto all = incomplete_pairs(given.embedding().frequencies, given.integer("context"));
  if (all.empty()) throw DomainError("every pair completes a turn");
  return whole(all.front());
}

Outcome turns(Parameters& given) {
  const std::vector<double> all =
      turns_within(given.embedding().frequencies, given.integer("context"));
  return rounded(of_pairs(all, given), 1);
}

/// The largest angle within a context, T·θ_i, in units of π.
Outcome largest_angle(Parameters& given) {
  const std::vector<double> all =
      turns_within(given.embedding().frequencies, given.integer("context"));
  std::vector<double> half_turns = of_pairs(all, given);
  for (double& number : half_turns) number *= 2;
  return rounded(std::move(half_turns), 1);
}

/// The first and the last pair whose wavelength is at least `from` and below `to` tokens.
Outcome between(Parameters& given) {
  const std::vector<double> all = given.embedding().frequencies.wavelength;
  const double from = given.number("from");
  const double to = given.number("to");
  std::vector<double> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] >= from && all[i] < to) found.push_back(static_cast<double>(i));
  if (found.empty()) throw DomainError("no wavelength lies in that range");
  return {{found.front(), found.back()}, 0};
}

/// Two angles of reduced_angles, each within 1.7e-15; their difference, 2π and the sum add three
/// roundings of at most 2π.
constexpr double kStepBound = 2 * 1.7e-15 + 3 * 2 * std::numbers::pi * outcomes::kRoundoff;

/// By how much the angle of a pair grows from position p to p + 1, without whole turns.
double step(const Frequencies& frequencies, std::size_t pair, std::int64_t position) {
  const double angle = reduced_angles(frequencies, position)[pair];
  const double grown = reduced_angles(frequencies, position + 1)[pair] - angle;
  return grown < -kStepBound ? grown + 2 * std::numbers::pi : grown;
}

/// The angle steps of one pair at positions.
Outcome steps(Parameters& given) {
  const Frequencies frequencies = given.embedding().frequencies;
  const std::size_t pair = pairs_named(given, frequencies.pairs()).front();
  std::vector<double> all;
  for (const std::int64_t position : given.integers("positions"))
    all.push_back(step(frequencies, pair, position));
  return {std::move(all), kStepBound};
}

/// How far the angle steps of one pair differ over positions 0 … last.
Outcome step_spread(Parameters& given) {
  const Frequencies frequencies = given.embedding().frequencies;
  const std::size_t pair = pairs_named(given, frequencies.pairs()).front();
  const Frequencies one = outcomes::only(frequencies, {pair});
  const std::int64_t last = given.integer("last");
  double least = step(one, 0, 0);
  double most = least;
  for (std::int64_t position = 1; position <= last; ++position) {
    least = std::min(least, step(one, 0, position));
    most = std::max(most, step(one, 0, position));
  }
  return {{most - least}, 2 * kStepBound};
}

/// The two dimensions of a pair.
Outcome dimensions(Parameters& given) {
  const RotaryEmbedding embedding = given.embedding();
  std::vector<double> all;
  for (const std::size_t pair : pairs_named(given, embedding.pairs())) {
    const PairDimensions two = embedding.dimensions(pair);
    all.push_back(static_cast<double>(two.first));
    all.push_back(static_cast<double>(two.second));
  }
  return {std::move(all), 0};
}

constexpr std::array kQuantities = {
    Quantity{"frequencies.theta", "θ_i", theta},
    Quantity{"frequencies.formula", "b^(−2(i−s)/d)", formula},
    Quantity{"frequencies.inverse_theta", "1/θ_i", inverse_theta},
    Quantity{"frequencies.wavelength", "λ_i (tokens)", wavelength},
    Quantity{"frequencies.pairs", "pairs", pairs},
    Quantity{"frequencies.ratio", "θ_{i+1}/θ_i", ratio},
    Quantity{"frequencies.rises", "pairs not slower than the one before", rises},
    Quantity{"frequencies.incomplete", "pairs with λ_i > T", incomplete},
    Quantity{"frequencies.first_incomplete", "first pair with λ_i > T", first_incomplete},
    Quantity{"frequencies.turns", "turns within T", turns},
    Quantity{"frequencies.largest_angle", "T·θ_i/π", largest_angle},
    Quantity{"frequencies.between", "first and last pair with these wavelengths", between},
    Quantity{"frequencies.step", "angle at p + 1 minus that at p", steps},
    Quantity{"frequencies.step_spread", "largest minus smallest step", step_spread},
    Quantity{"frequencies.dimensions", "dimensions of the pair", dimensions},
};

}  // namespace
}  // namespace frequency_family

std::span<const Quantity> frequency_quantities() { return frequency_family::kQuantities; }

}  // namespace rope::claims
