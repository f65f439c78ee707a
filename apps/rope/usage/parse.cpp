#include "usage/parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/number_text.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/meant.hpp"
#include "usage/numbers.hpp"
#include "usage/read_files.hpp"

namespace rope::app {
namespace {

[[noreturn]] void refuse_word(const OptionSet& options, const std::vector<std::string>& words,
                              std::string_view word, const OptionElsewhere& elsewhere) {
  const std::string_view name = word.substr(0, word.find('='));
  if ((!name.starts_with('-') || name == "-") && options.operands().most > 0)
    throw Error(ErrorKind::invalid_input, "unexpected argument " + io::in_quotes(word),
                remedy_for_word(options, words, word,
                                "At most " + std::to_string(options.operands().most) +
                                    " can be given: " + options.operands().name + "."));
  if (!name.starts_with('-') || name == "-")
    throw Error(
        ErrorKind::invalid_input, "unexpected argument " + io::in_quotes(word),
        remedy_for_word(options, words, word, "Every value needs an option before it: --dim 64."));
  if (options.find(name) != nullptr)  // a word after --
    throw Error(ErrorKind::invalid_input,
                "unexpected argument " + io::in_quotes(name) + " after --",
                "Words after -- are not read as options: put options before it.");
  throw Error(ErrorKind::invalid_input, "unknown option " + io::in_quotes(name),
              remedy_for_option(options, name, elsewhere));
}

/// What to write where a value is missing.
std::string remedy_for_no_value(const Option& option) {
  const std::string written = "Write " + option.name + " " + option.value;
  if (!option.only_words) return written + ".";
  return written + ": " +
         alternatives(std::vector<std::string_view>(option.words.begin(), option.words.end())) +
         ".";
}

/// The parser would take the next word for the value of "--dim=", a number for a flag, and "=x.csv"
/// for the value of "-o=x.csv".
void check_equals_signs(const OptionSet& options, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (!word.starts_with('-') || equals == std::string::npos) continue;
    const Option* option = options.find(word.substr(0, equals));
    if (option == nullptr) continue;
    if (option->value.empty())
      throw Error(
          ErrorKind::invalid_input,
          option->name + ": expected no value, got " + io::in_quotes(word.substr(equals + 1)),
          "Write " + option->name + " without a value.");
    if (option->short_name == word.substr(0, equals))
      throw Error(
          ErrorKind::invalid_input,
          option->short_name + ": expected a space before its value, got " + io::in_quotes(word),
          "Write " + option->short_name + " " + word.substr(equals + 1) + ".");
    if (equals + 1 == word.size())
      throw Error(ErrorKind::invalid_input, option->name + ": expected a value, got none",
                  remedy_for_no_value(*option));
  }
}

/// An option whose dashes a text processor made long, "—dim" and "–q": as it should be written.
/// Empty where no option is meant.
std::string with_short_dashes(const OptionSet& options, std::string_view word) {
  constexpr std::array<std::string_view, 4> kDashes = {"—", "–", "−", "‑"};
  std::string_view name = word.substr(0, word.find('='));
  bool is_long = false;
  for (std::size_t size = 1; size > 0; name.remove_prefix(size)) {
    const auto* const dash =
        std::ranges::find_if(kDashes, [&](std::string_view one) { return name.starts_with(one); });
    size = dash != kDashes.end() ? dash->size() : name.starts_with('-') ? 1 : 0;
    is_long = is_long || dash != kDashes.end();
  }
  std::string written = (name.size() == 1 ? "-" : "--") + std::string(name);
  return is_long && options.find(written) != nullptr ? written : std::string();
}

void check_long_dashes(const OptionSet& options, const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (const std::string written = with_short_dashes(options, word); !written.empty())
      throw Error(ErrorKind::invalid_input, "expected an option, got " + io::in_quotes(word),
                  "That is a long dash: write " + written + ".");
}

/// Standard input is read once: of several files one at most is "-".
void check_standard_input(const OptionSet& options, const std::vector<std::string>& operands) {
  std::vector<std::string> read;
  if (options.operands().files) read = operands;
  for (const Option& option : options.options())
    if (option.file && option.short_name != "-o")
      read.insert(read.end(), option.texts.begin(), option.texts.end());
  if (std::ranges::count(read, "-") > 1)
    throw Error(ErrorKind::invalid_input, "expected one file on standard input, got - twice",
                "Standard input can be read only once: name the other file.");
}

/// An option that may stand without its value has none where it is empty: --answer "$nothing".
void check_empty_values(const OptionSet& options, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (const Option* option = options.find(words[i]);
        option != nullptr && option->bare && words[i + 1].empty())
      throw Error(ErrorKind::invalid_input, option->name + ": expected a value, got an empty one",
                  "Write " + option->name + " without a value, or give it one.");
}

/// What to write where a value is missing and the name of an option stands in its place.
std::string remedy_for_swallowed(const Option& option, const std::string& next) {
  std::string remedy = remedy_for_no_value(option);
  if (!option.any_text) return remedy;
  remedy.back() = ',';
  return remedy + " or " + option.name + "=" + next + " if that is its value.";
}

/// An option that lacks its value does not take the next option for it: --golden --quiet. -3 and -
/// are values.
void check_swallowed_options(const OptionSet& options, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const Option* const option = options.find(words[i]);
    if (option == nullptr || option->value.empty()) continue;
    const std::string& next = words[i + 1];
    const Option* const swallowed = options.find(next.substr(0, next.find('=')));
    if (swallowed != nullptr && !option->bare)
      throw Error(ErrorKind::invalid_input,
                  words[i] + ": expected a value, got the option " + io::in_quotes(next),
                  remedy_for_swallowed(*option, next));
    if (swallowed == nullptr) ++i;  // its value
  }
}

