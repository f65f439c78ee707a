#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {

/// One way to read two arrays: which axis counts the tokens, and where those stand.
struct TokenReading {
  std::size_t axis = 0;
  std::optional<std::vector<std::int64_t>> positions;  ///< one a token; nothing: to be found
};

/// Every leading axis, but those of length 1 behind the first; with positions, those alone that are
/// as long as they are.
std::vector<TokenReading> token_readings(
    std::span<const std::size_t> shape,
    const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

/// What was found in two arrays, and in which tokens of them.
struct ArrayDiagnosis {
  Diagnosis diagnosis;
  RotatedTensors tensors;         ///< as they were judged: the tokens that count
  std::vector<std::size_t> kept;  ///< which tokens of the arrays those are
  std::size_t left_out = 0;       ///< tokens that hold a NaN or an infinity
};

/// Diagnoses arrays of which the axis of the tokens may not be known: all readings are tried, and
/// where several explain y, that is said and leaves the verdict ambiguous. Tokens that hold a NaN
/// or an infinity are left out; where only y does, the verdict is ambiguous. request.positions are
/// not looked at: each reading has its own.
///
/// Shapes    x, y: as `shape` has it, row-major, the last axis the head.
/// Throws    ShapeError as rotated_tensors, or if there is no reading; DomainError if no token of
///           any reading is finite.
ArrayDiagnosis diagnose_arrays(std::span<const std::size_t> shape, std::span<const double> x,
                               std::span<const double> y, std::span<const TokenReading> readings,
                               const DiagnosisRequest& request);

/// The same along any axis; request.positions count for axes of their length.
Diagnosis diagnose_any_axis(std::span<const std::size_t> shape, std::span<const double> x,
                            std::span<const double> y, const DiagnosisRequest& request);

/// What `rope diagnose` asks: the embeddings of every published model the library knows are
/// recognised by name.
DiagnosisRequest request_with_presets();

/// Which convention turned x into y? The answer of `rope diagnose --input X --result Y`: tokens may
/// count along any axis but the last, and models are recognised by name.
///
///     for (const rope::Explanation& e : rope::diagnose(shape, x, y).explanations)
///       std::puts(name(e.arrangement).c_str());
///
/// `positions`: one a token; nothing: 0, 1, 2 … from a start that is found.
///
/// Shapes    x, y: as `shape` has it, row-major, the last axis the head.
/// Accuracy  an explanation reproduces every number of y within the rounding bounds of a pipeline:
///           docs/diagnose.md.
/// Throws    as diagnose_arrays.
/// Example   examples/diagnose.cpp
Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const float> x,
                   std::span<const float> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);
Diagnosis diagnose(std::span<const std::size_t> shape, std::span<const double> x,
                   std::span<const double> y,
                   const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

}  // namespace rope
