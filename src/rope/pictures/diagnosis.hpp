#pragma once

#include <cstddef>
#include <string>

#include "rope/plot/figure.hpp"
#include "rope/studies/error_map.hpp"

namespace rope {

/// The errors of every pair and token as a heat map. `tokens`: the total number of tokens; the map
/// may contain only some of them.
plot::Figure diagnosis_figure(const ErrorMap& map, std::size_t tokens, const std::string& subtitle);

}  // namespace rope
