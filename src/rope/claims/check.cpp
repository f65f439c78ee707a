#include "rope/claims/check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "rope/claims/quantity.hpp"
#include "rope/error.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {
namespace {

/// What follows from a row is not what stands in it.
struct Refused {
  std::string why;
};

/// A number as it is written, and half a unit of its last digit.
struct Written {
  double value = 0;
  double half = 0;
};

Written read_written(const std::string& text) {
  Written written;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, written.value);
  if (error != std::errc() || stop != end || !std::isfinite(written.value))
    throw Refused{"'" + text + "' is no number"};
  // The unit of the last digit: all digits replaced by 0 and the last one by 1.
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  std::string unit = text;
  for (std::size_t i = 0; i < mantissa; ++i)
    if (unit[i] != '.' && unit[i] != '-') unit[i] = '0';
  const std::size_t last = unit.find_last_of('0', mantissa - 1);
  if (last == std::string::npos || last >= mantissa) throw Refused{"'" + text + "' has no digit"};
  unit[last] = '1';
  double size = 0;
  std::from_chars(unit.data(), unit.data() + unit.size(), size);
  written.half = std::fabs(size) / 2;
  return written;
}

/// How far a number is from meeting the comparison, and how far it may be.
struct Gap {
  double off = 0;
  double allowed = 0;
};

Gap gap_of(Relation relation, double number, double bound, double compared, double other_bound,
           double half) {
  switch (relation) {
    case Relation::is:
      return {std::fabs(number - compared), half + bound};
    case Relation::exactly:
    case Relation::equals:
      return {std::fabs(number - compared), bound + other_bound};
    case Relation::at_most:
      return {number - compared, 0};
    case Relation::at_least:
      return {compared - number, 0};
    case Relation::explained:
      return {std::fabs(number), bound};
  }
  return {};
}

/// The numbers on the other side, and their bounds.
struct Compared {
  std::vector<Written> numbers;
  double bound = 0;
};

Compared compared_with(const Clause& clause) {
  Compared compared;
  if (clause.other) {
    const Outcome other = measure(clause.other->quantity, clause.other->parameters);
    for (const double number : other.numbers) compared.numbers.push_back({number, 0});
    compared.bound = other.bound;
  }
  for (const std::string& text : clause.says) compared.numbers.push_back(read_written(text));
  return compared;
}

ClauseResult check_clause(const Clause& clause, const std::string& parameters) {
  const Outcome outcome = measure(clause.measured.quantity, parameters);
  const Compared compared = compared_with(clause);
  ClauseResult result;
  result.numbers = outcome.numbers;
  const bool explained = clause.relation == Relation::explained;
  if (!explained && compared.numbers.size() != outcome.numbers.size())
    throw Refused{clause.measured.quantity + " has " + std::to_string(outcome.numbers.size()) +
                  " numbers, and is compared with " + std::to_string(compared.numbers.size())};
  result.holds = true;
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < outcome.numbers.size(); ++i) {
    const Written other = explained ? Written{} : compared.numbers[i];
    if (!explained) result.compared.push_back(other.value);
    const Gap gap = gap_of(clause.relation, outcome.numbers[i], outcome.bound, other.value,
                           compared.bound, other.half);
    const bool one_sided =
        clause.relation == Relation::at_most || clause.relation == Relation::at_least;
    if (one_sided && std::fabs(gap.off) <= outcome.bound + compared.bound)
      throw Refused{"rounding does not decide whether " + clause.measured.quantity + " is " +
                    std::string(name(clause.relation)) + " that"};
    const bool holds = gap.off <= gap.allowed;
    result.holds = result.holds && holds;
    if (gap.off - gap.allowed > worst) {
      worst = gap.off - gap.allowed;
      result.off = gap.off;
      result.allowed = gap.allowed;
    }
  }
  return result;
}

std::string with(const std::string& parameters, const std::string& changed) {
  io::Json all = io::parse_json(parameters, "parameters");
  const io::Json changes = io::parse_json(changed, "fails_with");
  if (!changes.is_object() || changes.empty()) throw Refused{"'fails_with' changes no parameter"};
  for (const auto& [field, value] : changes.items()) all[field] = value;
  return all.dump();
}

