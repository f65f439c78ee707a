#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/diagnose/positions/find_position.hpp"
#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// Finds the positions of tokens from their own angles.
class Decoder {
 public:
  /// `angles`: the angles of only the given `pairs`, in that order; they must outlive the decoder.
  /// The search extends to `farthest` in either direction, or not as far if there are few pairs.
  Decoder(const MeasuredAngles& angles, std::span<const std::size_t> pairs,
          const Spectrum& spectrum, const Search& search,
          std::int64_t farthest = std::int64_t{1} << 20);

  /// The position of a token: `before` + 1 or `before` if one of these fits its angles, otherwise
  /// the position that fits, if there is only one. `before`: the position of the neighbouring
  /// token.
  std::optional<std::int64_t> position(std::size_t token, std::optional<std::int64_t> before) const;

  /// The positions that fit the angles of a token: the first few positions, and how many fit.
  FoundPosition positions(std::size_t token) const;

  /// The position near `start` that fits the angles of a token best, by least squares.
  std::int64_t closest(std::size_t token, std::int64_t start) const;

  /// Whether a position fits the angles of a token.
  bool fits(std::size_t token, std::int64_t position) const;

 private:
  const MeasuredAngles& angles_;
  double rounding_;
  KnownRates rates_;
  std::int64_t farthest_;
};

}  // namespace rope
