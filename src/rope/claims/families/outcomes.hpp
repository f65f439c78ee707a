#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "rope/claims/parameters.hpp"
#include "rope/claims/quantity.hpp"
#include "rope/error.hpp"

// Helpers that several families use to report an outcome.
namespace rope::claims::outcomes {

inline constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

inline double largest(const std::vector<double>& numbers) {
  double size = 0;
  for (const double number : numbers) size = std::max(size, std::fabs(number));
  return size;
}

/// The outcome of numbers that were each correctly rounded, and then rounded `more` further times.
inline Outcome rounded(std::vector<double> numbers, int more = 0) {
  const double bound = (1 + 1.01 * more) * kRoundoff * largest(numbers);
  return {std::move(numbers), bound};
}

inline Outcome whole(std::size_t count) { return {{static_cast<double>(count)}, 0}; }

/// The range from the smallest to the largest of several numbers, each known to within `error`.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double error = 0;

  void add(double number, double off) {
    low = std::min(low, number);
    high = std::max(high, number);
    error = std::max(error, off);
  }
  Outcome ends() const { return {{low, high}, error}; }
  Outcome spread() const { return {{high - low}, 2 * error + kRoundoff * (high - low)}; }
};

/// The pairs that the parameter `pairs` lists, out of `count`.
inline std::vector<std::size_t> pairs_named(Parameters& given, std::size_t count) {
  std::vector<std::size_t> chosen;
  for (const std::int64_t pair : given.integers("pairs")) {
    if (pair < 0 || static_cast<std::size_t>(pair) >= count)
      throw DomainError("there is no pair " + std::to_string(pair) + " among " +
                        std::to_string(count));
    chosen.push_back(static_cast<std::size_t>(pair));
  }
  return chosen;
}

/// The elements of `all` for the pairs that the parameter `pairs` lists.
inline std::vector<double> of_pairs(const std::vector<double>& all, Parameters& given) {
  std::vector<double> chosen;
  for (const std::size_t pair : pairs_named(given, all.size())) chosen.push_back(all[pair]);
  return chosen;
}

/// The frequencies of the given pairs only.
inline Frequencies only(const Frequencies& all, const std::vector<std::size_t>& pairs) {
  Frequencies chosen;
  for (const std::size_t pair : pairs) {
    chosen.theta.push_back(all.theta[pair]);
    chosen.wavelength.push_back(all.wavelength[pair]);
    chosen.turns.push_back(all.turns[pair]);
  }
  return chosen;
}

}  // namespace rope::claims::outcomes
