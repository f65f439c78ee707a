#include "rope/precision/pipeline.hpp"

#include <cmath>
#include <string>

#include "rope/error.hpp"

namespace rope {
namespace {

/// θ̂_k as model code computes it: pow in the angle's format; float32 code takes a reciprocal.
double computed_theta(const RotaryEmbedding& embedding, Format format, std::size_t pair) {
  if (!embedding.base) return round_to(format, embedding.frequencies.theta[pair]);
  const auto numerator = static_cast<double>(2 * pair);
  const auto dim = static_cast<double>(embedding.rotary_dim());
  if (format == Format::float32) {
    const float exponent = static_cast<float>(numerator) / static_cast<float>(dim);
    return static_cast<double>(1.0F / std::pow(static_cast<float>(*embedding.base), exponent));
  }
  return std::pow(*embedding.base, -numerator / dim);
}

Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}

}  // namespace

std::string_view name(RotationForm form) {
  switch (form) {
    case RotationForm::matrix:
      return "matrix";
    case RotationForm::complex:
      return "complex";
    case RotationForm::elementwise:
      break;
  }
  return "elementwise";
}

Pipeline::Pipeline(const Policy& policy, const RotaryEmbedding& embedding, CpuLevel level)
    : policy_(policy), embedding_(embedding), level_(level) {
  theta_ = embedding.frequencies.theta;
  if (policy.angle_rule == AngleRule::exact) return;
  for (std::size_t k = 0; k < theta_.size(); ++k) {
    theta_[k] = computed_theta(embedding, policy.angle, k);
    if (!std::isfinite(theta_[k]))
      throw DomainError("policy " + std::string(policy.name) + ": the frequency of pair " +
                            std::to_string(k) + " is not finite in " +
                            std::string(limits(policy.angle).name),
                        "Choose a policy with a wider angle, or a base nearer to 10000.");
  }
}

double Pipeline::position(std::int64_t position) const {
  return policy_.angle == Format::float32 ? static_cast<double>(static_cast<float>(position))
                                          : static_cast<double>(position);
}

double Pipeline::angle(std::int64_t position, std::size_t pair) const {
  return round_to(policy_.angle, this->position(position) * theta_[pair]);
}

void Pipeline::table_row(std::int64_t position, RotationRow& row) const {
  if (policy_.angle_rule == AngleRule::exact) {
    row = rotation_row(embedding_, position, level_);
    return;
  }
  row.cos.resize(theta_.size());
  row.sin.resize(theta_.size());
  for (std::size_t k = 0; k < theta_.size(); ++k) {
    const double phi = angle(position, k);
    double cosine = 0, sine = 0;
    if (policy_.angle == Format::float32) {
      cosine = static_cast<double>(std::cos(static_cast<float>(phi)));
      sine = static_cast<double>(std::sin(static_cast<float>(phi)));
    } else {
      cosine = std::cos(phi);
      sine = std::sin(phi);
    }
    row.cos[k] = round_to(policy_.table, cosine);
    row.sin[k] = round_to(policy_.table, sine);
  }
}

void Pipeline::rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
                      std::span<double> result) const {
  if (policy_.angle_rule == AngleRule::product) {
    rotate_blocks({row.cos, row.sin, row.sin}, x, result);
    return;
  }
  switch (form) {
    case RotationForm::elementwise:
      rotate_elementwise(embedding_, row, x, result);
      return;
    case RotationForm::complex:
      rotate_complex(embedding_, row, x, result);
      return;
    case RotationForm::matrix:
      break;
  }
  Eigen::Map<Eigen::VectorXd>(result.data(), static_cast<Eigen::Index>(result.size())) =
      rotation_matrix(embedding_, row) * as_vector(x);
}

void Pipeline::rotate_blocks(const PairBlocks& blocks, std::span<const double> x,
                             std::span<double> result) const {
  const Format apply = policy_.apply;
  const auto store = [this](double value) { return round_to(policy_.store, value); };
  for (std::size_t k = 0; k < blocks.cos.size(); ++k) {
    const auto [first, second] = embedding_.dimensions(k);
    const double u = x[first], v = x[second];
    result[first] = store(
        round_to(apply, round_to(apply, u * blocks.cos[k]) - round_to(apply, v * blocks.upper[k])));
    result[second] = store(
        round_to(apply, round_to(apply, u * blocks.lower[k]) + round_to(apply, v * blocks.cos[k])));
  }
  for (std::size_t i = embedding_.rotary_dim(); i < x.size(); ++i) result[i] = store(x[i]);
}

double Pipeline::dot(std::span<const double> a, std::span<const double> b) const {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum = round_to(policy_.accumulate, sum + round_to(policy_.accumulate, a[i] * b[i]));
  return sum;
}

}  // namespace rope
