#pragma once

#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/precision.hpp"

namespace rope {

/// The largest error of each policy by position, and its error for random q and k. `setting`: the
/// embedding in one line, with the name of its model.
plot::Figure precision_figure(const PrecisionStudy& study, const std::string& setting);

/// The error of every pair by position, with one heat map per policy.
plot::Figure precision_pairs(const PrecisionStudy& study, const std::string& setting);

}  // namespace rope
