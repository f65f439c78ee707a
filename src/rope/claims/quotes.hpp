#pragma once

#include <span>
#include <string>
#include <vector>

namespace rope::claims {

struct CheckedClaim;

/// Whether quotes stand in the articles: those that do not.
struct QuoteCheck {
  std::string folder;
  std::vector<std::string> wrong;  ///< "S0-35: line 164 does not hold «0.95»"
};

/// Looks the quotations up in the articles: files of the folder whose names begin with an article's
/// number.
///
/// Throws    rope::SystemError if the folder or a file of it cannot be read; rope::Error (invalid
///           input) if an article is not there.
QuoteCheck check_quotes(const std::string& folder, std::span<const CheckedClaim> checked);

}  // namespace rope::claims
