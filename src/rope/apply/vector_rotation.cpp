#include "rope/apply/vector_rotation.hpp"

#include <cmath>
#include <utility>

#include "rope/precision/rounding.hpp"
#include "rope/rotary/rotate_heads.hpp"

namespace rope {
namespace {

RotaryEmbedding directed(RotaryEmbedding embedding, Direction direction) {
  if (direction == Direction::inverse) embedding.attention_factor = 1 / embedding.attention_factor;
  return embedding;
}

}  // namespace

VectorRotation::VectorRotation(const Policy& policy, RotaryEmbedding embedding, RotationForm form,
                               Direction direction, CpuLevel level)
    : pipeline_(policy, directed(std::move(embedding), direction), level),
      form_(form),
      direction_(direction),
      level_(level) {}

const RotationRow& VectorRotation::row(const Position& position) {
  if (has_row_ && position == position_) return row_;
  pipeline_.table_row(position, row_);
  if (direction_ == Direction::inverse) transpose(row_);
  position_ = position;
  has_row_ = true;
  return row_;
}

std::span<const double> VectorRotation::as_input(std::span<const double> x) {
  const Format format = pipeline_.policy().input();
  if (format == Format::float64) return x;
  input_.resize(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    input_[i] = round_to(format, x[i]);
    if (input_[i] != x[i] && !std::isnan(x[i])) ++rounded_inputs_;
  }
  return input_;
}

void VectorRotation::rotate(const Position& position, std::span<const double> x,
                            std::span<double> y) {
  const RotationRow& row = this->row(position);
  const bool exact = pipeline_.policy().angle_rule == AngleRule::exact;
  if (exact && form_ == RotationForm::elementwise) {
    rotate_heads(embedding(), row, x, y, level_);
    return;
  }
  const std::span<const double> input = as_input(x);
  const std::size_t d = embedding().head_dim;
  for (std::size_t start = 0; start < x.size(); start += d)
    pipeline_.rotate(form_, row, input.subspan(start, d), y.subspan(start, d));
}

}  // namespace rope
