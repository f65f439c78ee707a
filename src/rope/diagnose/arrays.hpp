#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// Which convention turned x into y? The answer of `rope diagnose --input X --result Y`: tokens may
/// count along any axis but the last, and models are recognised by name.
///
///     for (const rope::Explanation& e : rope::diagnose(shape, x, y).explanations)
///       std::puts(name(e.arrangement).c_str());
///
/// `positions`: one per token; if absent, 0, 1, 2 … from a start that is searched for.
///
/// Shapes    x, y: as `shape` has it, row-major, the last axis the head.
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

}  // namespace rope
