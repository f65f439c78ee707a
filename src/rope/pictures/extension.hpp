#pragma once

#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/extension.hpp"

namespace rope {

/// For each rule: by pair, the angles; by distance, the mean cosine and the distance by which q and
/// k are rotated. `setting`: the embedding in one line, with the name of its model.
plot::Figure extension_figure(const ExtensionStudy& study, const std::string& setting);

/// The circle of every pair, unrolled: which of its angles training saw, and which are new.
plot::Figure extension_fans(const ExtensionStudy& study, const std::string& setting);

}  // namespace rope
