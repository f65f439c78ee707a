#include "rope/claims/clause.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "rope/claims/quantity.hpp"
#include "rope/error.hpp"
#include "rope/io/json.hpp"

namespace rope::claims {
namespace {

constexpr std::array<std::pair<std::string_view, Relation>, 6> kRelations = {
    {{"is", Relation::is},
     {"exactly", Relation::exactly},
     {"equals", Relation::equals},
     {"at_most", Relation::at_most},
     {"at_least", Relation::at_least},
     {"explained", Relation::explained}}};

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
    throw DomainError(clause.measured.quantity + " has " + std::to_string(outcome.numbers.size()) +
                      " numbers but is compared with " + std::to_string(compared.numbers.size()));
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
      throw DomainError("rounding errors are too large to decide whether " +
                        clause.measured.quantity + " is " + std::string(name(clause.relation)) +
                        " the expected value");
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
  if (!changes.is_object() || changes.empty())
    throw DomainError("'fails_with' changes no parameter");
  for (const auto& [field, value] : changes.items()) all[field] = value;
  return all.dump();
}

}  // namespace

std::span<const std::pair<std::string_view, Relation>> relations() { return kRelations; }

std::string_view name(Relation relation) {
  for (const auto& [word, listed] : kRelations)
    if (listed == relation) return word;
  return {};
}

Written read_written(const std::string& text) {
  Written written;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, written.value);
  if (error != std::errc() || stop != end || !std::isfinite(written.value))
    throw DomainError("'" + text + "' is not a number");
  // The unit of the last digit: all digits replaced by 0 and the last one by 1.
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  std::string unit = text;
  for (std::size_t i = 0; i < mantissa; ++i)
    if (unit[i] != '.' && unit[i] != '-') unit[i] = '0';
  const std::size_t last = unit.find_last_of('0', mantissa - 1);
  if (last == std::string::npos || last >= mantissa)
    throw DomainError("'" + text + "' has no digit");
  unit[last] = '1';
  double size = 0;
  std::from_chars(unit.data(), unit.data() + unit.size(), size);
  written.half = std::fabs(size) / 2;
  return written;
}

ClauseResult check_clause(const Clause& clause) {
  return check_clause(clause, clause.measured.parameters);
}

// A number as printed is told from its neighbours; every other comparison has to show that it can.
void check_that_it_can_fail(const Clause& clause) {
  if (!clause.fails_with) {
    if (clause.relation == Relation::is || clause.relation == Relation::exactly) return;
    throw DomainError("nothing shows that the check of " + clause.measured.quantity +
                      " can fail: under 'fails_with', give parameters that make it fail");
  }
  if (check_clause(clause, with(clause.measured.parameters, *clause.fails_with)).holds)
    throw DomainError("the check of " + clause.measured.quantity + " does not fail with " +
                      *clause.fails_with);
}

}  // namespace rope::claims
