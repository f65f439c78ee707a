#pragma once

// Parameters of anything chosen by name, such as a scaling rule: declared once, then read, checked
// and explained from that declaration. Users of the library include them through
// rope/scaling/scaling.hpp.

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

/// One parameter of something that is chosen by name: a scaling rule, a position encoding. It is
/// read, checked and explained from this declaration.
struct Parameter {
  std::string_view name;
  std::string_view meaning;  ///< one phrase, which includes the unit but not the default
  bool required = false;
  bool list = false;    ///< several numbers, each in the domain
  bool tokens = false;  ///< counts tokens, as a length does: 4k is then 4096, not 4000
  ParameterDomain domain = ParameterDomain::positive;
  std::optional<double> standard = std::nullopt;  ///< the default value
  std::string_view otherwise = {};  ///< the default in words, if it depends on something else
  std::span<const std::string_view> choices = {};
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::string_view config_key = {};  ///< its key in rope_scaling of a config.json; empty if none
  /// Its key in a GGUF file, without the architecture prefix; empty if none.
  std::string_view gguf_key = {};
  std::span<const std::string_view> other_names = {};  ///< its names in other code and files
};

/// The parameter with that name, or nullptr.
const Parameter* find_parameter(std::span<const Parameter> declared, std::string_view name);

/// Parameter values, looked up by name.
struct ParameterValues {
  std::map<std::string, double, std::less<>> numbers;  ///< flags are 0 or 1
  std::map<std::string, std::vector<double>, std::less<>> lists;

  bool has(std::string_view name) const { return numbers.contains(name) || lists.contains(name); }

  /// The value of a number that is known to be present.
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

/// How messages refer to the text that is read.
struct ParameterGrammar {
  std::string_view subject;  ///< the beginning of messages: "scaling"
  std::string_view kind;     ///< what the name stands for: "a rule"
  std::string_view form;     ///< "Write RULE or RULE:key=value,…, for example …"
  /// Suggests the full text to write if a name is followed only by a number, as in "yarn:4". If
  /// this is null or returns an empty text, the number is taken as the first parameter.
  std::string (*whole)(std::string_view name, std::string_view first) = nullptr;
};

/// The parameters declared for that name. Throws if the name is not known.
using DeclaredParameters = std::span<const Parameter> (*)(std::string_view name);

/// Reads "yarn:factor=4,original=32768,truncate=false" or "longrope:short=1;1.1,long=2;3": a name,
/// then its parameters. The words of a choice are accepted if `declared` lists the parameter as a
/// choice; whether the parameters exist is left to check_parameters.
///
/// Throws    DomainError if the text does not have that form, or gives a parameter twice.
NamedValues parse_named_values(std::string_view text, const ParameterGrammar& grammar,
                               DeclaredParameters declared = nullptr);

/// The text that parse_named_values reads, with each number in the shortest form that reads back as
/// the same number.
std::string named_values_text(const NamedValues& named, std::span<const Parameter> declared = {});

/// Refuses an undeclared parameter and names the likely one; also refuses a list in place of a
/// number or the reverse, a value outside its domain, and a missing parameter. The message begins
/// with `subject`: "scaling yarn".
///
/// Throws    DomainError.
void check_parameters(std::string_view subject, std::span<const Parameter> declared,
                      const ParameterValues& values);

/// Fills in the standard value of each parameter that has one and was not given.
void add_standard_values(std::span<const Parameter> declared, ParameterValues& values);

/// The name of the parameter that an unknown word probably means: the word may be its key in a
/// config.json, another declared name, or a typo. Empty if no name is close.
std::string likely_parameter(std::span<const Parameter> declared, std::string_view word);

/// Throws a DomainError: "subject: what: expected …, got …".
[[noreturn]] void refuse_parameter(std::string_view subject, std::string_view what,
                                   std::string_view expected, std::string_view found,
                                   std::string remedy);

/// Throws a DomainError: "subject: expected plain, blocks or blocks-to-end, got 'block'", followed
/// by the likely word or, if there is none, the remedy.
[[noreturn]] void refuse_unknown_word(std::string_view subject,
                                      std::span<const std::string_view> known,
                                      std::string_view found, std::string remedy);

/// The limit of a range as people write it: "32768", but "2^40" for a large power of two.
std::string limit_text(std::int64_t value);
std::string limit_text(double value);

/// The values that a parameter accepts: "a whole number from 2 to 32768".
std::string expected_value(const Parameter& parameter);

/// "buckets=N", "form=WORD": how the parameter is written.
std::string parameter_form(const Parameter& parameter);

/// The meaning of a parameter and its default: "factor of the base (default: 1)".
std::string parameter_meaning(const Parameter& parameter);

/// A line of help: the meaning of a parameter, its range and its default.
std::string parameter_help(const Parameter& parameter);

/// The value of a parameter, written as a user would type it.
std::string parameter_text(const Parameter& parameter, double value);

}  // namespace rope
