#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rope/precision/frequency_error.hpp"
#include "rope/precision/pipeline.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {

// Rigorous rounding-error bounds for ⟨R_m q, R_n k⟩ = qᵀR_{n−m}k under a rounding policy.
//
// A pair of dimensions is read as one complex number; the block of pair i at position p is then the
// number ŵ_{p,i} = ĉ + iŝ, which would be exactly e^{ipθ_i} if nothing were rounded.
// docs/accuracy.md derives every formula, in the same notation.
//
// With an attention factor A, ŵ_{p,i} denotes the entry divided by A: bounds on entries and on
// their differences are in units of A, and bounds on products of two entries in units of A².

/// The largest possible |e^{ia} − e^{ib}| for |a − b| ≤ x: 2 sin(x/2), at most 2.
double chord(double x);

/// √(x² + y²) for x and y of any size, using only correctly rounded operations. Within 4 ulp.
double pair_length(double x, double y);

/// The bounds for one pipeline.
class ErrorBounds {
 public:
  explicit ErrorBounds(const Pipeline& pipeline, Hypotheses hypotheses = {});

  /// E_p: a bound on the distance from ŵ to the point on the unit circle at the angle for which ŵ
  /// was computed; 0 at p = 0 unless an attention factor was rounded.
  double table_error(std::int64_t position) const;

  /// Adds D_{p,i} ≥ |computed angle − p·θ̂_i|, in radians, for every pair to `sums`; infinity if the
  /// position or the angle is too large for its format.
  void add_angle_errors(std::int64_t position, std::vector<double>& sums) const;

  /// τ_i θ_i: the largest |θ̂_i − θ_i| that a faithful pipeline of this policy may have. This allows
  /// for the rounding of pow, its exponent and its base in the angle's format, even if the
  /// frequency format is narrower: a wider angle format cannot make up for rounded frequencies.
  /// Zero for `exact`.
  double granted_frequency_error(std::size_t pair) const;

  /// An upper bound on |θ̂_i − θ_i| for this particular pipeline, whether or not
  /// granted_frequency_error allows it.
  double frequency_error(std::size_t pair) const;

  /// T_i ≥ |conj(ŵ_m)·ŵ_n − ŵ_{n−m}|, for each pair: bound (1) in docs/accuracy.md.
  void identity(std::int64_t m, std::int64_t n, std::int64_t distance,
                std::vector<double>& per_pair) const;

  /// A bound on |conj(ŵ_m)·ŵ_n − ŵ_{n−m}| of a pair for all 0 ≤ m ≤ n ≤ last.
  double identity_up_to(std::int64_t last, std::size_t pair) const;

  /// A bound on |conj(ŵ_m)·ŵ_n − e^{i(n−m)θ_i}| of a pair for all 0 ≤ m ≤ n ≤ last.
  double exact_up_to(std::int64_t last, std::size_t pair) const;

  /// Bound on |conj(ŵ_m)·ŵ_n − conj(ŵ_{m+s})·ŵ_{n+s}|, for each pair: bound (1').
  void shift(std::int64_t m, std::int64_t n, std::int64_t by, std::vector<double>& per_pair) const;

  /// C_i ≥ |conj(ŵ_m)·ŵ_n − e^{i(n−m)θ_i}|, for each pair, with the true θ_i: bound (2).
  void exact(std::int64_t m, std::int64_t n, std::int64_t distance,
             std::vector<double>& per_pair) const;

  /// Bound on |ŵ_{p,i} − e^{ipθ_i}|, for each pair, with the true θ_i: bound (2').
  void exact(std::int64_t position, std::vector<double>& per_pair) const;

  /// Bound (2') for any pipeline whose frequency errors are no larger than granted: its frequencies
  /// need not have the trailing zero bits that this machine's pow happens to produce.
  void faithfulness(std::int64_t position, std::vector<double>& per_pair) const;

  /// The same for a position with one number per axis: each pair uses the number on its own axis.
  void faithfulness(const Position& position, std::vector<double>& per_pair) const;

  /// T_i for each pair, from the positions and their difference on the pair's axis.
  void identity(const Position& m, const Position& n, std::vector<double>& per_pair) const;

  /// Bound (1') for each pair, from the positions on the pair's axis.
  void shift(const Position& m, const Position& n, const Position& by,
             std::vector<double>& per_pair) const;

  /// Bound on |computed − exact| for each pair of R_m x, as a vector in its plane, and for a
  /// dimension that passes through. It applies if the pipeline's frequency errors are no larger
  /// than granted and its format can represent x. Derived in docs/accuracy.md#one-rotated-vector.
  ///
  /// Shapes    x: (d). per_pair: (r/2), overwritten. Returns the bound for dimensions that pass
  ///           through.
  double rotated(const Position& position, std::span<const double> x,
                 std::vector<double>& per_pair) const;

  /// A_L: a-priori bound on the evaluation error of ⟨R_m q, R_n k⟩, for the rotations and the sum.
  /// Underflow errors do not shrink with the vectors, so the lengths of q and k matter; both are
  /// taken as 1 if they are not given.
  double rotated_score(double q_norm = 1, double k_norm = 1) const;

  /// A_R: the same bound for qᵀR_{n−m}k, where only k is rotated.
  double relative_score(double q_norm = 1, double k_norm = 1) const;

 private:
  void add_angle_errors(std::int64_t position, const std::vector<Significand>& theta,
                        std::vector<double>& sums) const;
  template <typename Bound>
  void by_axis(std::vector<double>& per_pair, Bound bound) const;
  double largest_angle_error(double position, std::size_t pair) const;
  double largest_angle_defect(double last, std::size_t pair) const;
  void row(std::int64_t position, const std::vector<Significand>& theta,
           const std::vector<double>& of_theta, std::vector<double>& per_pair) const;

  Pipeline pipeline_;
  Hypotheses hypotheses_;
  double table_error_;            // E for p ≠ 0
  double error_at_0_ = 0;         // E for p = 0
  std::vector<Significand> own_;  // the θ̂_i of this pipeline
  std::vector<Significand>
      any_;  // those of any pipeline whose frequency errors are no larger than granted
  std::vector<double> granted_, actual_;  // τ_i θ_i and |θ̂_i − θ_i|
};

/// The largest factor by which R_m can lengthen a vector: A, or 1 if A < 1 and dimensions pass
/// through.
double stretch(const RotaryEmbedding& embedding);

/// Bounds are sums of many positive doubles, and narrow formats are emulated in double. Of this
/// factor's 4e-9, 2^-29 covers the double rounding of emulated operations, and the rest covers the
/// rounding of those sums.
inline constexpr double kBoundInflation = 1 + 4e-9;

/// The amount that the products in the bound of a score may themselves lose to underflow, per
/// dimension: there are fewer than eight products, each off by half the smallest double.
inline constexpr double kBoundUnderflow = 4 * std::numeric_limits<double>::denorm_min();

}  // namespace rope
