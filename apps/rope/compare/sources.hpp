#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/study.hpp"

namespace rope::app {

/// A column of the measured table that the source documents' table has too.
enum class Property { relative, decay, cost, beyond };

/// "relative", "decay", "cost" or "beyond".
std::string_view name(Property property);

/// One cell of the source documents' table beside what was measured.
struct SourceCell {
  std::string_view encoding;  ///< as the table of encodings names it
  Property property;
  std::string_view says;
  bool agrees = false;
  std::string because;  ///< the number
};

/// All cells whose encodings were measured.
std::vector<SourceCell> source_cells(const ComparisonStudy& study);

/// The cells as a table for people.
std::string sources_report(const ComparisonStudy& study, const Console& console);

}  // namespace rope::app
