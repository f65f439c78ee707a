#include "rope/claims/ledger.hpp"

namespace rope::claims {

PlantedResult check_planted(std::span<const Article> articles) {
  PlantedResult result;
  for (const PlantedRow& row : planted_rows(articles)) {
    ++result.planted;
    if (check_claim(row.claim).follows())
      result.accepted.push_back(row.claim.id + ": " + row.mistake);
  }
  return result;
}

std::vector<const CheckedClaim*> Ledger::refused() const {
  std::vector<const CheckedClaim*> all;
  for (const CheckedClaim& one : checked)
    if (!one.result.follows()) all.push_back(&one);
  return all;
}

}  // namespace rope::claims
