#pragma once

#include "rope/documents/columns.hpp"
#include "shown/table.hpp"

namespace rope::app {

/// A table of the columns that have a heading, with a line of … where rows are omitted.
Table table_of(const Columns& columns, const ShownRows& rows);
Table table_of(const Columns& columns);

}  // namespace rope::app
