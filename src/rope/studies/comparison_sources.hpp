#pragma once

#include <string_view>
#include <vector>

#include "rope/studies/comparison.hpp"

namespace rope {

/// A column of the measured table that the source documents' table has too.
enum class Property { relative, decay, cost, beyond };

/// "relative", "decay", "cost" or "beyond".
std::string_view name(Property property);

/// What decides a cell.
enum class CellReason {
  spread,          ///< that of the scores over shifts, beside rounding
  mean_cosine,     ///< p_i·p_j is RoPE's mean cosine within `number`
  learned_biases,  ///< `number` of them: any law
  law,             ///< the decay's
  law_of_equal,    ///< the decay's, which holds for q = k alone
  cost,            ///< parameters and flops
  undefined,       ///< there is no score up to T*
  unseen,          ///< the share of what it meets up to T*
  weight,          ///< the same, and the weight of attention, `number`, that is left there
};

/// One cell of the source documents' table beside what was measured.
struct SourceCell {
  const ComparedEncoding* measured = nullptr;
  Property property = Property::relative;
  std::string_view says;
  bool agrees = false;
  CellReason reason = CellReason::spread;
  double number = 0;
};

/// All cells whose encodings were measured; they point into the comparison.
std::vector<SourceCell> source_cells(const EncodingComparison& comparison);

}  // namespace rope
