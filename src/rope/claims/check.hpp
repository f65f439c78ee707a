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

/// The result of recomputing a claim, which is one row of the ledger.
struct ClaimResult {
  std::vector<ReadingResult> readings;  ///< one per reading, unless the claim was refused
  std::string refused;                  ///< why the claim was refused; empty if it was not

  bool follows() const { return refused.empty(); }
};

/// Recomputes a claim. Refuses it if its verdict does not follow from its readings, a correction is
/// missing, rounding leaves a comparison undecided, or a check cannot fail. Each verdict requires:
///
///   holds        statement true                condition    inside true, outside false
///   wrong        statement false, corrected true   misleading   narrow true, plain false
///   ambiguous    one and other true, with different numbers   documentary  reason and source
///   tested       tests                         defined      reason
ClaimResult check_claim(const Claim& claim);

/// A row of the ledger with a planted mistake; check_claim must refuse it.
struct PlantedRow {
  std::string mistake;  ///< "a digit changed"
  std::string family;   ///< the family of the quantity in which it was planted
  Claim claim;
};

/// One mistake of each kind in each family that has a suitable row: a digit changed, another
/// verdict, a correction removed, a check that cannot fail, a parameter that nothing reads.
std::vector<PlantedRow> planted_rows(std::span<const Article> articles);

}  // namespace rope::claims
