#pragma once

#include <string>

#include "rope/documents/columns.hpp"
#include "rope/studies/extension.hpp"

namespace rope {

/// One row per pair: theta, reach and unseen share for every rule.
std::string extension_csv(const ExtensionStudy& study, CsvForm form);

/// Schema rope.extend/2; docs/commands.md lists its fields.
std::string extension_json(const ExtensionStudy& study);

}  // namespace rope
