#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/comparison.hpp"

namespace rope {

/// What each encoding adds to the score of two tokens: maps over their positions, and curves by
/// distance. `chosen`: also those omitted from a picture of all.
plot::Figure comparison_figure(const EncodingComparison& comparison, bool chosen);

}  // namespace rope
