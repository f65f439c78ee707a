#pragma once

#include <vector>

#include "rope/precision/policy.hpp"

namespace rope {

/// A way in which right code gets from inputs of one format to outputs of another.
struct FittingPolicy {
  Policy policy;
  Format result = Format::float64;  ///< the outputs are cast to it
  bool casts_input = false;         ///< the inputs are cast to policy.input() first
};

/// What outputs are judged by if no policy is named: the pipelines of engines with outputs in the
/// format `y`, the narrowest that holds them, and inputs in `x`. Outputs within the bounds of one
/// of them are right; the first has the narrowest bounds.
///
/// - float64: float64 throughout; angles and tables in float32, as Hugging Face makes them for
///   models of any type.
/// - float32: float32 throughout; ggml's on a CPU and on CUDA.
/// - bfloat16 and float16: rotated in float32 and cast; tables and rotation in the format itself,
///   as in Hugging Face; ggml's, cast.
///
/// Where `x` holds more than `y`: those with x cast first, and those of x's format with y cast.
/// `input_fits`: whether no number of x is too large for y's format.
std::vector<FittingPolicy> fitting_policies(Format x, Format y, bool input_fits = true);

}  // namespace rope
