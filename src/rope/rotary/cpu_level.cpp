#include "rope/rotary/cpu_level.hpp"

namespace rope {

CpuLevel best_cpu_level() {
#if defined(__x86_64__)
  // Named features, not "x86-64-v3": clang 14 does not know the level names here.
  const bool v3 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                  __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool v4 =
      v3 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0;
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
