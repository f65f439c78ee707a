#pragma once

// Levels of instruction sets that can be chosen, so that their results can be compared: the bits
// are the same at every level.

#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The instruction sets that the vector loops are compiled for. All give the same bits: every
/// operation is one correctly rounded IEEE-754 operation, in the same order, without contraction.
enum class CpuLevel {
  baseline,  ///< any x86-64 (SSE2), or any other machine
  v3,        ///< x86-64-v3: AVX2
  v4,        ///< x86-64-v4: AVX-512
};

/// The highest level this machine can run.
CpuLevel best_cpu_level();

/// "baseline", "v3" or "v4".
std::string_view name(CpuLevel level);

/// Selects one of three functions that differ only in the instruction sets they are compiled for.
template <class Function>
constexpr Function for_level(CpuLevel level, Function baseline, Function v3, Function v4) {
  return level == CpuLevel::v4 ? v4 : level == CpuLevel::v3 ? v3 : baseline;
}

}  // namespace rope

/// Compiles one function for an instruction set. Its loops must come from always-inline functions,
/// which take on the instruction set of the function they are inlined into.
#if defined(__x86_64__) && defined(__clang__)
#define ROPE_TARGET_V3 [[gnu::target("arch=x86-64-v3")]]
#define ROPE_TARGET_V4 [[gnu::target("arch=x86-64-v4")]]
#elif defined(__x86_64__)
#define ROPE_TARGET_V3 [[gnu::target("arch=x86-64-v3")]]
#define ROPE_TARGET_V4 [[gnu::target("arch=x86-64-v4,prefer-vector-width=512")]]
#else
#define ROPE_TARGET_V3
#define ROPE_TARGET_V4
#endif
