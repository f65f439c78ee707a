#pragma once

#include <span>
#include <string>

#include "claims/report.hpp"

namespace rope::app {

/// Looks the quotations up in the articles: files of the folder whose names begin with an article's
/// number.
///
/// Throws    rope::SystemError if the folder or a file of it cannot be read; rope::Error (invalid
///           input) if an article is not there.
QuoteCheck check_quotes(const std::string& folder, std::span<const CheckedClaim> checked);

void print_quotes(const QuoteCheck& check, std::size_t count, Language language,
                  const Console& console);

}  // namespace rope::app
