#include "rope/parameters/parameters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "rope/error.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"

namespace rope {
namespace {

std::string in_marks(std::string_view text) { return "'" + std::string(text) + "'"; }

/// "Did you mean …?" where a word is likely, else `otherwise`.
std::string likely_remedy(const std::string& likely, std::string otherwise) {
  return likely.empty() ? std::move(otherwise) : "Did you mean " + likely + "?";
}

/// What stands before the mark, without blanks around it; `text` goes on behind it.
std::string_view take(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(taken);
}

double read_number(std::string_view subject, std::string_view key, std::string_view text,
                   Thousand thousand) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::string number = plain_number(text, thousand);
  std::string_view digits = number;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || stop != end || digits.starts_with("+-"))
    refuse_parameter(subject, key, "a finite number", in_marks(text),
                     "Write a decimal number, for example 4 or 0.25.");
  return value;
}

double read_choice(std::string_view subject, const Parameter& parameter, std::string_view text) {
  const auto found = std::ranges::find(parameter.choices, text);
  if (found == parameter.choices.end())
    refuse_unknown_word(std::string(subject) + ": " + std::string(parameter.name),
                        parameter.choices, text, "Meaning: " + parameter_meaning(parameter) + ".");
  return static_cast<double>(found - parameter.choices.begin());
}

bool is_whole(double value, double least, double most) {
  return value >= least && value <= most && value == std::floor(value);
}

bool within(const Parameter& parameter, double value) {
  switch (parameter.domain) {
    case ParameterDomain::positive:
      return std::isfinite(value) && value > 0;
    case ParameterDomain::non_negative:
      return std::isfinite(value) && value >= 0;
    case ParameterDomain::at_least_one:
      return std::isfinite(value) && value >= 1;
    case ParameterDomain::length:
      return is_whole(value, 1, 0x1p53);
    case ParameterDomain::whole:
      return is_whole(value, static_cast<double>(parameter.least),
                      static_cast<double>(parameter.most));
    case ParameterDomain::fraction:
      return value >= 0 && value <= 1;
    case ParameterDomain::flag:
      return value == 0 || value == 1;
    case ParameterDomain::choice:
      return is_whole(value, 0, static_cast<double>(parameter.choices.size()) - 1);
    case ParameterDomain::real:
      break;
  }
  return std::isfinite(value);
}

std::string expected_of(const Parameter& parameter, bool list) {
  return list ? "a list of numbers, one per pair" : expected_value(parameter);
}

/// That there is such a parameter, of one number or of a list.
void check_name(std::string_view subject, std::span<const Parameter> declared,
                const std::string& key, bool list) {
  const Parameter* const parameter = find_parameter(declared, key);
  if (parameter == nullptr) {
    std::vector<std::string_view> names;
    for (const Parameter& known : declared) names.push_back(known.name);
    throw DomainError(Subject{std::string(subject)},
                      "expected " + (names.empty() ? "no parameters" : alternatives(names)) +
                          ", got " + in_marks(key),
                      likely_remedy(likely_parameter(declared, key), "Leave it out."));
  }
  if (parameter->list != list)
    refuse_parameter(subject, key, list ? "one number" : "a list of numbers, one per pair",
                     list ? "a list" : "one number",
                     "Meaning: " + parameter_meaning(*parameter) + ".");
}

/// " (default: 32)", or nothing.
std::string default_text(const Parameter& parameter) {
  if (!parameter.otherwise.empty()) return " (default: " + std::string(parameter.otherwise) + ")";
  if (!parameter.standard) return {};
  return " (default: " + parameter_text(parameter, *parameter.standard) + ")";
}

/// What parameter_form writes for the value.
std::string_view value_word(const Parameter& parameter) {
  if (parameter.list) return "X;X;...";
  if (parameter.domain == ParameterDomain::choice) return "WORD";
  if (parameter.domain == ParameterDomain::flag) return "0|1";
  const bool whole =
      parameter.domain == ParameterDomain::whole || parameter.domain == ParameterDomain::length;
  return whole ? "N" : "X";
}

/// What to write instead of "linear=2" and "linear:2": its first parameter has a name.
std::string remedy_for_form(std::string_view name, std::string_view value,
                            std::span<const Parameter> declared, const ParameterGrammar& grammar) {
  const bool number = value.find_first_not_of("0123456789.") == std::string_view::npos;
  if (declared.empty() || value.empty() || !number) return std::string(grammar.form);
  const std::string whole = grammar.whole == nullptr ? std::string() : grammar.whole(name, value);
  if (!whole.empty()) return "Did you mean " + whole + "?";
  return "Did you mean " + std::string(name) + ":" + std::string(declared.front().name) + "=" +
         std::string(value) + "?";
}

