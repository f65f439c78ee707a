#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <string>
#include <string_view>

#include "rope/claims/parameters.hpp"
#include "rope/claims/quantity.hpp"
#include "rope/error.hpp"
#include "rope/primer/angle.hpp"
#include "rope/primer/roundoff.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/measured.hpp"

// How families of quantities read the parameters that they share.

namespace rope::claims {

/// The index in `words` of the word that a parameter contains; 0 if the parameter is not given.
inline std::size_t one_of(Parameters& given, std::string_view name,
                          std::initializer_list<std::string_view> words) {
  const std::string word = given.word(name, *words.begin());
  const auto* const found = std::ranges::find(words, word);
  if (found == words.end())
    throw DomainError("parameter '" + std::string(name) + "': there is no '" + word + "'");
  return static_cast<std::size_t>(found - words.begin());
}

inline std::uint64_t seed_given(Parameters& given) {
  return static_cast<std::uint64_t>(given.integer("seed", 42));
}

/// The worst of `cases` random cases. Each case is measured as a deviation, along with the part of
/// it that rounding explains.
template <typename Case>
Outcome worst_of(Parameters& given, Case measure) {
  const std::size_t cases = given.count("cases");
  const std::uint64_t seed = seed_given(given);
  Measured worst;
  for (std::uint64_t i = 0; i < cases; ++i) {
    RandomStream random(seed, i);
    const Measured one = measure(random);
    worst.keep_worse(one);
  }
  return {{worst.error}, worst.bound};
}

inline TurnFraction random_turn(RandomStream& random) {
  const std::uint64_t high = random.bits();
  return {high, random.bits()};
}

/// The angle in `degrees` if given, else in `radians`.
inline primer::Angle angle_given(Parameters& given) {
  return given.has("degrees") ? primer::from_degrees(given.number("degrees"))
                              : primer::from_radians(given.number("radians"));
}

/// An angle known to within `error` radians, converted to degrees along with its error; the
/// result's bound allows for the rounding of 180/π and of the product.
inline Outcome in_degrees(double radians, double error) {
  constexpr double kDegrees = 180 / std::numbers::pi;
  const double degrees = kDegrees * radians;
  const double size = degrees < 0 ? -degrees : degrees;
  return {{degrees}, kDegrees * error * (1 + primer::gamma(4)) + primer::gamma(4) * size};
}

}  // namespace rope::claims
