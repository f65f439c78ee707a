#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "rope/parameters/suggest.hpp"
#include "usage/help.hpp"
#include "usage/man_page.hpp"
#include "usage/parse.hpp"

namespace rope::app {
namespace {

bool is_help(std::string_view word) { return word == "-h" || word == "--help"; }

ExitCode tell(const std::string& who, const Error& error) {
  put(stderr, message_lines(stderr, who + ": " + io::printable(error.what(), kLongestMessage)));
  if (!error.remedy().empty())
    put(stderr, message_lines(stderr, io::printable(error.remedy(), kLongestMessage)));
  return error.kind() == ErrorKind::system ? ExitCode::system_failed : ExitCode::bad_input;
}

/// The option that the user gave for what an error of the library is about; empty if none is.
std::string option_meant(const OptionSet& options, const Error& error) {
  std::string name = "--" + error.subject();
  std::ranges::replace(name, '_', '-');
  return !error.subject().empty() && options.given(name) ? name : std::string();
}

ExitCode run_command(const Command& command, const std::vector<std::string>& words) {
  if (std::ranges::any_of(words, is_help)) {
    put(stdout, for_locale(command_help(command)));
    return ExitCode::done;
  }
  const std::unique_ptr<Invocation> invocation = command.invocation();
  OptionSet options = options_of(*invocation);
  try {
    parse(options, words);
    Console console("rope " + std::string(command.name), invocation->general.colour,
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

[[noreturn]] void refuse_command(const std::string& word) {
  if (word.starts_with('-')) {
    const std::string likely = likely_word(word, {"--help", "--version", "--man"});
    throw Error(ErrorKind::invalid_input, "expected a command, got " + io::in_quotes(word),
                likely.empty() ? "Options follow the command: rope decay --dim 64. rope --help "
                                 "lists the commands."
                               : "Did you mean " + likely + "?");
  }
  std::vector<std::string> known = {"help"};
  for (const Command* command : commands()) known.emplace_back(command->name);
  const std::string likely = likely_word(word, known);
  throw Error(ErrorKind::invalid_input, "unknown command " + io::in_quotes(word),
              likely.empty() ? "rope --help lists the commands." : "Did you mean " + likely + "?");
}

const Command& find_command(const std::string& name) {
  const auto all = commands();
  const auto found =
      std::ranges::find_if(all, [&](const Command* command) { return command->name == name; });
  if (found == all.end()) refuse_command(name);
  return **found;
}

/// rope help [COMMAND]: what others expect beside --help.
ExitCode help(const std::vector<std::string>& words) {
  if (words.size() > 2)
    throw Error(ErrorKind::invalid_input, "unexpected argument " + io::in_quotes(words[2]),
                "Help is for one command: rope help decay.");
  const bool of_command = words.size() == 2 && !is_help(words[1]);
  put(stdout,
      of_command ? for_locale(command_help(find_command(words[1]))) : program_help(commands()));
  return ExitCode::done;
}

}  // namespace

ExitCode run_program(const std::vector<std::string>& words) {
  std::string who = "rope";
  try {
    if (words.empty())
      throw Error(ErrorKind::invalid_input, "expected a command, got none",
                  "rope --help lists the commands.");
    if (is_help(words[0])) {
      put(stdout, program_help(commands()));
      return ExitCode::done;
    }
    if (words[0] == "-V" || words[0] == "--version") {
      put(stdout, "rope " ROPE_VERSION "\n");
      return ExitCode::done;
    }
    if (words[0] == "--man") {
      put(stdout, man_page(commands()));
      return ExitCode::done;
    }
    if (words[0] == "help") return help(words);
    const Command& command = find_command(words[0]);
    who += " " + words[0];
    return run_command(command, {words.begin() + 1, words.end()});
  } catch (const Error& error) {
    return tell(who, error);
  }
}

}  // namespace rope::app
