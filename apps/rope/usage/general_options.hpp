#pragma once

#include "rope/rotary/cpu_level.hpp"
#include "shown/console.hpp"
#include "usage/options.hpp"

namespace rope::app {

/// The options that every command has.
struct GeneralOptions {
  bool quiet = false;
  ColourChoice colour = ColourChoice::automatic;
  CpuLevel cpu_level = best_cpu_level();
  bool help = false;

  void declare(OptionSet& options);
};

}  // namespace rope::app
