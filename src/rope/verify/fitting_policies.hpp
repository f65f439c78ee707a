#pragma once

#include <vector>

#include "rope/precision/policy.hpp"

namespace rope {

/// A way in which correct code turns inputs of one format into outputs of another.
struct FittingPolicy {
  Policy policy;
  Format result = Format::float64;  ///< the outputs are cast to this
  bool casts_input = false;         ///< the inputs are cast to policy.input() first
};

/// The policies by which outputs are judged if the user names none: the pipelines of engines whose
/// inputs have the format `x` and whose outputs have the format `y`, each the narrowest format that
/// can represent the numbers. Outputs within the bounds of one of these policies are correct; the
/// first policy has the narrowest bounds.
///
/// - float64: float64 throughout; angles and tables in float32, as Hugging Face makes them for
///   models of any type.
/// - float32: float32 throughout; ggml's pipelines on a CPU and on CUDA.
/// - bfloat16 and float16: rotated in float32 and cast; tables and rotation in the format itself,
///   as in Hugging Face; ggml's pipelines with a cast.
///
/// If `y` cannot represent all numbers of `x`: these policies, with x cast first, and those of a
/// format that can represent both, with the result cast to y. `input_fits`: whether all numbers of
/// x are within the range of y's format.
std::vector<FittingPolicy> fitting_policies(Format x, Format y, bool input_fits = true);

}  // namespace rope
