#include "usage/help.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "usage/command.hpp"
#include "usage/find_command.hpp"

namespace rope::app {
namespace {

struct Help final : Invocation {
  static constexpr std::array<std::string_view, 3> kExamples = {
      "rope help options", "rope help rotary", "rope help decay"};

  std::vector<std::string> words;

  void declare(OptionSet& options) override {
    options.operands(
        "[COMMAND|TOPIC]",
        "a command; or options, those that commands share, of which rotary, output and general "
        "are the parts",
        1, words);
    std::vector<std::string> known = {"options", "rotary", "output", "general"};
    for (const Command* command : commands) known.emplace_back(command->name);
    options.operands_take([known = std::move(known)] { return known; });
  }

  ExitCode run(Console& console) override {
    if (words.empty())
      console.print(program_help(commands, HelpLength::whole));
    else if (const std::string topic = topic_help(words.front(), commands); !topic.empty())
      console.print(topic);
    else
      console.print(
          command_help(find_command(words.front(), commands), commands, HelpLength::whole));
    return ExitCode::done;
  }
};

}  // namespace

extern constinit const Command help_command =
    command_of<Help>("help", "Explain a command, or the options that commands share.");

}  // namespace rope::app
