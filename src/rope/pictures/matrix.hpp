#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/rotary/embedding.hpp"

namespace rope {

/// The whole matrix, or two numbers per pair.
enum class MatrixForm { dense, pairs };

/// What a picture of matrices shows: R_m as a heat map, or the cosine and sine of every pair.
struct MatrixPicture {
  RotaryEmbedding embedding;
  std::vector<std::int64_t> positions;
  MatrixForm form = MatrixForm::dense;
  std::optional<PairLayout> beside;  ///< show each matrix in this layout too
};

/// Throws    ShapeError if there is more than a picture can show, or if `beside` is set for
///           MatrixForm::pairs, whose numbers are the same in every layout.
plot::Figure matrix_figure(const MatrixPicture& picture);

/// Throws    ShapeError if matrix_figure would.
void check_matrix_picture(const MatrixPicture& picture);

}  // namespace rope
