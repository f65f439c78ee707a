#include "rope/verify/test_vectors.hpp"

#include <array>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/precision/bounds.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"
#include "rope/verify/output_check.hpp"
#include "rope/verify/reference.hpp"

namespace rope {
namespace {

constexpr std::array<std::int64_t, 12> kRevealingPositions = {0,   1,    2,    3,    5,     100,
                                                              256, 1023, 4095, 8191, 65537, 131071};

}  // namespace

struct TestVectorMaker::State {
  TestVectors made;
  ErrorBounds bounds;
  ReferenceRotation reference;
  std::vector<ReferenceRotation::Entry> row;  ///< of the last position
  std::vector<double> limits;
};

TestVectorMaker::TestVectorMaker(const RotaryEmbedding& embedding, const Policy& policy)
    : state_(new State{{embedding, policy, {}, {}, {}, {}},
                       OutputBounds(policy, embedding).bounds,
                       ReferenceRotation(embedding),
                       {},
                       {}}) {}
TestVectorMaker::~TestVectorMaker() = default;
TestVectorMaker::TestVectorMaker(TestVectorMaker&&) noexcept = default;
TestVectorMaker& TestVectorMaker::operator=(TestVectorMaker&&) noexcept = default;

void TestVectorMaker::add(std::int64_t position, std::span<const double> x) {
  TestVectors& made = state_->made;
  if (x.size() != made.embedding.head_dim)
    throw ShapeError("test vectors: expected " + std::to_string(made.embedding.head_dim) +
                     " elements, got " + std::to_string(x.size()));
  if (made.positions.empty() || position != made.positions.back())
    state_->row = state_->reference.row(position);
  made.positions.push_back(position);
  std::vector<double> rounded(x.begin(), x.end());
  for (double& value : rounded) value = round_to(made.policy.input(), value);
  std::vector<double>& limits = state_->limits;
  const double through = state_->bounds.rotated(position, rounded, limits);
  std::vector<double> y(rounded), bound(rounded.size(), through);
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const auto [i, j] = made.embedding.dimensions(k);
    const auto [first, second] = ReferenceRotation::rotate(state_->row[k], rounded[i], rounded[j]);
    y[i] = first.high;
    y[j] = second.high;
    bound[i] = bound[j] = limits[k] + 0x1p-52 * pair_length(y[i], y[j]);  // y itself is rounded
  }
  made.x.insert(made.x.end(), rounded.begin(), rounded.end());
  made.y.insert(made.y.end(), y.begin(), y.end());
  made.bound.insert(made.bound.end(), bound.begin(), bound.end());
}

TestVectors TestVectorMaker::take() {
  TestVectors& made = state_->made;
  return std::exchange(made, {made.embedding, made.policy, {}, {}, {}, {}});
}

std::span<const std::int64_t> revealing_positions() { return kRevealingPositions; }

TestVectors random_test_vectors(const RotaryEmbedding& embedding, const Policy& policy,
                                std::span<const std::int64_t> positions, std::size_t heads,
                                std::uint64_t seed) {
  TestVectorMaker maker(embedding, policy);
  std::vector<double> x(embedding.head_dim);
  for (std::size_t vector = 0; vector < positions.size() * heads; ++vector) {
    RandomStream(seed, vector).fill_normal(x);
    maker.add(positions[vector / heads], x);
  }
  return maker.take();
}

}  // namespace rope
