#pragma once

#include <string_view>

namespace rope {

/// The floating-point formats that a stage of a pipeline may compute in.
enum class Format { float64, float32 };

/// What an error bound needs to know of a format with p bits of significand.
struct FormatLimits {
  std::string_view name;  ///< "f64", "f32"
  int precision;          ///< p, the hidden bit included
  double unit_roundoff;   ///< u = 2^-p: |fl(x) − x| ≤ u|x|
  double underflow;       ///< η, the smallest subnormal number: absolute error of an underflow
};

constexpr FormatLimits limits(Format format) {
  if (format == Format::float32) return {"f32", 24, 0x1p-24, 0x1p-149};
  return {"f64", 53, 0x1p-53, 0x1p-1074};
}

/// The nearest number of the format, ties to even, held in a double.
///
/// One operation of a narrower format is `round_to(format, operation in double)`: for + − × ÷ √ the
/// double rounding changes nothing as long as 53 ≥ 2p + 2 (Figueroa 1995), which float32 meets.
inline double round_to(Format format, double value) {
  return format == Format::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

}  // namespace rope
