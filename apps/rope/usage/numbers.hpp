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

/// The error for an option whose value is not what was expected: "--dim: expected an even integer
/// of at least 2, got '7'". Throws; never returns. Without a remedy, the message points to --help.
[[noreturn]] void refuse(std::string_view option, std::string_view expected, std::string_view found,
                         std::string remedy = {});

/// The error for an option whose value is not one of a few words: "--form: expected dense or pairs,
/// got 'dens'", followed by "Did you mean dense?" if one of the words is similar, otherwise by the
/// remedy.
[[noreturn]] void refuse_choice(std::string_view option, std::span<const std::string_view> choices,
                                std::string_view found, std::string remedy = {});

/// Rejects a list in which commas break a number into groups of three digits, since "1,048,576"
/// would be read as three numbers.
void refuse_grouping(std::string_view option, std::string_view list,
                     Grouped grouped = Grouped::where_certain);

/// A number that the user gave, as messages quote it: '7'.
inline std::string quoted(std::int64_t given) { return "'" + std::to_string(given) + "'"; }

/// An integer read from a text, or the reason why the text is not an integer.
struct IntegerText {
  std::optional<std::int64_t> value;
  /// "has a leading zero"; empty if the problem is obvious from the text.
  std::string_view problem;
};

/// Reads an integer in the forms in which people write one (plain_number), including forms such as
/// 1e6 if the number is whole. Rejects octal-looking (010), hexadecimal and blank texts, and
/// numbers that do not fit in 64 bits.
IntegerText read_integer(std::string_view text, Thousand thousand = Thousand::of_numbers);

/// The whole numbers that an option accepts: low … high.
struct Range {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  /// How messages describe the numbers, if the range is not enough.
  std::string_view expected = {};
  bool tokens = false;  ///< whether they count tokens: 4k is then 4096, not 4000

  /// "an integer from 1 to 2^53", "an integer of at least 0"
  std::string text() const;
};

/// The finite numbers that an option accepts: from `least` to `most`, or above `least`.
struct RealRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;            ///< whether `least` itself is excluded
  std::string_view remedy = {};  ///< what to do about a number outside the range

  /// "a number from 0.5 to 1024", "a finite number above 0"
  std::string text() const;
};
inline constexpr RealRange kAboveZero = {.least = 0, .above = true};

/// The integer given as the value of an option.
///
/// Throws    rope::Error (invalid input) unless it is an integer in the range.
std::int64_t integer_option(std::string_view option, std::string_view text, const Range& range);

/// The finite real number given as the value of an option.
///
/// Throws    rope::Error (invalid input) for anything else (nan, inf, 1e400, blanks, trailing junk)
///           and for a number outside the range.
double real_option(std::string_view option, std::string_view text, const RealRange& range = {});

/// The comma-separated finite numbers given as the value of an option: at least one, all in the
/// range, with no empty items.
std::vector<double> real_list_option(std::string_view option, std::string_view text,
                                     const RealRange& range = {});

}  // namespace rope::app
