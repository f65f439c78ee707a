#pragma once

// What the tests of bounds.hpp have in common.

#include <gtest/gtest.h>

#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "rope/precision/bounds.hpp"

namespace rope {

inline constexpr double u64 = 0x1p-53, u32 = 0x1p-24, u11 = 0x1p-11, ubf = 0x1p-8, u8 = 0x1p-4;
inline constexpr double kSqrt2 = std::numbers::sqrt2;
inline constexpr double kPi = std::numbers::pi;

inline Pipeline pipeline(const Policy& policy, std::size_t dim = 128, double base = 10000) {
  return {policy, default_embedding(dim, base)};
}

inline Pipeline pipeline(const std::string& policy, std::size_t dim = 128, double base = 10000) {
  return pipeline(parse_policy(policy), dim, base);
}

/// The bound is this number, or above it by no more than what covers the rounding of bounds.
inline void expect_bound(double bound, double expected, const std::string& what = {}) {
  EXPECT_GE(bound, expected * (1 - 0x1p-50)) << what;
  EXPECT_LE(bound, expected * (1 + 3 * (kBoundInflation - 1))) << what;
}

inline std::vector<double> angle_errors(const ErrorBounds& bounds, std::size_t pairs,
                                        std::int64_t position) {
  std::vector<double> errors(pairs);
  bounds.add_angle_errors(position, errors);
  return errors;
}

/// (1 + x)^k − 1 by its first three terms: the next is below (kx)^3/24 of it.
inline double power_of_one_plus(double x, std::size_t k) {
  const auto n = static_cast<double>(k);
  return n * x * (1 + (n - 1) / 2 * x * (1 + (n - 2) / 3 * x));
}

}  // namespace rope
