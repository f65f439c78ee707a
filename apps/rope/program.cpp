#include "program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"
#include "shown/text.hpp"
#include "usage/find_command.hpp"
#include "usage/help.hpp"
#include "usage/man_page.hpp"
#include "usage/origin.hpp"
#include "usage/parse.hpp"
#include "version.hpp"

namespace rope::app {

// Each stands in command.cpp of its folder.
extern const Command apply_command, attention_command, claims_command, compare_command,
    completion_command, convert_command, decay_command, diagnose_command, extend_command,
    glossary_command, help_command, inspect_command, lesson_command, matrix_command,
    precision_command, rotate_command, score_command, verify_command, wavelengths_command;

namespace {

/// All commands, in the order in which the help lists them.
std::span<const Command* const> commands() {
  static constexpr std::array kCommands = {
      &lesson_command,   &rotate_command,  &score_command,       &attention_command,
      &glossary_command, &verify_command,  &diagnose_command,    &apply_command,
      &convert_command,  &decay_command,   &wavelengths_command, &precision_command,
      &extend_command,   &compare_command, &inspect_command,     &matrix_command,
      &claims_command,   &help_command,    &completion_command};
  return kCommands;
}

/// Whether one of the options is among the words, before "--" ends the options.
bool asked(const std::vector<std::string>& words, std::initializer_list<std::string_view> options) {
  return std::ranges::find_first_of(words.begin(), std::ranges::find(words, "--"), options.begin(),
                                    options.end()) != std::ranges::find(words, "--");
}

/// Whether a word is -h, alone or among other letters that stand for options: -qh.
bool asks_briefly(std::string_view word) {
  return word.size() > 1 && word.starts_with('-') && word.find('h') != std::string_view::npos &&
         word.substr(1).find_first_not_of("hqvV") == std::string_view::npos;
}

/// Whether the words ask for help, and for how much.
std::optional<HelpLength> help_asked(const std::vector<std::string>& words) {
  if (asked(words, {"--help", "-help"})) return HelpLength::whole;
  if (std::any_of(words.begin(), std::ranges::find(words, "--"), asks_briefly))
    return HelpLength::brief;
  return std::nullopt;
}

void print_version(const std::vector<std::string>& words) {
  put(stdout, version_text(asked(words, {"--json"})));
}

/// A hint as a sentence: a word at its start takes a capital, a name such as rope_theta none. What
/// ends with a command to type stays as it is.
std::string hint_sentence(std::string hint) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
  const bool command =
      hint.starts_with("For example: ") || hint.find(": rope ") != std::string::npos;
  if (hint.ends_with('.') || hint.ends_with('?') || command) return hint;
  const std::size_t end = hint.find_first_not_of(kLetters);
  const bool word = end > 1 && (end == std::string::npos || hint[end] == ' ' || hint[end] == ',');
  return word ? sentence(std::move(hint)) : std::move(hint) + '.';
}

ExitCode tell(const std::string& who, const Error& error) {
  put(stderr, message_lines(stderr, who + ": " + io::printable(error.what(), kLongestMessage)));
  if (!error.remedy().empty())
    put(stderr,
        message_lines(stderr, io::printable(hint_sentence(error.remedy()), kLongestMessage)));
  return error.kind() == ErrorKind::system ? ExitCode::system_failed : ExitCode::bad_input;
}

/// The option that the user gave for what an error of the library is about; empty if none is.
std::string option_meant(const OptionSet& options, const Error& error) {
  std::string name = "--" + error.subject();
  std::ranges::replace(name, '_', '-');
  return !error.subject().empty() && options.given(name) ? name : std::string();
}

/// The commands that have an option of that name; empty where none has, or so many that to name
/// them helps nobody.
std::string commands_with(std::string_view option) {
  constexpr std::ptrdiff_t kMostNamed = 3;
  std::vector<std::string_view> names;
  for (const Command* command : commands()) {
    const std::unique_ptr<Invocation> invocation = command->invocation();
    if (options_of(*invocation).find(option) != nullptr) names.push_back(command->name);
  }
  return std::ssize(names) > kMostNamed ? std::string() : alternatives(names);
}

ExitCode run_command(const Command& command, const std::vector<std::string>& words) {
  if (const std::optional<HelpLength> length = help_asked(words)) {
    put(stdout, for_locale(command_help(command, commands(), *length)));
    return ExitCode::done;
  }
  if (asked(words, {"--version", "-V", "-v"})) {
    print_version(words);
    return ExitCode::done;
  }
  const std::unique_ptr<Invocation> invocation = command.invocation();
  invocation->commands = commands();
  OptionSet options = options_of(*invocation);
  try {
    parse(options, words, commands_with);
    std::ranges::copy_if(options.options(), std::back_inserter(invocation->given_options),
                         [](const Option& option) { return option.given > 0; });
    const std::string name = "rope " + std::string(command.name);
    Console console(name, origin_of(name, options), invocation->general.colour,
                    invocation->general.quiet);
    return invocation->run(console);
  } catch (const Error& error) {
    // "scaling yarn: factor: …" of the library is "--scaling yarn: factor: …" to its user.
    const std::string option = option_meant(options, error);
    if (option.empty()) throw;
    throw Error(error.kind(), option + std::string(error.what()).substr(error.subject().size()),
                error.remedy());
  }
}

}  // namespace

ExitCode run_program(const std::vector<std::string>& words) {
  std::string who = "rope";
  try {
    const std::optional<HelpLength> length =
        words.empty() ? HelpLength::brief : help_asked({words[0]});
    if (length && words.size() > 1 && !words[1].starts_with('-')) {
      if (*length == HelpLength::whole)
        return run_command(find_command("help", commands()), {words[1]});
      return run_command(find_command(words[1], commands()), {"-h"});
    }
    if (length) {
      put(stdout, program_help(commands(), *length));
      return ExitCode::done;
    }
    if (words[0] == "version" || asked({words[0]}, {"--version", "-V", "-v"})) {
      print_version(words);
      return ExitCode::done;
    }
    if (words[0] == "--man") {
      put(stdout, man_page(commands()));
      return ExitCode::done;
    }
    const Command& command = find_command(std::span(words), commands());
    who += " " + words[0];
    return run_command(command, {words.begin() + 1, words.end()});
  } catch (const Error& error) {
    return tell(who, error);
  }
}

}  // namespace rope::app
