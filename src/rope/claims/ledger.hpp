#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rope/claims/check.hpp"
#include "rope/claims/claim.hpp"

namespace rope::claims {

/// A statement and the result of its check.
struct CheckedClaim {
  const Article* article = nullptr;
  const Claim* claim = nullptr;
  ClaimResult result;
};

/// The result of checking the rows with planted mistakes.
struct PlantedResult {
  std::size_t planted = 0;
  std::vector<std::string> accepted;  ///< rows that were not refused: "S0-35: a digit changed"
};

/// Plants one mistake of each kind in each family of quantities that the rows measure, and checks
/// whether the planted rows are refused.
PlantedResult check_planted(std::span<const Article> articles);

/// The quotes that could not be found in the articles.
struct QuoteCheck {
  std::string folder;
  std::vector<std::string> wrong;  ///< "S0-35: line 164 does not contain «0.95»"
};

/// Looks up the quotations in the articles, which are the files in the folder whose names begin
/// with an article number.
///
/// Throws    rope::SystemError if the folder or a file in it cannot be read; rope::Error (invalid
///           input) if an article is missing.
QuoteCheck check_quotes(const std::string& folder, std::span<const CheckedClaim> checked);

/// The results for all statements, or for those that were chosen.
struct Ledger {
  std::vector<CheckedClaim> checked;
  PlantedResult planted;
  std::optional<QuoteCheck> quotes;

  std::vector<const CheckedClaim*> refused() const;
};

}  // namespace rope::claims
