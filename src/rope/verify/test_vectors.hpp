#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rope/precision/policy.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// Data for testing another implementation: the inputs, the exact outputs, and how far a rounding
/// policy allows the output to be from the exact one.
///
/// Shapes    x, y, bound [vectors × head_dim], row-major.
struct TestVectors {
  RotaryEmbedding embedding;
  Policy policy;
  std::vector<std::int64_t> positions;  ///< one per vector
  std::vector<double> x;                ///< rounded to the policy's input format
  std::vector<double> y;                ///< R_m x, exact, rounded to double
  std::vector<double> bound;  ///< the largest |output − y| that the policy allows, per element
};

/// Makes test vectors, one at a time.
class TestVectorMaker {
 public:
  TestVectorMaker(const RotaryEmbedding& embedding, const Policy& policy);
  ~TestVectorMaker();
  TestVectorMaker(TestVectorMaker&& other) noexcept;
  TestVectorMaker& operator=(TestVectorMaker&& other) noexcept;

  /// x is rounded to the policy's input format.
  ///
  /// Throws    ShapeError unless x has head_dim elements.
  void add(std::int64_t position, std::span<const double> x);

  /// Returns the vectors added so far and removes them from the maker.
  TestVectors take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Positions that have revealed mistakes: those of the first tokens, the last one before bfloat16
/// skips positions, the last ones of contexts, and one beyond float16's range.
std::span<const std::int64_t> revealing_positions();

/// Test vectors with `heads` vectors of normal numbers at each position; the same seed gives the
/// same vectors on every machine.
TestVectors random_test_vectors(const RotaryEmbedding& embedding, const Policy& policy,
                                std::span<const std::int64_t> positions, std::size_t heads,
                                std::uint64_t seed);

}  // namespace rope
