#pragma once

#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/extension.hpp"

namespace rope {

/// For each rule, the angles of every pair; also, for every distance, the mean cosine and the
/// distance by which q and k are actually rotated. `setting`: the embedding in one line, with the
/// name of its model.
plot::Figure extension_figure(const ExtensionStudy& study, const std::string& setting);

/// The circle of every pair, unrolled: which angles occurred in training, and which are new.
plot::Figure extension_fans(const ExtensionStudy& study, const std::string& setting);

}  // namespace rope
