#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/rotary/rotation.hpp"

namespace rope {

/// The three ways in which this library writes R_m x.
enum class RotationForm { elementwise, matrix, complex };

std::string_view name(RotationForm form);

/// The 2×2 block [cos −upper; lower cos] of every pair. A rotation has upper = lower = sin; planted
/// mistakes have not.
struct PairBlocks {
  std::span<const double> cos;
  std::span<const double> upper;
  std::span<const double> lower;
};

/// A rotary pipeline under a rounding policy: the same bits that such a pipeline would compute,
/// every number held in a double. Under the policy `exact` it is this library's own rotation.
///
/// libm's cos, sin and pow are those of this machine; how far they may be off is a hypothesis of
/// the bounds (bounds.hpp), which the verification measures.
class Pipeline {
 public:
  /// Throws DomainError if a frequency is not finite in the angle's format.
  Pipeline(const Policy& policy, const RotaryEmbedding& embedding,
           CpuLevel level = best_cpu_level());

  const Policy& policy() const { return policy_; }
  const RotaryEmbedding& embedding() const { return embedding_; }

  /// θ̂_k as the pipeline uses it; under the policy `exact` the double nearest to θ_k.
  std::span<const double> theta() const { return theta_; }

  /// fl(m), the position in the angle's format.
  double position(std::int64_t position) const;

  /// fl(fl(m)·θ̂_k), the angle of which the pipeline takes cos and sin (angle_rule product).
  double angle(std::int64_t position, std::size_t pair) const;

  /// Cosines and sines at one position, as the table holds them.
  void table_row(std::int64_t position, RotationRow& row) const;

  /// R_m x from a row of the table. `form` matters to the policy `exact` alone.
  void rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
              std::span<double> result) const;

  /// The same with any 2×2 blocks, in the policy's arithmetic.
  void rotate_blocks(const PairBlocks& blocks, std::span<const double> x,
                     std::span<double> result) const;

  /// Σ a_i b_i, in sequence, in the accumulate format.
  double dot(std::span<const double> a, std::span<const double> b) const;

 private:
  Policy policy_;
  RotaryEmbedding embedding_;
  CpuLevel level_;
  std::vector<double> theta_;
};

}  // namespace rope
