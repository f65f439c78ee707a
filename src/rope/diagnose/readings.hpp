#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "rope/diagnose/arrays.hpp"
#include "rope/diagnose/tensors.hpp"

namespace rope {

/// One way to read two arrays: which axis is the token axis, and which positions the tokens have.
struct TokenReading {
  std::size_t axis = 0;
  /// One per token; if absent, they are searched for.
  std::optional<std::vector<std::int64_t>> positions;
  /// The batch axis, if each row of the batch has positions of its own; it comes before `axis`.
  /// In that case, there is one position per token of each row, row by row.
  std::optional<std::size_t> row_axis;
  /// Instead of positions: the position of each token on `axes` ≥ 2 axes.
  std::optional<std::vector<Position>> axis_positions = std::nullopt;
  std::size_t axes = 1;
};

/// One reading for every axis except the last. Of several axes of length 1 after the first axis,
/// only one is read: it may hold one token of each row. If positions are given, only axes whose
/// length is the number of positions are read.
std::vector<TokenReading> token_readings(
    std::span<const std::size_t> shape,
    const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

/// What was found in two arrays, and the tokens in which it was found.
struct ArrayDiagnosis : ArrayReading {
  Diagnosis diagnosis;
  /// The tensors as judged, with only finite tokens: a view of the arrays, which must outlive it.
  RotatedTensors tensors;
};

/// Diagnoses arrays whose token axis may be unknown: tries all readings, and if several explain y,
/// the verdict is ambiguous and the other axes are named. Skips tokens that hold a NaN or an
/// infinity; if only y holds one, the verdict is ambiguous. If no reading explains y but one
/// convention does so along an axis that no reading uses, returns that diagnosis. Ignores
/// request.positions: each reading has its own.
///
/// Shapes    x, y: of this `shape`, row-major, the last axis being the head.
/// Throws    ShapeError as for rotated_tensors, or if there is no reading; DomainError if no token
///           of any reading is finite.
ArrayDiagnosis diagnose_arrays(std::span<const std::size_t> shape, const Numbers& x,
                               const Numbers& y, std::span<const TokenReading> readings,
                               const DiagnosisRequest& request);

/// Returns the request for vectors of a given head size, which determines the assumed embedding;
/// nothing if the vectors cannot have that size.
using RequestOfHeads = std::function<std::optional<DiagnosisRequest>(std::size_t head_dim)>;

/// Like diagnose_arrays, but the last axis may hold several heads, one after another, as in the
/// output of a projection: [tokens, heads·head_dim]. The axis is split into heads of the stated
/// size; if frequencies of a rule explain neither these heads nor the whole axis, heads of usual
/// sizes are tried.
///
/// `request_of`: must return a request for the size of the whole axis.
ArrayDiagnosis diagnose_heads(std::span<const std::size_t> shape, const Numbers& x,
                              const Numbers& y, std::span<const TokenReading> readings,
                              std::optional<std::size_t> head_dim,
                              const RequestOfHeads& request_of);

/// Like diagnose_heads, along any axis; request.positions apply to axes whose length is the number
/// of positions.
Diagnosis diagnose_any_axis(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
                            const DiagnosisRequest& request);

/// The request that `rope diagnose` makes: it recognises by name the embedding of every published
/// model that the library knows.
DiagnosisRequest request_with_presets();

}  // namespace rope
