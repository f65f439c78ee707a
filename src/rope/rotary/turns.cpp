#include "rope/rotary/turns.hpp"

#include <string>

#include "rope/error.hpp"
#include "rope/rotary/turns_kernel.hpp"

namespace rope {
namespace {

void loop_baseline(const std::uint64_t* turns, double* cos, double* sin, std::size_t n) {
  kernel::cos_sin_loop(turns, cos, sin, n);
}
ROPE_TARGET_V3 void loop_v3(const std::uint64_t* turns, double* cos, double* sin, std::size_t n) {
  kernel::cos_sin_loop(turns, cos, sin, n);
}
ROPE_TARGET_V4 void loop_v4(const std::uint64_t* turns, double* cos, double* sin, std::size_t n) {
  kernel::cos_sin_loop(turns, cos, sin, n);
}

}  // namespace

CosSin cos_sin(TurnFraction fraction) {
  CosSin result{};
  kernel::cos_sin(fraction.high, result.cos, result.sin);
  return result;
}

void cos_sin(std::span<const std::uint64_t> turns, std::span<double> cos, std::span<double> sin,
             CpuLevel level) {
  if (cos.size() != turns.size() || sin.size() != turns.size())
    throw ShapeError("cos_sin: expected " + std::to_string(turns.size()) + " places, got " +
                     std::to_string(cos.size()) + " and " + std::to_string(sin.size()));
  for_level(level, loop_baseline, loop_v3, loop_v4)(turns.data(), cos.data(), sin.data(),
                                                    turns.size());
}

}  // namespace rope