/// A number as printed is told from its neighbours; every other comparison has to show that it can
/// fail.
void check_that_it_can_fail(const Clause& clause) {
  if (!clause.fails_with) {
    if (clause.relation == Relation::is || clause.relation == Relation::exactly) return;
    throw Refused{"nothing shows that the check of " + clause.measured.quantity +
                  " can fail: 'fails_with' names parameters that make it false"};
  }
  if (check_clause(clause, with(clause.measured.parameters, *clause.fails_with)).holds)
    throw Refused{"the check of " + clause.measured.quantity + " does not fail with " +
                  *clause.fails_with};
}

ReadingResult check_reading(const Reading& reading) {
  ReadingResult result;
  result.holds = true;
  for (const Clause& clause : reading.clauses) {
    result.clauses.push_back(check_clause(clause, clause.measured.parameters));
    result.holds = result.holds && result.clauses.back().holds;
    if (result.clauses.back().holds) check_that_it_can_fail(clause);
  }
  return result;
}

/// Two readings with different numbers: some pair of them is farther apart than both are off.
bool differ(const ReadingResult& one, const ReadingResult& other) {
  if (one.clauses.size() != other.clauses.size()) return true;
  for (std::size_t i = 0; i < one.clauses.size(); ++i) {
    const ClauseResult& a = one.clauses[i];
    const ClauseResult& b = other.clauses[i];
    if (a.numbers.size() != b.numbers.size()) return true;
    for (std::size_t j = 0; j < a.numbers.size(); ++j)
      if (std::fabs(a.numbers[j] - b.numbers[j]) > a.allowed + b.allowed) return true;
  }
  return false;
}

/// The verdict that goes with readings of these roles, each of which must come out so.
struct Rule {
  Verdict verdict;
  std::vector<std::pair<Role, bool>> readings;
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {Verdict::holds, {{Role::statement, true}}},
      {Verdict::condition, {{Role::inside, true}, {Role::outside, false}}},
      {Verdict::wrong, {{Role::statement, false}, {Role::corrected, true}}},
      {Verdict::misleading, {{Role::narrow, true}, {Role::plain, false}}},
      {Verdict::ambiguous, {{Role::one, true}, {Role::other, true}}},
      {Verdict::documentary, {}},
  };
  return all;
}

void check_words(const Claim& claim) {
  const bool documentary = claim.verdict == Verdict::documentary;
  if (documentary && (claim.reason.zh.empty() || claim.reason.en.empty()))
    throw Refused{"a statement that no number decides needs a reason"};
  if (documentary && claim.source.empty())
    throw Refused{"a statement that no number decides needs a source"};
  if (!documentary && !claim.reason.en.empty())
    throw Refused{"a statement that numbers decide needs no reason"};
  const bool corrected = !claim.right.zh.empty() && !claim.right.en.empty();
  if (claim.verdict != Verdict::holds && !documentary && !corrected)
    throw Refused{"'right' is missing: what is right instead, zh and en"};
  if (claim.show.empty() != claim.look.empty())
    throw Refused{"a command to see it goes with what to look for"};
}

void check_verdict(const Claim& claim, const ClaimResult& result) {
  const auto rule = std::ranges::find(rules(), claim.verdict, &Rule::verdict);
  if (rule->readings.size() != claim.readings.size())
    throw Refused{std::string(name(claim.verdict)) + " takes " +
                  std::to_string(rule->readings.size()) + " readings, found " +
                  std::to_string(claim.readings.size())};
  for (std::size_t i = 0; i < claim.readings.size(); ++i) {
    const auto& [role, holds] = rule->readings[i];
    if (claim.readings[i].role != role)
      throw Refused{std::string(name(claim.verdict)) + " takes the reading '" +
                    std::string(name(role)) + "', found '" +
                    std::string(name(claim.readings[i].role)) + "'"};
    if (result.readings[i].holds != holds)
      throw Refused{"the verdict is '" + std::string(name(claim.verdict)) + "', and '" +
                    std::string(name(role)) + "' came out " + (holds ? "false" : "true")};
  }
  if (claim.verdict == Verdict::ambiguous && !differ(result.readings[0], result.readings[1]))
    throw Refused{"both readings have the same numbers"};
}

}  // namespace

ClaimResult check_claim(const Claim& claim) {
  ClaimResult result;
  try {
    check_words(claim);
    for (const Reading& reading : claim.readings) result.readings.push_back(check_reading(reading));
    check_verdict(claim, result);
  } catch (const Refused& refused) {
    result.refused = refused.why;
  } catch (const Error& error) {
    result.refused = error.what();
  }
  return result;
}

}  // namespace rope::claims