/// Reads the value of a key, as far as it is declared: a choice, a number, or a list of numbers.
void take_value(NamedValues& named, std::string_view of, const std::string& key,
                const Parameter* parameter, std::string_view value) {
  const std::string subject(of);
  if (parameter != nullptr && parameter->domain == ParameterDomain::choice) {
    named.values.numbers[key] =
        read_choice(subject + " " + named.name, *parameter, plain_word(trimmed(value)));
    return;
  }
  value = trimmed(value);
  const bool tokens =
      parameter != nullptr && (parameter->tokens || parameter->domain == ParameterDomain::length);
  const Thousand thousand = tokens ? Thousand::of_tokens : Thousand::of_numbers;
  if (value.find(';') == std::string_view::npos) {
    named.values.numbers[key] = read_number(subject, key, value, thousand);
    return;
  }
  std::vector<double>& list = named.values.lists[key];
  if (value.ends_with(';')) value.remove_suffix(1);  // a list of one number is written "1;"
  while (!value.empty()) list.push_back(read_number(subject, key, take(value, ';'), thousand));
}

}  // namespace

std::string limit_text(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t size = value < 0 ? 0 - bits : bits;  // −2^63 has no opposite
  if (size < 1U << 20U || !std::has_single_bit(size)) return std::to_string(value);
  return (value < 0 ? "-2^" : "2^") + std::to_string(std::countr_zero(size));
}

std::string limit_text(double value) {
  int exponent = 0;
  const bool power = std::abs(std::frexp(value, &exponent)) == 0.5;
  if (!power || exponent <= 20) return number_text(value);
  return (value < 0 ? "-2^" : "2^") + std::to_string(exponent - 1);
}

std::string_view name(ParameterDomain domain) {
  constexpr std::array<std::string_view, 9> kNames = {"positive", "non-negative", "at least one",
                                                      "real",     "length",       "whole",
                                                      "fraction", "flag",         "choice"};
  return kNames.at(static_cast<std::size_t>(domain));
}

const Parameter* find_parameter(std::span<const Parameter> declared, std::string_view name) {
  const auto found = std::ranges::find(declared, name, &Parameter::name);
  return found == declared.end() ? nullptr : &*found;
}

std::int64_t ParameterValues::whole(std::string_view name) const {
  return static_cast<std::int64_t>(number(name));
}

bool ParameterValues::flag(std::string_view name) const { return number(name) != 0; }

void refuse_parameter(std::string_view subject, std::string_view what, std::string_view expected,
                      std::string_view found, std::string remedy) {
  throw DomainError(
      Subject{std::string(subject)},
      std::string(what) + ": expected " + std::string(expected) + ", got " + std::string(found),
      std::move(remedy));
}

void refuse_unknown_word(std::string_view subject, std::span<const std::string_view> known,
                         std::string_view found, std::string remedy) {
  throw DomainError(
      Subject{std::string(subject)}, "expected " + alternatives(known) + ", got " + in_marks(found),
      likely_remedy(likely_word(found, {known.begin(), known.end()}), std::move(remedy)));
}

std::string likely_parameter(std::span<const Parameter> declared, std::string_view word) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) {
    if (parameter.config_key == word || std::ranges::count(parameter.other_names, word) > 0)
      return std::string(parameter.name);
    names.emplace_back(parameter.name);
  }
  return likely_word(word, names);
}

