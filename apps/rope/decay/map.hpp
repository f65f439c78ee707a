#pragma once

#include <string>

#include "rope/pictures/embedding_text.hpp"
#include "rope/studies/decay_map.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// What of `rope decay --map` is shown.
struct MapStudy {
  RotaryVariant variant;
  DecayMap map;
};

void print_decay_map(const MapStudy& study, const Console& console);

/// One row a pair of distances.
std::string decay_map_csv(const MapStudy& study);

std::string decay_map_json(const MapStudy& study);

}  // namespace rope::app
