#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/primer.hpp"

namespace rope {

/// The picture of a topic: arrows in the plane and, if the numbers need one, a chart next to them.
plot::Figure primer_figure(const PrimerStudy& study);

}  // namespace rope
