#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rope/language/language.hpp"

namespace rope::claims {

/// A text in both languages.
struct Text {
  std::string zh, en;
};

/// The text in that language.
inline const std::string& in(Language language, const Text& text) {
  return language == Language::zh ? text.zh : text.en;
}

/// How a measured quantity is compared with what a claim states about it.
enum class Relation {
  is,         ///< a number as printed, "0.95": within half a unit of its last digit plus the bound
  exactly,    ///< a number: within the bound
  equals,     ///< another quantity: within both bounds
  at_most,    ///< a number or another quantity
  at_least,   ///< likewise
  explained,  ///< the quantity is a difference no larger than its bound, so rounding explains it
};

std::string_view name(Relation relation);

/// Every relation with its name.
std::span<const std::pair<std::string_view, Relation>> relations();

/// A quantity, and its parameters as a JSON object.
struct Measurement {
  std::string quantity;
  std::string parameters = "{}";
};

/// One comparison.
struct Clause {
  Measurement measured;
  Relation relation = Relation::is;
  std::vector<std::string> says;     ///< the stated numbers, as written; empty if `other` is set
  std::optional<Measurement> other;  ///< a quantity to compare with, instead of numbers
  /// Other parameters of the same quantity, for which the comparison must fail: a check that cannot
  /// fail shows nothing. The relation `is` needs no such parameters, since any other digit would
  /// fail.
  std::optional<std::string> fails_with;
  Text as;  ///< the name of the quantity in a table; if empty, Quantity::title
};

/// The result of one comparison.
struct ClauseResult {
  std::vector<double> numbers;   ///< the values of the quantity
  std::vector<double> compared;  ///< the numbers to compare them with, one for each; empty if the
                                 ///< relation is `explained`
  double off = 0;                ///< the largest difference, or how far a number exceeds its limit
  double allowed = 0;            ///< the difference that was allowed there
  bool holds = false;
};

/// Makes one comparison.
///
/// Throws    DomainError if rounding leaves it undecided, if the quantity has more or fewer numbers
///           than it is compared with, or if an entry of `says` is not a number; also whatever
///           `measure` throws.
ClauseResult check_clause(const Clause& clause);

/// Makes sure that a comparison that holds could also have failed.
///
/// Throws    DomainError if it could not have failed; also whatever check_clause throws.
void check_that_it_can_fail(const Clause& clause);

/// A number as it is written, and half a unit of its last digit.
struct Written {
  double value = 0;
  double half = 0;
};

/// Throws    DomainError unless the text is one finite number: "-0.95", "1.9e-13".
Written read_written(const std::string& text);

}  // namespace rope::claims
