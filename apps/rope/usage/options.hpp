#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rope/error.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/parameters.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/numbers.hpp"

namespace rope::app {

/// How often an option may be given.
enum class Times { once, many };

/// One option of a command, declared once: the parser, the help, the manual page and the messages
/// all use this declaration.
struct Option {
  std::string name;        ///< "--dim"
  std::string short_name;  ///< "-o", or empty
  std::string value;       ///< "N", "LIST": the placeholder for its value; empty for a flag
  std::string help;        ///< what the option does, with the unit of its value
  /// What applies if the option is not given; empty if the help need not state it.
  std::string standard;
  std::string group;  ///< the heading under which it is listed
  Times times = Times::once;
  Grouped grouped = Grouped::where_certain;  ///< how commas in groups of three digits are read
  bool listed = false;  ///< whether several values may be given in one word, separated by commas
  bool often_used = false;  ///< whether the short help lists the option
  bool bare = false;  ///< whether the option may be given without its value, which is then empty
  /// Whether its value is the name of a file, as it is with the placeholder FILE.
  bool file = false;
  bool seed = false;  ///< whether random numbers are generated from its value
  /// Whether its value may be any text, even a word that begins with dashes.
  bool any_text = false;
  /// Words that its value is or begins with, if they can be listed.
  std::vector<std::string> words;
  bool only_words = false;  ///< whether its value is always one of these words
  /// Reads one value into the field that the option fills. Throws rope::Error (invalid input).
  std::function<void(const Option& option, const std::string& text)> fill;
  std::size_t given = 0;           ///< how often the user gave it
  std::vector<std::string> texts;  ///< the values that the user gave

  /// Lets several values be given in one word, separated by commas, if the option may be repeated:
  /// "1e4,1e6".
  Option& as_list() {
    listed = true;
    return *this;
  }

  /// Lets the option be given without its value.
  Option& or_bare() {
    bare = true;
    return *this;
  }

  /// Marks the value as a seed. Files record a seed even if it was not given, since they could not
  /// be made again without it.
  Option& as_seed() {
    seed = true;
    return *this;
  }

  /// The help text, with the default and whether the option may be repeated.
  std::string whole_help() const;
};

/// A parameter that the value of an option may contain: --encoding t5:buckets=N.
struct OptionParameter {
  std::string option;  ///< "--encoding"
  std::string owner;   ///< "t5"
  std::string name;    ///< "buckets"
  std::string form;    ///< "t5:buckets=N"
  std::string help;
};

/// Words on the command line that belong to no option: files, names.
struct Operands {
  std::string name;  ///< "FILE": their placeholder in the usage line
  std::string help;
  std::size_t most = 0;  ///< how many operands there may be
  std::vector<std::string>* words = nullptr;
  bool files = false;  ///< whether they may be names of files
  /// How the command lists the possible operands, for users who look for --list.
  std::string lists = {};
  /// The other words that the operands may be, if they can be listed. Only shell completion calls
  /// this, since the list may first have to be read.
  std::function<std::vector<std::string>()> choices = [] { return std::vector<std::string>(); };
};

/// Options that must not be given together with another option, and why.
struct Exclusion {
  std::string option;
  std::vector<std::string> others;
  std::string why;
};

/// A word that an option accepts, and what it stands for.
template <class Value>
struct Choice {
  std::string_view word;
  Value value;
  /// Other names for it; messages need not mention them.
  std::span<const std::string_view> also = {};
};

/// The names of the entries of a table.
template <class Entries>
std::vector<std::string> names_in(const Entries& entries) {
  std::vector<std::string> names;
  names.reserve(std::size(entries));
  for (const auto& entry : entries) names.emplace_back(entry.name);
  return names;
}

template <class Field>
inline constexpr bool kIsList = false;
template <class Item>
inline constexpr bool kIsList<std::vector<Item>> = true;

/// The options of one command, in the order of its help, each bound to the field that it fills. The
/// value that the field has at the declaration is the default that the help shows. A field of type
/// std::optional stays empty if the option is not given; a field of type std::vector is for an
/// option that may be repeated.
///
/// The fields must outlive the set.
class OptionSet {
 public:
  /// Starts a group: the options that follow are listed under this heading.
  void group(std::string_view heading) { group_ = heading; }

  // `form` is how the option is written, with its short name before it and the placeholder for its
  // value after it: "-o, --output FILE". `otherwise` describes what applies if the option is not
  // given, unless the value of the field shows that. The references are valid until the next option
  // is added.

  /// An option whose value `fill` reads.
  Option& add(std::string_view form, std::string_view help,
              std::function<void(const Option& option, const std::string& text)> fill,
              std::string_view otherwise = {});

  /// An option without a value.
  Option& flag(std::string_view form, std::string_view help, bool& field);

  /// An option whose value is a whole number in the range.
  template <class Field>
  Option& integer(std::string_view form, std::string_view help, Field& field, Range range,
                  std::string_view otherwise = {}) {
    const auto read = [range](std::string_view option, const std::string& text) {
      return integer_option(option, text, range);
    };
    return bound(form, help, field, read, otherwise);
  }

  /// An option whose value is a finite number in the range.
  template <class Field>
  Option& real(std::string_view form, std::string_view help, Field& field, RealRange range = {},
               std::string_view otherwise = {}) {
    const auto read = [range](std::string_view option, const std::string& text) {
      return real_option(option, text, range);
    };
    Option& option = bound(form, help, field, read, otherwise);
    option.grouped =
        Grouped::wherever_so;  // to list numbers below 1000, the option may be repeated
    return option;
  }

