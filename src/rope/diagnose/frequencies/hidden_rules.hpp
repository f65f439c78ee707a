#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/spectrum.hpp"

namespace rope {

// Rules that slow the slow pairs alone leave the angles of a short prompt nearly as they are. Each
// of these has the base and the A of what was found and other frequencies; none where the base is
// unknown, or where what was found scales all pairs.

/// With the parameters that most models have.
std::vector<Spectrum> usual_hidden_rules(const Spectrum& found);

/// With any parameters: of yarn and llama3 the `most` whose frequencies are nearest to those found,
/// and the rule that was found with each of its parameters a little larger and smaller.
std::vector<Spectrum> nearest_hidden_rules(const Spectrum& found, std::size_t most);

}  // namespace rope
