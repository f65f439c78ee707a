#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/claims/claim.hpp"

namespace rope::claims {

struct ReadingResult {
  std::vector<ClauseResult> clauses;  ///< one per clause of the reading
  bool holds = false;
};

/// The result of recomputing a row.
struct ClaimResult {
  std::vector<ReadingResult> readings;  ///< one per reading of the claim, unless it was refused
  std::string refused;                  ///< why the row was refused; empty if it was not

  bool follows() const { return refused.empty(); }
};

/// Recomputes a statement. Refuses a row if its verdict does not follow from its readings, a
/// correction is missing, rounding leaves a comparison undecided, or a check cannot fail.
///
///   holds        statement true                condition    inside true, outside false
///   wrong        statement false, corrected true   misleading   narrow true, plain false
///   ambiguous    one and other true, with different numbers   documentary  reason and source
///   tested       tests                         defined      reason
ClaimResult check_claim(const Claim& claim);

/// A row of the ledger with a planted mistake, which must be refused.
struct PlantedRow {
  std::string mistake;  ///< "a digit changed"
  std::string family;   ///< of the quantity it was planted in
  Claim claim;
};

/// One mistake of each kind in each family that has a row for it: a digit changed, another verdict,
/// a correction removed, a check that cannot fail, a parameter that nothing reads.
std::vector<PlantedRow> planted_rows(std::span<const Article> articles);

}  // namespace rope::claims
