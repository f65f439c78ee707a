#pragma once

#include <string_view>

#include "rope/rotary/cpu_level.hpp"
#include "shown/console.hpp"
#include "usage/arguments.hpp"

namespace rope::app {

/// --quiet, --color, --cpu-level and --help: every command has them.
void declare_general_options(OptionSet& options);

/// The console that --quiet and --color ask for.
Console make_console(std::string_view command, const Arguments& arguments);

/// The vector code path of --cpu-level. Throws rope::Error if this machine lacks it.
CpuLevel cpu_level(const Arguments& arguments);

}  // namespace rope::app
