#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// For another implementation: the inputs, the exact outputs to expect, and how far from them a
/// rounding policy lets the output be.
///
/// Shapes    x, y, bound [vectors × head_dim], row-major.
struct TestVectors {
  RotaryEmbedding embedding;
  Policy policy;
  std::vector<std::int64_t> positions;  ///< one per vector
  std::vector<double> x;                ///< in the format that the policy takes
  std::vector<double> y;                ///< R_m x, exact, rounded to double
  std::vector<double> bound;            ///< |output − y| that the policy allows per element
};

/// Makes them, one vector at a time.
class TestVectorMaker {
 public:
  TestVectorMaker(const RotaryEmbedding& embedding, const Policy& policy);
  ~TestVectorMaker();
  TestVectorMaker(TestVectorMaker&& other) noexcept;
  TestVectorMaker& operator=(TestVectorMaker&& other) noexcept;

  /// x is rounded to the format that the policy takes.
  ///
  /// Throws    ShapeError unless x has head_dim elements.
  void add(std::int64_t position, std::span<const double> x);

  /// Returns those that were added; none are left.
  TestVectors take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Positions that have shown mistakes: the first tokens; the last one bfloat16 holds; contexts; one
/// beyond float16.
std::span<const std::int64_t> revealing_positions();

/// `heads` normal vectors at each position, the same for the same seed on every machine.
TestVectors random_test_vectors(const RotaryEmbedding& embedding, const Policy& policy,
                                std::span<const std::int64_t> positions, std::size_t heads,
                                std::uint64_t seed);

}  // namespace rope
