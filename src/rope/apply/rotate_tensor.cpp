#include "rope/apply/rotate_tensor.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "rope/error.hpp"

namespace rope {

void visit_vectors(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   const TensorVisitor& visitor) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;  // numbers
  const std::size_t d = axes.head_dim;
  const std::uint64_t vectors = axes.vectors();
  const std::uint64_t in_block = std::max<std::uint64_t>(1, kBlock / d);
  std::vector<double> block(std::min(vectors, in_block) * d);
  for (std::uint64_t first = 0; first < vectors; first += in_block) {
    const std::uint64_t end = std::min(vectors, first + in_block);
    const std::span<double> numbers = std::span(block).first((end - first) * d);
    x.read(first * d, numbers);
    visitor.begin_block(numbers.size());
    for (std::uint64_t vector = first; vector < end;) {
      const std::uint64_t next_token = (vector / axes.inner + 1) * axes.inner;
      const std::uint64_t stop = std::min(end, next_token);
      const std::size_t offset = (vector - first) * d;
      visitor.run({vector, positions.at(axes.batch_of(vector), axes.token_of(vector)),
                   numbers.subspan(offset, (stop - vector) * d), offset});
      vector = stop;
    }
    visitor.end_block();
  }
}

void rotate_tensor(const io::Tensor& x, const TokenAxes& axes, const TokenPositions& positions,
                   VectorRotation& rotation,
                   const std::function<void(std::span<const double>)>& take) {
  if (rotation.embedding().head_dim != axes.head_dim)
    throw ShapeError(x.name() + ": expected a last axis of " +
                     std::to_string(rotation.embedding().head_dim) +
                     ", the head size, found shape " + io::shape_text(x.shape()));
  std::vector<double> rotated;
  TensorVisitor visitor;
  visitor.begin_block = [&](std::size_t numbers) { rotated.resize(numbers); };
  visitor.run = [&](const TokenRun& run) {
    rotation.rotate(run.position, run.x, std::span(rotated).subspan(run.offset, run.x.size()));
  };
  visitor.end_block = [&] { take(rotated); };
  visit_vectors(x, axes, positions, visitor);
}

Format number_format(io::ElementType type) {
  switch (type) {
    case io::ElementType::float32:
      return Format::float32;
    case io::ElementType::float16:
      return Format::float16;
    case io::ElementType::bfloat16:
      return Format::bfloat16;
    default:
      return Format::float64;
  }
}

}  // namespace rope