NamedValues parse_named_values(std::string_view text, const ParameterGrammar& grammar,
                               DeclaredParameters declared) {
  const std::string subject(grammar.subject), form(grammar.form);
  NamedValues named;
  const bool more = text.find(':') != std::string_view::npos;
  const std::string_view written = take(text, ':');
  named.name = plain_word(written);
  if (named.name.empty() || (more && text.empty()) || text.ends_with(','))
    throw DomainError(Subject{subject},
                      "expected " + std::string(grammar.kind) + " and its parameters, got " +
                          in_marks(named.name + (more ? ":" : "") + std::string(text)),
                      form);
  const auto parameters_of = [&](std::string_view name) {
    return declared == nullptr ? std::span<const Parameter>() : declared(name);
  };
  if (const std::size_t equals = named.name.find('='); equals != std::string::npos) {
    const std::string name = named.name.substr(0, equals);
    throw DomainError(
        Subject{subject},
        "expected a colon between a name and its parameters, got " + in_marks(written),
        remedy_for_form(name, named.name.substr(equals + 1), parameters_of(name), grammar));
  }
  const std::span<const Parameter> known = parameters_of(named.name);
  while (!text.empty()) {
    std::string_view value = take(text, ',');
    const bool assigned = value.find('=') != std::string_view::npos;
    const std::string key(take(value, '='));
    if (key.empty() || !assigned)
      throw DomainError(
          Subject{subject},
          "expected key=value, got " + in_marks(key + (assigned ? "=" : "") + std::string(value)),
          assigned ? form : remedy_for_form(named.name, key, known, grammar));
    if (named.values.has(key))
      refuse_parameter(subject, key, "one value", "two", "Keep only one of them.");
    take_value(named, grammar.subject, key, find_parameter(known, key), value);
  }
  return named;
}

std::string named_values_text(const NamedValues& named, std::span<const Parameter> declared) {
  std::string text = named.name;
  char mark = ':';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += mark + key + "=" + value;
    mark = ',';
  };
  for (const auto& [key, value] : named.values.numbers) {
    const Parameter* const parameter = find_parameter(declared, key);
    add(key, parameter == nullptr ? number_text(value) : parameter_text(*parameter, value));
  }
  for (const auto& [key, values] : named.values.lists) {
    std::string list;
    for (const double value : values) list += number_text(value) + ";";
    if (values.size() > 1) list.pop_back();
    add(key, list);
  }
  return text;
}

void check_parameters(std::string_view subject, std::span<const Parameter> declared,
                      const ParameterValues& values) {
  for (const auto& [key, value] : values.numbers) check_name(subject, declared, key, false);
  for (const auto& [key, list] : values.lists) check_name(subject, declared, key, true);
  for (const Parameter& parameter : declared) {
    const std::string remedy = "Meaning: " + parameter_meaning(parameter) + ".";
    const auto check = [&](double value) {
      if (!within(parameter, value))
        refuse_parameter(subject, parameter.name, expected_value(parameter), number_text(value),
                         remedy);
    };
    if (const auto found = values.numbers.find(parameter.name); found != values.numbers.end())
      check(found->second);
    if (const auto found = values.lists.find(parameter.name); found != values.lists.end())
      std::ranges::for_each(found->second, check);
    if (parameter.required && !values.has(parameter.name))
      refuse_parameter(subject, parameter.name, expected_of(parameter, parameter.list), "nothing",
                       remedy);
  }
}

void add_standard_values(std::span<const Parameter> declared, ParameterValues& values) {
  for (const Parameter& parameter : declared)
    if (parameter.standard)
      values.numbers.try_emplace(std::string(parameter.name), *parameter.standard);
}

std::string expected_value(const Parameter& parameter) {
  switch (parameter.domain) {
    case ParameterDomain::positive:
      return "a finite number above 0";
    case ParameterDomain::non_negative:
      return "a finite number of at least 0";
    case ParameterDomain::at_least_one:
      return "a finite number of at least 1";
    case ParameterDomain::length:
      return "a whole number of tokens, at least 1";
    case ParameterDomain::whole:
      return "a whole number from " + limit_text(parameter.least) + " to " +
             limit_text(parameter.most);
    case ParameterDomain::fraction:
      return "a number from 0 to 1";
    case ParameterDomain::flag:
      return "0 or 1";
    case ParameterDomain::choice:
      return alternatives(parameter.choices);
    case ParameterDomain::real:
      break;
  }
  return "a finite number";
}

std::string parameter_form(const Parameter& parameter) {
  return std::string(parameter.name) + "=" + std::string(value_word(parameter));
}

std::string parameter_meaning(const Parameter& parameter) {
  return std::string(parameter.meaning) + default_text(parameter);
}

std::string parameter_help(const Parameter& parameter) {
  std::string text(parameter.meaning);
  if (parameter.domain != ParameterDomain::flag)  // its form says that it is one
    text += "; " + expected_of(parameter, parameter.list);
  return text + default_text(parameter);
}

std::string parameter_text(const Parameter& parameter, double value) {
  if (parameter.domain == ParameterDomain::choice)
    return std::string(parameter.choices[static_cast<std::size_t>(value)]);
  if (parameter.domain == ParameterDomain::whole)
    return std::to_string(static_cast<std::int64_t>(value));
  return number_text(value);
}

}  // namespace rope
