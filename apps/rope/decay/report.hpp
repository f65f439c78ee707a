#pragma once

#include <cstddef>
#include <cstdint>

#include "named/rotary_options.hpp"
#include "rope/documents/decay_map.hpp"
#include "rope/pictures/decay.hpp"
#include "rope/studies/decay.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Random pairs are measured for at most this many distances, unless more are requested.
inline constexpr std::size_t kMostDistancesForRandomPairs = 4096;

/// `details`: prints every distance, and a table of every curve. `kinds`: whether the curves belong
/// to different kinds of layers in one model; if so, and without `details`, one table shows them
/// side by side.
void print_decay(const DecayStudy& study, bool kinds, bool details, const Console& console);

/// Prints the report of --map: the mean cosine by distance on two axes.
void print_decay_map(const MapStudy& study, const Console& console);

}  // namespace rope::app