  /// An option whose value is a list of finite numbers in the range, separated by commas.
  template <class Field>
  Option& reals(std::string_view form, std::string_view help, Field& field, RealRange range = {}) {
    const auto read = [range](std::string_view option, const std::string& text) {
      return real_list_option(option, text, range);
    };
    return bound(form, help, field, read);
  }

  /// An option whose value is the text as it is.
  template <class Field>
  Option& text(std::string_view form, std::string_view help, Field& field,
               std::string_view otherwise = {}) {
    Option& option = bound(form, help, field, std::identity(), otherwise);
    option.any_text = true;
    return option;
  }

  /// An option whose value is one of a few words; the help begins with these. `choices` must
  /// outlive the set.
  template <class Field, class Value, std::size_t count>
  Option& choice(std::string_view form, std::string_view help, Field& field,
                 const std::array<Choice<Value>, count>& choices, std::string_view otherwise = {}) {
    std::vector<std::string_view> words;
    words.reserve(count);
    for (const Choice<Value>& choice : choices) words.push_back(choice.word);
    if constexpr (std::is_same_v<Field, Value>)
      for (const Choice<Value>& choice : choices)
        if (choice.value == field && otherwise.empty()) otherwise = choice.word;
    const auto read = [&choices, words](std::string_view option, const std::string& text) {
      const std::string word = plain_word(text);
      for (const Choice<Value>& choice : choices)
        if (word == choice.word || (!word.empty() && std::ranges::count(choice.also, word) > 0))
          return choice.value;
      refuse_choice(option, words, text);
    };
    const std::string colon = help.empty() ? "" : ": ";
    Option& option =
        bound(form, alternatives(words) + colon + std::string(help), field, read, otherwise);
    option.words.assign(words.begin(), words.end());
    option.only_words = true;
    return option;
  }

  /// An option whose value is what `read` returns for the text, or for the option's name and the
  /// text.
  template <class Field, class Read>
  Option& bound(std::string_view form, std::string_view help, Field& field, Read read,
                std::string_view otherwise = {}) {
    const auto value_of = [read](const Option& option, const std::string& text) {
      if constexpr (std::is_invocable_v<Read, const std::string&, const std::string&>)
        return read(option.name, text);
      else
        return read(text);
    };
    Option& option = add(
        form, help,
        [&field, value_of](const Option& filled, const std::string& text) {
          put(field, value_of(filled, text));
        },
        otherwise);
    if (otherwise.empty()) {
      if constexpr (std::is_floating_point_v<Field>)
        option.standard = number_text(field);
      else if constexpr (std::is_integral_v<Field>)
        option.standard = std::to_string(field);
    }
    using Value = std::invoke_result_t<decltype(value_of), const Option&, const std::string&>;
    if constexpr (kIsList<Field> && !std::is_same_v<Field, std::remove_cvref_t<Value>>)
      option.times = Times::many;
    return option;
  }

  /// Adds a parameter, as declared by the library, that the value of the option accepts after the
  /// name `owner`.
  void add_parameter(std::string_view option, std::string_view owner, const Parameter& parameter);

  /// Lets the command accept words that belong to no option.
  void operands(std::string_view name, std::string_view help, std::size_t most,
                std::vector<std::string>& field) {
    operands_ = {std::string(name), std::string(help), most, &field};
  }
  const Operands& operands() const { return operands_; }

  // For options that are already declared:

  /// Lists these options in the short help.
  void often_used(std::initializer_list<std::string_view> names);

  /// Lets a shell complete the values of these options with file names.
  void take_files(std::initializer_list<std::string_view> names);

  /// Lets a shell complete the value of this option with these words.
  void take_words(std::string_view name, std::vector<std::string> words);

  /// Lets a shell complete the operands with file names, with the words that `choices` lists, or
  /// with both.
  void operands_take_files() { operands_.files = true; }

  /// Sets a sentence on how the command lists the possible operands, for users who look for --list.
  void operands_listed(std::string_view how) { operands_.lists = how; }

  void operands_take(std::function<std::vector<std::string>()> choices) {
    operands_.choices = std::move(choices);
  }

  /// Forbids any of the others together with `option`.
  void exclude(std::string_view option, std::initializer_list<std::string_view> others,
               std::string_view why);

  /// The same for all options declared under `heading`.
  void exclude_group(std::string_view option, std::string_view heading, std::string_view why);
  const std::vector<Exclusion>& exclusions() const { return exclusions_; }

  /// The option of that name, long or short; nullptr if there is none.
  const Option* find(std::string_view name) const;

  /// Whether the user gave the option; false if there is no option of that name.
  bool given(std::string_view name) const;

  std::vector<Option>& options() { return options_; }
  const std::vector<Option>& options() const { return options_; }
  const std::vector<OptionParameter>& parameters() const { return parameters_; }

 private:
  /// The option must be declared.
  Option& at(std::string_view name);

  template <class Field, class Value>
  static void put(Field& field, Value&& value) {
    if constexpr (std::is_arithmetic_v<Field>)
      field = static_cast<Field>(value);
    else if constexpr (std::is_assignable_v<Field&, Value>)
      field = std::forward<Value>(value);
    else if constexpr (kIsList<Field>)
      field.push_back(static_cast<typename Field::value_type>(std::forward<Value>(value)));
    else
      field.emplace(static_cast<typename Field::value_type>(std::forward<Value>(value)));
  }

  std::string group_ = "Options";
  std::vector<Option> options_;
  std::vector<OptionParameter> parameters_;
  std::vector<Exclusion> exclusions_;
  Operands operands_;
};

}  // namespace rope::app
