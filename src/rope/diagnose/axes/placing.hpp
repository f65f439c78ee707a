#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// The positions that were found for the tokens.
struct Placed {
  std::vector<Position> places;        ///< of each token
  std::vector<std::string> uncertain;  ///< axes on which some tokens fit other positions too
};

/// Finds the position of each token on every axis from the angles of the pairs of that axis;
/// returns nothing if no position fits some token.
std::optional<Placed> place_on_axes(const Search& search, const Spectrum& spectrum);

/// Whether some token has different positions on different axes.
bool stand_apart(const Placed& placed, std::size_t axes);

}  // namespace rope
