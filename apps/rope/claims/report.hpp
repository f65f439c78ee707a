#pragma once

#include <span>
#include <string>
#include <vector>

#include "rope/claims/ledger.hpp"
#include "shown/console.hpp"

namespace rope::app {

/// Prints the number of statements by article and verdict.
void print_counts(const claims::Ledger& answer, Language language, const Console& console);

void print_quotes(const claims::QuoteCheck& check, std::size_t count, Language language,
                  const Console& console);

/// Prints one line per statement.
void print_list(std::span<const claims::CheckedClaim> checked, Language language,
                const Console& console);

/// Prints one statement in full.
void print_claim(const claims::CheckedClaim& checked, Language language, const Console& console);

/// Each returns a Markdown page: one lists every statement, by article, with its verdict; the other
/// shows statements in full.
std::string index_markdown(const claims::Ledger& answer, Language language);
std::string claims_markdown(std::span<const claims::CheckedClaim> checked, Language language);

}  // namespace rope::app
