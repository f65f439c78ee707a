#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "rope/claims/check.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {
namespace {

/// Plants one mistake in a clause's claim; false where there is no place for it.
struct Mistake {
  std::string_view name;
  bool (*plant)(Claim& claim, Clause& clause);
};

bool change_digit(Claim& /*claim*/, Clause& clause) {
  if (clause.relation != Relation::is && clause.relation != Relation::exactly) return false;
  std::string& text = clause.says.front();
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string::npos) return false;
  text[digit] = text[digit] == '9' ? '1' : static_cast<char>(text[digit] + 1);
  return true;
}

bool change_verdict(Claim& claim, Clause& /*clause*/) {
  claim.verdict = claim.verdict == Verdict::holds ? Verdict::wrong : Verdict::holds;
  return true;
}

bool remove_correction(Claim& claim, Clause& /*clause*/) {
  if (claim.right.en.empty()) return false;
  claim.right = {};
  return true;
}

/// A comparison that fails with nothing: the parameters that make it fail are the row's own.
bool cannot_fail(Claim& /*claim*/, Clause& clause) {
  if (!clause.fails_with) return false;
  clause.fails_with = clause.measured.parameters;
  return true;
}

bool add_parameter(Claim& /*claim*/, Clause& clause) {
  io::Json parameters = io::parse_json(clause.measured.parameters, "parameters");
  parameters["nobody_asks_for_this"] = 1;
  clause.measured.parameters = parameters.dump();
  return true;
}

constexpr std::array<Mistake, 5> kMistakes = {{{"a digit changed", change_digit},
                                               {"another verdict", change_verdict},
                                               {"its correction removed", remove_correction},
                                               {"a check that cannot fail", cannot_fail},
                                               {"an unused parameter", add_parameter}}};

/// Readings that have to come out true: a mistake in another one may leave it false.
bool has_to_hold(const Claim& claim, const Reading& reading) {
  return claim.verdict == Verdict::holds ||
         (reading.role != Role::statement && reading.role != Role::outside &&
          reading.role != Role::plain);
}

}  // namespace

std::vector<PlantedRow> planted_rows(std::span<const Article> articles) {
  std::vector<PlantedRow> planted;
  std::set<std::pair<std::string_view, std::string>> there;
  const auto plant = [&](const Claim& claim, std::size_t reading, std::size_t clause) {
    const Reading& place = claim.readings[reading];
    const std::string& quantity = place.clauses[clause].measured.quantity;
    const std::string family = quantity.substr(0, quantity.find('.'));
    for (const Mistake& mistake : kMistakes) {
      if (there.contains({mistake.name, family})) continue;
      Claim changed = claim;
      if (!mistake.plant(changed, changed.readings[reading].clauses[clause])) continue;
      there.insert({mistake.name, family});
      planted.push_back({std::string(mistake.name), family, std::move(changed)});
    }
  };
  for (const Article& article : articles)
    for (const Claim& claim : article.claims)
      for (std::size_t i = 0; i < claim.readings.size(); ++i)
        if (has_to_hold(claim, claim.readings[i]))
          for (std::size_t j = 0; j < claim.readings[i].clauses.size(); ++j) plant(claim, i, j);
  return planted;
}

}  // namespace rope::claims
