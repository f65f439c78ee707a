#pragma once

#include "rope/documents/columns.hpp"
#include "shown/table.hpp"

namespace rope::app {

/// A table of those columns that have a heading, with a row of "…" in place of omitted rows.
Table table_of(const Columns& columns, const ShownRows& rows);
Table table_of(const Columns& columns);

}  // namespace rope::app
