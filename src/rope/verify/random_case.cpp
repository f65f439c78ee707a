#include "rope/verify/random_case.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "rope/error.hpp"
#include "rope/precision/rounding.hpp"
#include "rope/random/random.hpp"

namespace rope {
namespace {

std::int64_t with_random_sign(RandomStream& random, std::int64_t magnitude) {
  return (random.bits() & 1U) != 0 ? -magnitude : magnitude;
}

/// 2^e for a random e up to the size of max.
std::int64_t random_power_of_two(RandomStream& random, std::int64_t max) {
  const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(max)));
  return std::int64_t{1} << random.integer(0, std::max<std::int64_t>(bits - 1, 0));
}

/// Uniform between two powers of two: every size is as likely as the next.
std::int64_t log_uniform(RandomStream& random, std::int64_t max) {
  const std::int64_t power = random_power_of_two(random, max);
  return with_random_sign(random,
                          std::min<std::int64_t>(random.integer(power, 2 * power - 1), max));
}

void make_positions(RandomStream& random, std::int64_t max, VerifyCase& result) {
  const auto uniform = [&] { return random.integer(-max, max); };
  const auto beyond_power = [&] {
    return with_random_sign(random,
                            std::min<std::int64_t>(random_power_of_two(random, max) + 1, max));
  };
  const auto extreme = [&] {
    const std::array<std::int64_t, 5> extremes = {0, std::min<std::int64_t>(1, max), max, -max,
                                                  std::max<std::int64_t>(max - 1, 0)};
    return extremes[static_cast<std::size_t>(random.integer(0, 4))];
  };
  const std::int64_t near = std::min<std::int64_t>(max, 64);
  switch (result.number % 8) {
    case 1:
      result.m = result.n = uniform();
      return;
    case 2:
      result.m = beyond_power();
      result.n = beyond_power();
      return;
    case 3:
      result.m = extreme();
      result.n = extreme();
      return;
    case 4:
      result.m = random.integer(-near, near);
      result.n = random.integer(-near, near);
      return;
    case 5:
      result.m = log_uniform(random, max);
      result.n = log_uniform(random, max);
      return;
    case 6:
      result.m = uniform();
      result.n = std::clamp<std::int64_t>(result.m + random.integer(-near, near), -max, max);
      return;
    default:
      result.m = uniform();
      result.n = uniform();
  }
}

/// 2^e, of which a product loses no bit here.
double power_of_two(std::int64_t e) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + e) << 52);
}

void make_vector(RandomStream& random, std::uint64_t kind, Format input,
                 std::vector<double>& values) {
  random.fill_normal(values);
  if (kind == 1)
    for (double& value : values) value *= power_of_two(random.integer(-8, 8));
  if (kind == 2)
    for (double& value : values) value = value < 0 ? -1 : 1;
  if (input != Format::float64)
    for (double& value : values) value = round_to(input, value);
}

}  // namespace

CaseMaker::CaseMaker(std::uint64_t seed, std::size_t head_dim, std::int64_t max_position,
                     Format input)
    : seed_(seed), head_dim_(head_dim), max_position_(max_position), input_(input) {
  if (max_position < 0 || max_position > kMaxVerifyPosition)
    throw DomainError("max-position: expected 0 to 2^61, got " + std::to_string(max_position));
}

void CaseMaker::make(std::uint64_t number, VerifyCase& result) const {
  RandomStream random(seed_, number);
  result.number = number;
  make_positions(random, max_position_, result);
  const auto [low, high] = std::minmax<std::int64_t>(result.m, result.n);
  result.shift = random.integer(-max_position_ - low, max_position_ - high);
  result.q.resize(head_dim_);
  result.k.resize(head_dim_);
  const std::uint64_t kind = number / 8 % 3;
  make_vector(random, kind, input_, result.q);
  make_vector(random, kind, input_, result.k);
}

}  // namespace rope
