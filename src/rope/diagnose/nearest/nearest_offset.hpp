#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rope {

/// Searches for the position offset at which the frequencies fit the angles best. It skips whole
/// stretches of offsets that cannot beat the best one so far: from the middle of a stretch to
/// either end, no pair turns by more than its frequency times half the length of the stretch.
class NearestOffset {
 public:
  /// `pairs`: the turn that each pair still lacks at offset 0, as a complex number whose magnitude
  /// is the weight of the pair. `theta`: radians per token, to be multiplied by `times`. `least`:
  /// offsets that score less are ignored.
  NearestOffset(std::span<const std::complex<double>> pairs, std::span<const double> theta,
                double times, double least);

  /// Σ |pair|·cos of the turn that each pair still lacks at an offset.
  double score(std::int64_t offset) const;

  /// The best offset up to `farthest` in either direction, and its score; 0 and `least` if no
  /// offset scores more.
  std::pair<std::int64_t, double> within(std::int64_t farthest);

 private:
  struct Pair {
    double rate, angle, size;
    double faster = 0;  ///< the total size of all faster pairs
  };

  void search(std::int64_t first, std::int64_t last);
  double most_around(double middle, double radius) const;

  std::vector<Pair> pairs_;
  std::pair<std::int64_t, double> best_;
};

}  // namespace rope
