#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "completion/scripts.hpp"
#include "usage/command.hpp"

namespace rope::app {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(std::span<const CompletedCommand> commands);
};
constexpr std::array<Shell, 3> kShells = {
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

struct Completion final : Invocation {
  static constexpr std::array<std::string_view, 2> kExamples = {
      "rope completion bash", "rope completion zsh > _rope; head -1 _rope"};

  std::vector<std::string> words;

  void declare(OptionSet& options) override {
    options.operands("SHELL",
                     "bash, zsh or fish; the script goes to standard output, and installing rope "
                     "also puts it where the shell looks for it",
                     1, words);
    options.operands_take([] { return names_in(kShells); });
  }

  ExitCode run(Console& /*console*/) override {
    if (words.empty())
      refuse("SHELL", "bash, zsh or fish", "none", "For example: source <(rope completion bash)");
    for (const Shell& shell : kShells)
      if (shell.name == words.front()) {
        put(stdout, shell.script(completed()));
        return ExitCode::done;
      }
    constexpr std::array kNames = {kShells[0].name, kShells[1].name, kShells[2].name};
    refuse_choice("SHELL", kNames, words.front());
  }

 private:
  std::vector<CompletedCommand> completed() const {
    std::vector<CompletedCommand> result;
    result.reserve(commands.size());
    for (const Command* command : commands) {
      const std::unique_ptr<Invocation> invocation = command->invocation();
      invocation->commands = commands;
      OptionSet options = options_of(*invocation);
      for (Option& option : options.options()) option.fill = nullptr;
      Operands operands = options.operands();
      operands.words = nullptr;
      result.push_back(
          {command->name, command->summary, std::move(options.options()), std::move(operands)});
    }
    return result;
  }
};

}  // namespace

std::string in_line(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

extern constinit const Command completion_command = command_of<Completion>(
    "completion", kLookUp, "Print the completion script for bash, zsh or fish.");

}  // namespace rope::app
