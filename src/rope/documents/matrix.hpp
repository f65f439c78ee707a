#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/pictures/matrix.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/studies/matrix_properties.hpp"

namespace rope {

/// Rotation matrices, and the properties checked on them.
struct MatrixStudy {
  RotaryEmbedding embedding;
  std::vector<std::int64_t> positions;
  MatrixForm form = MatrixForm::dense;
  std::vector<PropertyResult> properties;
};

/// θ_i, λ_i, the angle and its cos and sin, for every pair at one position.
Columns pairs_at(const RotaryEmbedding& embedding, std::int64_t position);

/// The matrices as csv, as a .npy file, as JSON (schema rope.matrix/2; docs/commands.md lists its
/// fields) and as LaTeX, which shows the corners of a large matrix.
std::string matrix_csv(const MatrixStudy& study);
std::string matrix_npy(const MatrixStudy& study);
std::string matrix_json(const MatrixStudy& study);
std::string matrix_tex(const MatrixStudy& study);

}  // namespace rope
