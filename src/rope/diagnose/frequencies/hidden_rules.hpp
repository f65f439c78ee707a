#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

// A rule that slows only the slow pairs hardly changes the angles of a short prompt, so it may
// apply even if the search found a spectrum without it. Such hidden rules have the same A as that
// spectrum, the same or a nearby usual base, and other frequencies. There are none if the base is
// unknown or the rule found does not keep the ratios of the fast pairs.

/// Hidden rules with the parameters that most models use.
std::vector<Spectrum> usual_hidden_rules(const Spectrum& found);

/// Hidden rules with any parameters: the `most` settings of yarn and of llama3 whose frequencies
/// are nearest to those found, and the rule found, with each of its parameters slightly increased
/// and decreased.
std::vector<Spectrum> nearest_hidden_rules(const Spectrum& found, std::size_t most);

}  // namespace rope
