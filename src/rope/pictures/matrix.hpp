#pragma once

#include <cstdint>
#include <span>

#include "rope/plot/figure.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// The whole matrix, or two numbers per pair.
enum class MatrixForm { dense, pairs };

/// R_m at each position: as a heat map, or the cosine and sine of every pair.
///
/// Throws    ShapeError for more than a picture can show.
plot::Figure matrix_figure(const RotaryEmbedding& embedding,
                           std::span<const std::int64_t> positions, MatrixForm form);

/// Throws    ShapeError if matrix_figure would.
void check_matrix_picture(const RotaryEmbedding& embedding, std::span<const std::int64_t> positions,
                          MatrixForm form);

}  // namespace rope
