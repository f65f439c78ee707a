#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

// A rule that slows only the slow pairs hardly changes the angles of a short prompt, so it may
// apply even if the spectrum found does not include it. Such hidden rules have the same base and A
// as that spectrum but other frequencies; there are none if the base is unknown or all pairs are
// scaled.

/// Hidden rules with the parameters that most models use.
std::vector<Spectrum> usual_hidden_rules(const Spectrum& found);

/// Hidden rules with any parameters: the `most` settings of yarn and of llama3 whose frequencies
/// are nearest to those found, and the found rule with each of its parameters a little larger and
/// smaller.
std::vector<Spectrum> nearest_hidden_rules(const Spectrum& found, std::size_t most);

}  // namespace rope