/// Whether the option takes numbers with commas between: LIST, VECTOR, M,N.
bool takes_numbers(const Option& option) {
  return option.value == "LIST" || option.value == "VECTOR" ||
         option.value.find(',') != std::string::npos;
}

/// "--query 1 2": the numbers behind the first belong to it, be they negative or not.
void check_split_lists(const OptionSet& options, const std::vector<std::string>& words) {
  const auto is_number = [](const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789+-.eE") == std::string::npos &&
           word.find_first_of("0123456789") != std::string::npos;
  };
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const Option* const option = options.find(words[i]);
    if (option == nullptr || !takes_numbers(*option) || !is_number(words[i + 1])) continue;
    std::string blanks = words[i + 1], commas = words[i + 1];
    for (std::size_t next = i + 2; next < words.size() && is_number(words[next]); ++next) {
      blanks += " " + words[next];
      commas += "," + words[next];
    }
    if (blanks != words[i + 1])
      refuse(option->name, "numbers separated by commas", io::in_quotes(blanks),
             "Write " + option->name + " " + commas + ".");
  }
}

/// The files that -o names are none of those that are read.
void check_output(const OptionSet& options, const std::vector<std::string>& operands) {
  const Option* const output = options.find("-o");
  if (output == nullptr) return;
  std::vector<std::string> read = operands;
  for (const Option& option : options.options())
    if (&option != output) read.insert(read.end(), option.texts.begin(), option.texts.end());
  for (const std::string& written : output->texts) refuse_replacing("-o", written, read);
}

/// The parser's own message, unless we know better.
[[noreturn]] void refuse_parse(const OptionSet& options, const std::vector<std::string>& words,
                               const std::string& message) {
  const Option* last = words.empty() ? nullptr : options.find(words.back());
  if (last != nullptr && !last->value.empty())
    throw Error(ErrorKind::invalid_input, last->name + ": expected a value, got none",
                remedy_for_no_value(*last));
  throw Error(ErrorKind::invalid_input, message, "The option --help lists all options.");
}

CLI::Option* add_to_parser(CLI::App& parser, const Option& option) {
  const std::string names =
      option.short_name.empty() ? option.name : option.short_name + "," + option.name;
  if (option.value.empty()) return parser.add_flag(names);
  CLI::Option* added = parser.add_option(names);
  added->expected(option.bare ? 0 : 1, 1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return added;
}

void refuse_repetition(const Option& option, std::size_t times) {
  if (option.times == Times::many || option.value.empty() || times <= 1) return;
  throw Error(ErrorKind::invalid_input,
              option.name + ": expected once, given " + std::to_string(times) + " times",
              "Keep one of them.");
}

void check_exclusions(const OptionSet& options) {
  for (const auto& [option, others, why] : options.exclusions())
    for (const std::string& other : others)
      if (options.given(option) && options.given(other))
        throw Error(ErrorKind::invalid_input,
                    std::string(other)
                        .append(": cannot be used with ")
                        .append(option)
                        .append(": ")
                        .append(why),
                    "Leave one of them out.");
}

void fill(const Option& option) {
  const bool split = option.listed && option.times == Times::many;
  for (const std::string& text : option.texts) {
    if (option.listed)
      refuse_grouping(option.name, text, split ? option.grouped : Grouped::where_certain);
    for (const std::string& item : split ? items_of(text) : std::vector{text})
      option.fill(option, item);
  }
}

}  // namespace

std::vector<std::string> items_of(const std::string& text) {
  if (trimmed(text).starts_with('{')) return {text};  // JSON is none of our lists
  std::vector<std::string> items;
  for (const std::string_view item : list_items(text)) {
    const std::size_t equals = item.find('=');
    const bool parameter = equals != std::string_view::npos && item.find(':') > equals;
    if (parameter && !items.empty())
      items.back().append(",").append(item);
    else
      items.emplace_back(item);
  }
  return items;
}

// CLI11 tells options from values and words. It reads no numbers: it would take 010 for 8 and
// 0x10 for 16, and its messages name neither what was found nor what to do.
void parse(OptionSet& options, const std::vector<std::string>& all,
           const OptionElsewhere& elsewhere) {
  const auto end_of_options = std::ranges::find(all, "--");
  const std::vector<std::string> words(all.begin(), end_of_options);
  check_long_dashes(options, words);
  check_equals_signs(options, words);
  check_empty_values(options, words);
  check_swallowed_options(options, words);
  check_split_lists(options, words);
  CLI::App parser;
  parser.set_help_flag();
  parser.allow_extras();
  std::vector<CLI::Option*> parsed;
  for (const Option& option : options.options()) parsed.push_back(add_to_parser(parser, option));
  try {
    parser.parse(std::vector<std::string>(
        words.rbegin(), words.rend()));  // the parser takes its words from the back
  } catch (const CLI::ParseError& error) {
    refuse_parse(options, words, error.what());
  }
  std::vector<std::string> strange = parser.remaining();
  const auto misspelt = std::ranges::find_if(
      strange, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  // The value of a misspelt option is strange too: the option is what to talk of.
  if (misspelt != strange.end()) refuse_word(options, words, *misspelt, elsewhere);
  if (end_of_options != all.end())
    strange.insert(strange.end(), std::next(end_of_options), all.end());
  if (strange.size() > options.operands().most)
    refuse_word(options, words, strange[options.operands().most], elsewhere);
  if (options.operands().words != nullptr) *options.operands().words = strange;
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    Option& option = options.options()[i];
    option.given = parsed[i]->count();
    option.texts = parsed[i]->results();
    refuse_repetition(option, option.given);
  }
  check_exclusions(options);
  check_standard_input(options, strange);
  check_output(options, strange);
  for (const Option& option : options.options()) fill(option);
}

}  // namespace rope::app
