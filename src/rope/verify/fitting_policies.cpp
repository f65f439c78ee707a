#include "rope/verify/fitting_policies.hpp"

#include <string_view>

#include "rope/precision/rounding.hpp"

namespace rope {
namespace {

/// How engines compute that keep their vectors in a format, the narrowest bounds first.
std::vector<std::string_view> pipelines_of(Format format) {
  switch (format) {
    case Format::float64:
      return {"float64", "angle=f32,table=f32,apply=f64"};
    case Format::bfloat16:
      return {"bfloat16-store", "bfloat16-table", "ggml,store=bf16"};
    case Format::float16:
      return {"float32,store=f16", "float16-table", "ggml,store=f16"};
    default:
      return {"float32", "ggml-cuda", "ggml"};
  }
}

/// The narrower of float32 and float64 that holds what both formats hold.
Format common_format(Format x, Format y) {
  for (const Format format : {x, y})
    if (holds(format, x) && holds(format, y)) return format;
  return Format::float32;
}

}  // namespace

std::vector<FittingPolicy> fitting_policies(Format x, Format y, bool input_fits) {
  std::vector<FittingPolicy> fitting;
  const bool wider = !holds(y, x);
  if (!wider || input_fits)
    for (const std::string_view name : pipelines_of(y))
      fitting.push_back({parse_policy(name), y, wider});
  if (wider)
    for (const std::string_view name : pipelines_of(common_format(x, y)))
      fitting.push_back({parse_policy(name), y, false});
  return fitting;
}

}  // namespace rope
