#include "rope/claims/check.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rope/claims/words.hpp"
#include "rope/error.hpp"

namespace rope::claims {
namespace {

ReadingResult check_reading(const Reading& reading) {
  ReadingResult result;
  result.holds = true;
  for (const Clause& clause : reading.clauses) {
    result.clauses.push_back(check_clause(clause));
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
      {Verdict::tested, {}},
      {Verdict::defined, {}},
  };
  return all;
}

bool is_ours(const Claim& claim) { return !claim.stands.empty(); }

/// What decides a statement where no reading does: a test, a source, or what the words mean.
void check_basis(const Claim& claim) {
  const bool documentary = claim.verdict == Verdict::documentary;
  const bool reasoned = documentary || claim.verdict == Verdict::defined;
  if (reasoned && (claim.reason.zh.empty() || claim.reason.en.empty()))
    throw DomainError("a statement that no number can settle needs a reason");
  if (documentary && claim.source.empty())
    throw DomainError("a statement that no number can settle needs a source");
  if (!reasoned && !claim.reason.en.empty())
    throw DomainError("a statement settled by numbers or tests must not give a reason");
  if (claim.verdict == Verdict::tested && claim.tests.empty())
    throw DomainError("'tests' is missing: name the tests that back this statement");
}

void check_words(const Claim& claim) {
  check_basis(claim);
  const bool corrected = !claim.right.zh.empty() && !claim.right.en.empty();
  const bool to_correct = claim.verdict == Verdict::wrong || claim.verdict == Verdict::misleading ||
                          claim.verdict == Verdict::ambiguous;
  if (is_ours(claim) && to_correct)
    throw DomainError("a sentence of our own that is " + std::string(name(claim.verdict)) +
                      " must be changed");
  if (!is_ours(claim) && (to_correct || claim.verdict == Verdict::condition) && !corrected)
    throw DomainError("'right' is missing: say what is right instead, in zh and en");
  if (claim.show.empty() != claim.look.empty())
    throw DomainError("'show' (a command) and 'look' (its output) must be given together");
}

void check_verdict(const Claim& claim, const ClaimResult& result) {
  const auto rule = std::ranges::find(rules(), claim.verdict, &Rule::verdict);
  if (rule->readings.size() != claim.readings.size())
    throw DomainError(std::string(name(claim.verdict)) + " needs " +
                      std::to_string(rule->readings.size()) + " readings, found " +
                      std::to_string(claim.readings.size()));
  for (std::size_t i = 0; i < claim.readings.size(); ++i) {
    const auto& [role, holds] = rule->readings[i];
    if (claim.readings[i].role != role)
      throw DomainError(std::string(name(claim.verdict)) + " needs the reading '" +
                        std::string(name(role)) + "', found '" +
                        std::string(name(claim.readings[i].role)) + "'");
    if (result.readings[i].holds != holds)
      throw DomainError("the verdict is '" + std::string(name(claim.verdict)) +
                        "', but the reading '" + std::string(name(role)) + "' is " +
                        (holds ? "false" : "true"));
  }
  if (claim.verdict == Verdict::ambiguous && !differ(result.readings[0], result.readings[1]))
    throw DomainError("both readings have the same numbers");
}

/// Numbers of a correction with two decimals and more are measured, as they stand or in percent, or
/// chosen, as a parameter is: nothing else notices one that is wrong.
void check_numbers(const Claim& claim, const ClaimResult& result) {
  std::vector<double> measured;
  std::string chosen;
  for (std::size_t i = 0; i < claim.readings.size(); ++i)
    for (std::size_t j = 0; j < claim.readings[i].clauses.size(); ++j) {
      const ClauseResult& clause = result.readings[i].clauses[j];
      measured.insert(measured.end(), clause.numbers.begin(), clause.numbers.end());
      measured.insert(measured.end(), clause.compared.begin(), clause.compared.end());
      measured.push_back(clause.off);
      chosen += claim.readings[i].clauses[j].measured.parameters;
    }
  for (const std::string* text : {&claim.right.zh, &claim.right.en})
    for (const std::string& number : numbers_in(*text)) {
      const std::size_t point = number.find('.');
      if (point == std::string::npos || number.size() - point < 3) continue;
      const Written written = read_written(number);
      const bool mantissa = text->find(number + "e") != std::string::npos;
      const auto is_it = [&](double value) {
        double size = std::fabs(value);
        if (mantissa && size > 0) size /= std::pow(10, std::floor(std::log10(size)));
        return std::fabs(size - written.value) <= written.half ||
               std::fabs(100 * size - written.value) <= written.half;
      };
      if (std::ranges::none_of(measured, is_it) && chosen.find(number) == std::string::npos)
        throw DomainError(number + " in the correction is not among the measured numbers");
    }
}

}  // namespace

ClaimResult check_claim(const Claim& claim) {
  ClaimResult result;
  try {
    check_words(claim);
    for (const Reading& reading : claim.readings) result.readings.push_back(check_reading(reading));
    check_verdict(claim, result);
    check_numbers(claim, result);
  } catch (const Error& error) {
    result.refused = error.what();
  }
  return result;
}

}  // namespace rope::claims
