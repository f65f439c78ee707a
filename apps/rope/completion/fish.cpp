#include <algorithm>

#include "completion/scripts.hpp"
#include "usage/help_text.hpp"

namespace rope::app {
namespace {

constexpr std::size_t kDescription = 60;

std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// What completes the value of an option, or an operand.
std::string fish_values(const std::vector<std::string>& words, bool files) {
  std::string text = files ? " -F" : "";
  return words.empty() ? text : text + " -a " + fish_quoted(in_line(words));
}

std::string fish_option(const Option& option) {
  std::string text;
  if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
  text += " -l " + option.name.substr(2);
  if (!option.value.empty())
    text += (option.file ? " -r" : " -x") + fish_values(option.words, option.file);
  return text + " -d " + fish_quoted(first_clauses(option.help, kDescription));
}

/// What is the same behind several commands.
struct FishLine {
  std::string text;
  std::vector<std::string> commands;
};

}  // namespace

std::string fish_script(std::span<const CompletedCommand> commands) {
  std::string names;
  std::vector<FishLine> lines;
  const auto add = [&lines](const std::string& text, std::string_view command) {
    auto line = std::ranges::find(lines, text, &FishLine::text);
    if (line == lines.end()) line = lines.insert(line, {text, {}});
    line->commands.emplace_back(command);
  };
  for (const CompletedCommand& command : commands) {
    names += "complete -c rope -n __fish_use_subcommand -a " + std::string(command.name) + " -d " +
             fish_quoted(command.summary) + "\n";
    for (const Option& option : command.options) add(fish_option(option), command.name);
    const std::string operands = fish_values(command.operands.choices(), command.operands.files);
    if (!operands.empty()) add(operands, command.name);
  }
  std::string text =
      "# How fish completes rope; made by: rope completion fish\n"
      "complete -c rope -f\n"
      "complete -c rope -n __fish_use_subcommand -s h -l help -d 'the commands'\n"
      "complete -c rope -n __fish_use_subcommand -s V -l version -d 'the version'\n"
      "complete -c rope -n __fish_use_subcommand -l man -d 'the manual page'\n" +
      names;
  for (const FishLine& line : lines)
    text += "complete -c rope -n '__fish_seen_subcommand_from " + in_line(line.commands) + "'" +
            line.text + "\n";
  return text;
}

}  // namespace rope::app
