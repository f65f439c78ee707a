#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace rope {

/// Searches for the position offset at which the frequencies come nearest. It skips whole stretches
/// of offsets that cannot beat the best known one: from the middle of a stretch, no pair turns by
/// more than its frequency times half the length.
class NearestOffset {
 public:
  /// `pairs`: what is left to turn at offset 0; the length of each is its weight. `theta`: radians
  /// per token, each times `times`. `least`: offsets that score less do not count.
  NearestOffset(std::span<const std::complex<double>> pairs, std::span<const double> theta,
                double times, double least);

  /// Σ |pair|·cos of what is left to turn at an offset.
  double score(std::int64_t offset) const;

  /// The best offset up to `farthest` in either direction, and its score; 0 and `least` if none
  /// scores more.
  std::pair<std::int64_t, double> within(std::int64_t farthest);

 private:
  struct Pair {
    double rate, angle, size;
    double faster = 0;  ///< the total size of all pairs after it
  };

  void search(std::int64_t first, std::int64_t last);
  double most_around(double middle, double radius) const;

  std::vector<Pair> pairs_;
  std::pair<std::int64_t, double> best_;
};

}  // namespace rope
