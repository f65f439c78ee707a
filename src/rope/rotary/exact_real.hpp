#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "rope/rotary/frequencies.hpp"

namespace rope {

/// A real number of 256 bits, in which frequencies are made before they are rounded. Integer
/// arithmetic underneath, so the same on every machine.
using ExactReal = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

/// θ_k = base^(−2k/r) for every k with 2k < r, r = rotary_dim, which may be odd.
///
/// Accuracy  relative 2^-230, through as many as 32768 products.
/// Edge      base must be above 0; nothing is checked.
std::vector<ExactReal> exact_geometric(const ExactReal& base, std::size_t rotary_dim);

/// Rounds frequencies in radians per token to what the rotation needs.
///
/// Accuracy  `turns` within 2^-128 of θ/2π mod 1: 2^64, the largest θ, leaves 192 fraction bits.
/// Throws    DomainError unless each is 0 or lies in [2^-1000, 2^64]; ShapeError if there is none.
Frequencies round_frequencies(std::span<const ExactReal> theta);

}  // namespace rope
