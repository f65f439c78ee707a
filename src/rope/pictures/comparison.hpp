#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/comparison.hpp"

namespace rope {

/// What each encoding adds to the score of two tokens: maps over their positions, and curves by
/// distance. `chosen`: whether the user chose the encodings; if so, encodings that a picture of all
/// encodings omits are also shown.
plot::Figure comparison_figure(const EncodingComparison& comparison, bool chosen);

}  // namespace rope
