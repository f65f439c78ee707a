#pragma once

#include <string>

#include "rope/studies/extension.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints, for people, which pairs meet new angles and which rules prevent that. `setting`: the
/// embedding on one line.
void print_extension(const ExtensionStudy& study, const std::string& setting, bool details,
                     const Console& console);

}  // namespace rope::app
