#pragma once

// Parameters of anything chosen by name, such as a scaling rule: declared once, then read, checked
// and explained from that. Users meet it in rope/scaling/scaling.hpp.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/print.hpp"

namespace rope {

/// Which values a parameter may have.
enum class ParameterDomain {
  positive,      ///< a finite number above 0
  non_negative,  ///< a finite number of at least 0
  at_least_one,  ///< a finite number of at least 1
  real,          ///< a finite number
  length,        ///< a whole number of tokens, 1 … 2^53
  whole,         ///< a whole number from `least` to `most`
  fraction,      ///< a number from 0 to 1
  flag,          ///< 0 or 1
  choice,        ///< one of `choices`, stored as its index among them
};

/// "positive", "non-negative", "at least one" …: the enumerator in words.
std::string_view name(ParameterDomain domain);

/// One parameter of something that is chosen by name: a scaling rule, a position encoding. Reading,
/// refusals and explanations all come from this declaration.
struct Parameter {
  std::string_view name;
  std::string_view meaning;  ///< one phrase, with its unit and without its default
  bool required = false;
  bool list = false;  ///< several numbers, each of the domain
  ParameterDomain domain = ParameterDomain::positive;
  std::optional<double> standard = std::nullopt;  ///< its value if not given
  std::string_view otherwise = {};  ///< the same in words, if it depends on something else
  std::span<const std::string_view> choices = {};
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::string_view config_key = {};  ///< in rope_scaling of a config.json; empty: not there
  std::string_view gguf_key = {};    ///< in a GGUF file, without its architecture; empty: not there
  std::span<const std::string_view> other_names = {};  ///< what other code and files call it
};

/// The parameter of that name, or nullptr.
const Parameter* find_parameter(std::span<const Parameter> declared, std::string_view name);

/// Values by the names of their parameters.
struct ParameterValues {
  std::map<std::string, double, std::less<>> numbers;  ///< switches are 0 and 1
  std::map<std::string, std::vector<double>, std::less<>> lists;

  bool has(std::string_view name) const { return numbers.contains(name) || lists.contains(name); }

  /// A number that is known to be present.
  double number(std::string_view name) const { return numbers.find(name)->second; }
  std::int64_t whole(std::string_view name) const;
  bool flag(std::string_view name) const;

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;
};

/// The chosen name, and the values given with it.
struct NamedValues {
  std::string name;
  ParameterValues values;

  friend bool operator==(const NamedValues&, const NamedValues&) = default;
};

/// How messages refer to what is read.
struct ParameterGrammar {
  std::string_view subject;  ///< "scaling": what messages begin with
  std::string_view kind;     ///< "a rule"
  std::string_view form;     ///< "Write RULE or RULE:key=value,…, for example …"
  /// The full text to write if a name is followed only by a number, "yarn:4"; empty or none: its
  /// first parameter is enough.
  std::string (*whole)(std::string_view name, std::string_view first) = nullptr;
};

/// The parameters of the thing with that name. Throws if nothing has it.
using DeclaredParameters = std::span<const Parameter> (*)(std::string_view name);

/// Reads "yarn:factor=4,original=32768,truncate=false" or "longrope:short=1;1.1,long=2;3": a name,
/// then its parameters. Words of a choice are read where `declared` says that it is one; whether
/// the others exist is left to check_parameters.
///
/// Throws    DomainError if it is not of that form, or gives a parameter twice.
NamedValues parse_named_values(std::string_view text, const ParameterGrammar& grammar,
                               DeclaredParameters declared = nullptr);

/// The text that parse_named_values reads, with each number as the shortest text that reads back to
/// it.
std::string named_values_text(const NamedValues& named, std::span<const Parameter> declared = {});

/// Refuses a parameter that is not declared, naming the likely one; a list for a number or a number
/// for a list; a value outside its domain; and a missing one. `subject` begins the message:
/// "scaling yarn".
///
/// Throws    DomainError.
void check_parameters(std::string_view subject, std::span<const Parameter> declared,
                      const ParameterValues& values);

/// Fills in the standard value of each parameter that has one and was not given.
void add_standard_values(std::span<const Parameter> declared, ParameterValues& values);

/// The name of the parameter meant by a word that names none: its key in a config.json, another
/// declared name, or a typo. Empty if none is near.
std::string likely_parameter(std::span<const Parameter> declared, std::string_view word);

/// "subject: what: expected …, got …". Throws DomainError, never returns.
[[noreturn]] void refuse_parameter(std::string_view subject, std::string_view what,
                                   std::string_view expected, std::string_view found,
                                   std::string remedy);

/// "subject: expected plain, blocks or blocks-to-end, got 'block'", with the likely word, else the
/// remedy. Throws DomainError, never returns.
[[noreturn]] void refuse_unknown_word(std::string_view subject,
                                      std::span<const std::string_view> known,
                                      std::string_view found, std::string remedy);

/// The end of a range as people know it: "32768", or a large power of two with its exponent,
/// "2^40".
std::string limit_text(std::int64_t value);
std::string limit_text(double value);

/// "a whole number from 2 to 32768": what a value must be.
std::string expected_value(const Parameter& parameter);

/// "buckets=N", "form=WORD": how it is written.
std::string parameter_form(const Parameter& parameter);

/// Its meaning, and its value if not given: "factor of the base (default: 1)".
std::string parameter_meaning(const Parameter& parameter);

/// A line of help: its meaning, its range and its value if not given.
std::string parameter_help(const Parameter& parameter);

/// The value of a parameter as it is written.
std::string parameter_text(const Parameter& parameter, double value);

}  // namespace rope
