#pragma once

// Floating-point formats that pipelines compute in, and their limits.

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "rope/print.hpp"

namespace rope {

/// The floating-point formats that a stage of a pipeline may compute in.
enum class Format { float64, float32, tfloat32, float16, bfloat16, float8 };

/// A format with p bits of significand, gradual underflow and rounding to nearest.
struct FormatLimits {
  std::string_view name;  ///< "f64", "bf16"
  int precision;          ///< p, the hidden bit included
  double unit_roundoff;   ///< u = 2^-p: |fl(x) − x| ≤ u|x|
  /// η, the smallest subnormal number: an underflow causes an error of η/2 at most.
  double underflow;
  double smallest_normal;  ///< 2^(p−1)·η
  double largest;          ///< the largest finite number
  double beyond;  ///< the result for larger numbers: infinity, or NaN in a format without infinity
};

/// The limits of every format, in the order of the enumerators.
inline constexpr std::array<FormatLimits, 6> kFormatLimits = {{
    {"f64", 53, 0x1p-53, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, HUGE_VAL},
    {"f32", 24, 0x1p-24, 0x1p-149, 0x1p-126, 0x1.fffffep127, HUGE_VAL},
    {"tf32", 11, 0x1p-11, 0x1p-136, 0x1p-126, 0x1.ffcp127, HUGE_VAL},
    {"f16", 11, 0x1p-11, 0x1p-24, 0x1p-14, 65504, HUGE_VAL},
    {"bf16", 8, 0x1p-8, 0x1p-133, 0x1p-126, 0x1.fep127, HUGE_VAL},
    {"e4m3", 4, 0x1p-4, 0x1p-9, 0x1p-6, 448, std::numeric_limits<double>::quiet_NaN()},  // OCP FP8
}};

constexpr const FormatLimits& limits(Format format) {
  return kFormatLimits[static_cast<std::size_t>(format)];
}

/// The long name of a format: "float64", "bfloat16".
std::string_view name(Format format);

/// The format with that name, short ("bf16") or long ("bfloat16"), or nothing.
std::optional<Format> find_format(std::string_view name);

}  // namespace rope
