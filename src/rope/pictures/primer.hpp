#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/primer.hpp"

namespace rope {

/// The picture of a topic: arrows in the plane, and next to them a chart if numbers need one.
plot::Figure primer_figure(const PrimerStudy& study);

}  // namespace rope
