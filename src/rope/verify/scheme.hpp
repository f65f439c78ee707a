#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rope/precision/pipeline.hpp"

namespace rope {

/// The change made to the 2×2 block [c −s; s c] of every pair.
enum class Distortion {
  none,
  swapped_sine,  ///< [c s; s c]: the sign of one sine is lost
  late_sine,    ///< [c −s'; s c], where s' is the sine of the previous pair: one sine is repeated
                ///< once too often
  cosine_only,  ///< [c 0; 0 c]
  identity,     ///< [1 0; 0 1]: not rotated at all
  additive,     ///< no block: the sinusoidal vector (sin mθ_i, cos mθ_i) is added instead
};

/// How one of the three vectors of the identity is encoded: correctly, or with one mistake.
struct RotorSpec {
  RotaryEmbedding embedding;
  Distortion distortion = Distortion::none;
  bool reversed = false;    ///< rotates by −m instead of m
  bool uneven = false;      ///< rotates by 2m if m is odd, so that θ depends on the position
  std::int64_t offset = 0;  ///< rotates by m + offset
  double factor = 1.0;      ///< multiplies cos and sin

  /// The position by which a vector at `position` is rotated.
  std::int64_t rotated_by(std::int64_t position) const {
    const std::int64_t turned = uneven && position % 2 != 0 ? 2 * position : position;
    return (reversed ? -turned : turned) + offset;
  }
};

/// A function x ↦ R_m x, correct or with a mistake, in the arithmetic of a policy.
class Rotor {
 public:
  Rotor(const Policy& policy, const RotorSpec& spec, CpuLevel level = best_cpu_level());

  const Pipeline& pipeline() const { return pipeline_; }
  bool additive() const { return spec_.distortion == Distortion::additive; }

  /// The position by which the rotor rotates a vector at `position`; a rotor with a mistake may use
  /// a different position.
  std::int64_t rotated_by(std::int64_t position) const { return spec_.rotated_by(position); }

  /// The 2×2 blocks at one position.
  struct Row {
    RotationRow table;          // cosines and sines of the pipeline
    std::vector<double> upper;  // filled only if the blocks are not rotations
    bool rotation = true;

    PairBlocks blocks() const {
      return {table.cos, rotation ? std::span<const double>(table.sin) : upper, table.sin};
    }
  };
  void row(std::int64_t position, Row& row) const;

  /// R_m x. `form` matters only for undistorted rotors under the policy `exact`.
  void apply(RotationForm form, const Row& row, std::span<const double> x,
             std::span<double> result) const;

  /// The same, reusing memory for the dense R_m.
  void apply(RotationForm form, const Row& row, std::span<const double> x, std::span<double> result,
             Eigen::MatrixXd& zeros) const;

  /// R_mᵀ x from the blocks, in double. Not for additive rotors.
  void apply_transposed(const Row& row, std::span<const double> x, std::span<double> result) const;

 private:
  RotorSpec spec_;
  Pipeline pipeline_;
};

/// The two sides of the identity, ⟨query(q, m), key(k, n)⟩ and ⟨q, relative(k, n − m)⟩: in a
/// correct implementation, `query`, `key` and `relative` are the same function; a planted mistake
/// changes one or all of them.
struct SchemeSpec {
  RotorSpec query, key, relative;
};

struct Scheme {
  Scheme(const Policy& policy, const SchemeSpec& spec, CpuLevel level = best_cpu_level())
      : query(policy, spec.query, level),
        key(policy, spec.key, level),
        relative(policy, spec.relative, level) {}

  Rotor query, key, relative;

  /// Whether all three use one layout and no vector is added, so that the defect is one
  /// complex-linear block per pair.
  bool blockwise() const;
};

/// The scheme that implements the embedding as it should be.
SchemeSpec right_scheme(const RotaryEmbedding& embedding);

}  // namespace rope
