#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/error.hpp"

namespace rope::app {

/// The error of an option whose value is not what was expected:
/// "--dim: expected an even integer of at least 2, got '7'". Throws, never returns. Without a
/// remedy the message points to --help.
[[noreturn]] void refuse(std::string_view option, std::string_view expected, std::string_view found,
                         std::string remedy = {});

/// The error of an option whose value is none of a few words: "--form: expected dense or pairs, got
/// 'dens'", and "Did you mean dense?" where one of them is near, else the remedy.
[[noreturn]] void refuse_choice(std::string_view option, std::span<const std::string_view> choices,
                                std::string_view found, std::string remedy = {});

/// Runs `action`: where the library's message begins with "scaling", the command line's begins with
/// "--scaling".
template <typename Action>
auto as_option(std::string_view subject, Action action) {
  try {
    return action();
  } catch (const Error& error) {
    if (!std::string_view(error.what()).starts_with(subject)) throw;
    throw Error(error.kind(), "--" + std::string(error.what()), error.remedy());
  }
}

/// "csv, json or png"
std::string list_of(std::span<const std::string_view> words);

/// An integer read from text, or why it is none.
struct IntegerText {
  std::optional<std::int64_t> value;
  std::string_view problem;  ///< "has a leading zero"; empty if all that is wrong is plain to see
};

/// Reads decimal digits with an optional sign, from end to end; also 1e6, when that is whole.
/// Octal-looking (010), hexadecimal and blank text and what does not fit 64 bits is refused.
IntegerText read_integer(std::string_view text);

/// The integer that an option was given.
///
/// `expected` describes it for the message: "an even integer of at least 2".
/// Throws    rope::Error (invalid input) unless it is an integer of [low, high].
std::int64_t integer_option(std::string_view option, std::string_view text,
                            std::string_view expected,
                            std::int64_t low = std::numeric_limits<std::int64_t>::min(),
                            std::int64_t high = std::numeric_limits<std::int64_t>::max());

/// The finite real number that an option was given.
///
/// Throws    rope::Error (invalid input) for anything else: nan, inf, 1e400, blanks, junk behind
/// it.
double real_option(std::string_view option, std::string_view text,
                   std::string_view expected = "a finite number");

/// Comma-separated finite numbers, at least one, none empty.
std::vector<double> real_list_option(std::string_view option, std::string_view text);

}  // namespace rope::app
