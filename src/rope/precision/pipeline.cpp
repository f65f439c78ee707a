#include "rope/precision/pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "rope/error.hpp"
#include "rope/precision/largest.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/precision/sum.hpp"
#include "rope/rotary/rotation_matrix.hpp"

namespace rope {
namespace {

/// base^−exponent as model code computes it: a reciprocal in float32.
double inverse_power(Format format, double base, double numerator, double dim) {
  if (format == Format::float64) return std::pow(base, -numerator / dim);
  const float exponent = static_cast<float>(numerator) / static_cast<float>(dim);
  return static_cast<double>(1.0F / std::pow(static_cast<float>(base), exponent));
}

/// s = base^(−2/r) as ggml computes it: one power of a negative exponent, in float32.
double recurrence_scale(const Policy& policy, const RotaryEmbedding& embedding) {
  const float exponent = -2.0F / static_cast<float>(embedding.rotary_dim());
  const float scale = std::pow(static_cast<float>(*embedding.base), exponent);
  return round_to(policy.frequency, static_cast<double>(scale));
}

/// θ̂_i as the pipeline computes it.
double computed_theta(const Policy& policy, const RotaryEmbedding& embedding, double scale,
                      std::size_t pair) {
  switch (policy.angle_rule) {
    case AngleRule::recurrence:
      return std::pow(scale, static_cast<double>(pair));  // s^i, which is never rounded as such
    case AngleRule::scale_power: {
      const float power = std::pow(static_cast<float>(scale), static_cast<float>(pair));
      return round_to(policy.frequency, static_cast<double>(power));
    }
    default:
      break;
  }
  if (!embedding.geometric_base())
    return round_to(policy.frequency, embedding.frequencies.theta[pair]);
  return round_to(policy.frequency,
                  inverse_power(policy.pow(), *embedding.base, static_cast<double>(2 * pair),
                                static_cast<double>(embedding.rotary_dim())));
}

/// The angle without its whole turns, in float32; 2π is the double nearest to it.
double reduced_angle(double angle) {
  return round_to(Format::float32, std::remainder(angle, 2 * std::numbers::pi));
}

/// The sum of a pipeline's score, as its policy adds it up.
template <class Count>
auto sum_of(const Pipeline& pipeline, std::span<const double> a, std::span<const double> b) {
  const Policy& policy = pipeline.policy();
  struct Counted {
    double value;
    decltype(Count::seen) counted;
  };
  return with_rounding(policy.accumulate, [&](auto round) {
    Sum<Count, decltype(round)> sum(round, pipeline.exact_products());
    policy.sum == SumOrder::pairwise ? sum.pairwise(a, b) : sum.sequential(a, b);
    return Counted{sum.value(), sum.counted()};
  });
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

Pipeline::Pipeline(Policy policy, const RotaryEmbedding& embedding, CpuLevel level)
    : policy_(std::move(policy)), embedding_(embedding), level_(level) {
  theta_ = embedding.frequencies.theta;
  if (policy_.angle_rule == AngleRule::exact) return;
  if (!embedding.geometric_base()) policy_.angle_rule = AngleRule::product;
  if (policy_.angle_rule != AngleRule::product) scale_ = recurrence_scale(policy_, embedding);
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    theta_[i] = computed_theta(policy_, embedding, scale_, i);
    if (!std::isfinite(theta_[i]))
      throw DomainError(
          "policy " + policy_.name + ": the frequency of pair " + std::to_string(i) +
              " is not finite in " + std::string(limits(policy_.frequency).name),
          "Choose a policy with a wider frequency format, or a base nearer to 10000.");
  }
}

double Pipeline::position(std::int64_t position) const {
  // Straight from the integer to float32; to narrower formats by way of double, which holds every
  // position up to 2^53.
  if (policy_.position == Format::float32) return static_cast<double>(static_cast<float>(position));
  return round_to(policy_.position, static_cast<double>(position));
}

double Pipeline::angle(std::int64_t position, std::size_t pair) const {
  const double start = this->position(position);
  if (policy_.angle_rule == AngleRule::recurrence) return recurrent_angle(start, pair);
  const double angle = round_to(policy_.angle, start * theta_[pair]);
  return policy_.reduced ? reduced_angle(angle) : angle;
}

double Pipeline::recurrent_angle(double start, std::size_t pair) const {
  if (policy_.angle == Format::float32) {
    // The same bits: a product of two floats is exact in double, and rounded once.
    auto angle = static_cast<float>(start);
    const auto scale = static_cast<float>(scale_);
    for (std::size_t i = 0; i < pair; ++i) angle *= scale;
    return static_cast<double>(angle);
  }
  double angle = start;
  for (std::size_t i = 0; i < pair; ++i) angle = round_to(policy_.angle, angle * scale_);
  return angle;
}

CosSin Pipeline::cos_sin_of(double angle) const {
  CosSin entry{};
  if (policy_.trig() == Format::float32) {
    const auto narrow = static_cast<float>(angle);
    entry = {static_cast<double>(std::cos(narrow)), static_cast<double>(std::sin(narrow))};
  } else {
    entry = {std::cos(angle), std::sin(angle)};
  }
  if (embedding_.attention_factor != 1) {
    const double factor = round_to(policy_.trig(), embedding_.attention_factor);
    entry = {round_to(policy_.trig(), entry.cos * factor),
             round_to(policy_.trig(), entry.sin * factor)};
  }
  return {round_to(policy_.table, entry.cos), round_to(policy_.table, entry.sin)};
}

CosSin Pipeline::exact_entry(std::int64_t position, std::size_t pair) const {
  const CosSin entry = cos_sin(position * embedding_.frequencies.turns[pair]);
  return {entry.cos * embedding_.attention_factor, entry.sin * embedding_.attention_factor};
}

CosSin Pipeline::table_entry(std::int64_t position, std::size_t pair) const {
  if (policy_.angle_rule == AngleRule::exact) return exact_entry(position, pair);
  return cos_sin_of(angle(position, pair));
}

void Pipeline::table_row(std::int64_t position, RotationRow& row) const {
  if (policy_.angle_rule == AngleRule::exact) {
    set_rotation_row(embedding_, position, row, level_);
    return;
  }
  row.cos.resize(theta_.size());
  row.sin.resize(theta_.size());
  const double start = this->position(position);
  double phi = start;
  for (std::size_t i = 0; i < theta_.size(); ++i) {
    if (policy_.angle_rule != AngleRule::recurrence) {
      phi = round_to(policy_.angle, start * theta_[i]);
    } else if (i > 0) {
      phi = round_to(policy_.angle, phi * scale_);
    }
    const CosSin entry = cos_sin_of(policy_.reduced ? reduced_angle(phi) : phi);
    row.cos[i] = entry.cos;
    row.sin[i] = entry.sin;
  }
}

void Pipeline::table_row(const Position& position, RotationRow& row) const {
  if (!embedding_.axes.several()) {
    table_row(position[0], row);
    return;
  }
  const bool exact = policy_.angle_rule == AngleRule::exact;
  if (exact) row = rotation_row(embedding_, position, level_);
  if (exact) return;
  row.cos.resize(theta_.size());
  row.sin.resize(theta_.size());
  for (std::size_t axis = 0; axis < embedding_.axes.count(); ++axis) {
    RotationRow own;
    table_row(position[axis], own);
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      if (embedding_.axes.of_pair[i] != axis) continue;
      row.cos[i] = own.cos[i];
      row.sin[i] = own.sin[i];
    }
  }
}

void Pipeline::rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
                      std::span<double> result) const {
  Eigen::MatrixXd zeros;
  rotate(form, row, x, result, zeros);
}

