#pragma once

#include "rope/plot/figure.hpp"
#include "rope/studies/extension.hpp"

namespace rope {

/// By pair and by distance: the angles of each rule, the mean cosine, the distance rotated by.
plot::Figure extension_figure(const ExtensionStudy& study);

/// The circle of every pair, unrolled: which of its angles training saw, and which are new.
plot::Figure extension_fans(const ExtensionStudy& study);

}  // namespace rope
