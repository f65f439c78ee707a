#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::claims {

struct ReadingResult {
  std::vector<ClauseResult> clauses;  ///< as many as the reading has
  bool holds = false;
};

/// A row, recomputed.
struct ClaimResult {
  std::vector<ReadingResult> readings;  ///< as many as the claim has, unless it was refused
  std::string refused;                  ///< why the row does not follow; empty where it does

  bool follows() const { return refused.empty(); }
};

/// Recomputes a statement, and refuses a row whose verdict does not follow from its readings, whose
/// corrections are missing, whose numbers rounding cannot decide, or which has a check that cannot
/// fail.
///
///   holds        statement true                condition    inside true, outside false
///   wrong        statement false, corrected true   misleading   narrow true, plain false
///   ambiguous    one and other true, with different numbers   documentary  reason and source
///   tested       tests                         defined      reason
ClaimResult check_claim(const Claim& claim);

/// A row that must be refused: a row of the ledger with a mistake in it.
struct PlantedRow {
  std::string mistake;  ///< "a digit changed"
  std::string family;   ///< of the quantity it was planted in
  Claim claim;
};

/// One mistake of each kind in each family that has a row for it: a digit changed, another verdict,
/// a correction removed, a check that cannot fail, a parameter that is not asked for.
std::vector<PlantedRow> planted_rows(std::span<const Article> articles);

}  // namespace rope::claims
