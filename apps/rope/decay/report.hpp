#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "named/rotary_options.hpp"
#include "rope/pictures/decay.hpp"
#include "rope/studies/decay.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Random pairs are measured up to so many distances, unless more are asked for.
inline constexpr std::size_t kMostDistancesForRandomPairs = 4096;

/// `details`: every distance.
void print_decay(const DecayStudy& study, bool details, const Console& console);
std::string decay_csv(const DecayStudy& study);
std::string decay_json(const DecayStudy& study);

}  // namespace rope::app
