#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// Where tokens are placed.
struct Placed {
  std::vector<Position> places;        ///< of each token
  std::vector<std::string> uncertain;  ///< axes on which some may be elsewhere as well
};

/// Places tokens on every axis by the angles of its pairs; nothing if a token fits nowhere.
std::optional<Placed> place_on_axes(const Search& search, const Spectrum& spectrum);

/// Whether some token has different positions on different axes.
bool stand_apart(const Placed& placed, std::size_t axes);

}  // namespace rope
