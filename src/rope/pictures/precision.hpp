#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/precision.hpp"

namespace rope {

/// The largest error of each policy by position, and that of random q and k.
plot::Figure precision_figure(const PrecisionStudy& study);

/// The error of every pair by position, a heat map for each policy.
plot::Figure precision_pairs(const PrecisionStudy& study);

}  // namespace rope
