#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rope/verify/output_report.hpp"

namespace rope {

/// How outputs as a whole differ from the exact ones: like the noise between two runs, or like a
/// wrong rotation?
struct OutputResidual {
  double relative = 0;  ///< √(Σ|found − exact|² / Σ|exact|²)
  double factor = 1;    ///< the factor that brings the exact pairs nearest to those found: Σ
                        ///< found·exact / Σ|exact|²
  double by_factor = 0;  ///< the share of the pairs' Σ|found − exact|² that `factor` accounts for
  /// Whether the difference is small, equally large everywhere, and without a direction: see
  /// ResidualRecorder.
  bool noise = false;
};

/// The largest relative difference that can be regarded as noise: four unit roundoffs of bfloat16,
/// the coarsest format in which models run. Two runs that sum in different orders differ by a few
/// such roundoffs.
inline constexpr double kMostNoise = 0x1p-6;

/// Collects the errors e = found − exact of pairs w; e and w are read as complex numbers.
///
/// A wrong angle, a wrong factor and a wrong pairing leave an error e that correlates with w: for
/// pairs that share the mistake, Σ e·conj(w) grows with their number. Noise with independent signs
/// satisfies |Σ e·conj(w)|² ≤ s Σ|e|²|w|², except with a probability of 4·exp(−s/2) (Hoeffding, for
/// the real and the imaginary part). So e is regarded as noise if
///
/// - |Σ e·conj(w)| does not exceed, in any group of places (one index along one axis, one pair, or
///   all), what rounding allows, Σ bound·|w|, plus the limit above, with s chosen so that the
///   probability for all groups together is 1e-6;
/// - the angles of one pair over all tokens, and those of all pairs together, do not err to one
///   side more than independent signs do (at wrong positions they would): for each token and pair,
///   the part of Im Σ e·conj(w) beyond rounding is tested in the same way;
/// - for the groups of one token and one pair, which share an angle, |Σ e·conj(w)|² over Σ|e|²|w|²,
///   beyond rounding, averages 1, as it does for independent signs, within eight standard
///   deviations;
/// - the error is of similar size in every group, in absolute terms or relative to the group's |w|
///   or that of each place, within a factor of 4, or 8 for a pair: a wrong rotation is right at
///   position 0, and one wrong head is not noise. It may be smaller in groups where rounding would
///   hide noise of that size;
/// - if there are too few vectors to compare pair by pair, no pair exceeds the share of the total
///   (plus what rounding allows) that the largest of n normal errors exceeds with a probability of
///   1e-6;
/// - and the relative difference is at most kMostNoise.
class ResidualRecorder {
 public:
  /// `lengths`: the lengths of the axes, of which the last one is the dimensions. `token_axis`: the
  /// axis of the tokens, or the dimension axis if there is none.
  ResidualRecorder(std::vector<std::size_t> lengths, std::size_t token_axis);

  /// Adds the errors of the next vector, in the order of the array: see OutputCheck::last.
  void add(std::span<const OutputError> errors);

  OutputResidual residual() const;

 private:
  struct Sum {
    double count = 0, error = 0, size = 0;  // Σ1, Σ|e|², Σ|w|²
    double shares = 0;             // Σ|e|²/|w|², with few terms if a cast changes few numbers
    double along = 0, across = 0;  // Σ e·conj(w)
    double rounding = 0;           // Σ bound·|w|
    double squares = 0;            // Σ (|e| + bound)²|w|²
    double bounds = 0;             // Σ bound²
    bool through = true;           // whether all numbers pass through
    void add(const OutputError& one);
    double beyond_rounding() const;
  };
  bool turns_one_way(double s) const;
  bool has_direction() const;
  bool is_even() const;
  bool is_of_one_pair() const;

  std::vector<std::size_t> lengths_;
  std::size_t token_axis_;
  std::size_t vectors_ = 0;
  Sum all_;
  std::vector<std::vector<Sum>>
      groups_;  // for each index along each axis; for the last axis, for each pair or dimension
  std::vector<Sum> angles_;  // for each token and pair
};

}  // namespace rope
