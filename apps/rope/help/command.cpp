#include "usage/help.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rope/error.hpp"
#include "rope/io/quote.hpp"
#include "usage/command.hpp"
#include "usage/find_command.hpp"
#include "usage/shared_options.hpp"

namespace rope::app {
namespace {

/// The topic that explains the option --WORD, or nothing; a command of that name goes first.
std::string_view topic_of_option(const std::string& word,
                                 std::span<const Command* const> commands) {
  if (std::ranges::find(commands, word, &Command::name) != commands.end()) return {};
  for (const Topic& topic : shared_options(commands))
    for (const SharedOption& shared : topic.options)
      if (shared.option.name == "--" + word) return topic.word;
  return {};
}

struct Help final : Invocation {
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope help options", "rope help rotary", "rope help decay"};

  std::vector<std::string> words;

  void declare(OptionSet& options) override {
    options.operands("[COMMAND|TOPIC]",
                     "a command or a topic: options explains the options that commands share; "
                     "rotary, output and general each explain one group of these; encodings "
                     "explains the parameters of encodings",
                     1, words);
    std::vector<std::string> known = {"options", "rotary", "output", "general",
                                      std::string(kParameterTopic)};
    for (const Command* command : commands) known.emplace_back(command->name);
    options.operands_take([known = std::move(known)] { return known; });
  }

  ExitCode run(Console& console) override {
    if (words.empty())
      console.print(program_help(commands, HelpLength::whole));
    else if (const std::string topic = topic_help(words.front(), commands); !topic.empty())
      console.print(topic);
    else if (const std::string_view of = topic_of_option(words.front(), commands); !of.empty())
      throw Error(ErrorKind::invalid_input,
                  "expected a command or a topic, got the option " + io::in_quotes(words.front()),
                  "rope help " + std::string(of) + " explains --" + words.front() + ".");
    else
      console.print(
          command_help(find_command(words.front(), commands), commands, HelpLength::whole));
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command help_command =
    command_of<Help>("help", kLookUp, "Explain a command, or the options that commands share.");

}  // namespace rope::app
