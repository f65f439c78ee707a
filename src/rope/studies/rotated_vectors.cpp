#include "rope/studies/rotated_vectors.hpp"

#include <span>

#include "rope/apply/rotate_tensor.hpp"
#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

/// The numbers as the output holds them.
void round_to_type(io::ElementType type, std::span<double> values) {
  std::vector<char> bytes(values.size() * io::size_of(type));
  io::encode(type, values, bytes.data());
  io::decode(type, bytes.data(), values);
}

}  // namespace

void for_each_rotated(const ApplyStudy& study, const std::function<void(const Rotated&)>& take) {
  VectorRotation rotation = study.rotation();
  const std::size_t d = study.input.axes.head_dim;
  TensorVisitor visitor;
  visitor.run = [&](const TokenRun& run) {
    Rotated one{run.vector, run.position, {}, std::vector<double>(d), rotation.row(run.position)};
    for (std::size_t start = 0; start < run.x.size(); start += d, ++one.vector) {
      const std::span<const double> x = run.x.subspan(start, d);
      one.x.assign(x.begin(), x.end());
      for (double& value : one.x) value = round_to(study.policy.input(), value);
      rotation.rotate(run.position, x, one.y);
      round_to_type(study.type, one.y);
      take(one);
    }
  };
  visit_vectors(study.input.tensor, study.input.axes, study.input.positions, visitor);
}

std::size_t axis_of(const RotaryEmbedding& embedding, std::size_t pair) {
  return embedding.axes.several() ? embedding.axes.of_pair[pair] : 0;
}

std::vector<std::int64_t> on_axes(const RotaryEmbedding& embedding, const Position& position) {
  std::vector<std::int64_t> numbers;
  for (std::size_t axis = 0; axis < embedding.axes.count(); ++axis)
    numbers.push_back(position[axis]);
  return numbers;
}

std::vector<double> reduced_angles(const RotaryEmbedding& embedding, const Position& position) {
  std::vector<double> reduced(embedding.pairs());
  for (std::size_t axis = 0; axis < embedding.axes.count(); ++axis) {
    const std::vector<double> angles = reduced_angles(embedding.frequencies, position[axis]);
    for (std::size_t k = 0; k < reduced.size(); ++k)
      if (axis_of(embedding, k) == axis) reduced[k] = angles[k];
  }
  return reduced;
}

}  // namespace rope
