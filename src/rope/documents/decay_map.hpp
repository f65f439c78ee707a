#pragma once

#include <string>

#include "rope/studies/decay_map.hpp"
#include "rope/words/embedding_text.hpp"

namespace rope {

/// The mean cosine of one embedding as a function of the distances on two axes.
struct MapStudy {
  RotaryVariant variant;
  DecayMap map;
};

/// The names of the axes whose distances are the rows and the columns.
const std::string& row_name(const MapStudy& study);
const std::string& column_name(const MapStudy& study);

/// One row per pair of distances.
std::string decay_map_csv(const MapStudy& study);

/// Schema rope.decay-map/1; docs/commands.md lists its fields.
std::string decay_map_json(const MapStudy& study);

}  // namespace rope
