#include "rope/verify/scheme.hpp"

#include <algorithm>

#include "rope/precision/rounding.hpp"

namespace rope {

Rotor::Rotor(const Policy& policy, const RotorSpec& spec, CpuLevel level)
    : spec_(spec), pipeline_(policy, spec.embedding, level) {}

void Rotor::row(std::int64_t position, Row& row) const {
  pipeline_.table_row(spec_.rotated_by(position), row.table);
  row.rotation = true;
  if (spec_.factor != 1.0) {
    for (double& c : row.table.cos) c *= spec_.factor;
    for (double& s : row.table.sin) s *= spec_.factor;
  }
  switch (spec_.distortion) {
    case Distortion::swapped_sine:
      row.rotation = false;
      row.upper = row.table.sin;
      for (double& s : row.upper) s = -s;
      break;
    case Distortion::late_sine:
      row.rotation = false;
      row.upper = row.table.sin;
      std::ranges::copy_backward(row.table.sin.begin(), row.table.sin.end() - 1, row.upper.end());
      break;
    case Distortion::identity:
      std::ranges::fill(row.table.cos, spec_.embedding.attention_factor);
      [[fallthrough]];
    case Distortion::cosine_only:
      std::ranges::fill(row.table.sin, 0.0);
      break;
    case Distortion::none:
    case Distortion::additive:
      break;
  }
}

void Rotor::apply(RotationForm form, const Row& row, std::span<const double> x,
                  std::span<double> result) const {
  Eigen::MatrixXd zeros;
  apply(form, row, x, result, zeros);
}

void Rotor::apply(RotationForm form, const Row& row, std::span<const double> x,
                  std::span<double> result, Eigen::MatrixXd& zeros) const {
  if (additive()) {
    const Format apply = pipeline_.policy().apply;
    std::ranges::copy(x, result.begin());
    for (std::size_t k = 0; k < row.table.cos.size(); ++k) {
      const auto [first, second] = pipeline_.embedding().dimensions(k);
      result[first] = round_to(apply, x[first] + row.table.sin[k]);
      result[second] = round_to(apply, x[second] + row.table.cos[k]);
    }
    pipeline_.store(result);
    return;
  }
  if (spec_.distortion == Distortion::none && spec_.factor == 1.0) {
    pipeline_.rotate(form, row.table, x, result, zeros);
    return;
  }
  pipeline_.rotate_blocks(row.blocks(), x, result);
}

void Rotor::apply_transposed(const Row& row, std::span<const double> x,
                             std::span<double> result) const {
  const PairBlocks blocks = row.blocks();
  std::ranges::copy(x, result.begin());
  for (std::size_t k = 0; k < blocks.cos.size(); ++k) {
    const auto [first, second] = pipeline_.embedding().dimensions(k);
    result[first] = blocks.cos[k] * x[first] + blocks.lower[k] * x[second];
    result[second] = blocks.cos[k] * x[second] - blocks.upper[k] * x[first];
  }
}

bool Scheme::blockwise() const {
  const auto same = [this](const Rotor& other) {
    const RotaryEmbedding& a = query.pipeline().embedding();
    const RotaryEmbedding& b = other.pipeline().embedding();
    return !other.additive() && a.layout == b.layout && a.rotary_dim() == b.rotary_dim();
  };
  return same(query) && same(key) && same(relative);
}

SchemeSpec right_scheme(const RotaryEmbedding& embedding) {
  RotorSpec rotor;
  rotor.embedding = embedding;
  return {rotor, rotor, rotor};
}

}  // namespace rope
