#pragma once

#include <string>

#include "usage/output.hpp"

namespace rope::app {

/// Whether a file that is there may be replaced without being asked for: it is empty, or rope wrote
/// it, as the mark in a PNG says, or a header in a CSV of these columns and no others, each with or
/// without its [label].
bool is_own_file(const OutputFile& file, ColumnNames columns);

}  // namespace rope::app
