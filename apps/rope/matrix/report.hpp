#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rope/plot/figure.hpp"
#include "rope/rotary/embedding.hpp"
#include "rope/verify/matrix_checks.hpp"
#include "shown/console.hpp"

namespace rope::app {

enum class MatrixForm { dense, pairs };

/// The largest deviation of one property over all positions.
struct PropertyResult {
  std::string name;     ///< "orthogonality": what files call it
  std::string formula;  ///< "‖RᵀR − I‖": what people read
  MatrixCheck check;
  std::int64_t m = 0;             ///< the position it was found at
  std::optional<std::int64_t> n;  ///< and the second one, for the composition
};

/// What `rope matrix` computes.
struct MatrixStudy {
  RotaryEmbedding embedding;
  std::vector<std::int64_t> positions;
  MatrixForm form = MatrixForm::dense;
  std::vector<PropertyResult> properties;
};

std::string matrix_report(const MatrixStudy& study, const Console& console);
std::string matrix_csv(const MatrixStudy& study);
std::string matrix_npy(const MatrixStudy& study);
std::string matrix_json(const MatrixStudy& study);
std::string matrix_tex(const MatrixStudy& study);
plot::Figure matrix_figure(const MatrixStudy& study);

/// Throws    ShapeError if matrix_figure would refuse the study: more than a picture can show.
void check_picture(const MatrixStudy& study);

}  // namespace rope::app