void Pipeline::rotate(RotationForm form, const RotationRow& row, std::span<const double> x,
                      std::span<double> result, Eigen::MatrixXd& zeros) const {
  if (policy_.angle_rule != AngleRule::exact) {
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
  rotate_dense(embedding_, row, x, result, zeros, level_);
}

void Pipeline::rotate_blocks(const PairBlocks& blocks, std::span<const double> x,
                             std::span<double> result) const {
  rotate_unstored(blocks, x, result);
  store(result);
}

void Pipeline::rotate_unstored(const PairBlocks& blocks, std::span<const double> x,
                               std::span<double> result) const {
  with_rounding(policy_.apply, [&](auto rounded) {
    embedding_.for_each_pair([&](std::size_t i, std::size_t first, std::size_t second) {
      const double u = x[first], v = x[second];
      result[first] = rounded(rounded(u * blocks.cos[i]) - rounded(v * blocks.upper[i]));
      result[second] = rounded(rounded(u * blocks.lower[i]) + rounded(v * blocks.cos[i]));
    });
  });
  for (std::size_t i = embedding_.rotary_dim(); i < x.size(); ++i) result[i] = x[i];
}

void Pipeline::store(std::span<double> y) const {
  if (policy_.store == policy_.apply) return;
  if (policy_.store != Format::float8) {
    for (double& value : y) value = round_to(policy_.store, value);
    return;
  }
  double largest = 0;
  for (const double value : y) largest = larger(largest, std::abs(value));
  const double scale = larger(round_to(Format::float32, largest / limits(Format::float8).largest),
                              limits(Format::float32).smallest_normal);
  for (double& value : y) {
    const double scaled = round_to(Format::float32, value / scale);
    value = round_to(Format::float32, round_to(Format::float8, scaled) * scale);
  }
}

Score Pipeline::dot(std::span<const double> a, std::span<const double> b) const {
  const auto sum = sum_of<Magnitudes>(*this, a, b);
  return {sum.value, sum.counted};
}

std::vector<double> Pipeline::dot_rounded(std::span<const double> a,
                                          std::span<const double> b) const {
  return sum_of<RoundedNumbers>(*this, a, b).counted;
}

TableByPairs::TableByPairs(const Pipeline& pipeline, std::int64_t last) : pipeline_(pipeline) {
  if (pipeline.policy().angle_rule != AngleRule::recurrence) return;
  angles_.reserve(static_cast<std::size_t>(last) + 1);
  for (std::int64_t p = 0; p <= last; ++p) angles_.push_back(pipeline.position(p));
}

void TableByPairs::take(std::int64_t begin, std::span<double> cos, std::span<double> sin) const {
  const bool exact = pipeline_.policy().angle_rule == AngleRule::exact;
  CosSin entry{};
  double angle_of_entry = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const std::int64_t position = begin + static_cast<std::int64_t>(i);
    if (exact) {
      entry = pipeline_.exact_entry(position, pair_);
    } else {
      const double angle = angles_.empty() ? pipeline_.angle(position, pair_)
                                           : angles_[static_cast<std::size_t>(position)];
      // In narrow formats, many positions become one number.
      if (angle != angle_of_entry) entry = pipeline_.cos_sin_of(angle);
      angle_of_entry = angle;
    }
    cos[i] = entry.cos;
    sin[i] = entry.sin;
  }
}

void TableByPairs::next_pair() {
  ++pair_;
  for (double& angle : angles_)
    angle = round_to(pipeline_.policy().angle, angle * pipeline_.scale_);
}

}  // namespace rope
