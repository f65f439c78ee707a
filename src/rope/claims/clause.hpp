#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/language/language.hpp"

namespace rope::claims {

/// The same words in both languages.
struct Text {
  std::string zh, en;
};

/// The words in that language.
inline const std::string& in(Language language, const Text& text) {
  return language == Language::zh ? text.zh : text.en;
}

/// How a quantity is compared with what a row states about it.
enum class Relation {
  is,         ///< a number as printed, "0.95": within half a unit of its last digit plus the bound
  exactly,    ///< a number: within the bound
  equals,     ///< another quantity: within both bounds
  at_most,    ///< a number or another quantity
  at_least,   ///< likewise
  explained,  ///< the quantity is a difference within its bound: rounding explains it
};

std::string_view name(Relation relation);

/// Every relation with its name.
std::span<const std::pair<std::string_view, Relation>> relations();

/// A quantity with its parameters, a JSON object.
struct Measurement {
  std::string quantity;
  std::string parameters = "{}";
};

/// One comparison.
struct Clause {
  Measurement measured;
  Relation relation = Relation::is;
  std::vector<std::string> says;     ///< numbers as they are written; none if `other` is set
  std::optional<Measurement> other;  ///< what it is compared with instead
  /// The same quantity with other parameters, for which the comparison must fail: a check that
  /// cannot fail shows nothing. A number as printed needs no such parameters, since any other digit
  /// would fail.
  std::optional<std::string> fails_with;
  Text as;  ///< the name of the quantity in a table; empty: its own title
};

/// The result of one comparison.
struct ClauseResult {
  std::vector<double> numbers;  ///< the values of the quantity
  std::vector<double>
      compared;        ///< the numbers it is compared with, one for each; none if it is `explained`
  double off = 0;      ///< the largest difference, or how far a number is beyond the limit
  double allowed = 0;  ///< what was allowed there
  bool holds = false;
};

/// Makes one comparison.
///
/// Throws    DomainError if rounding leaves it undecided, if the quantity has more or fewer numbers
///           than it is compared with, or if an entry of `says` is not a number; also whatever
///           `measure` throws.
ClauseResult check_clause(const Clause& clause);

/// Makes sure that a comparison that holds could fail.
///
/// Throws    DomainError if it could not; also whatever check_clause throws.
void check_that_it_can_fail(const Clause& clause);

/// A number as it is written, and half a unit of its last digit.
struct Written {
  double value = 0;
  double half = 0;
};

/// Throws    DomainError unless the text is one finite number: "-0.95", "1.9e-13".
Written read_written(const std::string& text);

}  // namespace rope::claims
