#pragma once

#include "rope/documents/decay_map.hpp"
#include "shown/console.hpp"

namespace rope::app {

void print_decay_map(const MapStudy& study, const Console& console);

}  // namespace rope::app
