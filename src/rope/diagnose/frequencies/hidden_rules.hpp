#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

// Rules that slow only the slow pairs hardly change the angles of a short prompt, so they may hide
// behind a spectrum that was found. Hidden rules have its base and A but other frequencies; there
// are none if the base is unknown or all pairs are scaled.

/// Hidden rules with the parameters that most models use.
std::vector<Spectrum> usual_hidden_rules(const Spectrum& found);

/// Hidden rules with any parameters: the `most` settings of yarn and of llama3 whose frequencies
/// come nearest, and the found rule with each of its parameters a little larger and smaller.
std::vector<Spectrum> nearest_hidden_rules(const Spectrum& found, std::size_t most);

}  // namespace rope
