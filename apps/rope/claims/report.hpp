#pragma once

#include <span>
#include <string>
#include <vector>

#include "rope/claims/check.hpp"
#include "rope/claims/claim.hpp"
#include "rope/io/json_value.hpp"
#include "rope/plot/figure.hpp"
#include "shown/console.hpp"

namespace rope::app {

using plot::Language;

/// A statement and what became of it.
struct CheckedClaim {
  const claims::Article* article = nullptr;
  const claims::Claim* claim = nullptr;
  claims::ClaimResult result;
};

/// What the rows with mistakes in them came to.
struct PlantedResult {
  std::size_t planted = 0;
  std::vector<std::string> accepted;  ///< those that were not refused: "S0-35: a digit changed"
};

/// Whether quotes stand in the articles: those that do not.
struct QuoteCheck {
  std::string folder;
  std::vector<std::string> wrong;  ///< "S0-35: line 164 does not hold «0.95»"
};

/// What is said about all of them, or about those that were chosen.
struct ClaimsAnswer {
  std::vector<CheckedClaim> checked;
  PlantedResult planted;
  std::optional<QuoteCheck> quotes;

  std::vector<const CheckedClaim*> refused() const;
};

/// The counts by article and verdict.
void print_counts(const ClaimsAnswer& answer, Language language, const Console& console);

/// A line each.
void print_list(std::span<const CheckedClaim> checked, Language language, const Console& console);

/// One of them in full.
void print_claim(const CheckedClaim& checked, Language language, const Console& console);

std::string claims_csv(std::span<const CheckedClaim> checked);
io::JsonValue claims_json(const ClaimsAnswer& answer);

/// Pages in Markdown: one that lists every statement, by article, with what came of it; and one
/// that has statements in full.
std::string index_markdown(const ClaimsAnswer& answer, Language language);
std::string claims_markdown(std::span<const CheckedClaim> checked, Language language);

}  // namespace rope::app
