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
  /// `angles`: of these pairs only, in this order; they must outlive the decoder. Positions are
  /// searched up to `farthest` in either direction; with few pairs, less far.
  Decoder(const MeasuredAngles& angles, std::span<const std::size_t> pairs,
          const Spectrum& spectrum, const Search& search,
          std::int64_t farthest = std::int64_t{1} << 20);

  /// The position of a token, if it is the only one with its angles; tries the position after its
  /// neighbour's first, then the neighbour's own.
  std::optional<std::int64_t> position(std::size_t token, std::optional<std::int64_t> before) const;

  /// Every position with the angles of a token: the first few of them, and how many there are.
  FoundPosition positions(std::size_t token) const;

  /// The position near `start` that fits the angles of a token best, by least squares.
  std::int64_t closest(std::size_t token, std::int64_t start) const;

  /// Whether a token has the angles of a position.
  bool fits(std::size_t token, std::int64_t position) const;

 private:
  const MeasuredAngles& angles_;
  double rounding_;
  KnownRates rates_;
  std::int64_t farthest_;
};

}  // namespace rope
