#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/pictures/matrix.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/studies/matrix_properties.hpp"
#include "shown/columns.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What `rope matrix` computes.
struct MatrixStudy {
  RotaryEmbedding embedding;
  std::vector<std::int64_t> positions;
  MatrixForm form = MatrixForm::dense;
  std::vector<PropertyResult> properties;
};

/// θ_k, λ_k, the angle and its cos and sin, of every pair at one position.
Columns pairs_at(const RotaryEmbedding& embedding, std::int64_t position);

void print_matrix(const MatrixStudy& study, bool details, const Console& console);
std::string matrix_csv(const MatrixStudy& study);
std::string matrix_npy(const MatrixStudy& study);
std::string matrix_json(const MatrixStudy& study);
std::string matrix_tex(const MatrixStudy& study);
}  // namespace rope::app
