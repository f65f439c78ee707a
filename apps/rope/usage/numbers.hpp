#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::app {

/// The error of an option whose value is not what was expected:
/// "--dim: expected an even integer of at least 2, got '7'". Throws, never returns. Without a
/// remedy the message points to --help.
[[noreturn]] void refuse(std::string_view option, std::string_view expected, std::string_view found,
                         std::string remedy = {});

/// The error of an option whose value is not one of a few words: "--form: expected dense or pairs,
/// got 'dens'", and "Did you mean dense?" if one of them is near, else the remedy.
[[noreturn]] void refuse_choice(std::string_view option, std::span<const std::string_view> choices,
                                std::string_view found, std::string remedy = {});

/// Refuses a list in which commas break a number into groups of three digits: "1,048,576" would be
/// read as three numbers.
void refuse_grouping(std::string_view option, std::string_view list,
                     Grouped grouped = Grouped::where_certain);

/// A number that the user gave, as messages show what was found: '7'.
inline std::string quoted(std::int64_t given) { return "'" + std::to_string(given) + "'"; }

/// An integer read from text, or why it is not one.
struct IntegerText {
  std::optional<std::int64_t> value;
  std::string_view problem;  ///< "has a leading zero"; empty if the problem is plain to see
};

/// Reads an integer as people write it (plain_number), also 1e6, when that is whole. Octal-looking
/// (010), hexadecimal and blank text is refused, and so is what does not fit 64 bits.
IntegerText read_integer(std::string_view text, Thousand thousand = Thousand::of_numbers);

/// The whole numbers an option takes: low … high.
struct Range {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  std::string_view expected = {};  ///< how messages describe them, if there is more to say
  bool tokens = false;             ///< 4k is 4096, not 4000

  /// "an integer from 1 to 2^53", "an integer of at least 0"
  std::string text() const;
};

/// The finite numbers an option takes: from `least` to `most`, or above `least`.
struct RealRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;            ///< `least` itself is refused
  std::string_view remedy = {};  ///< what to do about a number outside

  /// "a number from 0.5 to 1024", "a finite number above 0"
  std::string text() const;
};
inline constexpr RealRange kAboveZero = {.least = 0, .above = true};

/// The integer that an option was given.
///
/// Throws    rope::Error (invalid input) unless it is an integer of the range.
std::int64_t integer_option(std::string_view option, std::string_view text, const Range& range);

/// The finite real number that an option was given.
///
/// Throws    rope::Error (invalid input) for anything else: nan, inf, 1e400, blanks, junk after it;
///           and outside the range.
double real_option(std::string_view option, std::string_view text, const RealRange& range = {});

/// Comma-separated finite numbers of the range, at least one, none empty.
std::vector<double> real_list_option(std::string_view option, std::string_view text,
                                     const RealRange& range = {});

}  // namespace rope::app
