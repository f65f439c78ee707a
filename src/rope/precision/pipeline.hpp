#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {

/// The three forms in which this library computes R_m x.
enum class RotationForm { elementwise, matrix, complex };

std::string_view name(RotationForm form);

/// The 2×2 block [cos −upper; lower cos] of every pair. A rotation has upper = lower = sin; planted
/// mistakes do not.
struct PairBlocks {
  std::span<const double> cos;
  std::span<const double> upper;
  std::span<const double> lower;
};

/// A score, and a sum of intermediate magnitudes that its error bound needs.
struct Score {
  double value = 0;
  double magnitudes = 0;  ///< Σ|·| over every product and partial sum that was rounded
};

/// A rotary pipeline under a rounding policy: it computes the same bits as code that follows the
/// policy, but holds every number in a double. Under the policy `exact` it is this library's own
/// rotation.
///
/// An attention factor A multiplies cos and sin in the format they were computed in, before the
/// table is cast. Frequencies that a scaling rule changed are cast to their format from θ_i itself:
/// the steps by which other code computes them are not emulated.
///
/// libm's cos, sin and pow are those of this machine. The bounds (bounds.hpp) assume how far these
/// may be off; the verification measures how far they are off.
class Pipeline {
 public:
  /// The rules recurrence and scale_power compute their frequencies from a base: for an embedding
  /// that has none, or whose frequencies a scaling rule changed, the pipeline uses the rule product
  /// instead, as policy() shows.
  ///
  /// Throws DomainError if a frequency is not finite in its format.
  Pipeline(Policy policy, const RotaryEmbedding& embedding, CpuLevel level = best_cpu_level());

  const Policy& policy() const { return policy_; }
  const RotaryEmbedding& embedding() const { return embedding_; }
  CpuLevel level() const { return level_; }

  /// The θ̂_i that all rows share, as the pipeline stores them; under the rule `recurrence`, these
  /// are s^i; under the policy `exact`, the doubles nearest to θ_i.
  std::span<const double> theta() const { return theta_; }

  /// fl(m), the position in its format.
  double position(std::int64_t position) const;

  /// The angle whose cos and sin the pipeline takes. Not to be called under the rule `exact`.
  double angle(std::int64_t position, std::size_t pair) const;

  /// Cosines and sines at one position, as stored in the table.
  void table_row(std::int64_t position, RotationRow& row) const;

  /// The same for a position with one number per axis: pair i uses the number on its axis.
  void table_row(const Position& position, RotationRow& row) const;

  /// One pair of a table row; under the rule `recurrence` this costs i multiplications (one with
  /// TableByPairs).
  CosSin table_entry(std::int64_t position, std::size_t pair) const;

  /// R_m x from a row of the table, cast to the store format. `form` matters only under the policy
  /// `exact`.
  void rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
              std::span<double> result) const;

  /// The same, reusing the memory of `zeros` for the dense R_m (see rotate_dense).
  void rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
              std::span<double> result, Eigen::MatrixXd& zeros) const;

  /// The same with any 2×2 blocks, in the policy's arithmetic.
  void rotate_blocks(const PairBlocks& blocks, std::span<const double> x,
                     std::span<double> result) const;

  /// The same before the cast to the store format.
  void rotate_unstored(const PairBlocks& blocks, std::span<const double> x,
                       std::span<double> result) const;

  /// Casts a vector to the store format, in place. A vector for float8 is scaled so that its
  /// largest number becomes 448, and is then scaled back. The scale is a normal float32 number; for
  /// a vector so short that its scale would be subnormal, the smallest normal number is used.
  void store(std::span<double> y) const;

  /// Whether the products of a score need no rounding. With an attention factor, they need
  /// rounding: the right side of the identity then multiplies by numbers that no narrow format can
  /// represent.
  bool exact_products() const {
    return policy_.exact_products() && embedding_.attention_factor == 1;
  }

  /// Σ a_i b_i in the accumulate format, in the policy's order.
  Score dot(std::span<const double> a, std::span<const double> b) const;

  /// Every rounded product and partial sum of `dot`.
  std::vector<double> dot_rounded(std::span<const double> a, std::span<const double> b) const;

 private:
  friend class TableByPairs;
  double recurrent_angle(double start, std::size_t pair) const;
  CosSin cos_sin_of(double angle) const;
  CosSin exact_entry(std::int64_t position, std::size_t pair) const;

  Policy policy_;
  RotaryEmbedding embedding_;
  CpuLevel level_;
  std::vector<double> theta_;
  double scale_ = 0;  // s of the rule recurrence
};

/// The table at positions 0 … last, one pair after another: the same bits as table_entry, except
/// that under the rule `recurrence` an entry costs one multiplication, whatever its pair.
class TableByPairs {
 public:
  /// Starts at pair 0. The pipeline must outlive the columns.
  TableByPairs(const Pipeline& pipeline, std::int64_t last);

  /// The current pair's entries at the positions from `begin` on.
  void take(std::int64_t begin, std::span<double> cos, std::span<double> sin) const;
  std::size_t pair() const { return pair_; }
  void next_pair();

 private:
  const Pipeline& pipeline_;
  std::size_t pair_ = 0;
  std::vector<double> angles_;  // under the rule recurrence
};

}  // namespace rope
