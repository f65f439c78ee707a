#pragma once

#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/extension.hpp"

namespace rope {

/// By pair and by distance: the angles of each rule, the mean cosine, the distance rotated by.
/// `setting`: the embedding in one line, with the name of its model.
plot::Figure extension_figure(const ExtensionStudy& study, const std::string& setting);

/// The circle of every pair, unrolled: which of its angles training saw, and which are new.
plot::Figure extension_fans(const ExtensionStudy& study, const std::string& setting);

}  // namespace rope
