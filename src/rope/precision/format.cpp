#include "rope/precision/format.hpp"

#include <array>
#include <utility>

namespace rope {

std::string_view name(Format format) {
  static constexpr std::array<std::string_view, kFormatLimits.size()> kLong = {
      "float64", "float32", "tfloat32", "float16", "bfloat16", "float8"};
  return kLong.at(static_cast<std::size_t>(format));
}

std::optional<Format> find_format(std::string_view name) {
  using enum Format;
  static constexpr std::array<std::pair<std::string_view, Format>, 19> kNames = {{
      {"f64", float64},     {"float64", float64},   {"fp64", float64},  {"double", float64},
      {"f32", float32},     {"float32", float32},   {"fp32", float32},  {"single", float32},
      {"tf32", tfloat32},   {"tfloat32", tfloat32}, {"f16", float16},   {"fp16", float16},
      {"float16", float16}, {"half", float16},      {"bf16", bfloat16}, {"bfloat16", bfloat16},
      {"e4m3", float8},     {"fp8", float8},        {"float8", float8},
  }};
  for (const auto& [known, format] : kNames)
    if (known == name) return format;
  return std::nullopt;
}

}  // namespace rope
