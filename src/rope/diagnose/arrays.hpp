#pragma once

// Which convention does a piece of code follow? The answer comes from comparing arrays from before
// and after it runs.
//
//     const rope::Diagnosis found = rope::diagnose(shape, x, y);
//     std::cout << found << "\n";
//     if (found.verdict == rope::DiagnosisVerdict::unique)
//       std::cout << name(found.explanations.front().arrangement) << "\n";

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/rotary/arrays.hpp"

namespace rope {

/// Which convention turned x into y? Gives the same answer as `rope diagnose --input X --result Y`:
/// the token axis may be any axis except the last, and models are recognised by name.
///
/// `positions`: one per token; if absent, 0, 1, 2 … plus an offset that the search finds.
///
/// Shapes    x, y: of this `shape`, row-major, the last axis being the head.
/// Accuracy  an explanation reproduces every number of y within the rounding bounds of a pipeline:
///           docs/diagnose.md.
/// Throws    ShapeError if the shape does not fit; DomainError if no token is finite.
/// Example   examples/diagnose.cpp
Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const float> x,
                   std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);
Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const double> x,
                   std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

/// The same if the meaning of each axis is known. An axis (HD) that holds several heads is split
/// into heads of a size that explains y.
///
/// `positions`: as for ArrayAxes::vectors.
/// Shapes    in the result, token_axis and reading refer to the axes in the order B, T, H, D if D
///           is not last or T comes before B.
Diagnosis diagnose(const ArrayAxes& axes, std::span<const float> x, std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);
Diagnosis diagnose(const ArrayAxes& axes, std::span<const double> x, std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

}  // namespace rope
