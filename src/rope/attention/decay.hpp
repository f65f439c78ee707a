#pragma once

// How scores change with distance, as far as the frequencies determine this.
//
//     const rope::DecayCurve curve = rope::decay_curve(embedding.frequencies, positions);
//     const double at_the_last = curve.mean_cosine.back();

#include <cstdint>
#include <span>
#include <vector>

#include "rope/rotary/cpu_level.hpp"
#include "rope/rotary/frequencies.hpp"

namespace rope {

/// What the frequencies by themselves determine about scores at each distance Δ.
struct DecayCurve {
  /// f(Δ) = (2/r) Σ_{j=1}^{r/2} |Σ_{i<j} e^{iΔθ_i}|: the factor of an upper BOUND on the score
  /// (summation by parts: |score| ≤ max_i |h_{i+1} − h_i| · (r/2) f(Δ), h_i = q_i* k_i with
  /// h_{r/2} = 0), not the score itself. f(0) = (r/2 + 1)/2.
  std::vector<double> bound;
  /// (2/r) Σ_i cos(Δθ_i): the score of a vector with itself at distance Δ, averaged over vectors
  /// and divided by its score at distance 0. 1 at Δ = 0; signed.
  std::vector<double> mean_cosine;
};

/// Both curves at each distance, in O(r/2) operations per distance.
///
/// Shapes    distances, bound and mean_cosine: (n).
/// Units     tokens; −Δ has the same values as Δ.
/// Accuracy  bound 2e-15 relative, mean_cosine 2e-15 absolute (r = 128, any |Δ| ≤ 2^53): measured
///           against 50 digits by tests/golden/curves_test.cpp. The result for a distance depends
///           on nothing else: not on the rest of the list, the CPU level or the threads.
/// Source    Su, RoFormer, arXiv:2104.09864, §3.4.3.
DecayCurve decay_curve(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                       CpuLevel level = best_cpu_level());

/// The same, written into existing memory.
///
/// Throws    ShapeError if the lengths differ.
void decay_curve(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                 std::span<double> bound, std::span<double> mean_cosine,
                 CpuLevel level = best_cpu_level());

/// An upper bound on the error of each cosine that decay_curve sums. Each is the cosine of a sum of
/// two angles, with an error of (|cos| + |sin|)·kCosSinError from each angle, at most
/// 2√2·kCosSinError together. The two products add u = 2^-53, and their difference adds u. See
/// docs/accuracy.md#decay-curves.
inline constexpr double kCurveCosineError = 5.4e-16;

/// 1 − (ln|Δ| + γ)/ln b: the law that the mean cosine of a geometric family follows while 1 ≪ |Δ| ≪
/// b. γ is Euler's constant. NaN for |Δ| < 1 and |Δ| beyond b, where the law does not apply.
///
/// `parts`: how many units of distance make one token.
/// Accuracy  3e-15·(1 + (ln|Δ| + γ)/ln b): from rounding two logarithms, a sum, a quotient and a
///           difference.
/// Throws    DomainError unless base is finite and > 1.
std::vector<double> logarithmic_law(double base, std::span<const std::int64_t> distances,
                                    std::int64_t parts = 1);

/// (2/r) Σ_i |1 − e^{iΔθ_i}|: how far apart the tips of a pair's unit arrows are at two positions Δ
/// tokens apart, averaged over the pairs. 0 at Δ = 0, at most 2. Rules that slow pairs down make it
/// smaller: positions are then harder to tell apart.
///
/// Shapes    distances: (n); returns (n).
/// Accuracy  (r/2 + 8)·2^-52: the error of a chord from cos_sin is 1.6e-16 plus six roundings of
///           numbers up to 2; summing r/2 chords adds r/2 roundings of numbers up to r.
std::vector<double> mean_chord(const Frequencies& frequencies,
                               std::span<const std::int64_t> distances);

/// Scores of random, independent q and k (mean 0, variance 1 per dimension), divided by √r: their
/// mean and standard deviation at each distance. They do not decay: the deviation is 1 at every Δ.
struct RandomScores {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// Measures RandomScores on `samples` random choices of q and k, drawn with the given seed.
///
/// Shapes    distances: (n); mean and deviation: (n). samples ≥ 2.
/// Throws    DomainError if samples < 2.
RandomScores random_scores(const Frequencies& frequencies, std::span<const std::int64_t> distances,
                           std::size_t samples, std::uint64_t seed);

}  // namespace rope
