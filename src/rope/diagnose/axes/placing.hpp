#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rope/diagnose/positions/runs.hpp"

namespace rope {

/// Where tokens stand.
struct Placed {
  std::vector<Position> places;        ///< of each token
  std::vector<std::string> uncertain;  ///< axes on which some may stand elsewhere too
};

/// Places tokens on every axis by the angles of its own pairs; nothing if one fits nowhere.
std::optional<Placed> place_on_axes(const Search& search, const Spectrum& spectrum);

/// Whether some token stands elsewhere on one axis than on another.
bool stand_apart(const Placed& placed, std::size_t axes);

}  // namespace rope
