#include "rope/rotary/cpu_level.hpp"

namespace rope {

CpuLevel best_cpu_level() {
#if defined(__x86_64__)
  // Named features, not "x86-64-v3": clang 14 does not know the level names here. The casts: g++
  // gives an int, clang a bool.
  const auto all = [](auto... supported) { return (static_cast<bool>(supported) && ...); };
  const bool v3 = all(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"),
                      __builtin_cpu_supports("bmi"), __builtin_cpu_supports("bmi2"));
  const bool v4 = v3 && all(__builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512dq"),
                            __builtin_cpu_supports("avx512cd"), __builtin_cpu_supports("avx512bw"),
                            __builtin_cpu_supports("avx512vl"));
  if (v4) return CpuLevel::v4;
  if (v3) return CpuLevel::v3;
#endif
  return CpuLevel::baseline;
}

std::string_view name(CpuLevel level) {
  switch (level) {
    case CpuLevel::v3:
      return "v3";
    case CpuLevel::v4:
      return "v4";
    case CpuLevel::baseline:
      break;
  }
  return "baseline";
}

}  // namespace rope
