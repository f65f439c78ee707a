#include "usage/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/parameters.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope::app {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// 1.5e3 as digits "15" and the power of ten 2 behind them; nothing if it is not of that form.
struct Scientific {
  std::string digits;
  long power = 0;
};

std::optional<Scientific> read_scientific(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  if (e == std::string_view::npos) return std::nullopt;
  std::string_view exponent = text.substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  Scientific number;
  const char* const end = exponent.data() + exponent.size();
  const auto [stop, error] = std::from_chars(exponent.data(), end, number.power);
  if (error != std::errc{} || stop != end || std::abs(number.power) > 1000) return std::nullopt;
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  number.digits = mantissa.substr(0, point);
  if (point < mantissa.size()) {
    number.digits += mantissa.substr(point + 1);
    number.power -= static_cast<long>(mantissa.size() - point - 1);
  }
  if (point == 0 || number.digits.find_first_not_of(kDigits) != std::string::npos)
    return std::nullopt;
  return number;
}

/// Writes 1.5e3 out as 1500; empty if it is not whole or not of that form.
std::string write_out(std::string_view text) {
  std::optional<Scientific> number = read_scientific(text);
  if (!number) return {};
  std::string& digits = number->digits;
  for (; number->power < 0; ++number->power) {
    if (digits.empty() || digits.back() != '0') return {};
    digits.pop_back();
  }
  if (digits.find_first_not_of('0') == std::string::npos) return "0";
  digits.append(static_cast<std::size_t>(number->power), '0');
  return digits;
}

/// What to do about a text that is no number: to write the one that is meant, if that is clear.
std::string remedy_for(std::string_view text, std::string otherwise) {
  const std::optional<std::string> meant = ungrouped_number(text);
  if (!meant) return otherwise;
  // "64,128" may be two numbers.
  const bool list =
      text.find(',') != std::string_view::npos && !without_grouping(text, Grouped::where_certain);
  return list ? "Only one number is accepted here; if this is one, write " + *meant + "."
              : "Did you mean " + *meant + "?";
}

/// "1,2,3" of "1 2 3"; empty where there is a comma, or one number.
std::string commas_for_blanks(std::string_view text) {
  std::string list;
  if (text.find(',') != std::string_view::npos) return list;
  std::size_t items = 0;
  for (std::size_t end = 0; !(text = trimmed(text)).empty(); ++items) {
    end = std::min(text.find_first_of(" \t"), text.size());
    list.append(items > 0 ? "," : "").append(text.substr(0, end));
    text.remove_prefix(end);
  }
  return items > 1 ? list : std::string();
}

}  // namespace

void refuse(std::string_view option, std::string_view expected, std::string_view found,
            std::string remedy) {
  throw Error(
      ErrorKind::invalid_input,
      std::string(option) + ": expected " + std::string(expected) + ", got " + std::string(found),
      remedy.empty() ? "See --help." : std::move(remedy));
}

void refuse_choice(std::string_view option, std::span<const std::string_view> choices,
                   std::string_view found, std::string remedy) {
  const std::string likely = likely_word(found, {choices.begin(), choices.end()});
  if (!likely.empty()) remedy = "Did you mean " + likely + "?";
  refuse(option, alternatives(choices), io::in_quotes(found), std::move(remedy));
}

void refuse_grouping(std::string_view option, std::string_view list, Grouped grouped) {
  const std::optional<std::string> joined = without_grouping(list, grouped);
  if (!joined) return;
  const bool certain = without_grouping(list, Grouped::where_certain).has_value();
  std::string remedy = "Did you mean " + *joined + "?";
  if (!certain)
    for (const std::string_view item : list_items(list))
      remedy += (item.data() == list.data() ? " Otherwise one by one: " : " ") +
                std::string(option) + " " + std::string(item);
  refuse(option, "numbers without commas inside them", io::in_quotes(list), std::move(remedy));
}

IntegerText read_integer(std::string_view text, Thousand thousand) {
  const std::string number = plain_number(text, thousand);
  std::string_view digits = number;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  std::string plain;
  if (digits.find_first_of("eE") != std::string_view::npos && !digits.starts_with("0x")) {
    plain = write_out(digits);
    if (plain.empty()) return {std::nullopt, ""};
    digits = plain;
  }
  if (digits.empty()) return {std::nullopt, number.empty() ? "nothing" : ""};
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    return {std::nullopt, "only decimal digits are read"};
  if (digits.find_first_not_of(kDigits) != std::string_view::npos) return {std::nullopt, ""};
  if (digits.size() > 1 && digits[0] == '0') return {std::nullopt, "a leading zero"};
  std::string signed_digits = negative ? "-" : "";
  signed_digits += digits;
  std::int64_t value = 0;
  const auto [stop, error] =
      std::from_chars(signed_digits.data(), signed_digits.data() + signed_digits.size(), value);
  if (error != std::errc{}) return {std::nullopt, "beyond 64 bits"};
  return {value, ""};
}

std::string Range::text() const {
  if (!expected.empty()) return std::string(expected);
  constexpr Range kAll;
  if (low == kAll.low && high == kAll.high) return "an integer";
  if (high == kAll.high) return "an integer of at least " + limit_text(low);
  return "an integer from " + limit_text(low) + " to " + limit_text(high);
}

std::string RealRange::text() const {
  if (above) return "a finite number above " + limit_text(least);
  if (std::isinf(least)) return "a finite number";
  if (std::isinf(most)) return "a finite number of at least " + limit_text(least);
  return "a number from " + limit_text(least) + " to " + limit_text(most);
}

std::int64_t integer_option(std::string_view option, std::string_view text, const Range& range) {
  const IntegerText read =
      read_integer(text, range.tokens ? Thousand::of_tokens : Thousand::of_numbers);
  if (read.value && *read.value >= range.low && *read.value <= range.high) return *read.value;
  std::string found = io::in_quotes(text);
  if (!read.problem.empty()) found += " (" + std::string(read.problem) + ")";
  refuse(option, range.text(), found,
         read.value ? "" : remedy_for(text, "Write it in decimal digits, for example 64 or 1e6."));
}

double real_option(std::string_view option, std::string_view text, const RealRange& range) {
  const std::string number = plain_number(text);
  std::string_view digits = number;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    const bool tiny = digits.find("e-") != std::string_view::npos ||
                      digits.find("E-") != std::string_view::npos || digits.starts_with("0.") ||
                      digits.starts_with("-0.");
    refuse(option, range.text(),
           io::in_quotes(text) +
               (tiny ? " (too small for a 64-bit float)" : " (too large for a 64-bit float)"),
           "64-bit floats range from 2.3e-308 to 1.7e308.");
  }
  if (error != std::errc{} || stop != end || !std::isfinite(value) || digits.starts_with("+-"))
    refuse(option, range.text(), io::in_quotes(text),
           remedy_for(text, "Write it in decimal, for example 10000 or 2.5e-3."));
  if (value < range.least || value > range.most || (range.above && value == range.least))
    refuse(option, range.text(), io::in_quotes(text), std::string(range.remedy));
  return value;
}

std::vector<double> real_list_option(std::string_view option, std::string_view text,
                                     const RealRange& range) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (std::string list = commas_for_blanks(text); !list.empty())
    refuse(option, "numbers separated by commas", io::in_quotes(text), "Write " + list + ".");
  refuse_grouping(option, text);
  std::vector<double> values;
  for (const std::string_view item : list_items(text))
    values.push_back(real_option(option, item, range));
  return values;
}

}  // namespace rope::app
