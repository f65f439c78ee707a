#pragma once

#include <string>

#include "rope/pictures/extension.hpp"
#include "rope/studies/extension.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// The rules side by side, for people.
std::string extend_report(const ExtensionStudy& study, const Console& console);

/// One row per pair: theta, reach and unseen share of every rule.
std::string extend_csv(const ExtensionStudy& study);

/// Schema rope.extend/2; docs/commands.md lists its fields.
std::string extend_json(const ExtensionStudy& study);

}  // namespace rope::app
