#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// The distance of y from x rotated according to an explanation, by token and pair.
struct ErrorMap {
  std::vector<std::size_t> tokens;      ///< the tokens examined, grouped by regime
  std::vector<std::int64_t> positions;  ///< the position of each of these tokens
  std::size_t pairs = 0;
  std::vector<double> errors;  ///< tokens × pairs: the largest |y − R x| of a pair
};

/// The map for at most `most` evenly spaced tokens of each regime; `most` ≥ 2.
ErrorMap error_map(const RotatedTensors& tensors, const Explanation& explanation,
                   const DiagnosisHypotheses& hypotheses, std::size_t most);

}  // namespace rope
