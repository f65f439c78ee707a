#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numbers>

#include "long_sweeps.hpp"
#include "rope/parallel/parallel.hpp"
#include "rope/random/random.hpp"
#include "rope/rotary/turns.hpp"

namespace rope::sweep {
namespace {

constexpr std::size_t kBlock = 4096;

/// What cosl and sinl of 64 bits and the angle given to them may be off themselves: 2π and the
/// product are rounded, and the functions are within two units in the last place of a number below
/// 1.
constexpr long double kReference = 0x1p-64L * (2 * 0.7854L + 2);

struct Worst {
  long double error = 0;
  std::uint64_t turns = 0;

  void take(long double other, std::uint64_t at) {
    if (!(other <= error) && !std::isnan(error)) {  // a NaN stays
      error = other;
      turns = at;
    }
  }
};

/// A quarter of the circle more turns (cos, sin) to (−sin, cos).
void compare(std::uint64_t turns, double cosine, double sine, Worst& worst) {
  const std::uint64_t quarter = (turns + (std::uint64_t{1} << 61)) >> 62;
  const auto rest = static_cast<std::int64_t>(turns - (quarter << 62));
  const long double angle =
      static_cast<long double>(rest) * 0x1p-64L * (2 * std::numbers::pi_v<long double>);
  long double c = std::cos(angle), s = std::sin(angle);
  for (std::uint64_t i = 0; i < quarter % 4; ++i) {
    const long double turned = -s;
    s = c;
    c = turned;
  }
  worst.take(std::abs(static_cast<long double>(cosine) - c), turns);
  worst.take(std::abs(static_cast<long double>(sine) - s), turns);
}

Worst sweep_block(std::uint64_t number) {
  std::array<std::uint64_t, kBlock> turns;
  std::array<double, kBlock> cosine, sine;
  RandomStream random(20261127, number);
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t bits = random.bits();
    // Half of them at any power of two from an eighth of a turn, to both sides.
    const std::uint64_t off = bits >> 3 >> (bits >> 3) % 61;
    turns[i] = i % 2 == 0 ? bits : (bits << 61) + (i % 4 == 1 ? off : 0 - off);
  }
  cos_sin(turns, cosine, sine);
  Worst worst;
  for (std::size_t i = 0; i < kBlock; ++i) compare(turns[i], cosine[i], sine[i], worst);
  return worst;
}

}  // namespace

bool run_kernel(std::uint64_t angles) {
  const std::uint64_t blocks = (angles + kBlock - 1) / kBlock;
  Worst worst;
  std::mutex adding;
  in_parallel(blocks, 1, [&](std::size_t begin, std::size_t end) {
    Worst mine;
    for (std::size_t number = begin; number < end; ++number) {
      const Worst block = sweep_block(number);
      mine.take(block.error, block.turns);
    }
    const std::lock_guard<std::mutex> lock(adding);
    worst.take(mine.error, mine.turns);
  });
  const bool right =
      angles > 0 && worst.error + kReference <= static_cast<long double>(kCosSinError);
  std::printf(
      "%llu angles: at most %.6Lg from exact (give or take %.2Lg), at %llu/2^64 of a turn\n",
      static_cast<unsigned long long>(blocks * kBlock), worst.error, kReference,
      static_cast<unsigned long long>(worst.turns));
  return right;
}

}  // namespace rope::sweep
