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

/// One way to read two arrays: which axis counts the tokens, and their positions.
struct TokenReading {
  std::size_t axis = 0;
  std::optional<std::vector<std::int64_t>>
      positions;  ///< one per token; if absent, they are searched for
  /// The axis of the rows of a batch that have positions of their own, before `axis`: then there is
  /// one position per token of each row, row by row.
  std::optional<std::size_t> row_axis;
  /// Instead of positions: the position of each token on `axes` ≥ 2 axes.
  std::optional<std::vector<Position>> axis_positions = std::nullopt;
  std::size_t axes = 1;
};

/// One reading for every axis but the last. Of axes of length 1 after the first, only one counts:
/// it may hold a token of each row. With positions, only axes of their length count.
std::vector<TokenReading> token_readings(
    std::span<const std::size_t> shape,
    const std::optional<std::vector<std::int64_t>>& positions = std::nullopt);

/// What was found in two arrays, and in which of their tokens.
struct ArrayDiagnosis : ArrayReading {
  Diagnosis diagnosis;
  /// The tensors as judged, with finite tokens only: a view of the arrays, which must outlive it.
  RotatedTensors tensors;
};

/// Diagnoses arrays whose token axis may be unknown: tries all readings, and if several explain y,
/// the verdict is ambiguous and says so. Skips tokens that hold a NaN or an infinity; if only y
/// holds one, the verdict is ambiguous. If no reading explains y but one convention does along
/// another axis, returns that one. Ignores request.positions: each reading has its own.
///
/// Shapes    x, y: of this `shape`, row-major, the last axis being the head.
/// Throws    ShapeError as rotated_tensors, or if there is no reading; DomainError if no token of
///           any reading is finite.
ArrayDiagnosis diagnose_arrays(std::span<const std::size_t> shape, const Numbers& x,
                               const Numbers& y, std::span<const TokenReading> readings,
                               const DiagnosisRequest& request);

/// The request for vectors of a head size, which decides what is assumed; nothing if they cannot
/// have that size.
using RequestOfHeads = std::function<std::optional<DiagnosisRequest>(std::size_t head_dim)>;

/// The same if the last axis may hold several heads, one after another, as a projection leaves
/// them: [tokens, heads·head_dim]. It is split into heads of the stated size; if that or the whole
/// axis explains nothing by frequencies of a rule, heads of usual sizes are tried.
///
/// `request_of`: must have a request for the whole axis.
ArrayDiagnosis diagnose_heads(std::span<const std::size_t> shape, const Numbers& x,
                              const Numbers& y, std::span<const TokenReading> readings,
                              std::optional<std::size_t> head_dim,
                              const RequestOfHeads& request_of);

/// The same along any axis; request.positions apply to axes of their length.
Diagnosis diagnose_any_axis(std::span<const std::size_t> shape, const Numbers& x, const Numbers& y,
                            const DiagnosisRequest& request);

/// The request that `rope diagnose` makes: it recognises by name the embedding of every published
/// model that the library knows.
DiagnosisRequest request_with_presets();

}  // namespace rope
