#include "rope/documents/claims.hpp"

#include <string>
#include <vector>

#include "rope/documents/columns.hpp"
#include "rope/documents/text.hpp"

namespace rope {
namespace {

io::JsonValue clause_json(const claims::Clause& clause, const claims::ClauseResult& result) {
  io::JsonValue json = {{"quantity", clause.measured.quantity},
                        {"parameters", clause.measured.parameters},
                        {"comparison", claims::name(clause.relation)},
                        {"numbers", result.numbers},
                        {"compared_with", result.compared}};
  if (clause.other) json.add("other_quantity", clause.other->quantity);
  json.add({{"off", result.off}, {"allowed", result.allowed}, {"holds", result.holds}});
  return json;
}

io::JsonValue claim_json(const claims::CheckedClaim& checked) {
  const claims::Claim& claim = *checked.claim;
  std::vector<io::JsonValue> readings;
  for (std::size_t i = 0; i < checked.result.readings.size(); ++i) {
    std::vector<io::JsonValue> clauses;
    for (std::size_t j = 0; j < claim.readings[i].clauses.size(); ++j)
      clauses.push_back(
          clause_json(claim.readings[i].clauses[j], checked.result.readings[i].clauses[j]));
    readings.push_back({{"reading", claims::name(claim.readings[i].role)},
                        {"holds", checked.result.readings[i].holds},
                        {"checks", clauses}});
  }
  return {{"id", claim.id},
          {"article", checked.article->number},
          {"line", claim.line},
          {"quote", claim.quote},
          {"stands", io::json_list(claim.stands,
                                   [](const claims::Place& place) -> io::JsonValue {
                                     return {{"file", place.file}, {"quotes", place.quotes}};
                                   })},
          {"says", text_json(claim.says)},
          {"about", claim.about},
          {"verdict", claims::name(claim.verdict)},
          {"follows", checked.result.follows()},
          {"refused", checked.result.refused},
          {"readings", readings},
          {"reason", text_json(claim.reason)},
          {"tests", claim.tests},
          {"right", text_json(claim.right)},
          {"source", claim.source},
          {"show", claim.show},
          {"look", claim.look},
          {"picture", claim.picture},
          {"same", claim.same},
          {"against", claim.against},
          {"demonstration", claim.demonstration}};
}

/// The quotation of an article, or all of ours, each behind its file.
std::string quotations(const claims::Claim& claim) {
  std::string text = claim.quote;
  for (const claims::Place& place : claim.stands)
    for (const std::string& quote : place.quotes)
      text += (text.empty() ? "" : "\n") + place.file + ": " + quote;
  return text;
}

}  // namespace

std::string claims_csv(std::span<const claims::CheckedClaim> checked) {
  using claims::CheckedClaim;
  const auto of = [&](const std::string& name, auto cell) {
    return file_column(name, cells_of(checked, cell));
  };
  return csv_text(
      {of("id", [](const CheckedClaim& one) { return one.claim->id; }),
       of("article", [](const CheckedClaim& one) { return one.article->number; }),
       of("line",
          [](const CheckedClaim& one) {
            return one.claim->line == 0 ? "" : std::to_string(one.claim->line);
          }),
       of("verdict",
          [](const CheckedClaim& one) { return std::string(claims::name(one.claim->verdict)); }),
       of("refused", [](const CheckedClaim& one) { return one.result.refused; }),
       of("about", [](const CheckedClaim& one) { return one.claim->about; }),
       of("quote", [](const CheckedClaim& one) { return quotations(*one.claim); }),
       of("says_en", [](const CheckedClaim& one) { return one.claim->says.en; }),
       of("says_zh", [](const CheckedClaim& one) { return one.claim->says.zh; }),
       of("right_en", [](const CheckedClaim& one) { return one.claim->right.en; }),
       of("right_zh", [](const CheckedClaim& one) { return one.claim->right.zh; }),
       of("show", [](const CheckedClaim& one) { return one.claim->show; }),
       of("look", [](const CheckedClaim& one) { return one.claim->look; })});
}

io::JsonValue claims_json(const claims::Ledger& answer) {
  io::JsonValue json = {{"schema", "rope.claims/1"},
                        {"claims", io::json_list(answer.checked, claim_json)},
                        {"planted", answer.planted.planted},
                        {"accepted", answer.planted.accepted}};
  if (answer.quotes)
    json.add({{"articles_checked", answer.quotes->folder}, {"wrong_quotes", answer.quotes->wrong}});
  return json;
}

}  // namespace rope
