#pragma once

#include <string>

#include "rope/pictures/extension.hpp"
#include "rope/studies/extension.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Which pairs see new angles, and which rules keep them from it, for people. `setting`: the
/// embedding in one line.
void print_extension(const ExtensionStudy& study, const std::string& setting, bool details,
                     const Console& console);

/// One row per pair: theta, reach and unseen share of every rule.
std::string extend_csv(const ExtensionStudy& study);

/// Schema rope.extend/2; docs/commands.md lists its fields.
std::string extend_json(const ExtensionStudy& study);

}  // namespace rope::app
