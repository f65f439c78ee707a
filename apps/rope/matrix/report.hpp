#pragma once

#include "rope/documents/matrix.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Some of the matrices, and what holds for all of them, for people.
void print_matrix(const MatrixStudy& study, bool details, const Console& console);

}  // namespace rope::app
